/** Step-up (domain.md 3): what a log-in does not prove, and what waits after a change. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeAccount } from '#subjects/accounts/contract/email-and-closing.ts';
import { codes } from '#contract/codes.ts';
import { clientSms, smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import type { Data } from '#contract/endpoint.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, cashAdvance, withdrawTerms } from '#subjects/payments/contract/pay.ts';
import { stepUp, stepUpState } from '#subjects/accounts/contract/step-up.ts';
import { bindAccountNum } from '#subjects/verification/contract/payee.ts';
import { changeBindPhone, changeUserPassword, loginBySmCode } from '#subjects/accounts/contract/user.ts';
import { thirdPartyBindings, unBindThirdPartyAuthorization } from '#subjects/accounts/contract/wechat.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { newPhone, type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import type { TestClient } from '#tests/support/servers/client.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { idCardFrom17 } from '#tests/support/market/id-card.ts';

let t: TestApp;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  seller = await t.newUser();
});
afterAll(() => t.close());

const PIN = '290741';

async function afterAMinute(): Promise<void> {
  await sql`delete from limit_counter where key like 'sms:%'`.execute(t.ctx.db);
}

type Own = 'payout' | 'payee' | 'payPassword' | 'changePhone' | 'forget' | 'close' | 'thirdParty' | 'email';

async function ownCode({ client, phone }: Pick<TestUser, 'client' | 'phone'>, type: Own): Promise<string> {
  await afterAMinute();
  await client.ok(smsBindPhone, { type });
  return t.lastCode(phone);
}

/** A browser in which the user has just logged in by SMS. */
async function bySms(user: TestUser): Promise<TestClient> {
  await afterAMinute();
  const client = t.client();
  await client.ok(clientSms, { phone: user.phone, type: 'login' });
  const login: Data<typeof loginBySmCode> = await client.ok(loginBySmCode, {
    phone: user.phone,
    smsCode: t.lastCode(user.phone),
  });
  client.token = login.token;
  return client;
}

async function order(client: TestClient): Promise<number> {
  const { sn } = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
  return (await client.ok(placeOrder, { goodsSn: sn })).orderId;
}

const other = (code: string) => (code === '000000' ? '000001' : '000000');

