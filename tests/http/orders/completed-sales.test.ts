import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { latestDealRecord } from '#subjects/orders/contract/site-figures.ts';
import { sellTimeList } from '#subjects/goods/contract/front-page.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let seller: TestUser;
let buyer: TestUser;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  seller = await t.newUser({ nickName: '卖家' });
  buyer = await t.newUser({ nickName: '买号的小王', balanceFen: 1_000_000 });
});
afterAll(async () => await t.close());

async function sold(typeId: number): Promise<string> {
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 20_000, typeId, stock: 5 });
  const { orderId, orderSn } = await buyer.client.ok(c.placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  await seller.client.ok(c.offlineTranSub, { orderId });
  await buyer.client.ok(c.confirmRecGoods, { orderId });
  return orderSn;
}

const today = () => chinaDay(new Date());

test('completed sales are shown by game and day, masked and without numbers', async () => {
  const orderSn = await sold(1);
  await sold(27);
  const visitor = t.client();
  const all = await visitor.ok(c.everydayDealOrderList, {});
  expect(all.list.map((d) => d.orderTypeId)).toEqual([27, 1]);
  expect(all.list[0]).toMatchObject({ gameName: '王者荣耀', price: '200.00', buyer: '买**王' });
  expect(JSON.stringify(all)).not.toContain(orderSn);
  expect(all.list[0]?.dealTime).toMatch(/:\d0:00\+08:00$/);
  expect(all.days).toHaveLength(14);
  expect(all.days.at(-1)).toEqual({ day: today(), deals: 2 });
  expect(all.games).toEqual([{ gameId: 1, gameName: '王者荣耀', deals: 2 }]);
  const send = async (input: object) => (await visitor.ok(c.everydayDealOrderList, input)).list.length;
  expect(await send({ gameId: 1, day: today() })).toBe(2);
  expect(await send({ goodsTypeId: 27 })).toBe(1);
  expect(await send({ day: '2020-01-01' })).toBe(0);
  expect(await send({ gameId: 99 })).toBe(0);
  expect((await visitor.call(c.everydayDealOrderList, { day: '2026-13-45' })).status).toBe(422);
  expect((await visitor.ok(latestDealRecord, {})).list).toHaveLength(2);
});

test('the next page starts after the cursor', async () => {
  const first = await t.client().ok(c.everydayDealOrderList, { pageSize: 1 });
  const second = await t.client().ok(c.everydayDealOrderList, { pageSize: 1, cursor: first.next ?? '' });
  expect([...first.list, ...second.list].map((d) => d.orderTypeId)).toEqual([27, 1]);
  expect(second.next).toBeNull();
});

test('selling times are shown from thirty sales on, and report too few before', async () => {
  const refresh = async () => {
    await sql`insert into timer (kind, ref, due_at) values ('goods.stats', 'all', now())
      on conflict (kind, ref) do update set due_at = now()`.execute(t.ctx.db);
    await t.timers();
  };
  await refresh();
  const before = await t.client().ok(sellTimeList, { goodsTypeId: 1 });
  expect(before.list).toEqual([]);
  expect(before.few.map((f) => [f.band, f.priceText, f.sold])).toEqual([
    [-1, '全部价位', 1],
    [1, '100–300 元', 1],
  ]);
  const goods = await addGoods(t.ctx, { sellerId: seller.id });
  await passTime(t.ctx.db, 'goods', { id: goods.id }, { hours: 12 });
  await sql`insert into orders (sn, dist_id, type_id, goods_id, game_id, buyer_id, seller_id, status, unit_price_fen, goods_fen, total_fen, fees, snapshot, paid_at, completed_at)
    select 'T' || n, 1, 27, ${goods.id}, 1, ${buyer.id}, ${seller.id}, 3, 50000, 50000, 50000, '[]', '{}', now(), now() from generate_series(1, 29) n`.execute(
    t.ctx.db,
  );
  await refresh();
  const after = await t.client().ok(sellTimeList, { goodsTypeId: 27 });
  expect(after.list.map((l) => [l.band, l.sold, l.medianHours, l.withinDay])).toEqual([[-1, 30, 12, 100]]);
  expect(after.few.map((f) => [f.priceText, f.sold])).toEqual([
    ['100–300 元', 1],
    ['300–1,000 元', 29],
  ]);
});
