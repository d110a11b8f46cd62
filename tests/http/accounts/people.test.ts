/** Coming in and staying in: codes, registration, log-in, sessions, passwords. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { clientSms, smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import {
  changeUserPassword,
  changeUserUsualInfo,
  forgetUserPassWord,
  getUserInviteCode,
  login,
  loginBySmCode,
  logout,
  register,
  userInfo,
} from '#subjects/accounts/contract/user.ts';
import { cookieName } from '#server/access/session.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { BACKSTAGE_HOST, newPhone, type TestApp, testApp } from '#tests/support/servers/build.ts';
import type { TestClient } from '#tests/support/servers/client.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await sql`insert into distributor (id, code, name, conf, theme) overriding system value
    select 2, 'moon', '月光', conf, theme from distributor where id = 1`.execute(t.ctx.db);
  await sql`insert into dist_host (host, dist_id) values ('moon.example', 2)`.execute(t.ctx.db);
  await t.ctx.dir.reload();
});
afterAll(() => t.close());

const PASSWORD = 'tiger-woods-7';
type Purpose = 'register' | 'login' | 'forget' | 'bind';

/** Lets the minute pass that has to lie between two codes. */
async function afterAMinute(): Promise<void> {
  await sql`delete from limit_counter where key like 'sms:minute:%'`.execute(t.ctx.db);
}

/** Asks for a code and reads it off the message. */
async function codeFor(client: TestClient, phone: string, type: Purpose): Promise<string> {
  await afterAMinute();
  await client.ok(clientSms, { phone, type });
  return t.lastCode(phone);
}

/** A code that is not the given one. */
const other = (code: string): string => (code === '000000' ? '000001' : '000000');

/** Keeps what a log-in answered, as the browser's own code does. */
function withToken(client: TestClient, response: { token: string }): TestClient {
  client.token = response.token;
  return client;
}

async function newcomer(client = t.client(), more: { inviteCode?: string } = {}) {
  const phone = newPhone();
  const smsCode = await codeFor(client, phone, 'register');
  const response = await client.ok(register, { phone, smsCode, passWord: PASSWORD, agree: '1', ...more });
  return { phone, client: withToken(client, response), userId: Number(response.userId) };
}

const cell = async <T>(query: ReturnType<typeof sql<{ v: T }>>): Promise<T | undefined> =>
  (await query.execute(t.ctx.db)).rows[0]?.v;

describe('registration', () => {
  test('a new user is logged in, has agreed to the current texts, and is shown by masked phone number', async () => {
    const { phone, client, userId } = await newcomer();
    const me = await client.ok(userInfo, {});
    expect(me).toMatchObject({
      userId: String(userId),
      authStatus: 0,
      isHadPassWord: true,
      isPayPassWord: false,
      coin: '0.00',
    });
    expect(me.phoneMask).toBe(`${phone.slice(0, 3)}****${phone.slice(7)}`);
    expect(JSON.stringify(me)).not.toContain(phone);
    const { rows } = await sql<{ text_code: string }>`
      select text_code from consent where user_id = ${userId} order by text_code`.execute(t.ctx.db);
    expect(rows.map((r) => r.text_code)).toEqual(['adult', 'privacy', 'user_agreement']);
  });

  test('neither the number nor the code is stored in the clear', async () => {
    const { phone } = await newcomer();
    for (const table of ['app_user', 'sms_code', 'session', 'limit_counter', 'outbox'] as const) {
      const { rows } = await sql<{ found: number }>`
        select count(*) as found from ${sql.table(table)} x where x::text like ${`%${phone}%`}`.execute(t.ctx.db);
      expect(Number(rows[0]?.found), table).toBe(0);
    }
  });

  test('an invitation links the new user to its sender; an unknown one does not consume the code', async () => {
    const inviter = await t.newUser();
    const { inviteCode } = await inviter.client.ok(getUserInviteCode, {});
    const { userId } = await newcomer(t.client(), { inviteCode: inviteCode.toLowerCase() });
    expect(await cell(sql<{ v: number }>`select inviter_id as v from app_user where id = ${userId}`)).toBe(inviter.id);
    const client = t.client();
    const phone = newPhone();
    const smsCode = await codeFor(client, phone, 'register');
    const input = { phone, smsCode, passWord: PASSWORD, agree: true };
    expect((await client.call(register, { ...input, inviteCode: 'NOBODY' })).msg).toContain('邀请码');
    expect((await client.call(register, input)).code).toBe(0);
  });

  test('guessable passwords are rejected before the code is consumed', async () => {
    const client = t.client();
    const phone = newPhone();
    const smsCode = await codeFor(client, phone, 'register');
    for (const passWord of ['123456', 'aaaaaa', 'qwerty', 'abcabc', '19900307', phone, phone.slice(3)]) {
      expect((await client.call(register, { phone, smsCode, passWord, agree: true })).code, passWord).toBe(
        codes.PASSWORD_WEAK[0],
      );
    }
    expect((await client.call(register, { phone, smsCode, passWord: PASSWORD, agree: true })).code).toBe(0);
  });

  test('ten concurrent registrations with one code create one user', async () => {
    const phone = newPhone();
    const smsCode = await codeFor(t.client(), phone, 'register');
    const results = await Promise.all(
      Array.from({ length: 10 }, () => t.client().call(register, { phone, smsCode, passWord: PASSWORD, agree: true })),
    );
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(results.every(({ status }) => status < 500)).toBe(true);
  });
});

