/** Payouts to bank cards by list: exported once, entered by one person, booked by another, and never twice. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bookPayoutResults,
  enterPayoutResults,
  exportPayoutList,
  payoutListFile,
  payoutListInfo,
  payoutLists,
} from '#subjects/payments/contract/staff-payouts.ts';
import { approveWithdraw } from '#subjects/payments/contract/staff-money.ts';
import { pendingTransfers } from '#subjects/payments/contract/staff-pending.ts';
import { codes } from '#contract/codes.ts';
import { cashAdvance, withdrawList, withdrawTerms } from '#subjects/payments/contract/pay.ts';
import type { PayoutResult } from '#subjects/payments/rules/payout-methods.ts';
import { brokenInvariants, loadBalances } from '#subjects/ledger/server/service.ts';
import { bindAccountNum } from '#subjects/verification/contract/payee.ts';
import { type TestApp, type TestStaff, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { passTime } from '#tests/support/time/clock.ts';

let t: TestApp;
let maker: TestStaff;
let checker: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { PAYOUT_WAYS: 'bank' } });
  maker = await t.newStaff({ role: 'finance' });
  checker = await t.newStaff({ role: 'finance' });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const CARD = '6222021234567890128';

async function requestWithdrawal(amount = '100.00', realName = '张三丰'): Promise<{ user: TestUser; sn: string }> {
  const user = await t.newUser({ balanceFen: 100_000, realName });
  await user.client.ok(bindAccountNum, { accountType: 'bank', account: CARD, realName });
  const { withdrawSn } = await user.client.ok(cashAdvance, { amount, accountType: 'bank' });
  return { user, sn: withdrawSn };
}

async function approved(amount?: string, realName?: string): Promise<{ user: TestUser; sn: string }> {
  const one = await requestWithdrawal(amount, realName);
  await maker.client.ok(approveWithdraw, { withdrawSn: one.sn });
  return one;
}

/** Everything approved so far is exported; the lines by withdrawal. */
async function exported(): Promise<{ listSn: string; lineOf: (sn: string) => number }> {
  const { listSn } = await maker.client.ok(exportPayoutList, {}, { idempotencyKey: `export-${Math.random()}` });
  const { lines } = await maker.client.ok(payoutListInfo, { listSn });
  return { listSn, lineOf: (sn) => lines.find(({ withdrawSn }) => withdrawSn === sn)?.lineId ?? 0 };
}

/** The maker enters and the checker books one result of each line. */
async function settle(listSn: string, results: { lineId: number; result: PayoutResult; detail: string }[]) {
  await maker.client.ok(enterPayoutResults, { listSn, lines: results });
  return await checker.client.ok(bookPayoutResults, { listSn, lines: await drafts(listSn) });
}

async function drafts(listSn: string): Promise<{ lineId: number; draftNo: number }[]> {
  const { lines } = await checker.client.ok(payoutListInfo, { listSn });
  return lines.filter(({ draftResult }) => draftResult !== null).map(({ lineId, draftNo }) => ({ lineId, draftNo }));
}

const rest = async (user: TestUser) => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return [availableFen, frozenFen];
};
const first = async (user: TestUser) => (await user.client.ok(withdrawList, {})).list[0];

