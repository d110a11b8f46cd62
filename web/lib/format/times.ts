import { fullTime } from '#contract/rules/time/time-label.ts';

/** Month, day and time in China: 11-20 11:02. For the year use `fullAt`. */
export function shortAt(iso: string): string {
  return fullTime(Date.parse(iso)).slice(5);
}

/** The full time in China: 2026-11-20 11:02. */
export function fullAt(iso: string): string {
  return fullTime(Date.parse(iso));
}

/** The minutes that a step takes, as text of the hand-over card: 约 10 分钟, 约 3 小时, 3 天内. */
export function minutesText(minutes: number): string {
  if (minutes < 60) return `约 ${minutes} 分钟`;
  if (minutes < 1440) return `约 ${Math.round(minutes / 60)} 小时`;
  return `${Math.round(minutes / 1440)} 天内`;
}