describe('codes', () => {
  test('a code works once, for its number, purpose and site', async () => {
    const { phone } = await newcomer();
    const client = t.client();
    const code = await codeFor(client, phone, 'login');
    const wrong = codes.SMS_CODE_WRONG[0];
    expect((await client.call(forgetUserPassWord, { phone, smsCode: code, passWord: PASSWORD })).code).toBe(wrong);
    expect((await client.call(loginBySmCode, { phone: newPhone(), smsCode: code })).code).toBe(wrong);
    expect((await t.client({ host: 'moon.example' }).call(loginBySmCode, { phone, smsCode: code })).code).toBe(wrong);
    expect((await client.call(loginBySmCode, { phone, smsCode: code })).code).toBe(0);
    expect((await client.call(loginBySmCode, { phone, smsCode: code })).code).toBe(wrong);
  });

  test('five wrong attempts invalidate a code, also concurrently', async () => {
    const { phone } = await newcomer();
    const client = t.client();
    const code = await codeFor(client, phone, 'login');
    await Promise.all(Array.from({ length: 5 }, () => client.call(loginBySmCode, { phone, smsCode: other(code) })));
    expect((await client.call(loginBySmCode, { phone, smsCode: code })).code).toBe(codes.SMS_CODE_WRONG[0]);
  });

  test('a code expires, and a new one replaces the old', async () => {
    const { phone } = await newcomer();
    const client = t.client();
    const first = await codeFor(client, phone, 'login');
    const second = await codeFor(client, phone, 'login');
    if (first !== second)
      expect((await client.call(loginBySmCode, { phone, smsCode: first })).code).toBe(codes.SMS_CODE_WRONG[0]);
    await passTime(t.ctx.db, 'sms_code', {}, { until: 'expires_at' });
    expect((await client.call(loginBySmCode, { phone, smsCode: second })).code).toBe(codes.SMS_CODE_WRONG[0]);
  });

  test('at most one a minute and five an hour for a number, from any address', async () => {
    const phone = newPhone();
    const send = () => t.client().call(clientSms, { phone, type: 'login' });
    expect((await send()).code).toBe(0);
    const again = await send();
    expect(again).toMatchObject({ status: 429, code: codes.SMS_TOO_OFTEN[0] });
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
    for (let i = 0; i < 4; i++) {
      await afterAMinute();
      expect((await send()).code).toBe(0);
    }
    await afterAMinute();
    expect((await send()).code).toBe(codes.CHALLENGE_REQUIRED[0]);
    expect(t.sms.filter((message) => message.phone === phone)).toHaveLength(5);
  });

  test('known and unknown numbers get the same response', async () => {
    const { phone: known } = await newcomer();
    const unknown = newPhone();
    const shape = async (phone: string) => {
      const client = t.client();
      await afterAMinute();
      const results = [
        await client.call(clientSms, { phone, type: 'login' }),
        await client.call(clientSms, { phone, type: 'forget' }),
        await client.call(login, { username: phone, password: 'not-this-one-9' }),
        await client.call(loginBySmCode, { phone, smsCode: other(t.lastCode(phone)) }),
        await client.call(loginBySmCode, {
          phone,
          smsCode: phone === known ? other(t.lastCode(phone)) : t.lastCode(phone),
        }),
        await client.call(forgetUserPassWord, { phone, smsCode: '123321', passWord: PASSWORD }),
      ];
      return results.map(({ status, code, msg, data }) => ({ status, code, msg, data }));
    };
    expect(await shape(unknown)).toEqual(await shape(known));
  });
});

