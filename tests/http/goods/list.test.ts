import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import * as g from '#subjects/goods/contract/goods.ts';
import { getFrontUserList, sellTimeList } from '#subjects/goods/contract/front-page.ts';
import { distCount } from '#subjects/orders/contract/order.ts';
import { followGoods, goodsUserFollow } from '#subjects/goods/contract/follows.ts';
import { netAmount } from '#subjects/goods/contract/net-amount.ts';
import { MOON, openListingMarket } from '#tests/support/goods/listings.ts';

const { t, other, created, add, setStatus: mark, walk } = await openListingMarket();
afterAll(async () => await t.close());

describe('the list', () => {
  test('a card has the total price, the region, the attributes and the seller', async () => {
    const { list, total, totalCapped } = await t
      .client()
      .ok(g.getGoodsList, { gameId: 1, goodsTypeId: 1, sort: 'newest', pageSize: 1 });
    expect({ total, totalCapped }).toEqual({ total: 45, totalCapped: false });
    expect(list[0]).toMatchObject({
      goodsSn: created[0],
      gameName: '王者荣耀',
      goodsTypeStr: '账号',
      crossName: '安卓QQ 86区',
      price: '100.00',
      serviceFee: '1.00',
      allInPrice: '101.00',
      ensureFrom: '10.00',
      thumbnail: '/art/screen/wzry/7/0.svg',
      pageUrl: `/detail/${created[0]}`,
      seller: { nickName: '山海号铺', levelName: '金牌' },
    });
    expect(list[0]?.chips).toEqual([
      { label: '段位', value: '钻石' },
      { label: '限定皮肤', value: '凤求凰、引擎之心' },
      { label: '皮肤数量', value: '0款' },
      { label: '可换绑', value: '是' },
    ]);
  });

  test.each(['default', 'priceAsc', 'priceDesc', 'newest', 'views'] as const)(
    'sorted by %s its pages contain every listing once',
    async (sort) => {
      const found = await walk({ gameId: 1, goodsTypeId: 1, sort, pageSize: 7 });
      expect(found.toSorted()).toEqual(created.toSorted());
    },
  );

  test('pages by number and by cursor agree, and stay stable while goods are added', async () => {
    const first = await t.client().ok(g.getGoodsList, { gameId: 1, goodsTypeId: 1, sort: 'newest', pageSize: 10 });
    const second = await t
      .client()
      .ok(g.getGoodsList, { gameId: 1, goodsTypeId: 1, sort: 'newest', pageSize: 10, pages: 2 });
    const added = await add({ ageMinutes: -1 });
    await t.relay();
    const behind = await t
      .client()
      .ok(g.getGoodsList, { gameId: 1, goodsTypeId: 1, sort: 'newest', pageSize: 10, cursor: first.next ?? '' });
    expect(behind.list.map((c) => c.goodsSn)).toEqual(second.list.map((c) => c.goodsSn));
    await mark([added.id], 3);
    expect(await walk({ gameId: 1, goodsTypeId: 1 })).toHaveLength(45);
  });

  test('accounts are one list whoever hands them over, by every order and page, and consigned ones can be had alone', async () => {
    const consigned = await Promise.all([add({ type: 50 }), add({ type: 50, ageMinutes: 3 })]);
    await t.relay();
    const sns = consigned.map(({ sn }) => sn);
    for (const sort of ['default', 'priceAsc', 'newest', 'views'] as const)
      expect((await walk({ gameId: 1, goodsTypeId: 1, sort, pageSize: 7 })).toSorted()).toEqual(
        [...created, ...sns].toSorted(),
      );
    const accounts = await t.client().ok(g.getGoodsList, { gameId: 1, goodsTypeId: 1, pageSize: 50 });
    expect(accounts.total).toBe(created.length + sns.length);
    expect((await walk({ gameId: 1, goodsTypeId: 50 })).toSorted()).toEqual(sns.toSorted());
    const official = await t
      .client()
      .ok(g.getGoodsList, { gameId: 1, goodsTypeId: 1, officialSell: '1', pageSize: 50 });
    expect(official.list.map((card) => card.goodsSn)).toEqual(expect.arrayContaining(sns));
    expect(official.list.every(({ isOfficialSell }) => isOfficialSell)).toBe(true);
    await mark(
      consigned.map(({ id }) => id),
      3,
    );
    await t.relay();
    expect(await walk({ gameId: 1, goodsTypeId: 1 })).toHaveLength(created.length);
  });

  test('an absent or inactive seller is left out of the filter by presence', async () => {
    const requested = { gameId: 1, goodsTypeId: 1, sellerOnline: '1' } as const;
    const present = await walk(requested);
    expect(present.length).toBeGreaterThan(0);
    await sql`update app_user set online = false`.execute(t.ctx.db);
    expect(await walk(requested)).toEqual([]);
    await sql`update app_user set online = true, last_seen_at = now()`.execute(t.ctx.db);
    expect((await walk(requested)).toSorted()).toEqual(created.toSorted());
  });

  test('prices are filtered and sorted by the buyer’s total price', async () => {
    const { list, total } = await t
      .client()
      .ok(g.getGoodsList, { gameId: 1, minPrice: '101.00', maxPrice: '111.10', sort: 'priceAsc', pageSize: 50 });
    expect(total).toBe(10);
    expect(new Set(list.map((c) => c.allInPrice))).toEqual(new Set(['101.00', '111.10']));
    expect(list.map((c) => Number(c.allInPrice))).toEqual(
      list.map((c) => Number(c.allInPrice)).toSorted((a, b) => a - b),
    );
    const below = await t.client().ok(g.getGoodsList, { gameId: 1, goodsTypeId: 1, maxPrice: '100.99' });
    expect(below).toMatchObject({ list: [], total: 0, next: null });
  });

  test.each<[string, Record<string, unknown>, (i: number) => boolean]>([
    ['one option', { rank: 2 }, (i) => i % 2 === 1],
    ['any of several options', { skins: { any: [1, 3] } }, (i) => i % 3 === 0],
    ['all of several options', { skins: { all: [1, 2] } }, (i) => i % 3 === 0],
    ['at least so many', { skins: { atLeast: 1, of: [1, 2] } }, () => true],
    ['a range', { skin_num: { min: 100, max: 200 } }, (i) => i >= 10 && i <= 20],
    ['an open range', { skin_num: { min: 400 } }, (i) => i >= 40],
    ['yes', { rebind: true }, (i) => i % 5 === 0],
    ['several filters together', { rank: 1, rebind: '1', skin_num: { max: 200 } }, (i) => i % 10 === 0 && i <= 20],
  ])('filters by %s', async (_, details, matches) => {
    const found = await walk({ gameId: 1, goodsTypeId: 1, details, pageSize: 9 });
    expect(found.toSorted()).toEqual(created.filter((_sn, i) => matches(i)).toSorted());
  });

  test('finds by keywords, single characters, pinyin of an option, game and code', async () => {
    const of = async (keyWord: string) =>
      (await t.client().ok(g.getGoodsList, { keyWord, pageSize: 50 })).list.map((c) => c.goodsSn);
    const luna = created.filter((_, i) => i % 7 === 0).toSorted();
    expect((await of('露娜')).toSorted()).toEqual(luna);
    expect((await of('娜')).toSorted()).toEqual(luna);
    expect(await of('露娜 不存在的词')).toEqual([]);
    expect((await of('fengqiuhuang')).length).toBe(15);
    expect((await of('hpjy')).length).toBe(1);
    expect(await of(created[3] ?? '')).toEqual([created[3]]);
    expect(await of((created[3] ?? '').toLowerCase())).toEqual([created[3]]);
    expect(await of('！？')).toEqual([]);
  });

  test('filters by services, area, server and seller', async () => {
    const count = async (input: Input<typeof g.getGoodsList>) =>
      (await t.client().ok(g.getGoodsList, { ...input, pageSize: 50 })).list.length;
    expect(await count({ gameId: 1, inspected: '1' })).toBe(12);
    expect(await count({ gameId: 1, ensureOpen: '1' })).toBe(46);
    expect(await count({ gameId: 1, officialSell: '1' })).toBe(0);
    expect(await count({ areaId: 10 })).toBe(46);
    expect(await count({ areaId: 10, serverId: 100, sellerId: String(other.id) })).toBe(1);
    expect(await count({ gameId: 2, areaId: 10 })).toBe(0);
    expect(await count({ gameId: 77 })).toBe(0);
  });

  test('counts include only what the site shows', async () => {
    const all = await t.client().ok(distCount, {});
    const some = await t.client({ host: MOON }).ok(distCount, {});
    expect(some.onSale).toBeGreaterThan(40);
    expect(some.onSale).toBeLessThan(all.onSale);
  });

  test('a site shows only its chosen games', async () => {
    const moon = t.client({ host: MOON });
    expect((await moon.ok(g.getGoodsList, { gameId: 2 })).list).toEqual([]);
    expect((await moon.ok(g.getGoodsList, { keyWord: '和平精英' })).list).toEqual([]);
    expect((await moon.ok(g.getGoodsList, { pageSize: 50 })).list.every((c) => c.gameId === 1)).toBe(true);
    const hidden = await t.client().ok(g.getGoodsList, { gameId: 2 });
    const sn = hidden.list[0]?.goodsSn ?? '';
    expect((await moon.call(g.goodsInfo, { goodsSn: sn })).status).toBe(404);
    expect((await moon.call(g.getAvGoodsList, { goodsSn: sn })).status).toBe(404);
    expect((await moon.ok(g.getGoodsList, { keyWord: sn })).list).toEqual([]);
    expect((await moon.ok(g.suggest, { keyWord: 'hpjy' })).list).toEqual([]);
  });

  test('contact data in titles and descriptions is masked', async () => {
    const { sn, id } = await add({ title: '便宜出 加vx luna12345 详谈', game: 2 });
    await t.relay();
    const { bigTitle } = await t.client().ok(g.goodsInfo, { goodsSn: sn });
    expect(bigTitle).not.toContain('luna12345');
    await sql`update goods set status = 8 where id = ${id}`.execute(t.ctx.db);
    expect((await t.client().call(g.goodsInfo, { goodsSn: sn })).status).toBe(404);
    // The list leaves out what was taken off before its search row is gone.
    expect((await t.client().ok(g.getGoodsList, { gameId: 2 })).list.map((c) => c.goodsSn)).not.toContain(sn);
    await mark([id], 8);
  });
});

