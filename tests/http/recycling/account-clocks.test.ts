/** The clocks of recycled accounts beside cases and readings that do not come (decision 440). */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as c from '#subjects/recycling/contract/account-recycling.ts';
import { staffHandoverDone } from '#subjects/orders/contract/staff-orders.ts';
import { codes } from '#contract/codes.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { orderDetail } from '#subjects/orders/contract/order.ts';
import { inTransaction } from '#server/db/client.ts';
import { onDue, scheduleMissingTimers } from '#subjects/recycling/server/accounts/clock.ts';
import type { TestStaff } from '#tests/support/servers/build.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { staffPicture } from '#tests/support/orders/orders.ts';
import { openRecycling, type Recycling, SAID, type Sold } from '#tests/support/services/recycling.ts';
import { putSetting } from '#tests/support/market/settings.ts';

let m: Recycling;
beforeAll(async () => {
  m = await openRecycling();
});
afterAll(() => m.close());

const START = 1_000_000;
const ended = async ({ sn }: { sn: string }): Promise<string> => {
  const { rows } = await sql<{ status: string }>`select status from recycle_request where sn = ${sn}`.execute(
    m.t.ctx.db,
  );
  return rows[0]?.status ?? '';
};
/** The fields of a dispute over an account that differs. */
const differs = (orderSn: string) => ({
  orderSn,
  reason: 'not_as_described',
  want: 'refund' as const,
  answers: { field: '皮肤数量', found: '只剩 10 款' },
  text: '验号之后皮肤被分解，接管时只剩十款',
});

test('a case that the seller takes back after the time to hand over does not keep the bid', async () => {
  const q = await m.quoted();
  const { orderId, orderSn } = await q.seller.client.ok(c.recycleAccept, { requestSn: q.sn, price: '700.00' });
  const complaint = {
    orderSn,
    reason: 'other',
    want: 'continue',
    answers: { what: '等等再交' },
    text: '我过几天再交账号',
  };
  const { disputeSn } = await q.seller.client.ok(openDispute, complaint as never);
  await m.due(q);
  expect(await ended(q)).toBe('accepted');
  await q.seller.client.ok(withdrawDispute, { disputeSn });
  // The clock looks again.
  await makeDue(m.t.ctx.db, 'recycle.due', q.id);
  await m.t.timers();
  expect(await ended(q)).toBe('closed');
  expect(await m.available(q.buyer)).toBe(START);
  expect(orderId).toBeGreaterThan(0);
});

const orderSnOf = async ({ orderId }: Sold): Promise<string> =>
  (await sql<{ sn: string }>`select sn from orders where id = ${orderId}`.execute(m.t.ctx.db)).rows[0]?.sn ?? '';

test('cases that are taken back do not put off the reading of a sealed account', async () => {
  const trade = await m.sold();
  await passTime(m.t.ctx.db, 'sealed_credential', { order_id: trade.orderId }, { hours: 73 });
  const { disputeSn } = await trade.buyer.client.ok(openDispute, differs(await orderSnOf(trade)));
  await trade.buyer.client.ok(withdrawDispute, { disputeSn });
  await m.due(trade);
  const { rows } = await sql<{ reason: string }>`
    select reason_code as reason from dispute where order_id = ${trade.orderId} and closed_at is null`.execute(
    m.t.ctx.db,
  );
  expect(rows).toEqual([{ reason: 'order_late' }]);
});

test('a sealed account whose clock is missing, as where an earlier build ended it, gets it again', async () => {
  const trade = await m.sold();
  const timers = async () =>
    (
      await sql`select from timer t join recycle_request r on t.kind = 'recycle.due' and t.ref = r.id::text where r.sn = ${trade.sn}`.execute(
        m.t.ctx.db,
      )
    ).rows.length;
  await sql`delete from timer t using recycle_request r where t.kind = 'recycle.due' and t.ref = r.id::text and r.sn = ${trade.sn}`.execute(
    m.t.ctx.db,
  );
  expect(await timers()).toBe(0);
  await scheduleMissingTimers(m.t.ctx);
  expect(await timers()).toBe(1);
});

