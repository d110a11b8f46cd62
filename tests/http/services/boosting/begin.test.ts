/** A boosting order whose account is handed over: its time begins then, and a missing account profits neither party (decision 380). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boostAddition, boostBan } from '#subjects/services/contract/boosting.ts';
import { codes } from '#contract/codes.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { cancelOrder, sealSecret } from '#subjects/orders/contract/order.ts';
import { serviceAct, serviceCancel, serviceOrder, serviceProgress } from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import {
  addBoostGame,
  openedBooster,
  PACKAGE,
  seal,
  serviceTrade,
  type ServiceTrade,
} from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let staff: TestStaff;
let one: Awaited<ReturnType<typeof openedBooster>>;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addBoostGame(t);
  staff = await t.newStaff();
  one = await openedBooster(t, staff, { balanceFen: 1_000_000 });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const START = 50_000;
const worth = async (user: TestUser): Promise<number> => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return availableFen + frozenFen;
};
const view = async ({ buyer, orderSn }: ServiceTrade) => await buyer.client.ok(serviceOrder, { orderSn });
const hoursTo = (at: string | null | undefined): number =>
  Math.round((Date.parse(at ?? '') - Date.now()) / 360_000) / 10;
const act = async (user: TestUser, { orderId }: ServiceTrade, what: 'pause' | 'giveUp') =>
  await user.client.call(serviceAct, { orderId, act: what, reason: '账号一直没有来' });
const waiting = async (): Promise<ServiceTrade> => await serviceTrade(t, one, { sealed: false });

/** Lets time pass for an order and its clocks, and runs what came due. */
async function pass({ orderId }: ServiceTrade, hours: number): Promise<void> {
  await passTime(t.ctx.db, 'orders', { id: orderId }, { hours });
  await passTime(t.ctx.db, 'service_order', { order_id: orderId }, { hours });
  for (const kind of ['service.account', 'service.proof', 'service.cancelAnswer'])
    await passTime(t.ctx.db, 'timer', { kind, ref: String(orderId) }, { hours });
  await t.timers();
  await t.relay();
}

