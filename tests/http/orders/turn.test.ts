/** Steps ship the order, optional steps can be skipped, and everybody reads one deadline and one progress. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffImGroups } from '#subjects/chat/contract/im-staff.ts';
import { codes } from '#contract/codes.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { addStepsGame, assign, stepsDone, type Trade, trade, userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '10' } });
  await addStepsGame(t);
});
afterAll(async () => await t.close());

const detail = (at: Trade, party: TestUser) => party.client.ok(c.orderDetail, { orderSn: at.orderSn });
const done = async (at: Trade, party: TestUser, step: number, hasProof = false) =>
  await party.client.ok(c.handoverDone, {
    orderId: at.orderId,
    step,
    pictures: hasProof ? [await userPicture(party)] : [],
  });
/** Up to the first step after the shipping: the account is bound. */
async function shipped(): Promise<Trade> {
  const at = await trade(t);
  await t.relay();
  await stepsDone(t, at.orderId, 'check');
  await done(at, at.seller, 1);
  return at;
}

test('the last required step before the shipping ships the order', async () => {
  const at = await trade(t, { typeId: 27 });
  await done(at, at.seller, 1);
  const before = await detail(at, at.seller);
  expect([before.status, before.acts.some(({ act }) => act === 'ship')]).toEqual([1, false]);
  await done(at, at.seller, 2, true);
  expect((await detail(at, at.seller)).status).toBe(2);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from timer where kind = 'order.autoConfirm' and ref = ${String(at.orderId)}`.execute(
    t.ctx.db,
  );
  expect(rows[0]?.n).toBe(1);
});

test('a last step that was done while a case was open ships the order when the case ends', async () => {
  const at = await trade(t, { typeId: 27 });
  await done(at, at.seller, 1);
  const { disputeSn } = await at.buyer.client.ok(openDispute, {
    orderSn: at.orderSn,
    reason: 'short_delivered',
    want: 'refund',
    answers: { received: '0 个' },
    text: '还没有收到任何道具，联系不上',
  });
  await done(at, at.seller, 2, true);
  expect((await detail(at, at.seller)).status).toBe(1);
  await at.buyer.client.ok(withdrawDispute, { disputeSn });
  await t.relay();
  expect((await detail(at, at.seller)).status).toBe(2);
});

test('eight concurrent submissions of the last step ship once', async () => {
  const at = await trade(t, { typeId: 27 });
  await done(at, at.seller, 1);
  const pictures = [await userPicture(at.seller)];
  const click = () => at.seller.client.call(c.handoverDone, { orderId: at.orderId, step: 2, pictures });
  const answers = await Promise.all(Array.from({ length: 8 }, click));
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0));
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from order_process where order_id = ${at.orderId} and explain = '发货前的步骤都已完成，订单已发货'`.execute(
    t.ctx.db,
  );
  expect(rows[0]?.n).toBe(1);
});

test('only the buyer skips an optional step, and no required one', async () => {
  const at = await shipped();
  const skip = (party: TestUser, step: number) => party.client.call(c.handoverSkip, { orderId: at.orderId, step });
  expect((await skip(at.seller, 4)).code).toBe(codes.ORDER_FORBIDDEN[0]);
  expect(await skip(at.buyer, 3)).toMatchObject({ code: codes.ORDER_STATE[0], msg: '这一步是必做的，不能跳过' });
  expect((await skip(await t.newUser(), 4)).code).toBe(codes.ORDER_NOT_FOUND[0]);
  await at.buyer.client.ok(c.handoverSkip, { orderId: at.orderId, step: 4 });
  const { handover } = await detail(at, at.seller);
  expect(handover[3]).toMatchObject({ state: 'done', skipped: true, canSkip: false });
  await done(at, at.seller, 3, true);
  expect((await detail(at, at.buyer)).handover.find(({ state }) => state === 'current')?.key).toBe('password');
});

test('the receipt is the main action only when every step has a result, and skips what the buyer does without', async () => {
  const at = await shipped();
  await done(at, at.seller, 3, true);
  await stepsDone(t, at.orderId, 'password');
  const confirm = async () => (await detail(at, at.buyer)).acts.find(({ act }) => act === 'confirm');
  expect(await confirm()).toMatchObject({ enabled: true, primary: false });
  const { receipt } = await detail(at, at.buyer);
  expect(receipt?.amount).toBe('100.00');
  expect(Date.parse(receipt?.frozenUntil ?? '')).toBeGreaterThan(Date.now());
  expect((await detail(at, at.seller)).receipt).toBeNull();
  await at.buyer.client.ok(c.confirmRecGoods, { orderId: at.orderId });
  const { handover, status } = await detail(at, at.buyer);
  expect([status, handover.every(({ state }) => state === 'done'), handover[3]?.skipped]).toEqual([3, true, true]);
});

