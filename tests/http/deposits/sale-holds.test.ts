import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { depositRelease } from '#subjects/deposits/contract/deposit.ts';
import { acceptRuling, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import {
  cancelOrder,
  confirmRecGoods,
  offlineTranSub,
  orderDetail,
  placeOrder,
  queryOrderList,
} from '#subjects/orders/contract/order.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { saleHold } from '#subjects/seller-levels/contract/seller-level.ts';
import { capitalManagement } from '#subjects/accounts/contract/user.ts';
import { netAmount } from '#subjects/goods/contract/net-amount.ts';
import { brokenInvariants, loadBalances, releaseStages } from '#subjects/ledger/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import type { TestUser } from '#tests/support/servers/build.ts';
import { type Court, type Trade, openCourt, ruling } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';

let court: Court;
let t: Court['t'];

beforeAll(async () => {
  court = await openCourt();
  ({ t } = court);
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

/** A sale from the shelf to the confirmation. Returns the order's id. */
async function sell(seller: TestUser, priceFen: number): Promise<number> {
  const buyer = await t.newUser({ balanceFen: 2 * priceFen });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen });
  const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  await seller.client.ok(offlineTranSub, { orderId });
  await buyer.client.ok(confirmRecGoods, { orderId });
  return orderId;
}

/** For how many hours a completed order is held in all. */
async function heldHours(orderId: number): Promise<number | undefined> {
  const { rows } = await sql<{ hours: number }>`
    select round(extract(epoch from release_at - created_at) / 3600)::int as hours from hold
    where code = 'sale_protection' and ref = ${String(orderId)}`.execute(t.ctx.db);
  return rows[0]?.hours;
}

describe('the hold displayed before a sale', () => {
  test('equals the one created at completion, with and without the higher deposit', async () => {
    const seller = await t.newUser({ balanceFen: 250_000, sellerLevel: 1 });
    const agree = async (hours: number, message: string) => {
      const view = await seller.client.ok(saleHold, {});
      expect(view).toMatchObject({ hours });
      expect(view.text).toContain(message);
      expect((await seller.client.ok(netAmount, { price: '20.00', goodsTypeId: 27 })).holdText).toBe(view.text);
      expect(await heldHours(await sell(seller, 2_000))).toBe(hours);
    };
    await agree(72, '3 天');
    await seller.client.ok(depositPay, { role: 'seller', level: 1 });
    await agree(72, '3 天');
    await seller.client.ok(depositPay, { role: 'seller', level: 2 });
    await agree(48, '2 天');
    // A deposit on its way back counts for nothing.
    await seller.client.ok(depositRelease, { role: 'seller', act: 'ask' });
    await agree(72, '3 天');
  });
});

describe('the list of sold orders', () => {
  test('shows the seller the net amount with its commission, and the buyer neither', async () => {
    const d = await court.trade('completed', 10_000);
    const rowOf = async (party: TestUser, belong: string) =>
      (await party.client.ok(queryOrderList, { belong, keyWord: d.orderSn })).orderList[0];
    const { money } = await d.seller.client.ok(orderDetail, { orderSn: d.orderSn });
    expect((await rowOf(d.seller, '1'))?.sale).toEqual({
      price: '100.00',
      commission: money.commission,
      gets: money.sellerGets,
    });
    expect((await rowOf(d.buyer, '0'))?.sale).toBeNull();
    // A ruling takes a part: the list follows, and the commission of the price is no longer the difference.
    await ruledBack(d, '40.00');
    const after = await d.seller.client.ok(orderDetail, { orderSn: d.orderSn });
    expect(Number(after.money.sellerGets)).toBeLessThan(Number(money.sellerGets));
    expect((await rowOf(d.seller, '1'))?.sale).toEqual({
      price: '100.00',
      commission: null,
      gets: after.money.sellerGets,
    });
  });

  test('an order that was never paid brings nothing', async () => {
    const seller = await t.newUser({});
    const buyer = await t.newUser({});
    const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen: 2_000 });
    const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    await buyer.client.ok(cancelOrder, { orderId });
    const { orderList } = await seller.client.ok(queryOrderList, { belong: '1' });
    expect(orderList[0]?.sale).toEqual({ price: '20.00', commission: null, gets: '0.00' });
  });
});

