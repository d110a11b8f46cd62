/** The official account against a fake that checks what WeChat checks: shared token, messages and their refusals, who follows and leaves. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import {
  bindWeChatOfficialAccountPush,
  bindWeChatOfficialAccountPushStatus,
  wechatPageConfig,
} from '#subjects/notices/contract/wechat-push.ts';
import { codes } from '#contract/codes.ts';
import { decryptPush, isPushQuery, pushFields, pushSignature } from '#server/adapters/official-account/push.ts';
import { wechatOfficialAccount } from '#server/adapters/official-account/wechat.ts';
import type { WechatAccountConfig } from '#server/config/config-wechat.ts';
import { tokenStore } from '#server/db/vendor-token.ts';
import type { OfficialAccount } from '#server/ports/official-account.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { FakeWeixin } from '#tests/support/fakes/weixin.ts';

let t: TestApp;
let weixin: FakeWeixin;
let config: WechatAccountConfig;
/** Set once the database is there; the server of these tests sends by it. */
let account: OfficialAccount;
const late: OfficialAccount = {
  name: 'wechat',
  title: '游市提醒',
  played: false,
  followUrl: () => account.followUrl(''),
  sceneUrl: (request) => account.sceneUrl(request),
  send: (message) => account.send(message),
  pageTicket: () => account.pageTicket?.() ?? Promise.reject(new Error('no ticket')),
  receive: (request) => account.receive?.(request),
  confirms: (query) => account.confirms?.(query) ?? false,
};

beforeAll(async () => {
  weixin = new FakeWeixin();
  config = {
    kind: 'wechat',
    apiBase: await weixin.listen(),
    appId: weixin.appId,
    secret: weixin.secret,
    title: '游市提醒',
    followUrl: 'http://weixin.qq.com/r/abc',
    token: weixin.pushToken,
    aesKey: undefined,
    messages: 'template',
    templateId: weixin.templateId,
    fields: new Map([
      ['title', 'thing1'],
      ['body', 'thing2'],
      ['time', 'time3'],
    ]),
  };
  t = await testApp({ overrides: { officialAccount: late } });
  account = made();
});
beforeEach(() => {
  weixin.mend();
  account = made();
});
afterAll(async () => {
  await t.close();
  await weixin.close();
});

const made = (more: Partial<WechatAccountConfig> = {}): OfficialAccount =>
  wechatOfficialAccount(
    { ...config, ...more },
    {
      token: tokenStore(t.ctx.db, t.ctx.keys, 'official-account'),
      ticket: tokenStore(t.ctx.db, t.ctx.keys, 'official-account-page'),
    },
  );

let refs = 0;
const message = (openId: string, more: { ref?: string; body?: string } = {}) => ({
  openId,
  title: '订单已付款',
  body: more.body ?? '买家已付款，请尽快发货',
  url: 'https://market.example/center',
  ref: more.ref ?? `ref:${++refs}`,
});
const tokensAsked = () => weixin.count(/stable_token/);

async function push(fields: Record<string, string>, how: Parameters<FakeWeixin['push']>[1] = {}): Promise<string> {
  const { query, body } = weixin.push(fields, how);
  const headers = { host: 'localhost', 'content-type': 'text/xml' };
  const r = await t.app.http.inject({ method: 'POST', url: `/api/wechat/push?${query}`, headers, payload: body });
  return `${r.statusCode} ${r.body}`;
}