test('the receipt is the main action when no optional steps are left', async () => {
  const at = await shipped();
  await done(at, at.seller, 3, true);
  await stepsDone(t, at.orderId, 'password');
  await at.buyer.client.ok(c.handoverSkip, { orderId: at.orderId, step: 4 });
  expect((await detail(at, at.buyer)).acts.find(({ act }) => act === 'confirm')).toMatchObject({
    enabled: true,
    primary: true,
  });
});

test('the progress line ticks the hand-over only when its steps are done', async () => {
  const at = await shipped();
  const line = async () => (await detail(at, at.buyer)).steps.map(({ state }) => state);
  expect(await line()).toEqual(['done', 'done', 'current', 'waiting', 'waiting']);
  await done(at, at.seller, 3, true);
  await at.buyer.client.ok(c.handoverSkip, { orderId: at.orderId, step: 4 });
  await done(at, at.buyer, 5);
  expect(await line()).toEqual(['done', 'done', 'done', 'current', 'waiting']);
});

test('customer service reads the deadline that both parties read, and it follows the steps', async () => {
  const staff = await t.newStaff({ role: 'service' });
  const at = await trade(t);
  await t.relay();
  await assign(t, at.orderId, staff);
  const admin = await t.newStaff({ role: 'admin' });
  const clerk = async () =>
    (await admin.client.ok(staffImGroups, { scope: 'all', keyWord: at.orderSn })).list[0]?.stepTime ?? null;
  const textFor = async (reader: typeof staff, scope: 'mine' | 'all') =>
    (await reader.client.ok(staffImGroups, { scope, keyWord: at.orderSn })).list[0]?.turnText;
  expect([await textFor(staff, 'mine'), await textFor(admin, 'all')]).toEqual(['轮到卖家', '轮到卖家']);
  const stored = async () =>
    (
      await sql<{ at: Date | null }>`select step_by as at from chat_group where order_id = ${at.orderId}`.execute(
        t.ctx.db,
      )
    ).rows[0]?.at?.getTime();
  for (const act of [async () => await Promise.resolve(), async () => await done(at, at.seller, 1)]) {
    await act();
    const due = async (party: TestUser) =>
      (await detail(at, party)).handover.find(({ state }) => state === 'current')?.dueTime;
    const [buyer, seller] = [await due(at.buyer), await due(at.seller)];
    expect(buyer).toBeTruthy();
    expect(seller).toBe(buyer);
    expect(Date.parse((await clerk()) ?? '')).toBe(Date.parse(buyer ?? ''));
    for (const [party, belong] of [
      [at.buyer, 0],
      [at.seller, 1],
    ] as const)
      expect((await party.client.ok(c.queryOrderList, { belong })).orderList[0]?.stepDue).toBe(buyer);
    expect(Math.floor(((await stored()) ?? 0) / 1000)).toBe(Math.floor(Date.parse(buyer ?? '') / 1000));
  }
});

test('A21: a protected sale is not deleted by either side, and afterwards each hides it from the own list only', async () => {
  const at = await trade(t, { typeId: 27 });
  await done(at, at.seller, 1);
  await done(at, at.seller, 2, true);
  const remove = async (party: TestUser) => (await party.client.call(c.deleteOrder, { orderId: at.orderId })).code;
  const offered = async (party: TestUser) => (await detail(at, party)).acts.some(({ act }) => act === 'delete');
  const isListed = async (party: TestUser, belong: number) =>
    (await party.client.ok(c.queryOrderList, { belong })).orderList.some(({ orderSn }) => orderSn === at.orderSn);
  expect(await remove(at.buyer)).toBe(codes.ORDER_STATE[0]);
  await at.buyer.client.ok(c.confirmRecGoods, { orderId: at.orderId });
  for (const party of [at.buyer, at.seller])
    expect([await offered(party), await remove(party)]).toEqual([false, codes.ORDER_STATE[0]]);
  await passTime(t.ctx.db, 'hold', { code: 'sale_protection', ref: String(at.orderId) }, { until: 'release_at' });
  await makeDue(t.ctx.db, 'hold.release', at.orderId);
  await t.timers();
  expect([await offered(at.buyer), await remove(await t.newUser())]).toEqual([true, codes.ORDER_NOT_FOUND[0]]);
  expect(await remove(at.buyer)).toBe(0);
  expect([await isListed(at.buyer, 0), await isListed(at.seller, 1)]).toEqual([false, true]);
});
