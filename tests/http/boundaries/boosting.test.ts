/** The clocks of boosting at their limits, with the clock stopped. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { boostPost } from '#subjects/services/contract/boosting.ts';
import { serviceAct, serviceCancel, serviceProgress } from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import {
  addBoostGame,
  BOOST_GAME,
  openedBooster,
  PACKAGE,
  type ServiceTrade,
  serviceTrade,
} from '#tests/support/services/boosting.ts';
import { wholeSecond } from '#tests/support/time/boundary.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { userPicture } from '#tests/support/orders/orders.ts';
import { seenAround, type StoppedClock, stoppedClock } from '#tests/support/time/stopped-clock.ts';

/** Balance of the buyer of `serviceTrade`, in fen. */
const START = 50_000;
let t: TestApp;
let clock: StoppedClock;
let one: Awaited<ReturnType<typeof openedBooster>>;
let from: number;

beforeAll(async () => {
  t = await testApp();
  clock = await stoppedClock(t);
  await addBoostGame(t);
  one = await openedBooster(t, await t.newStaff(), { balanceFen: 1_000_000 });
  from = wholeSecond();
});
beforeEach(async () => await clock.stopAt(from));
afterAll(async () => {
  await clock.run();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const setting = () => t.ctx.dir.setting('boosting');
const around = async <T>(limitMs: number, see: () => Promise<T>) => await seenAround({ t, clock }, limitMs, see);

/** One text of a row of the database. */
async function textOf(query: ReturnType<typeof sql<{ text: string }>>): Promise<string | undefined> {
  return (await query.execute(t.ctx.db)).rows[0]?.text;
}
const stateOf = async ({ orderId }: ServiceTrade) =>
  await textOf(sql<{ text: string }>`select state as text from service_order where order_id = ${orderId}`);
const available = async (user: TestUser): Promise<number> => (await loadBalances(t.ctx.db, user.id)).availableFen;
/** How many notices of a kind or title a user got. */
async function notices(user: TestUser, about: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from notice where user_id = ${user.id} and ${about} in (kind, title)`.execute(t.ctx.db);
  return rows[0]?.n ?? 0;
}

describe('an order', () => {
  test('is refunded at the deadline when its account is missing, and its buyer is reminded when giving up is free', async () => {
    const trade = await serviceTrade(t, one, { sealed: false });
    const { accountFreeSeconds, accountSeconds } = setting();
    expect(await around(from + accountFreeSeconds * 1000, () => notices(trade.buyer, 'boost.proof'))).toEqual([
      0, 1, 1,
    ]);
    expect(await around(from + accountSeconds * 1000, () => stateOf(trade))).toEqual(['waiting', 'ended', 'ended']);
    expect(await available(trade.buyer)).toBe(START);
  });

  test('is late when the promised time is over, and ends by rule when the time to act is over, too', async () => {
    const trade = await serviceTrade(t, one);
    const due = from + PACKAGE.minutes * 60_000;
    expect(await around(due, () => notices(trade.buyer, '已超过约定时间'))).toEqual([0, 1, 1]);
    const ends = await around(due + setting().lateSeconds * 1000, () => stateOf(trade));
    expect(ends).toEqual(['working', 'ended', 'ended']);
  });

  test('asks for a picture after the set time of work', async () => {
    const { booster, ...rest } = await serviceTrade(t, await openedBooster(t, await t.newStaff()));
    expect(await around(from + setting().proofSeconds * 1000, () => notices(booster, 'boost.proof'))).toEqual([
      0, 1, 1,
    ]);
    expect(await stateOf({ booster, ...rest })).toBe('working');
  });

  test('goes on when the longest pause is over', async () => {
    const trade = await serviceTrade(t, one);
    await trade.buyer.client.ok(serviceAct, { orderId: trade.orderId, act: 'pause' });
    const states = await around(from + setting().maxPauseSeconds * 1000, () => stateOf(trade));
    expect(states).toEqual(['paused', 'working', 'working']);
  });
});

test('a submitted stage is confirmed by silence at its time', async () => {
  const trade = await serviceTrade(t, one);
  const { booster, orderId } = trade;
  const pictures = JSON.stringify([await userPicture(booster)]);
  await booster.client.ok(serviceProgress, { orderId, seq: 1, percent: 100, pictures });
  const stage = async () =>
    await textOf(sql<{ text: string }>`
      select state as text from service_milestone where order_id = ${orderId} and seq = 1`);
  const states = await around(from + setting().milestoneSeconds * 1000, stage);
  expect(states).toEqual(['submitted', 'accepted', 'accepted']);
});

test('a cancellation becomes a case when the time to answer is over', async () => {
  const { buyer, orderId } = await serviceTrade(t, one);
  await buyer.client.ok(serviceCancel, { orderId, act: 'ask', reason: 'plan' });
  const request = async () =>
    await textOf(sql<{ text: string }>`select status as text from service_cancel where order_id = ${orderId}`);
  const states = await around(from + setting().cancelAnswerSeconds * 1000, request);
  expect(states).toEqual(['asked', 'arbitration', 'arbitration']);
});

test('an open order that nobody takes is refunded after the hours that its buyer chose', async () => {
  const buyer = await t.newUser({ balanceFen: START });
  const ask = {
    gameId: BOOST_GAME,
    scopeKind: 'rank',
    fromRank: '钻石一',
    toRank: '最强王者',
    area: '微信一区',
    mode: 'account',
    hours: 20,
    milestones: [{ title: '最强王者', sharePercent: 100 }],
    price: '100.00',
    safetyDeposit: '20.00',
    efficiencyDeposit: '10.00',
    openHours: 24,
  };
  await buyer.client.ok(boostPost, ask as never);
  const money = await around(from + ask.openHours * 3_600_000, () => available(buyer));
  expect(money).toEqual([START - 10_100, START, START]);
});
