/** When a shop takes orders: weekly ranges in China's time. No range means always open. */
export interface OpenRange {
  /** 0 is Monday. */
  day: number;
  /** Minutes of the day, 0 to 1440. */
  fromMinute: number;
  toMinute: number;
}

const MINUTE = 60_000;
const DAY_MINUTES = 1440;
/** China has a single time zone and no daylight saving time. */
const OFFSET_MINUTES = 8 * 60;
/** The first day of the epoch was a Thursday. */
const EPOCH_DAY = 3;

export const weekDays = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const;

/** Whether the shop is open at a moment (ms since the epoch). */
export function isOpenAt(ranges: readonly OpenRange[], at: number): boolean {
  if (ranges.length === 0) return true;
  const minutes = Math.floor(at / MINUTE) + OFFSET_MINUTES;
  const day = (Math.floor(minutes / DAY_MINUTES) + EPOCH_DAY) % 7;
  const minute = minutes % DAY_MINUTES;
  return ranges.some((r) => r.day === day && r.fromMinute <= minute && minute < r.toMinute);
}

/** A minute of the day as '09:30'; the end of a day is '24:00'. */
export const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

function daysText(days: readonly number[]): string {
  if (days.length === 7) return '每天';
  const first = days[0] ?? 0;
  const last = days.at(-1) ?? first;
  const isRow = days.length > 2 && last - first === days.length - 1;
  return isRow ? `${weekDays[first]}至${weekDays[last]}` : days.map((d) => weekDays[d]).join('、');
}

/** The ranges as display text ('周一至周五 10:00-24:00；周六 12:00-18:00'); '' for always open. */
export function hoursText(ranges: readonly OpenRange[]): string {
  const byDay = weekDays.map((_, day) =>
    ranges
      .filter((r) => r.day === day)
      .toSorted((a, b) => a.fromMinute - b.fromMinute)
      .map((r) => `${clockText(r.fromMinute)}-${clockText(r.toMinute)}`)
      .join('、'),
  );
  const texts = [...new Set(byDay.filter((text) => text !== ''))];
  return texts
    .map((text) => `${daysText(byDay.flatMap((one, day) => (one === text ? [day] : [])))} ${text}`)
    .join('；')
    .replace(/^每天 00:00-24:00$/, '');
}

/** A message when ranges of one day overlap or end before they begin; null for a valid week. */
export function hoursProblem(ranges: readonly OpenRange[]): string | null {
  if (ranges.some((r) => r.toMinute <= r.fromMinute)) return '接单时段的结束应晚于开始';
  const clash = ranges.some((a, i) =>
    ranges.some((b, j) => j > i && a.day === b.day && a.fromMinute < b.toMinute && b.fromMinute < a.toMinute),
  );
  return clash ? '同一天的接单时段不能重叠' : null;
}
