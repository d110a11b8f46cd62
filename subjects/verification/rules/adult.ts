const ADULT_YEARS = 18;
/** Offset of China's time zone from UTC, in ms. */
const CHINA_OFFSET_MS = 8 * 3_600_000;

/** The calendar day in China at a moment, as 2026-11-20. */
export function chinaDay(now: Date): string {
  return new Date(now.getTime() + CHINA_OFFSET_MS).toISOString().slice(0, 10);
}

/**
 * Whether a person born on a day (2008-11-20) is 18 by China's calendar; a person born on 29 February turns 18 on 1
 * March.
 */
export function isAdultOn(birthDate: string, now: Date): boolean {
  const [year = '', month = '', day = ''] = birthDate.split('-');
  return `${Number(year) + ADULT_YEARS}-${month}-${day}` <= chinaDay(now);
}
