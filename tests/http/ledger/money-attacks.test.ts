/** Attacks by a dishonest user: keys used again, sums in small parts, requests repeated, wrong sites. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveWithdraw, rejectWithdraw, staffWithdrawList } from '#subjects/payments/contract/staff-money.ts';
import * as promos from '#subjects/promotions/contract/staff-campaigns.ts';
import { freezeMoney } from '#subjects/back-office/contract/freeze.ts';
import { codes } from '#contract/codes.ts';
import { distributeUserCoupon } from '#subjects/promotions/contract/coupon.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { depositRelease } from '#subjects/deposits/contract/deposit.ts';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import { releaseWantGoods } from '#subjects/offers/contract/offers.ts';
import { openMiddleman } from '#subjects/middleman/contract/middleman.ts';
import { cancelOrder, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, cashAdvance, recPay, sandboxPress } from '#subjects/payments/contract/pay.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { account, brokenInvariants, post } from '#subjects/ledger/server/service.ts';
import { proveOwner } from '#tests/support/market/proofs.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { putSetting } from '#tests/support/market/settings.ts';

const HOST = 'moon.example';
let t: TestApp;
let moon: number;
let seller: TestUser;
let finance: TestStaff;
let other: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { LIMIT_FACTOR: '1000', IP_LIMIT_FACTOR: '1000', DATABASE_POOL: '20' } });
  await addGame(t.ctx);
  const { rows } = await sql<{ id: number }>`
    insert into distributor (code, name, conf, theme, commission_bp) select 'moon', '月光', conf, theme, 2000 from distributor where id = 1 returning id`.execute(
    t.ctx.db,
  );
  moon = rows[0]?.id ?? 0;
  await sql`insert into dist_host (host, dist_id) values (${HOST}, ${moon})`.execute(t.ctx.db);
  await t.ctx.dir.reload();
  seller = await t.newUser();
  finance = await t.newStaff({ role: 'finance' });
  other = await t.newStaff({ role: 'admin' });
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

async function withPayee(balanceFen: number, host?: string): Promise<TestUser> {
  const user = await t.newUser({ balanceFen, ...(host !== undefined && { host }) });
  const location = (column: string): string => `payout_account.${column}:${user.id}`;
  await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
    values (${user.id}, 'alipay', ${encrypt(t.ctx.keys, location('account_enc'), `u${user.id}@example.com`)}, ${Buffer.from(`h${user.id}`)}, 'u***', ${encrypt(t.ctx.keys, location('name_enc'), user.realName)})`.execute(
    t.ctx.db,
  );
  return user;
}

async function order(buyer: TestUser, priceFen = 10_000) {
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen });
  return await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
}

const ledgerSize = async (): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n from ledger_transfer`.execute(t.ctx.db)).rows[0]?.n ?? 0;

describe('a used key', () => {
  /** A call as it is made first, and another that tries its luck under the same key. */
  type Try = (u: TestUser) => Promise<readonly [Endpoint, object, object]>;
  const tries: Record<string, Try> = {
    'paying another order': async (u) => {
      const [a, b] = [await order(u), await order(u)];
      return [balancePay, { orderId: a.orderId }, { orderId: b.orderId }];
    },
    'a top-up of another amount': async () => [recPay, { amount: '10.00' }, { amount: '1000.00' }],
    'a larger withdrawal': async () => [cashAdvance, { amount: '10.00' }, { amount: '900.00' }],
    'another deposit': async () => [depositPay, { role: 'seller', level: 1 }, { role: 'seller', level: 2 }],
    'another coupon': async () => [distributeUserCoupon, { code: 'KEY1' }, { code: 'KEY2' }],
    'another order': async () => {
      const [a, b] = [await addGoods(t.ctx, { sellerId: seller.id }), await addGoods(t.ctx, { sellerId: seller.id })];
      return [placeOrder, { goodsSn: a.sn }, { goodsSn: b.sn }];
    },
    'a want with another deposit': async () => {
      const want = { gameId: 1, goodsTypeId: 1, bigTitle: '求一个皮肤多的号', budget: '100' };
      return [releaseWantGoods, { ...want, deposit: '1' }, { ...want, deposit: '50' }];
    },
    'a deal at another price': async () => {
      const deal = { belong: 1, title: '一个老号', feeSide: 'half' };
      return [openMiddleman, { ...deal, price: '100.00' }, { ...deal, price: '1.00' }];
    },
    'another deposit’s release': async (u) => {
      await u.client.ok(depositPay, { role: 'seller', level: 1 });
      return [depositRelease, { role: 'seller', act: 'ask' }, { role: 'seller', act: 'cancel' }];
    },
  };
  beforeAll(async () => {
    await addCampaign(t.ctx, { code: 'KEY1' });
    await addCampaign(t.ctx, { code: 'KEY2' });
  });

  test.each(Object.keys(tries))('gives no access to %s, for its user or others', async (name) => {
    const user = await withPayee(1_000_000);
    await proveOwner(t.ctx.db, user.id);
    const [endpoint, first, second] = (await tries[name]?.(user)) ?? [];
    if (!endpoint) return;
    const send = async (u: TestUser, input: object | undefined) =>
      await u.client.call(endpoint, input as Input<typeof endpoint>, { idempotencyKey: 'key-1' });
    const [response, again] = [await send(user, first), await send(user, first)];
    expect([response.code, again.code, response.msg]).toEqual([0, 0, '']);
    expect(again.data).toEqual(response.data);
    const before = await ledgerSize();
    expect([(await send(user, second)).code, await ledgerSize()]).toEqual([codes.IDEMPOTENCY_MISMATCH[0], before]);
    // Somebody else's key of the same name is another key.
    const stranger = await send(await t.newUser(), first);
    expect(stranger.data).not.toEqual(response.data);
  });

  test('cannot be reused by staff for another amount', async () => {
    const user = await t.newUser({ balanceFen: 10_000 });
    const wish = { userId: user.id, reason: '核对一笔可疑付款' };
    const send = async (amount: string) =>
      await finance.client.call(freezeMoney, { ...wish, amount }, { idempotencyKey: 'freeze-1' });
    expect([(await send('10.00')).code, (await send('10.00')).code]).toEqual([0, 0]);
    expect((await send('90.00')).code).toBe(codes.IDEMPOTENCY_MISMATCH[0]);
  });
});

