/** Debts: collected wherever income arrives, oldest first, once, also by concurrent payments (P2; docs/decisions/140). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveWithdraw, rejectWithdraw } from '#subjects/payments/contract/staff-money.ts';
import { codes } from '#contract/codes.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { cashAdvance } from '#subjects/payments/contract/pay.ts';
import { capitalManagement, payDebts } from '#subjects/accounts/contract/user.ts';
import {
  account,
  loadBalances,
  brokenInvariants,
  collectDebts,
  loadDebts,
  post,
  recordDebt,
} from '#subjects/ledger/server/service.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { releaseDue } from '#subjects/deposits/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestUser, type TestApp, testApp } from '#tests/support/servers/build.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { depositRelease } from '#subjects/deposits/contract/deposit.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

let n = 0;
/** Writes a debt of a user down. */
const owes = async (who: TestUser, to: TestUser | 'fund', fen: number) =>
  await recordDebt(t.ctx.db, {
    debtor: { userId: who.id },
    creditor: to === 'fund' ? account.platform('guarantee_fund', 1) : account.available(to.id),
    fen,
    code: 'settled',
    reason: '协商退款的差额',
    ref: `test:${++n}`,
    distId: 1,
  });
/** Income as it comes: here a want's deposit that returns. */
const earns = async (who: TestUser, fen: number): Promise<void> => {
  n += 1;
  const [want, clearing] = [account.wantDeposit(n), account.clearing('sandbox', 1)];
  await post(t.ctx.db, [
    { code: 'topup', ref: `income:${n}`, debit: clearing, credit: want, fen, dist: 1 },
    { code: 'want_deposit_out', ref: `income:${n}`, debit: want, credit: account.available(who.id), fen, dist: 1 },
  ]);
};
const free = async (who: TestUser): Promise<number> => (await loadBalances(t.ctx.db, who.id)).availableFen;

