/** A late order's clock beside cases, settings of earlier builds, and where it is missing (decision 440). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { scheduleMissingLateTimers } from '#subjects/orders/server/handover/late-missing.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { complaint } from '#tests/support/orders/disputes.ts';
import { ITEMS, type LateOrders, lateOrders } from '#tests/support/orders/late-orders.ts';
import { addStepsGame, shippedWithOpenStep, timeOver, type Trade } from '#tests/support/orders/orders.ts';
import { putSetting } from '#tests/support/market/settings.ts';

const HOUR = 3600;

let t: TestApp;
let late: LateOrders;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addStepsGame(t);
  late = lateOrders(t);
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

describe('a case that is taken back', () => {
  const openAndWithdraw = async (at: Trade): Promise<void> => {
    const { disputeSn } = await at.buyer.client.ok(openDispute, complaint(at.orderSn));
    await at.buyer.client.ok(withdrawDispute, { disputeSn });
  };

  test('before the order is late leaves it the whole time once it is', async () => {
    const at = await late.paid(ITEMS);
    await openAndWithdraw(at);
    expect(await late.row(at)).toMatchObject({ endHours: null, timers: 1 });
    await late.overdue(at);
    expect(await late.row(at)).toMatchObject({ endHours: 72 });
    for (const id of [at.buyer.id, at.seller.id]) expect(await late.told(id, at)).toHaveLength(1);
  });

  test('and that the clock had opened leaves a day, once, of which both are told', async () => {
    const at = await late.paid(ITEMS);
    await sql`update order_handover set actor = 'buyer' where order_id = ${at.orderId} and step = 1`.execute(t.ctx.db);
    await late.overdue(at);
    await late.pass(at, 49);
    await late.pass(at, 25);
    const [first] = await late.casesOf(at);
    const before = (await late.told(at.seller.id, at)).length;
    await at.buyer.client.ok(withdrawDispute, { disputeSn: first?.sn ?? '' });
    await t.timers();
    await t.relay();
    expect(await late.row(at)).toMatchObject({ disputed: false, endHours: 24, timers: 1 });
    expect(await late.told(at.seller.id, at)).toHaveLength(before + 1);
    await late.pass(at, 25);
    const second = (await late.casesOf(at))[1];
    await at.buyer.client.ok(withdrawDispute, { disputeSn: second?.sn ?? '' });
    await t.timers();
    expect(await late.casesOf(at)).toHaveLength(3);
  });
});

describe('a setting that an earlier build wrote, without the time of silence', () => {
  test('ends a late order after the usual time', async () => {
    await putSetting(t, 'order', { lateSeconds: null });
    try {
      const at = await late.paid(ITEMS);
      await late.overdue(at);
      expect(await late.row(at)).toMatchObject({ endHours: 72, timers: 1 });
      const shipped = await shippedWithOpenStep(t);
      await timeOver(t, shipped.orderId);
      expect((await late.row(shipped)).timers).toBe(1);
      await late.pass(shipped, 73);
      expect(await late.row(shipped)).toMatchObject({ disputed: true });
    } finally {
      await putSetting(t, 'order', { lateSeconds: 72 * HOUR });
    }
  });
});

describe('an order whose clock is missing, as where an earlier build was paid', () => {
  const sweep = async (): Promise<void> => {
    await scheduleMissingLateTimers(t.ctx);
    await t.timers();
    await t.relay();
  };
  const drop = async ({ orderId }: Trade): Promise<void> =>
    void (await sql`delete from timer where kind = 'order.late' and ref = ${String(orderId)}`.execute(t.ctx.db));

  test('gets it, and one that was told of its end before has a whole day again', async () => {
    const at = await late.paid(ITEMS);
    await drop(at);
    await sweep();
    expect(await late.row(at)).toMatchObject({ endHours: null, timers: 1 });
    await late.overdue(at);
    await late.pass(at, 49);
    await drop(at);
    await late.later(at, 25);
    await sweep();
    await t.timers();
    expect(await late.row(at)).toMatchObject({ status: 1, endHours: 24, timers: 1 });
    const shipped = await shippedWithOpenStep(t);
    await timeOver(t, shipped.orderId);
    await drop(shipped);
    await sweep();
    expect((await late.row(shipped)).timers).toBe(1);
  });

  test('but none where it failed for good, or where a case stands', async () => {
    const [failed, disputed] = [await late.paid(ITEMS), await late.paid(ITEMS)];
    await drop(failed);
    await sql`insert into dead_letter (what, name, ref, error, attempts, first_failed_at)
      values ('job', 'order.late', ${String(failed.orderId)}, 'x', 8, now())`.execute(t.ctx.db);
    await disputed.buyer.client.ok(openDispute, complaint(disputed.orderSn));
    await sweep();
    for (const at of [failed, disputed]) expect((await late.row(at)).timers).toBe(0);
  });
});
