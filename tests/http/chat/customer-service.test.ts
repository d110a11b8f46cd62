/** Customer service before buying: one user alone with customer service (product.md 7, groupType 2). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { serSatiEval } from '#subjects/chat/contract/im-rating.ts';
import * as d from '#subjects/chat/contract/im-support.ts';
import * as im from '#subjects/chat/contract/im.ts';
import { openService, serviceState } from '#subjects/chat/contract/im-service.ts';
import * as staffIm from '#subjects/chat/contract/im-staff.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { newId } from '#tests/support/market/chat.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let an: TestStaff;
let goodsSn: string;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addGame(t.ctx);
  an = await t.newStaff({ role: 'service' });
  const seller = await t.newUser({});
  goodsSn = (await addGoods(t.ctx, { sellerId: seller.id })).sn;
});
afterAll(async () => await t.close());

const duty = async (on: boolean) =>
  await sql`update staff set on_duty = ${on}, max_chats = 200 where im_uid = ${an.imUid}`.execute(t.ctx.db);
beforeEach(async () => {
  await duty(true);
  await sql`delete from staff_shift`.execute(t.ctx.db);
});

const say = (groupId: string, content: string) => ({ groupId, clientMsgId: newId(), content });
const titles = async (user: TestUser, groupId: string) =>
  (await user.client.ok(im.history, { groupId })).list.map((m) => m.content.title ?? m.content.content);

test('a question about a listing opens a conversation between the user and customer service only', async () => {
  const user = await t.newUser({});
  const { groupId } = await user.client.ok(openService, { goodsSn });
  expect(await titles(user, groupId)).toEqual([expect.stringContaining('已接入'), '咨询商品：测试账号 皮肤齐全']);
  const info = await user.client.ok(im.groupInfo, { groupId });
  expect(info).toMatchObject({ groupType: 2, orderSn: null, closed: false });
  expect(info.members.map((m) => m.role).toSorted()).toEqual(['owner', 'staff']);
  const side = await an.client.ok(d.staffImSidebar, { groupId });
  expect(side).toMatchObject({
    order: null,
    topic: { goodsSn, title: '测试账号 皮肤齐全' },
    people: [{ side: 'owner' }],
  });
  const { list } = await an.client.ok(staffIm.staffImGroups, { scope: 'mine' });
  expect(list.find((g) => g.groupId === groupId)?.title).toBe('咨询：测试账号 皮肤齐全');

  await user.client.ok(im.sendMessage, say(groupId, '皮肤都在吗'));
  await an.client.ok(staffIm.staffImSend, say(groupId, '都在'));
  expect(await user.client.ok(serviceState, {})).toMatchObject({
    open: { groupId, ahead: null, goods: { goodsSn } },
    list: [{ groupId, closed: false, lastText: '都在' }],
  });
  // Asked again, the same conversation goes on, and the card is not repeated.
  expect((await user.client.ok(openService, { goodsSn })).groupId).toBe(groupId);
  expect(await titles(user, groupId)).toHaveLength(4);
});

test('eight concurrent requests open one conversation with one member of staff', async () => {
  const user = await t.newUser({});
  const all = await Promise.all(Array.from({ length: 8 }, () => user.client.ok(openService, {})));
  expect(new Set(all.map(({ groupId }) => groupId)).size).toBe(1);
  const [first] = all;
  const { members } = await user.client.ok(im.groupInfo, { groupId: first?.groupId ?? '' });
  expect(members).toHaveLength(2);
});

describe('while no staff are on duty', () => {
  test('the conversation is queued in order, and served with a message when staff return', async () => {
    await duty(false);
    await sql`insert into staff_shift (staff_id, starts_at, ends_at)
      select id, now() + interval '2 hours', now() + interval '8 hours' from staff where im_uid = ${an.imUid}`.execute(
      t.ctx.db,
    );
    const [first, second] = [await t.newUser({}), await t.newUser({})];
    const { groupId } = await first.client.ok(openService, {});
    await second.client.ok(openService, {});
    const state = await first.client.ok(serviceState, {});
    expect(state).toMatchObject({ open: { groupId, staffName: null, ahead: 0 }, onDuty: 0 });
    expect(Date.parse(state.nextShift ?? '')).toBeGreaterThan(Date.now() + 3_600_000);
    expect((await second.client.ok(serviceState, {})).open?.ahead).toBe(1);
    await first.client.ok(im.sendMessage, say(groupId, '先留言'));
    await duty(true);
    await sql`delete from staff_shift`.execute(t.ctx.db);
    await sql`update timer set due_at = now() - interval '1 second' where kind = 'chat.assign'`.execute(t.ctx.db);
    await t.timers();
    expect(await first.client.ok(serviceState, {})).toMatchObject({
      open: { ahead: null, staffName: expect.any(String) },
    });
  });
});

test('staff end it; it can be read and rated, and the next question opens another', async () => {
  const user = await t.newUser({});
  const { groupId } = await user.client.ok(openService, {});
  await an.client.ok(staffIm.staffImSend, say(groupId, '您好'));
  await an.client.ok(d.staffSolve, { groupId, solved: true });
  expect((await user.client.call(im.sendMessage, say(groupId, '还在吗'))).code).toBe(codes.CHAT_CLOSED[0]);
  expect(await titles(user, groupId)).toContain('本次咨询已结束');
  await user.client.ok(serSatiEval, { groupId, score: 5 });
  expect((await user.client.ok(serviceState, {})).open).toBeNull();
  const next = await user.client.ok(openService, {});
  expect(next.groupId).not.toBe(groupId);
  expect((await user.client.ok(serviceState, {})).list.map((g) => g.closed)).toEqual([false, true]);
});

test('it ends by itself three days after its last message, not before', async () => {
  const user = await t.newUser({});
  const { groupId } = await user.client.ok(openService, {});
  const due = async () => {
    await sql`update timer set due_at = now() - interval '1 second' where kind = 'chat.close' and ref = ${groupId}`.execute(
      t.ctx.db,
    );
    await t.timers();
  };
  await due();
  expect((await user.client.ok(serviceState, {})).open?.groupId).toBe(groupId);
  await sql`update chat_message set created_at = created_at - interval '4 days' where group_id = ${Number(groupId)}`.execute(
    t.ctx.db,
  );
  await due();
  expect((await user.client.ok(serviceState, {})).open).toBeNull();
});

test('other users cannot read it, and a hidden listing is rejected', async () => {
  const [user, other] = [await t.newUser({}), await t.newUser({})];
  const { groupId } = await user.client.ok(openService, {});
  for (const rejected of [
    await other.client.call(im.history, { groupId }),
    await other.client.call(im.sendMessage, say(groupId, '看看')),
    await other.client.call(im.groupInfo, { groupId }),
  ])
    expect(rejected.code).toBe(codes.CHAT_NOT_MEMBER[0]);
  expect((await other.client.ok(serviceState, {})).list).toEqual([]);
  const draft = await addGoods(t.ctx, { sellerId: user.id, status: 0 });
  expect((await user.client.call(openService, { goodsSn: draft.sn })).code).toBe(codes.GOODS_NOT_FOUND[0]);
});
