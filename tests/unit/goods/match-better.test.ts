import { expect, test } from 'vitest';
import { isBetter, type Match, type MatchOffer, matchOffers } from '#subjects/quick-coin/server/match.ts';

const match = (units: number, priceFen: number, shops: number) =>
  ({ units, priceFen, parts: Array.from({ length: shops }, () => ({})) }) as unknown as Match<MatchOffer>;

test('a match is better by what it covers, then by its price, then by fewer shops', () => {
  const than = match(100, 1000, 2);
  const better = (one: Match<MatchOffer>) => isBetter(one, than, 100);
  expect([match(99, 1, 1), match(100, 999, 4), match(100, 1001, 1)].map(better)).toEqual([false, true, false]);
  // An amount beyond the requested one does not count.
  expect([match(150, 1000, 2), match(150, 999, 2)].map(better)).toEqual([false, true]);
  expect([1, 2, 3].map((shops) => better(match(100, 1000, shops)))).toEqual([true, false, false]);
  expect(isBetter(than, null, 100)).toBe(true);
  expect([
    isBetter(match(50, 9000, 4), match(49, 1, 1), 100),
    isBetter(match(49, 1, 1), match(50, 9000, 4), 100),
  ]).toEqual([true, false]);
});

test('the whole stock of four shops is just enough, and of two offers of a shop the larger counts', () => {
  const offer = (sellerId: number, stock: number, lotPriceFen: number, lotUnits = 100): MatchOffer => ({
    sellerId,
    lotUnits,
    lotPriceFen,
    stock,
    minLots: 1,
    maxLots: 100,
    shipMinutes: 30,
  });
  const market = [
    offer(1, 1, 90),
    offer(1, 5, 100),
    offer(2, 5, 101),
    offer(3, 5, 102),
    offer(4, 5, 103),
    offer(5, 1, 80),
  ];
  expect(matchOffers(market, 2000)).toMatchObject({ units: 2000, priceFen: 5 * (100 + 101 + 102 + 103) });
  const lacking = matchOffers(market, 2001);
  expect([lacking?.units, lacking?.parts.length]).toEqual([2000, 4]);
  // A lot of a thousand units is worth ten of a hundred.
  const [large, small] = [offer(1, 1, 1000, 1000), offer(2, 5, 100)];
  expect(matchOffers([small, large], 5000)?.units).toBe(1500);
});
