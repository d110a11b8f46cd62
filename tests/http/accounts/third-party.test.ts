/** Log-in by WeChat: whose browser, whose phone, once; bindings; and the closing of an account. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeAccount, closeAccountCheck } from '#subjects/accounts/contract/email-and-closing.ts';
import { codes } from '#contract/codes.ts';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import {
  bindThirdPartyTicket,
  thirdPartyAuthorizationUserFromLogin,
  thirdPartyBindings,
  unBindThirdPartyAuthorization,
  wechatLogin,
  wechatLoginResult,
} from '#subjects/accounts/contract/wechat.ts';
import {
  wechatPhoneConfirm,
  wechatPhoneInfo,
  wechatPhoneScan,
  wechatPlay,
} from '#subjects/accounts/contract/wechat-phone.ts';
import { localWechatLogin } from '#server/adapters/wechat-login/local.ts';
import { officialAccountLogin } from '#server/adapters/wechat-login/official-account.ts';
import { outside } from '#tests/support/fakes/channels.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import type { TestClient } from '#tests/support/servers/client.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});
afterAll(async () => await t.close());

/** A person with that name scans and confirms by phone. */
async function confirmBy(account: string, code: string): Promise<void> {
  const phone = t.client();
  const { authCode } = await phone.ok(wechatPlay, { account });
  const { phoneKey } = await phone.ok(wechatPhoneScan, { code, authCode });
  await phone.ok(wechatPhoneConfirm, { code, phoneKey, act: 'confirm' });
}

const newLogin = async (client: TestClient): Promise<string> => (await client.ok(wechatLogin, {})).code;

let names = 0;
const newName = (): string => `微信${(names += 1)}`;

async function afterAMinute(): Promise<void> {
  await sql`delete from limit_counter where key like 'sms:%'`.execute(t.ctx.db);
}

async function ownCode(user: TestUser, type: 'thirdParty' | 'close'): Promise<string> {
  await afterAMinute();
  await user.client.ok(smsBindPhone, { type });
  return t.lastCode(user.phone);
}

/** A user whose WeChat of that name is bound. */
async function boundUser(account = newName()): Promise<TestUser & { account: string }> {
  const user = await t.newUser({ stepUp: true });
  const { code } = await user.client.ok(wechatLogin, { act: 'bind' });
  await confirmBy(account, code);
  expect(await user.client.ok(wechatLoginResult, { code })).toMatchObject({ bound: true, token: null });
  return { ...user, account };
}

