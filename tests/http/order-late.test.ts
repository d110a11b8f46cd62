/** A paid order that nobody ships ends though nobody does anything: by rule, or before customer service (decision 440). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffDisputeRule } from '#contract/backstage-disputes.ts';
import { staffHandoverDone } from '#contract/backstage-orders.ts';
import { codes } from '#contract/codes.ts';
import { distributeUserCoupon } from '#contract/coupon.ts';
import { depositPay } from '#contract/deposit.ts';
import { openDispute, withdrawDispute } from '#contract/dispute.ts';
import * as c from '#contract/order.ts';
import { balancePay } from '#contract/pay.ts';
import { OrderStatus } from '#contract/rules/order-status.ts';
import { plantMissing } from '#server/slices/orders/late-missing.ts';
import { balancesOf, brokenInvariants } from '#server/slices/ledger/service.ts';
import { loadSellerDetails } from '#server/slices/seller-levels/queries.ts';
import type { LevelSetting } from '#server/slices/seller-levels/rules.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/build.ts';
import { addCampaign } from '#tests/support/campaigns.ts';
import { passTime } from '#tests/support/clock.ts';
import { complaint } from '#tests/support/disputes.ts';
import { addGoods } from '#tests/support/goods.ts';
import {
  addStepsGame,
  assign,
  shippedWithOpenStep,
  staffPicture,
  timeOver,
  type Trade,
  trade,
  userPicture,
} from '#tests/support/orders.ts';
import { putSetting } from '#tests/support/settings.ts';

let t: TestApp;
let staff: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addStepsGame(t);
  staff = await t.newStaff({ role: 'service' });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const HOUR = 3600;
const START = 30_000;
const ITEMS = { typeId: 27 };

/** Paid, and the event of the payment worked on. */
async function paid(options: Parameters<typeof trade>[1] = {}): Promise<Trade> {
  const at = await trade(t, options);
  await t.relay();
  return at;
}
/** Lets hours go by for an order and its clock, without running it. */
async function later({ orderId }: Trade, hours: number): Promise<void> {
  await passTime(t.ctx.db, 'orders', { id: orderId }, { hours });
  await passTime(t.ctx.db, 'timer', { kind: 'order.late', ref: String(orderId) }, { hours });
}
async function pass(at: Trade, hours: number): Promise<void> {
  await later(at, hours);
  await t.timers();
  await t.relay();
}
/** Lets the time to ship be over. */
async function overdue(at: Trade): Promise<void> {
  const { rows } = await sql<{ hours: number }>`
    select extract(epoch from ship_by - now())::float8 / ${HOUR} as hours from orders where id = ${at.orderId}`.execute(
    t.ctx.db,
  );
  await pass(at, (rows[0]?.hours ?? 0) + 0.1);
}
interface Row {
  status: number;
  disputed: boolean;
  endHours: number | null;
  timers: number;
}
async function row({ orderId }: Trade): Promise<Row> {
  const { rows } = await sql<Row>`
    select status, disputed, round(extract(epoch from late_end_at - now()) / ${HOUR})::int as "endHours",
      (select count(*)::int from timer where kind = 'order.late' and ref = ${String(orderId)}) as timers
    from orders where id = ${orderId}`.execute(t.ctx.db);
  if (!rows[0]) throw new Error('no order');
  return rows[0];
}
const told = async (userId: number, { orderSn }: Trade): Promise<string[]> => {
  const { rows } = await sql<{ body: string }>`
    select body from notice where user_id = ${userId} and kind = 'order.overdue' and link like ${`%${orderSn}`} order by id`.execute(
    t.ctx.db,
  );
  return rows.map(({ body }) => body);
};
const worth = async (userId: number): Promise<number> => {
  const { availableFen, frozenFen } = await balancesOf(t.ctx.db, userId);
  return availableFen + frozenFen;
};
const casesOf = async ({ orderId }: Trade): Promise<{ id: number; sn: string; reason: string; opener: number }[]> =>
  (
    await sql<{ id: number; sn: string; reason: string; opener: number }>`
      select id, sn, reason_code as reason, opener_id as opener from dispute where order_id = ${orderId} order by id`.execute(
      t.ctx.db,
    )
  ).rows;
const stock = async (id: number): Promise<{ status: number; stock: number }> => {
  const { rows } = await sql<{
    status: number;
    stock: number;
  }>`select status, stock from goods where id = ${id}`.execute(t.ctx.db);
  return rows[0] ?? { status: -1, stock: -1 };
};
const step = async (at: Trade, n: number) =>
  await at.seller.client.call(c.handoverDone, {
    orderId: at.orderId,
    step: n,
    pictures: [await userPicture(at.seller)],
  });

