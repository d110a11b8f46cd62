/**
 * A fee by rate, in whole fen, rounded half up: 1 % of 99.01 yuan is 0.99 yuan. `bp` are hundredths of a percent.
 * `minFen` and `maxFen` bound the result.
 */
export function feeOf(amountFen: number, bp: number, bounds: { minFen?: number; maxFen?: number } = {}): number {
  const raw = Math.floor((amountFen * bp + 5000) / 10_000);
  return Math.min(Math.max(raw, bounds.minFen ?? 0), bounds.maxFen ?? Number.MAX_SAFE_INTEGER);
}

/**
 * Fees of a private deal use the rates of a listing, so that the choice of form does not change the fee (docs/decisions/181).
 */
export interface DealRates {
  sellerBp: number;
  sellerMaxFen: number;
  buyerBp: number;
  minFen: number;
}

/**
 * The whole fee of a private deal in fen: the sum that a listing's seller and buyer would pay, at least `minFen`,
 * never more than the price.
 */
export function dealFeeFen(priceFen: number, rates: DealRates): number {
  const asListed = feeOf(priceFen, rates.sellerBp, { maxFen: rates.sellerMaxFen }) + feeOf(priceFen, rates.buyerBp);
  return Math.min(Math.max(asListed, rates.minFen), priceFen);
}

/** A rate for display: 100 is '1%', 1050 is '10.5%'. */
export function rateText(bp: number): string {
  return `${bp / 100}%`;
}