test('method and arrival are shown before; the file has every line, contains no formula, and is always the same', async () => {
  const { user, sn } = await approved('100.00', '=1+1');
  const { ways } = await user.client.ok(withdrawTerms, {});
  expect(ways.map((method) => [method.accountType, method.isOpen])).toEqual([
    ['alipay', false],
    ['wechat', false],
    ['bank', true],
  ]);
  expect(await first(user)).toMatchObject({ statusName: '打款中', arrival: expect.stringContaining('按批向银行提交') });
  await t.timers();
  expect(await rest(user)).toEqual([90_000, 10_000]);
  expect((await maker.client.ok(payoutLists, {})).unlisted).toMatchObject({ count: 1, total: '100.00' });
  const { listSn, lineOf } = await exported();
  const file = await maker.client.ok(payoutListFile, { listSn });
  expect(file.name).toBe(`payout-${listSn}-v1.csv`);
  expect(file.text.startsWith('\ufeff序号,打款编号,收款人姓名,收款银行卡号,金额（元）,用途\r\n')).toBe(true);
  expect(file.text).toContain(`,'=1+1,${CARD}\t,100.00,提现 ${listSn}\r\n`);
  expect((await checker.client.ok(payoutListFile, { listSn })).text).toBe(file.text);
  await settle(listSn, [{ lineId: lineOf(sn), result: 'paid', detail: 'B2026112300001' }]);
  expect([await rest(user), await first(user)]).toEqual([
    [90_000, 0],
    expect.objectContaining({ statusName: '已到账', note: '银行流水号 B2026112300001', arrival: null }),
  ]);
  expect((await maker.client.ok(payoutListFile, { listSn })).text).toBe(file.text);
  const { rows } = await sql<{ act: string }>`
    select act from audit_log where act like 'payout.%' order by id`.execute(t.ctx.db);
  expect(rows.map(({ act }) => act)).toEqual([
    'payout.export',
    'payout.download',
    'payout.download',
    'payout.enter',
    'payout.book',
    'payout.download',
  ]);
  expect(
    JSON.stringify((await sql`select detail from audit_log where act like 'payout.%'`.execute(t.ctx.db)).rows),
  ).not.toContain(CARD);
});

test('a payout that waits for its list, or for the bank, is not one that its channel leaves open', async () => {
  const { user, sn } = await approved();
  expect(await first(user)).toMatchObject({ statusName: '打款中' });
  await passTime(t.ctx.db, 'withdrawal', { sn }, { days: 2 });
  const open = async () => (await maker.client.ok(pendingTransfers, {})).list.map((one) => one.sn);
  expect(await open()).not.toContain(sn);
  const { listSn, lineOf } = await exported();
  expect(await open()).not.toContain(sn);
  await settle(listSn, [{ lineId: lineOf(sn), result: 'paid', detail: 'B2026112300002' }]);
});

test('concurrent exports put each payout into one list', async () => {
  const all = [await approved(), await approved(), await approved(), await approved()];
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      (i % 2 === 0 ? maker : checker).client.call(exportPayoutList, {}, { idempotencyKey: `at-once-${i}` }),
    ),
  );
  expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(new Set(results.filter(({ code }) => code !== 0).map(({ code }) => code))).toEqual(
    new Set([codes.NOT_FOUND[0]]),
  );
  const { listSn } = results.find(({ code }) => code === 0)?.data ?? { listSn: '' };
  const { lines } = await maker.client.ok(payoutListInfo, { listSn });
  expect(lines.map(({ withdrawSn }) => withdrawSn).toSorted()).toEqual(all.map(({ sn }) => sn).toSorted());
  // The same key again is the same list, not another.
  const key = `again-${listSn}`;
  const more = await approved();
  const one = await maker.client.ok(exportPayoutList, {}, { idempotencyKey: key });
  expect(await maker.client.ok(exportPayoutList, {}, { idempotencyKey: key })).toEqual(one);
  // The database refuses a second line as well.
  await expect(
    sql`insert into payout_line (list_id, line_no, withdrawal_id, amount_fen)
      select l.list_id, 9999, l.withdrawal_id, 1 from payout_line l join withdrawal w on w.id = l.withdrawal_id where w.sn = ${more.sn}`.execute(
      t.ctx.db,
    ),
  ).rejects.toThrow('payout_line_once');
});