describe('a late order on which nobody acts', () => {
  test('is cancelled with everything back, after both were told at its time to ship and a day before', async () => {
    const at = await paid(ITEMS);
    const people = [at.buyer.id, at.seller.id];
    const seen = await at.buyer.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(seen.deadlineText).toContain('超时未发货将自动退款');
    await overdue(at);
    expect(await row(at)).toEqual({ status: 1, disputed: false, endHours: 72, timers: 1 });
    for (const id of people) expect(await told(id, at)).toHaveLength(1);
    const late = await at.buyer.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(late.deadlineText).toMatch(/买家可直接取消；\d{4}-\d\d-\d\d \d\d:\d\d 前仍未发货自动全额退款/);
    expect(late.process.at(-1)?.explain).toContain('订单自动取消并全额退款');
    await pass(at, 47);
    for (const id of people) expect(await told(id, at)).toHaveLength(1);
    await pass(at, 2);
    for (const id of people) expect(await told(id, at)).toHaveLength(2);
    expect(await row(at)).toMatchObject({ status: 1, timers: 1 });
    await pass(at, 24);
    expect(await row(at)).toMatchObject({ status: OrderStatus.SellerCancelled, timers: 0 });
    expect([await worth(at.buyer.id), await worth(at.seller.id)]).toEqual([START, 0]);
    expect((await stock(at.goods.id)).status).toBe(2);
    for (const user of [at.buyer, at.seller]) {
      const { rows } = await sql<{ body: string }>`
        select body from notice where user_id = ${user.id} and kind = 'order.cancelled'`.execute(t.ctx.db);
      expect(rows.map(({ body }) => body).join()).toContain('超过发货时限仍未发货');
    }
  });

  test('counts in the seller’s record as a sale that the seller cancelled, and takes no deposit', async () => {
    const seller = await t.newUser({ soldCount: 9, balanceFen: 50_000 });
    await seller.client.ok(depositPay, { role: 'seller', level: 1 });
    const at = await paid({ ...ITEMS, seller });
    await overdue(at);
    await pass(at, 49);
    await pass(at, 25);
    expect((await row(at)).status).toBe(OrderStatus.SellerCancelled);
    const details = await loadSellerDetails(t.ctx.db, seller.id, t.ctx.dir.setting<LevelSetting>('seller_levels'));
    expect(details?.cancelled).toBe(1);
    expect((await balancesOf(t.ctx.db, seller.id)).depositFen).toBe(50_000);
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
    await overdue(at);
    await pass(at, 49);
    await pass(at, 25);
    expect([(await row(at)).status, await worth(buyer.id)]).toEqual([OrderStatus.SellerCancelled, START]);
    const { rows } = await sql<{ used: boolean }>`
      select order_id is not null as used from coupon where user_id = ${buyer.id}`.execute(t.ctx.db);
    expect(rows).toEqual([{ used: false }]);
  });

  test('a market that stood still tells both and waits a day before it ends anything', async () => {
    const at = await paid(ITEMS);
    await overdue(at);
    await pass(at, 24 * 9);
    expect(await row(at)).toMatchObject({ status: 1, endHours: 24, timers: 1 });
    expect(await told(at.seller.id, at)).toHaveLength(2);
    await pass(at, 25);
    expect((await row(at)).status).toBe(OrderStatus.SellerCancelled);
  });
});

describe('a case that is taken back', () => {
  const openAndWithdraw = async (at: Trade): Promise<void> => {
    const { disputeSn } = await at.buyer.client.ok(openDispute, complaint(at.orderSn));
    await at.buyer.client.ok(withdrawDispute, { disputeSn });
  };

  test('before the order is late leaves it the whole time once it is', async () => {
    const at = await paid(ITEMS);
    await openAndWithdraw(at);
    expect(await row(at)).toMatchObject({ endHours: null, timers: 1 });
    await overdue(at);
    expect(await row(at)).toMatchObject({ endHours: 72 });
    for (const id of [at.buyer.id, at.seller.id]) expect(await told(id, at)).toHaveLength(1);
  });

  test('and that the clock had opened leaves a day, once, of which both are told', async () => {
    const at = await paid(ITEMS);
    await sql`update order_handover set actor = 'buyer' where order_id = ${at.orderId} and step = 1`.execute(t.ctx.db);
    await overdue(at);
    await pass(at, 49);
    await pass(at, 25);
    const [first] = await casesOf(at);
    const before = (await told(at.seller.id, at)).length;
    await at.buyer.client.ok(withdrawDispute, { disputeSn: first?.sn ?? '' });
    await t.timers();
    await t.relay();
    expect(await row(at)).toMatchObject({ disputed: false, endHours: 24, timers: 1 });
    expect(await told(at.seller.id, at)).toHaveLength(before + 1);
    await pass(at, 25);
    const second = (await casesOf(at))[1];
    await at.buyer.client.ok(withdrawDispute, { disputeSn: second?.sn ?? '' });
    await t.timers();
    expect(await casesOf(at)).toHaveLength(3);
  });
});

