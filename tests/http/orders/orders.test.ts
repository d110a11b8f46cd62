import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as c from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { codes } from '#contract/codes.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { sizeOf } from '#tests/sizes.ts';

let t: TestApp;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addGame(t.ctx);
  seller = await t.newUser({ nickName: '卖家' });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const statusOf = async (orderId: number): Promise<number> =>
  (await sql<{ status: number }>`select status from orders where id = ${orderId}`.execute(t.ctx.db)).rows[0]?.status ??
  -1;

async function placed(buyer: TestUser, priceFen = 10_000) {
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen });
  const order = await buyer.client.ok(c.placeOrder, { goodsSn: goods.sn });
  return { ...order, goods };
}

async function paid(buyer: TestUser, priceFen = 10_000) {
  const order = await placed(buyer, priceFen);
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  return order;
}

describe('the trade', () => {
  test('order, payment, shipping, confirmation and the end of the hold move exactly the displayed amounts', async () => {
    const buyer = await t.newUser({ balanceFen: 50_000 });
    const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 20_000 });
    const quote = await buyer.client.ok(c.quoteOrder, { goodsSn: goods.sn, fixEnsureId: 11 });
    expect(quote.lines.map((l) => [l.code, l.amount])).toEqual([
      ['goods', '200.00'],
      ['service', '2.00'],
      ['fixEnsure', '20.00'],
    ]);
    const order = await buyer.client.ok(c.placeOrder, { goodsSn: goods.sn, fixEnsureId: 11 });
    expect(order.totalPrice).toBe('222.00');
    await buyer.client.ok(balancePay, { orderId: order.orderId });
    expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ availableFen: 27_800 });
    const before = await loadBalances(t.ctx.db, seller.id);
    const { money } = await buyer.client.ok(c.orderDetail, { orderSn: order.orderSn });
    expect(money).toMatchObject({ held: '222.00', sellerGets: null });
    await seller.client.ok(c.offlineTranSub, { orderId: order.orderId });
    await buyer.client.ok(c.confirmRecGoods, { orderId: order.orderId });
    const held = await loadBalances(t.ctx.db, seller.id);
    expect(held.frozenFen - before.frozenFen).toBe(19_000);
    const detail = await seller.client.ok(c.orderDetail, { orderSn: order.orderSn });
    expect(detail.money).toMatchObject({
      where: '保护期内，平台冻结中',
      held: null,
      sellerGets: '190.00',
      commission: '10.00',
      released: false,
    });
    await makeDue(t.ctx.db, 'hold.release', order.orderId);
    await passTime(t.ctx.db, 'hold', { ref: String(order.orderId) }, { until: 'release_at' });
    await t.timers();
    expect((await loadBalances(t.ctx.db, seller.id)).availableFen - held.availableFen).toBe(19_000);
    const process = await buyer.client.ok(c.listOrderProcess, { orderSn: order.orderSn });
    expect(process.list.map((p) => p.orderStatus)).toEqual([0, 1, 2, 3]);
  });

  test('an unpaid order expires and releases its listing', async () => {
    const buyer = await t.newUser();
    const order = await placed(buyer);
    await makeDue(t.ctx.db, 'order.expire', order.orderId);
    await t.timers();
    expect(await statusOf(order.orderId)).toBe(6);
    const next = await t.newUser();
    expect((await next.client.call(c.placeOrder, { goodsSn: order.goods.sn })).code).toBe(0);
  });

  test('a buyer’s cancellation refunds a paid order in full; after the seller acted it needs consent', async () => {
    const buyer = await t.newUser({ balanceFen: 40_000 });
    const first = await paid(buyer);
    expect(await buyer.client.ok(c.cancelOrder, { orderId: first.orderId })).toMatchObject({ status: 7 });
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(40_000);
    const second = await paid(buyer);
    await sql`update orders set touched_at = now() where id = ${second.orderId}`.execute(t.ctx.db);
    expect((await buyer.client.call(c.cancelOrder, { orderId: second.orderId })).code).toBe(
      codes.ORDER_CANCEL_NEEDS_SELLER[0],
    );
    await buyer.client.ok(c.requestCancel, { orderId: second.orderId, act: 'ask', reason: '不想要了' });
    await seller.client.ok(c.requestCancel, { orderId: second.orderId, act: 'agree' });
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(40_000);
  });

  test('the seller cancels a shipped order: the buyer is refunded in full', async () => {
    const buyer = await t.newUser({ balanceFen: 40_000 });
    const order = await paid(buyer);
    await seller.client.ok(c.offlineTranSub, { orderId: order.orderId });
    expect(await seller.client.ok(c.cancelOrder, { orderId: order.orderId })).toMatchObject({ status: 8 });
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(40_000);
  });

  test('other users neither see nor change an order', async () => {
    const buyer = await t.newUser({ balanceFen: 40_000 });
    const stranger = await t.newUser({ balanceFen: 40_000 });
    const order = await paid(buyer);
    for (const result of [
      await stranger.client.call(c.orderDetail, { orderSn: order.orderSn }),
      await stranger.client.call(c.confirmRecGoods, { orderId: order.orderId }),
      await stranger.client.call(c.offlineTranSub, { orderId: order.orderId }),
      await stranger.client.call(c.cancelOrder, { orderId: order.orderId }),
      await stranger.client.call(balancePay, { orderId: order.orderId }),
    ]) {
      expect([result.status, result.code]).toEqual([404, codes.ORDER_NOT_FOUND[0]]);
    }
    expect((await buyer.client.call(c.offlineTranSub, { orderId: order.orderId })).code).toBe(codes.ORDER_FORBIDDEN[0]);
    expect((await seller.client.call(c.confirmRecGoods, { orderId: order.orderId })).code).not.toBe(0);
  });
});