const posted = async (orderId: number): Promise<Record<string, number>> => {
  const { rows } = await sql<{ code: string; fen: number }>`
    select code, sum(amount_fen)::bigint as fen from ledger_transfer
    where order_id = ${orderId} and (code like 'hold%' or code like 'ruling%') group by code`.execute(t.ctx.db);
  return Object.fromEntries(rows.map((r) => [r.code, r.fen]));
};

describe('a sale of a seller with a level', () => {
  test('is released in stages, each once, at announced dates, and the rest at the end', async () => {
    const d = await court.trade('completed', 10_000, 2);
    const wallet = async () => (await d.seller.client.ok(capitalManagement, {})).holds[0];
    const before = await wallet();
    expect(before).toMatchObject({ amount: '95.00', stages: [{ amount: '28.50' }, { amount: '19.00' }] });
    const [first, second] = (before?.stages ?? []).map(({ time }) => Date.parse(time ?? ''));
    const end = Date.parse(before?.releaseTime ?? '');
    expect([end - (first ?? 0), end - (second ?? 0)]).toEqual([36 * 3_600_000, 24 * 3_600_000]);
    // Nothing before its time, however often the timer comes.
    await court.hoursPass(d, 11);
    expect(await posted(d.orderId)).toEqual({});
    await court.hoursPass(d, 1);
    expect(await court.money(d)).toMatchObject({ seller: 2_850, frozen: 6_650 });
    expect(await wallet()).toMatchObject({ amount: '66.50', stages: [{ released: true }, { released: false }] });
    const { money } = await d.seller.client.ok(orderDetail, { orderSn: d.orderSn });
    expect(money.points.map(({ amount, state }) => [amount, state])).toEqual([
      ['101.00', 'done'],
      ['66.50', 'current'],
      ['28.50', 'done'],
      ['19.00', 'waiting'],
      ['47.50', 'waiting'],
    ]);
    // The buyer does not see the seller's proceeds and release time.
    expect(money.parts).toMatchObject([{ code: 'goods', amount: '100.00', state: '部分已放款' }, { state: '已收取' }]);
    expect([money.staged, money.parts[0]?.until]).toEqual([true, expect.stringMatching(/ 前分段放款$/)]);
    // The buyer's sums are parts of what was paid: 30 % of the price has gone.
    const { points, parts, staged } = (await d.buyer.client.ok(orderDetail, { orderSn: d.orderSn })).money;
    expect([staged, parts[0]?.until]).toEqual([false, expect.stringMatching(/\d 放款$/)]);
    expect(points.map((x) => x.amount)).toEqual(['101.00', '70.00', '100.00']);
    expect(points.slice(1).map((x) => x.text)).toEqual([
      '一部分已按卖家等级放出，申诉仍可退全部',
      '已放出一部分，其余待保护期满',
    ]);
    await court.hoursPass(d, 12);
    expect(await court.money(d)).toMatchObject({ seller: 4_750, frozen: 4_750 });
    expect(await court.timersOf(d.orderId)).toEqual(['hold.release']);
    await court.hoursPass(d, 24);
    expect(await court.money(d)).toMatchObject({ seller: 9_500, frozen: 0 });
    expect(await posted(d.orderId)).toEqual({ hold_part: 4_750, hold_end: 4_750 });
    expect(await court.timersOf(d.orderId)).toEqual([]);
    await t.relay();
    const notices = (await d.seller.client.ok(noticeList, {})).list.map(({ body }) => body).join('\n');
    for (const amount of ['28.50', '19.00', '47.50']) expect(notices).toContain(amount);
  });

  test('releases a stage once by concurrent processes', async () => {
    const d = await court.trade('completed', 10_000, 3);
    await passTime(t.ctx.db, 'hold', { ref: String(d.orderId) }, { hours: 6 });
    await Promise.all(Array.from({ length: 20 }, () => releaseStages(t.ctx.db, d.orderId)));
    expect(await posted(d.orderId)).toEqual({ hold_part: 4_750 });
    expect(await court.money(d)).toMatchObject({ seller: 4_750, frozen: 4_750 });
  });

  test('pays overdue stages and the end together when the timer is late', async () => {
    const d = await court.trade('completed', 10_000, 1);
    await court.hoursPass(d, 100);
    expect(await posted(d.orderId)).toEqual({ hold_part: 4_750, hold_end: 4_750 });
  });

  test('never exceeds the level’s limit of early releases, also with concurrent completions', async () => {
    const seller = await t.newUser({ sellerLevel: 1, depositFen: 50_000 });
    const trades = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const buyer = await t.newUser({ balanceFen: 100_000 });
        const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen: 50_000 });
        const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
        await buyer.client.ok(balancePay, { orderId });
        await seller.client.ok(offlineTranSub, { orderId });
        return { buyer, orderId };
      }),
    );
    await Promise.all(trades.map(({ buyer, orderId }) => buyer.client.ok(confirmRecGoods, { orderId })));
    const { rows } = await sql<{ fen: number; n: number }>`
      select sum(s.amount_fen)::bigint as fen, count(*) as n from hold h join hold_stage s on s.hold_id = h.id where h.user_id = ${seller.id}`.execute(
      t.ctx.db,
    );
    // 237.50 of each of two, and the last part of the third is what was left of 500.00.
    expect(rows[0]?.fen).toBe(50_000);
  });
});

