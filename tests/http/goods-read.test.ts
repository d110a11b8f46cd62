import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Field } from '#contract/common.ts';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import * as g from '#contract/goods.ts';
import { getFrontUserList, sellTimeList } from '#contract/goods-front.ts';
import { followGoods, goodsUserFollow, netAmount } from '#contract/user.ts';
import { CATALOGUE_CHANNEL } from '#server/slices/games/service.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/build.ts';

const MOON = 'moon.test';
const FIELDS: Partial<Field>[] = [
  {
    key: 'rank',
    label: '段位',
    kind: 'single',
    options: [
      { v: 1, label: '钻石' },
      { v: 2, label: '王者' },
    ],
  },
  {
    key: 'skins',
    label: '限定皮肤',
    kind: 'multi',
    options: ['凤求凰', '引擎之心', '武则天'].map((label, i) => ({ v: i + 1, label })),
  },
  { key: 'skin_num', label: '皮肤数量', kind: 'range', unit: '款', min: 0, max: 2000, numericSlot: 1 },
  { key: 'rebind', label: '可换绑', kind: 'bool' },
];

let t: TestApp;
let seller: TestUser;
let other: TestUser;
const made: string[] = [];

async function addGames(): Promise<void> {
  const fields = FIELDS.map((f, sort) => ({
    required: false,
    inCard: true,
    filterable: true,
    goodsTypes: [1, 50],
    sort,
    ...f,
  }));
  for (const [id, code, name, pinyin, initials] of [
    [1, 'wzry', '王者荣耀', 'wangzherongyao', 'wzry'],
    [2, 'hpjy', '和平精英', 'hepingjingying', 'hpjy'],
  ] as const) {
    await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
      values (${id}, ${code}, ${name}, 2, 'W', ${pinyin}, ${initials}, '[{"id":1,"name":"账号"},{"id":2,"name":"游戏币"}]')`.execute(
      t.ctx.db,
    );
    await sql`insert into catalogue_version (game_id, kind, version, body) values (${id}, 'fields', 1, ${JSON.stringify(fields)}::jsonb)`.execute(
      t.ctx.db,
    );
    await sql`insert into game_area (id, game_id, name) values (${id * 10}, ${id}, '安卓QQ')`.execute(t.ctx.db);
    await sql`insert into game_server (id, area_id, name) values (${id * 100}, ${id * 10}, '86区')`.execute(t.ctx.db);
  }
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

interface Given {
  game?: number;
  type?: number;
  title?: string;
  fen?: number;
  attrs?: Record<string, unknown>;
  status?: number;
  by?: TestUser;
  print?: string;
  inspected?: boolean;
  ageMinutes?: number;
}

/** Puts a goods into the table and has the server index it, as publishing does. */
async function add(given: Given): Promise<{ id: number; sn: string }> {
  const { rows } = await sql<{ id: number; sn: string }>`
    insert into goods (dist_id, seller_id, game_id, type_id, area_id, server_id, title, description, price_fen, attrs, status, fingerprint, inspected_at, refreshed_at, pictures)
    values (1, ${(given.by ?? seller).id}, ${given.game ?? 1}, ${given.type ?? 1}, ${(given.game ?? 1) * 10}, ${(given.game ?? 1) * 100},
      ${given.title ?? '安卓QQ 皮肤齐全 可换绑'}, '自用号', ${given.fen ?? 10_000}, ${JSON.stringify(given.attrs ?? {})}::jsonb, ${given.status ?? 2},
      ${given.print === undefined ? null : Buffer.from(given.print)}, ${given.inspected ? new Date() : null},
      now() - make_interval(mins => ${given.ageMinutes ?? 0}), '[{"art": "7"}]') returning id, sn`.execute(t.ctx.db);
  const row = rows[0];
  if (!row) throw new Error('not stored');
  await sql`insert into outbox (topic, payload) values ('goods.reindex', ${JSON.stringify({ goodsId: row.id })}::jsonb)`.execute(
    t.ctx.db,
  );
  return row;
}

/** Gives goods another state, as a seller or an order does. */
async function mark(ids: number[], status: number): Promise<void> {
  await sql`update goods set status = ${status} where id = any(${ids})`.execute(t.ctx.db);
  await sql`insert into outbox (topic, payload) values ('goods.reindex', ${JSON.stringify({ goodsIds: ids })}::jsonb)`.execute(
    t.ctx.db,
  );
  await t.relay();
}

/** Every page of a list by its cursor. */
async function walk(input: Input<typeof g.getGoodsList>): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 40; page++) {
    const { list, next } = await t.client().ok(g.getGoodsList, { ...input, ...(cursor !== undefined && { cursor }) });
    found.push(...list.map((c) => c.goodsSn));
    if (next === null) return found;
    cursor = next;
  }
  throw new Error('the list does not end');
}

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '12' } });
  await addGames();
  await sql`with d as (insert into distributor (code, name, conf, theme, games) select 'moon', '月', conf, theme, '{1}' from distributor where id = 1 returning id)
    insert into dist_host (host, dist_id) select ${MOON}, id from d`.execute(t.ctx.db);
  await t.ctx.dir.reload();
  seller = await t.newUser({ nickName: '山海号铺', sellerLevel: 3 });
  other = await t.newUser({ nickName: '别家' });
  for (let i = 0; i < 45; i++) {
    const { sn } = await add({
      fen: 10_000 + (i % 9) * 1000,
      ageMinutes: i,
      attrs: { rank: 1 + (i % 2), skin_num: i * 10, skins: i % 3 === 0 ? [1, 2] : [2], rebind: i % 5 === 0 },
      inspected: i % 4 === 0,
      title: i % 7 === 0 ? `典藏露娜 凤求凰 编号${i}` : `安卓QQ 皮肤齐全 编号${i}`,
    });
    made.push(sn);
  }
  await add({ game: 2, title: '和平精英 满级套装', fen: 88_000 });
  await add({ type: 2, title: '一万金币 当面交易', fen: 500, by: other });
  await t.relay();
});
afterAll(async () => await t.close());

describe('the list', () => {
  test('a card carries the all-in price, the place, the attributes and the seller', async () => {
    const { list, total, more } = await t
      .client()
      .ok(g.getGoodsList, { gameId: 1, goodsTypeId: 1, sort: 'newest', pageSize: 1 });
    expect({ total, more }).toEqual({ total: 45, more: false });
    expect(list[0]).toMatchObject({
      goodsSn: made[0],
      gameName: '王者荣耀',
      goodsTypeStr: '账号',
      crossName: '安卓QQ 86区',
      price: '100.00',
      serviceFee: '1.00',
      allInPrice: '101.00',
      ensureFrom: '10.00',
      thumbnail: '/art/goods/wzry/7/0.svg',
      pageUrl: `/detail/${made[0]}`,
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
    'sorted by %s its pages hold every goods once',
    async (sort) => {
      const found = await walk({ gameId: 1, goodsTypeId: 1, sort, pageSize: 7 });
      expect(found.toSorted()).toEqual(made.toSorted());
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

  test('prices are filtered and sorted by what the buyer pays in all', async () => {
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
    ['several at once', { rank: 1, rebind: '1', skin_num: { max: 200 } }, (i) => i % 10 === 0 && i <= 20],
  ])('filters by %s', async (_, details, fits) => {
    const found = await walk({ gameId: 1, goodsTypeId: 1, details, pageSize: 9 });
    expect(found.toSorted()).toEqual(made.filter((_sn, i) => fits(i)).toSorted());
  });

  test('finds by words, by one character, by pinyin of an option, by game and by code', async () => {
    const of = async (keyWord: string) =>
      (await t.client().ok(g.getGoodsList, { keyWord, pageSize: 50 })).list.map((c) => c.goodsSn);
    const luna = made.filter((_, i) => i % 7 === 0).toSorted();
    expect((await of('露娜')).toSorted()).toEqual(luna);
    expect((await of('娜')).toSorted()).toEqual(luna);
    expect(await of('露娜 不存在的词')).toEqual([]);
    expect((await of('fengqiuhuang')).length).toBe(15);
    expect((await of('hpjy')).length).toBe(1);
    expect(await of(made[3] ?? '')).toEqual([made[3]]);
    expect(await of((made[3] ?? '').toLowerCase())).toEqual([made[3]]);
    expect(await of('！？')).toEqual([]);
  });

  test('services, area, server and seller narrow it', async () => {
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

  test('a site shows the games that it chose and no others', async () => {
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

describe('one goods', () => {
  test('shows attributes, clocks and the record of the same account, and counts a viewer once', async () => {
    const before = await add({ print: 'account-a', status: 5, title: '旧号 上一次出售' });
    await sql`insert into goods_event (goods_id, kind, actor, detail, created_at) values
      (${before.id}, 'published', 'user:1', '{}', now() - interval '40 days'), (${before.id}, 'sold', 'system', '{"priceFen": 86000}', now() - interval '30 days')`.execute(
      t.ctx.db,
    );
    const now = await add({ print: 'account-a', attrs: { rank: 2, skin_num: 88 } });
    await sql`insert into goods_event (goods_id, kind, actor) values (${now.id}, 'published', 'user:1'), (${now.id}, 'rejected', 'staff:1')`.execute(
      t.ctx.db,
    );
    await t.relay();
    const buyer = await t.newUser();
    const info = await buyer.client.ok(g.goodsInfo, { goodsSn: now.sn });
    expect(info).toMatchObject({
      isMine: false,
      followed: false,
      shipHours: 24,
      protectHours: 72,
      status: 2,
      rejectReason: null,
    });
    expect(info.attrs).toEqual([
      { key: 'rank', label: '段位', value: '王者' },
      { key: 'skin_num', label: '皮肤数量', value: '88款' },
    ]);
    expect(info.history.map((h) => h.text)).toEqual(['首次发布', '成交 ¥860.00', '再次发布']);
    await buyer.client.ok(g.goodsInfo, { goodsSn: now.sn });
    await seller.client.ok(g.goodsInfo, { goodsSn: now.sn });
    await buyer.client.ok(g.getUserLookGoodsHistory, {});
    expect((await buyer.client.ok(g.goodsInfo, { goodsSn: now.sn })).views).toBe(1);
    await mark([now.id], 3);
  });

  test('what is not public is nobody’s but the seller’s', async () => {
    for (const status of [0, 1, 6]) {
      const { sn } = await add({ status });
      expect((await t.client().call(g.goodsInfo, { goodsSn: sn })).status).toBe(404);
      expect((await other.client.call(g.goodsInfo, { goodsSn: sn })).status).toBe(404);
      expect((await seller.client.ok(g.goodsInfo, { goodsSn: sn })).isMine).toBe(true);
      expect((await other.client.call(goodsUserFollow, { goodsSn: sn, status: '1' })).status).toBe(404);
    }
    await t.relay();
  });

  test('the number may stand in the path, coins have their own page', async () => {
    const { list } = await t.client().ok(g.getGoodsList, { gameId: 1, goodsTypeId: 2 });
    const sn = list[0]?.goodsSn ?? '';
    const response = await t.client().raw({ method: 'GET', url: `/api/goods/goodsInfo/${sn}/` });
    expect(response.json<{ data: { pageUrl: string } }>().data.pageUrl).toBe(`/JDetail/${sn}`);
  });

  test('similar goods are of the same game and type and not itself', async () => {
    const { list } = await t.client().ok(g.getAvGoodsList, { goodsSn: made[4] ?? '', pageSize: 5 });
    expect(list).toHaveLength(5);
    expect(list.every((c) => c.gameId === 1 && c.goodsTypeId === 1 && c.goodsSn !== made[4])).toBe(true);
  });
});

describe('what a person keeps', () => {
  test('follows once, sees drops and what is gone, and unfollows', async () => {
    const fan = await t.newUser();
    const [a, b] = [await add({ fen: 50_000 }), await add({ fen: 60_000 })];
    await t.relay();
    for (const { sn } of [a, b, a]) await fan.client.ok(goodsUserFollow, { goodsSn: sn, status: '1' });
    expect(await fan.client.ok(goodsUserFollow, { goodsSn: a.sn, status: '1' })).toEqual({
      followed: true,
      follows: 1,
    });
    await sql`update goods set price_fen = 45000 where id = ${a.id}`.execute(t.ctx.db);
    await mark([b.id], 5);
    const all = await fan.client.ok(followGoods, { pageSize: 1 });
    expect(all).toMatchObject({ total: 2, counts: { all: 2, onSale: 1, fallen: 1, gone: 1 } });
    expect(all.list[0]).toMatchObject({ goodsSn: b.sn, status: 5 });
    const rest = await fan.client.ok(followGoods, { pageSize: 1, cursor: all.next ?? '' });
    expect(rest.list[0]).toMatchObject({ goodsSn: a.sn, price: '450.00', followPrice: '500.00', allInPrice: '454.50' });
    expect((await fan.client.ok(followGoods, { show: 'fallen' })).list.map((x) => x.goodsSn)).toEqual([a.sn]);
    expect(await fan.client.ok(goodsUserFollow, { goodsSn: a.sn, status: '0' })).toEqual({
      followed: false,
      follows: 0,
    });
    expect(await fan.client.ok(goodsUserFollow, { goodsSn: a.sn, status: '0' })).toEqual({
      followed: false,
      follows: 0,
    });
    await mark([a.id, b.id], 8);
  });

  test('twenty followers at once are counted as twenty', async () => {
    const { sn, id } = await add({});
    const fans = await Promise.all(Array.from({ length: 20 }, () => t.newUser({ verified: false })));
    await Promise.all(
      fans.flatMap((f) => [0, 1].map(() => f.client.ok(goodsUserFollow, { goodsSn: sn, status: '1' }))),
    );
    const { rows } = await sql<{ follows: number }>`select follows from goods_stat where goods_id = ${id}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.follows).toBe(20);
    await mark([id], 8);
  });

  test('the browse history is one’s own, newest first, in pages', async () => {
    const reader = await t.newUser();
    for (const sn of made.slice(0, 5)) {
      await reader.client.ok(g.goodsInfo, { goodsSn: sn });
      await reader.client.ok(g.getUserLookGoodsHistory, { pageSize: 1 });
    }
    const first = await reader.client.ok(g.getUserLookGoodsHistory, { pageSize: 3 });
    expect(first.total).toBe(5);
    const second = await reader.client.ok(g.getUserLookGoodsHistory, { pageSize: 3, cursor: first.next ?? '' });
    expect([...first.list, ...second.list].map((c) => c.goodsSn)).toEqual(made.slice(0, 5).toReversed());
    expect(second.next).toBeNull();
    expect((await other.client.ok(g.getUserLookGoodsHistory, {})).total).toBe(0);
  });

  test('what arrives of a price', async () => {
    const answer = await seller.client.ok(netAmount, { price: '200.00', goodsTypeId: 1 });
    expect(answer).toMatchObject({ commission: '10.00', net: '190.00' });
    expect(answer.holdText).toContain('1 天');
  });
});

