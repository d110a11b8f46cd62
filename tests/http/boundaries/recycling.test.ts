/** Times and counts of account recycling at their limits, with the clock stopped. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as c from '#subjects/recycling/contract/account-recycling.ts';
import { codes } from '#contract/codes.ts';
import { atBoundary, wholeSecond } from '#tests/support/time/boundary.ts';
import type { TestUser } from '#tests/support/servers/build.ts';
import { assign, staffPicture } from '#tests/support/orders/orders.ts';
import { openRecycling, type Recycling, SAID } from '#tests/support/services/recycling.ts';
import { type StoppedClock, stoppedClock } from '#tests/support/time/stopped-clock.ts';

const HOUR_MS = 3_600_000;
let m: Recycling;
let clock: StoppedClock;
beforeAll(async () => {
  m = await openRecycling();
  clock = await stoppedClock(m.t);
});
afterAll(async () => {
  await clock.run();
  await m.close();
});

let accounts = 0;
const ask = async ({ client }: TestUser) => {
  const accountNo = `boundary${++accounts}`;
  return await client.call(c.recycleApply, { gameId: 1, details: SAID as never, accountNo });
};

/** Asks and withdraws at once, so that only the requests of the day count. */
async function askAndWithdraw(seller: TestUser): Promise<void> {
  const { code, data } = await ask(seller);
  expect(code).toBe(0);
  await seller.client.ok(c.recycleWithdraw, { requestSn: data.requestSn });
}

test('the eighth request of 24 hours is taken, the ninth is not until the first is a day old', async () => {
  const from = wholeSecond();
  await clock.stopAt(from);
  const seller = await m.t.newUser();
  await askAndWithdraw(seller);
  await clock.stopAt(from + HOUR_MS);
  for (let n = 2; n <= 8; n++) await askAndWithdraw(seller);
  const refusals = [from + HOUR_MS, ...atBoundary(from + 2 * HOUR_MS).map(([, ms]) => ms), from + 23 * HOUR_MS];
  for (const ms of refusals) {
    await clock.stopAt(ms);
    expect(await ask(seller)).toMatchObject({ code: codes.BAD_INPUT[0], msg: expect.stringContaining('24 小时') });
  }
  const day = from + 24 * HOUR_MS;
  const answers: number[] = [];
  for (const [, ms] of atBoundary(day)) {
    await clock.stopAt(ms);
    answers.push((await ask(seller)).code);
  }
  // The place of the first request is free at its end and taken by the request of that moment.
  expect(answers).toEqual([codes.BAD_INPUT[0], 0, codes.BAD_INPUT[0]]);
});

test('the third open request is taken, the fourth is not', async () => {
  const seller = await m.t.newUser();
  const answers = [];
  for (let n = 1; n <= 4; n++) answers.push((await ask(seller)).code);
  expect(answers).toEqual([0, 0, 0, codes.BAD_INPUT[0]]);
});

test('a request is on the recyclers’ board and takes bids until its time is over, also before its clock has run', async () => {
  const from = wholeSecond();
  await clock.stopAt(from);
  const [buyer, request] = [await m.recycler(), await m.ask()];
  const dueMs = Date.parse(String((await m.info(request)).dueTime));
  const states: unknown[] = [];
  for (const [when, ms] of atBoundary(dueMs)) {
    await clock.stopAt(ms);
    const { list } = await buyer.client.ok(c.recycleBoard, {});
    const isListed = list.some((one) => one.requestSn === request.sn);
    states.push([when, isListed, (await m.bid(buyer, request, '500')).code]);
  }
  expect(states).toEqual([
    ['a second before', true, 0],
    ['at', false, codes.ORDER_STATE[0]],
    ['a second after', false, codes.ORDER_STATE[0]],
  ]);
  const own = await buyer.client.ok(c.recycleBoard, { own: 1 } as never);
  expect(own.list.map((one) => one.requestSn)).toEqual([request.sn]);
  await m.due(request);
});

test('an account bought by the platform and not taken over becomes a case at the deadline, not a second earlier', async () => {
  await clock.stopAt(wholeSecond());
  // The tests before moved the clock by a day, which ended the log-in of the staff who were there.
  const inspector = await m.t.newStaff({ role: 'service' });
  const request = await m.soldToPlatform();
  await assign(m.t, request.orderId, inspector);
  expect((await m.inspect(request.sn, SAID, inspector, [await staffPicture(inspector)])).code).toBe(0);
  const { rows } = await sql<{ due: Date }>`
    select due_at as due from timer where kind = 'recycle.takeOver' and ref = ${String(request.orderId)}`.execute(
    m.t.ctx.db,
  );
  const due = Math.ceil((rows[0]?.due.getTime() ?? 0) / 1000) * 1000;
  const cases = [];
  for (const [, ms] of atBoundary(due)) {
    await clock.stopAt(ms);
    await m.t.timers();
    const found = await sql`select from dispute where order_id = ${request.orderId}`.execute(m.t.ctx.db);
    cases.push(found.rows.length);
  }
  expect(cases).toEqual([0, 1, 1]);
});
