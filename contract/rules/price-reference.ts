/** Rules of the reference price that server and pages share. */

/** A band is shown when the upper quartile of similar sales is at most this many times the lower one. */
const MAX_SPREAD = 2;

/** Whether similar sales differ too much for a band: half of them spread over more than a factor of two. */
export const isTooWide = ({ low, high }: { low: number; high: number }): boolean => high > MAX_SPREAD * low;

/** From here on a price is an outlier: less than half, or more than twice the typical one. Same unit for both amounts. */
export const isOutlier = (price: number, typical: number): boolean => price * 2 < typical || price > 2 * typical;
