import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bindAccountNum } from '#subjects/verification/contract/payee.ts';
import { codes } from '#contract/codes.ts';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { cancelOrder, orderDetail, placeOrder } from '#subjects/orders/contract/order.ts';
import {
  balancePay,
  bill,
  cashAdvance,
  queryPayStatus,
  recPay,
  sandboxPress,
  showPayUrl,
} from '#subjects/payments/contract/pay.ts';
import { fen } from '#contract/wire.ts';
import { sandboxNotice } from '#server/adapters/pay/sandbox.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { approveWithdrawal, rejectWithdrawal } from '#subjects/payments/server/payouts/withdraw.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  seller = await t.newUser();
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const availableOf = async (u: TestUser): Promise<number> => (await loadBalances(t.ctx.db, u.id)).availableFen;

async function notify(form: Record<string, string>) {
  const response = await t.app.http.inject({
    method: 'POST',
    url: '/api/pay/notify/sandbox',
    headers: { host: 'anything.example', 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });
  return { status: response.statusCode, text: response.body };
}

const sign = (p: { interSn: string; amountFen: number; paid?: boolean; tradeNo?: string; at?: number }) =>
  sandboxNotice(t.ctx.keys.sandbox, { paid: true, ...p, amountFen: fen(p.amountFen) });

async function payment(user: TestUser, amount = '100.00') {
  return await user.client.ok(recPay, { amount, aliOrWx: 1 });
}

describe('notifications', () => {
  test('a genuine one credits once, however often it arrives and from any address', async () => {
    const user = await t.newUser();
    const p = await payment(user);
    const form = sign({ interSn: p.payInterSn, amountFen: 10_000 });
    const responses = await Promise.all(Array.from({ length: 30 }, () => notify(form)));
    expect(new Set(responses.map((a) => `${a.status} ${a.text}`))).toEqual(new Set(['200 success']));
    expect(await availableOf(user)).toBe(10_000);
    expect(await user.client.ok(queryPayStatus, { payRand: p.payRand })).toMatchObject({ status: 1, amount: '100.00' });
  });

  test('forged, tampered, stale, unknown or of another amount: no money moves and none is acknowledged', async () => {
    const user = await t.newUser();
    const p = await payment(user);
    const good = sign({ interSn: p.payInterSn, amountFen: 10_000 });
    const bad = [
      { ...good, sign: '' },
      { ...good, total_amount: '1000.00' },
      { ...good, passback: 'x' },
      sandboxNotice(Buffer.alloc(32, 1), { interSn: p.payInterSn, amountFen: 10_000, paid: true }),
      sign({ interSn: p.payInterSn, amountFen: 1 }),
      sign({ interSn: p.payInterSn, amountFen: 1_000_000 }),
      sign({ interSn: 'P000000000', amountFen: 10_000 }),
      sign({ interSn: p.payInterSn, amountFen: 10_000, at: Date.now() - 3_600_000 }),
      sign({ interSn: p.payInterSn, amountFen: 10_000, at: Date.now() + 3_600_000 }),
    ];
    for (const form of bad) expect(await notify(form)).toEqual({ status: 400, text: 'fail' });
    expect(await availableOf(user)).toBe(0);
    expect((await notify(good)).text).toBe('success');
    expect(await availableOf(user)).toBe(10_000);
  });

  test('after a closing, before it and instead; a second trade number and another payment’s number change nothing', async () => {
    const user = await t.newUser();
    const [p, q] = [await payment(user), await payment(user)];
    const form = sign({ interSn: p.payInterSn, amountFen: 10_000, tradeNo: 'SB-first' });
    await notify(sign({ interSn: p.payInterSn, amountFen: 10_000, paid: false }));
    expect(await availableOf(user)).toBe(0);
    expect((await notify(form)).text).toBe('success');
    await notify(sign({ interSn: p.payInterSn, amountFen: 10_000, paid: false, tradeNo: 'SB-first' }));
    expect(await notify(sign({ interSn: p.payInterSn, amountFen: 10_000, tradeNo: 'SB-second' }))).toMatchObject({
      text: 'fail',
    });
    expect(await notify(sign({ interSn: q.payInterSn, amountFen: 10_000, tradeNo: 'SB-first' }))).toMatchObject({
      text: 'fail',
    });
    expect(await availableOf(user)).toBe(10_000);
  });

  test('one recorded before its process died is decided later', async () => {
    const user = await t.newUser();
    const p = await payment(user);
    await sql`insert into payment_notify (channel, notify_key, payload) values ('sandbox', 'late:paid',
      ${JSON.stringify({ interSn: p.payInterSn, tradeNo: 'late', state: 'paid', amountFen: 10_000 })}::jsonb)`.execute(
      t.ctx.db,
    );
    await makeDue(t.ctx.db, 'payment.decide');
    await t.timers();
    expect(await availableOf(user)).toBe(10_000);
  });
});

describe('paying an order by a channel', () => {
  async function order(buyer: TestUser) {
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    return await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  }

  test('the sandbox page pays it, and shows no personal data', async () => {
    const buyer = await t.newUser();
    const o = await order(buyer);
    const p = await buyer.client.ok(recPay, { orderId: o.orderId });
    const view = await t.client().ok(showPayUrl, { payRand: p.payRand });
    expect(view).toMatchObject({ amount: '101.00', status: 0, sandbox: true });
    expect(JSON.stringify(view)).not.toContain(o.orderSn);
    expect(await t.client().ok(sandboxPress, { payRand: p.payRand, act: 'pay' })).toEqual({
      status: 1,
      acknowledged: true,
    });
    expect(await buyer.client.ok(queryPayStatus, { payRand: p.payRand })).toMatchObject({
      status: 1,
      orderSn: o.orderSn,
    });
  });

  test('balance and channel together: both, or all to the balance when the balance was spent elsewhere', async () => {
    const buyer = await t.newUser({ balanceFen: 5_000 });
    const first = await order(buyer);
    const p = await buyer.client.ok(recPay, { orderId: first.orderId, useBalance: 1 });
    expect(p.amount).toBe('51.00');
    const second = await order(buyer);
    const q = await buyer.client.ok(recPay, { orderId: second.orderId, useBalance: 1 });
    await t.client().ok(sandboxPress, { payRand: p.payRand, act: 'pay' });
    expect(await availableOf(buyer)).toBe(0);
    await t.client().ok(sandboxPress, { payRand: q.payRand, act: 'pay' });
    expect(await availableOf(buyer)).toBe(5_100);
  });

  test('money for an order closed meanwhile is credited to the balance', async () => {
    const buyer = await t.newUser();
    const o = await order(buyer);
    const p = await buyer.client.ok(recPay, { orderId: o.orderId });
    await buyer.client.ok(cancelOrder, { orderId: o.orderId });
    await t.client().ok(sandboxPress, { payRand: p.payRand, act: 'pay' });
    expect(await availableOf(buyer)).toBe(10_100);
    const { money } = await buyer.client.ok(orderDetail, { orderSn: o.orderSn });
    expect([money.where, money.late, money.points.map((x) => x.amount)]).toEqual([
      '付款已退到余额',
      '101.00',
      ['101.00', '101.00'],
    ]);
    expect(money.reason).toBe('订单关闭后才收到付款 101.00 元，没有进入交易，已自动转入您的可用余额。');
    expect((await seller.client.ok(orderDetail, { orderSn: o.orderSn })).money).toMatchObject({
      where: '未付款',
      late: '0.00',
    });
  });

  test('a second payment of a paid order is credited to the balance, and the order shows it', async () => {
    const buyer = await t.newUser({ balanceFen: 10_100 });
    const o = await order(buyer);
    const p = await buyer.client.ok(recPay, { orderId: o.orderId });
    await buyer.client.ok(balancePay, { orderId: o.orderId });
    await t.client().ok(sandboxPress, { payRand: p.payRand, act: 'pay' });
    expect(await availableOf(buyer)).toBe(10_100);
    const { money } = await buyer.client.ok(orderDetail, { orderSn: o.orderSn });
    expect(money).toMatchObject({ where: '平台托管中', paid: '101.00', late: '101.00' });
    expect(money.reason).toContain('另有一笔付款 101.00 元在订单付清后到达，没有进入交易，已自动转入您的可用余额。');
  });
});

describe('withdrawals', () => {
  async function payee(user: TestUser): Promise<void> {
    const location = (column: string): string => `payout_account.${column}:${user.id}`;
    await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
      values (${user.id}, 'alipay', ${encrypt(t.ctx.keys, location('account_enc'), 'a@example.com')}, ${Buffer.from('h')}, 'a***@example.com', ${encrypt(t.ctx.keys, location('name_enc'), user.realName)})`.execute(
      t.ctx.db,
    );
  }

  test('requested once per key, frozen, approved, paid', async () => {
    const user = await t.newUser({ balanceFen: 30_000 });
    expect((await user.client.call(cashAdvance, { amount: '100.00' })).code).toBe(codes.PAYEE_REQUIRED[0]);
    await payee(user);
    const withdrawals = await Promise.all(
      Array.from({ length: 10 }, () => user.client.call(cashAdvance, { amount: '100.00', reqId: 'w-1' })),
    );
    expect(new Set(withdrawals.filter((a) => a.code === 0).map((a) => a.data.withdrawSn)).size).toBe(1);
    expect(await loadBalances(t.ctx.db, user.id)).toMatchObject({ availableFen: 20_000, frozenFen: 10_000 });
    const staff = await t.newStaff({ role: 'finance' });
    const sn = withdrawals.find((a) => a.code === 0)?.data.withdrawSn ?? '';
    const approvals = await Promise.allSettled(
      Array.from({ length: 5 }, () => approveWithdrawal(t.ctx, { id: staff.id, distId: null }, sn)),
    );
    expect(approvals.filter((a) => a.status === 'fulfilled')).toHaveLength(1);
    await t.timers();
    await t.timers();
    expect(await loadBalances(t.ctx.db, user.id)).toMatchObject({ availableFen: 20_000, frozenFen: 0 });
    const lines = await user.client.ok(bill, { account: 'frozen' });
    expect(lines.list.map((l) => [l.code, l.amount])).toEqual([
      ['withdraw_paid', '-100.00'],
      ['withdraw_ask', '100.00'],
    ]);
  });

  test('a rejection returns the money; a large sum needs a second person', async () => {
    const user = await t.newUser({ balanceFen: 2_000_000 });
    await payee(user);
    const [one, two] = [await t.newStaff({ role: 'finance' }), await t.newStaff({ role: 'admin' })];
    const rejected = await user.client.ok(cashAdvance, { amount: '50.00' });
    await rejectWithdrawal(t.ctx, { id: one.id, distId: null }, rejected.withdrawSn, '收款账户有误');
    expect((await loadBalances(t.ctx.db, user.id)).availableFen).toBe(2_000_000);
    const lines = await user.client.ok(bill, { pageSize: 2 });
    expect(lines.list.map((l) => [l.code, l.number])).toEqual([
      ['withdraw_back', rejected.withdrawSn],
      ['withdraw_ask', rejected.withdrawSn],
    ]);
    expect((await user.client.call(cashAdvance, { amount: '6000.00' })).code).toBe(codes.SMS_REQUIRED[0]);
    expect((await user.client.call(cashAdvance, { amount: '6000.00', smsCode: '000000' })).code).toBe(
      codes.SMS_CODE_WRONG[0],
    );
    await user.client.ok(smsBindPhone, { type: 'payout' });
    const input = { amount: '6000.00', smsCode: t.lastCode(user.phone), reqId: 'large' };
    const large = await user.client.ok(cashAdvance, input);
    // The code is spent, and asking again under the same number needs none.
    expect(await user.client.ok(cashAdvance, input)).toEqual(large);
    expect(await approveWithdrawal(t.ctx, { id: one.id, distId: null }, large.withdrawSn)).toEqual({
      status: 0,
      needsSecond: true,
    });
    await expect(approveWithdrawal(t.ctx, { id: one.id, distId: null }, large.withdrawSn)).rejects.toMatchObject({
      error: 'SECOND_PERSON',
    });
    expect(await approveWithdrawal(t.ctx, { id: two.id, distId: null }, large.withdrawSn)).toEqual({
      status: 1,
      needsSecond: false,
    });
    await t.timers();
  });

  test('ten concurrent ones on one balance never exceed it', async () => {
    const user = await t.newUser({ balanceFen: 25_000 });
    await payee(user);
    const withdrawals = await Promise.all(
      Array.from({ length: 5 }, (_, i) => user.client.call(cashAdvance, { amount: '100.00', reqId: `r-${i}` })),
    );
    expect(withdrawals.filter((a) => a.code === 0)).toHaveLength(2);
    expect(await availableOf(user)).toBe(5_000);
  });

  test('invalid amounts are rejected with a message', async () => {
    for (const amount of ['NaN', '1e3', '0.001', '1,00', '-1', '+1', '', '0', '99999999999', '0x10']) {
      const user = await t.newUser({ balanceFen: 25_000 });
      for (const result of [
        await user.client.call(cashAdvance, { amount }),
        await user.client.call(recPay, { amount }),
      ]) {
        expect([amount, result.status, /[一-龥]/.test(result.msg)]).toEqual([amount, 422, true]);
      }
      expect(await availableOf(user)).toBe(25_000);
    }
  });
});

test('a payout account must have the verified name', async () => {
  const user = await t.newUser({ realName: '李四' });
  const result = await user.client.call(bindAccountNum, {
    accountType: 'alipay',
    account: 'b@example.com',
    realName: '王五',
    smsCode: '000000',
  });
  expect(result.code).not.toBe(0);
});