describe('log-in by QR', () => {
  test('the browser that showed the code is logged in after the phone confirms, through the path of the specification', async () => {
    const user = await boundUser();
    const browser = t.client();
    const started = await browser.ok(wechatLogin, {});
    expect(started.url).toBe(`http://localhost/wechat/${started.code}`);
    expect(started.qrSvg).toContain('<svg');
    const poll = () => browser.raw({ method: 'GET', url: `/api/operation/wechat_login/${started.code}u/` });
    expect((await poll()).json()).toMatchObject({ code: 0, data: { status: 'pending', token: null } });

    const phone = t.client();
    const { authCode } = await phone.ok(wechatPlay, { account: user.account });
    const { phoneKey } = await phone.ok(wechatPhoneScan, { code: started.code, authCode });
    expect((await poll()).json()).toMatchObject({ data: { status: 'scanned', token: null } });
    await phone.ok(wechatPhoneConfirm, { code: started.code, phoneKey, act: 'confirm' });

    const { data } = (await poll()).json<{ data: { token: string; login: { userId: string } } }>();
    expect(data.login.userId).toBe(String(user.id));
    browser.token = data.token;
    expect((await browser.ok(userInfo, {})).userId).toBe(String(user.id));
    expect((await poll()).json()).toMatchObject({ data: { status: 'expired', token: null } });
    expect(phone.jar.has('sid')).toBe(false);
  });

  test('another browser cannot poll the code, before or after the confirmation', async () => {
    const user = await boundUser();
    const browser = t.client();
    const other = t.client();
    await newLogin(other);
    const code = await newLogin(browser);
    await confirmBy(user.account, code);
    for (const thief of [other, t.client()])
      expect(await thief.ok(wechatLoginResult, { code })).toMatchObject({ status: 'expired', token: null });
    expect((await browser.ok(wechatLoginResult, { code })).login?.userId).toBe(String(user.id));
  });

  test('ten concurrent polls open one session', async () => {
    const user = await boundUser();
    const browser = t.client();
    const code = await newLogin(browser);
    await confirmBy(user.account, code);
    const responses = await Promise.all(Array.from({ length: 10 }, () => browser.ok(wechatLoginResult, { code })));
    expect(responses.filter(({ token }) => token !== null)).toHaveLength(1);
  });

  test('one of ten phones that scan concurrently gets the code, and a wrong key cannot confirm it', async () => {
    const browser = t.client();
    const code = await newLogin(browser);
    const results = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const phone = t.client();
        const { authCode } = await phone.ok(wechatPlay, { account: newName() });
        return await phone.call(wechatPhoneScan, { code, authCode });
      }),
    );
    expect(results.filter((r) => r.code === 0)).toHaveLength(1);
    const wrongKey = 'A'.repeat(43);
    const rejected = await t.client().call(wechatPhoneConfirm, { code, phoneKey: wrongKey, act: 'confirm' });
    expect(rejected.code).toBe(codes.THIRD_PARTY_EXPIRED[0]);
  });

  test('an authorisation works once and is rejected when altered', async () => {
    const phone = t.client();
    const { authCode } = await phone.ok(wechatPlay, { account: newName() });
    const [first, second, third] = [await newLogin(t.client()), await newLogin(t.client()), await newLogin(t.client())];
    await phone.ok(wechatPhoneScan, { code: first, authCode });
    for (const [code, overrides] of [
      [second, authCode],
      [third, `${authCode.slice(0, -2)}AA`],
      [third, 'nonsense'],
    ] as const)
      expect((await phone.call(wechatPhoneScan, { code, authCode: overrides })).code).toBe(
        codes.THIRD_PARTY_EXPIRED[0],
      );
  });

  test('a cancelled or expired code logs no one in', async () => {
    const user = await boundUser();
    const browser = t.client();
    const cancelled = await newLogin(browser);
    const phone = t.client();
    const scan = async (code: string) => {
      const { authCode } = await phone.ok(wechatPlay, { account: user.account });
      return (await phone.ok(wechatPhoneScan, { code, authCode })).phoneKey;
    };
    await phone.ok(wechatPhoneConfirm, { code: cancelled, phoneKey: await scan(cancelled), act: 'cancel' });
    expect(await browser.ok(wechatLoginResult, { code: cancelled })).toMatchObject({ status: 'expired' });

    const tooLate = await newLogin(browser);
    const phoneKey = await scan(tooLate);
    await passTime(t.ctx.db, 'wechat_login', { code: tooLate }, { until: 'expires_at' });
    expect((await phone.call(wechatPhoneConfirm, { code: tooLate, phoneKey, act: 'confirm' })).code).not.toBe(0);
    expect((await phone.ok(wechatPhoneInfo, { code: tooLate })).status).toBe('expired');
  });

  test('a code of one site is unknown on another, and a closed account is not logged in', async () => {
    const user = await boundUser();
    const browser = t.client();
    const code = await newLogin(browser);
    await sql`insert into distributor (id, code, name, conf, theme) overriding system value
      select 2, 'moon', '月光', conf, theme from distributor where id = 1 on conflict do nothing`.execute(t.ctx.db);
    await sql`insert into dist_host (host, dist_id) values ('moon.example', 2) on conflict do nothing`.execute(
      t.ctx.db,
    );
    await t.ctx.dir.reload();
    expect((await t.client({ host: 'moon.example' }).call(wechatPhoneInfo, { code })).code).not.toBe(0);
    await sql`update app_user set status = 3 where id = ${user.id}`.execute(t.ctx.db);
    await confirmBy(user.account, code);
    expect(await browser.ok(wechatLoginResult, { code })).toMatchObject({ login: null });
  });

  test('neither the key of a phone nor a ticket is stored in the clear', async () => {
    const browser = t.client();
    const code = await newLogin(browser);
    await confirmBy(newName(), code);
    const { bindTicket } = await browser.ok(wechatLoginResult, { code });
    const { rows } = await sql<{ found: string }>`
      select (select count(*) from third_party_ticket x where x::text like ${`%${bindTicket ?? ''}%`}) as found`.execute(
      t.ctx.db,
    );
    expect(Number(rows[0]?.found)).toBe(0);
    expect([...browser.jar.keys()]).toContain('tpb');
  });
});