describe('P6: an SMS log-in code permits a log-in only', () => {
  test('it cannot pay: an existing pay password is required', async () => {
    const user = await t.newUser({ balanceFen: 100_000, payPassword: PIN });
    const client = await bySms(user);
    const orderId = await order(client);
    expect((await client.call(balancePay, { orderId })).code).toBe(codes.PAY_PASSWORD_REQUIRED[0]);
    expect((await client.call(depositPay, { role: 'seller', level: 1 })).code).toBe(codes.PAY_PASSWORD_REQUIRED[0]);
    expect((await client.call(cashAdvance, { amount: '10.00' })).code).toBe(codes.PAY_PASSWORD_REQUIRED[0]);
    // No code by SMS replaces it, whatever it was sent for.
    const byCode = await client.call(stepUp, {
      purpose: 'pay',
      smsCode: await ownCode({ client, phone: user.phone }, 'forget'),
    });
    expect(byCode.code).toBe(codes.PAY_PASSWORD_REQUIRED[0]);
    expect((await client.call(balancePay, { orderId, payPassword: PIN })).code).toBe(0);
  });

  test('it cannot change the phone: the code to the old number is verified', async () => {
    const user = await t.newUser({ payPassword: PIN });
    const client = await bySms(user);
    const phone = newPhone();
    await client.ok(clientSms, { phone, type: 'bind' });
    const newSmsCode = t.lastCode(phone);
    const move = (smsCode?: string) => client.call(changeBindPhone, { phone, newSmsCode, ...(smsCode && { smsCode }) });
    expect((await move('000000')).code).toBe(codes.SMS_CODE_WRONG[0]);
    expect((await move()).code).toBe(codes.STEP_UP_REQUIRED[0]);
    // A code for one purpose is none for another.
    const email = await ownCode({ client, phone: user.phone }, 'email');
    expect((await move(email)).code).toBe(codes.SMS_CODE_WRONG[0]);
    expect((await move(await ownCode({ client, phone: user.phone }, 'changePhone'))).code).toBe(0);
  });

  test('it cannot close, unbind, or change a password or payee', async () => {
    const user = await t.newUser();
    const client = await bySms(user);
    const calls = [
      await client.call(closeAccount, {}),
      await client.call(unBindThirdPartyAuthorization, { provider: 'wechat' }),
      await client.call(changeUserPassword, { kind: 'login', passWord: 'a-good-new-one-7' }),
      await client.call(bindAccountNum, { accountType: 'alipay', account: '13912345678', realName: '张三丰' }),
    ];
    expect(calls.map(({ code }) => code)).toEqual(Array(4).fill(codes.STEP_UP_REQUIRED[0]));
    expect((await client.ok(thirdPartyBindings, {})).list.length).toBeGreaterThan(0);
  });

  test('the old log-in password does not verify a new one', async () => {
    const user = await t.newUser({ password: 'tiger-woods-7' });
    const change = { kind: 'login', oldPassWord: 'tiger-woods-7', passWord: 'a-good-new-one-7' } as const;
    expect((await user.client.call(changeUserPassword, change)).code).toBe(codes.STEP_UP_REQUIRED[0]);
    expect(
      (await user.client.call(changeUserPassword, { ...change, smsCode: await ownCode(user, 'forget') })).code,
    ).toBe(0);
  });

  test('a user without a pay password sets one with a code for that purpose; of two concurrent ones one succeeds', async () => {
    const user = await t.newUser({ balanceFen: 100_000, stepUp: false });
    const orderId = await order(user.client);
    expect((await user.client.call(balancePay, { orderId })).code).toBe(codes.PAY_PASSWORD_UNSET[0]);
    expect(await user.client.ok(stepUpState, { purpose: 'pay' })).toMatchObject({
      isFresh: false,
      hasPayPassword: false,
      methods: [],
    });
    const smsCode = await ownCode(user, 'payPassword');
    const set = () => user.client.call(changeUserPassword, { kind: 'pay', passWord: PIN, smsCode });
    const sent = await Promise.all([set(), set(), set()]);
    expect(sent.filter(({ code }) => code === 0)).toHaveLength(1);
    expect((await user.client.call(balancePay, { orderId })).code).toBe(0);
    expect(await user.client.ok(stepUpState, { purpose: 'pay' })).toMatchObject({
      isFresh: true,
      methods: ['payPassword'],
    });
  });

  test('a verification is valid for one session and one purpose, for five minutes', async () => {
    const user = await t.newUser({ password: 'tiger-woods-7' });
    const elsewhere = await bySms(user);
    await user.client.ok(stepUp, { purpose: 'close', smsCode: await ownCode(user, 'close') });
    const confirmFresh = async (client: TestClient, purpose: 'close' | 'payee') =>
      (await client.ok(stepUpState, { purpose })).isFresh;
    expect([
      await confirmFresh(user.client, 'close'),
      await confirmFresh(user.client, 'payee'),
      await confirmFresh(elsewhere, 'close'),
    ]).toEqual([true, false, false]);
    await passTime(t.ctx.db, 'step_up', {}, { minutes: 5, seconds: 1 });
    expect(await confirmFresh(user.client, 'close')).toBe(false);
  });

  test('a wrong pay password is rejected and counted although a proof is fresh', async () => {
    const user = await t.newUser({ balanceFen: 100_000, payPassword: PIN, stepUp: true });
    const orderId = await order(user.client);
    for (const payPassword of ['111222', '222333', '333444', '444555', '555666']) {
      const rejected = await user.client.call(balancePay, { orderId, payPassword });
      expect(rejected.code).toBe(codes.PAY_PASSWORD_WRONG[0]);
    }
    expect((await user.client.call(balancePay, { orderId, payPassword: PIN })).code).toBe(codes.PAY_PASSWORD_LOCKED[0]);
    // The proof itself stays valid for a call that sends no password.
    expect((await user.client.call(balancePay, { orderId })).code).toBe(0);
  });

  test('a pay password given for one purpose proves nothing for another', async () => {
    const user = await t.newUser({ balanceFen: 100_000, payPassword: PIN });
    await user.client.ok(stepUp, { purpose: 'pay', payPassword: PIN });
    const isFresh = async (purpose: 'pay' | 'close') => (await user.client.ok(stepUpState, { purpose })).isFresh;
    expect([await isFresh('pay'), await isFresh('close')]).toEqual([true, false]);
    expect((await user.client.call(closeAccount, {})).code).toBe(codes.STEP_UP_REQUIRED[0]);
    await user.client.ok(stepUp, { purpose: 'close', payPassword: PIN });
    expect([await isFresh('pay'), await isFresh('close')]).toEqual([true, true]);
  });

  test('wrong pay passwords count through the dialog’s call too', async () => {
    const user = await t.newUser({ payPassword: PIN });
    const guess = (payPassword: string) => user.client.call(stepUp, { purpose: 'close', payPassword });
    const tries = await Promise.all(['111222', '222333', '333444', '444555', '555666'].map(guess));
    expect(tries.every(({ code }) => code === codes.PAY_PASSWORD_WRONG[0])).toBe(true);
    expect((await guess(PIN)).code).toBe(codes.PAY_PASSWORD_LOCKED[0]);
    expect((await user.client.ok(stepUpState, { purpose: 'pay' })).lockedUntil).not.toBeNull();
  });
});

