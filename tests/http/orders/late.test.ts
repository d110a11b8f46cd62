/** A paid order that is not shipped and on which neither party acts ends by rule, or goes to customer service (decision 440). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { distributeUserCoupon } from '#subjects/promotions/contract/coupon.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { loadSellerDetails } from '#subjects/seller-levels/server/queries.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { complaint } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import { ITEMS, type LateOrders, lateOrders, START } from '#tests/support/orders/late-orders.ts';
import { addStepsGame, assign, stepsDone } from '#tests/support/orders/orders.ts';

let t: TestApp;
let staff: TestStaff;
let late: LateOrders;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addStepsGame(t);
  late = lateOrders(t);
  staff = await t.newStaff({ role: 'service' });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

describe('a late order on which nobody acts', () => {
  test('is cancelled with everything back, after both were told at its time to ship and a day before', async () => {
    const at = await late.paid(ITEMS);
    const people = [at.buyer.id, at.seller.id];
    const seen = await at.buyer.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(seen.deadlineText).toBe('卖家须在此前发货；逾期可立即取消，一直未发货自动全额退款');
    // The seller cannot cancel for being late.
    const own = await at.seller.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(own.deadlineText).toBe('请在此前发货；逾期买家可立即取消，一直未发货自动全额退款');
    await late.overdue(at);
    expect(await late.row(at)).toEqual({ status: 1, disputed: false, endHours: 72, timers: 1 });
    for (const id of people) expect(await late.told(id, at)).toHaveLength(1);
    const after = await at.buyer.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(after.deadlineText).toMatch(/买家可直接取消；\d{4}-\d\d-\d\d \d\d:\d\d 前仍未发货自动全额退款/);
    expect(after.process.at(-1)?.explain).toContain('订单自动取消并全额退款');
    await late.pass(at, 47);
    for (const id of people) expect(await late.told(id, at)).toHaveLength(1);
    await late.pass(at, 2);
    for (const id of people) expect(await late.told(id, at)).toHaveLength(2);
    expect(await late.row(at)).toMatchObject({ status: 1, timers: 1 });
    await late.pass(at, 24);
    expect(await late.row(at)).toMatchObject({ status: OrderStatus.SellerCancelled, timers: 0 });
    expect([await late.worth(at.buyer.id), await late.worth(at.seller.id)]).toEqual([START, 0]);
    expect((await late.stock(at.goods.id)).status).toBe(2);
    for (const user of [at.buyer, at.seller]) {
      const { rows } = await sql<{ body: string }>`
        select body from notice where user_id = ${user.id} and kind = 'order.cancelled'`.execute(t.ctx.db);
      expect(rows.map(({ body }) => body).join()).toContain('超过发货时限仍未发货');
    }
  });

  test('counts in the seller’s record as a sale that the seller cancelled, and takes no deposit', async () => {
    const seller = await t.newUser({ soldCount: 9, balanceFen: 50_000 });
    await seller.client.ok(depositPay, { role: 'seller', level: 1 });
    const at = await late.paid({ ...ITEMS, seller });
    await late.overdue(at);
    await late.pass(at, 49);
    await late.pass(at, 25);
    expect((await late.row(at)).status).toBe(OrderStatus.SellerCancelled);
    const details = await loadSellerDetails(t.ctx.db, seller.id, t.ctx.dir.setting('seller_levels'));
    expect(details?.cancelled).toBe(1);
    expect((await loadBalances(t.ctx.db, seller.id)).depositFen).toBe(50_000);
  });

  test('returns the coupon to its owner and its part to the platform', async () => {
    await addCampaign(t.ctx, { code: 'LATE', amountFen: 1_000 });
    const [buyer, seller] = [await t.newUser({ balanceFen: START }), await t.newUser({ soldCount: 9 })];
    const { coupon } = await buyer.client.ok(distributeUserCoupon, { code: 'LATE' });
    const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen: 10_000 });
    const placed = await buyer.client.ok(c.placeOrder, { goodsSn: goods.sn, couponId: coupon?.couponId });
    await buyer.client.ok(balancePay, { orderId: placed.orderId });
    await t.relay();
    const at = { ...placed, goods, buyer, seller };
    await late.overdue(at);
    await late.pass(at, 49);
    await late.pass(at, 25);
    expect([(await late.row(at)).status, await late.worth(buyer.id)]).toEqual([OrderStatus.SellerCancelled, START]);
    const { rows } = await sql<{ used: boolean }>`
      select order_id is not null as used from coupon where user_id = ${buyer.id}`.execute(t.ctx.db);
    expect(rows).toEqual([{ used: false }]);
  });

  test('a market that stood still tells both and waits a day before it ends anything', async () => {
    const at = await late.paid(ITEMS);
    await late.overdue(at);
    await late.pass(at, 24 * 9);
    expect(await late.row(at)).toMatchObject({ status: 1, endHours: 24, timers: 1 });
    expect(await late.told(at.seller.id, at)).toHaveLength(2);
    await late.pass(at, 25);
    expect((await late.row(at)).status).toBe(OrderStatus.SellerCancelled);
  });
});

describe('the clock does not run against a seller', () => {
  test('an order shipped in the last second is not cancelled', async () => {
    const at = await late.paid(ITEMS);
    for (const n of [1, 2]) expect((await late.step(at, n)).code).toBe(0);
    await sql`update order_handover set done_at = null where order_id = ${at.orderId}`.execute(t.ctx.db);
    await sql`update orders set touched_at = null, delivered_at = null where id = ${at.orderId}`.execute(t.ctx.db);
    await late.overdue(at);
    await late.pass(at, 49);
    await late.later(at, 25);
    for (const n of [1, 2]) expect((await late.step(at, n)).code).toBe(0);
    await at.seller.client.ok(c.offlineTranSub, { orderId: at.orderId });
    await t.timers();
    expect(await late.row(at)).toMatchObject({ status: OrderStatus.Shipped, timers: 0 });
  });

  test('an order that waits for a staff step goes to customer service, and the record stays clean', async () => {
    const at = await late.paid();
    await assign(t, at.orderId, staff);
    await late.overdue(at);
    expect((await late.step(at, 1)).code).toBe(0);
    await t.timers();
    await t.relay();
    // Done after the time to ship: whose action is next has the whole period again.
    expect(await late.row(at)).toMatchObject({ status: 1, endHours: 72 });
    await late.pass(at, 49);
    await late.pass(at, 25);
    expect(await late.row(at)).toMatchObject({ status: 1, disputed: true, timers: 0 });
    expect(await late.casesOf(at)).toMatchObject([{ reason: 'order_late', opener: at.buyer.id }]);
    const details = await loadSellerDetails(t.ctx.db, at.seller.id, t.ctx.dir.setting('seller_levels'));
    expect(details).toMatchObject({ cancelled: 0, lost: 0 });
  });

  test('an order that waits for a silent buyer becomes a case, and the seller’s time starts again after it', async () => {
    const at = await late.paid(ITEMS);
    await sql`update order_handover set actor = 'buyer' where order_id = ${at.orderId} and step = 1`.execute(t.ctx.db);
    await late.overdue(at);
    await late.pass(at, 49);
    await late.pass(at, 25);
    expect(await late.row(at)).toMatchObject({ status: 1, disputed: true });
    expect((await loadBalances(t.ctx.db, at.seller.id)).depositFen).toBe(0);
    // The buyer's word at last, and a ruling that lets the order go on: the seller has the whole time.
    const [found] = await late.casesOf(at);
    await at.buyer.client.ok(withdrawDispute, { disputeSn: found?.sn ?? '' });
    expect((await at.buyer.client.call(c.handoverDone, { orderId: at.orderId, step: 1 })).code).toBe(0);
    await t.timers();
    expect(await late.row(at)).toMatchObject({ status: 1, disputed: false, endHours: 72 });
  });
});

describe('who tries to gain by it', () => {
  test('a seller who seals a false secret does not stop the clock', async () => {
    const at = await late.paid();
    await late.overdue(at);
    await at.seller.client.ok(c.sealSecret, {
      orderId: at.orderId,
      step: 1,
      fields: { account: 'no', password: 'no' },
    });
    await late.pass(at, 49);
    await late.pass(at, 25);
    expect(await late.row(at)).toMatchObject({ status: OrderStatus.SellerCancelled });
    expect(await late.worth(at.buyer.id)).toBe(START);
  });

  test('a seller who opens cases and takes them back gets no more time', async () => {
    const at = await late.paid(ITEMS);
    await late.overdue(at);
    const openAndWithdraw = async (): Promise<void> => {
      const { disputeSn } = await at.seller.client.ok(openDispute, {
        ...complaint(at.orderSn, { want: 'continue', reason: 'other', answers: { what: '买家没有上线' } }),
        wantAmount: undefined,
      });
      expect((await late.row(at)).timers).toBe(0);
      await at.seller.client.ok(withdrawDispute, { disputeSn });
    };
    for (const left of [52, 32, 24]) {
      await late.pass(at, 20);
      await openAndWithdraw();
      // The last of these notified of the last day, which is a whole day.
      expect((await late.row(at)).endHours).toBe(left);
    }
    await late.pass(at, 20);
    await openAndWithdraw();
    expect((await late.row(at)).endHours).toBe(4);
    await late.pass(at, 5);
    expect((await late.row(at)).status).toBe(OrderStatus.SellerCancelled);
  });

  test('a buyer who holds the item does not get the money back by silence: customer service looks at it', async () => {
    const at = await late.paid(ITEMS);
    expect((await late.step(at, 1)).code).toBe(0);
    // Delivered by an earlier version, in which the last step did not ship.
    await stepsDone(t, at.orderId, 'deliver');
    await sql`update orders set delivered_at = now() where id = ${at.orderId}`.execute(t.ctx.db);
    await late.overdue(at);
    expect((await late.told(at.buyer.id, at)).join()).toContain('转客服处理');
    await late.pass(at, 49);
    await late.pass(at, 25);
    expect(await late.row(at)).toMatchObject({ status: 1, disputed: true });
    const [found] = await late.casesOf(at);
    expect(found?.reason).toBe('order_late');
    // Staff find that it was delivered: the order goes on, and its time begins again.
    await assign(t, at.orderId, staff);
    await sql`update dispute set staff_id = ${staff.id}, status = 'evidence' where id = ${found?.id}`.execute(t.ctx.db);
    const ruled = await staff.client.call(staffDisputeRule, {
      disputeSn: found?.sn ?? '',
      refund: '0.00',
      rules: ['1.2'],
      reason: '截图证明已经交付，请卖家确认发货',
    } as never);
    expect(ruled.code).toBe(0);
    expect(await late.worth(at.buyer.id)).toBe(START - 10_100);
  });

  test('an opened form is enough to need eyes', async () => {
    const at = await late.paid();
    await at.seller.client.ok(c.sealSecret, { orderId: at.orderId, step: 1, fields: { account: 'a', password: 'b' } });
    await sql`update orders set credential_opened_at = now() where id = ${at.orderId}`.execute(t.ctx.db);
    await late.overdue(at);
    await late.pass(at, 49);
    await late.pass(at, 25);
    expect(await late.row(at)).toMatchObject({ status: 1, disputed: true });
  });

  test('the database refuses the step before its time, without the last notice and against the wrong party', async () => {
    const at = await late.paid(ITEMS);
    const plan = {
      orderId: at.orderId,
      sn: at.orderSn,
      from: [1],
      to: 8,
      explain: 'x',
      actor: 'timer',
      transfers: [],
      goods: 'free',
      complete: false,
      only: { undisputed: true, late: true },
      timers: { set: [], clear: [] },
      events: [],
    };
    const run = () => sql`select order_step(${JSON.stringify(plan)}::jsonb)`.execute(t.ctx.db);
    const set = (what: ReturnType<typeof sql>) =>
      sql`update orders set ${what} where id = ${at.orderId}`.execute(t.ctx.db);
    await expect(run()).rejects.toMatchObject({ code: 'YS208' });
    await set(sql`late_end_at = now() - interval '1 minute'`);
    await expect(run()).rejects.toMatchObject({ code: 'YS208' });
    await set(sql`late_warned_at = now() - interval '1 day', late_end_at = now() + interval '1 minute'`);
    await expect(run()).rejects.toMatchObject({ code: 'YS208' });
    await set(sql`late_end_at = now() - interval '1 minute', delivered_at = now()`);
    await expect(run()).rejects.toMatchObject({ code: 'YS208' });
    await set(sql`delivered_at = null`);
    await sql`update order_handover set actor = 'staff' where order_id = ${at.orderId} and step = 1`.execute(t.ctx.db);
    await expect(run()).rejects.toMatchObject({ code: 'YS208' });
    // The deferred trigger of escrow does not let the status go without its money.
    await sql`update order_handover set actor = 'seller' where order_id = ${at.orderId} and step = 1`.execute(t.ctx.db);
    await expect(run()).rejects.toThrow(/escrow/);
  });
});