describe('log-in and sessions', () => {
  test('the cookie is HttpOnly; only cookie and header together identify the user', async () => {
    const { phone } = await newcomer();
    const client = t.client();
    const response = await client.raw({
      method: 'POST',
      url: login.path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ username: phone, password: PASSWORD }).toString(),
    });
    const name = cookieName(t.ctx.config, false);
    const set = [response.headers['set-cookie']].flat().map(String);
    expect(set.find((line) => line.startsWith(`${name}=`))).toMatch(/HttpOnly/i);
    expect(set.some((line) => line.startsWith('token='))).toBe(false);
    const { token } = response.json<{ data: { token: string } }>().data;
    expect(client.jar.get(name)).not.toBe(token);
    expect((await t.client().call(userInfo, {}, { headers: { authorization: token } })).status).toBe(401);
    expect((await client.call(userInfo, {})).status).toBe(401);
    expect((await withToken(client, { token }).call(userInfo, {})).code).toBe(0);
    // The back office and the sites never share a session.
    const elsewhere = await client.raw({
      method: 'GET',
      url: '/api/backstage/staffInfo',
      headers: { host: BACKSTAGE_HOST },
    });
    expect(elsewhere.statusCode).toBe(401);
  });

  test('ten wrong passwords require a challenge for that number only, also for the right password', async () => {
    const { phone } = await newcomer();
    const { phone: neighbour } = await newcomer();
    for (let i = 0; i < 10; i++)
      expect((await t.client().call(login, { username: phone, password: `wrong-${i}-x` })).code).toBe(
        codes.LOGIN_FAILED[0],
      );
    const shut = await t.client().call(login, { username: phone, password: PASSWORD });
    expect(shut).toMatchObject({ status: 429, code: codes.CHALLENGE_REQUIRED[0] });
    expect((await t.client().call(login, { username: neighbour, password: PASSWORD })).code).toBe(0);
    // Whoever holds the phone is not locked out by a stranger's guesses.
    const smsCode = await codeFor(t.client(), phone, 'login');
    expect((await t.client().call(loginBySmCode, { phone, smsCode })).code).toBe(0);
  });

  test('one account works on every site; the site of each log-in is recorded', async () => {
    const { phone, userId } = await newcomer();
    const moon = t.client({ host: 'moon.example' });
    const answer = await moon.ok(login, { username: phone, password: PASSWORD });
    expect(answer.userId).toBe(String(userId));
    expect((await withToken(moon, answer).ok(userInfo, {})).userId).toBe(String(userId));
    const { rows } = await sql<{ dist_id: number }>`
      select dist_id from session where user_id = ${userId} order by dist_id`.execute(t.ctx.db);
    expect(rows.map((r) => r.dist_id)).toEqual([1, 2]);
    expect(
      (await t.client({ host: 'nowhere.example' }).call(login, { username: phone, password: PASSWORD })).status,
    ).toBe(421);
  });

  test("a log-in ends the browser's previous session; a log-out ends the current one", async () => {
    const { phone, client } = await newcomer();
    const before = { token: client.token, jar: new Map(client.jar) };
    withToken(client, await client.ok(login, { username: phone, password: PASSWORD }));
    const old = t.client();
    old.token = before.token;
    for (const [name, value] of before.jar) old.jar.set(name, value);
    expect((await old.call(userInfo, {})).status).toBe(401);
    const sid = client.jar.get(cookieName(t.ctx.config, false)) ?? '';
    await client.ok(logout, {});
    expect(client.jar.has(cookieName(t.ctx.config, false))).toBe(false);
    client.jar.set(cookieName(t.ctx.config, false), sid);
    expect((await client.call(userInfo, {})).status).toBe(401);
  });

  test('a restricted user may read and log out, but not write', async () => {
    const { client, userId } = await newcomer();
    await sql`update app_user set status = 2 where id = ${userId}`.execute(t.ctx.db);
    expect((await client.call(userInfo, {})).code).toBe(0);
    expect((await client.call(changeUserUsualInfo, { nickName: '新名字' })).code).toBe(codes.USER_BANNED[0]);
    expect((await client.call(logout, {})).code).toBe(0);
    expect((await client.call(userInfo, {})).status).toBe(401);
  });
});

