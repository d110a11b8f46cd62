import { chinaDay, dayAfter, dayStart, isDay } from '#contract/rules/time/china-time.ts';
/**
 * Ranges of time in a list's filter, as text: a preset ('last7') or two moments in China's time joined by '~', of which one may be missing
 * ('2026-11-16~2026-11-22', '2026-11-16 08:00~'). A day without a time means the whole day, so the last day of a range is included.
 */

/** The presets in the order in which they are offered. */
export const rangePresets = [
  ['today', '今天'],
  ['yesterday', '昨天'],
  ['last7', '近 7 天'],
  ['last30', '近 30 天'],
  ['month', '本月'],
] as const;
type RangePreset = (typeof rangePresets)[number][0];

/** A range as moments; `until` is the first moment that no longer belongs to it. */
export interface TimeRange {
  from: Date | undefined;
  until: Date | undefined;
}

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}))?$/;

function presetDays(preset: RangePreset, now: Date): [first: string, last: string] {
  const today = chinaDay(now);
  switch (preset) {
    case 'today':
      return [today, today];
    case 'yesterday':
      return [dayAfter(today, -1), dayAfter(today, -1)];
    case 'last7':
      return [dayAfter(today, -6), today];
    case 'last30':
      return [dayAfter(today, -29), today];
    case 'month':
      return [`${today.slice(0, 8)}01`, today];
  }
}

export const isPreset = (text: string): text is RangePreset => rangePresets.some(([preset]) => preset === text);

/** A moment as text; undefined when it is malformed or does not exist. With `isEnd`, a day without a time means the day's end. */
function momentOf(text: string, isEnd: boolean): Date | undefined {
  const parts = MOMENT.exec(text);
  if (!parts) return undefined;
  const [, year, month, date, hour, minute] = parts;
  const day = `${year}-${month}-${date}`;
  if (!isDay(day)) return undefined;
  if (hour === undefined) return dayStart(isEnd ? dayAfter(day, 1) : day);
  if (Number(hour) > 24 || Number(minute) > 59 || (Number(hour) === 24 && Number(minute) > 0)) return undefined;
  return new Date(dayStart(day).getTime() + (Number(hour) * 60 + Number(minute)) * 60_000);
}

/** Parses a range; null when the text is not a range, or the range ends before it begins. */
export function rangeOf(text: string, now: Date): TimeRange | null {
  if (isPreset(text)) {
    const [first, last] = presetDays(text, now);
    return { from: dayStart(first), until: dayStart(dayAfter(last, 1)) };
  }
  const ends = text.split('~');
  if (ends.length !== 2) return null;
  const [first = '', last = ''] = ends;
  const from = momentOf(first, false);
  const until = momentOf(last, true);
  if ((first !== '' && !from) || (last !== '' && !until) || (!from && !until)) return null;
  return from && until && from >= until ? null : { from, until };
}

/** The first and last day of a range as text, for a calendar; empty where the range is open. */
export function daysOf(text: string, now: Date): [first: string, last: string] {
  if (isPreset(text)) return presetDays(text, now);
  const [first = '', last = ''] = text.split('~');
  return [first.slice(0, 10), last.slice(0, 10)];
}

const NAMED_DAYS: Readonly<Record<string, number>> = { 今天: 0, 昨天: -1, 前天: -2 };

/**
 * An end of a range as entered, in its full form: '11-16', '11/16 18:00', '昨天 18:00', '2026-11-16'. A day without a year that has
 * not come yet belongs to last year. Empty text stays empty; null when it is not a time.
 */
export function typedMoment(typed: string, now: Date): string | null {
  const text = typed.trim().replaceAll('/', '-').replaceAll('：', ':').replace(/\s+/g, ' ');
  if (text === '') return '';
  const [first = '', time] = text.split(' ');
  const today = chinaDay(now);
  const named = NAMED_DAYS[first];
  const day = named === undefined ? fullDay(first, today) : dayAfter(today, named);
  if (day === null) return null;
  const clock = time === undefined ? undefined : /^(\d{1,2}):(\d{2})$/.exec(time);
  if (clock === null) return null;
  const full = clock ? `${day} ${(clock[1] ?? '').padStart(2, '0')}:${clock[2]}` : day;
  return momentOf(full, false) ? full : null;
}

function fullDay(text: string, today: string): string | null {
  const parts = /^(?:(\d{4})-)?(\d{1,2})-(\d{1,2})$/.exec(text);
  if (!parts) return null;
  const [, year, month = '', date = ''] = parts;
  const tail = `${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (year !== undefined) return `${year}-${tail}`;
  const thisYear = `${today.slice(0, 4)}-${tail}`;
  return thisYear > today ? `${Number(today.slice(0, 4)) - 1}-${tail}` : thisYear;
}

/** A range for display: 近 7 天, 11-16 至 11-22, 11-16 起. The current year is omitted. */
export function rangeText(text: string, now: Date): string {
  const preset = rangePresets.find(([name]) => name === text);
  if (preset) return preset[1];
  const year = `${chinaDay(now).slice(0, 4)}-`;
  const [first = '', last = ''] = text.split('~').map((end) => (end.startsWith(year) ? end.slice(5) : end));
  if (last === '') return `${first} 起`;
  if (first === '') return `${last} 止`;
  return first === last ? `${first} 全天` : `${first} 至 ${last}`;
}
