import { describe, expect, it } from 'vitest';
import { bargainOrderPath, percentOff, quickOffers } from './order-path.ts';

describe('offers worth a press', () => {
  it('are round, below the price and never below the floor', () => {
    expect(quickOffers(128_800, 64_400)).toEqual([122_300, 115_900, 109_400, 103_000]);
    expect(quickOffers(128_800, 110_000)).toEqual([122_300, 115_900]);
    expect(quickOffers(150, 100)).toEqual([140, 130, 120, 100]);
    expect(quickOffers(100, 100)).toEqual([]);
  });

  it('say how far they lie below', () => {
    expect(percentOff(8000, 10_000)).toBe(20);
    expect(percentOff(10_000, 10_000)).toBe(0);
    expect(percentOff(1, 0)).toBe(0);
  });

  it('lead to the order at their price', () => {
    expect(bargainOrderPath('YS1234567', 7)).toBe('/goods/YS1234567/order?bargainId=7');
  });
});
