/** A case stops every clock of a service and returns the time that was left (docs/decisions/320): no party becomes late or is paid by it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boosterStatistics, boostBan } from '#subjects/services/contract/boosting.ts';
import { codes } from '#contract/codes.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { confirmRecGoods } from '#subjects/orders/contract/order.ts';
import {
  answerMilestone,
  serviceAct,
  serviceCancel,
  serviceOrder,
  serviceProgress,
} from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import {
  addBoostGame,
  openedBooster,
  PACKAGE,
  serviceTrade,
  type ServiceTrade,
} from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import {
  addPlayGame,
  companionTrade,
  type CompanionTrade,
  openedCompanion,
} from '#tests/support/services/companion.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let staff: TestStaff;
let booster: Awaited<ReturnType<typeof openedBooster>>;
let companion: Awaited<ReturnType<typeof openedCompanion>>;

beforeAll(async () => {
  t = await testApp();
  await addBoostGame(t);
  await addPlayGame(t);
  staff = await t.newStaff();
  booster = await openedBooster(t, staff, { balanceFen: 200_000 });
  companion = await openedCompanion(t, staff);
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const HOURS = 3_600_000;
/** Hours from now until a moment, to the nearest tenth. */
const hoursTo = (at: string | null | undefined): number =>
  Math.round((Date.parse(at ?? '') - Date.now()) / 360_000) / 10;

/** Lets time pass for an order, its service and its clocks, and runs what came due. */
async function pass(orderId: number, span: { hours?: number; minutes?: number }): Promise<void> {
  await passTime(t.ctx.db, 'orders', { id: orderId }, span);
  await passTime(t.ctx.db, 'service_order', { order_id: orderId }, span);
  const ours = ['service.accept', 'service.milestone', 'service.resume', 'service.proof', 'service.cancelAnswer'];
  for (const kind of [...ours, 'service.noShow', 'service.playEnd', 'service.endFinal'])
    await passTime(t.ctx.db, 'timer', { kind, ref: String(orderId) }, span);
  await t.timers();
}

const seen = async ({ orderSn, buyer }: ServiceTrade | CompanionTrade) =>
  await buyer.client.ok(serviceOrder, { orderSn });

const object = async (user: TestUser, orderSn: string): Promise<string> =>
  (
    await user.client.ok(openDispute, {
      orderSn,
      reason: 'service_quality',
      want: 'continue',
      answers: { done: '还没有完成' },
      text: '请平台客服介入看一下',
    })
  ).disputeSn;

const progress = async (user: TestUser, orderId: number, seq: number) =>
  await user.client.ok(serviceProgress, {
    orderId,
    seq,
    percent: 100,
    pictures: JSON.stringify([await userPicture(user)]),
  });

