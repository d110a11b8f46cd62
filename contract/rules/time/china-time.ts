/**
 * China's clock and calendar. China has a single time zone and no daylight saving time, so the offset is a constant in browser, server and
 * tests. Days are texts such as 2026-11-22, which compare as they follow each other.
 */
const DAY_MS = 86_400_000;

/** Offset of China's time zone from UTC, in ms. */
export const CHINA_MS = 8 * 3_600_000;

/** The clock in China at a moment: 2026-11-22T08:00:00. */
export const chinaClock = (at: Date): string => new Date(at.getTime() + CHINA_MS).toISOString().slice(0, 19);

/** The day in China at a moment. */
export const chinaDay = (at: Date): string => chinaClock(at).slice(0, 10);

/** The moment at which a day begins in China. */
export const dayStart = (day: string): Date => new Date(`${day}T00:00:00+08:00`);

/** The day `days` after a day. */
export const dayAfter = (day: string, days: number): string =>
  chinaDay(new Date(dayStart(day).getTime() + days * DAY_MS));

/** Whether a text is an existing day, 2026-11-22. */
export function isDay(text: string): boolean {
  const at = dayStart(text);
  return !Number.isNaN(at.getTime()) && chinaDay(at) === text;
}

/** An existing day of this century, 2026-11-22; null for anything else. */
export const dayOf = (text: string | null | undefined): string | null =>
  text?.startsWith('20') && isDay(text) ? text : null;
