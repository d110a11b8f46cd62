/** Boosting in which buyer and booster play together: both confirm that they are present, and without the buyer the booster loses nothing. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { userPicture } from '#tests/support/orders/orders.ts';
import { passTime } from '#tests/support/time/clock.ts';

let t: TestApp;
let together: Awaited<ReturnType<typeof openedBooster>>;
let account: Awaited<ReturnType<typeof openedBooster>>;

beforeAll(async () => {
  t = await testApp();
  await addBoostGame(t);
  const staff = await t.newStaff();
  together = await openedBooster(t, staff, { pack: { mode: 'together' }, balanceFen: 100_000 });
  account = await openedBooster(t, staff, { balanceFen: 100_000 });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const START = 50_000;
const HOURS = PACKAGE.minutes / 60;
const worth = async (user: TestUser): Promise<number> => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return availableFen + frozenFen;
};
const view = async (user: TestUser, { orderSn }: ServiceTrade) => await user.client.ok(serviceOrder, { orderSn });
const act = async (user: TestUser, { orderId }: ServiceTrade, name: 'start' | 'giveUp') =>
  await user.client.call(serviceAct, { orderId, act: name, reason: '买家一直没有上线' });
const hoursTo = (at: string | null): number => Math.round((Date.parse(at ?? '') - Date.now()) / 360_000) / 10;

async function pass({ orderId }: ServiceTrade, hours: number): Promise<void> {
  await passTime(t.ctx.db, 'orders', { id: orderId }, { hours });
  await passTime(t.ctx.db, 'service_order', { order_id: orderId }, { hours });
  for (const kind of ['service.late', 'service.proof'])
    await passTime(t.ctx.db, 'timer', { kind, ref: String(orderId) }, { hours });
  await t.timers();
  await t.relay();
}
/** Lets the promised time and the time after the notice be over. */
async function runOut(trade: ServiceTrade): Promise<void> {
  await pass(trade, HOURS + 0.1);
  await pass(trade, 49);
}

test('A8: the booster loses nothing when the buyer never comes', async () => {
  const before = await worth(together.booster);
  const trade = await serviceTrade(t, together, { sealed: false });
  expect((await act(together.booster, trade, 'start')).code).toBe(0);
  await runOut(trade);
  expect((await view(trade.buyer, trade)).state).toBe('ended');
  expect([await worth(trade.buyer), await worth(together.booster)]).toEqual([START, before]);
});

test('A8: a buyer who never came cannot cancel for lateness, and the booster leaves free of charge after waiting', async () => {
  const before = await worth(together.booster);
  const trade = await serviceTrade(t, together, { sealed: false });
  await act(together.booster, trade, 'start');
  expect((await view(together.booster, trade)).presence).toMatchObject({ buyerStarted: false, isFree: false });
  await pass(trade, 2.1);
  expect((await view(together.booster, trade)).presence).toMatchObject({ isFree: true });
  expect((await act(together.booster, trade, 'giveUp')).code).toBe(0);
  expect([await worth(trade.buyer), await worth(together.booster)]).toEqual([START, before]);

  const late = await serviceTrade(t, together, { sealed: false });
  await pass(late, HOURS + 0.1);
  const asked = await late.buyer.client.call(serviceCancel, { orderId: late.orderId, act: 'ask', reason: 'late' });
  expect([asked.code, asked.field, asked.msg]).toEqual([
    codes.BAD_INPUT[0],
    'reason',
    '买家没有到场，不能按超时取消，请选择「计划有变」',
  ]);
  // A party that has not waited leaves as before.
  expect((await act(together.booster, late, 'giveUp')).code).toBe(0);
  expect([await worth(late.buyer), await worth(together.booster)]).toEqual([START + 1000, before - 1000]);
});

