/** Texts of notices by staff: what they may say, from when, by whom, and back. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as c from '#subjects/notices/contract/staff-texts.ts';
import { codes } from '#contract/codes.ts';
import type { NoticeChannel } from '#subjects/notices/rules/notice-text.ts';
import type { OfficialAccount } from '#server/ports/official-account.ts';
import { sendDue } from '#subjects/notices/server/send.ts';
import { notify } from '#subjects/notices/server/service.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';

let t: TestApp;
let writer: TestStaff;
const sent: { openId: string; title: string; body: string }[] = [];
const officialAccount: OfficialAccount = {
  name: 'test',
  title: '测试号',
  played: true,
  followUrl: (origin) => `${origin}/wechat/follow`,
  sceneUrl: ({ scene, origin }) => Promise.resolve(`${origin}/wechat/follow/${scene}`),
  send(message) {
    sent.push(message);
    return Promise.resolve('sent');
  },
};

beforeAll(async () => {
  t = await testApp({ env: { LIMIT_FACTOR: '1000' }, overrides: { officialAccount } });
  writer = await t.newStaff({ role: 'content' });
});
afterAll(async () => await t.close());

const KIND = 'order.shipped';
const stateOf = async (kind = KIND) => {
  const { list } = await writer.client.ok(c.noticeTexts, {});
  const found = list.find((one) => one.kind === kind);
  if (!found) throw new Error(`no kind ${kind}`);
  return found;
};
const versionOf = async (channel: NoticeChannel, kind = KIND) =>
  (await stateOf(kind)).texts.find((one) => one.channel === channel)?.version ?? 0;

interface Given {
  kind?: string;
  channel?: NoticeChannel;
  title?: string;
  body?: string;
  template?: string;
  version?: number;
  who?: TestStaff;
}

const save = async ({ kind = KIND, channel = 'site', who = writer, ...given }: Given = {}) =>
  await who.client.call(c.saveNoticeText, {
    kind,
    channel,
    version: given.version ?? (await versionOf(channel, kind)),
    title: given.title ?? '货已发出',
    body: given.body ?? '「{goods}」已发货，{deadline} 前请验收。',
    template: given.template ?? '',
    reason: '写得更清楚',
  });

let refs = 0;
/** Returns the messages that a user received by each channel. */
async function tell(channels: string) {
  const user = await t.newUser();
  await sql`insert into notice_preference (user_id, kind, channels) values (${user.id}, ${KIND}, ${channels}::text[])`.execute(
    t.ctx.db,
  );
  t.sms.length = 0;
  refs += 1;
  await notify(t.ctx, {
    kind: KIND,
    userIds: [user.id],
    ref: `text:${refs}`,
    values: { goods: '典藏号', deadline: '11-25 18:00', orderSn: '26112500000000000001' },
  });
  await sendDue(t.ctx, new Date(Date.now() + 1000));
  const { rows } = await sql<{ title: string; body: string }>`
    select title, body from notice where user_id = ${user.id}`.execute(t.ctx.db);
  return { site: rows[0], sms: t.sms.map(({ text }) => text) };
}

test('every shipped text is valid for its channel, and lists the variables that it uses', async () => {
  const { list } = await writer.client.ok(c.noticeTexts, {});
  expect(list.length).toBeGreaterThan(30);
  const shipped = list.find(({ kind }) => kind === KIND);
  expect(shipped).toMatchObject({ placeholders: ['goods', 'deadline', 'orderSn'], version: 1 });
  for (const { kind, shipped: text } of list)
    expect([kind, (await save({ kind, title: `${text.title}！`.slice(0, 60), body: text.body })).code]).toEqual([
      kind,
      0,
    ]);
  for (const { kind } of list)
    await writer.client.ok(c.restoreNoticeText, {
      kind,
      channel: 'site',
      version: await versionOf('site', kind),
      reason: '恢复',
    });
  const after = await writer.client.ok(c.noticeTexts, {});
  expect(after.list.flatMap(({ texts }) => texts.filter(({ isDefault }) => !isDefault))).toEqual([]);
});

