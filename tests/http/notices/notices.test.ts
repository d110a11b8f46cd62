import {
  bindWeChatOfficialAccountPush,
  followAccount,
  bindWeChatOfficialAccountPushStatus,
} from '#subjects/notices/contract/wechat-push.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noticeList, noticeRead, saveNoticeSettings } from '#subjects/notices/contract/inbox.ts';
import { noticeUnread } from '#subjects/notices/contract/notice.ts';
import * as o from '#subjects/orders/contract/order.ts';
import type { OfficialAccount } from '#server/ports/official-account.ts';
import { blindIndex, encrypt } from '#server/kernel/secrets/crypto.ts';
import { SENDERS } from '#subjects/notices/server/rules.ts';
import { runSender, sendDue } from '#subjects/notices/server/send.ts';
import { notify } from '#subjects/notices/server/service.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { trade } from '#tests/support/market/chat.ts';
import { addGame } from '#tests/support/goods/goods.ts';

let t: TestApp;
/** Messages sent by the simulated official account; `fail` is how many of the next calls fail. */
const wechat = { sent: [] as { openId: string; ref: string; title: string }[], fail: 0, gone: false };

const officialAccount: OfficialAccount = {
  name: 'test',
  title: '测试号',
  played: true,
  followUrl: (origin) => `${origin}/wechat/follow`,
  sceneUrl: ({ scene, origin }) => Promise.resolve(`${origin}/wechat/follow/${scene}`),
  async send({ openId, ref, title }) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (wechat.gone) return 'gone';
    if (wechat.fail > 0) {
      wechat.fail -= 1;
      throw new Error('the vendor is down');
    }
    wechat.sent.push({ openId, ref, title });
    return 'sent';
  },
};
beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' }, overrides: { officialAccount } });
  await addGame(t.ctx);
  await t.newStaff({ role: 'service' });
});
afterAll(async () => await t.close());

/** A time of a day in China's time zone. */
const china = (text: string, day = 22) => new Date(`2026-11-${day}T${text}:00+08:00`);

async function follow(user: TestUser): Promise<void> {
  const { url } = await user.client.ok(bindWeChatOfficialAccountPush, {});
  await t.client().ok(followAccount, { scene: url?.split('/').at(-1) ?? '' });
}

async function bindMail(user: TestUser, email: string): Promise<void> {
  await sql`update app_user set email_enc = ${encrypt(t.ctx.keys, `app_user.email_enc:${user.id}`, email)},
    email_hash = ${blindIndex(t.ctx.keys, 'email', email)} where id = ${user.id}`.execute(t.ctx.db);
}

