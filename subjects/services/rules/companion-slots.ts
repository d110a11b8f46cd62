/** The calendar of a companion: hours that a buyer can take (design section 6). Moments in ms. */
import { CHINA_MS } from '#contract/rules/time/china-time.ts';
import { isOpenAt, type OpenRange } from '#subjects/providers/rules/opening-hours.ts';

export const HOUR_MS = 3_600_000;
/** Days of the calendar from today on. */
export const CALENDAR_DAYS = 14;
/** Minimum time between booking and the beginning of an hour. */
const AHEAD_MS = 10 * 60_000;
/** A party may confirm presence this long before the agreed hour. */
export const EARLY_MS = 15 * 60_000;
/** A buyer may cancel an accepted hour free of charge until this long before it, or within five minutes of the acceptance. */
export const FREE_BEFORE_MS = 60 * 60_000;
export const FREE_AFTER_MS = 5 * 60_000;
/** Limits of tips: the total per order, and the days after its end in which they are accepted. */
export const TIP_MAX_FEN = 20_000;
export const TIP_MIN_FEN = 100;
export const TIP_DAYS = 7;
/** Minimum minutes for rating play that ended early. */
export const RATED_MINUTES = 10;

const DAY_MS = 24 * HOUR_MS;

/** Midnight in China before a moment. */
export const chinaMidnight = (at: number): number => Math.floor((at + CHINA_MS) / DAY_MS) * DAY_MS - CHINA_MS;

/** Whether the whole hour that begins at `start` is one in which the companion works. */
export const isWorkingHour = (ranges: readonly OpenRange[], start: number): boolean =>
  isOpenAt(ranges, start) && isOpenAt(ranges, start + HOUR_MS - 60_000);

/** Why hours from `start` on cannot be requested, as a sentence; null when they can, unless another order has them. */
export function bookingProblem(ranges: readonly OpenRange[], start: number, hours: number, now: number): string | null {
  if (start % HOUR_MS !== 0) return '请选择整点开始';
  if (start < now + AHEAD_MS) return '请至少提前 10 分钟预约';
  if (start >= chinaMidnight(now) + CALENDAR_DAYS * DAY_MS) return `只能预约 ${CALENDAR_DAYS} 天内的时间`;
  for (let i = 0; i < hours; i += 1)
    if (!isWorkingHour(ranges, start + i * HOUR_MS)) return '这个时间陪玩不接单，请换一个';
  return null;
}

export type HourState = 'free' | 'taken' | 'off' | 'past';

/** The state of an hour for the viewer of the calendar. */
export function hourState(
  ranges: readonly OpenRange[],
  booked: readonly { from: number; to: number }[],
  start: number,
  now: number,
): HourState {
  if (start < now + AHEAD_MS) return 'past';
  if (!isWorkingHour(ranges, start)) return 'off';
  return booked.some((one) => one.from < start + HOUR_MS && start < one.to) ? 'taken' : 'free';
}

/** The filters of a list of companions: available time and voice sample. */
export const FREE_TIMES = ['now', 'tonight', 'tomorrow', 'weekend'] as const;
export type FreeTime = (typeof FREE_TIMES)[number];
export const VOICE_KINDS = ['any', 'female', 'male'] as const;
export type VoiceKind = (typeof VOICE_KINDS)[number];

/** Tonight in hours of the day, as lists show it. */
export const EVENING = { from: 18, to: 24 } as const;
const SATURDAY = 5;
/** The first day of the epoch was a Thursday; 0 is Monday. */
const EPOCH_DAY = 3;

/** Start and end of tonight, tomorrow, or the current or next weekend. */
export function freeWindow(time: Exclude<FreeTime, 'now'>, now: number): { from: number; to: number } {
  const today = chinaMidnight(now);
  if (time === 'tonight') return { from: today + EVENING.from * HOUR_MS, to: today + EVENING.to * HOUR_MS };
  if (time === 'tomorrow') return { from: today + DAY_MS, to: today + 2 * DAY_MS };
  const weekDay = (Math.floor((today + CHINA_MS) / DAY_MS) + EPOCH_DAY) % 7;
  const saturday = today + (SATURDAY - weekDay) * DAY_MS;
  return { from: saturday, to: saturday + 2 * DAY_MS };
}

/** Whether this many consecutive hours can be requested within a window. */
export function hasFreeHours(
  ranges: readonly OpenRange[],
  booked: readonly { from: number; to: number }[],
  { from, to }: { from: number; to: number },
  hours: number,
  now: number,
): boolean {
  let inRow = 0;
  for (let start = from; start < to; start += HOUR_MS) {
    inRow = hourState(ranges, booked, start, now) === 'free' ? inRow + 1 : 0;
    if (inRow >= hours) return true;
  }
  return false;
}

/** A run of free hours: its first hour, and the end of its last one. Moments in ms. */
export interface FreeRun {
  from: number;
  to: number;
}

/** The end of the free hours that follow a moment, which begins an hour. */
function endOfRun(isFree: (start: number) => boolean, from: number): number {
  let to = from;
  while (to < from + 24 * HOUR_MS && isFree(to)) to += HOUR_MS;
  return to;
}

/** The first start in the calendar with enough consecutive free hours; null if there is none. */
export function firstFreeRun(
  ranges: readonly OpenRange[],
  booked: readonly { from: number; to: number }[],
  hours: number,
  now: number,
): FreeRun | null {
  const end = chinaMidnight(now) + CALENDAR_DAYS * DAY_MS;
  const isFree = (start: number) => start < end && hourState(ranges, booked, start, now) === 'free';
  let start = Math.ceil(now / HOUR_MS) * HOUR_MS;
  while (start < end) {
    const to = endOfRun(isFree, start);
    if (to - start >= hours * HOUR_MS) return { from: start, to };
    start = Math.max(to, start + HOUR_MS);
  }
  return null;
}
