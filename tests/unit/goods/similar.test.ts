import { describe, expect, test } from 'vitest';
import { likeness } from '#subjects/goods/server/listing/similar.ts';
import { nearest } from '#subjects/goods/server/prices/prices.ts';

describe('similarity', () => {
  const sale = (skins: number, priceFen: number, day: number) => ({
    numbers: { skins },
    priceFen,
    at: new Date(Date.UTC(2026, 0, day)),
  });

  test('comparables are close in number, newest first, whatever they cost', () => {
    const sales = [
      sale(10, 1000, 1),
      sale(100, 9000, 2),
      sale(110, 990_000, 9),
      sale(105, 100, 4),
      sale(900, 90_000, 5),
    ];
    expect(nearest(sales, { skins: 104 }, 3).map((s) => s.numbers.skins)).toEqual([110, 105, 100]);
  });

  test('uses the newest sales as comparables when there is no number', () => {
    const sales = [sale(10, 1000, 1), sale(20, 1000, 3), sale(30, 1000, 2)];
    expect(nearest(sales, {}, 2).map((s) => s.numbers.skins)).toEqual([20, 30]);
  });

  test('similar listings share options and are close in numbers', () => {
    const a = { rank: 2, skins: [1, 2], num: 100 };
    expect(likeness(a, a)).toBe(1);
    expect(likeness(a, { rank: 2, skins: [2, 3], num: 50 })).toBeCloseTo((1 + 1 / 3 + 0.5) / 3);
    expect(likeness(a, {})).toBe(0);
    expect(likeness({ rank: 1 }, a)).toBeLessThan(likeness({ rank: 2 }, a));
  });
});