describe('a setting that an earlier build wrote, without the time of silence', () => {
  test('ends a late order after the usual time', async () => {
    await putSetting(t, 'order', { lateSeconds: null });
    try {
      const at = await paid(ITEMS);
      await overdue(at);
      expect(await row(at)).toMatchObject({ endHours: 72, timers: 1 });
      const shipped = await shippedWithOpenStep(t);
      await timeOver(t, shipped.orderId);
      expect((await row(shipped)).timers).toBe(1);
      await pass(shipped, 73);
      expect(await row(shipped)).toMatchObject({ disputed: true });
    } finally {
      await putSetting(t, 'order', { lateSeconds: 72 * HOUR });
    }
  });
});

describe('an order whose clock is missing, as where an earlier build was paid', () => {
  const sweep = async (): Promise<void> => {
    await plantMissing(t.ctx);
    await t.timers();
    await t.relay();
  };
  const drop = async ({ orderId }: Trade): Promise<void> =>
    void (await sql`delete from timer where kind = 'order.late' and ref = ${String(orderId)}`.execute(t.ctx.db));

  test('gets it, and one that was told of its end before has a whole day again', async () => {
    const at = await paid(ITEMS);
    await drop(at);
    await sweep();
    expect(await row(at)).toMatchObject({ endHours: null, timers: 1 });
    await overdue(at);
    await pass(at, 49);
    await drop(at);
    await later(at, 25);
    await sweep();
    await t.timers();
    expect(await row(at)).toMatchObject({ status: 1, endHours: 24, timers: 1 });
    const shipped = await shippedWithOpenStep(t);
    await timeOver(t, shipped.orderId);
    await drop(shipped);
    await sweep();
    expect((await row(shipped)).timers).toBe(1);
  });

  test('but none where it failed for good, or where a case stands', async () => {
    const [failed, disputed] = [await paid(ITEMS), await paid(ITEMS)];
    await drop(failed);
    await sql`insert into dead_letter (what, name, ref, error, attempts, first_failed_at)
      values ('job', 'order.late', ${String(failed.orderId)}, 'x', 8, now())`.execute(t.ctx.db);
    await disputed.buyer.client.ok(openDispute, complaint(disputed.orderSn));
    await sweep();
    for (const at of [failed, disputed]) expect((await row(at)).timers).toBe(0);
  });
});