test('A8: the promised time runs from the arrival of the buyer, who gets the deposit of a booster who does not come', async () => {
  const before = await worth(together.booster);
  const trade = await serviceTrade(t, together, { sealed: false });
  await pass(trade, 3);
  expect((await view(trade.buyer, trade)).acts).toContain('start');
  expect((await act(trade.buyer, trade, 'start')).code).toBe(0);
  const seen = await view(trade.buyer, trade);
  expect([hoursTo(seen.dueTime), seen.presence, seen.acts.includes('start')]).toMatchObject([
    HOURS,
    { buyerStarted: true, sellerStarted: false },
    false,
  ]);
  expect((await act(trade.buyer, trade, 'start')).code).toBe(codes.ORDER_STATE[0]);
  await runOut(trade);
  expect([await worth(trade.buyer), await worth(together.booster)]).toEqual([START + 1000, before - 1000]);
  // Who did not come is asked to come, not for pictures.
  const { rows } = await sql<{ body: string }>`
    select distinct body from notice where kind = 'boost.proof' and user_id = ${together.booster.id} and ref like ${`service:${trade.orderId}:%`}`.execute(
    t.ctx.db,
  );
  expect(rows.map(({ body }) => body)).toEqual([expect.stringContaining('买家在等您上线，请在订单页点「我到了」')]);
});

test('the promised time and the next picture count from the moment at which both are present', async () => {
  for (const [first, second] of [
    ['seller', 'buyer'],
    ['buyer', 'seller'],
  ] as const) {
    const trade = await serviceTrade(t, together, { sealed: false });
    const party = { buyer: trade.buyer, seller: together.booster };
    const startedAt = async (): Promise<Date | null | undefined> =>
      (
        await sql<{ at: Date | null }>`
          select started_at as at from service_order where order_id = ${trade.orderId}`.execute(t.ctx.db)
      ).rows[0]?.at;
    expect((await view(party.seller, trade)).way?.proofDue).toBeNull();
    expect((await act(party[first], trade, 'start')).code).toBe(0);
    await pass(trade, 1.5);
    expect(await startedAt()).toBeNull();
    expect((await act(party[second], trade, 'start')).code).toBe(0);
    const seen = await view(party.seller, trade);
    expect(hoursTo(seen.dueTime)).toBe(HOURS);
    expect(hoursTo(seen.way?.proofDue ?? null)).toBe(t.ctx.dir.setting('boosting').proofSeconds / 3600);
    expect(Date.now() - ((await startedAt())?.getTime() ?? 0)).toBeLessThan(60_000);
    expect((await act(party.seller, trade, 'giveUp')).code).toBe(0);
  }
});

test('a buyer who has waited for the booster cancels for lateness, without waiting for the promised time', async () => {
  const trade = await serviceTrade(t, together, { sealed: false });
  const ask = async () =>
    await trade.buyer.client.call(serviceCancel, { orderId: trade.orderId, act: 'ask', reason: 'late' });
  await act(trade.buyer, trade, 'start');
  await pass(trade, 1.9);
  expect((await ask()).field).toBe('reason');
  await pass(trade, 0.2);
  expect((await ask()).code).toBe(0);
  expect((await together.booster.client.call(serviceCancel, { orderId: trade.orderId, act: 'agree' })).code).toBe(0);
  expect(await worth(trade.buyer)).toBe(START + 1000);
  // A booster who came before the buyer had waited is not late.
  const other = await serviceTrade(t, together, { sealed: false });
  await act(other.buyer, other, 'start');
  await act(together.booster, other, 'start');
  await pass(other, 2.5);
  const refused = await other.buyer.client.call(serviceCancel, { orderId: other.orderId, act: 'ask', reason: 'late' });
  expect(refused.field).toBe('reason');
  expect((await act(together.booster, other, 'giveUp')).code).toBe(0);
});

const report = async ({ orderId, booster }: ServiceTrade, seq: number) =>
  await booster.client.call(serviceProgress, {
    orderId,
    seq,
    percent: 100,
    pictures: JSON.stringify([await userPicture(booster)]),
  });

