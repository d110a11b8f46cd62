import { chinaDay } from '#contract/rules/time/china-time.ts';
const ADULT_YEARS = 18;
/**
 * Whether a person born on a day (2008-11-20) is 18 by China's calendar; a person born on 29 February turns 18 on 1
 * March.
 */
export function isAdultOn(birthDate: string, now: Date): boolean {
  const [year = '', month = '', day = ''] = birthDate.split('-');
  return `${Number(year) + ADULT_YEARS}-${month}-${day}` <= chinaDay(now);
}
