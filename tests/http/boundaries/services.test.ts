/** Times, counts and amounts of boosting and companion play at their limits, with the clock stopped. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { companionTip } from '#subjects/services/contract/companions.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { confirmRecGoods } from '#subjects/orders/contract/order.ts';
import { EARLY_MS, TIP_DAYS, TIP_MAX_FEN, TIP_MIN_FEN } from '#subjects/services/rules/companion-slots.ts';
import { serviceAct, serviceOrder } from '#subjects/services/contract/services.ts';
import { yuanText } from '#contract/wire.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { addBoostGame, openedBooster, serviceTrade } from '#tests/support/services/boosting.ts';
import { aroundLimit, atBoundary, wholeSecond } from '#tests/support/time/boundary.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import {
  addPlayGame,
  companionTrade,
  type CompanionTrade,
  openedCompanion,
} from '#tests/support/services/companion.ts';
import { type StoppedClock, stoppedClock } from '#tests/support/time/stopped-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let t: TestApp;
let clock: StoppedClock;
let one: Awaited<ReturnType<typeof openedCompanion>>;
let from: number;

beforeAll(async () => {
  t = await testApp();
  clock = await stoppedClock(t);
  await addPlayGame(t);
  await addBoostGame(t);
  one = await openedCompanion(t, await t.newStaff());
  from = wholeSecond();
});
afterAll(async () => {
  await clock.run();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

/** A minute as forms write it, in China. */
const minuteText = (ms: number): string => new Date(ms + 8 * HOUR_MS).toISOString().slice(0, 16);

const refused = codes.ORDER_STATE[0];
const setting = () => t.ctx.dir.setting('companion');
const stateOf = async ({ buyer, orderSn }: CompanionTrade) => (await buyer.client.ok(serviceOrder, { orderSn })).state;

/** Two hours of play for 120.00 that the clock has ended and the buyer has confirmed, who can tip. */
async function playedOut(): Promise<CompanionTrade> {
  await clock.stopAt(from);
  const trade = await companionTrade(t, one, 'playing');
  await clock.stopAt(from + 2 * HOUR_MS);
  await t.timers();
  expect(await stateOf(trade)).toBe('checking');
  await trade.buyer.client.ok(confirmRecGoods, { orderId: trade.orderId });
  await t.fund(trade.buyer.id, TIP_MAX_FEN * 2);
  return trade;
}
/** Price of the two hours, which is less than the largest sum of tips. */
const PAID_FEN = 12_000;
const tip = async ({ buyer, orderId }: CompanionTrade, fen: number) =>
  await buyer.client.call(companionTip, { orderId, amount: yuanText(fen) });

describe('a tip', () => {
  test('is refused during an open dispute, and accepted before it and after its withdrawal', async () => {
    const trade = await playedOut();
    expect((await tip(trade, 1000)).code).toBe(0);
    const { disputeSn } = await trade.buyer.client.ok(openDispute, {
      orderSn: trade.orderSn,
      reason: 'service_quality',
      want: 'continue',
      answers: { done: '还没有完成' },
      text: '请平台客服介入看一下',
    });
    expect((await tip(trade, 1000)).code).toBe(refused);
    await trade.buyer.client.ok(withdrawDispute, { disputeSn });
    expect((await tip(trade, 1000)).code).toBe(0);
  });

  test('is between its smallest amount and what is left of its largest sum', async () => {
    const trade = await playedOut();
    const codesOf = async (amounts: readonly number[]) => {
      const answers = [];
      for (const fen of amounts) answers.push((await tip(trade, fen)).code);
      return answers;
    };
    const [below, least, above] = aroundLimit(TIP_MIN_FEN);
    expect(await codesOf([below, least, above])).toEqual([codes.BAD_INPUT[0], 0, 0]);
    const left = PAID_FEN - least - above;
    expect(await codesOf([left + 1, left - TIP_MIN_FEN, TIP_MIN_FEN + 1, TIP_MIN_FEN])).toEqual([
      codes.BAD_INPUT[0],
      0,
      codes.BAD_INPUT[0],
      0,
    ]);
    expect((await tip(trade, TIP_MIN_FEN)).code).toBe(codes.BAD_INPUT[0]);
  });

  test('is accepted within seven days after the end', async () => {
    const trade = await playedOut();
    const now = from + 2 * HOUR_MS;
    const ended = now - TIP_DAYS * 24 * HOUR_MS;
    const answers = [];
    for (const [when, ms] of atBoundary(ended)) {
      // A later end leaves more of the seven days.
      await sql`update service_order set finished_at = ${new Date(2 * ended - ms)} where order_id = ${trade.orderId}`.execute(
        t.ctx.db,
      );
      answers.push([when, (await tip(trade, 1000)).code]);
    }
    expect(answers).toEqual([
      ['a second before', 0],
      ['at', refused],
      ['a second after', refused],
    ]);
  });
});

