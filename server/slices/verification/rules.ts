const ADULT_YEARS = 18;
const CHINA_OFFSET_MS = 8 * 3_600_000;

/** The calendar day of China at a moment, as 2026-11-20. */
export function chinaDay(now: Date): string {
  return new Date(now.getTime() + CHINA_OFFSET_MS).toISOString().slice(0, 10);
}

/** Whether somebody born on a day (2008-11-20) is 18 by China's calendar; who was born on 29 February is so on 1 March. */
export function isAdult(birthDate: string, now: Date): boolean {
  const [year = '', month = '', day = ''] = birthDate.split('-');
  return `${Number(year) + ADULT_YEARS}-${month}-${day}` <= chinaDay(now);
}

/** '张三丰' becomes '张**': the first character alone stays. */
export function maskName(name: string): string {
  const [first = '', ...rest] = name;
  return first + '*'.repeat(rest.length);
}

/** '110*************34' */
export function maskIdNo(idNo: string): string {
  return `${idNo.slice(0, 3)}${'*'.repeat(idNo.length - 5)}${idNo.slice(-2)}`;
}

/** Spaces out, the middle dots of names written in one way: what two writings of one name have in common. */
export function sameName(a: string, b: string): boolean {
  const normal = (name: string): string =>
    name
      .normalize('NFKC')
      .replace(/\s+/g, '')
      .replace(/[•‧∙・．.]/g, '·');
  return normal(a) === normal(b);
}
