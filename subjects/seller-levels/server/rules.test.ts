import { describe, expect, test } from 'vitest';
import { badAllowed, type LevelNeed, levelFor, needsOf, type SellerDetails } from './rules.ts';

const need: LevelNeed = { buyers: 10, fen: 100_000, days: 30, badBp: 500, rating: 4.5 };
const just: SellerDetails = {
  buyers: 10,
  orders: 57,
  fen: 100_000,
  days: 30,
  lost: 2,
  cancelled: 1,
  ratings: 5,
  average: 4.5,
  leftOut: { related: 0, small: 0, repeated: 0, private: 0 },
};
const setting = { ratingCount: 5 };
const unmet = (over: Partial<SellerDetails>): string[] =>
  needsOf(need, { ...just, ...over }, setting)
    .filter(({ met }) => !met)
    .map(({ key }) => key);

describe('the needs of a level', () => {
  test('are met at their exact values', () => {
    expect(unmet({})).toEqual([]);
    expect(needsOf(need, just, setting)).toEqual([
      { key: 'buyers', have: 10, need: 10, met: true },
      { key: 'fen', have: 100_000, need: 100_000, met: true },
      { key: 'days', have: 30, need: 30, met: true },
      { key: 'bad', have: 3, need: 3, met: true },
      { key: 'rating', have: 450, need: 450, met: true },
    ]);
  });

  test.each([
    ['buyers', { buyers: 9 }],
    ['fen', { fen: 99_999 }],
    ['days', { days: 29 }],
    ['bad', { cancelled: 2 }],
    ['rating', { average: 4.49 }],
  ])('%s is not met one step below', (key, over) => {
    expect(unmet(over)).toEqual([key]);
  });

  test('a rating counts from the number of ratings that the setting names', () => {
    expect(unmet({ average: 1, ratings: 4 })).toEqual([]);
    expect(unmet({ average: null })).toEqual([]);
    expect(needsOf(need, { ...just, ratings: 4 }, setting)[4]).toEqual({
      key: 'rating',
      have: 0,
      need: 450,
      met: true,
    });
    expect(needsOf(need, { ...just, average: null }, setting)[4]?.have).toBe(0);
  });
});

test('the bad cases that a level allows are a share of all, rounded down, and at least one', () => {
  const of = (orders: number, lost: number, cancelled: number) => badAllowed(need, { orders, lost, cancelled });
  expect([of(0, 0, 0), of(19, 0, 0), of(39, 0, 0), of(40, 0, 0), of(38, 1, 1), of(37, 1, 1)]).toEqual([
    1, 1, 1, 2, 2, 1,
  ]);
});

test('a level needs every lower one', () => {
  const levels = [need, { ...need, buyers: 20 }, { ...need, buyers: 5 }];
  const of = (buyers: number) =>
    levelFor({ ...just, buyers }, { ...setting, levels, windowDays: 90, minFen: 1, perBuyerOrders: 1, perBuyerFen: 1 });
  expect([of(9), of(10), of(19), of(20)]).toEqual([0, 1, 1, 3]);
});
