import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { codes } from '#contract/codes.ts';
import { cashAdvance, withdrawList } from '#subjects/payments/contract/pay.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { recheckWithdrawal } from '#subjects/payments/server/payouts/payout-recheck.ts';
import { payWithdrawal } from '#subjects/payments/server/payouts/payout.ts';
import { approveWithdrawal } from '#subjects/payments/server/payouts/withdraw.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { startChannels } from '#tests/support/fakes/channels.ts';
import { sizeOf } from '#tests/sizes.ts';

let t: TestApp;
let w: Awaited<ReturnType<typeof startChannels>>;
let finance: { id: number; distId: null };

beforeAll(async () => {
  w = await startChannels();
  t = await testApp({ overrides: { pay: w.channels } });
  finance = { id: (await t.newStaff({ role: 'finance' })).id, distId: null };
});
beforeEach(() => {
  w.alipay.mend();
  w.alipay.transferBegins = 'SUCCESS';
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
  await w.close();
});

async function bind(user: TestUser, kind = 'alipay', name = user.realName): Promise<void> {
  const location = (column: string): string => `payout_account.${column}:${user.id}`;
  await sql`update payout_account set removed_at = now() where user_id = ${user.id}`.execute(t.ctx.db);
  await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
    values (${user.id}, ${kind}, ${encrypt(t.ctx.keys, location('account_enc'), `u${user.id}@example.com`)}, ${Buffer.from(`${user.id}${Math.random()}`)}, 'u***', ${encrypt(t.ctx.keys, location('name_enc'), name)})`.execute(
    t.ctx.db,
  );
}

/** A withdrawal of 100.00 that finance has approved; its row and its number at the channel. */
async function approved(): Promise<{ user: TestUser; id: number; no: string; sn: string }> {
  const user = await t.newUser({ balanceFen: 30_000 });
  await bind(user);
  const { withdrawSn } = await user.client.ok(cashAdvance, { amount: '100.00' });
  await approveWithdrawal(t.ctx, finance, withdrawSn);
  const { rows } = await sql<{
    id: number;
    no: string;
  }>`select id, channel_no as no from withdrawal where sn = ${withdrawSn}`.execute(t.ctx.db);
  return { user, id: rows[0]?.id ?? 0, no: rows[0]?.no ?? '', sn: withdrawSn };
}

const rest = async (user: TestUser) => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return [availableFen, frozenFen];
};
const statusOf = async (user: TestUser): Promise<string | undefined> =>
  (await user.client.ok(withdrawList, {})).list[0]?.statusName;

/** Runs the payouts due within the given minutes. */
async function later(minutes: number): Promise<void> {
  await passTime(t.ctx.db, 'timer', { kind: 'withdraw.pay' }, { minutes });
  await t.timers();
}

test('is paid to the verified person by one transfer, also by concurrent jobs', async () => {
  const { user, id, no } = await approved();
  await Promise.all(Array.from({ length: sizeOf('raceCallers') }, () => payWithdrawal(t.ctx, id)));
  expect(await rest(user)).toEqual([20_000, 0]);
  expect(await statusOf(user)).toBe('已到账');
  expect(w.alipay.transfers.get(no)).toMatchObject({
    amount: '100.00',
    name: user.realName,
    identity: `u${user.id}@example.com`,
  });
  expect(w.alipay.requests.filter((name) => name === 'alipay.fund.trans.uni.transfer')).toHaveLength(1);
});

test.each(['lost', 'hang', 'refuse', 'malformed', 'forged', 'error500'] as const)(
  'a response that ends as %s: queried under the same number, sent again only when the channel does not know it',
  async (fault) => {
    const { user, id, no } = await approved();
    const before = w.alipay.balanceFen;
    w.alipay.fail(/transfer/, fault);
    await payWithdrawal(t.ctx, id);
    expect(await rest(user)).toEqual([20_000, 10_000]);
    await Promise.all(Array.from({ length: 20 }, () => payWithdrawal(t.ctx, id)));
    await later(2);
    expect(await rest(user)).toEqual([20_000, 0]);
    expect(w.alipay.transfers.get(no)?.status).toBe('SUCCESS');
    expect(before - w.alipay.balanceFen).toBe(10_000);
  },
);

test('done and returned days later: credited to the balance once, with a notice; a done one is checked three times', async () => {
  const [one, two] = [await approved(), await approved()];
  await Promise.all([payWithdrawal(t.ctx, one.id), payWithdrawal(t.ctx, two.id)]);
  const daysOn = async (days: number): Promise<void> => {
    await sql`update withdrawal set paid_at = paid_at - make_interval(days => ${days}) where id in (${one.id}, ${two.id})`.execute(
      t.ctx.db,
    );
    await passTime(t.ctx.db, 'timer', { kind: 'withdraw.recheck' }, { days });
    await t.timers();
  };
  await daysOn(1);
  expect(await rest(one.user)).toEqual([20_000, 0]);
  w.alipay.endTransfer(one.no, 'REFUND');
  w.alipay.fail(/query/, 'error500', 100);
  await daysOn(2);
  expect(await rest(one.user)).toEqual([20_000, 0]);
  w.alipay.mend();
  await makeDue(t.ctx.db, 'withdraw.recheck');
  await Promise.all([t.timers(), ...Array.from({ length: 20 }, () => recheckWithdrawal(t.ctx, one.id))]);
  await t.relay();
  expect([await rest(one.user), await statusOf(one.user)]).toEqual([[30_000, 0], '已退回']);
  expect(await rest(two.user)).toEqual([20_000, 0]);
  const notices = await one.user.client.ok(noticeList, {});
  expect(notices.list[0]).toMatchObject({ title: '提现已退回', body: expect.stringContaining('被收款方退回') });
  await daysOn(4);
  const left =
    await sql`select from timer where kind = 'withdraw.recheck' and ref in (${String(one.id)}, ${String(two.id)})`.execute(
      t.ctx.db,
    );
  expect(left.rows).toEqual([]);
});

test('pending for hours, then done; pending, then returned', async () => {
  w.alipay.transferBegins = 'DEALING';
  const [one, two] = [await approved(), await approved()];
  await t.timers();
  await later(120);
  expect([await statusOf(one.user), await rest(one.user)]).toEqual(['打款中', [20_000, 10_000]]);
  w.alipay.endTransfer(one.no, 'SUCCESS');
  w.alipay.endTransfer(two.no, 'REFUND');
  await later(120);
  expect([await rest(one.user), await rest(two.user)]).toEqual([
    [20_000, 0],
    [30_000, 0],
  ]);
  expect([await statusOf(one.user), await statusOf(two.user)]).toEqual(['已到账', '已退回']);
});

test('another name at Alipay: the money is returned with a message; without our own money it waits', async () => {
  const one = await approved();
  w.alipay.people.set(`u${one.user.id}@example.com`, '别人');
  await t.timers();
  expect(await rest(one.user)).toEqual([30_000, 0]);
  expect((await one.user.client.ok(withdrawList, {})).list[0]?.note).toContain('请核对收款账户');
  const two = await approved();
  const had = w.alipay.balanceFen;
  w.alipay.balanceFen = 0;
  await t.timers();
  await later(60);
  expect(await statusOf(two.user)).toBe('打款中');
  w.alipay.balanceFen = had;
  await later(60);
  expect(await statusOf(two.user)).toBe('已到账');
});

test('the channel is down for an hour while ten are pending: all are paid once afterwards', async () => {
  const pendingSns = [];
  for (let i = 0; i < 10; i++) pendingSns.push(await approved());
  w.alipay.fail(/./, 'refuse', 10_000);
  for (let minute = 0; minute < 60; minute += 10) await later(10);
  for (const { user } of pendingSns) expect(await rest(user)).toEqual([20_000, 10_000]);
  w.alipay.mend();
  await later(2);
  await later(2);
  for (const { user, no } of pendingSns) {
    expect(await rest(user)).toEqual([20_000, 0]);
    expect(w.alipay.transfers.get(no)?.amount).toBe('100.00');
  }
});

describe('the payee', () => {
  test('is rejected with another name, or with a kind that no channel pays to', async () => {
    const user = await t.newUser({ balanceFen: 30_000 });
    await bind(user, 'alipay', '别人');
    expect((await user.client.call(cashAdvance, { amount: '100.00' })).code).toBe(codes.PAYEE_NAME[0]);
    await bind(user, 'bank');
    expect((await user.client.call(cashAdvance, { amount: '100.00', accountType: 'bank' })).code).toBe(
      codes.PAY_CHANNEL_CLOSED[0],
    );
    expect(await rest(user)).toEqual([30_000, 0]);
  });

  test('when changed needs a code until something was paid to it', async () => {
    const { user } = await approved();
    await t.timers();
    await bind(user);
    expect((await user.client.call(cashAdvance, { amount: '50.00' })).code).toBe(codes.SMS_REQUIRED[0]);
    await user.client.ok(smsBindPhone, { type: 'payout' });
    const { withdrawSn } = await user.client.ok(cashAdvance, { amount: '50.00', smsCode: t.lastCode(user.phone) });
    await approveWithdrawal(t.ctx, finance, withdrawSn);
    await t.timers();
    expect((await user.client.ok(cashAdvance, { amount: '50.00' })).status).toBe(0);
  });

  test('at most five a day, for any amount', async () => {
    const user = await t.newUser({ balanceFen: 30_000 });
    await bind(user);
    const responses = await Promise.all(
      Array.from({ length: 9 }, () => user.client.call(cashAdvance, { amount: '10.00' })),
    );
    expect(responses.filter((a) => a.code === 0)).toHaveLength(5);
    expect(new Set(responses.filter((a) => a.code !== 0).map((a) => a.code))).toEqual(
      new Set([codes.WITHDRAW_LIMIT[0]]),
    );
  });
});
