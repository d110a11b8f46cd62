/** Ways out of the site; 'site' itself is the in-site list, where every notice stands. */
export type Outlet = 'wechat' | 'sms' | 'email' | 'push';
export type Channel = 'site' | Outlet;

/** Whether an outlet's vendor knows our number of a message, so that sending it again under that number arrives once. */
export const knowsNumber: Readonly<Record<Outlet, boolean>> = { wechat: true, sms: false, email: true, push: true };

/** A delivery that was claimed so long ago belonged to a process that died. */
export const CLAIM_MS = 120_000;
export const MAX_ATTEMPTS = 6;
/** Digests leave at nine in the morning of China. */
export const DIGEST_MINUTE = 540;
const DIGEST_TITLES = 10;
const TITLE_MAX = 60;
const BODY_MAX = 300;
const VALUE_MAX = 80;
const DAY_MINUTES = 1440;
const MINUTE_MS = 60_000;
const CHINA_MS = 8 * 3_600_000;

/** SMS cost money and attention: so many a day for one person, and fewer of what comes often by itself. */
export const SMS_PER_DAY = 30;
export const SMS_OF_KIND: Readonly<Record<string, number>> = { 'chat.offline': 3 };

export type Values = Readonly<Record<string, string>>;

const MARK = /\{([A-Za-z]{1,20})\}/g;
const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

/** A text with its {name} marks filled; a mark without a value leaves nothing. */
function fill(template: string, values: Values): string {
  return template.replace(MARK, (_, name: string) => cut(values[name] ?? '', VALUE_MAX));
}

/** Title, text and link of a notice from its kind's template. A link with an empty mark leads nowhere and is left out. */
export function wordsOf(
  template: { title: string; body: string; link: string | null },
  values: Values,
): { title: string; body: string; link: string | null } {
  const { link } = template;
  const isWhole = link !== null && [...link.matchAll(MARK)].every(([, name]) => (values[name ?? ''] ?? '') !== '');
  return {
    title: cut(fill(template.title, values), TITLE_MAX),
    // Two sentences that meet leave one full stop.
    body: cut(fill(template.body, values).replace(/([。！？])。/g, '$1'), BODY_MAX),
    link: isWhole ? link.replace(MARK, (_, name: string) => encodeURIComponent(values[name] ?? '')) : null,
  };
}

/** Quiet hours in minutes of China's day; from later than to means over midnight. */
export interface Quiet {
  fromMinute: number;
  toMinute: number;
}

function minuteOf(at: Date): number {
  return Math.floor((at.getTime() + CHINA_MS) / MINUTE_MS) % DAY_MINUTES;
}

/** The next moment at which China's clock shows a minute of the day; `at` itself when it does now. */
function nextMinute(at: Date, minute: number): Date {
  const wait = (minute - minuteOf(at) + DAY_MINUTES) % DAY_MINUTES;
  const whole = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  return wait === 0 ? at : new Date(whole + wait * MINUTE_MS);
}

/** Whether a moment lies in somebody's quiet hours. */
export function isQuiet(quiet: Quiet | null, at: Date): boolean {
  if (!quiet) return false;
  const minute = minuteOf(at);
  const { fromMinute, toMinute } = quiet;
  return fromMinute < toMinute ? minute >= fromMinute && minute < toMinute : minute >= fromMinute || minute < toMinute;
}

/** When quiet hours are over that hold at `at`; `at` itself outside of them. */
export function afterQuiet(quiet: Quiet | null, at: Date): Date {
  return quiet && isQuiet(quiet, at) ? nextMinute(at, quiet.toMinute) : at;
}

/** When something leaves the site: at once, with the next digest, or after quiet hours, which urgent things pass. */
export function dueAt(now: Date, how: { frequency: 'now' | 'daily'; urgent: boolean; quiet: Quiet | null }): Date {
  if (how.frequency === 'daily') return afterQuiet(how.quiet, nextMinute(now, DIGEST_MINUTE));
  return how.urgent ? now : afterQuiet(how.quiet, now);
}

/** When a failed delivery is tried again: a minute, doubling, an hour at most. */
export function retryAt(now: Date, attempts: number): Date {
  return new Date(now.getTime() + Math.min(60, 2 ** (attempts - 1)) * MINUTE_MS);
}

/** One message of many: how many, and the first of their titles. */
export function digestOf(titles: readonly string[]): { title: string; body: string } {
  const shown = titles.slice(0, DIGEST_TITLES);
  const rest = titles.length - shown.length;
  return {
    title: `您有 ${titles.length} 条新消息`,
    body: cut(`${shown.join('；')}${rest > 0 ? `；还有 ${rest} 条` : ''}。`, BODY_MAX),
  };
}

/** 11-22 09:30, by China's clock. */
export function clockText(at: Date): string {
  return new Date(at.getTime() + CHINA_MS).toISOString().slice(5, 16).replace('T', ' ');
}

/** The channels that a person gets a kind on: their own choice, which cannot go below what a kind that is not optional has. */
export function channelsOf(
  kind: { channels: readonly Channel[]; optional: boolean },
  chosen: readonly Channel[] | null,
): Channel[] {
  const own = chosen ?? kind.channels;
  return [...new Set<Channel>(['site', ...own, ...(kind.optional ? [] : kind.channels)])];
}