describe('repeated calls after the end', () => {
  test('an order’s payment returns the same after the order was paid, and after it was cancelled', async () => {
    for (const end of ['paid', 'cancelled']) {
      const buyer = await t.newUser({ balanceFen: 50_000, stepUp: true });
      const { orderId } = await order(buyer);
      const send = async () => await buyer.client.call(recPay, { orderId }, { idempotencyKey: 'again' });
      const first = await send();
      expect(first.data.payRand).not.toBe('');
      if (end === 'paid') await t.client().ok(sandboxPress, { payRand: first.data.payRand, act: 'pay' });
      else await buyer.client.ok(cancelOrder, { orderId });
      expect((await send()).data).toEqual(first.data);
    }
  });

  test('a deposit’s payment does too, after its level is reached', async () => {
    const user = await t.newUser();
    const send = async () =>
      await user.client.ok(depositPay, { role: 'seller', level: 1, payWay: 'channel' }, { idempotencyKey: 'again' });
    const first = await send();
    await t.client().ok(sandboxPress, { payRand: first.payment?.payRand ?? '', act: 'pay' });
    await t.relay();
    expect(await send()).toEqual({ ...first, status: 1 });
  });
});

describe('a large sum in small parts', () => {
  test('needs the second person and the owner’s code, like one large withdrawal', async () => {
    const user = await withPayee(2_000_000);
    const requests = [];
    for (const amount of ['4000.00', '900.00']) requests.push(await user.client.ok(cashAdvance, { amount }));
    expect((await user.client.call(cashAdvance, { amount: '100.00' })).code).toBe(codes.SMS_REQUIRED[0]);
    await putSetting(t, 'payout', { smsFen: 100000000 });
    requests.push(await user.client.ok(cashAdvance, { amount: '200.00' }));
    const [one, two, three] = requests.map((a) => a.withdrawSn);
    // Two concurrent ones: the second one sees the first.
    const responses = await Promise.all(
      [one, two, three].map(
        async (sn) => (await finance.client.ok(approveWithdraw, { withdrawSn: sn ?? '' })).needsSecond,
      ),
    );
    expect(responses.filter(Boolean)).toHaveLength(1);
    const pending = [one, two, three][responses.indexOf(true)] ?? '';
    const { list } = await finance.client.ok(staffWithdrawList, { keyWord: String(user.id), status: 0 });
    expect(list).toMatchObject([{ withdrawSn: pending, needsSecond: true, isMine: true }]);
    expect((await finance.client.call(approveWithdraw, { withdrawSn: pending })).code).toBe(codes.SECOND_PERSON[0]);
    // A decision begun by two persons is ended by two, also when the day is over.
    await sql`update withdrawal set decided_at = decided_at - interval '2 days' where user_id = ${user.id} and status > 0`.execute(
      t.ctx.db,
    );
    expect((await finance.client.call(approveWithdraw, { withdrawSn: pending })).code).toBe(codes.SECOND_PERSON[0]);
    expect(await other.client.ok(approveWithdraw, { withdrawSn: pending })).toEqual({ status: 1, needsSecond: false });
  });

  test('also with concurrent requests', async () => {
    await putSetting(t, 'payout', { smsFen: 500000 });
    const user = await withPayee(2_000_000);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => user.client.call(cashAdvance, { amount: '2000.00' })),
    );
    expect(responses.map((a) => a.code).toSorted((a, b) => a - b)).toEqual([
      0,
      0,
      ...Array(3).fill(codes.SMS_REQUIRED[0]),
    ]);
  });

  test('also for commission', async () => {
    const share = { debit: account.clearing('bank', 1), credit: account.commission(moon), dist: moon };
    await post(t.ctx.db, [{ ...share, code: 'dist_share', ref: 'thief', fen: 2_000_000 }]);
    const operator = await t.newStaff({ role: 'operator', distId: moon });
    const settled = async (amount: string) => {
      const { settlementSn } = await operator.client.ok(promos.requestSettlement, { distId: moon, amount });
      return {
        settlementSn,
        ...(await finance.client.ok(promos.paySettlement, { settlementSn, receiptNo: 'BANK-1' })),
      };
    };
    expect(await settled('4000.00')).toMatchObject({ status: 1, needsSecond: false });
    const second = await settled('1500.00');
    expect(second).toMatchObject({ status: 0, needsSecond: true });
    const { list } = await finance.client.ok(promos.settlementList, {});
    expect(list[0]).toMatchObject({ settlementSn: second.settlementSn, needsSecond: true, isMine: true });
    const again = { settlementSn: second.settlementSn, receiptNo: 'BANK-2' };
    expect((await finance.client.call(promos.paySettlement, again)).code).toBe(codes.SECOND_PERSON[0]);
    expect(await other.client.ok(promos.paySettlement, again)).toMatchObject({ status: 1 });
  });
});

