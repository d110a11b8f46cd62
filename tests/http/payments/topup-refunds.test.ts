/** A top-up that finance sends back to its source: by two people, once, and whatever the channel answers. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as c from '#subjects/payments/contract/staff-topups.ts';
import { auditList } from '#subjects/back-office/contract/audit.ts';
import { codes } from '#contract/codes.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { recPay } from '#subjects/payments/contract/pay.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { startChannels } from '#tests/support/fakes/channels.ts';

let t: TestApp;
let w: Awaited<ReturnType<typeof startChannels>>;
let finance: TestStaff;
let admin: TestStaff;

beforeAll(async () => {
  w = await startChannels();
  t = await testApp({ overrides: { pay: w.channels }, env: { DATABASE_POOL: '20' } });
  finance = await t.newStaff({ role: 'finance' });
  admin = await t.newStaff({ role: 'admin' });
});
beforeEach(() => w.alipay.mend());
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
  await w.close();
});

const money = async (user: TestUser) => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return [availableFen, frozenFen];
};

/** Minutes pass for the jobs of payments and refunds. */
async function later(minutes: number): Promise<void> {
  await passTime(t.ctx.db, 'timer', { kind: ['pay.watch', 'refund.send'] }, { minutes });
  await t.relay();
  await t.timers();
}

/** Somebody with an arrived top-up by Alipay, found by asking. */
async function toppedUp(amount: string): Promise<{ user: TestUser; paymentId: number }> {
  const user = await t.newUser();
  const p = await user.client.ok(recPay, { amount, aliOrWx: 1 });
  w.alipay.pay(p.payInterSn);
  await later(1);
  const { list } = await finance.client.ok(c.staffTopupList, { keyWord: p.payInterSn });
  expect(list).toMatchObject([{ amount, refundable: amount, closed: '', userId: String(user.id) }]);
  return { user, paymentId: list[0]?.paymentId ?? 0 };
}

const refundInput = (paymentId: number, amount: string) => ({ paymentId, amount, reason: '用户误充，申请退回' });

describe('refund of a top-up', () => {
  test('in parts up to the paid amount, with notices and audit entries', async () => {
    const { user, paymentId } = await toppedUp('300.00');
    const first = await finance.client.ok(c.refundTopup, refundInput(paymentId, '100.00'));
    expect(first).toMatchObject({ needsSecond: false });
    expect(await money(user)).toEqual([20_000, 10_000]);
    await later(2);
    expect(await money(user)).toEqual([20_000, 0]);
    const more = await finance.client.call(c.refundTopup, refundInput(paymentId, '200.01'));
    expect(more.code).toBe(codes.PAY_AMOUNT[0]);
    await finance.client.ok(c.refundTopup, refundInput(paymentId, '200.00'));
    await later(2);
    expect(await money(user)).toEqual([0, 0]);
    expect((await finance.client.call(c.refundTopup, refundInput(paymentId, '0.01'))).code).toBe(codes.TOPUP_REFUND[0]);
    const { list } = await finance.client.ok(c.staffTopupList, { keyWord: String(user.id) });
    expect(list).toMatchObject([{ refunded: '300.00', underWay: '0.00', refundable: '0.00', closed: '已全部退回' }]);
    await t.relay();
    const notices = (await user.client.ok(noticeList, {})).list.map(({ body }) => body).join('\n');
    expect(notices).toContain('用户误充');
    expect(notices).toContain('已退回原付款账户');
    const audit = (await admin.client.ok(auditList, { keyWord: `payment:${paymentId}` })).list;
    expect(audit.map(({ actName }) => actName)).toEqual(['充值原路退回', '充值原路退回']);
  });

  test('fifty concurrent requests refund once; one key returns the same result', async () => {
    const { user, paymentId } = await toppedUp('100.00');
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 === 0 ? finance : admin).client.call(c.refundTopup, refundInput(paymentId, '60.00')),
      ),
    );
    expect(responses.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await money(user)).toEqual([4_000, 6_000]);
    const idempotencyKey = `topup-refund-${paymentId}`;
    const again = async () =>
      (await finance.client.ok(c.refundTopup, refundInput(paymentId, '40.00'), { idempotencyKey })).refundNo;
    expect(new Set([await again(), await again(), await again()]).size).toBe(1);
    await later(2);
    expect(await money(user)).toEqual([0, 0]);
  });

  test("up to the user's balance", async () => {
    const { user, paymentId } = await toppedUp('100.00');
    await sql`select ledger_post(${JSON.stringify([
      {
        code: 'freeze',
        ref: `test:${paymentId}`,
        debit: `user:${user.id}:available`,
        credit: `user:${user.id}:frozen`,
        fen: 7_000,
        dist: 1,
      },
    ])}::jsonb)`.execute(t.ctx.db);
    await sql`insert into hold (user_id, amount_fen, code, reason, ref) values (${user.id}, 7000, 'staff_freeze', '测试冻结', ${`test:${paymentId}`})`.execute(
      t.ctx.db,
    );
    expect((await finance.client.call(c.refundTopup, refundInput(paymentId, '30.01'))).code).toBe(codes.BALANCE_LOW[0]);
    await finance.client.ok(c.refundTopup, refundInput(paymentId, '30.00'));
    await later(2);
    expect(await money(user)).toEqual([0, 7_000]);
  });
});

