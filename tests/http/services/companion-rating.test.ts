/** Play that ended early is rated by both parties as soon as minutes of it were paid. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { orderDetail } from '#subjects/orders/contract/order.ts';
import { orderEval } from '#subjects/reviews/contract/order-review.ts';
import { orderReviews } from '#subjects/reviews/contract/review.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import {
  addPlayGame,
  companionSteps,
  type CompanionTrade,
  companionTrade,
  openedCompanion,
} from '#tests/support/services/companion.ts';

let t: TestApp;
let staff: TestStaff;

beforeAll(async () => {
  t = await testApp();
  await addPlayGame(t);
  staff = await t.newStaff();
});
afterAll(async () => await t.close());

const { act, played } = companionSteps(() => t);

/** Plays for some minutes, then both end it. */
async function endedAfter(one: Awaited<ReturnType<typeof openedCompanion>>, minutes: number): Promise<CompanionTrade> {
  const trade = await companionTrade(t, one, 'playing');
  await played(trade.orderId, minutes);
  expect((await act(trade.buyer, trade.orderId, 'end')).code).toBe(0);
  expect((await act(trade.companion, trade.orderId, 'agreeEnd')).code).toBe(0);
  await t.relay();
  return trade;
}
/** Whether a party's order page offers to rate, by its buttons and by its box of reviews. */
async function offered(user: TestUser, { orderSn }: CompanionTrade): Promise<boolean[]> {
  const { acts } = await user.client.ok(orderDetail, { orderSn });
  const { canRate } = await user.client.ok(orderReviews, { orderSn });
  return [acts.some((action) => action.act === 'rate'), canRate];
}
const rate = async (user: TestUser, { orderSn }: CompanionTrade) =>
  await user.client.call(orderEval, { orderSn, score: 4, tags: [], content: '' } as never);
const settledText = async (user: TestUser): Promise<string> => {
  const { rows } = await sql<{ body: string }>`
    select body from notice where user_id = ${user.id} and ref like '%settled%' order by id desc limit 1`.execute(
    t.ctx.db,
  );
  return rows[0]?.body ?? '';
};

test('both rate play that was paid for a few minutes, once each, and the notice says that they can', async () => {
  const one = await openedCompanion(t, staff);
  const trade = await endedAfter(one, 3);
  for (const party of [trade.buyer, trade.companion]) {
    expect(await offered(party, trade)).toEqual([true, true]);
    expect(await settledText(party)).toContain('可以在订单页评价对方');
    expect((await rate(party, trade)).code).toBe(0);
    expect(await offered(party, trade)).toEqual([false, false]);
    expect((await rate(party, trade)).code).toBe(codes.ORDER_RATED[0]);
  }
});

test('a free trial that was not paid, and an order that was not played, are not rated', async () => {
  const free = await openedCompanion(t, staff, { profile: { trialMinutes: 15 } });
  const trial = await endedAfter(free, 5);
  const unplayed = await companionTrade(t, free, 'accepted');
  expect((await act(unplayed.buyer, unplayed.orderId, 'stop')).code).toBe(0);
  for (const trade of [trial, unplayed]) {
    expect(await offered(trade.buyer, trade)).toEqual([false, false]);
    expect((await rate(trade.buyer, trade)).code).toBe(codes.ORDER_STATE[0]);
  }
  expect(await settledText(trial.buyer)).toContain('退回您');
  expect(await settledText(trial.buyer)).not.toContain('评价');
});
