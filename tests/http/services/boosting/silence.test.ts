/** Stages that a silent buyer does not answer: one is paid, the money of later ones waits, and a picture shows one stage (decision 381). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { codes } from '#contract/codes.ts';
import { answerDispute, openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { confirmRecGoods } from '#subjects/orders/contract/order.ts';
import {
  answerMilestone,
  serviceAct,
  serviceCancel,
  serviceOrder,
  serviceProgress,
} from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { addBoostGame, openedBooster, serviceTrade, type ServiceTrade } from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let staff: TestStaff;
let one: Awaited<ReturnType<typeof openedBooster>>;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addBoostGame(t);
  staff = await t.newStaff({ role: 'admin' });
  one = await openedBooster(t, staff, {
    balanceFen: 1_000_000,
    pack: {
      milestones: [
        { title: '到星耀', sharePercent: 25 },
        { title: '到王者', sharePercent: 25 },
        { title: '到十星', sharePercent: 25 },
        { title: '到二十星', sharePercent: 25 },
      ],
    },
  });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const START = 50_000;
/** A quarter of the price, 100.00, less 5 %, but for the fen that stays with each. */
const PART = 2374;
const worth = async (user: TestUser): Promise<number> => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return availableFen + frozenFen;
};
const available = async (user: TestUser): Promise<number> => (await loadBalances(t.ctx.db, user.id)).availableFen;
const view = async ({ buyer, orderSn }: ServiceTrade) => await buyer.client.ok(serviceOrder, { orderSn });
const submit = async ({ booster, orderId }: ServiceTrade, seq: number, picture?: string) =>
  await booster.client.call(serviceProgress, {
    orderId,
    seq,
    percent: 100,
    pictures: JSON.stringify([picture ?? (await userPicture(booster))]),
  });
const due = async (kind: string, { orderId }: { orderId: number }): Promise<void> => {
  await makeDue(t.ctx.db, kind, orderId);
  await t.timers();
  await t.relay();
};
const silence = async (trade: ServiceTrade, seq: number): Promise<void> => {
  expect((await submit(trade, seq)).code).toBe(0);
  await due('service.milestone', trade);
};
const answer = async ({ buyer, orderId }: ServiceTrade, seq: number, act: 'confirm' | 'refuse') =>
  await buyer.client.call(answerMilestone, { orderId, seq, act, reason: '截图与约定不符' });
const stages = async (trade: ServiceTrade) =>
  (await view(trade)).milestones.map((m) => [m.state, m.paid === null ? null : m.paid, m.keeps]);
const giveUp = async ({ booster, orderId }: ServiceTrade) =>
  await booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '到此为止，抱歉' });