describe('P2: a debt', () => {
  test('takes the balance immediately, then each income, oldest debt first, and notifies both parties', async () => {
    const [seller, first, second] = [await t.newUser({ balanceFen: 1_000 }), await t.newUser(), await t.newUser()];
    expect(await owes(seller, first, 3_000)).toMatchObject({ openFen: 2_000 });
    expect(await owes(seller, second, 500)).toMatchObject({ openFen: 500 });
    expect([await free(seller), await free(first), await free(second)]).toEqual([0, 1_000, 0]);
    await earns(seller, 1_500);
    expect([await free(seller), await free(first), await free(second)]).toEqual([0, 2_500, 0]);
    await earns(seller, 1_500);
    expect([await free(seller), await free(first), await free(second)]).toEqual([500, 3_000, 500]);
    expect((await loadDebts(t.ctx.db, { userId: seller.id })).every((d) => d.settledAt !== null)).toBe(true);
    await t.relay();
    const noticeBodies = async (who: TestUser) =>
      (await who.client.ok(noticeList, {})).list.map(({ body }) => body).join('\n');
    expect(await noticeBodies(seller)).toContain('已从您的余额偿还欠款 5.00 元，已全部还清');
    expect(await noticeBodies(first)).toContain('对方还欠您 30.00 元');
  });

  test('does not take a top-up until its owner pays with it', async () => {
    const [seller, buyer] = [await t.newUser(), await t.newUser()];
    await owes(seller, buyer, 3_000);
    await t.fund(seller.id, 2_000);
    expect(await free(seller)).toBe(2_000);
    expect(await collectDebts(t.ctx.db, seller.id)).toBe(2_000);
    expect([await free(seller), await free(buyer)]).toEqual([0, 2_000]);
  });

  test('is shown in both wallets, is paid once by its owner, and blocks withdrawals until then', async () => {
    const [seller, buyer] = [await t.newUser(), await t.newUser()];
    await owes(seller, buyer, 3_000);
    await t.fund(seller.id, 4_000);
    expect(await seller.client.ok(capitalManagement, {})).toMatchObject({
      coin: '40.00',
      debts: [{ rest: '30.00' }],
      owed: [],
    });
    expect(await buyer.client.ok(capitalManagement, {})).toMatchObject({
      debts: [],
      owed: [{ amount: '30.00', rest: '30.00' }],
    });
    const key = { idempotencyKey: 'pay-my-debts-0001' };
    const responses = await Promise.all(Array.from({ length: 5 }, () => seller.client.ok(payDebts, {}, key)));
    expect(responses).toEqual(Array(5).fill({ paid: '30.00', rest: '0.00' }));
    expect([await free(seller), await free(buyer)]).toEqual([1_000, 3_000]);
    expect(await seller.client.ok(payDebts, {})).toEqual({ paid: '0.00', rest: '0.00' });
  });

  test('blocks approval of an earlier withdrawal request, which when rejected pays the debt', async () => {
    const [seller, buyer] = [await t.newUser({ balanceFen: 20_000 }), await t.newUser()];
    const finance = await t.newStaff({ role: 'finance' });
    const location = (column: string): string => `payout_account.${column}:${seller.id}`;
    await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
      values (${seller.id}, 'alipay', ${encrypt(t.ctx.keys, location('account_enc'), 'a@example.com')}, ${Buffer.from(`debt${seller.id}`)}, 'a***@example.com', ${encrypt(t.ctx.keys, location('name_enc'), seller.realName)})`.execute(
      t.ctx.db,
    );
    await seller.client.ok(smsBindPhone, { type: 'payout' });
    const { withdrawSn } = await seller.client.ok(cashAdvance, { amount: '150.00', smsCode: t.lastCode(seller.phone) });
    expect(await owes(seller, buyer, 12_000)).toMatchObject({ openFen: 7_000 });
    const approved = await finance.client.call(approveWithdraw, { withdrawSn });
    expect([approved.code, approved.msg]).toEqual([
      codes.DEBT_OPEN[0],
      '提现人还有 70.00 元欠款未还清，请退回这笔提现：退回的金额先用于还款',
    ]);
    await finance.client.ok(rejectWithdraw, { withdrawSn, reason: '有欠款' });
    expect([await free(seller), await free(buyer)]).toEqual([8_000, 12_000]);
  });

  test('is recorded once per reference, and not with other contents', async () => {
    const [seller, buyer] = [await t.newUser(), await t.newUser()];
    const debt = {
      debtor: { userId: seller.id },
      creditor: account.available(buyer.id),
      fen: 100,
      code: 'ruled',
    } as const;
    const same = { ...debt, reason: '裁决退款的差额', ref: 'test:once', distId: 1 };
    const once = await recordDebt(t.ctx.db, same);
    expect(await recordDebt(t.ctx.db, same)).toEqual(once);
    await expect(recordDebt(t.ctx.db, { ...same, fen: 101 })).rejects.toThrow(/different contents/);
    expect(await loadDebts(t.ctx.db, { userId: seller.id })).toHaveLength(1);
  });

  test('passes on to creditors who are debtors themselves, and ends between two who owe each other', async () => {
    const [a, b, c] = [await t.newUser(), await t.newUser(), await t.newUser()];
    await owes(a, b, 1_000);
    await owes(b, c, 600);
    await earns(a, 1_000);
    expect([await free(a), await free(b), await free(c)]).toEqual([0, 400, 600]);
    await owes(c, 'fund', 100_000_000);
    await owes(a, b, 100_000_000);
    await owes(b, a, 100_000_000);
    await earns(a, 1);
    await earns(b, 7);
    const sum = (await free(a)) + (await free(b));
    expect(sum).toBe(408);
  });

  test('is paid once by concurrent incomes and other postings', async () => {
    const [seller, buyer] = [await t.newUser(), await t.newUser()];
    await owes(seller, buyer, 5_000);
    await Promise.all([...Array.from({ length: 15 }, () => earns(seller, 300)), owes(seller, 'fund', 1_000)]);
    // 4,500 came: all of it is the older debt's.
    expect([await free(seller), await free(buyer)]).toEqual([0, 4_500]);
    await Promise.all(Array.from({ length: 10 }, () => earns(seller, 200)));
    expect([await free(seller), await free(buyer)]).toEqual([500, 5_000]);
    expect((await loadDebts(t.ctx.db, { userId: seller.id })).map((d) => d.paidFen)).toEqual([1_000, 5_000]);
  });

  test('is deducted from the commission when a distributor owes it', async () => {
    const buyer = await t.newUser();
    await recordDebt(t.ctx.db, {
      debtor: { distId: 1 },
      creditor: account.available(buyer.id),
      fen: 240,
      code: 'dist_share',
      reason: '订单撤销，退回分销佣金',
      ref: 'test:dist',
      distId: 1,
    });
    const [credit, debit] = [account.commission(1), account.clearing('sandbox', 1)];
    await post(t.ctx.db, [{ code: 'dist_share', ref: 'test:dist', debit, credit, fen: 300, dist: 1 }]);
    expect(await free(buyer)).toBe(240);
  });

  test('blocks the return of the debtor’s deposit', async () => {
    const [seller, buyer] = [await t.newUser({ balanceFen: 50_000 }), await t.newUser()];
    await seller.client.ok(depositPay, { role: 'seller', level: 1 });
    await seller.client.ok(depositRelease, { role: 'seller', act: 'ask' });
    await owes(seller, buyer, 1_000);
    await passTime(t.ctx.db, 'deposit_release', { user_id: seller.id }, { until: 'release_at' });
    const { rows } = await sql<{ id: number }>`select id from deposit_release where user_id = ${seller.id}`.execute(
      t.ctx.db,
    );
    await releaseDue(t.ctx, rows[0]?.id ?? 0);
    expect((await loadBalances(t.ctx.db, seller.id)).depositFen).toBe(50_000);
  });

  test("cannot be written, raised or deleted with the application's database role", async () => {
    const [seller, buyer] = [await t.newUser(), await t.newUser()];
    const { id } = await owes(seller, buyer, 100);
    for (const act of [
      sql`update debt set paid_fen = 100, settled_at = now() where id = ${id}`,
      sql`delete from debt where id = ${id}`,
    ])
      await expect(act.execute(t.ctx.db)).rejects.toThrow(/permission denied/);
  });
});
