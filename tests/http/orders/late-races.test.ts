/** The end of a late order beside what its parties do at the same moment, and orders that other clocks end (decision 440). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffHandoverDone } from '#subjects/orders/contract/staff-orders.ts';
import { codes } from '#contract/codes.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { isCancelled, OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { complaint } from '#tests/support/orders/disputes.ts';
import { ITEMS, type LateOrders, lateOrders, START } from '#tests/support/orders/late-orders.ts';
import { addStepsGame, assign, shippedWithOpenStep, staffPicture, timeOver } from '#tests/support/orders/orders.ts';

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

describe('at the same time', () => {
  test('shipping, cancelling, a case and the rule: one of them has the order, and the money is where it says', {
    timeout: 300_000,
  }, async () => {
    for (let n = 0; n < 8; n++) {
      const at = await late.paid(ITEMS);
      await sql`update order_handover set before_ship = false where order_id = ${at.orderId}`.execute(t.ctx.db);
      await late.overdue(at);
      await late.pass(at, 49);
      await late.later(at, 25);
      const acts = [
        async () => await at.seller.client.call(c.offlineTranSub, { orderId: at.orderId }),
        async () => await at.buyer.client.call(c.cancelOrder, { orderId: at.orderId }),
        async () => await at.buyer.client.call(openDispute, complaint(at.orderSn)),
      ];
      // The rule alone against each of the others, and all of them.
      const drawn = n % 4 === 3 ? acts : acts.slice(n % 4, (n % 4) + 1);
      const calls = drawn.map(async (act) => await act());
      await t.timers();
      const taken = (await Promise.all(calls)).filter(({ code }) => code === 0).length;
      await t.relay();
      const { status, disputed } = await late.row(at);
      const back = await late.worth(at.buyer.id);
      expect([1, 2, 7, 8]).toContain(status);
      // What the parties did not take, the rule has cancelled. Of all three at once a shipped order may also get a case.
      if (taken === 0) expect(isCancelled(status)).toBe(true);
      if (isCancelled(status)) expect(taken).toBeLessThanOrEqual(1);
      // Where it is paid still, a case holds it.
      if (status === OrderStatus.Paid) expect(disputed).toBe(true);
      expect(back).toBe(isCancelled(status) ? START : START - 10_100);
    }
  });
});

describe('what has another clock', () => {
  test('a check that was the last step before the shipping ends the clock', async () => {
    const at = await late.paid();
    await assign(t, at.orderId, staff);
    expect((await late.step(at, 1)).code).toBe(0);
    await staff.client.ok(staffHandoverDone, {
      orderId: at.orderId,
      step: 2,
      pictures: [await staffPicture(staff)],
    });
    await t.timers();
    expect(await late.row(at)).toMatchObject({ status: 2, endHours: null, timers: 0 });
  });

  test('nobody but the clock can take the step', async () => {
    const at = await late.paid(ITEMS);
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
    expect((await late.row(at)).timers).toBe(1);
    await late.pass(at, 71);
    expect(await late.row(at)).toMatchObject({ status: 2, disputed: false, timers: 1 });
    await late.pass(at, 2);
    expect(await late.row(at)).toMatchObject({ status: 2, disputed: true, timers: 0 });
    const [found] = await late.casesOf(at);
    expect(found?.reason).toBe('order_late');
    // Withdrawn, it is opened again after a day; withdrawn a second time, immediately: that wins no more time.
    await at.buyer.client.ok(withdrawDispute, { disputeSn: found?.sn ?? '' });
    await late.pass(at, 23);
    expect(await late.row(at)).toMatchObject({ disputed: false, timers: 1 });
    await late.pass(at, 2);
    const second = (await late.casesOf(at))[1];
    await at.buyer.client.ok(withdrawDispute, { disputeSn: second?.sn ?? '' });
    await t.timers();
    expect(await late.casesOf(at)).toHaveLength(3);
  });

  test('is left alone once the step is done', async () => {
    const at = await shippedWithOpenStep(t);
    await timeOver(t, at.orderId);
    expect((await late.step(at, 3)).code).toBe(0);
    await late.later(at, 80);
    await sql`update orders set auto_confirm_at = now() + interval '1 day' where id = ${at.orderId}`.execute(t.ctx.db);
    await t.timers();
    expect(await late.row(at)).toMatchObject({ disputed: false });
    expect(await late.casesOf(at)).toEqual([]);
  });
});
