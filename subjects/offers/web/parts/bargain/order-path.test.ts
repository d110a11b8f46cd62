import { describe, expect, it } from 'vitest';
import { bargainOrderPath, percentOff, quickOffers } from './order-path.ts';

describe('suggested offers', () => {
  it('are round, below the price and never below the minimum', () => {
    expect(quickOffers(128_800, 64_400)).toEqual([122_300, 115_900, 109_400, 103_000]);
    expect(quickOffers(128_800, 110_000)).toEqual([122_300, 115_900]);
    expect(quickOffers(150, 100)).toEqual([140, 130, 120, 100]);
    expect(quickOffers(100, 100)).toEqual([]);
  });

  it('show how far they are below the price', () => {
    expect(percentOff(8000, 10_000)).toBe(20);
    expect(percentOff(10_000, 10_000)).toBe(0);
    expect(percentOff(1, 0)).toBe(0);
  });

  it('link to the order at their price', () => {
    expect(bargainOrderPath('YS1234567', 7)).toBe('/goods/YS1234567/order?bargainId=7');
  });
});

describe('the borders of suggested offers', () => {
  it.each([
    // From 20 yuan on in whole yuan, below in tenths.
    [2000, 0, [1900, 1800, 1700, 1600]],
    [1999, 0, [1890, 1790, 1690, 1590]],
    [2001, 0, [1900, 1800, 1700, 1600]],
    // An offer has at least one yuan and the minimum, and is below the price.
    [143, 0, [130, 120, 110, 100]],
    [142, 0, [130, 120, 110]],
    [110, 0, [100]],
    [105, 0, []],
    [10_000, 9000, [9500, 9000]],
    [10_000, 9001, [9500]],
    [10_000, 10_000, []],
    // Two reductions that are the same after rounding are suggested once.
    [160, 0, [150, 140, 130, 120]],
  ])('of %i fen with the minimum %i are %j', (price, floor, offers) => {
    expect(quickOffers(price, floor)).toEqual(offers);
  });

  it.each([
    [9950, 10_000, 1],
    [9951, 10_000, 0],
    [0, 10_000, 100],
    [11_000, 10_000, 0],
    [0, 1, 100],
    [0, 0, 0],
    [1, -5, 0],
    [200, 300, 33],
  ])('%i for %i fen is %i %% less', (offer, price, percent) => {
    expect(percentOff(offer, price)).toBe(percent);
  });
});