test('a changed text applies from the next notice on; a channel may have its own; both can be restored', async () => {
  const before = await tell('{site,sms}');
  expect(before.site?.title).toBe('卖家已发货');
  expect((await save()).code).toBe(0);
  expect((await save({ channel: 'sms', title: '发货提醒', body: '{goods}请验收', template: 'SMS_99' })).code).toBe(0);
  const changed = await tell('{site,sms}');
  expect(changed.site).toEqual({ title: '货已发出', body: '「典藏号」已发货，11-25 18:00 前请验收。' });
  expect(changed.sms.join()).toContain('发货提醒：典藏号请验收');

  const restore = async (channel: NoticeChannel) =>
    await writer.client.ok(c.restoreNoticeText, {
      kind: KIND,
      channel,
      version: await versionOf(channel),
      reason: '恢复',
    });
  await restore('sms');
  expect((await tell('{site,sms}')).sms.join()).toContain('货已发出：「典藏号」已发货');
  await restore('site');
  expect((await tell('{site}')).site).toEqual(before.site);

  const { list } = await writer.client.ok(c.noticeTextHistory, { kind: KIND, channel: 'sms' });
  expect(list.map(({ version, removed }) => [version, removed])).toEqual([
    [2, true],
    [1, false],
  ]);
  expect(list[1]).toMatchObject({ title: '发货提醒', template: 'SMS_99', reason: '写得更清楚' });
  const { rows } = await sql<{ act: string }>`
    select act from audit_log where target = ${`notice:${KIND}`} and detail->>'channel' = 'sms' order by id`.execute(
    t.ctx.db,
  );
  expect(rows.map(({ act }) => act)).toEqual(['text.notice', 'text.notice']);
});

describe('invalid input gets a field error, and nothing is stored', () => {
  test.each([
    ['an unknown variable', { body: '{goods}，{password}' }, 'body', '没有变量 {password}；可用：{goods}'],
    ['a variable of another kind', { title: '{amount} 元' }, 'title', '没有变量 {amount}'],
    ['half a brace', { body: '{goods 已发货' }, 'body', '花括号'],
    ['a brace around something else', { body: '{goods}{一}' }, 'body', '花括号'],
    ['too long for SMS', { channel: 'sms' as const, body: '好'.repeat(121) }, 'body', '最多 120 个字，现在 121 个'],
    ['too long a title for SMS', { channel: 'sms' as const, title: '好'.repeat(21) }, 'title', '最多 20 个字'],
    ['too long for any', { body: '好'.repeat(301) }, 'body', '不能超过 300'],
    ['empty', { title: ' ' }, 'title', '至少 2'],
    ['a template off SMS', { channel: 'push' as const, template: 'SMS_1' }, 'template', '只有短信'],
    ['a template in Chinese', { channel: 'sms' as const, template: '模板一' }, 'template', '3 到 40 位'],
  ])('%s', async (_, input, field, text) => {
    const before = await stateOf();
    expect(await save(input)).toMatchObject({ code: codes.BAD_INPUT[0], field, msg: expect.stringContaining(text) });
    expect(await stateOf()).toEqual(before);
  });

  test('an unknown kind, and an unchanged text', async () => {
    expect((await save({ kind: 'no.such', version: 0 })).code).toBe(codes.NOT_FOUND[0]);
    const { title, body } = (await stateOf('order.done')).shipped;
    expect((await save({ kind: 'order.done', title, body })).msg).toContain('没有需要保存的修改');
  });
});

test('one of two editors who read the same version succeeds', async () => {
  const other = await t.newStaff({ role: 'admin' });
  const version = await versionOf('site', 'order.late');
  const body = '「{goods}」{what}截止 {deadline}。';
  const input = (who: TestStaff, title: string) => save({ kind: 'order.late', version, who, body, title });
  const outcomes = await Promise.all([input(writer, '即将超时'), input(other, '请尽快'), input(writer, '快到时间')]);
  expect(outcomes.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
    0,
    codes.TEXT_CHANGED[0],
    codes.TEXT_CHANGED[0],
  ]);
  expect(await versionOf('site', 'order.late')).toBe(version + 1);
});