describe('what sold', () => {
  beforeAll(async () => {
    const buyer = await t.newUser({ verified: false });
    // Ninety sales of this week: the more skins, the dearer.
    await sql`
      insert into orders (sn, dist_id, type_id, goods_id, game_id, buyer_id, seller_id, status, unit_price_fen, goods_fen, total_fen, fees, snapshot, created_at, paid_at, completed_at)
      select 'S' || n, 1, 1, null, 1, ${buyer.id}, ${seller.id}, 3, 1000 * n, 1000 * n, 1000 * n, '[]',
        jsonb_build_object('title', '账号 加vx luna12345', 'attrs', jsonb_build_object('skin_num', n)), now() - interval '3 days', now() - interval '2 days', now() - interval '1 day'
      from generate_series(1, 90) n`.execute(t.ctx.db);
    await sql`update timer set due_at = now() where kind = 'goods.stats'`.execute(t.ctx.db);
    await t.timers();
  });

  test('prices are compared with sales of the same segment, and beyond all sales with none', async () => {
    const of = async (skinNum: number | undefined, fen: number) => {
      const { sn } = await add({ fen, attrs: skinNum === undefined ? {} : { skin_num: skinNum }, status: 3 });
      return await t.client().ok(g.goodsInfo, { goodsSn: sn });
    };
    const poor = await of(10, 10_000);
    expect(poor.band).toMatchObject({ samples: 30, segment: '皮肤数量 1–30款', typical: '160.00', diffPercent: -37 });
    expect((await of(70, 76_000)).band).toMatchObject({
      segment: '皮肤数量 61–90款',
      typical: '760.00',
      diffPercent: 0,
    });
    expect((await of(500, 10_000)).band).toBeNull();
    expect((await of(undefined, 10_000)).band).toBeNull();
    expect(poor.comparables).toHaveLength(5);
    expect(poor.comparables.every((c) => Number(c.price) <= 300 && !c.title.includes('luna12345'))).toBe(true);
    await t.relay();
  });

  test('the day’s market and the sellers are those of the site', async () => {
    const { list } = await t.client().ok(g.currentdayDealGoodsList, {});
    expect(list).toMatchObject([{ gameName: '王者荣耀', goodsTypeName: '账号', typical: '460.00' }]);
    expect(list[0]?.onSale).toBeGreaterThan(40);
    const { list: sellers } = await t.client().ok(getFrontUserList, { gameId: 1 });
    expect(sellers).toMatchObject([{ nickName: '山海号铺', games: [{ gameId: 1, name: '王者荣耀' }] }]);
    expect(sellers[0]?.goods).toHaveLength(3);
    expect((await t.client().ok(getFrontUserList, { gameId: 2 })).list).toEqual([]);
  });
});