describe('the clock does not run against a seller', () => {
  test('who ships in the last second', async () => {
    const at = await paid(ITEMS);
    for (const n of [1, 2]) expect((await step(at, n)).code).toBe(0);
    await sql`update order_handover set done_at = null where order_id = ${at.orderId}`.execute(t.ctx.db);
    await sql`update orders set touched_at = null, delivered_at = null where id = ${at.orderId}`.execute(t.ctx.db);
    await overdue(at);
    await pass(at, 49);
    await later(at, 25);
    for (const n of [1, 2]) expect((await step(at, n)).code).toBe(0);
    await at.seller.client.ok(c.offlineTranSub, { orderId: at.orderId });
    await t.timers();
    expect(await row(at)).toMatchObject({ status: OrderStatus.Shipped, timers: 0 });
  });

  test('whose next step is the staff’s: it goes before customer service, and the record stays clean', async () => {
    const at = await paid();
    await assign(t, at.orderId, staff);
    await overdue(at);
    expect((await step(at, 1)).code).toBe(0);
    await t.timers();
    await t.relay();
    // Done after the time to ship: whoever is next has the whole time.
    expect(await row(at)).toMatchObject({ status: 1, endHours: 72 });
    await pass(at, 49);
    await pass(at, 25);
    expect(await row(at)).toMatchObject({ status: 1, disputed: true, timers: 0 });
    expect(await casesOf(at)).toMatchObject([{ reason: 'order_late', opener: at.buyer.id }]);
    const details = await loadSellerDetails(t.ctx.db, at.seller.id, t.ctx.dir.setting<LevelSetting>('seller_levels'));
    expect(details).toMatchObject({ cancelled: 0, lost: 0 });
  });

  test('whose next step is the buyer’s, who is silent on purpose', async () => {
    const at = await paid(ITEMS);
    await sql`update order_handover set actor = 'buyer' where order_id = ${at.orderId} and step = 1`.execute(t.ctx.db);
    await overdue(at);
    await pass(at, 49);
    await pass(at, 25);
    expect(await row(at)).toMatchObject({ status: 1, disputed: true });
    expect((await balancesOf(t.ctx.db, at.seller.id)).depositFen).toBe(0);
    // The buyer's word at last, and a ruling that lets the order go on: the seller has the whole time.
    const [found] = await casesOf(at);
    await at.buyer.client.ok(withdrawDispute, { disputeSn: found?.sn ?? '' });
    expect((await at.buyer.client.call(c.handoverDone, { orderId: at.orderId, step: 1 })).code).toBe(0);
    await t.timers();
    expect(await row(at)).toMatchObject({ status: 1, disputed: false, endHours: 72 });
  });
});

