import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as g from '#subjects/goods/contract/goods.ts';
import { getFrontUserList } from '#subjects/goods/contract/front-page.ts';
import { followGoods, goodsUserFollow } from '#subjects/goods/contract/follows.ts';
import { netAmount } from '#subjects/goods/contract/net-amount.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { openListingMarket } from '#tests/support/goods/listings.ts';

const { t, seller, other, created, add, setStatus: mark } = await openListingMarket();
afterAll(async () => await t.close());

describe('one listing', () => {
  test('shows attributes, deadlines and the history of the same account, and counts a viewer once', async () => {
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
      protection: { inspectHours: 72, holdHours: 24 },
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

  test('has a picture for link previews only while it is public', async () => {
    const { id, sn } = await add({ title: '分享 <b>图</b> & 标题' });
    const shared = await t.client().raw({ method: 'GET', url: `/og/goods/${sn}.jpg` });
    expect([shared.statusCode, shared.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect(await sharp(shared.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
    const again = await t.client().raw({
      method: 'GET',
      url: `/og/goods/${sn}.jpg`,
      headers: { 'if-none-match': String(shared.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    for (const status of [1, 6, 8]) {
      await mark([id], status);
      expect((await t.client().raw({ method: 'GET', url: `/og/goods/${sn}.jpg` })).statusCode).toBe(404);
    }
    for (const url of ['/og/goods/none.jpg', '/og/goods/..%2fx.jpg', '/og/goods/%00.jpg'])
      expect((await t.client().raw({ method: 'GET', url })).statusCode).toBeGreaterThanOrEqual(400);
  });

  test('is visible to the seller only when not public', async () => {
    for (const status of [0, 1, 6]) {
      const { sn } = await add({ status });
      expect((await t.client().call(g.goodsInfo, { goodsSn: sn })).status).toBe(404);
      expect((await other.client.call(g.goodsInfo, { goodsSn: sn })).status).toBe(404);
      expect((await seller.client.ok(g.goodsInfo, { goodsSn: sn })).isMine).toBe(true);
      expect((await other.client.call(goodsUserFollow, { goodsSn: sn, status: '1' })).status).toBe(404);
    }
    await t.relay();
  });

  test('is found by its number in the path; coin has its own page', async () => {
    const { list } = await t.client().ok(g.getGoodsList, { gameId: 1, goodsTypeId: 2 });
    const sn = list[0]?.goodsSn ?? '';
    const response = await t.client().raw({ method: 'GET', url: `/api/goods/goodsInfo/${sn}/` });
    expect(response.json<{ data: { pageUrl: string } }>().data.pageUrl).toBe(`/JDetail/${sn}`);
  });

  test('similar listings have the same game and type and exclude itself', async () => {
    const { list } = await t.client().ok(g.getAvGoodsList, { goodsSn: created[4] ?? '', pageSize: 5 });
    expect(list).toHaveLength(5);
    expect(list.every((c) => c.gameId === 1 && c.goodsTypeId === OrderType.Account && c.goodsSn !== created[4])).toBe(
      true,
    );
  });
});

describe('favourites and history', () => {
  test('a listing is followed once, shows price drops and removal, and can be unfollowed', async () => {
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

  test('twenty concurrent followers count as twenty', async () => {
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

  test('the browsing history is private, newest first, in pages', async () => {
    const reader = await t.newUser();
    for (const sn of created.slice(0, 5)) {
      await reader.client.ok(g.goodsInfo, { goodsSn: sn });
      await reader.client.ok(g.getUserLookGoodsHistory, { pageSize: 1 });
    }
    const first = await reader.client.ok(g.getUserLookGoodsHistory, { pageSize: 3 });
    expect(first.total).toBe(5);
    const second = await reader.client.ok(g.getUserLookGoodsHistory, { pageSize: 3, cursor: first.next ?? '' });
    expect([...first.list, ...second.list].map((c) => c.goodsSn)).toEqual(created.slice(0, 5).toReversed());
    expect(second.next).toBeNull();
    expect((await other.client.ok(g.getUserLookGoodsHistory, {})).total).toBe(0);
  });

  test('the seller’s net price is computed', async () => {
    const response = await seller.client.ok(netAmount, { price: '200.00', goodsTypeId: 1 });
    expect(response).toMatchObject({ commission: '10.00', net: '190.00' });
    expect(response.holdText).toBe(
      '买家确认收货后 6 小时放出 50%（提前放出的合计最多 1,000.00 元，以保证金为限），24 小时后其余自动转入可用余额',
    );
  });
});

describe('sold prices', () => {
  beforeAll(async () => {
    const buyer = await t.newUser({ verified: false });
    // Ninety sales of this week: the more skins, the dearer.
    await sql`
      insert into orders (sn, dist_id, type_id, goods_id, game_id, buyer_id, seller_id, status, unit_price_fen, goods_fen, total_fen, fees, snapshot, created_at, paid_at, completed_at)
      select 'S' || n, 1, 1, null, 1, ${buyer.id}, ${seller.id}, 3, 1000 * n, 1000 * n, 1000 * n, '[]',
        jsonb_build_object('title', '账号 加vx luna12345', 'attrs', jsonb_build_object('skin_num', n)), now() - interval '3 days', now() - interval '2 days', now() - interval '1 day'
      from generate_series(1, 90) n`.execute(t.ctx.db);
    await makeDue(t.ctx.db, 'goods.stats');
    await t.timers();
  });

  test('are compared by attributes, not by what the listing asks', async () => {
    const of = async (skinNum: number, fen: number) => {
      const { sn } = await add({ fen, attrs: { skin_num: skinNum }, status: 3 });
      return await t.client().ok(g.goodsInfo, { goodsSn: sn });
    };
    const [cheap, dear] = [await of(10, 100), await of(10, 900_000)];
    // Ninety sales between the same two people are no evidence.
    expect(cheap.band).toBeNull();
    expect(cheap.comparables).toHaveLength(5);
    expect(cheap.comparables.every((c) => Number(c.price) <= 300 && !c.title.includes('luna12345'))).toBe(true);
    expect(dear.comparables).toEqual(cheap.comparables);
    await t.relay();
  });

  test('the day’s market and sellers belong to the site', async () => {
    const { list } = await t.client().ok(g.currentdayDealGoodsList, {});
    expect(list).toMatchObject([{ gameName: '王者荣耀', goodsTypeName: '账号', typical: '450.00' }]);
    expect(list[0]?.onSale).toBeGreaterThan(40);
    const { list: sellers } = await t.client().ok(getFrontUserList, { gameId: 1 });
    expect(sellers).toMatchObject([{ nickName: '山海号铺', games: [{ gameId: 1, name: '王者荣耀' }] }]);
    expect(sellers[0]?.goods).toHaveLength(3);
    expect((await t.client().ok(getFrontUserList, { gameId: 2 })).list).toEqual([]);
  });
});
