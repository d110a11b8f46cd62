/** Withdrawals to WeChat: the payee accepts in WeChat, under our own number once, reported by a notification or by a query. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { acceptWithdrawal, cashAdvance, withdrawList, withdrawTerms } from '#subjects/payments/contract/pay.ts';
import { brokenInvariants, loadBalances } from '#subjects/ledger/server/service.ts';
import { bindAccountNum } from '#subjects/verification/contract/payee.ts';
import { payWithdrawal } from '#subjects/payments/server/payouts/payout.ts';
import { approveWithdrawal } from '#subjects/payments/server/payouts/withdraw.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { post } from '#tests/support/fakes/channel-notices.ts';
import { startChannels } from '#tests/support/fakes/channels.ts';

let t: TestApp;
let w: Awaited<ReturnType<typeof startChannels>>;
let finance: { id: number; distId: null };
let people = 0;

beforeAll(async () => {
  w = await startChannels({ transfers: true });
  t = await testApp({ overrides: { pay: w.channels } });
  finance = { id: (await t.newStaff({ role: 'finance' })).id, distId: null };
});
beforeEach(() => {
  w.wechat.mend();
  w.wechat.transfers.balanceFen = 1_000_000_000;
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
  await w.close();
});

/** A user whose WeChat is bound and is their payee. */
async function payee(): Promise<TestUser & { openid: string }> {
  const user = await t.newUser({ balanceFen: 30_000 });
  const openid = `oPayee${++people}`;
  w.wechat.openids.add(openid);
  await sql`insert into third_party_binding (user_id, provider, open_id) values (${user.id}, 'wechat', ${openid})`.execute(
    t.ctx.db,
  );
  await user.client.ok(bindAccountNum, { accountType: 'wechat', realName: user.realName });
  return { ...user, openid };
}

async function approved(): Promise<{ user: TestUser & { openid: string }; id: number; no: string; sn: string }> {
  const user = await payee();
  const { withdrawSn } = await user.client.ok(cashAdvance, { amount: '100.00', accountType: 'wechat' });
  await approveWithdrawal(t.ctx, finance, withdrawSn);
  const { rows } = await sql<{ id: number; no: string | null }>`
    select id, channel_no as no from withdrawal where sn = ${withdrawSn}`.execute(t.ctx.db);
  return { user, id: rows[0]?.id ?? 0, no: rows[0]?.no ?? '', sn: withdrawSn };
}

const INSIDE = {
  headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 14; Pixel 7) Mobile Safari/537.36 MicroMessenger/8.0.54' },
};
/** The payee opens the page inside WeChat. */
async function question(user: TestUser, withdrawSn: string): Promise<Record<string, string>> {
  const { fields } = await user.client.ok(acceptWithdrawal, { withdrawSn }, INSIDE);
  if (!fields) throw new Error('no fields inside WeChat');
  return fields;
}

const rest = async (user: TestUser) => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return [availableFen, frozenFen];
};
const first = async (user: TestUser) => (await user.client.ok(withdrawList, {})).list[0];

async function later(minutes: number): Promise<void> {
  await passTime(t.ctx.db, 'timer', { kind: 'withdraw.pay' }, { minutes });
  await t.timers();
}

/** WeChat notifies that a transfer has ended; `other` changes the content before it is encrypted. */
async function notify(no: string, other: Record<string, unknown> = {}): Promise<string> {
  const transfer = w.wechat.transfers.all.get(no);
  const inner = { ...(transfer && w.wechat.transfers.view(transfer)), ...other };
  const { body, headers } = w.wechat.notice(inner, { event: 'MCHTRANSFER.BILL.FINISHED' });
  return await post(t, 'wechat', body, headers);
}

test('the payee accepts in WeChat, as announced before, and the notification books it once', async () => {
  const { user, id, no, sn } = await approved();
  await Promise.all(Array.from({ length: 30 }, () => payWithdrawal(t.ctx, id)));
  await t.relay();
  expect(await first(user)).toMatchObject({
    status: 1,
    statusName: '待您确认收款',
    isAccepting: true,
    accountName: '微信',
    accountMask: '已绑定的微信',
    arrival: expect.stringContaining('在微信里确认收款'),
  });
  expect((await user.client.ok(noticeList, {})).list[0]).toMatchObject({ title: '请确认收款' });
  const desktop = await user.client.ok(acceptWithdrawal, { withdrawSn: sn });
  expect(desktop).toMatchObject({ place: 'desktop', fields: null, qrSvg: expect.stringContaining('<svg') });
  const phone = {
    headers: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari/604.1' },
  };
  expect(await user.client.ok(acceptWithdrawal, { withdrawSn: sn }, phone)).toMatchObject({
    place: 'phone',
    fields: null,
    qrSvg: null,
  });
  const fields = await question(user, sn);
  expect(w.wechat.transfers.accept(fields, 'o1')).toMatch(/:fail$/);
  expect(w.wechat.transfers.accept(fields, user.openid)).toMatch(/:ok$/);
  expect(await notify(no)).toBe('204 ');
  await Promise.all([t.timers(), notify(no), notify(no)]);
  await t.timers();
  expect([await rest(user), (await first(user))?.statusName]).toEqual([[20_000, 0], '已到账']);
  expect(w.wechat.count(/^POST .*transfer-bills$/)).toBe(1);
  expect((await user.client.call(acceptWithdrawal, { withdrawSn: sn })).code).toBe(codes.WITHDRAW_STATE[0]);
});