test('rejected by the bank, scheduled again, and returned after payment: each moves the money once and shows why', async () => {
  const [rejected, back, bounced] = [await approved(), await approved(), await approved()];
  const { listSn, lineOf } = await exported();
  const done = await settle(listSn, [
    { lineId: lineOf(rejected.sn), result: 'refused', detail: '账号户名不符' },
    { lineId: lineOf(back.sn), result: 'requeued', detail: '银行系统维护，没有提交' },
    { lineId: lineOf(bounced.sn), result: 'paid', detail: 'B2' },
  ]);
  expect(done).toEqual({ booked: 3, failed: [] });
  expect(await first(rejected.user)).toMatchObject({
    statusName: '已退回',
    note: '银行拒绝：账号户名不符，金额已退回余额，请核对收款账户后重新提交',
  });
  expect([await rest(rejected.user), await rest(back.user), await rest(bounced.user)]).toEqual([
    [100_000, 0],
    [90_000, 10_000],
    [90_000, 0],
  ]);
  await settle(listSn, [{ lineId: lineOf(bounced.sn), result: 'bounced', detail: '收款账户已销户' }]);
  expect([await rest(bounced.user), (await first(bounced.user))?.note]).toEqual([
    [100_000, 0],
    '打款后被退回：收款账户已销户，金额已退回余额，请核对收款账户后重新提交',
  ]);
  // An ended payout accepts no further result.
  for (const sn of [rejected.sn, back.sn, bounced.sn]) {
    const lines = [{ lineId: lineOf(sn), result: 'paid' as const, detail: 'B3' }];
    expect(await maker.client.call(enterPayoutResults, { listSn, lines })).toMatchObject({
      code: codes.WITHDRAW_STATE[0],
      field: 'lines',
    });
  }
  // A returned payout is exported again, in another list, and paid there.
  const next = await exported();
  expect(next.listSn).not.toBe(listSn);
  await settle(next.listSn, [{ lineId: next.lineOf(back.sn), result: 'paid', detail: 'B4' }]);
  expect(await rest(back.user)).toEqual([90_000, 0]);
});

test('one person enters and another confirms the results, once', async () => {
  const { user, sn } = await approved();
  const { listSn, lineOf } = await exported();
  const lineId = lineOf(sn);
  const enter = (detail: string, result: PayoutResult = 'paid') =>
    maker.client.ok(enterPayoutResults, { listSn, lines: [{ lineId, result, detail }] });
  const book = (who: TestStaff, draftNo: number) =>
    who.client.ok(bookPayoutResults, { listSn, lines: [{ lineId, draftNo }] });
  await enter('B5');
  expect((await book(maker, 1)).failed).toEqual([{ lineId, text: '登记的人不能自己复核，请另一位同事确认' }]);
  // Entered again while the checker reads: the old entry is not confirmed.
  await enter('户名不符', 'refused');
  expect((await book(checker, 1)).booked).toBe(0);
  expect(await rest(user)).toEqual([90_000, 10_000]);
  await enter('B6');
  const many = await Promise.all(Array.from({ length: 8 }, () => book(checker, 3)));
  expect(many.reduce((sum, { booked }) => sum + booked, 0)).toBe(1);
  expect(await rest(user)).toEqual([90_000, 0]);
  // The database holds the two persons too.
  await expect(
    sql`update payout_line set booked_by = entered_by where id = ${lineId}`.execute(t.ctx.db),
  ).rejects.toThrow('payout_line');
});

test('concurrent approvals, and a list with another list’s line, are rejected', async () => {
  const { sn } = await requestWithdrawal();
  const both = await Promise.all(
    [maker, checker].map(({ client }) => client.call(approveWithdraw, { withdrawSn: sn })),
  );
  expect(both.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, codes.WITHDRAW_STATE[0]]);
  const one = await exported();
  await approved();
  const two = await exported();
  const wrong = [{ lineId: one.lineOf(sn), result: 'paid' as const, detail: 'B7' }];
  expect((await maker.client.call(enterPayoutResults, { listSn: two.listSn, lines: wrong })).code).toBe(
    codes.NOT_FOUND[0],
  );
});

test('invalid input gets a field error; without the second factor, or for one distributor, nothing is done', async () => {
  await approved();
  const { listSn } = await exported();
  const { lines } = await maker.client.ok(payoutListInfo, { listSn });
  const lineId = lines[0]?.lineId ?? 0;
  const empty = await maker.client.call(enterPayoutResults, {
    listSn,
    lines: [{ lineId, result: 'paid', detail: '' }],
  });
  expect(empty).toMatchObject({ code: codes.BAD_INPUT[0], field: 'lines.0.detail', msg: '请填写银行流水号' });
  const stale = await t.newStaff({ role: 'finance', stepUp: false });
  expect((await stale.client.call(exportPayoutList, {})).code).toBe(codes.FACTOR_REQUIRED[0]);
  expect((await stale.client.call(payoutListFile, { listSn })).code).toBe(codes.FACTOR_REQUIRED[0]);
  const operator = await t.newStaff({ role: 'operator', distId: 1 });
  expect((await operator.client.call(payoutLists, {})).code).toBe(codes.FORBIDDEN[0]);
  expect((await operator.client.call(payoutListFile, { listSn })).code).toBe(codes.FORBIDDEN[0]);
});
