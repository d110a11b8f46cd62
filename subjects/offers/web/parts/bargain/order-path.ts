/** URL of the order page at an agreed price. */
export function bargainOrderPath(goodsSn: string, bargainId: number): string {
  return `/goods/${goodsSn}/order?bargainId=${bargainId}`;
}

/** How far an offer is below the price, in whole percent: 80 for 100 is 20. */
export function percentOff(offerFen: number, priceFen: number): number {
  return priceFen <= 0 ? 0 : Math.max(0, Math.round(((priceFen - offerFen) * 100) / priceFen));
}

/**
 * Suggested offers: the usual reductions of the price in whole yuan (for cheap listings in tenths), none below the
 * minimum, highest first, without duplicates.
 */
export function quickOffers(priceFen: number, floorFen: number): number[] {
  const unit = priceFen >= 2000 ? 100 : 10;
  const steps = [95, 90, 85, 80, 70].map((percent) => Math.floor((priceFen * percent) / 100 / unit) * unit);
  return [...new Set(steps)].filter((fen) => fen >= floorFen && fen >= 100 && fen < priceFen).slice(0, 4);
}