describe('the access token', () => {
  test('twenty concurrent processes request one from WeChat, and it is not stored in plain text', async () => {
    weixin.followers.add('o-many');
    const before = tokensAsked();
    const ends = await Promise.all(Array.from({ length: 20 }, () => made().send(message('o-many'))));
    expect(new Set(ends)).toEqual(new Set(['sent']));
    expect(tokensAsked() - before).toBe(1);
    const { rows } = await sql<{
      value: Buffer;
    }>`select value_enc as value from vendor_token where name = 'official-account'`.execute(t.ctx.db);
    const [token = ''] = [...weixin.tokens.keys()];
    expect([token.length > 20, rows[0]?.value.includes(token)]).toEqual([true, false]);
  });

  test.each(['voided', 'expired'])(
    'one that WeChat has %s is renewed once for all rejected calls, and the message is sent',
    async (how) => {
      weixin.followers.add('o-many');
      await account.send(message('o-many'));
      if (how === 'voided') weixin.tokens.clear();
      else for (const token of weixin.tokens.keys()) weixin.tokens.set(token, 0);
      const before = tokensAsked();
      const ends = await Promise.all(Array.from({ length: 10 }, () => made().send(message('o-many'))));
      expect(new Set(ends)).toEqual(new Set(['sent']));
      expect(tokensAsked() - before).toBe(1);
    },
  );

  test('a failed request delays the message, and the next one requests again', async () => {
    weixin.followers.add('o-many');
    await sql`delete from vendor_token`.execute(t.ctx.db).catch(() => undefined);
    await sql`update vendor_token set value_enc = null, expires_at = null`.execute(t.ctx.db);
    weixin.fail(/stable_token/, 'malformed');
    await expect(account.send(message('o-many'))).rejects.toThrow();
    expect(await account.send(message('o-many'))).toBe('sent');
  });
});

describe('messages', () => {
  test('the same reference is delivered once, also after a lost response; long texts are shortened to the field', async () => {
    weixin.followers.add('o1');
    const twice = message('o1', { body: '一'.repeat(60) });
    weixin.fail(/template\/send/, 'lost');
    await expect(account.send(twice)).rejects.toThrow();
    expect(await account.send(twice)).toBe('sent');
    expect(weixin.sent.filter(({ openid }) => openid === 'o1')).toMatchObject([{ body: `${'一'.repeat(19)}…` }]);
  });

  test('an unsubscribed user is gone, one without permission is rejected, a wrong template is retried', async () => {
    expect(await account.send(message('o-nobody'))).toBe('gone');
    const subscribing = made({ messages: 'subscribe', templateId: weixin.subscribeId });
    weixin.followers.add('o2');
    expect(await subscribing.send(message('o2'))).toBe('refused');
    weixin.allowed.add('o2');
    expect(await subscribing.send(message('o2'))).toBe('sent');
    await expect(made({ templateId: 'other' }).send(message('o2'))).rejects.toThrow('40037');
  });

  test.each(['hang', 'refuse', 'error500', 'malformed'] as const)(
    'WeChat ends as %s: thrown, so that it is tried again',
    async (fault) => {
      weixin.followers.add('o3');
      weixin.fail(/template\/send/, fault);
      await expect(account.send(message('o3'))).rejects.toThrow();
    },
    15_000,
  );
});

describe('follow and unfollow events', () => {
  const bound = async (client: TestApp['client'] extends () => infer C ? C : never) =>
    (await client.ok(bindWeChatOfficialAccountPushStatus, {})).status;

  test.each([
    ['a new follower, plain', 'subscribe', 'qrscene_', false],
    ['an old follower, plain', 'SCAN', '', false],
    ['a new follower, encrypted', 'subscribe', 'qrscene_', true],
  ])('%s: bound by the code, once, and unbound when the user unfollows', async (_what, event, prefix, encrypts) => {
    if (encrypts) account = made({ aesKey: weixin.aesKey });
    const [user, other] = [await t.newUser(), await t.newUser()];
    const { url } = await user.client.ok(bindWeChatOfficialAccountPush, {});
    const scene = (url ?? '').split('/').at(-1) ?? '';
    const openid = `o-${user.id}`;
    const followed = { Event: event, EventKey: `${prefix}${scene}`, FromUserName: openid };
    expect(await Promise.all([push(followed, { encrypts }), push(followed, { encrypts })])).toEqual([
      '200 success',
      '200 success',
    ]);
    expect([await bound(user.client), await bound(other.client)]).toEqual([1, 0]);
    expect(await push({ Event: 'unsubscribe', FromUserName: openid }, { encrypts })).toBe('200 success');
    expect(await bound(user.client)).toBe(0);
  });

  test('forged, old, and unencrypted pushes in encrypted mode bind no one', async () => {
    const user = await t.newUser();
    const { url } = await user.client.ok(bindWeChatOfficialAccountPush, {});
    const event = { Event: 'SCAN', EventKey: (url ?? '').split('/').at(-1) ?? '', FromUserName: 'o-thief' };
    expect(await push(event, { token: 'other' })).toBe('401 ');
    expect(await push(event, { at: Math.floor(Date.now() / 1000) - 3600 })).toBe('401 ');
    account = made({ aesKey: weixin.aesKey });
    expect(await push(event)).toBe('401 ');
    account = made({ aesKey: weixin.aesKey.toLowerCase() });
    expect(await push(event, { encrypts: true })).toBe('401 ');
    expect(await bound(user.client)).toBe(0);
  });

  test('the URL is confirmed to WeChat only', async () => {
    const confirm = async (query: string) => {
      const url = `/api/wechat/push?${query}&echostr=42`;
      const r = await t.app.http.inject({ method: 'GET', url, headers: { host: 'localhost' } });
      return `${r.statusCode} ${r.body}`;
    };
    expect(await confirm(weixin.push({}).query)).toBe('200 42');
    expect(await confirm(weixin.push({}, { token: 'other' }).query)).toBe('401 ');
  });
});