test('the clock of a request waits behind the order, so that a ruling that ends it meets no deadlock', async () => {
  const trade = await m.sold();
  const id = await sql<{
    id: number;
  }>`update recycle_request set due_at = now() - interval '1 minute' where sn = ${trade.sn} returning id`.execute(
    m.t.ctx.db,
  );
  const request = id.rows[0]?.id ?? 0;
  const clock: Promise<void>[] = [];
  await inTransaction(m.t.ctx.db, async (trx) => {
    await sql`select from orders where id = ${trade.orderId} for update`.execute(trx);
    const run = onDue(m.t.ctx, request);
    run.catch(() => undefined);
    const { rows: holder } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    const isWaiting = async (): Promise<boolean> => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and ${holder[0]?.pid ?? 0}::int = any(pg_blocking_pids(pid))`.execute(
        m.t.ctx.db,
      );
      return rows.length > 0;
    };
    await expect.poll(isWaiting).toBe(true);
    // The clock does not hold the request meanwhile.
    await sql`select from recycle_request where id = ${request} for update nowait`.execute(trx);
    clock.push(run);
  });
  await Promise.all(clock);
});

test('an account that was sealed and that nobody reads goes before customer service', async () => {
  const trade = await m.sold();
  const look = async (): Promise<number> => {
    await m.due(trade);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from dispute where order_id = ${trade.orderId}`.execute(m.t.ctx.db);
    return rows[0]?.n ?? 0;
  };
  expect(await look()).toBe(0);
  await passTime(m.t.ctx.db, 'sealed_credential', { order_id: trade.orderId }, { hours: 73 });
  expect(await look()).toBe(1);
  const { rows } = await sql<{ sn: string; reason: string }>`
    select sn, reason_code as reason from dispute where order_id = ${trade.orderId}`.execute(m.t.ctx.db);
  expect(rows[0]?.reason).toBe('order_late');
  // After a withdrawal it is opened again a day later, not immediately, and the account can be inspected.
  await trade.buyer.client.ok(withdrawDispute, { disputeSn: rows[0]?.sn ?? '' });
  expect(await look()).toBe(1);
  await passTime(m.t.ctx.db, 'dispute', { order_id: trade.orderId }, { hours: 25 });
  expect(await look()).toBe(2);
  const again = await sql<{ sn: string }>`
    select sn from dispute where order_id = ${trade.orderId} order by id desc limit 1`.execute(m.t.ctx.db);
  await trade.buyer.client.ok(withdrawDispute, { disputeSn: again.rows[0]?.sn ?? '' });
  expect((await m.inspect(trade.sn, SAID)).data).toMatchObject({ status: 'paid' });
});

test('the clock of sealing is the one that ends the order, by the setting of its day', async () => {
  await putSetting(m.t, 'recycling', { handOverSeconds: 5 * 3600 });
  const q = await m.quoted();
  const { orderId, orderSn } = await q.seller.client.ok(c.recycleAccept, { requestSn: q.sn, price: '700.00' });
  const seal = async () =>
    (await q.seller.client.ok(orderDetail, { orderSn })).handover.find(({ key }) => key === 'seal');
  const { dueTime } = await m.info(q);
  expect(await seal()).toMatchObject({ minutes: 300, dueTime });
  await m.t.relay();
  const { rows } = await sql<{ body: string }>`
    select body from notice where user_id = ${q.seller.id} and title like '%请密封提交账号%'`.execute(m.t.ctx.db);
  expect(rows[0]?.body).toContain('5 小时');
  // A case stops it; after that it is when the order is looked at again.
  await sql`update timer set due_at = due_at + interval '6 hours' where kind = 'recycle.due' and ref = ${String(q.id)}`.execute(
    m.t.ctx.db,
  );
  expect(Date.parse((await seal())?.dueTime ?? '') - Date.parse(dueTime ?? '')).toBe(6 * 3_600_000);
  expect(orderId).toBeGreaterThan(0);
  await putSetting(m.t, 'recycling', { handOverSeconds: 7200 });
});

test('the reading is submitted where it decides, never as a bare step; its clock is that of the step, and it is offered to whom it falls', async () => {
  const trade = await m.sold();
  const pictures = [await staffPicture(m.kefu)];
  const bare = await m.kefu.client.call(staffHandoverDone, { orderId: trade.orderId, step: 2, pictures } as never);
  expect(bare).toMatchObject({ code: codes.ORDER_STATE[0], msg: expect.stringContaining('回收与估价') });
  const rowOf = async (staff: TestStaff) =>
    (await staff.client.ok(c.staffRecycleList, {})).list.find(({ requestSn }) => requestSn === trade.sn);
  const { handover } = await trade.seller.client.ok(orderDetail, { orderSn: await orderSnOf(trade) });
  const reading = handover.find(({ state }) => state === 'current');
  expect(reading).toMatchObject({ key: 'check_login', dueTime: expect.any(String) });
  expect(await rowOf(m.kefu)).toMatchObject({ isMine: true, dueTime: reading?.dueTime });
  expect(await rowOf(await m.t.newStaff({ role: 'service' }))).toMatchObject({ isMine: false });
});

test('a paid account has the time of its take-over as the time of its line, and none afterwards', async () => {
  const trade = await m.sold();
  expect((await m.inspect(trade.sn, SAID)).code).toBe(0);
  const lineOf = async () =>
    (await m.kefu.client.ok(c.staffRecycleList, {})).list.find(({ requestSn }) => requestSn === trade.sn);
  const waiting = await lineOf();
  expect(waiting).toMatchObject({ statusName: '已付款，等接管', dueTime: expect.any(String) });
  expect(waiting?.dueTime).toBe((await m.info(trade)).heldUntil);
  await trade.buyer.client.ok(c.recycleTaken, { requestSn: trade.sn });
  expect(await lineOf()).toMatchObject({ statusName: '已到账', dueTime: null });
});

test('the line of an order says when its money was released, not when it would have been', async () => {
  const trade = await m.sold();
  expect((await m.inspect(trade.sn, SAID)).code).toBe(0);
  await trade.buyer.client.ok(c.recycleTaken, { requestSn: trade.sn });
  const { steps } = await trade.seller.client.ok(orderDetail, { orderSn: await orderSnOf(trade) });
  const { title, time } = steps.at(-1) ?? {};
  expect(title).toBe('放款给卖家');
  expect(Date.parse(time ?? '')).toBeLessThanOrEqual(Date.now());
});
