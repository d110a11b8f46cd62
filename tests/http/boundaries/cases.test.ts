/** The clocks of disputes, claims, late orders and deposits at their limits, with the clock stopped. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { staffDisputeFirstResponse, staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { depositRelease } from '#subjects/deposits/contract/deposit.ts';
import { appealRuling } from '#subjects/disputes/contract/dispute.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { wholeSecond } from '#tests/support/time/boundary.ts';
import { claimsOn } from '#tests/support/orders/claims.ts';
import { type Court, openCourt, ruling } from '#tests/support/orders/disputes.ts';
import { seenAround, type StoppedClock, stoppedClock } from '#tests/support/time/stopped-clock.ts';

const DAY_MS = 86_400_000;
const LOOK_LATE = '超过受理时限，已升级给主管';
const RULE_LATE = '超过裁决时限，已升级给主管';

let court: Court;
let clock: StoppedClock;
let from: number;

beforeAll(async () => {
  court = await openCourt();
  clock = await stoppedClock(court.t);
  from = wholeSecond();
});
beforeEach(async () => await clock.stopAt(from));
afterAll(async () => {
  await clock.run();
  expect(await brokenInvariants(court.t.ctx.db)).toEqual([]);
  await court.t.close();
});

/** A member of customer service; the session of one who logged in before another test has ended with that test's time. */
const newService = async () => await court.t.newStaff({ role: 'service' });
const around = async <T>(limitMs: number, see: () => Promise<T>) =>
  await seenAround({ t: court.t, clock }, limitMs, see);
const statusOf = async (table: 'dispute' | 'guarantee_claim', sn: string): Promise<string | undefined> =>
  (await sql<{ status: string }>`select status from ${sql.table(table)} where sn = ${sn}`.execute(court.t.ctx.db))
    .rows[0]?.status;

describe('a case', () => {
  const setting = () => court.t.ctx.dir.setting('disputes');
  /** How often a case was escalated for each of the two reasons. */
  async function escalations(disputeSn: string): Promise<{ look: number; rule: number }> {
    const { rows } = await sql<{ explain: string }>`
      select e.explain from dispute_event e join dispute d on d.id = e.dispute_id where d.sn = ${disputeSn}`.execute(
      court.t.ctx.db,
    );
    const count = (text: string) => rows.filter(({ explain }) => explain === text).length;
    return { look: count(LOOK_LATE), rule: count(RULE_LATE) };
  }

  test('is escalated at the triage deadline', async () => {
    const disputeSn = await court.opened(await court.trade('shipped'));
    const seen = await around(from + setting().lookSeconds * 1000, async () => (await escalations(disputeSn)).look);
    expect(seen).toEqual([0, 1, 1]);
  });

  test('continues without the other party’s response at its time', async () => {
    const disputeSn = await court.opened(await court.trade('shipped'));
    const limit = from + setting().answerCoinSeconds * 1000;
    expect(await around(limit, () => statusOf('dispute', disputeSn))).toEqual(['open', 'evidence', 'evidence']);
  });

  test('is escalated at the ruling deadline', async () => {
    const disputeSn = await court.answered(await court.trade('shipped'));
    const service = await newService();
    await service.client.ok(staffDisputeFirstResponse, { disputeSn });
    const ruleMs = setting().ruleSeconds * 1000;
    const seen = async () => (await escalations(disputeSn)).rule;
    expect(await around(from + ruleMs, seen)).toEqual([0, 1, 1]);
    expect((await escalations(disputeSn)).look).toBe(0);
  });

  test('has the full ruling time again after an appeal', async () => {
    const trade = await court.trade('shipped');
    const disputeSn = await court.answered(trade);
    const service = await newService();
    await service.client.ok(staffDisputeRule, ruling(disputeSn, '40.00'));
    const appealed = from + 3_600_000;
    await clock.stopAt(appealed);
    await trade.seller.client.ok(appealRuling, { disputeSn, text: '六十个不对，请再看一次发货记录', pictures: [] });
    const ruleMs = setting().ruleSeconds * 1000;
    const seen = async () => (await escalations(disputeSn)).rule;
    expect(await around(from + ruleMs, seen)).toEqual([0, 0, 0]);
    expect(await around(appealed + ruleMs, seen)).toEqual([0, 1, 1]);
  });
});

describe('a claim', () => {
  const newClaims = async () => claimsOn(court.t, { service: await newService(), other: court.other });

  test('starts recourse at the triage deadline', async () => {
    const claims = await newClaims();
    const { claimSn } = await claims.claimed();
    const { lookSeconds } = court.t.ctx.dir.setting('claims');
    const seen = await around(from + lookSeconds * 1000, () => statusOf('guarantee_claim', claimSn));
    expect(seen).toEqual(['checking', 'chasing', 'chasing']);
  });

  test('is paid when the days of its chase are over, not a second earlier', async () => {
    const claims = await newClaims();
    const { owner, claimSn } = await claims.claimed();
    await claims.chasing(claimSn);
    const before = await claims.balance(owner);
    const { rows } = await sql<{ days: number }>`
      select chase_days as days from guarantee_claim where sn = ${claimSn}`.execute(court.t.ctx.db);
    const limit = from + (rows[0]?.days ?? 0) * DAY_MS;
    expect(await around(limit, async () => (await claims.balance(owner)) - before)).toEqual([0, 10_000, 10_000]);
    expect(await statusOf('guarantee_claim', claimSn)).toBe('paid');
  });
});

test('an order that is not shipped is announced as late, announced again a day before its end, and ends, each at its second', async () => {
  const { buyer, orderId, orderSn } = await court.trade('paid');
  const { shipSeconds, lateSeconds } = court.t.ctx.dir.setting('order');
  const notices = async (): Promise<number> =>
    (
      await sql<{ n: number }>`
        select count(*)::int as n from notice where user_id = ${buyer.id} and kind = 'order.overdue' and link like ${`%${orderSn}`}`.execute(
        court.t.ctx.db,
      )
    ).rows[0]?.n ?? 0;
  const status = async (): Promise<number | undefined> =>
    (await sql<{ status: number }>`select status from orders where id = ${orderId}`.execute(court.t.ctx.db)).rows[0]
      ?.status;
  await court.t.relay();
  const late = from + (shipSeconds['27'] ?? 0) * 1000;
  expect(await around(late, notices)).toEqual([0, 1, 1]);
  // The first run after the limit is the one at it, so the period begins at the limit.
  const end = late + (lateSeconds ?? 0) * 1000;
  expect(await around(end - DAY_MS, notices)).toEqual([1, 2, 2]);
  const { Paid, SellerCancelled } = OrderStatus;
  expect(await around(end, status)).toEqual([Paid, SellerCancelled, SellerCancelled]);
});

test('a deposit is returned when the days of its release are over, not a second earlier', async () => {
  const user = await court.t.newUser({ balanceFen: 50_000 });
  await user.client.ok(depositPay, { role: 'seller', level: 1 });
  const { releaseTime } = await user.client.ok(depositRelease, { role: 'seller', act: 'ask' });
  expect(Date.parse(releaseTime)).toBe(from + 7 * DAY_MS);
  const seen = await around(from + 7 * DAY_MS, async () => {
    const { availableFen, depositFen } = await loadBalances(court.t.ctx.db, user.id);
    return [availableFen, depositFen];
  });
  expect(seen).toEqual([
    [0, 50_000],
    [50_000, 0],
    [50_000, 0],
  ]);
});
