/** How notices reach a user: settings, the official account, browsers. */
import {
  bindWeChatOfficialAccountPush,
  followAccount,
  bindWeChatOfficialAccountPushStatus,
  PublicWechatQRCode,
} from '#subjects/notices/contract/wechat-push.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noticeList, noticeSettings, saveNoticeSettings } from '#subjects/notices/contract/inbox.ts';
import { pushKey, pushSubscribe } from '#subjects/notices/contract/notice.ts';
import { login } from '#subjects/accounts/contract/user.ts';
import type { Push } from '#server/ports/push.ts';
import { blindIndex, encrypt } from '#server/kernel/secrets/crypto.ts';
import { deliverTo } from '#subjects/notices/server/outlets.ts';
import { sendDue } from '#subjects/notices/server/send.ts';
import { notify } from '#subjects/notices/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';

let t: TestApp;
const pushed: { endpoint: string; title: string; tag: string }[] = [];

const push: Push = {
  name: 'test',
  publicKey: 'BKey',
  accepts: (endpoint) => endpoint.startsWith('https://fcm.googleapis.com/'),
  send({ endpoint }, { title, tag }) {
    pushed.push({ endpoint, title, tag });
    return Promise.resolve('sent');
  },
};

beforeAll(async () => {
  t = await testApp({ overrides: { push } });
});
afterAll(async () => await t.close());

describe('settings', () => {
  test('keep the fixed channels of notices about money, and reject invalid values', async () => {
    const { client } = await t.newUser();
    await client.ok(saveNoticeSettings, {
      kinds: [
        { kind: 'money.withdraw', channels: [], frequency: 'now' },
        { kind: 'order.paid', channels: ['email'], frequency: 'daily' },
      ],
    });
    const { kinds, quiet, reach } = await client.ok(noticeSettings, {});
    const of = (kind: string) => kinds.find((k) => k.kind === kind);
    expect(of('money.withdraw')).toMatchObject({ channels: ['site', 'wechat', 'sms'], optional: false });
    expect(of('order.paid')).toMatchObject({ channels: ['site', 'email'], frequency: 'daily', fixed: ['site'] });
    expect(quiet).toBeNull();
    expect(reach).toEqual(['sms']);
    for (const wrong of [
      { kinds: [{ kind: 'no.such', channels: [] }] },
      { kinds: [{ kind: 'order.paid', channels: ['pigeon'] }] },
      { quietFrom: '60' },
      { quietFrom: '60', quietTo: '60' },
      { quietFrom: '1440', quietTo: '60' },
    ])
      expect((await client.call(saveNoticeSettings, wrong as never)).status, JSON.stringify(wrong)).toBe(422);
  });

  test('every kind has a text in Chinese with a link', async () => {
    const { rows } = await sql<{
      code: string;
    }>`select k.code from notice_kind k where not exists (select from notice_template t
      where t.kind = k.code and t.channel = 'site' and t.link is not null and t.body <> '')`.execute(t.ctx.db);
    expect(rows).toEqual([]);
  });
});

describe('the official account', () => {
  test('is bound by a QR code that is valid once, even when several followers scan it at the same time', async () => {
    const [user, other] = await Promise.all([t.newUser(), t.newUser()]);
    const first = await user.client.ok(bindWeChatOfficialAccountPush, {});
    expect(first.qrSvg).toContain('<svg');
    const second = await user.client.ok(bindWeChatOfficialAccountPush, {});
    const sceneOf = (url: string | null) => url?.split('/').at(-1) ?? '';
    // A newer QR code replaces the older one.
    expect(await t.client().ok(followAccount, { scene: sceneOf(first.url) })).toEqual({ bound: false });
    const scene = sceneOf(second.url);
    const all = await Promise.all(Array.from({ length: 8 }, () => t.client().ok(followAccount, { scene })));
    expect(all.filter((r) => r.bound)).toHaveLength(1);
    expect(await user.client.ok(bindWeChatOfficialAccountPushStatus, {})).toMatchObject({ status: 1 });
    expect(await other.client.ok(bindWeChatOfficialAccountPushStatus, {})).toEqual({
      status: 0,
      bindTime: null,
      isOpen: true,
    });
    expect(await user.client.ok(bindWeChatOfficialAccountPush, { act: 'unbind' })).toMatchObject({ bound: false });
    const tooLate = await other.client.ok(bindWeChatOfficialAccountPush, {});
    await passTime(t.ctx.db, 'wechat_push_ticket', { user_id: other.id }, { until: 'expires_at' });
    expect(await t.client().ok(followAccount, { scene: sceneOf(tooLate.url) })).toEqual({ bound: false });
    expect((await t.client().ok(PublicWechatQRCode, {})).qrSvg).toContain('<svg');
  });
});