test.each(['lost', 'hang', 'refuse', 'malformed', 'forged', 'unsigned', 'error500', 'busy429'] as const)(
  'a response that ends as %s: queried before it is sent again, one transfer, and the payee can accept',
  async (fault) => {
    const { user, id, no, sn } = await approved();
    const before = w.wechat.transfers.balanceFen;
    w.wechat.fail(/transfer-bills/, fault);
    await payWithdrawal(t.ctx, id);
    expect(await rest(user)).toEqual([20_000, 10_000]);
    const requestCount = w.wechat.requests.length;
    await later(2);
    expect(w.wechat.requests[requestCount]).toMatch(/^GET .*out-bill-no/);
    const fields = await question(user, sn);
    expect(w.wechat.transfers.accept(fields, user.openid)).toMatch(/:ok$/);
    expect(before - w.wechat.transfers.balanceFen).toBe(10_000);
    await later(20);
    expect([await rest(user), w.wechat.transfers.all.get(no)?.state]).toEqual([[20_000, 0], 'SUCCESS']);
  },
);

test('a day without acceptance, another name, an unknown openid: the money is returned with a clear message', async () => {
  const [lapsed, other, gone] = [await approved(), await approved(), await approved()];
  w.wechat.transfers.names.set(other.user.openid, '别人');
  w.wechat.openids.delete(gone.user.openid);
  await t.timers();
  w.wechat.transfers.lapse(lapsed.no);
  // Told late and twice: only the query decides.
  await Promise.all([notify(lapsed.no), notify(lapsed.no)]);
  await t.timers();
  expect((await first(lapsed.user))?.note).toBe('打款失败：24 小时内没有在微信里确认收款，金额已退回余额，请重新提交');
  expect((await first(other.user))?.note).toContain('姓名与实名信息不一致');
  expect((await first(gone.user))?.note).toContain('收款账号不存在');
  for (const { user } of [lapsed, other, gone]) expect(await rest(user)).toEqual([30_000, 0]);
  expect(await notify(lapsed.no)).toBe('204 ');
  await t.timers();
  expect(await rest(lapsed.user)).toEqual([30_000, 0]);
});

test('a payout waits for our own money; false, forged or foreign notifications change nothing', async () => {
  const { user, no } = await approved();
  w.wechat.transfers.balanceFen = 0;
  await t.timers();
  expect((await first(user))?.statusName).toBe('打款中');
  w.wechat.transfers.balanceFen = 1_000_000;
  await later(5);
  // The transfer waits for its payee, whatever the notification says.
  expect(await notify(no, { state: 'SUCCESS' })).toBe('204 ');
  await t.timers();
  expect(await rest(user)).toEqual([20_000, 10_000]);
  expect(await notify(no, { mch_id: '1900009999' })).toMatch(/^400/);
  expect(await notify('T0000000000')).toMatch(/^400/);
});

test('two concurrent approvals make one transfer', async () => {
  const user = await payee();
  const { withdrawSn } = await user.client.ok(cashAdvance, { amount: '100.00', accountType: 'wechat' });
  const second = { id: (await t.newStaff({ role: 'finance' })).id, distId: null };
  const before = w.wechat.transfers.all.size;
  const both = await Promise.allSettled(
    [finance, second, finance].map((by) => approveWithdrawal(t.ctx, by, withdrawSn)),
  );
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await Promise.all([t.timers(), t.timers()]);
  expect(w.wechat.transfers.all.size).toBe(before + 1);
});

test('the payee is the user’s bound WeChat, never an entered name; others cannot accept the withdrawal', async () => {
  const user = await t.newUser({ balanceFen: 30_000 });
  const unbound = await user.client.call(bindAccountNum, {
    accountType: 'wechat',
    account: 'somebody',
    realName: user.realName,
  });
  expect(unbound).toMatchObject({ code: codes.BAD_INPUT[0], field: 'account' });
  const { ways } = await user.client.ok(withdrawTerms, {});
  expect(ways.map((method) => [method.accountType, method.isOpen, method.isBoundAccount])).toEqual([
    ['alipay', true, false],
    ['wechat', true, true],
    ['bank', false, false],
  ]);
  const bank = await user.client.call(bindAccountNum, {
    accountType: 'bank',
    account: '6222021234567890128',
    realName: user.realName,
  });
  expect(bank).toMatchObject({ code: codes.PAY_CHANNEL_CLOSED[0], field: 'accountType' });
  const { sn } = await approved();
  await t.timers();
  expect((await user.client.call(acceptWithdrawal, { withdrawSn: sn })).code).toBe(codes.NOT_FOUND[0]);
});