describe('a member of staff of one site', () => {
  test('sees only that site’s withdrawals and decides only on them; an operator decides on none', async () => {
    const [here, there] = [await withPayee(50_000), await withPayee(50_000, HOST)];
    const ours = await here.client.ok(cashAdvance, { amount: '20.00' });
    const theirs = await there.client.ok(cashAdvance, { amount: '30.00' });
    const operator = await t.newStaff({ role: 'operator', distId: moon });
    const distStaff = await t.newStaff({ role: 'finance', distId: moon });
    for (const { client } of [operator, distStaff]) {
      const sns = (await client.ok(staffWithdrawList, {})).list.map((w) => w.withdrawSn);
      expect([sns.includes(theirs.withdrawSn), sns.includes(ours.withdrawSn)]).toEqual([true, false]);
    }
    for (const { withdrawSn } of [ours, theirs])
      expect((await operator.client.call(approveWithdraw, { withdrawSn })).status).toBe(403);
    const wrong = { withdrawSn: ours.withdrawSn };
    expect((await distStaff.client.call(approveWithdraw, wrong)).status).toBe(404);
    expect((await distStaff.client.call(rejectWithdraw, { ...wrong, reason: '不符合要求' })).status).toBe(409);
    // Allowed by one and refused by another at the same moment: one of both is done.
    const ends = await Promise.all([
      ...Array.from({ length: 4 }, () => distStaff.client.call(approveWithdraw, { withdrawSn: theirs.withdrawSn })),
      ...Array.from({ length: 4 }, () =>
        finance.client.call(rejectWithdraw, { withdrawSn: theirs.withdrawSn, reason: '账户有误' }),
      ),
    ]);
    expect(ends.filter((e) => e.code === 0)).toHaveLength(1);
  });
});

test('the lowest withdrawal is the setting’s', async () => {
  const user = await withPayee(50_000);
  await putSetting(t, 'withdraw', { minFen: 5000 });
  expect((await user.client.call(cashAdvance, { amount: '49.99' })).msg).toBe('提现金额不能低于 50.00 元');
  expect((await user.client.call(cashAdvance, { amount: '50.00' })).code).toBe(0);
});