describe('suggestions', () => {
  test('complete games, terms by part, pinyin and initials, and codes', async () => {
    const of = async (keyWord: string, gameId?: number) => (await t.client().ok(g.suggest, { keyWord, gameId })).list;
    expect(await of('wzry')).toContainEqual({ kind: 'game', text: '王者荣耀', url: '/wares?gt=1&gid=1' });
    expect((await of('凤求', 1)).map((s) => s.text)).toEqual(['凤求凰']);
    expect((await of('fqh', 1)).map((s) => s.text)).toEqual(['凤求凰']);
    expect((await of('fengqiu')).map((s) => s.text)).toEqual(['王者荣耀 凤求凰', '和平精英 凤求凰']);
    expect((await of(created[2] ?? ''))[0]).toMatchObject({ kind: 'goods', url: `/detail/${created[2]}` });
    expect(await of('zzzz')).toEqual([]);
  });
});

describe('bad input', () => {
  const cases: [string, Endpoint, Record<string, unknown>][] = [
    ['a foreign cursor', g.getGoodsList, { cursor: 'e30' }],
    ['a cursor of another order', g.getGoodsList, { cursor: Buffer.from('["newest",1,2]').toString('base64url') }],
    [
      'a cursor beyond all numbers',
      g.getGoodsList,
      { cursor: Buffer.from('["default",9e15,2]').toString('base64url') },
    ],
    ['too deep a page', g.getGoodsList, { pages: 1000, pageSize: 50 }],
    ['a page of none', g.getGoodsList, { pageSize: 0 }],
    ['a page of too many', g.getGoodsList, { pageSize: 51 }],
    ['a negative price', g.getGoodsList, { minPrice: '-1' }],
    ['a fraction of a fen', g.getGoodsList, { maxPrice: '0.001' }],
    ['an unknown order', g.getGoodsList, { sort: 'random()' }],
    ['filters without a game', g.getGoodsList, { details: { rank: 1 } }],
    ['an unknown field', g.getGoodsList, { gameId: 1, details: { nope: 1 } }],
    ['an unknown option', g.getGoodsList, { gameId: 1, details: { rank: 99 } }],
    ['an option that is a list', g.getGoodsList, { gameId: 1, details: { rank: [1] } }],
    ['a range of text', g.getGoodsList, { gameId: 1, details: { skin_num: { min: 'a' } } }],
    ['a range beyond int4', g.getGoodsList, { gameId: 1, details: { skin_num: { min: 99_999_999_999 } } }],
    ['at least more than exist', g.getGoodsList, { gameId: 1, details: { skins: { atLeast: 3, of: [1] } } }],
    ['broken JSON', g.getGoodsList, { gameId: 1, details: '{"rank":' }],
    ['a NUL in a keyword', g.getGoodsList, { keyWord: 'a\u0000b' }],
    ['too long a keyword', g.getGoodsList, { keyWord: '字'.repeat(41) }],
    ['a goods number with a quote', g.goodsInfo, { goodsSn: "Y'1" }],
    ['no goods number', g.goodsInfo, {}],
    ['no keyword', g.suggest, { keyWord: ' ' }],
    [
      'a foreign cursor of the history',
      g.getUserLookGoodsHistory,
      { cursor: Buffer.from('["a",1]').toString('base64url') },
    ],
    ['a foreign cursor of the follows', followGoods, { cursor: Buffer.from('["2026-01-01",1]').toString('base64url') }],
    ['an unknown part of the follows', followGoods, { show: 'x' }],
    ['no yes or no', goodsUserFollow, { goodsSn: 'YS0000001', status: 'maybe' }],
    ['a price as text', netAmount, { price: '一百', goodsTypeId: 1 }],
  ];
  test.each(cases)('%s gets an error message in Chinese', async (_, endpoint, input) => {
    const response = await other.client.call(endpoint, input as never);
    expect([400, 422]).toContain(response.status);
    expect(response.code).not.toBe(0);
    expect(response.msg).toMatch(/[一-鿿]/);
  });

  test('special characters in keywords are text, never syntax', async () => {
    for (const keyWord of [`'`, `\\`, `'); drop table goods; --`, '%_', '& | ! ( )', ':*', `a'b:*`, '𠮷', 'ﬁ', '١٢'])
      expect((await t.client().call(g.getGoodsList, { keyWord })).status).toBe(200);
    for (const keyWord of [`'`, '\\', '%', '𠮷', 'wz', 'YS1234567'])
      expect((await t.client().call(g.suggest, { keyWord })).status).toBe(200);
    expect((await t.client().ok(g.getGoodsList, {})).list.length).toBeGreaterThan(0);
  });

  test('private lists require a log-in', async () => {
    for (const endpoint of [g.getUserLookGoodsHistory, followGoods, netAmount, goodsUserFollow] as Endpoint[])
      expect(
        (await t.client().call(endpoint, { goodsSn: 'YS1', status: '1', price: '1', goodsTypeId: 1 } as never)).code,
      ).not.toBe(0);
    expect((await t.client().call(g.goodsInfo, { goodsSn: 'YS0000001' })).status).toBe(404);
    expect((await other.client.call(goodsUserFollow, { goodsSn: 'YS0000001', status: '1' })).status).toBe(404);
    expect((await t.client().ok(getFrontUserList, {})).list).toBeInstanceOf(Array);
    expect((await t.client().ok(sellTimeList, { gameId: 1 })).list).toBeInstanceOf(Array);
  });
});