describe('passwords', () => {
  test('a changed password ends the other sessions and keeps this one', async () => {
    const { phone, client } = await newcomer();
    const second = t.client();
    withToken(second, await second.ok(login, { username: phone, password: PASSWORD }));
    await afterAMinute();
    await client.ok(smsBindPhone, { type: 'forget' });
    const smsCode = t.lastCode(phone);
    const change = { passWord: 'another-good-1', smsCode };
    const slip = { ...change, smsCode: smsCode === '000000' ? '000001' : '000000' };
    expect((await client.call(changeUserPassword, slip)).code).toBe(codes.SMS_CODE_WRONG[0]);
    await client.ok(changeUserPassword, change);
    expect((await second.call(userInfo, {})).status).toBe(401);
    expect((await client.call(userInfo, {})).code).toBe(0);
    expect((await t.client().call(login, { username: phone, password: PASSWORD })).code).toBe(codes.LOGIN_FAILED[0]);
    expect((await t.client().call(login, { username: phone, password: change.passWord })).code).toBe(0);
  });

  test('resetting the password ends every session and clears the failed attempts', async () => {
    const { phone, client } = await newcomer();
    for (let i = 0; i < 10; i++) await t.client().call(login, { username: phone, password: `wrong-${i}-x` });
    const smsCode = await codeFor(t.client(), phone, 'forget');
    await t.client().ok(forgetUserPassWord, { phone, smsCode, passWord: 'another-good-2' });
    expect((await client.call(userInfo, {})).status).toBe(401);
    expect((await t.client().call(login, { username: phone, password: 'another-good-2' })).code).toBe(0);
  });

  test('the pay password needs a code the first time, must be six non-trivial digits, and locks after five attempts', async () => {
    const { client, userId } = await newcomer();
    const set = (input: { passWord: string; smsCode?: string; oldPassWord?: string }) =>
      client.call(changeUserPassword, { kind: 'pay', ...input });
    expect((await set({ passWord: '290741', oldPassWord: '111111' })).msg).toBe('首次设置请使用短信验证码');
    const own = async () => {
      await afterAMinute();
      await client.ok(smsBindPhone, { type: 'payPassword' });
      return t.sms.at(-1)?.code ?? '';
    };
    const smsCode = await own();
    for (const passWord of ['123456', '888888', '121212', 'abcdef', '1234567'])
      expect((await set({ passWord, smsCode })).status, passWord).toBe(422);
    expect((await set({ passWord: '290741', smsCode })).code).toBe(0);
    for (let i = 0; i < 5; i++)
      expect((await set({ passWord: '574839', oldPassWord: '000111' })).code).toBe(codes.PAY_PASSWORD_WRONG[0]);
    expect((await set({ passWord: '574839', oldPassWord: '290741' })).code).toBe(codes.PAY_PASSWORD_LOCKED[0]);
    expect((await set({ passWord: '574839', smsCode: await own() })).code).toBe(0);
    expect((await set({ passWord: '290741', oldPassWord: '574839' })).code).toBe(0);
    expect(await cell(sql<{ v: number }>`select pay_password_fails as v from app_user where id = ${userId}`)).toBe(0);
  });
});