describe('a forgotten pay password', () => {
  test('is reset with the code and the identity number, five attempts a day, and blocks payouts for a day', async () => {
    const user = await t.newUser({ balanceFen: 100_000, payPassword: PIN });
    const idCard = idCardFrom17(`11010119900307${String(user.id % 1000).padStart(3, '0')}`);
    const smsCode = await ownCode(user, 'payPassword');
    const reset = (more: { idCard?: string; smsCode?: string }) =>
      user.client.call(changeUserPassword, { kind: 'pay', passWord: '574839', smsCode, ...more });
    expect((await reset({})).code).toBe(codes.IDENTITY_WRONG[0]);
    expect((await reset({ idCard: idCardFrom17('11010119900308001') })).code).toBe(codes.IDENTITY_WRONG[0]);
    expect((await reset({ idCard, smsCode: other(smsCode) })).code).toBe(codes.SMS_CODE_WRONG[0]);
    expect((await reset({ idCard })).code).toBe(0);
    await user.client.ok(stepUp, { purpose: 'payee', payPassword: '574839' });
    await user.client.ok(bindAccountNum, { accountType: 'alipay', account: '13912345678', realName: user.realName });
    const rejected = await user.client.call(cashAdvance, { amount: '10.00' });
    expect(rejected.code).toBe(codes.PAYOUT_WAIT[0]);
    expect(rejected.msg).toMatch(/重置过支付密码.*\d{4}-\d\d-\d\d \d\d:\d\d 起可以提现/);
    expect((await user.client.ok(withdrawTerms, {})).wait?.reason).toContain('重置过支付密码');
    for (let i = 0; i < 4; i++) await reset({ idCard: idCardFrom17('11010119900308001') });
    expect((await reset({ idCard })).code).toBe(codes.IDENTITY_TRIES[0]);
    await sql`update app_user set payout_wait_until = now() where id = ${user.id}`.execute(t.ctx.db);
    expect((await user.client.call(cashAdvance, { amount: '10.00' })).code).toBe(0);
  });
});

describe('payouts are delayed by a day', () => {
  test('after a change of phone', async () => {
    const user = await t.newUser({ balanceFen: 100_000 });
    const payee = { accountType: 'alipay', account: '13912345678', realName: user.realName } as const;
    await user.client.ok(bindAccountNum, payee);
    const phone = newPhone();
    await user.client.ok(clientSms, { phone, type: 'bind' });
    await user.client.ok(changeBindPhone, { phone, newSmsCode: t.lastCode(phone) });
    const rejected = await user.client.call(cashAdvance, { amount: '10.00' });
    expect(rejected).toMatchObject({ code: codes.PAYOUT_WAIT[0] });
    expect(rejected.msg).toContain('更换过手机号');
    const { wait } = await user.client.ok(withdrawTerms, {});
    expect(Date.parse(wait?.until ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);
  });

  test('after a change of payee, with the reason and the end; the terms list the required verifications', async () => {
    const user = await t.newUser({ balanceFen: 1_000_000 });
    const payee = { accountType: 'alipay', account: '13912345678', realName: user.realName } as const;
    await user.client.ok(bindAccountNum, payee);
    expect(await user.client.ok(withdrawTerms, {})).toMatchObject({
      wait: null,
      smsFrom: '5000.00',
      payees: [{ isChanged: false, usableFrom: null }],
    });
    await user.client.ok(cashAdvance, { amount: '10.00' });
    await user.client.ok(bindAccountNum, { ...payee, account: 'zhang@example.com' });
    const terms = await user.client.ok(withdrawTerms, {});
    expect(terms).toMatchObject({
      smsFrom: '4990.00',
      payees: [{ accountMask: 'zh****@example.com', isChanged: true }],
    });
    const rejected = await user.client.call(cashAdvance, { amount: '10.00' });
    expect(rejected.code).toBe(codes.PAYOUT_WAIT[0]);
    expect(rejected.msg).toContain('更换过收款账户');
  });
});
