/** P14: no user can lock another out; P16: consent and age. */
import { sql } from 'kysely';
import { solveChallenge } from 'altcha-lib/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffLogin } from '#subjects/back-office/contract/sign-in.ts';
import { challenge } from '#subjects/accounts/contract/challenge.ts';
import { codes } from '#contract/codes.ts';
import { clientSms } from '#subjects/accounts/contract/sms.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { recPay } from '#subjects/payments/contract/pay.ts';
import { sessionEnd, sessionList } from '#subjects/accounts/contract/sessions.ts';
import { login, register, userInfo } from '#subjects/accounts/contract/user.ts';
import { totpCode } from '#server/kernel/secrets/totp.ts';
import { BACKSTAGE_HOST, newPhone, type TestApp, testApp, TOTP_SECRET } from '#tests/support/servers/build.ts';
import type { TestClient } from '#tests/support/servers/client.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** Solves the proof of work as a browser does. */
async function solved(client: TestClient): Promise<{ headers: Record<string, string> }> {
  const { maxnumber, ...overrides } = await client.ok(challenge, {});
  const solution = await solveChallenge(overrides.challenge, overrides.salt, overrides.algorithm, maxnumber).promise;
  const text = JSON.stringify({ ...overrides, number: solution?.number });
  return { headers: { 'x-altcha': Buffer.from(text).toString('base64') } };
}

const PASSWORD = 'tiger-woods-7';

async function guessTen(phone: string): Promise<void> {
  for (let i = 0; i < 10; i++) await t.client().call(login, { username: phone, password: `wrong-${i}-x` });
}

describe('P14a: wrong passwords by others', () => {
  test('require a challenge, after which the right password works, once per solution', async () => {
    const { phone } = await t.newUser({ password: PASSWORD });
    await guessTen(phone);
    const right = { username: phone, password: PASSWORD };
    expect((await t.client().call(login, right)).code).toBe(codes.CHALLENGE_REQUIRED[0]);
    const work = await solved(t.client());
    const wrong = await t.client().call(login, { ...right, password: 'wrong-again' }, work);
    expect(wrong.code).toBe(codes.LOGIN_FAILED[0]);
    expect((await t.client().call(login, right, work)).code).toBe(codes.CHALLENGE_REQUIRED[0]);
    expect((await t.client().call(login, right, await solved(t.client()))).code).toBe(0);
  });

  test('one solution sent ten times concurrently works once; a forged one never', async () => {
    const { phone } = await t.newUser({ password: PASSWORD });
    await guessTen(phone);
    const client = t.client();
    const work = await solved(client);
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, i) => t.client().call(login, { username: phone, password: `wrong-${i}-y` }, work)),
    );
    expect(sent.filter(({ code }) => code === codes.LOGIN_FAILED[0])).toHaveLength(1);
    const { maxnumber, ...overrides } = await client.ok(challenge, {});
    const forged = { ...overrides, signature: '0'.repeat(overrides.signature.length), number: maxnumber };
    const headers = { 'x-altcha': Buffer.from(JSON.stringify(forged)).toString('base64') };
    const response = await client.call(login, { username: phone, password: PASSWORD }, { headers });
    expect(response.code).toBe(codes.CHALLENGE_REQUIRED[0]);
  });

  test('do not affect a browser that has logged in to the account before', async () => {
    const { phone } = await t.newUser({ password: PASSWORD });
    const home = t.client();
    await home.ok(login, { username: phone, password: PASSWORD });
    await guessTen(phone);
    const stranger = t.client();
    stranger.jar.set('bid', 'A'.repeat(22));
    expect((await stranger.call(login, { username: phone, password: PASSWORD })).code).toBe(
      codes.CHALLENGE_REQUIRED[0],
    );
    const back = t.client();
    back.jar.set('bid', home.jar.get('bid') ?? '');
    expect((await back.call(login, { username: phone, password: PASSWORD })).code).toBe(0);
  });

  test('block the network that makes them, and no other', async () => {
    const { phone } = await t.newUser({ password: PASSWORD });
    const thief = t.client({ ip: '203.0.113.9' });
    for (let i = 0; i < 30; i++) await thief.call(login, { username: phone, password: `wrong-${i}-z` });
    const last = await thief.call(login, { username: phone, password: PASSWORD }, await solved(thief));
    expect(last.code).toBe(codes.LOGIN_THROTTLED[0]);
    const owner = t.client({ ip: '198.51.100.7' });
    expect((await owner.call(login, { username: phone, password: PASSWORD }, await solved(owner))).code).toBe(0);
  });

  test('are counted from the last successful log-in: the right password is not refused at the 31st new browser', async () => {
    const { phone } = await t.newUser({ password: PASSWORD });
    const right = { username: phone, password: PASSWORD };
    for (let i = 0; i < 31; i++) expect((await t.client({ ip: '203.0.113.10' }).ok(login, right)).token).not.toBe('');
  });
});