describe('who tries to gain by it', () => {
  test('a seller who seals a false secret does not stop the clock', async () => {
    const at = await paid();
    await overdue(at);
    await at.seller.client.ok(c.sealSecret, {
      orderId: at.orderId,
      step: 1,
      fields: { account: 'no', password: 'no' },
    });
    await pass(at, 49);
    await pass(at, 25);
    expect(await row(at)).toMatchObject({ status: OrderStatus.SellerCancelled });
    expect(await worth(at.buyer.id)).toBe(START);
  });

  test('a seller who opens cases and takes them back gets no more time', async () => {
    const at = await paid(ITEMS);
    await overdue(at);
    const openAndWithdraw = async (): Promise<void> => {
      const { disputeSn } = await at.seller.client.ok(openDispute, {
        ...complaint(at.orderSn, { want: 'continue', reason: 'other', answers: { what: '买家没有上线' } }),
        wantAmount: undefined,
      });
      expect((await row(at)).timers).toBe(0);
      await at.seller.client.ok(withdrawDispute, { disputeSn });
    };
    for (const left of [52, 32, 24]) {
      await pass(at, 20);
      await openAndWithdraw();
      // The last time it was told of the last day, which is a whole one.
      expect((await row(at)).endHours).toBe(left);
    }
    await pass(at, 20);
    await openAndWithdraw();
    expect((await row(at)).endHours).toBe(4);
    await pass(at, 5);
    expect((await row(at)).status).toBe(OrderStatus.SellerCancelled);
  });

  test('a buyer who holds the item does not get the money back by silence: customer service looks at it', async () => {
    const at = await paid(ITEMS);
    for (const n of [1, 2]) expect((await step(at, n)).code).toBe(0);
    await overdue(at);
    expect((await told(at.buyer.id, at)).join()).toContain('转客服处理');
    await pass(at, 49);
    await pass(at, 25);
    expect(await row(at)).toMatchObject({ status: 1, disputed: true });
    const [found] = await casesOf(at);
    expect(found?.reason).toBe('order_late');
    // Staff find that it was delivered: the order goes on, and its time begins anew.
    await assign(t, at.orderId, staff);
    await sql`update dispute set staff_id = ${staff.id}, status = 'evidence' where id = ${found?.id}`.execute(t.ctx.db);
    const ruled = await staff.client.call(staffDisputeRule, {
      disputeSn: found?.sn ?? '',
      refund: '0.00',
      rules: ['1.2'],
      reason: '截图证明已经交付，请卖家确认发货',
    } as never);
    expect(ruled.code).toBe(0);
    expect(await worth(at.buyer.id)).toBe(START - 10_100);
  });

  test('an opened form is enough to need eyes', async () => {
    const at = await paid();
    await at.seller.client.ok(c.sealSecret, { orderId: at.orderId, step: 1, fields: { account: 'a', password: 'b' } });
    await sql`update orders set credential_opened_at = now() where id = ${at.orderId}`.execute(t.ctx.db);
    await overdue(at);
    await pass(at, 49);
    await pass(at, 25);
    expect(await row(at)).toMatchObject({ status: 1, disputed: true });
  });

  test('the database refuses the step before its time, without the last notice and against the wrong party', async () => {
    const at = await paid(ITEMS);
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

describe('at the same time', () => {
  const ends = new Map<string, number>();

  test('shipping, cancelling, a case and the rule: one of them has the order, and the money is where it says', async () => {
    for (let n = 0; n < 16; n++) {
      const at = await paid(ITEMS);
      await sql`update order_handover set before_ship = false where order_id = ${at.orderId}`.execute(t.ctx.db);
      await overdue(at);
      await pass(at, 49);
      await later(at, 25);
      const acts = [
        async () => [(await at.seller.client.call(c.offlineTranSub, { orderId: at.orderId })).code],
        async () => [(await at.buyer.client.call(c.cancelOrder, { orderId: at.orderId })).code],
        async () => [(await at.buyer.client.call(openDispute, complaint(at.orderSn))).code],
        async () => void (await t.timers()),
      ];
      // The rule alone against each of the others, and all of them.
      const drawn = n % 4 === 3 ? acts : [acts[n % 4], acts[3]];
      await Promise.all(drawn.toSorted(() => Math.random() - 0.5).map((act) => act?.()));
      await t.relay();
      const { status, disputed } = await row(at);
      const back = await worth(at.buyer.id);
      ends.set(
        `${status}${disputed ? ' disputed' : ''}`,
        (ends.get(`${status}${disputed ? ' disputed' : ''}`) ?? 0) + 1,
      );
      expect([1, 2, 7, 8]).toContain(status);
      // Where it is paid still, a case holds it.
      if (status === 1) expect(disputed).toBe(true);
      expect(back).toBe(status >= 7 ? START : START - 10_100);
    }
    expect(ends.size).toBeGreaterThan(1);
  });
});

describe('what has another clock', () => {
  test('a step of staff that was done in time leaves the seller his', async () => {
    const at = await paid();
    await assign(t, at.orderId, staff);
    expect((await step(at, 1)).code).toBe(0);
    await staff.client.ok(staffHandoverDone, {
      orderId: at.orderId,
      step: 2,
      pictures: [await staffPicture(staff)],
    });
    await t.timers();
    expect(await row(at)).toMatchObject({ status: 1, endHours: null, timers: 1 });
  });

  test('nobody but the clock can take the step', async () => {
    const at = await paid(ITEMS);
    for (const user of [at.buyer, at.seller]) {
      const { acts } = await user.client.ok(c.orderDetail, { orderSn: at.orderSn });
      expect(acts.map(({ act }) => act)).not.toContain('lateEnd');
    }
    expect((await at.seller.client.call(c.requestCancel, { orderId: at.orderId, act: 'agree' })).code).toBe(
      codes.ORDER_STATE[0],
    );
  });
});

describe('a shipped order whose clock stands still for a missing step', () => {
  test('goes before customer service when the step does not come, again after a ruling that lets it go on', async () => {
    const at = await shippedWithOpenStep(t);
    await timeOver(t, at.orderId);
    expect((await row(at)).timers).toBe(1);
    await pass(at, 71);
    expect(await row(at)).toMatchObject({ status: 2, disputed: false, timers: 1 });
    await pass(at, 2);
    expect(await row(at)).toMatchObject({ status: 2, disputed: true, timers: 0 });
    const [found] = await casesOf(at);
    expect(found?.reason).toBe('order_late');
    // Taken back, it comes again after a day; taken back again, at once: no more time is won by it.
    await at.buyer.client.ok(withdrawDispute, { disputeSn: found?.sn ?? '' });
    await pass(at, 23);
    expect(await row(at)).toMatchObject({ disputed: false, timers: 1 });
    await pass(at, 2);
    const second = (await casesOf(at))[1];
    await at.buyer.client.ok(withdrawDispute, { disputeSn: second?.sn ?? '' });
    await t.timers();
    expect(await casesOf(at)).toHaveLength(3);
  });

  test('is left alone once the step is done', async () => {
    const at = await shippedWithOpenStep(t);
    await timeOver(t, at.orderId);
    expect((await step(at, 3)).code).toBe(0);
    await later(at, 80);
    await sql`update orders set auto_confirm_at = now() + interval '1 day' where id = ${at.orderId}`.execute(t.ctx.db);
    await t.timers();
    expect(await row(at)).toMatchObject({ disputed: false });
    expect(await casesOf(at)).toEqual([]);
  });
});
