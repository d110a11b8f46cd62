import type { companionCards } from '#subjects/services/contract/companions.ts';
import type { Data } from '#contract/endpoint.ts';
import { weekDays } from '#subjects/providers/rules/opening-hours.ts';

type Card = Data<typeof companionCards>['list'][number];

const WEEK = 7;

/** An hour of the day as clock time: 06:00; the end of the day is 24:00, and later hours are those of the next day. */
export const hourText = (hour: number): string => (hour === 24 ? '24:00' : `${String(hour % 24).padStart(2, '0')}:00`);

/** The weekday of a date (2026-11-29), as 周日. */
export const weekdayText = (date: string): string =>
  weekDays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? '';

/** The name of the day this many days from today: 今天, 明天, a weekday, or the date beyond a week. */
export function dayText(day: number, date: string): string {
  if (day < 2) return day === 0 ? '今天' : '明天';
  return day < WEEK ? weekdayText(date) : date.slice(5);
}

/** When a companion can be booked, as one sentence. */
export function freeText({ closedNow, nextFree, tonight }: Pick<Card, 'closedNow' | 'nextFree' | 'tonight'>): string {
  if (closedNow === null) {
    const isToday = nextFree?.day === 0 && nextFree.until <= 24;
    return isToday ? `现在有空，可玩到 ${hourText(nextFree.until)}` : '现在有空';
  }
  if (!nextFree) return '两周内已约满';
  const { day, date, hour } = nextFree;
  if (day === 0) return `${hourText(hour)} 起有空`;
  const when = `${dayText(day, date)} ${hourText(hour)}`;
  if (day > 1) return `最近可约 ${when}`;
  return `${tonight.includes('t') ? '今晚约满' : '今晚休息'}，${when} 起`;
}

/** The style of an hour by its letter (f free, t taken, others closed or over). */
export const slotClass = (letter: string): string =>
  letter === 'f' ? 'slot slot-free' : letter === 't' ? 'slot slot-taken' : 'slot';
