/** Rules of the reference price that server and pages share. */

/** A band is shown when the upper quartile of similar sales is at most this many times the lower one. */
const MAX_SPREAD = 2;

/** Whether similar sales differ too much for a band: half of them spread over more than a factor of two. */
export const isTooWide = ({ low, high }: { low: number; high: number }): boolean => high > MAX_SPREAD * low;

/** Whether a price is an outlier: less than half, or more than twice the typical one. Same unit for both amounts. */
export const isOutlier = (price: number, typical: number): boolean => price * 2 < typical || price > 2 * typical;

/** Prices further above their reference, in percent, are not shown on the home page and lose the most points in the default order. */
const EXPENSIVE_PERCENT = 50;

/** Whether the home page and the most viewed listings may show a price, by its band; null without a reference. */
export const isFirstScreenPrice = (band: { outlier: boolean; diffPercent: number | null } | null): boolean =>
  band === null || (!band.outlier && (band.diffPercent ?? 0) <= EXPENSIVE_PERCENT);

/** A price so far below its reference, in percent, is a fair one; one further below it makes buyers ask what is wrong. */
const FAIR_PERCENT = { from: 3, to: 25 } as const;

/** Whether a price is recommended as a fair one, by its band. */
export const isFairPrice = (band: { outlier: boolean; diffPercent: number | null } | null): boolean => {
  const below = -(band?.diffPercent ?? 0);
  return below >= FAIR_PERCENT.from && below <= FAIR_PERCENT.to && band?.outlier === false;
};

/** Up to here above its reference a price is usual. */
const USUAL_PERCENT = 10;
/** Down to here below its reference a price is no outlier. */
const CHEAP_PERCENT = 50;
/** Equivalent to a month of freshness: below the first screen of any active list. */
const MAX_POINTS = 300;

/** The effect of a price on the position of its listing. */
export interface PriceStanding {
  outlier: boolean;
  /** Percent above the reference, negative below it; 0 if the reference is too wide to be shown. */
  diffPercent: number;
  /** Points deducted for it in the default order. */
  lostPoints: number;
}

/** The share of the most points that a price loses: none while it is usual, all of them where outliers begin or half as much again is asked. */
function lostShare(diffPercent: number): number {
  const usual = diffPercent > 0 ? USUAL_PERCENT : FAIR_PERCENT.to;
  const most = diffPercent > 0 ? EXPENSIVE_PERCENT : CHEAP_PERCENT;
  return Math.min(1, Math.max(0, (Math.abs(diffPercent) - usual) / (most - usual)));
}

/** The standing of a price. Same unit for both amounts. */
export function standingOf(price: number, { typical, wide }: { typical: number; wide: boolean }): PriceStanding {
  const outlier = isOutlier(price, typical);
  const diffPercent = wide || outlier ? 0 : Math.round((price / typical - 1) * 100);
  return { outlier, diffPercent, lostPoints: Math.round(MAX_POINTS * lostShare(diffPercent)) };
}

/** The standing of a price without a reference. */
export const NO_STANDING: PriceStanding = { outlier: false, diffPercent: 0, lostPoints: 0 };
