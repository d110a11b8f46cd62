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
