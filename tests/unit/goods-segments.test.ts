import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  correlation,
  cutSegments,
  nearest,
  parseSegment,
  segmentOf,
  segmentText,
} from '#server/slices/goods/prices/segments.ts';
import { likeness } from '#server/slices/goods/listing/similar.ts';

const CUT = { minSamples: 30, maxSegments: 12 };

describe('segments of sales', () => {
  test('are by the number that determines prices best', () => {
    const sales = Array.from({ length: 120 }, (_, i) => ({
      priceFen: i * 1000 + 500,
      attrs: { skins: i, level: (i * 37) % 120, name: 'x' },
    }));
    const segments = cutSegments(sales, ['level', 'skins'], CUT);
    expect(segments).toEqual([
      { key: 'skins', min: 0, max: 29 },
      { key: 'skins', min: 30, max: 59 },
      { key: 'skins', min: 60, max: 89 },
      { key: 'skins', min: 90, max: 119 },
    ]);
  });

  test('are not made where nothing explains the price, or too few were sold', () => {
    const flat = Array.from({ length: 120 }, (_, i) => ({ priceFen: 1000, attrs: { skins: i } }));
    expect(cutSegments(flat, ['skins'], CUT)).toEqual([]);
    const few = Array.from({ length: 59 }, (_, i) => ({ priceFen: i, attrs: { skins: i } }));
    expect(cutSegments(few, ['skins'], CUT)).toEqual([]);
    const seldomSaid = Array.from({ length: 120 }, (_, i) => ({ priceFen: i, attrs: i < 90 ? { skins: i } : {} }));
    expect(cutSegments(seldomSaid, ['skins'], CUT)).toEqual([]);
  });

  test('contain at least the required number of sales each, and every sale once', () => {
    const number = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(fc.array(number, { minLength: 60, maxLength: 400 }), (numbers) => {
        const sales = numbers.map((n, i) => ({ priceFen: n * 100 + (i % 7), attrs: { n } }));
        const segments = cutSegments(sales, ['n'], CUT);
        for (const { attrs } of sales)
          if (segments.length > 0) expect(segments.filter((s) => segmentOf([s], attrs)).length).toBe(1);
        for (const s of segments)
          expect(sales.filter(({ attrs }) => segmentOf([s], attrs)).length).toBeGreaterThanOrEqual(CUT.minSamples);
      }),
      { numRuns: 200 },
    );
  });

  test('are stored as text and read back', () => {
    const segment = { key: 'skin_num', min: -3, max: 40 };
    expect(parseSegment(segmentText(segment))).toEqual(segment);
    expect(parseSegment('')).toBeNull();
    expect(segmentOf([segment], { skin_num: '5' })).toBeUndefined();
  });

  test('use Spearman’s rank correlation', () => {
    expect(correlation([1, 2, 3, 4], [10, 20, 30, 40])).toBeCloseTo(1);
    expect(correlation([1, 2, 3, 4], [4, 3, 2, 1])).toBeCloseTo(-1);
    expect(correlation([1, 2, 2, 4], [1, 3, 2, 4])).toBeCloseTo(0.9487, 3);
    expect(correlation([1, 1, 1], [1, 2, 3])).toBe(0);
  });
});

describe('similarity', () => {
  test('comparables are close in number and price, newest first', () => {
    const sale = (skins: number, priceFen: number, day: number) => ({
      numbers: { skins },
      priceFen,
      at: new Date(Date.UTC(2026, 0, day)),
    });
    const sales = [
      sale(10, 1000, 1),
      sale(100, 9000, 2),
      sale(110, 10_000, 9),
      sale(105, 9500, 4),
      sale(900, 90_000, 5),
    ];
    const best = nearest(sales, { numbers: { skins: 104 }, priceFen: 9400 }, 3);
    expect(best.map((s) => s.numbers.skins)).toEqual([110, 105, 100]);
  });

  test('similar listings share options and are close in numbers', () => {
    const a = { rank: 2, skins: [1, 2], num: 100 };
    expect(likeness(a, a)).toBe(1);
    expect(likeness(a, { rank: 2, skins: [2, 3], num: 50 })).toBeCloseTo((1 + 1 / 3 + 0.5) / 3);
    expect(likeness(a, {})).toBe(0);
    expect(likeness({ rank: 1 }, a)).toBeLessThan(likeness({ rank: 2 }, a));
  });
});