test('default channels: the site is mandatory, two editors do not overwrite each other', async () => {
  const kind = 'order.done';
  const { version } = await stateOf(kind);
  const change = async (channels: NoticeChannel[]) =>
    await writer.client.call(c.saveNoticeKind, { kind, version, channels, urgent: true, reason: '改渠道' });
  const outcomes = await Promise.all([change(['email']), change(['sms'])]);
  expect(outcomes.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, codes.TEXT_CHANGED[0]]);
  const after = await stateOf(kind);
  expect(after).toMatchObject({ urgent: true, version: version + 1 });
  expect(after.channels).toContain('site');
  expect(
    (
      await writer.client.call(c.saveNoticeKind, {
        kind: 'no.such',
        version: 1,
        channels: [],
        urgent: false,
        reason: '没有',
      })
    ).code,
  ).toBe(codes.NOT_FOUND[0]);
});

describe('a test message', () => {
  const trial = { kind: KIND, title: '货已发出', body: '「{goods}」已发货', template: '', reason: '' };

  test('is sent to the phone or address with example values, and recorded without it', async () => {
    t.sms.length = 0;
    expect(await writer.client.ok(c.tryNoticeText, { ...trial, channel: 'sms', to: '13800001234' })).toMatchObject({
      ok: true,
    });
    expect(t.sms[0]?.text).toContain('货已发出：「王者荣耀');
    const mails = t.mails.length;
    await writer.client.ok(c.tryNoticeText, { ...trial, channel: 'email', to: 'me@example.com' });
    expect(t.mails[mails]?.subject).toContain('货已发出');
    const { rows } = await sql<{ detail: string }>`
      select detail::text as detail from audit_log where act = 'vendor.try' order by id`.execute(t.ctx.db);
    expect(rows).toHaveLength(2);
    expect(rows.some(({ detail }) => /13800001234|me@example/.test(detail))).toBe(false);
  });

  test('is sent to the WeChat and the browsers of the user with the phone number, or returns why not', async () => {
    const user = await t.newUser();
    const to = user.phone;
    const byWechat = async () => await writer.client.call(c.tryNoticeText, { ...trial, channel: 'wechat', to });
    expect(await byWechat()).toMatchObject({ msg: '没有发出：没有绑定公众号', field: 'to' });
    await sql`insert into third_party_binding (user_id, provider, open_id) values (${user.id}, 'wechat_push', 'o-trial')`.execute(
      t.ctx.db,
    );
    expect((await byWechat()).data).toMatchObject({ ok: true });
    expect(sent.at(-1)).toMatchObject({
      openId: 'o-trial',
      title: '货已发出',
      body: expect.stringContaining('「王者荣耀'),
    });
    expect(await writer.client.call(c.tryNoticeText, { ...trial, channel: 'push', to })).toMatchObject({
      msg: '没有发出：没有可推送的浏览器',
      field: 'to',
    });
  });

  test('is rejected for a wrong receiver, a wrong text and a channel without an address', async () => {
    const call = async (input: Record<string, unknown>) =>
      await writer.client.call(c.tryNoticeText, { ...trial, channel: 'sms', to: '13800001234', ...input } as never);
    expect(await call({ to: '12345' })).toMatchObject({ code: codes.BAD_INPUT[0], field: 'to' });
    expect(await call({ channel: 'email', to: 'me@' })).toMatchObject({ code: codes.BAD_INPUT[0], field: 'to' });
    expect(await call({ body: '{nothing}' })).toMatchObject({ code: codes.BAD_INPUT[0], field: 'body' });
    expect(await call({ channel: 'site' })).toMatchObject({ code: codes.BAD_INPUT[0], field: 'channel' });
    expect(await call({ channel: 'push', to: '13999999999' })).toMatchObject({
      msg: '没有这个手机号的用户',
      field: 'to',
    });
  });
});