describe('browsers', () => {
  const keys = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) };
  test('receive push messages once subscribed, and belong to the user who subscribed last', async () => {
    const [user, other] = await Promise.all([t.newUser(), t.newUser()]);
    const endpoint = `https://fcm.googleapis.com/fcm/send/${user.id}`;
    expect((await user.client.ok(pushKey, {})).bound).toBe(0);
    await user.client.ok(pushSubscribe, { endpoint, ...keys });
    await user.client.ok(saveNoticeSettings, { kinds: [{ kind: 'order.done', channels: ['push'] }] });
    await notify(t.ctx, { kind: 'order.done', userIds: [user.id], ref: 'test', values: {} });
    await sendDue(t.ctx);
    expect(pushed).toMatchObject([{ endpoint, title: '交易完成' }]);
    await other.client.ok(pushSubscribe, { endpoint, ...keys });
    expect((await user.client.ok(pushKey, {})).bound).toBe(0);
    expect((await other.client.ok(pushKey, {})).bound).toBe(1);
    const foreign = { endpoint: 'https://127.0.0.1:8080/steal', ...keys };
    expect((await user.client.call(pushSubscribe, foreign)).status).toBe(422);
  });
});

describe('a log-in', () => {
  test('on a new device notifies the account owner; the first log-in and known devices do not', async () => {
    const user = await t.newUser({ password: 'Correct-horse-9' });
    const logIn = async (agent: string) => {
      const response = await t
        .client()
        .call(login, { username: user.phone, password: 'Correct-horse-9' }, { headers: { 'user-agent': agent } });
      expect(response.code).toBe(0);
      await t.relay();
      return (await user.client.ok(noticeList, { group: 'security' })).list.map((n) => n.body);
    };
    const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1';
    expect(await logIn('Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36')).toEqual([]);
    expect(await logIn('Mozilla/5.0 (Windows NT 10.0) Chrome/141.0 Safari/537.36')).toEqual([]);
    const [body] = await logIn(phone);
    expect(body).toMatch(/^您的账号于 \d\d-\d\d \d\d:\d\d 在 iPhone 的 Safari 登录。不是本人操作请立即修改密码。$/);
    expect(await logIn(phone)).toHaveLength(1);
  });
});

describe('the address that ends mails', () => {
  async function bindMail(user: TestUser): Promise<void> {
    const email = `mail${user.id}@example.com`;
    await sql`update app_user set email_enc = ${encrypt(t.ctx.keys, `app_user.email_enc:${user.id}`, email)},
      email_hash = ${blindIndex(t.ctx.keys, 'email', email)} where id = ${user.id}`.execute(t.ctx.db);
  }
  /** A notice as mail to a user with a bound address, and the path of the address that ends such mails. */
  async function mailed(kind: string): Promise<{ user: TestUser; path: string | undefined }> {
    const user = await t.newUser();
    await bindMail(user);
    await user.client.ok(saveNoticeSettings, { kinds: [{ kind, channels: ['email'], frequency: 'now' }] });
    const outcome = await deliverTo(t.ctx, {
      channel: 'email',
      userId: user.id,
      kind,
      title: '标题',
      body: '正文',
      link: null,
      distId: 1,
      ref: `test${user.id}`,
    });
    expect(outcome).toBe('sent');
    const address = t.mails.at(-1)?.unsubscribe;
    return { user, path: address === undefined ? undefined : new URL(address).pathname };
  }
  const channels = async (user: TestUser, kind: string) =>
    (await user.client.ok(noticeSettings, {})).kinds.find((one) => one.kind === kind)?.channels;

  test('works by one post without a log-in, and opening it changes nothing', async () => {
    const { user, path = '' } = await mailed('order.paid');
    expect(await channels(user, 'order.paid')).toContain('email');
    const opened = await t.client().raw({ method: 'GET', url: path });
    expect([opened.statusCode, opened.headers.location]).toEqual([302, '/center/notices?tab=settings']);
    expect(await channels(user, 'order.paid')).toContain('email');
    const posted = await t.client().raw({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(posted.statusCode).toBe(200);
    expect(await channels(user, 'order.paid')).not.toContain('email');
  });

  test('is valid only for its user and kind', async () => {
    const { user, path = '' } = await mailed('order.paid');
    const other = await t.newUser();
    for (const forged of [
      path.replace(`/${user.id}~`, `/${other.id}~`),
      path.replace('order.paid', 'order.shipped'),
      path.slice(0, -1),
    ])
      expect((await t.client().raw({ method: 'POST', url: forged })).statusCode, forged).toBe(404);
    expect(await channels(user, 'order.paid')).toContain('email');
  });
});