test('no stage is reported before both have come, so that none is paid by silence for play that cannot have been', async () => {
  const trade = await serviceTrade(t, together, { sealed: false });
  const before = await worth(together.booster);
  const refused = async (msg: string) => {
    expect((await view(together.booster, trade)).acts).not.toContain('submit');
    const answer = await report(trade, 1);
    expect([answer.code, answer.msg]).toEqual([codes.ORDER_STATE[0], msg]);
  };
  await refused('请先点「我到了」，双方都到场后才能提交进度');
  await act(together.booster, trade, 'start');
  await refused('买家还没有点「我到了」，双方都到场后才能提交进度');
  await act(trade.buyer, trade, 'start');
  expect((await view(together.booster, trade)).acts).toContain('submit');
  for (const seq of [1, 2, 3]) {
    expect((await report(trade, seq)).code).toBe(0);
    if (seq < 3) await trade.buyer.client.ok(answerMilestone, { orderId: trade.orderId, seq, act: 'confirm' });
  }
  await trade.buyer.client.ok(confirmRecGoods, { orderId: trade.orderId });
  expect((await view(trade.buyer, trade)).state).toBe('done');
  expect(await worth(together.booster)).toBeGreaterThan(before);

  // The buyer was first: the booster has to come as well.
  const other = await serviceTrade(t, together, { sealed: false });
  await act(other.buyer, other, 'start');
  expect((await report(other, 1)).msg).toBe('请先点「我到了」，双方都到场后才能提交进度');
  expect((await act(together.booster, other, 'giveUp')).code).toBe(0);
});

/** A case that its opener withdraws after some hours. */
async function caseOf(user: TestUser, trade: ServiceTrade, hours: number): Promise<void> {
  const { disputeSn } = await user.client.ok(openDispute, {
    orderSn: trade.orderSn,
    reason: 'service_quality',
    want: 'continue',
    answers: { done: '还没有完成' },
    text: '请平台客服介入看一下',
  });
  await pass(trade, hours);
  await user.client.ok(withdrawDispute, { disputeSn });
}

test('the time of a case, in which nobody can confirm presence, is no waiting: it makes nobody late', async () => {
  const before = await worth(together.booster);
  const trade = await serviceTrade(t, together, { sealed: false });
  await act(trade.buyer, trade, 'start');
  await pass(trade, 0.5);
  await caseOf(trade.buyer, trade, 3);
  const ask = { orderId: trade.orderId, act: 'ask', reason: 'late' } as const;
  expect((await trade.buyer.client.call(serviceCancel, ask)).field).toBe('reason');
  await pass(trade, 1.6);
  expect((await trade.buyer.client.call(serviceCancel, ask)).code).toBe(0);

  const other = await serviceTrade(t, together, { sealed: false });
  await act(together.booster, other, 'start');
  await caseOf(other.buyer, other, 3);
  expect((await view(together.booster, other)).presence).toMatchObject({ isFree: false });
  await pass(other, 2.1);
  expect((await view(together.booster, other)).presence).toMatchObject({ isFree: true });
  expect((await act(together.booster, other, 'giveUp')).code).toBe(0);
  expect((await together.booster.client.call(serviceCancel, { orderId: trade.orderId, act: 'agree' })).code).toBe(0);
  expect(await worth(together.booster)).toBe(before - 1000);
});

test('A8: when both came and nothing was shown, customer service decides', async () => {
  const trade = await serviceTrade(t, together, { sealed: false });
  const [first, second] = await Promise.all([act(trade.buyer, trade, 'start'), act(together.booster, trade, 'start')]);
  expect([first.code, second.code]).toEqual([0, 0]);
  await pass(trade, 2.1);
  expect((await view(together.booster, trade)).presence).toMatchObject({ freeTime: null, isFree: false });
  await runOut(trade);
  expect(await view(trade.buyer, trade)).toMatchObject({ state: 'working', disputed: true });
});

test('an order with an account asks nobody to confirm presence', async () => {
  const trade = await serviceTrade(t, account);
  const seen = await view(trade.buyer, trade);
  expect([seen.presence, seen.acts.includes('start')]).toEqual([null, false]);
  expect((await act(trade.buyer, trade, 'start')).code).toBe(codes.ORDER_STATE[0]);
  expect((await act(account.booster, trade, 'start')).code).toBe(codes.ORDER_STATE[0]);
});
