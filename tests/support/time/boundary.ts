import { CHINA_MS } from '#contract/rules/time/china-time.ts';

/** Moments and numbers around a limit, for tests of the behaviour just before it, at it and just after it. Moments in ms. */

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

/** One moment around a limit. */
export type Moment = readonly [name: 'a second before' | 'at' | 'a second after', ms: number];

/** One second before a limit, the limit itself, and one second after it. */
export const atBoundary = (limitMs: number): readonly [Moment, Moment, Moment] => [
  ['a second before', limitMs - SECOND_MS],
  ['at', limitMs],
  ['a second after', limitMs + SECOND_MS],
];

/** The next whole second, for tests that stop the clock: many times on the wire have no fractions. */
export const wholeSecond = (): number => Math.ceil(Date.now() / SECOND_MS) * SECOND_MS;

/** n − 1, n and n + 1 of a limit of counts or amounts. */
export const aroundLimit = (n: number): readonly [number, number, number] => [n - 1, n, n + 1];

/** The first midnight in China after a moment. */
export const nextChinaMidnight = (ms: number): number => Math.floor((ms + CHINA_MS) / DAY_MS + 1) * DAY_MS - CHINA_MS;

/** The first beginning of a month in China after a moment: the midnight at which day, month and, in January, year change. */
export function nextChinaMonth(ms: number): number {
  const china = new Date(ms + CHINA_MS);
  return Date.UTC(china.getUTCFullYear(), china.getUTCMonth() + 1, 1) - CHINA_MS;
}