describe('suggestions', () => {
  test('complete games, words of goods by part, pinyin and initials, and codes', async () => {
    const of = async (keyWord: string, gameId?: number) => (await t.client().ok(g.suggest, { keyWord, gameId })).list;
    expect(await of('wzry')).toContainEqual({ kind: 'game', text: '王者荣耀', url: '/wares?gt=1&gid=1' });
    expect((await of('凤求', 1)).map((s) => s.text)).toEqual(['凤求凰']);
    expect((await of('fqh', 1)).map((s) => s.text)).toEqual(['凤求凰']);
    expect((await of('fengqiu')).map((s) => s.text)).toEqual(['王者荣耀 凤求凰', '和平精英 凤求凰']);
    expect((await of(made[2] ?? ''))[0]).toMatchObject({ kind: 'goods', url: `/detail/${made[2]}` });
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
    ['a range of words', g.getGoodsList, { gameId: 1, details: { skin_num: { min: 'a' } } }],
    ['a range beyond int4', g.getGoodsList, { gameId: 1, details: { skin_num: { min: 99_999_999_999 } } }],
    ['at least more than there are', g.getGoodsList, { gameId: 1, details: { skins: { atLeast: 3, of: [1] } } }],
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
    ['a price of words', netAmount, { price: '一百', goodsTypeId: 1 }],
  ];
  test.each(cases)('%s is refused in Chinese', async (_, endpoint, input) => {
    const answer = await other.client.call(endpoint, input as never);
    expect([400, 422]).toContain(answer.status);
    expect(answer.code).not.toBe(0);
    expect(answer.msg).toMatch(/[一-鿿]/);
  });

  test('odd keywords are words and never syntax', async () => {
    for (const keyWord of [`'`, `\\`, `'); drop table goods; --`, '%_', '& | ! ( )', ':*', `a'b:*`, '𠮷', 'ﬁ', '١٢'])
      expect((await t.client().call(g.getGoodsList, { keyWord })).status).toBe(200);
    for (const keyWord of [`'`, '\\', '%', '𠮷', 'wz', 'YS1234567'])
      expect((await t.client().call(g.suggest, { keyWord })).status).toBe(200);
  });

  test('what is private asks for a log-in', async () => {
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