describe('companion play', () => {
  test('is refunded at the acceptance deadline, not a second earlier', async () => {
    await clock.stopAt(from);
    const trade = await companionTrade(t, one, 'paid');
    const states = [];
    for (const [, ms] of atBoundary(from + setting().acceptSeconds * 1000)) {
      await clock.stopAt(ms);
      await t.timers();
      states.push(await stateOf(trade));
    }
    expect(states).toEqual(['pending', 'ended', 'ended']);
  });

  test('ends when the ordered minutes are over, and a clicked end is final after its time', async () => {
    await clock.stopAt(from);
    const trade = await companionTrade(t, one, 'playing');
    const states = [];
    for (const [, ms] of atBoundary(from + 2 * HOUR_MS)) {
      await clock.stopAt(ms);
      await t.timers();
      states.push(await stateOf(trade));
    }
    expect(states).toEqual(['working', 'checking', 'checking']);
    const next = await companionTrade(t, one, 'playing');
    await next.buyer.client.ok(serviceAct, { orderId: next.orderId, act: 'end' });
    const ends = [];
    for (const [, ms] of atBoundary(Date.now() + setting().endAnswerSeconds * 1000)) {
      await clock.stopAt(ms);
      await t.timers();
      ends.push(await stateOf(next));
    }
    expect(ends).toEqual(['ending', 'ended', 'ended']);
  });

  test('is refunded after the agreed waiting time when no party appears', async () => {
    await clock.stopAt(from);
    const trade = await companionTrade(t, one, 'accepted');
    const { readySeconds, noShowSeconds } = setting();
    const states = [];
    for (const [, ms] of atBoundary(from + (readySeconds + noShowSeconds) * 1000)) {
      await clock.stopAt(ms);
      await t.timers();
      states.push(await stateOf(trade));
    }
    expect(states).toEqual(['waiting', 'ended', 'ended']);
  });

  test('can be started from fifteen minutes before a booked hour', async () => {
    const hour = Math.ceil(from / HOUR_MS) * HOUR_MS + 3 * HOUR_MS;
    const answers = [];
    for (const [, ms] of atBoundary(hour - EARLY_MS)) {
      await clock.stopAt(from);
      const other = await openedCompanion(t, await t.newStaff());
      const trade = await companionTrade(t, other, 'accepted', { startTime: minuteText(hour) });
      await clock.stopAt(ms);
      answers.push((await trade.buyer.client.call(serviceAct, { orderId: trade.orderId, act: 'start' })).code);
    }
    expect(answers).toEqual([refused, 0, 0]);
  });
});

describe('the stages of boosting', () => {
  test.each([
    ['99.99', [3000, 6000]],
    ['33.37', [1001, 2002]],
    ['100.00', [3000, 6000]],
  ])(
    'are paid, at a price of %s, less the commission rounded up and one fen, whatever was paid before',
    async (price, until) => {
      await clock.stopAt(from);
      const booster = await openedBooster(t, await t.newStaff(), { pack: { price } });
      const { orderId } = await serviceTrade(t, booster);
      const { rows } = await sql<{ goods: number; commission: number }>`
      select goods_fen as goods, commission_fen as commission from orders where id = ${orderId}`.execute(t.ctx.db);
      const { goods, commission } = rows[0] ?? { goods: 0, commission: 0 };
      expect(goods).toBe(Math.round(Number(price) * 100));
      let paid = 0;
      let before = 0;
      for (const [index, goodsFen] of until.entries()) {
        const { rows: parts } = await sql<{ fen: number }>`
        select order_pay_part(${orderId}, ${goodsFen - before}, ${`boundary:${orderId}:${index}`}) as fen`.execute(
          t.ctx.db,
        );
        before = goodsFen;
        paid += parts[0]?.fen ?? 0;
        const dueFen = (BigInt(commission) * BigInt(goodsFen) + BigInt(goods) - 1n) / BigInt(goods);
        expect([index, paid]).toEqual([index, goodsFen - Number(dueFen) - 1]);
      }
    },
  );
});

// The last one: after so many days the companion's package is off sale.
describe('the hold of a tip', () => {
  test('ends when its time is over, not a second earlier', async () => {
    const trade = await playedOut();
    expect((await tip(trade, 1000)).code).toBe(0);
    const { rows } = await sql<{ due: Date }>`
      select max(due_at) as due from timer where kind = 'service.tip'`.execute(t.ctx.db);
    const due = rows[0]?.due.getTime() ?? 0;
    const days = (due - (from + 2 * HOUR_MS)) / (24 * HOUR_MS);
    expect(days).toBeGreaterThan(0.9);
    const paid = [];
    for (const [, ms] of atBoundary(Math.ceil(due / 1000) * 1000)) {
      await clock.stopAt(ms);
      await t.timers();
      const ends = await sql`
        select from ledger_transfer where code = 'service_tip_end' and order_id = ${trade.orderId}`.execute(t.ctx.db);
      paid.push(ends.rows.length);
    }
    expect(paid).toEqual([0, 1, 1]);
  });
});