test('the vendor’s own examples of a signature and an encrypted push are accepted', () => {
  expect(pushSignature(['AAAAA', '1714037059', '486452656'])).toBe('899cf89e464efb63f54ddac96b0a0a235f53aa78');
  const encrypted =
    'Q3stYC6hdFzMh9T8HCvyDKGoNOUtbcfdBdKxtsfR5FK6uBTp51XWfGJG9joFAybpKeMmYcbInN4ki+1uW/9pWc3kY54NI3jiDCgY/mTMybm3Idv+pNlzkBeH8NNcVROPEsBW+eV0gcAyXQakinFsZjDbkZGccdqwvPTJPo9x/Y50TFCuPmtd3/K+I4CUbPkC0e5izzmYVVA3gdwLzr3qxUCn4mjZYy8PlERxOeDCEtwmFfrPPZhdNraA+YaDi+iH3ZyQ7DckrlrrEAuqabYtaGiupry4xvNktBUM4cDIhXPI2kBhgClogblVBc4cls9LMcGWXIevyMKsp1Ws6WamAg==';
  expect(pushSignature(['AAAAA', '1714037059', '486452656', encrypted])).toBe(
    'a0787e8340fbcf54d4a8e13d47afadf72d0c9b70',
  );
  const keys = { appId: 'wx0000000000000001', aesKey: 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG' };
  const text = decryptPush(encrypted, keys) ?? '';
  expect(pushFields(text)).toMatchObject({ Event: 'SCAN', EventKey: 'login_0123456789abcdef' });
  expect(decryptPush(encrypted, { ...keys, appId: 'wx2' })).toBeUndefined();
  const query = { signature: '899cf89e464efb63f54ddac96b0a0a235f53aa78', timestamp: '1714037059', nonce: '486452656' };
  const push = { appId: 'wx1', token: 'AAAAA', aesKey: undefined };
  expect(isPushQuery(push, query, new Date(1_714_037_059_000))).toBe(true);
  expect(isPushQuery(push, query, new Date(1_714_038_059_000))).toBe(false);
});

describe('a page that is shared in WeChat', () => {
  const visitor = () => t.client();
  const url = 'http://localhost/detail/YS1?from=card';

  test('is signed with the ticket, which all processes request once', async () => {
    const before = weixin.count(/getticket/);
    const signed = await Promise.all(
      Array.from({ length: 10 }, () => visitor().ok(wechatPageConfig, { url: `${url}#top` })),
    );
    expect(weixin.count(/getticket/) - before).toBe(1);
    const { appId, nonceStr, timestamp, signature } = signed[0] ?? expect.fail('no signature');
    const text = `jsapi_ticket=${weixin.ticket}&noncestr=${nonceStr}&timestamp=${timestamp}&url=${url}`;
    expect({ appId, signature }).toEqual({
      appId: weixin.appId,
      signature: createHash('sha1').update(text).digest('hex'),
    });
    expect(new Set(signed.map((one) => one?.nonceStr)).size).toBe(10);
    const { rows } = await sql<{ value: Buffer }>`
      select value_enc as value from vendor_token where name = 'official-account-page'`.execute(t.ctx.db);
    expect(rows[0]?.value.includes(weixin.ticket)).toBe(false);
  });

  test.each(['http://other.example/detail/YS1', 'javascript:alert(1)', 'detail'])(
    'is not signed for %s',
    async (strange) => {
      expect((await visitor().call(wechatPageConfig, { url: strange })).code).toBe(codes.BAD_INPUT[0]);
    },
  );
});
