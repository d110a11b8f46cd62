const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** A length of time as text: 10 分钟, 24 小时, 1.5 小时; days from two on: 3 天. */
export function spanText(seconds: number): string {
  if (seconds < HOUR_SECONDS) return `${Math.round(seconds / 60)} 分钟`;
  if (seconds < 2 * DAY_SECONDS) return `${tenths(seconds / HOUR_SECONDS)} 小时`;
  return `${tenths(seconds / DAY_SECONDS)} 天`;
}
