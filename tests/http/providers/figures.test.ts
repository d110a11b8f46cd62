/** Figures that coin shops and recyclers see of themselves: views, orders, on time, money by week. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { providerList, reviewProvider } from '#subjects/providers/contract/staff-providers.ts';
import { codes } from '#contract/codes.ts';
import * as o from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { recyclerStatistics } from '#subjects/recycling/contract/recycler-figures.ts';
import { shopStatistics } from '#subjects/quick-coin/contract/shop-figures.ts';
import * as q from '#subjects/quick-coin/contract/quick-coin.ts';
import * as r from '#subjects/recycling/contract/recycling.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { addCoinGame, addDeposit, COIN_AREA, COIN_GAME, offered, openedShop } from '#tests/support/services/coins.ts';

let t: TestApp;
let reviewer: TestStaff;

beforeAll(async () => {
  t = await testApp();
  await addCoinGame(t);
  reviewer = await t.newStaff({ role: 'reviewer' });
});
afterAll(async () => await t.close());

test('a shop sees views, orders, punctual deliveries and income, by week', async () => {
  const shop = await openedShop(t, reviewer);
  const sn = await offered(shop);
  const look = async (client: typeof shop.client) => await client.ok(q.findQuickCoin, { quickCoinSn: sn });
  await Promise.all([1, 2, 3].map(() => look(t.client())));
  await look(shop.client);
  const buyer = await t.newUser({ balanceFen: 50_000 });
  const order = async () => {
    const placed = await buyer.client.ok(q.placeQuickCoinOrder, {
      quickCoinSn: sn,
      num: 3,
      delivery: 1,
      roleName: '剑神',
    });
    await buyer.client.ok(balancePay, { orderId: placed.orderId });
    return placed.orderId;
  };
  const [first, late, cancelled] = [await order(), await order(), await order()];
  await sql`update orders set ship_by = now() - interval '1 minute' where id = ${late}`.execute(t.ctx.db);
  for (const orderId of [first, late]) {
    await shop.client.ok(o.offlineTranSub, { orderId });
    await buyer.client.ok(o.confirmRecGoods, { orderId });
  }
  await shop.client.ok(o.cancelOrder, { orderId: cancelled });
  const seen = await shop.client.ok(shopStatistics, {});
  expect(seen).toMatchObject({ views30: 3, orders30: 3, done30: 2, cancelled30: 1, disputes30: 0, onTimeRate: null });
  expect(seen.weeks).toHaveLength(8);
  // Three lots of 19.00 less 5 %, twice.
  expect(seen.weeks.at(-1)).toMatchObject({ orders: 3, done: 2, onTime: 1, amount: '108.30' });
  await sql`update orders set paid_at = paid_at - interval '7 days', completed_at = completed_at - interval '7 days' where id = ${first}`.execute(
    t.ctx.db,
  );
  const moved = (await shop.client.ok(shopStatistics, {})).weeks;
  expect(moved.slice(-2).map((w) => [w.orders, w.done, w.onTime])).toEqual([
    [1, 1, 1],
    [2, 1, 0],
  ]);
  expect((await buyer.client.call(shopStatistics, {})).code).toBe(codes.PROVIDER_REQUIRED[0]);
});

test('a recycler sees bids, purchases, manual confirmations and spending, by week', async () => {
  const recycler = await t.newUser({ balanceFen: 100_000 });
  await recycler.client.ok(r.recyclerApply, {
    name: '云顶回收',
    intro: '',
    gameIds: [COIN_GAME],
    contact: 'QQ 12345678',
  });
  await addDeposit(t, recycler.id, 1_000_000, 'recycler');
  const { list } = await reviewer.client.ok(providerList, { kind: 'recycler' });
  const { id, updateMark } = list.find((one) => one.userId === String(recycler.id)) ?? { id: 0, updateMark: '' };
  await reviewer.client.ok(reviewProvider, { id, decision: 'approve', updateMark });
  const { offerSn } = await recycler.client.ok(r.saveCoinRecycle, {
    gameId: COIN_GAME,
    areaId: COIN_AREA,
    lotUnits: 1000,
    lotPrice: '16.00',
    wantedNum: 10,
    minNum: 2,
    delivery: [1],
  });
  const seller = await t.newUser();
  const sold = async () =>
    (await seller.client.ok(r.sellCoin, { offerSn, num: 2, delivery: 1, roleName: '出货号' })).orderId;
  const [byHand, byClock] = [await sold(), await sold()];
  for (const orderId of [byHand, byClock]) await seller.client.ok(o.offlineTranSub, { orderId });
  await recycler.client.ok(o.confirmRecGoods, { orderId: byHand });
  await sql`update timer set due_at = now() - interval '1 second' where kind = 'order.autoConfirm' and ref = ${String(byClock)}`.execute(
    t.ctx.db,
  );
  await t.timers();
  const seen = await recycler.client.ok(recyclerStatistics, {});
  expect(seen).toMatchObject({ bids30: 0, won30: 0, orders30: 2, done30: 2, cancelled30: 0 });
  expect(seen.weeks.at(-1)).toMatchObject({ orders: 2, done: 2, onTime: 1, amount: '64.64' });
  expect((await seller.client.call(recyclerStatistics, {})).code).toBe(codes.PROVIDER_REQUIRED[0]);
});
