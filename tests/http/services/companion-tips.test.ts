/** Tips for companions: only after paid play, capped by it, with commission and a hold as for a sale. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { companionCards, companionFigures, companionTip } from '#subjects/services/contract/companions.ts';
import { answerDispute, openDispute } from '#subjects/disputes/contract/dispute.ts';
import { confirmRecGoods, orderDetail } from '#subjects/orders/contract/order.ts';
import { orderEval } from '#subjects/reviews/contract/order-review.ts';
import { orderReviews } from '#subjects/reviews/contract/review.ts';
import { serviceOrder } from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import {
  addPlayGame,
  type CompanionTrade,
  companionTrade,
  openedCompanion,
  companionSteps,
} from '#tests/support/services/companion.ts';

let t: TestApp;
let staff: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addPlayGame(t);
  staff = await t.newStaff();
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const { money, act, due, played } = companionSteps(() => t);

const FULL = 50_000;

const view = async ({ buyer, orderSn }: Pick<CompanionTrade, 'buyer' | 'orderSn'>) =>
  await buyer.client.ok(serviceOrder, { orderSn }); /** Lets the holds of all tips end. */
async function endTips(): Promise<void> {
  await makeDue(t.ctx.db, 'service.tip');
  await t.timers();
}

describe('tips', () => {
  test('A9: are accepted after paid play only, from the buyer, up to what was paid for it, also concurrently', async () => {
    const mine = await openedCompanion(t, staff);
    const trade = await companionTrade(t, mine, 'playing');
    const { orderId, buyer, companion } = trade;
    const tip = async (user: TestUser, amount: string) => await user.client.call(companionTip, { orderId, amount });
    expect((await tip(buyer, '10.00')).code).toBe(codes.ORDER_STATE[0]);
    await played(orderId, 90);
    await act(buyer, orderId, 'end');
    await act(companion, orderId, 'agreeEnd');
    const before = [await money(buyer), await money(companion)];
    expect((await tip(companion, '10.00')).code).toBe(codes.PAY_PASSWORD_UNSET[0]);
    expect((await tip(await t.newUser({ balanceFen: FULL }), '10.00')).code).toBe(codes.ORDER_NOT_FOUND[0]);
    const high = await tip(buyer, '200.01');
    expect([high.code, high.field]).toEqual([codes.BAD_INPUT[0], 'amount']);
    // 90 minutes of 120.00 for two hours: 90.00 were paid for play.
    const all = await Promise.all([1, 2, 3].map(async () => await tip(buyer, '40.00')));
    expect(all.filter(({ code }) => code === 0)).toHaveLength(2);
    const left = await tip(buyer, '20.00');
    expect([left.field, left.msg]).toEqual(['amount', expect.stringContaining('10.00')]);
    expect((await view(trade)).play).toMatchObject({ tipped: '80.00', tipLeft: '10.00' });
    // Less 5 % commission, and held: nothing is available yet.
    const available = async () => (await loadBalances(t.ctx.db, companion.id)).availableFen;
    const free = await available();
    expect([await money(buyer), await money(companion)]).toEqual([(before[0] ?? 0) - 8000, (before[1] ?? 0) + 7600]);
    await endTips();
    expect([await available(), await money(companion)]).toEqual([free + 7600, (before[1] ?? 0) + 7600]);
    await sql`update service_order set finished_at = now() - interval '8 days' where order_id = ${orderId}`.execute(
      t.ctx.db,
    );
    expect((await tip(buyer, '1.00')).code).toBe(codes.ORDER_STATE[0]);
    const figures = await companion.client.ok(companionFigures, {});
    expect(figures).toMatchObject({ orders: 1, noShows: 0, onTimeRate: 100, repeatRate: 0 });
    // Play that began before midnight on a Sunday in China belongs to the week before its payment.
    const total = (key: 'orders' | 'hours' | 'income' | 'tips') =>
      figures.weeks.reduce((sum, week) => sum + Number(week[key]), 0);
    expect([total('orders'), total('hours'), total('income'), total('tips')]).toEqual([1, 1.5, 85.5, 80]);
    expect((await buyer.client.call(companionFigures, {})).code).toBe(codes.PROVIDER_REQUIRED[0]);
  });

  test('A9: are impossible where nothing was paid, and return where a refund left less than they are', async () => {
    const trial = await openedCompanion(t, staff, { profile: { trialMinutes: 15 } });
    const free = await companionTrade(t, trial, 'playing');
    await played(free.orderId, 10);
    await act(free.buyer, free.orderId, 'end');
    await act(free.companion, free.orderId, 'agreeEnd');
    expect((await view(free)).acts).not.toContain('tip');
    const none = await free.buyer.client.call(companionTip, { orderId: free.orderId, amount: '10.00' });
    expect([none.code, none.msg]).toEqual([codes.ORDER_STATE[0], '这一单没有付陪玩费用，不能打赏']);

    const trade = await companionTrade(t, await openedCompanion(t, staff), 'playing');
    const { orderId, orderSn, buyer, companion } = trade;
    await due('service.playEnd', orderId);
    // No picture is part of companion play.
    const { acts } = await buyer.client.ok(orderDetail, { orderSn });
    expect(acts.find(({ act }) => act === 'confirm')?.confirm).toBe('已核对时长，确认完成？');
    await buyer.client.ok(confirmRecGoods, { orderId });
    await buyer.client.ok(companionTip, { orderId, amount: '50.00' });
    const before = await money(buyer);
    const { disputeSn } = await buyer.client.ok(openDispute, {
      orderSn,
      reason: 'service_quality',
      want: 'refund',
      answers: { done: '还没有完成' },
      text: '请平台客服介入看一下',
    });
    await endTips();
    expect(await money(buyer)).toBe(before);
    await companion.client.ok(answerDispute, { disputeSn, agree: '1' } as never);
    await t.timers();
    await t.relay();
    const refunded = await money(buyer);
    expect(refunded).toBeGreaterThan(before);
    await endTips();
    expect(await money(buyer)).toBe(refunded + 5000);
  });

  test('and ratings need completed play: one that ended early counts from ten minutes on', async () => {
    const mine = await openedCompanion(t, staff, { profile: { trialMinutes: 15 } });
    const rated = async (minutes: number, buyer?: TestUser) => {
      const trade = await companionTrade(t, mine, 'playing', buyer ? { buyer } : {});
      await played(trade.orderId, minutes);
      await act(trade.buyer, trade.orderId, 'end');
      await act(trade.companion, trade.orderId, 'agreeEnd');
      const { canRate } = await trade.buyer.client.ok(orderReviews, { orderSn: trade.orderSn });
      const { code } = await trade.buyer.client.call(orderEval, {
        orderSn: trade.orderSn,
        score: 5,
        content: '指挥清楚，玩得开心',
      });
      expect(canRate).toBe(code === 0);
      return { code, buyer: trade.buyer };
    };
    // Stars cannot be had for a minute, nor for the free trial.
    expect((await rated(3)).code).toBe(codes.ORDER_STATE[0]);
    expect((await rated(14)).code).toBe(codes.ORDER_STATE[0]);
    expect((await rated(30)).code).toBe(0);
    const cards = await t.client().ok(companionCards, { goodsSns: JSON.stringify([mine.goodsSn]) } as never);
    expect(cards.list[0]?.score).toBe(5);
  });
});