describe('an unbound WeChat account', () => {
  async function ticketOf(browser: TestClient, account: string): Promise<string> {
    const code = await newLogin(browser);
    await confirmBy(account, code);
    const { bindTicket, token } = await browser.ok(wechatLoginResult, { code });
    expect(token).toBeNull();
    return bindTicket ?? '';
  }

  test('is bound to the next user who logs in with that browser, once', async () => {
    const account = newName();
    const user = await t.newUser();
    const ticket = await ticketOf(user.client, account);
    const thief = await t.newUser();
    await newLogin(thief.client);
    expect((await thief.client.call(bindThirdPartyTicket, { ticket })).code).toBe(codes.THIRD_PARTY_EXPIRED[0]);
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => user.client.call(bindThirdPartyTicket, { ticket })),
    );
    expect(tries.filter((r) => r.code === 0)).toHaveLength(1);
    const { list } = await user.client.ok(thirdPartyBindings, {});
    expect(list).toMatchObject([
      { provider: 'wechat', bound: true, open: true },
      { provider: 'qq', bound: false, open: false },
    ]);
  });

  test('is bound to one of two users who bind it at the same time', async () => {
    const account = newName();
    const users = await Promise.all([t.newUser(), t.newUser(), t.newUser()]);
    const tickets = await Promise.all(users.map((user) => ticketOf(user.client, account)));
    const tries = await Promise.all(
      users.map((user, i) => user.client.call(bindThirdPartyTicket, { ticket: tickets[i] ?? '' })),
    );
    const [claimed] = codes.THIRD_PARTY_TAKEN;
    expect(tries.map((r) => r.code).toSorted((a, b) => a - b)).toEqual([0, claimed, claimed]);
  });
});

describe('bindings', () => {
  test('need a step-up or a code of the owner, and are limited to one WeChat account', async () => {
    const user = await t.newUser();
    expect((await user.client.call(wechatLogin, { act: 'bind' })).code).toBe(codes.STEP_UP_REQUIRED[0]);
    expect((await t.client().call(wechatLogin, { act: 'bind' })).status).toBe(401);
    const smsCode = await ownCode(user, 'thirdParty');
    const { code } = await user.client.ok(wechatLogin, { act: 'bind', smsCode });
    await confirmBy(newName(), code);
    expect((await user.client.ok(wechatLoginResult, { code })).bound).toBe(true);
    expect((await user.client.call(wechatLogin, { act: 'bind' })).code).toBe(codes.THIRD_PARTY_BOUND[0]);
  });

  test('a binding belongs to the user who requested it, even if another user is logged in by then', async () => {
    const user = await t.newUser({ stepUp: true });
    const { code } = await user.client.ok(wechatLogin, { act: 'bind' });
    const account = newName();
    await confirmBy(account, code);
    const other = await t.newUser();
    for (const name of ['sid', 'csrfToken']) user.client.jar.set(name, other.client.jar.get(name) ?? '');
    user.client.token = other.client.token;
    expect((await user.client.call(wechatLoginResult, { code })).code).toBe(codes.THIRD_PARTY_EXPIRED[0]);
    for (const id of [user.id, other.id]) {
      const { rows } = await sql`select from third_party_binding where user_id = ${id}`.execute(t.ctx.db);
      expect(rows).toHaveLength(0);
    }
  });

  test('are removed with an SMS code only, after which the WeChat account is free', async () => {
    const user = await boundUser();
    await sql`delete from step_up`.execute(t.ctx.db);
    const wrong = await user.client.call(unBindThirdPartyAuthorization, { provider: 'wechat', smsCode: '000000' });
    expect(wrong.code).toBe(codes.SMS_CODE_WRONG[0]);
    const smsCode = await ownCode(user, 'thirdParty');
    await user.client.ok(unBindThirdPartyAuthorization, { provider: 'wechat', smsCode });
    expect((await user.client.call(unBindThirdPartyAuthorization, { provider: 'wechat', smsCode })).status).toBe(404);
    const next = await t.newUser({ stepUp: true });
    const { code } = await next.client.ok(wechatLogin, { act: 'bind' });
    await confirmBy(user.account, code);
    expect((await next.client.ok(wechatLoginResult, { code })).bound).toBe(true);
  });
});