describe('above the limit', () => {
  test('a second person repeats the amount; one person alone cannot, not even in small parts', async () => {
    const { user, paymentId } = await toppedUp('6000.00');
    const requested = await finance.client.ok(c.refundTopup, refundInput(paymentId, '5500.00'));
    expect(requested).toEqual({ refundNo: null, needsSecond: true });
    expect(await money(user)).toEqual([600_000, 0]);
    expect((await finance.client.call(c.refundTopup, refundInput(paymentId, '5500.00'))).code).toBe(
      codes.SECOND_PERSON[0],
    );
    expect((await admin.client.call(c.refundTopup, refundInput(paymentId, '100.00'))).code).toBe(codes.PAY_AMOUNT[0]);
    expect((await admin.client.ok(c.staffTopupList, { keyWord: String(user.id) })).list).toMatchObject([
      { askedAmount: '5500.00', isMine: false },
    ]);
    const both = await Promise.all([
      admin.client.call(c.refundTopup, refundInput(paymentId, '5500.00')),
      admin.client.call(c.refundTopup, refundInput(paymentId, '5500.00')),
    ]);
    expect(both.filter(({ code, data }) => code === 0 && data?.refundNo)).toHaveLength(1);
    expect(await money(user)).toEqual([50_000, 550_000]);
    // The day's sum counts, so the rest is asked for as well.
    await passTime(t.ctx.db, 'approval', { status: 'waiting' }, { until: 'expires_at' });
    expect(await finance.client.ok(c.refundTopup, refundInput(paymentId, '10.00'))).toMatchObject({
      needsSecond: true,
    });
    await later(2);
    expect(await money(user)).toEqual([50_000, 0]);
  });
});

describe('the channel', () => {
  test('is queried under the same number after a lost response, and pays once', async () => {
    const { user, paymentId } = await toppedUp('80.00');
    w.alipay.fail(/refund/, 'malformed', 1);
    await finance.client.ok(c.refundTopup, refundInput(paymentId, '80.00'));
    await later(0);
    expect(await money(user)).toEqual([0, 8_000]);
    for (let i = 0; i < 4; i++) await later(5);
    expect(await money(user)).toEqual([0, 0]);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ledger_transfer where code = 'refund_paid' and ref like 'refund:%' and debit = ${`user:${user.id}:frozen`}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.n).toBe(1);
  });

  test('is not called after its refund period', async () => {
    const { paymentId } = await toppedUp('50.00');
    await passTime(t.ctx.db, 'payment', { id: paymentId }, { days: 91 });
    expect((await finance.client.call(c.refundTopup, refundInput(paymentId, '50.00'))).code).toBe(
      codes.TOPUP_REFUND[0],
    );
  });
});

test('is for finance and administrators only, for paid top-ups, with valid amounts', async () => {
  const { user, paymentId } = await toppedUp('50.00');
  for (const role of ['service', 'reviewer', 'content', 'operator'] as const) {
    const staff = await t.newStaff({ role, ...(role === 'operator' && { distId: 1 }) });
    expect((await staff.client.call(c.refundTopup, refundInput(paymentId, '50.00'))).code).toBe(codes.FORBIDDEN[0]);
    expect((await staff.client.call(c.staffTopupList, {})).code).toBe(codes.FORBIDDEN[0]);
  }
  const p = await user.client.ok(recPay, { amount: '20.00', aliOrWx: 1 });
  const { rows } = await sql<{ id: number }>`select id from payment where inter_sn = ${p.payInterSn}`.execute(t.ctx.db);
  for (const id of [rows[0]?.id ?? 0, 999_999_999])
    expect((await finance.client.call(c.refundTopup, refundInput(id, '9000.00'))).code).toBe(codes.NOT_FOUND[0]);
  for (const amount of ['NaN', '1e3', '0.001', '-1', '0', '99999999999'])
    expect((await finance.client.call(c.refundTopup, refundInput(paymentId, amount))).status).toBe(422);
  expect(await money(user)).toEqual([5_000, 0]);
});
