/** What a price for a limited time may be: a real reduction, and no bait (decision 041). */
const MAX_SHARE_BP = 9500;
const MIN_SHARE_BP = 3000;

/** Days that goods must have been offered before a sale. */
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

/** How much lower, in whole percent, rounded down so that it never promises more. */
export function offPercent(priceFen: number, wasFen: number): number {
  return Math.floor(((wasFen - priceFen) * 100) / wasFen);
}