describe('the redirect of a vendor', () => {
  test('logs in the browser that started the log-in, once; QQ is not available', async () => {
    const user = await boundUser();
    const browser = t.client();
    const state = await newLogin(browser);
    const { authCode } = await t.client().ok(wechatPlay, { account: user.account });
    const overrides = { provider: 'wechat', code: authCode, state } as const;
    const thief = t.client();
    await newLogin(thief);
    expect((await thief.call(thirdPartyAuthorizationUserFromLogin, overrides)).code).toBe(codes.THIRD_PARTY_EXPIRED[0]);
    const { login } = await browser.ok(thirdPartyAuthorizationUserFromLogin, overrides);
    expect(login?.userId).toBe(String(user.id));
    expect((await browser.call(thirdPartyAuthorizationUserFromLogin, overrides)).code).not.toBe(0);
    const qq = await browser.call(thirdPartyAuthorizationUserFromLogin, { ...overrides, provider: 'qq' });
    expect(qq.msg).toBe('暂未开放，敬请期待！');
  });
});

describe('the adapters', () => {
  let vendor: Server;
  let apiBase = '';
  const requestedUrls: URL[] = [];

  beforeAll(async () => {
    vendor = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://vendor');
      requestedUrls.push(url);
      const good = url.searchParams.get('code') === 'good';
      response.end(JSON.stringify(good ? { openid: 'o-1', unionid: 'u-1' } : { errcode: 40_029, errmsg: 'invalid' }));
    });
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    apiBase = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  });
  afterAll(() => vendor.close());

  test('the service account redirects the phone to WeChat and back', async () => {
    const adapter = officialAccountLogin({ appId: 'wx1', secret: 's', apiBase }, outside);
    const url = new URL(adapter.loginUrl({ origin: 'https://a.example', code: 'abc' }));
    expect(url.host).toBe('open.weixin.qq.com');
    expect(url.searchParams.get('redirect_uri')).toBe('https://a.example/wechat/abc');
    expect(await adapter.exchange('good')).toEqual({ openId: 'o-1', unionId: 'u-1' });
    expect(await adapter.exchange('bad')).toBeUndefined();
    expect(requestedUrls[0]?.searchParams.get('secret')).toBe('s');
  });

  test('the local adapter remembers users and expires codes', async () => {
    let now = 1_000_000;
    const adapter = localWechatLogin({ key: Buffer.from('k'), now: () => now });
    const one = await adapter.exchange(adapter.play('小明'));
    expect(await adapter.exchange(adapter.play('小明'))).toEqual(one);
    const tooLate = adapter.play('小明');
    now += 121_000;
    expect(await adapter.exchange(tooLate)).toBeUndefined();
  });
});

describe('closing an account', () => {
  test('is rejected while money or orders are open, then ends all sessions and erases personal data', async () => {
    const user = await boundUser();
    await t.fund(user.id, 100);
    const before = await user.client.ok(closeAccountCheck, {});
    expect(before.allowed).toBe(false);
    expect(before.conditions.find(({ met }) => !met)?.text).toBe('可用余额为零');
    const rejected = await user.client.call(closeAccount, { smsCode: await ownCode(user, 'close') });
    expect(rejected.code).toBe(codes.ACCOUNT_CLOSE_BLOCKED[0]);

    const poor = await boundUser();
    expect((await poor.client.ok(closeAccountCheck, {})).allowed).toBe(true);
    const smsCode = await ownCode(poor, 'close');
    const tries = await Promise.all(Array.from({ length: 5 }, () => poor.client.call(closeAccount, { smsCode })));
    expect(tries.filter((r) => r.code === 0)).toHaveLength(1);
    expect((await poor.client.call(userInfo, {})).status).toBe(401);

    await passTime(t.ctx.db, 'app_user', { id: poor.id }, { until: 'erase_at' });
    await makeDue(t.ctx.db, 'account.erase');
    await t.timers();
    const { rows } = await sql<{ nick_name: string; real: boolean }>`
      select nick_name, exists (select from real_name r where r.user_id = u.id) as real from app_user u where id = ${poor.id}`.execute(
      t.ctx.db,
    );
    expect(rows[0]).toEqual({ nick_name: '已注销用户', real: false });
    // P19: the number's keyed hash stays, so that the same person is known again.
    expect((await sql`select from former_person where user_id = ${poor.id}`.execute(t.ctx.db)).rows).toHaveLength(1);
    expect((await t.newUser({ phone: poor.phone })).id).not.toBe(poor.id);
  });
});