async function deliveries(user: TestUser): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select channel || ' ' || status as what from notice_delivery where user_id = ${user.id} order by id`.execute(
    t.ctx.db,
  );
  return rows.map((r) => r.what);
}

const sentTo = (user: TestUser) => t.sms.filter((m) => m.phone === user.phone && m.text !== undefined);
const listOf = async (user: TestUser) => (await user.client.ok(noticeList, {})).list;

let sent = 0;
async function sendNotice(user: TestUser, kind: string, now: Date, values: Record<string, string> = {}): Promise<void> {
  sent += 1;
  await notify(t.ctx, { kind, userIds: [user.id], ref: `test:${sent}`, values: { goods: '号', ...values } }, now);
}

describe('an order', () => {
  test('notifies each party once of what concerns it, with a link', async () => {
    const { buyer, seller, orderId, orderSn } = await trade(t);
    await t.relay();
    const [first] = await listOf(seller);
    expect(first).toMatchObject({
      kind: 'order.paid',
      group: 'order',
      title: '有新订单待发货',
      link: `/center/buyOrderDetail?orderSn=${orderSn}`,
      read: false,
    });
    expect(first?.body).toMatch(/已由买家付款 \d+\.\d{2} 元.+请在 \d\d-\d\d \d\d:\d\d 前发货。$/);
    expect(await listOf(buyer)).toEqual([]);
    await seller.client.ok(o.offlineTranSub, { orderId });
    await buyer.client.ok(o.confirmRecGoods, { orderId });
    await t.relay();
    // Events are delivered at least once: a repeated event sends no second notice.
    for (const topic of ['order.paid', 'order.shipped', 'order.completed'])
      await sql`insert into outbox (topic, payload) values (${topic}, ${JSON.stringify({ orderId })}::jsonb)`.execute(
        t.ctx.db,
      );
    await t.relay();
    expect((await listOf(buyer)).map((n) => n.kind)).toEqual(['order.shipped']);
    expect((await listOf(seller)).map((n) => n.kind)).toEqual(['order.done', 'order.paid']);
    expect((await listOf(seller))[0]?.body).toMatch(/货款 \d+\.\d{2} 元，保护期到 .+，之后可以提现。$/);
    await passTime(t.ctx.db, 'hold', { user_id: seller.id }, { until: 'release_at' });
    await makeDue(t.ctx.db, 'hold.release');
    await t.timers();
    await t.relay();
    expect((await listOf(seller))[0]).toMatchObject({ kind: 'money.released', link: '/center/mywallets' });
  });

  test('notifies the other party of its cancellation, and the buyer of the refund', async () => {
    const { buyer, seller, orderId } = await trade(t);
    await seller.client.ok(o.cancelOrder, { orderId });
    await t.relay();
    expect((await listOf(buyer)).map((n) => n.kind)).toEqual(['money.refund', 'order.cancelled']);
    expect((await listOf(seller)).map((n) => n.kind)).toEqual(['order.paid']);
  });

  test('sends a reminder before a deadline, and none after the step is done', async () => {
    const { seller, buyer, orderId } = await trade(t);
    await t.relay();
    const due = () =>
      sql`update timer set due_at = now() where kind = 'notice.late' and ref like ${`%:${orderId}`}`.execute(t.ctx.db);
    await due();
    await t.timers();
    expect((await listOf(seller))[0]).toMatchObject({ kind: 'order.late', title: '发货即将超时' });
    await seller.client.ok(o.offlineTranSub, { orderId });
    await t.relay();
    await buyer.client.ok(o.confirmRecGoods, { orderId });
    await t.relay();
    await due();
    await t.timers();
    expect((await listOf(buyer)).map((n) => n.kind)).toEqual(['order.shipped']);
  });
});

describe('any subject', () => {
  test('sends a notice by one outbox row; an unknown kind is an error and sends none', async () => {
    const user = await t.newUser();
    const write = (payload: object) =>
      sql`insert into outbox (topic, payload) values ('notice', ${JSON.stringify(payload)}::jsonb)`.execute(t.ctx.db);
    await write({
      kind: 'order.claim',
      userId: user.id,
      ref: 'claim:1:paid',
      values: { text: '理赔 100.00 元已到账。' },
      link: '/center/buyGuarantee?id=1',
    });
    await write({ kind: 'no.such', userId: user.id, ref: '1' });
    await t.relay();
    expect(await listOf(user)).toMatchObject([
      { title: '理赔有新进展', body: '理赔 100.00 元已到账。', link: '/center/buyGuarantee?id=1' },
    ]);
    await sql`delete from timer where kind = 'event'`.execute(t.ctx.db);
  });

  test('sends a notice about a listing with its title and a link to it', async () => {
    const user = await t.newUser();
    const e = {
      userIds: [user.id],
      goodsSn: 'ZH1234567',
      title: '满级号',
      text: '从 500 元降到 400 元。',
      ref: 'ZH1234567:40000',
    };
    for (let n = 0; n < 2; n++)
      await sql`insert into outbox (topic, payload) values ('alert.price_drop', ${JSON.stringify(e)}::jsonb)`.execute(
        t.ctx.db,
      );
    await t.relay();
    expect(await listOf(user)).toMatchObject([
      { kind: 'goods.price', body: '「满级号」从 500 元降到 400 元。', link: '/detail/ZH1234567' },
    ]);
  });
});

describe('a delivery', () => {
  test('is sent once, even when several senders run at the same time', async () => {
    const user = await t.newUser();
    await follow(user);
    for (let n = 0; n < 12; n++) await sendNotice(user, 'order.paid', china('12:00'), { amount: '1.00' });
    await Promise.all(Array.from({ length: 6 }, () => sendDue(t.ctx, china('12:00'))));
    expect(sentTo(user)).toHaveLength(12);
    expect(new Set(wechat.sent.map((m) => m.ref)).size).toBe(wechat.sent.length);
    expect(wechat.sent).toHaveLength(12);
    expect((await deliveries(user)).filter((d) => !d.endsWith(' sent'))).toEqual([]);
  });

  test('is retried under the same number until the vendor accepts it', async () => {
    const user = await t.newUser();
    await follow(user);
    wechat.fail = 2;
    wechat.sent.length = 0;
    await sendNotice(user, 'order.done', china('12:00'), { text: '已成交。' });
    await sendDue(t.ctx, china('12:00'));
    await sendDue(t.ctx, china('12:00'));
    expect(wechat.sent).toHaveLength(0);
    await sendDue(t.ctx, china('12:01'));
    await sendDue(t.ctx, china('12:03'));
    await sendDue(t.ctx, china('13:00'));
    expect(wechat.sent.filter((m) => m.title === '交易完成')).toHaveLength(1);
    expect(await deliveries(user)).toEqual(['wechat sent']);
  });

  test('is given up after repeated failures', async () => {
    const user = await t.newUser();
    await follow(user);
    wechat.fail = 1000;
    await sendNotice(user, 'order.done', china('12:00'));
    for (let hour = 12; hour < 22; hour++) await sendDue(t.ctx, china(`${hour}:30`));
    wechat.fail = 0;
    expect(await deliveries(user)).toEqual(['wechat failed']);
  });

  test('is sent again after a crash where the vendor recognises its number, and never again by SMS', async () => {
    const user = await t.newUser();
    await follow(user);
    wechat.sent.length = 0;
    await sendNotice(user, 'order.paid', china('12:00'));
    await sql`update notice_delivery set status = 'sending', claimed_at = ${china('12:00')}, attempts = 1 where user_id = ${user.id}`.execute(
      t.ctx.db,
    );
    await sendDue(t.ctx, china('12:01'));
    expect((await deliveries(user)).toSorted()).toEqual(['sms sending', 'wechat sending']);
    await sendDue(t.ctx, china('12:03'));
    expect((await deliveries(user)).toSorted()).toEqual(['sms unknown', 'wechat sent']);
    expect(wechat.sent).toHaveLength(1);
    expect(sentTo(user)).toHaveLength(0);
  });

  test('is dropped when the notice was read in the meantime', async () => {
    const user = await t.newUser();
    await sendNotice(user, 'order.paid', china('12:00'));
    await user.client.ok(noticeRead, {});
    await sendDue(t.ctx, china('12:00'));
    expect(await deliveries(user)).toEqual(['sms dropped']);
  });

  test('by SMS has a daily limit', async () => {
    const user = await t.newUser();
    for (let n = 0; n < 5; n++) await sendNotice(user, 'chat.offline', china('12:00'), { orderSn: '1' });
    await sendDue(t.ctx, china('12:00'));
    expect(sentTo(user)).toHaveLength(3);
  });

  test('to a WeChat account that no longer follows removes the binding', async () => {
    const user = await t.newUser();
    await follow(user);
    await sendNotice(user, 'order.done', china('12:00'));
    wechat.gone = true;
    await sendDue(t.ctx, china('12:00'));
    wechat.gone = false;
    expect(await deliveries(user)).toEqual(['wechat dropped']);
    expect((await user.client.ok(bindWeChatOfficialAccountPushStatus, {})).status).toBe(0);
  });

  test('each part of the users has a separate sender, and a job of an earlier release sends everything', async () => {
    const users = await Promise.all([t.newUser(), t.newUser(), t.newUser()]);
    for (const user of users) await sendNotice(user, 'order.paid', new Date());
    const { rows } = await sql<{ ref: string }>`select ref from timer where kind = 'notice.send' order by ref`.execute(
      t.ctx.db,
    );
    const senders = [...new Set(users.map(({ id }) => String(id % SENDERS)))].toSorted();
    expect(rows.map(({ ref }) => ref)).toEqual(expect.arrayContaining(senders));
    const [one] = users;
    await sendDue(t.ctx, new Date(Date.now() + 1000), (one?.id ?? 0) % SENDERS);
    const [first, ...others] = users.map((user) => sentTo(user).length);
    expect(first).toBe(1);
    expect(others).toEqual(users.slice(1).map(({ id }) => (id % SENDERS === (one?.id ?? 0) % SENDERS ? 1 : 0)));
    await runSender(t.ctx, '');
    expect(users.map((user) => sentTo(user).length)).toEqual([1, 1, 1]);
  });

  test('is also sent by the timer', async () => {
    const user = await t.newUser();
    await sendNotice(user, 'order.paid', new Date());
    await t.timers();
    expect(sentTo(user)).toHaveLength(1);
    expect(sentTo(user)[0]?.text).toMatch(/^【.+】有新订单待发货：/);
  });
});

describe('quiet hours', () => {
  test('delay ordinary notices until they end; urgent ones are sent immediately', async () => {
    const user = await t.newUser();
    await follow(user);
    await user.client.ok(saveNoticeSettings, { quietFrom: '1320', quietTo: '480' });
    wechat.sent.length = 0;
    await sendNotice(user, 'order.done', china('23:00'));
    await sendNotice(user, 'order.handover', china('23:00'), { orderSn: '1' });
    expect(await sendDue(t.ctx, china('23:00'))).toEqual(china('08:00', 23));
    expect(wechat.sent.map((m) => m.title)).toEqual(['轮到您完成交付步骤']);
    await sendDue(t.ctx, china('07:59', 23));
    expect(wechat.sent).toHaveLength(1);
    await sendDue(t.ctx, china('08:00', 23));
    expect(wechat.sent.map((m) => m.title)).toEqual(['轮到您完成交付步骤', '交易完成']);
  });

  test('also delay a notice that was queued before they began', async () => {
    const user = await t.newUser();
    await follow(user);
    await sendNotice(user, 'order.done', china('21:50'));
    await user.client.ok(saveNoticeSettings, { quietFrom: '1320', quietTo: '480' });
    wechat.sent.length = 0;
    await sendDue(t.ctx, china('22:10'));
    expect(wechat.sent).toHaveLength(0);
    await sendDue(t.ctx, china('08:00', 23));
    expect(wechat.sent).toHaveLength(1);
  });
});

describe('a daily digest', () => {
  test('combines the notices of a day into one message per channel', async () => {
    const user = await t.newUser();
    await bindMail(user, 'digest@example.com');
    await user.client.ok(saveNoticeSettings, {
      kinds: [{ kind: 'goods.alert', channels: ['email'], frequency: 'daily' }],
      keepQuiet: '1',
    });
    for (const at of ['10:00', '15:00', '20:00'])
      await sendNotice(user, 'goods.alert', china(at), { goodsSn: 'A1', text: '新上架。' });
    await sendDue(t.ctx, china('20:00'));
    expect(t.mails.filter((m) => m.to === 'digest@example.com')).toEqual([]);
    await Promise.all([1, 2, 3].map(() => sendDue(t.ctx, china('09:00', 23))));
    expect(t.mails.filter((m) => m.to === 'digest@example.com').map((m) => m.subject)).toEqual([
      expect.stringContaining('您有 3 条新消息'),
    ]);
    expect(await deliveries(user)).toEqual(['email sent', 'email sent', 'email sent']);
  });
});

describe('the list', () => {
  test('has pages, filters and counts by group, and only its owner can read it', async () => {
    const [user, other] = await Promise.all([t.newUser(), t.newUser()]);
    for (let n = 0; n < 5; n++)
      await sendNotice(user, n % 2 ? 'money.topup' : 'order.done', china('12:00'), { amount: '1.00' });
    const first = await user.client.ok(noticeList, { pageSize: '2' });
    expect(first).toMatchObject({ total: 5, totalCapped: false, unread: { order: 3, money: 2 } });
    const rest = await user.client.ok(noticeList, { pageSize: '10', cursor: first.next ?? '' });
    expect(rest.list).toHaveLength(3);
    expect(rest.next).toBeNull();
    expect((await user.client.ok(noticeList, { group: 'money' })).list.map((n) => n.kind)).toEqual([
      'money.topup',
      'money.topup',
    ]);
    const [id] = first.list.map((n) => n.id);
    expect(await other.client.ok(noticeRead, { ids: [id ?? 0] })).toEqual({ unread: 0 });
    expect((await user.client.ok(noticeUnread, {})).total).toBe(5);
    expect(await user.client.ok(noticeRead, { ids: [id ?? 0] })).toEqual({ unread: 4 });
    expect((await user.client.ok(noticeList, { unread: '1' })).total).toBe(4);
    expect(await user.client.ok(noticeRead, {})).toEqual({ unread: 0 });
    expect((await t.client().call(noticeList, {})).status).toBe(401);
  });
});