const noticesOf = async (user: TestUser, { orderSn }: ServiceTrade, title: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from notice where user_id = ${user.id} and title = ${title} and link like ${`%${orderSn}`}`.execute(
    t.ctx.db,
  );
  return rows[0]?.n ?? 0;
};

describe('the promised time', () => {
  test('starts with the first form, and later forms do not change it', async () => {
    const trade = await waiting();
    const before = await view(trade);
    expect(before).toMatchObject({ state: 'waiting', stateName: '待提交账号', dueTime: null, isLate: false });
    expect([hoursTo(before.waits?.by), hoursTo(before.waits?.freeTime)]).toEqual([24, 2]);
    await pass(trade, 10);
    expect((await seal(trade)).code).toBe(0);
    await t.relay();
    const after = await view(trade);
    expect(after).toMatchObject({ state: 'working', waits: null });
    expect(hoursTo(after.dueTime)).toBe(PACKAGE.minutes / 60);
    expect(hoursTo(after.way?.proofDue)).toBe(2);
    expect(await noticesOf(one.booster, trade, '买家已提交账号资料')).toBe(1);
    await pass(trade, 1);
    expect((await seal(trade)).code).toBe(0);
    await t.relay();
    expect(hoursTo((await view(trade)).dueTime)).toBe(PACKAGE.minutes / 60 - 1);
    // Long after the day in which the account had to come.
    await pass(trade, 30);
    expect((await view(trade)).state).toBe('working');
    await act(one.booster, trade, 'giveUp');
  });

  test('starts at acceptance when the account was handed over before or none is needed', async () => {
    const early = await serviceTrade(t, one, { accepted: false });
    expect((await seal(early)).code).toBe(0);
    await one.booster.client.ok(serviceAct, { orderId: early.orderId, act: 'accept' });
    expect(await view(early)).toMatchObject({ state: 'working', waits: null });
    const together = await openedBooster(t, staff, { pack: { mode: 'together' }, balanceFen: 100_000 });
    const trade = await serviceTrade(t, together, { sealed: false });
    const seen = await view(trade);
    expect([seen.state, hoursTo(seen.dueTime)]).toEqual(['working', PACKAGE.minutes / 60]);
    await act(one.booster, early, 'giveUp');
    await act(together.booster, trade, 'giveUp');
  });

  test('cannot be exceeded, paused, prolonged or interrupted by a ban while the account is missing', async () => {
    const trade = await waiting();
    const { orderId, buyer } = trade;
    await pass(trade, 20);
    const seen = await view(trade);
    expect([seen.acts, seen.way?.acts]).toEqual([['askCancel'], []]);
    const late = await buyer.client.call(serviceCancel, { orderId, act: 'ask', reason: 'late' });
    expect([late.code, late.field]).toEqual([codes.BAD_INPUT[0], 'reason']);
    for (const user of [buyer, one.booster]) {
      expect((await act(user, trade, 'pause')).code).toBe(codes.ORDER_STATE[0]);
      const more = { orderId, act: 'ask', price: '0', minutes: '60', reason: '再打一段' } as never;
      expect((await user.client.call(boostAddition, more)).code).toBe(codes.ORDER_STATE[0]);
      const ban = { orderId, punishment: '封号 7 天', text: '登录时提示被封停', pictures: [await userPicture(user)] };
      expect((await user.client.call(boostBan, ban as never)).code).toBe(codes.ORDER_STATE[0]);
    }
    const pictures = JSON.stringify([await userPicture(one.booster)]);
    const done = await one.booster.client.call(serviceProgress, { orderId, seq: 1, percent: 100, pictures });
    expect(done.code).toBe(codes.ORDER_STATE[0]);
    expect((await buyer.client.call(cancelOrder, { orderId })).code).toBe(codes.ORDER_SERVICE_ACT[0]);
    await act(one.booster, trade, 'giveUp');
  });
});

describe('a missing account', () => {
  test('lets the booster give up free of charge after two hours, with loss of the deposit before', async () => {
    const before = await worth(one.booster);
    const late = await waiting();
    await pass(late, 2.1);
    expect(await noticesOf(one.booster, late, '买家还没有提交账号资料')).toBe(1);
    expect(await noticesOf(late.buyer, late, '请提交账号资料')).toBe(1);
    expect((await one.booster.client.ok(serviceOrder, { orderSn: late.orderSn })).waits?.isFree).toBe(true);
    expect((await act(one.booster, late, 'giveUp')).code).toBe(0);
    expect([await worth(one.booster), await worth(late.buyer)]).toEqual([before, START]);
    const early = await waiting();
    await pass(early, 1.9);
    expect((await act(one.booster, early, 'giveUp')).code).toBe(0);
    expect([await worth(one.booster), await worth(early.buyer)]).toEqual([before - 1000, START + 1000]);
  });

  test('ends the free giving up when it arrives, however late', async () => {
    const before = await worth(one.booster);
    const trade = await waiting();
    await pass(trade, 5);
    expect((await seal(trade)).code).toBe(0);
    expect((await act(one.booster, trade, 'giveUp')).code).toBe(0);
    expect([await worth(one.booster), await worth(trade.buyer)]).toEqual([before - 1000, START + 1000]);
  });

  test('cancels the order after a day with a full refund, despite open requests', async () => {
    const before = await worth(one.booster);
    const trade = await waiting();
    await pass(trade, 20);
    // The buyer who lets a cancel run into a case would stop the clock; this one is still open when the day is over.
    await trade.buyer.client.ok(serviceCancel, { orderId: trade.orderId, act: 'ask', reason: 'plan' });
    await pass(trade, 4.1);
    expect(await view(trade)).toMatchObject({ state: 'ended', cancel: null });
    expect([await worth(one.booster), await worth(trade.buyer)]).toEqual([before, START]);
    expect(await noticesOf(trade.buyer, trade, '未提交账号，订单已全额退款')).toBe(1);
    expect(await noticesOf(one.booster, trade, '未提交账号，订单已全额退款')).toBe(1);
    expect((await seal(trade)).code).toBe(codes.ORDER_STATE[0]);
  });

  test('stops its clocks during a case, in which no form is accepted and the time left is kept', async () => {
    const before = await worth(one.booster);
    const trade = await waiting();
    await pass(trade, 1);
    const { disputeSn } = await trade.buyer.client.ok(openDispute, {
      orderSn: trade.orderSn,
      reason: 'service_quality',
      want: 'continue',
      answers: { done: '还没有开始' },
      text: '请平台客服介入看一下',
    });
    await pass(trade, 50);
    expect(await view(trade)).toMatchObject({ state: 'waiting', waits: null });
    const sealed = await trade.buyer.client.call(sealSecret, {
      orderId: trade.orderId,
      step: 1,
      fields: { account: 'user-1' },
    });
    expect(sealed.code).toBe(codes.ORDER_DISPUTED[0]);
    expect((await act(one.booster, trade, 'giveUp')).code).toBe(codes.ORDER_DISPUTED[0]);
    await trade.buyer.client.ok(withdrawDispute, { disputeSn });
    const after = await view(trade);
    expect([hoursTo(after.waits?.by), hoursTo(after.waits?.freeTime), after.waits?.isFree]).toEqual([23, 1, false]);
    await pass(trade, 1.1);
    expect((await act(one.booster, trade, 'giveUp')).code).toBe(0);
    expect([await worth(one.booster), await worth(trade.buyer)]).toEqual([before, START]);
  });
});

describe('concurrent calls', () => {
  test('handing over and giving up: the first one counts, and decides about the deposit', async () => {
    for (let n = 0; n < 6; n++) {
      const before = await worth(one.booster);
      const trade = await waiting();
      await pass(trade, 2.1);
      const [sealed, gave] = await Promise.all([seal(trade), act(one.booster, trade, 'giveUp')]);
      expect(gave.code).toBe(0);
      // Sealed first: the time ran, and giving up cost the deposit. Given up first: the form came too late.
      const paid = sealed.code === 0 ? 1000 : 0;
      expect([await worth(one.booster), await worth(trade.buyer)]).toEqual([before - paid, START + paid]);
    }
  });

  test('handing over and the deadline: one counts, and the order continues or is refunded', async () => {
    for (let n = 0; n < 6; n++) {
      const before = await worth(one.booster);
      const trade = await waiting();
      await makeDue(t.ctx.db, 'service.account', trade.orderId);
      const [sealed] = await Promise.all([seal(trade), t.timers()]);
      const { state } = await view(trade);
      expect(state).toBe(sealed.code === 0 ? 'working' : 'ended');
      if (state === 'working') await act(one.booster, trade, 'giveUp');
      const paid = state === 'working' ? 1000 : 0;
      expect([await worth(one.booster), await worth(trade.buyer)]).toEqual([before - paid, START + paid]);
    }
  });
});
