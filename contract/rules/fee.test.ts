import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dealFeeFen, feeOf, rateText } from './fee.ts';

describe('fees', () => {
  it.each([
    [128_800, 100, {}, 1288],
    [9901, 100, {}, 99],
    [9950, 100, {}, 100],
    [9949, 100, {}, 99],
    [100, 100, { minFen: 500 }, 500],
    [2_000_000, 500, { maxFen: 50_000 }, 50_000],
    [0, 500, {}, 0],
    [99_999_999_900, 3000, {}, 29_999_999_970],
  ])('%i fen at %i bp within %o are %i fen', (amountFen, bp, bounds, fee) => {
    expect(feeOf(amountFen, bp, bounds)).toBe(fee);
  });

  it('agree with exact arithmetic, rounded half up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_900 }), fc.integer({ min: 0, max: 10_000 }), (amountFen, bp) => {
        const exact = (BigInt(amountFen) * BigInt(bp) * 2n + 10_000n) / 20_000n;
        return BigInt(feeOf(amountFen, bp)) === exact;
      }),
    );
  });

  it('are displayed without trailing zeros', () => {
    expect([100, 1050, 500, 5].map(rateText)).toEqual(['1%', '10.5%', '5%', '0.05%']);
  });
});

describe('the fee of a private deal', () => {
  const rates = { sellerBp: 500, sellerMaxFen: 10_000, buyerBp: 100, minFen: 200 };
  it.each([
    ['the seller’s and the buyer’s rate together', 100_000, 6000],
    ['the seller’s part at its maximum', 200_000, 12_000],
    ['the seller’s part above its maximum', 300_000, 13_000],
    ['one fen more than the minimum', 3350, 202],
    ['the minimum', 2000, 200],
    ['never more than the price', 150, 150],
  ])('%s: of %i fen it is %i', (_, priceFen, fee) => {
    expect(dealFeeFen(priceFen, rates)).toBe(fee);
  });
});
