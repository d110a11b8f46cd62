import { chinaClock, CHINA_MS } from '#contract/rules/time/china-time.ts';
import { cutText, fillBody, fillText, NOTICE_BODY_MAX, NOTICE_TITLE_MAX } from '../rules/notice-text.ts';

/** Outlets outside the site; the channel 'site' is the in-site list, which has every notice. */
export type Outlet = 'wechat' | 'sms' | 'email' | 'push';
export type Channel = 'site' | Outlet;

/** Whether an outlet's vendor deduplicates by our number, so that a repeated send arrives once. */
export const deduplicates: Readonly<Record<Outlet, boolean>> = { wechat: true, sms: false, email: true, push: true };

/** A claim older than this belongs to a process that died. */
export const CLAIM_MS = 120_000;
export const MAX_ATTEMPTS = 6;
/** The number of sender jobs; each sends the notices of its share of the users. */
export const SENDERS = 8;
/** Digests are sent at 09:00 in China (minute of the day). */
export const DIGEST_MINUTE = 540;
const DIGEST_TITLES = 10;
const DAY_MINUTES = 1440;
const MINUTE_MS = 60_000;

/** Daily limits of SMS per user, in total and for frequent kinds. */
export const SMS_PER_DAY = 30;
export const SMS_OF_KIND: Readonly<Record<string, number>> = { 'chat.offline': 3 };

export type Values = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{([A-Za-z]{1,20})\}/g;

/** Renders title, text and link of a notice from its kind's template. A link with an empty placeholder is left out. */
export function renderTemplate(
  template: { title: string; body: string; link: string | null },
  values: Values,
): { title: string; body: string; link: string | null } {
  const { link } = template;
  const isComplete =
    link !== null && [...link.matchAll(PLACEHOLDER)].every(([, name]) => (values[name ?? ''] ?? '') !== '');
  return {
    title: cutText(fillText(template.title, values), NOTICE_TITLE_MAX),
    body: fillBody(template.body, values),
    link: isComplete ? link.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(values[name] ?? '')) : null,
  };
}

/** Quiet hours in minutes of the day in China; `fromMinute` after `toMinute` spans midnight. */
export interface Quiet {
  fromMinute: number;
  toMinute: number;
}

function minuteOf(at: Date): number {
  return Math.floor((at.getTime() + CHINA_MS) / MINUTE_MS) % DAY_MINUTES;
}

/** The next time at which it is this minute of the day in China; `at` itself when it is now. */
function nextMinute(at: Date, minute: number): Date {
  const minutes = (minute - minuteOf(at) + DAY_MINUTES) % DAY_MINUTES;
  const minuteStart = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  return minutes === 0 ? at : new Date(minuteStart + minutes * MINUTE_MS);
}

/** Whether a time is within quiet hours. */
export function isQuiet(quiet: Quiet | null, at: Date): boolean {
  if (!quiet) return false;
  const minute = minuteOf(at);
  const { fromMinute, toMinute } = quiet;
  return fromMinute < toMinute ? minute >= fromMinute && minute < toMinute : minute >= fromMinute || minute < toMinute;
}

/** The end of the quiet hours around `at`; `at` itself outside of them. */
export function afterQuiet(quiet: Quiet | null, at: Date): Date {
  return quiet && isQuiet(quiet, at) ? nextMinute(at, quiet.toMinute) : at;
}

/** When a notice is sent: immediately, with the next digest, or after quiet hours, which urgent notices ignore. */
export function dueAt(now: Date, how: { frequency: 'now' | 'daily'; urgent: boolean; quiet: Quiet | null }): Date {
  if (how.frequency === 'daily') return afterQuiet(how.quiet, nextMinute(now, DIGEST_MINUTE));
  return how.urgent ? now : afterQuiet(how.quiet, now);
}

/** When a failed delivery is retried: after a minute, doubling, at most an hour. */
export function retryAt(now: Date, attempts: number): Date {
  return new Date(now.getTime() + Math.min(60, 2 ** (attempts - 1)) * MINUTE_MS);
}

/** A digest of several notices: their number and the first titles. */
export function digestOf(titles: readonly string[]): { title: string; body: string } {
  const listed = titles.slice(0, DIGEST_TITLES);
  const rest = titles.length - listed.length;
  return {
    title: `您有 ${titles.length} 条新消息`,
    body: cutText(`${listed.join('；')}${rest > 0 ? `；还有 ${rest} 条` : ''}。`, NOTICE_BODY_MAX),
  };
}

/** Formats a time as '11-22 09:30' in China's time zone. */
export function clockText(at: Date): string {
  return chinaClock(at).slice(5, 16).replace('T', ' ');
}

/** The channels of a kind for a user: the user's choice, plus the kind's own channels when it is not optional. */
export function channelsOf(
  kind: { channels: readonly Channel[]; optional: boolean },
  chosen: readonly Channel[] | null,
): Channel[] {
  const own = chosen ?? kind.channels;
  return [...new Set<Channel>(['site', ...own, ...(kind.optional ? [] : kind.channels)])];
}