const onTime = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select on_time_count as n from provider where user_id = ${booster.booster.id} and kind = 'booster'`.execute(
    t.ctx.db,
  );
  return rows[0]?.n ?? 0;
};

describe('boosting', () => {
  test('is not late because of a case, and its stage is not confirmed during one', async () => {
    const trade = await serviceTrade(t, booster);
    const { orderId, orderSn, buyer } = trade;
    await progress(trade.booster, orderId, 1);
    await pass(orderId, { hours: 3 });
    const before = await seen(trade);
    expect([hoursTo(before.dueTime), hoursTo(before.milestones[0]?.confirmTime)]).toEqual([7, 9]);
    const { disputeSn } = await buyer.client.ok(boostBan, {
      orderId,
      punishment: '封号 7 天',
      text: '登录时提示被封停',
      pictures: [await userPicture(buyer)],
    } as never);
    await pass(orderId, { hours: 30 });
    const open = await seen(trade);
    expect(open).toMatchObject({ isLate: false, state: 'working' });
    expect(open.milestones[0]).toMatchObject({ state: 'submitted', confirmTime: null });
    await buyer.client.ok(withdrawDispute, { disputeSn });
    const after = await seen(trade);
    expect(after.isLate).toBe(false);
    expect([hoursTo(after.dueTime), hoursTo(after.milestones[0]?.confirmTime)]).toEqual([7, 9]);
    const late = await buyer.client.call(serviceCancel, { orderId, act: 'ask', reason: 'late' });
    expect([late.code, late.field]).toEqual([codes.BAD_INPUT[0], 'reason']);
    await t.timers();
    expect((await seen(trade)).milestones[0]?.state).toBe('submitted');
    const counted = await onTime();
    await buyer.client.ok(answerMilestone, { orderId, seq: 1, act: 'confirm' });
    await progress(trade.booster, orderId, 2);
    await buyer.client.ok(answerMilestone, { orderId, seq: 2, act: 'confirm' });
    await progress(trade.booster, orderId, 3);
    await buyer.client.ok(confirmRecGoods, { orderId });
    expect(await onTime()).toBe(counted + 1);
    expect((await trade.booster.client.ok(boosterStatistics, {})).done30).toBeGreaterThan(0);
    expect((await buyer.client.ok(serviceOrder, { orderSn })).state).toBe('done');
  });

  test('counts a pause and the case during it once', async () => {
    const trade = await serviceTrade(t, booster);
    const { orderId, buyer } = trade;
    await pass(orderId, { hours: 1 });
    await buyer.client.ok(serviceAct, { orderId, act: 'pause' });
    await pass(orderId, { hours: 2 });
    const disputeSn = await object(buyer, trade.orderSn);
    // Longer than the longest pause: the case stops that clock as well.
    await pass(orderId, { hours: 60 });
    expect((await seen(trade)).state).toBe('paused');
    await buyer.client.ok(withdrawDispute, { disputeSn });
    await pass(orderId, { hours: 1 });
    expect((await seen(trade)).state).toBe('paused');
    await buyer.client.ok(serviceAct, { orderId, act: 'resume' });
    const after = await seen(trade);
    expect([hoursTo(after.dueTime), hoursTo(after.way?.proofDue)]).toEqual([PACKAGE.minutes / 60 - 1, 1]);
    await trade.booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '不打了，抱歉' });
  });

  test('keeps the remaining time to respond to a cancel', async () => {
    const trade = await serviceTrade(t, booster);
    const { orderId, orderSn, buyer } = trade;
    await buyer.client.ok(serviceCancel, { orderId, act: 'ask', reason: 'plan' });
    await pass(orderId, { hours: 2 });
    const disputeSn = await object(trade.booster, orderSn);
    await pass(orderId, { hours: 40 });
    expect((await seen(trade)).cancel?.answerBy).toBeNull();
    await trade.booster.client.ok(withdrawDispute, { disputeSn });
    expect(hoursTo((await seen(trade)).cancel?.answerBy)).toBe(4);
    await trade.booster.client.ok(serviceCancel, { orderId, act: 'agree' });
  });

  test('is refunded after the case when it is not accepted, as before it', async () => {
    const trade = await serviceTrade(t, booster, { accepted: false });
    const disputeSn = await object(trade.buyer, trade.orderSn);
    await pass(trade.orderId, { hours: 5 });
    expect((await seen(trade)).state).toBe('pending');
    await trade.buyer.client.ok(withdrawDispute, { disputeSn });
    expect((await seen(trade)).acceptBy).not.toBeNull();
    await makeDue(t.ctx.db, 'service.accept', trade.orderId);
    await t.timers();
    expect((await seen(trade)).state).toBe('ended');
    expect((await loadBalances(t.ctx.db, trade.buyer.id)).availableFen).toBe(50_000);
  });
});

describe('companion play', () => {
  test('earns nothing while a case is open', async () => {
    const trade = await companionTrade(t, companion, 'playing');
    const { orderId, orderSn, buyer } = trade;
    await passTime(t.ctx.db, 'service_order', { order_id: orderId }, { minutes: 29, seconds: 30 });
    const disputeSn = await object(trade.companion, orderSn);
    await pass(orderId, { hours: 6 });
    expect((await seen(trade)).play?.playedMinutes).toBe(30);
    await trade.companion.client.ok(withdrawDispute, { disputeSn });
    await t.timers();
    expect((await seen(trade)).state).toBe('working');
    await trade.companion.client.ok(serviceAct, { orderId, act: 'end' });
    await buyer.client.ok(serviceAct, { orderId, act: 'agreeEnd' });
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(50_000 - 3030);
  });

  test('case-makes-play-free: is paid for the time of a case that the buyer withdraws, and ends when its time is over', async () => {
    const trade = await companionTrade(t, companion, 'playing');
    const { orderId, orderSn, buyer } = trade;
    await passTime(t.ctx.db, 'service_order', { order_id: orderId }, { minutes: 9, seconds: 30 });
    const disputeSn = await object(buyer, orderSn);
    // Both play on.
    await pass(orderId, { minutes: 50 });
    await buyer.client.ok(withdrawDispute, { disputeSn });
    await buyer.client.ok(serviceAct, { orderId, act: 'end' });
    expect((await seen(trade)).play?.playedMinutes).toBe(60);
    await trade.companion.client.ok(serviceAct, { orderId, act: 'agreeEnd' });
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(50_000 - 6060);

    const whole = await companionTrade(t, companion, 'playing');
    const second = await object(whole.buyer, whole.orderSn);
    await pass(whole.orderId, { hours: 3 });
    await whole.buyer.client.ok(withdrawDispute, { disputeSn: second });
    await t.timers();
    expect((await seen(whole)).state).toBe('checking');
    await whole.buyer.client.ok(confirmRecGoods, { orderId: whole.orderId });
  });

  test('case-makes-play-free: is not shortened by a case that ended before it began', async () => {
    const trade = await companionTrade(t, companion, 'accepted');
    const { orderId, buyer } = trade;
    const disputeSn = await object(buyer, trade.orderSn);
    await pass(orderId, { hours: 1 });
    await buyer.client.ok(withdrawDispute, { disputeSn });
    for (const user of [buyer, trade.companion]) await user.client.ok(serviceAct, { orderId, act: 'start' });
    await passTime(t.ctx.db, 'service_order', { order_id: orderId }, { minutes: 59, seconds: 30 });
    expect((await seen(trade)).play?.playedMinutes).toBe(60);
    await buyer.client.ok(serviceAct, { orderId, act: 'end' });
    await trade.companion.client.ok(serviceAct, { orderId, act: 'agreeEnd' });
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(50_000 - 6060);
  });

  test('waits for both parties again when it has not started; a booked hour is unchanged', async () => {
    const trade = await companionTrade(t, companion, 'accepted');
    const disputeSn = await object(trade.companion, trade.orderSn);
    await pass(trade.orderId, { hours: 6 });
    await trade.companion.client.ok(withdrawDispute, { disputeSn });
    const { play } = await seen(trade);
    const minutes = (Date.parse(play?.noShowTime ?? '') - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(15);
    await t.timers();
    expect((await seen(trade)).state).toBe('waiting');
    await trade.companion.client.ok(serviceAct, { orderId: trade.orderId, act: 'giveUp', reason: '临时有事，抱歉' });

    const at = new Date(Math.ceil((Date.now() + 5 * HOURS) / HOURS) * HOURS);
    const startTime = new Date(at.getTime() + 8 * HOURS).toISOString().slice(0, 16);
    const booked = await companionTrade(t, companion, 'accepted', { startTime });
    const second = await object(booked.buyer, booked.orderSn);
    await booked.buyer.client.ok(withdrawDispute, { disputeSn: second });
    const now = await seen(booked);
    expect([Date.parse(now.play?.startTime ?? ''), now.state]).toEqual([at.getTime(), 'waiting']);
  });
});
