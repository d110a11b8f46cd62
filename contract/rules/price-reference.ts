/** Rules of the reference price that server and pages share. */

/** A band is shown when the upper quartile of similar sales is at most this many times the lower one. */
const MAX_SPREAD = 2;

/** Whether similar sales differ too much for a band: half of them spread over more than a factor of two. */
export const isTooWide = ({ low, high }: { low: number; high: number }): boolean => high > MAX_SPREAD * low;

/** From here on a price is an outlier: less than half, or more than twice the typical one. Same unit for both amounts. */
export const isOutlier = (price: number, typical: number): boolean => price * 2 < typical || price > 2 * typical;

/** A price that is further above its reference is dear: the market does not put it forward. */
export const DEAR_PERCENT = 50;

/** How a price stands beside its reference: `dear` is more than `DEAR_PERCENT` above it, and an outlier less than half or more than twice of it. */
export type PriceStanding = 'usual' | 'dear' | 'outlier';

/** The standing of a price. Same unit for both amounts; beside a reference that is too wide to be shown, no price is dear. */
export function standingOf(price: number, { typical, wide }: { typical: number; wide: boolean }): PriceStanding {
  if (isOutlier(price, typical)) return 'outlier';
  return !wide && price * 100 > typical * (100 + DEAR_PERCENT) ? 'dear' : 'usual';
}