describe('a silent buyer', () => {
  test('is notified each time, and loses at most one stage to a booster who did nothing', async () => {
    const before = await worth(one.booster);
    const trade = await serviceTrade(t, one);
    expect((await submit(trade, 1)).code).toBe(0);
    expect((await view(trade)).milestones[0]).toMatchObject({ state: 'submitted', silencePays: true });
    await due('service.milestone', trade);
    expect((await submit(trade, 2)).code).toBe(0);
    expect((await view(trade)).milestones[1]).toMatchObject({ state: 'submitted', silencePays: false });
    await due('service.milestone', trade);
    await silence(trade, 3);
    expect(await stages(trade)).toEqual([
      ['accepted', '23.74', false],
      ['accepted', null, true],
      ['accepted', null, true],
      ['pending', null, false],
    ]);
    expect((await view(trade)).paid).toBe('23.74');
    const { rows } = await sql<{ title: string }>`
      select title from notice where user_id = ${trade.buyer.id} and kind = 'service.progress' order by id`.execute(
      t.ctx.db,
    );
    expect(rows.map((r) => r.title)).toEqual([
      '第 1 段请您确认',
      '第 1 段到期未处理，已自动确认付款',
      '第 2 段请您确认',
      '第 2 段已视为确认',
      '第 3 段请您确认',
      '第 3 段已视为确认',
    ]);
    // Running away with what was not paid: it goes back, and the deposit with it.
    await giveUp(trade);
    expect(await worth(one.booster)).toBe(before + PART - 1000 + 1);
    expect(await worth(trade.buyer)).toBeGreaterThanOrEqual(START - 2525 + 1000);
  });

  test('pays an honest booster everything in the end, without any response', async () => {
    const before = await worth(one.booster);
    const trade = await serviceTrade(t, one);
    for (const seq of [1, 2, 3]) await silence(trade, seq);
    expect((await submit(trade, 4)).code).toBe(0);
    await due('order.autoConfirm', trade);
    expect((await view(trade)).state).toBe('done');
    expect(await worth(one.booster)).toBe(before + 9500);
    expect(await worth(trade.buyer)).toBe(START - 10_100);
  });

  test('pays each pending stage once on return, and one more becomes due without a response', async () => {
    const trade = await serviceTrade(t, one);
    const before = await available(one.booster);
    await silence(trade, 1);
    await silence(trade, 2);
    expect(await available(one.booster)).toBe(before + PART);
    expect((await view(trade)).milestones.map((m) => m.mayPay)).toEqual([false, true, false, false]);
    expect(
      (await one.booster.client.call(answerMilestone, { orderId: trade.orderId, seq: 2, act: 'confirm' })).code,
    ).toBe(codes.ORDER_FORBIDDEN[0]);
    expect((await answer(trade, 2, 'refuse')).code).toBe(codes.ORDER_STATE[0]);
    expect((await submit(trade, 3)).code).toBe(0);
    const paid = await Promise.all([1, 2, 3].map(() => answer(trade, 2, 'confirm')));
    expect(paid.filter((r) => r.code === 0)).toHaveLength(1);
    // The clock of the stage that was submitted meanwhile goes on, and pays: the buyer has acted.
    expect((await view(trade)).milestones[2]).toMatchObject({ state: 'submitted', silencePays: true });
    await due('service.milestone', trade);
    expect((await stages(trade)).map(([, money]) => money !== null)).toEqual([true, true, true, false]);
    expect((await submit(trade, 4)).code).toBe(0);
    await trade.buyer.client.ok(confirmRecGoods, { orderId: trade.orderId });
    expect(await worth(trade.buyer)).toBe(START - 10_100);
  });

  test('counts as present by any action of the buyer, not by the booster’s', async () => {
    const trade = await serviceTrade(t, one);
    await silence(trade, 1);
    await one.booster.client.ok(serviceAct, { orderId: trade.orderId, act: 'pause' });
    await one.booster.client.ok(serviceAct, { orderId: trade.orderId, act: 'resume' });
    await one.booster.client.ok(serviceCancel, { orderId: trade.orderId, act: 'ask', reason: 'plan' });
    await one.booster.client.ok(serviceCancel, { orderId: trade.orderId, act: 'withdraw' });
    // Nor by a case that he opens and takes back.
    const { disputeSn } = await one.booster.client.ok(openDispute, {
      orderSn: trade.orderSn,
      reason: 'service_quality',
      want: 'continue',
      answers: { done: '还没有完成' },
      text: '请平台客服介入看一下',
    });
    await one.booster.client.ok(withdrawDispute, { disputeSn });
    await silence(trade, 2);
    expect((await stages(trade))[1]).toEqual(['accepted', null, true]);
    await trade.buyer.client.ok(serviceAct, { orderId: trade.orderId, act: 'pause' });
    await trade.buyer.client.ok(serviceAct, { orderId: trade.orderId, act: 'resume' });
    await silence(trade, 3);
    expect((await stages(trade))[2]?.[1]).not.toBeNull();
    await giveUp(trade);
  });

  test('is represented by staff whose ruling lets the order continue', async () => {
    const trade = await serviceTrade(t, one);
    await silence(trade, 1);
    const { disputeSn } = await trade.buyer.client.ok(openDispute, {
      orderSn: trade.orderSn,
      reason: 'service_quality',
      want: 'continue',
      answers: { done: '第一段' },
      text: '请平台客服看一下进度是否属实',
    });
    await one.booster.client.ok(answerDispute, {
      disputeSn,
      answers: { done: '第一段' },
      text: '截图都在，第一段已经打完',
    } as never);
    await staff.client.ok(staffDisputeRule, {
      disputeSn,
      refund: '0.00',
      rules: ['2.2'],
      reason: '截图与对局记录相符，订单继续进行',
      publicText: '订单继续进行',
    } as never);
    const { rows } = await sql<{ id: number }>`select id from dispute where sn = ${disputeSn}`.execute(t.ctx.db);
    expect(rows).toHaveLength(1);
    await passTime(t.ctx.db, 'dispute', { sn: disputeSn }, { until: 'appeal_until' });
    await makeDue(t.ctx.db, 'dispute.execute', rows[0]?.id ?? 0);
    await t.timers();
    await silence(trade, 2);
    expect((await stages(trade))[1]?.[1] ?? null).not.toBeNull();
    await giveUp(trade);
  });
});

describe('a picture', () => {
  test('is evidence for one stage of one order, also when uploaded again', async () => {
    const trade = await serviceTrade(t, one);
    const file = await pictureFile('png', 64, 64, { r: 1, g: 2, b: 3 });
    const upload = async (user: TestUser) => (await sendPicture(user.client, file, { purpose: 'evidence' })).data.key;
    expect((await submit(trade, 1, await upload(one.booster))).code).toBe(0);
    expect((await answer(trade, 1, 'refuse')).code).toBe(0);
    const again = await submit(trade, 1, await upload(one.booster));
    expect([again.code, again.field]).toEqual([codes.BAD_INPUT[0], 'pictures']);
    const other = await serviceTrade(t, one);
    expect((await submit(other, 1, await upload(one.booster))).code).toBe(codes.BAD_INPUT[0]);
    // One new picture among old ones is enough; a report on the way needs none.
    const mixed = JSON.stringify([await upload(one.booster), await userPicture(one.booster)]);
    expect(
      (
        await one.booster.client.call(serviceProgress, {
          orderId: trade.orderId,
          seq: 1,
          percent: 100,
          pictures: mixed,
        })
      ).code,
    ).toBe(0);
    const half = { orderId: other.orderId, seq: 1, percent: 50, pictures: JSON.stringify([await upload(one.booster)]) };
    expect((await one.booster.client.call(serviceProgress, half)).code).toBe(0);
    await giveUp(trade);
    await giveUp(other);
  });

  test('is evidence for one of two concurrent orders', async () => {
    const trades = [await serviceTrade(t, one), await serviceTrade(t, one)];
    const key = await userPicture(one.booster);
    const results = await Promise.all(trades.map((trade) => submit(trade, 1, key)));
    expect(results.filter((r) => r.code === 0)).toHaveLength(1);
    for (const trade of trades) await giveUp(trade);
  });
});