/** The other side's word, a ruling, and both accept it. */
async function ruledBack(d: Trade, back: string): Promise<void> {
  const disputeSn = await court.answered(d);
  await court.service.client.ok(staffDisputeRule, ruling(disputeSn, back));
  for (const party of [d.buyer, d.seller]) await party.client.ok(acceptRuling, { disputeSn });
}

describe('a dispute after a stage', () => {
  test('stops the remaining stages, which continue afterwards', async () => {
    const d = await court.trade('completed', 10_000, 2);
    await court.hoursPass(d, 12);
    const disputeSn = await court.opened(d);
    expect((await d.seller.client.ok(capitalManagement, {})).holds[0]).toMatchObject({
      amount: '66.50',
      releaseTime: null,
      stages: [{ released: true }, { released: false, time: null }],
    });
    await releaseStages(t.ctx.db, d.orderId);
    expect(await posted(d.orderId)).toEqual({ hold_part: 2_850 });
    await d.buyer.client.ok(withdrawDispute, { disputeSn });
    const { rows } = await sql<{ left: number }>`
      select round(extract(epoch from due_at - now()) / 3600)::int as left from timer where kind = 'hold.release' and ref = ${String(d.orderId)}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.left).toBe(12);
    await court.hoursPass(d, 12);
    expect(await posted(d.orderId)).toEqual({ hold_part: 4_750 });
  });

  test('takes a partial refund from the hold only, if it suffices', async () => {
    const d = await court.trade('completed', 10_000, 3);
    await court.hoursPass(d, 6);
    await ruledBack(d, '40.00');
    expect(await posted(d.orderId)).toEqual({
      hold_part: 4_750,
      ruling_take_back: 3_800,
      ruling_fee_back: 240,
      hold_end: 950,
    });
  });

  test('takes a full refund from the hold, then the balance, then the deposit; the buyer loses nothing', async () => {
    const d = await court.trade('completed', 10_000, 3);
    await court.hoursPass(d, 6);
    // The seller has spent a part of what came early.
    const goods = await addGoods(t.ctx, { sellerId: d.buyer.id, typeId: 27, priceFen: 4_000 });
    const { orderId } = await d.seller.client.ok(placeOrder, { goodsSn: goods.sn });
    await d.seller.client.ok(balancePay, { orderId });
    await ruledBack(d, '100.00');
    expect(await posted(d.orderId)).toEqual({
      hold_part: 4_750,
      ruling_take_back: 4_750,
      ruling_from_balance: 710,
      ruling_from_deposit: 4_040,
      ruling_fee_back: 600,
    });
    expect(await court.money(d)).toEqual({ buyer: 50_000, seller: 0, frozen: 0 });
    expect((await loadBalances(t.ctx.db, d.seller.id)).depositFen).toBe(100_000 - 4_040);
  });

  test('concurrent with a stage has one consistent result', async () => {
    const trades = await Promise.all(Array.from({ length: 5 }, () => court.trade('completed', 10_000, 3)));
    for (const d of trades) {
      await passTime(t.ctx.db, 'hold', { ref: String(d.orderId) }, { hours: 6 });
      await Promise.all([court.opened(d), releaseStages(t.ctx.db, d.orderId), releaseStages(t.ctx.db, d.orderId)]);
      const { hold_part: out = 0 } = await posted(d.orderId);
      expect((await loadBalances(t.ctx.db, d.seller.id)).frozenFen).toBe(9_500 - out);
      expect([0, 4_750]).toContain(out);
    }
  });
});
