/** Limits of a price for a limited time: it must be a real reduction, and not so low that it is bait (decision 041). */
const MAX_SHARE_BP = 9500;
const MIN_SHARE_BP = 3000;

/** Days for which a listing must have been on sale before. */
export const SALE_MIN_DAYS = 7;
/** Days whose lowest price is the reference. */
export const SALE_REFERENCE_DAYS = 30;

/** Lowest and highest price of a sale, in fen, for the reference price. */
export function saleBounds(referenceFen: number): { minFen: number; maxFen: number } {
  return {
    minFen: Math.max(100, Math.ceil((referenceFen * MIN_SHARE_BP) / 10_000)),
    maxFen: Math.floor((referenceFen * MAX_SHARE_BP) / 10_000),
  };
}

/** The reduction in whole percent, rounded down so that it is never overstated. */
export function offPercent(priceFen: number, wasFen: number): number {
  return Math.floor(((wasFen - priceFen) * 100) / wasFen);
}