describe('P14b: wrong attempts at a member of staff', () => {
  const backOffice = () => t.client({ host: BACKSTAGE_HOST });
  const code = () => totpCode(TOTP_SECRET, Date.now());

  test('lock no one out: a challenge allows the log-in, and a known browser needs none', async () => {
    const staff = await t.newStaff({ role: 'finance' });
    const input = (over: object = {}) => ({ login: staff.login, password: staff.password, code: code(), ...over });
    const support = backOffice();
    await support.ok(staffLogin, input());
    for (let i = 0; i < 10; i++) await backOffice().call(staffLogin, input({ password: `no-${i}` }));
    expect((await backOffice().call(staffLogin, input())).code).toBe(codes.CHALLENGE_REQUIRED[0]);
    await sql`update staff set totp_last_step = 0 where id = ${staff.id}`.execute(t.ctx.db);
    const known = backOffice();
    known.jar.set('bid', support.jar.get('bid') ?? '');
    expect((await known.call(staffLogin, input())).code).toBe(0);
    await sql`update staff set totp_last_step = 0 where id = ${staff.id}`.execute(t.ctx.db);
    const elsewhere = backOffice();
    expect((await elsewhere.call(staffLogin, input(), await solved(elsewhere))).code).toBe(0);
  });
});

describe('P14c: messages to one block of numbers', () => {
  test('do not block the other numbers in it', async () => {
    const block = '1379876';
    for (let i = 0; i < 30; i++) await t.client().call(clientSms, { phone: `${block}${1000 + i}`, type: 'register' });
    const neighbour = { phone: `${block}9999`, type: 'register' } as const;
    const client = t.client();
    expect((await client.call(clientSms, neighbour)).code).toBe(codes.CHALLENGE_REQUIRED[0]);
    expect(t.sms.some(({ phone }) => phone === neighbour.phone)).toBe(false);
    expect((await client.call(clientSms, neighbour, await solved(client))).code).toBe(0);
    expect((await client.call(clientSms, neighbour, await solved(client))).code).toBe(codes.SMS_TOO_OFTEN[0]);
  });

  test('are at most ten an hour to one number, with or without a challenge', async () => {
    const phone = newPhone();
    for (let i = 0; i < 11; i++) {
      await sql`delete from limit_counter where key like 'sms:minute:%'`.execute(t.ctx.db);
      const client = t.client();
      await client.call(clientSms, { phone, type: 'login' }, i < 5 ? {} : await solved(client));
    }
    expect(t.sms.filter((message) => message.phone === phone)).toHaveLength(10);
  });
});

describe('P16: consent and age', () => {
  test('registration requires consent, and each text is stored with its version and time', async () => {
    const phone = newPhone();
    const client = t.client();
    await client.ok(clientSms, { phone, type: 'register' });
    const input = { phone, smsCode: t.lastCode(phone), passWord: PASSWORD };
    expect((await client.call(register, input)).code).toBe(codes.CONSENT_REQUIRED[0]);
    expect((await client.call(register, { ...input, agree: '0' })).code).toBe(codes.CONSENT_REQUIRED[0]);
    const { userId } = await client.ok(register, { ...input, agree: true });
    const { rows } = await sql<{ code: string; version: number }>`
      select text_code as code, text_version as version from consent where user_id = ${Number(userId)} and created_at <= now() order by 1`.execute(
      t.ctx.db,
    );
    expect(rows.map(({ code }) => code)).toEqual(['adult', 'privacy', 'user_agreement']);
  });

  test('minors and unverified users cannot top up', async () => {
    const minor = await t.newUser({ birthDate: `${new Date().getFullYear() - 13}0101` });
    const unknown = await t.newUser({ verified: false });
    for (const [user, name] of [
      [minor, 'REAL_NAME_MINOR'],
      [unknown, 'REAL_NAME_REQUIRED'],
    ] as const) {
      expect((await user.client.call(recPay, { amount: '1000.00' })).code).toBe(codes[name][0]);
      const deposit = { role: 'seller', level: 1, payWay: 'channel' } as const;
      expect((await user.client.call(depositPay, deposit)).code).toBe(codes[name][0]);
    }
    const { rows } = await sql`select from payment where user_id in (${minor.id}, ${unknown.id})`.execute(t.ctx.db);
    expect(rows).toHaveLength(0);
  });
});

describe('the list of sessions', () => {
  test('shows each, ends one or all others, and never another user’s', async () => {
    const user = await t.newUser({ password: PASSWORD });
    const stranger = await t.newUser();
    const enter = async (ip: string) => {
      const client = t.client({ ip });
      client.token = (await client.ok(login, { username: user.phone, password: PASSWORD })).token;
      return client;
    };
    const [a, b] = [await enter('114.114.114.9'), await enter('2001:db8:1:2::7')];
    const { list } = await a.ok(sessionList, {});
    expect(list).toHaveLength(3);
    expect(list[0]).toMatchObject({ isCurrent: true, network: '江苏南京 114.114.*.*' });
    expect(list.map(({ network }) => network)).toContain('2001:db8:*');
    const ofB = (await b.ok(sessionList, {})).list[0]?.sessionId ?? '';
    expect(await stranger.client.ok(sessionEnd, { sessionId: ofB })).toEqual({ ended: 0 });
    expect(await a.ok(sessionEnd, { sessionId: ofB })).toEqual({ ended: 1 });
    expect((await b.call(userInfo, {})).status).toBe(401);
    expect(await a.ok(sessionEnd, {})).toEqual({ ended: 1 });
    expect((await user.client.call(userInfo, {})).status).toBe(401);
    expect((await a.call(userInfo, {})).code).toBe(0);
  });
});
