/** A list is the same whatever the sample of the market says: it decides the way only, and '1000+' where it is sure. */
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import type { Input } from '#contract/endpoint.ts';
import { loadSearch } from '#subjects/goods/server/listing/list.ts';
import { countGoods } from '#subjects/goods/server/search/count.ts';
import { INDEXED_FRACTION, readSample } from '#subjects/goods/server/search/sampling.ts';
import { type Estimate, MAX_COUNT } from '#subjects/goods/server/search/search.ts';
import { findGoods } from '#subjects/goods/server/search/find-goods.ts';
import { openListingMarket } from '#tests/support/goods/listings.ts';

const { t } = await openListingMarket();
afterAll(async () => await t.close());

const QUERIES: Input<typeof getGoodsList>[] = [
  { keyWord: '编号' },
  { keyWord: '露娜', sort: 'newest' },
  { gameId: 1, details: { rank: 1 }, sort: 'priceAsc' },
  { gameId: 1, goodsTypeId: 1, details: { skins: { of: [1, 2], atLeast: 2 } }, minPrice: '105', sort: 'priceDesc' },
  { gameId: 1, details: { skin_num: { min: 100, max: 300 } } },
  { gameId: 1, goodsTypeId: 1, minPrice: '110', maxPrice: '150', sort: 'priceAsc' },
  { keyWord: '皮肤', sort: 'views' },
  { keyWord: '皮肤', areaId: 10, sort: 'priceDesc' },
  { gameId: 1, goodsTypeId: 1, details: { rank: 2 }, sort: 'newest' },
  { gameId: 2, keyWord: '没有的词' },
];
const ESTIMATES: Record<string, Estimate> = {
  none: { matches: 0, least: 0, rows: 900 },
  few: { matches: 900, least: 400, rows: 4000 },
  'too many to fetch': { matches: 9000, least: 0, rows: 4000 },
  many: { matches: 9000, least: 5000, rows: 100 },
  'many, far apart': { matches: 9000, least: 5000, rows: 1e6 },
  // Of the two orders, one finds all matches before such a place and the other none or a few, and looks again.
  'many, before a low place': { matches: 1500, least: 1100, rows: 1e6, reach: { key: 0, rows: 100 } },
  'many, before a place between': { matches: 1500, least: 1100, rows: 1e6, reach: { key: 12_000, rows: 100 } },
  'many, before a high place': { matches: 1500, least: 1100, rows: 1e6, reach: { key: 2_000_000_000, rows: 100 } },
};

describe.each(Object.entries(ESTIMATES))('with an estimate of %s', (_, estimate) => {
  test.each(
    QUERIES.flatMap((input) => [
      { input, games: null },
      { input, games: [1, 2] },
    ]),
  )('finds the same listings: $input on a site of $games', async ({ input, games }) => {
    const { db } = t.ctx;
    const search = await loadSearch(t.ctx, { games, markUpBp: 0 }, getGoodsList.input.parse(input));
    const range = { after: undefined, offset: 0, limit: 100 };
    const { hits: expected } = await findGoods(db, search, range);
    const found = await findGoods(db, search, range, estimate);
    expect(found.hits).toEqual(expected);
    const pages = [];
    for (let after: [number, number] | undefined; ; ) {
      const { hits } = await findGoods(db, search, { after, offset: 0, limit: 4 }, estimate);
      pages.push(...hits);
      const last = hits.at(-1);
      if (hits.length < 4 || !last) break;
      after = [last.key, last.id];
    }
    expect(pages).toEqual(expected);
    const numbered = [];
    for (let offset = 0; offset <= expected.length; offset += 4) {
      const { hits } = await findGoods(db, search, { after: undefined, offset, limit: 4 }, estimate);
      numbered.push(...hits);
    }
    expect(numbered).toEqual(expected);
    const count = await countGoods(db, search, estimate);
    expect(count).toBe(estimate.least > MAX_COUNT ? MAX_COUNT + 1 : expected.length);
  });
});

test('the listings of a sample are those of the least hashes, with their words and numbers', async () => {
  // Numbers of listings that the index holds.
  const { rows } = await sql<{ id: number; isIn: boolean }>`
    select goods_id as id, hashint8(goods_id) < -1879048192 as "isIn" from goods_search`.execute(t.ctx.db);
  const indexed = rows.filter(({ isIn }) => isIn).length;
  expect(indexed).toBeGreaterThan(0);
  const sample = await readSample(t.ctx.db, 1);
  const of = async (input: Input<typeof getGoodsList>): Promise<number> => {
    const search = await loadSearch(t.ctx, { games: null, markUpBp: 0 }, getGoodsList.input.parse(input));
    return (
      (sample.estimate(search, { after: undefined, offset: 0, limit: 20 })?.matches ?? Number.NaN) * INDEXED_FRACTION
    );
  };
  expect(await of({})).toBe(indexed);
  const { rows: named } = await sql<{ n: number }>`select count(*)::int as n from goods_search
    where hashint8(goods_id) < -1879048192 and tsv @@ '皮肤'::tsquery and price_fen > 11000`.execute(t.ctx.db);
  expect(await of({ keyWord: '皮肤', minPrice: '110.01' })).toBe(named[0]?.n);
});