describe('races', () => {
  test('concurrent buyers of one listing: one order, a clear error for every other', async () => {
    const buyers = await Promise.all(Array.from({ length: sizeOf('raceCallers') }, () => t.newUser()));
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    const results = await Promise.all(buyers.map((b) => b.client.call(c.placeOrder, { goodsSn: goods.sn })));
    expect(results.filter((r) => r.code === 0)).toHaveLength(1);
    const rejected = results.filter((r) => r.code !== 0);
    expect(new Set(rejected.map((r) => `${r.status} ${r.msg}`))).toEqual(
      new Set([`409 ${codes.GOODS_NOT_ON_SALE[2]}`]),
    );
    const { rows } = await sql<{ n: number }>`select count(*) as n from orders where goods_id = ${goods.id}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.n).toBe(1);
  });

  test('ten in stock, fifty buyers: ten orders', async () => {
    const buyers = await Promise.all(Array.from({ length: 50 }, () => t.newUser()));
    const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, stock: 10 });
    const results = await Promise.all(buyers.map((b) => b.client.call(c.placeOrder, { goodsSn: goods.sn })));
    expect(results.filter((r) => r.code === 0)).toHaveLength(10);
    expect(results.every((r) => r.status < 500)).toBe(true);
  });

  test('one key, twenty concurrent requests: one order and one response; another request under it is rejected', async () => {
    const buyer = await t.newUser();
    const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, stock: 500 });
    const send = () => buyer.client.call(c.placeOrder, { goodsSn: goods.sn }, { idempotencyKey: 'same-key' });
    const results = await Promise.all(Array.from({ length: 20 }, send));
    expect(new Set(results.map((r) => (r.code === 0 ? r.data.orderSn : `refused ${r.code}`))).size).toBe(1);
    expect((await send()).data).toEqual(results[0]?.data);
    const other = await buyer.client.call(
      c.placeOrder,
      { goodsSn: goods.sn, goodsNum: 2 },
      { idempotencyKey: 'same-key' },
    );
    expect([other.status, other.code]).toEqual([409, codes.IDEMPOTENCY_MISMATCH[0]]);
  });

  test('one order paid from two devices concurrently is charged once', async () => {
    const buyer = await t.newUser({ balanceFen: 50_000 });
    const order = await placed(buyer);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        buyer.client.call(balancePay, { orderId: order.orderId }, i % 2 ? { idempotencyKey: `device-${i % 4}` } : {}),
      ),
    );
    expect(results.some((r) => r.code === 0)).toBe(true);
    expect(results.every((r) => r.status < 500)).toBe(true);
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(50_000 - 10_100);
  });

  test('a balance for one of three orders pays one', async () => {
    const buyer = await t.newUser({ balanceFen: 10_100 });
    const orders = [];
    for (let i = 0; i < 3; i++) orders.push(await placed(buyer));
    const results = await Promise.all(orders.map((o) => buyer.client.call(balancePay, { orderId: o.orderId })));
    expect(results.filter((r) => r.code === 0)).toHaveLength(1);
    expect(results.filter((r) => r.code === codes.BALANCE_LOW[0])).toHaveLength(2);
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(0);
  });

  test('concurrent cancellation and payment: one succeeds, with its money', async () => {
    for (let round = 0; round < 8; round++) {
      const buyer = await t.newUser({ balanceFen: 10_100 });
      const order = await placed(buyer);
      await Promise.all([
        ...Array.from({ length: 5 }, () => buyer.client.call(balancePay, { orderId: order.orderId })),
        ...Array.from({ length: 5 }, () => buyer.client.call(c.cancelOrder, { orderId: order.orderId })),
      ]);
      const status = await statusOf(order.orderId);
      const { availableFen } = await loadBalances(t.ctx.db, buyer.id);
      expect([
        [1, 0],
        [7, 10_100],
      ]).toContainEqual([status, availableFen]);
    }
  });

  test('concurrent confirmation and automatic confirmation pay the seller once', async () => {
    const buyer = await t.newUser({ balanceFen: 100_000 });
    for (let round = 0; round < 5; round++) {
      const order = await paid(buyer);
      await seller.client.ok(c.offlineTranSub, { orderId: order.orderId });
      await makeDue(t.ctx.db, 'order.autoConfirm', order.orderId);
      const before = await loadBalances(t.ctx.db, seller.id);
      await Promise.all([
        ...Array.from({ length: 5 }, () => buyer.client.call(c.confirmRecGoods, { orderId: order.orderId })),
        t.timers(),
        t.timers(),
      ]);
      expect(await statusOf(order.orderId)).toBe(3);
      expect((await loadBalances(t.ctx.db, seller.id)).frozenFen - before.frozenFen).toBe(9_500);
    }
  });
});
