import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { serSatiEval } from '#subjects/chat/contract/im-rating.ts';
import * as d from '#subjects/chat/contract/im-support.ts';
import * as im from '#subjects/chat/contract/im.ts';
import * as staffIm from '#subjects/chat/contract/im-staff.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { newId, trade } from '#tests/support/market/chat.ts';
import { addGame } from '#tests/support/goods/goods.ts';

let t: TestApp;
let an: TestStaff;
let bo: TestStaff;
let admin: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addGame(t.ctx);
  an = await t.newStaff({ role: 'service' });
  bo = await t.newStaff({ role: 'service' });
  admin = await t.newStaff({ role: 'admin' });
});
afterAll(async () => await t.close());

/** Only `on` of customer service are on duty; no rules, no shifts. */
async function duty(...on: TestStaff[]): Promise<void> {
  await sql`update staff set on_duty = im_uid = any(${on.map((s) => s.imUid)}), max_chats = 200`.execute(t.ctx.db);
}
beforeEach(async () => {
  await duty(an);
  await sql`delete from staff_shift`.execute(t.ctx.db);
  await sql`update assignment_rule set status = 2`.execute(t.ctx.db);
});

const current = async ({ buyer, groupId }: Awaited<ReturnType<typeof trade>>) =>
  (await buyer.client.ok(im.groupInfo, { groupId })).members.find((m) => m.isCurrent)?.imUid;
const textMessage = (groupId: string, content: string) => ({ groupId, clientMsgId: newId(), content });

describe('conversations of a member', () => {
  test('search finds texts of the conversation, newest first', async () => {
    const { buyer, seller, groupId } = await trade(t);
    for (const text of ['皮肤有 50% 是绝版', '第一百号', '下划_线', '皮肤都在'])
      await seller.client.ok(im.sendMessage, textMessage(groupId, text));
    const find = async (keyWord: string) =>
      (await buyer.client.ok(im.searchGroup, { groupId, keyWord })).list.map((m) => m.content.content);
    expect(await find('皮肤')).toEqual(['皮肤都在', '皮肤有 50% 是绝版']);
    expect(await find('%')).toEqual(['皮肤有 50% 是绝版']);
    expect(await find('_')).toEqual(['下划_线']);
    await seller.client.ok(im.recallMessage, { groupId, seq: 4 });
    expect(await find('皮肤')).toEqual(['皮肤有 50% 是绝版']);
    const other = await t.newUser({});
    expect((await other.client.call(im.searchGroup, { groupId, keyWord: '皮肤' })).code).toBe(codes.CHAT_NOT_MEMBER[0]);
    expect((await an.client.ok(d.staffImSearch, { groupId, keyWord: '皮肤' })).list).toHaveLength(1);
    expect((await bo.client.call(d.staffImSearch, { groupId, keyWord: '皮肤' })).code).toBe(codes.CHAT_NOT_MEMBER[0]);
  });

  test('a muted group is not in the badge or the reminder', async () => {
    const { buyer, seller, groupId } = await trade(t);
    await buyer.client.ok(im.muteGroup, { groupId, muted: true });
    expect((await buyer.client.ok(im.groupInfo, { groupId })).muted).toBe(true);
    await seller.client.ok(im.sendMessage, textMessage(groupId, '在吗'));
    const unread = await buyer.client.ok(im.unreadCount, { all: true });
    expect(unread).toMatchObject({ total: 0, byGroup: { [groupId]: 2 } });
    expect((await seller.client.ok(im.isOfflineRemind, { groupId })).sendOfflineRemind).toBe(false);
    await buyer.client.ok(im.muteGroup, { groupId, muted: false });
    expect((await seller.client.ok(im.isOfflineRemind, { groupId })).sendOfflineRemind).toBe(true);
    const other = await t.newUser({});
    expect((await other.client.call(im.muteGroup, { groupId, muted: true })).code).toBe(codes.CHAT_NOT_MEMBER[0]);
  });

  test('each member has one rating of customer service, after its first response, and can change it for a day', async () => {
    const { buyer, seller, groupId, orderSn } = await trade(t);
    const tooEarly = await buyer.client.call(serSatiEval, { groupId, score: 5 });
    expect(tooEarly.msg).toBe('客服还没有在本单回复过，暂时不能评价');
    await an.client.ok(staffIm.staffImSend, textMessage(groupId, '您好'));
    const tags = JSON.stringify(['专业', '随便写的']);
    await buyer.client.ok(serSatiEval, { orderSn, score: 4, solved: true, tags });
    await buyer.client.ok(serSatiEval, { groupId, score: 2, content: '后来没人理' });
    await seller.client.ok(serSatiEval, { groupId, score: 5 });
    expect((await buyer.client.ok(im.groupInfo, { groupId })).rated).toBe(2);
    const { rows } = await sql<{ score: number; staff: string }>`
      select r.score, s.im_uid as staff from service_satisfaction r join staff s on s.id = r.staff_id where r.group_id = ${groupId} order by r.score`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([
      { score: 2, staff: an.imUid },
      { score: 5, staff: an.imUid },
    ]);
    const other = await t.newUser({});
    expect((await other.client.call(serSatiEval, { groupId, score: 1 })).code).toBe(codes.CHAT_NOT_MEMBER[0]);
    await passTime(t.ctx.db, 'service_satisfaction', { group_id: groupId }, { days: 2 });
    expect((await buyer.client.call(serSatiEval, { groupId, score: 5 })).msg).toBe('评价超过一天，不能再修改');
    expect((await buyer.client.call(serSatiEval, { groupId, score: 6 })).code).toBe(codes.BAD_INPUT[0]);
  });
});

describe('assignment of a new group', () => {
  test('rules assign by kind and amount; the first match applies', async () => {
    await duty(an, bo);
    const boId = (await bo.client.ok(d.staffWorkbench, {})).staffId;
    const rule = { name: '百元以上', minYuan: 100, staffIds: JSON.stringify([boId]), keepSame: false, sort: 1 };
    await admin.client.ok(d.saveRule, rule);
    await admin.client.ok(d.saveRule, { name: '道具', orderTypes: '[27]', sort: 0 });
    for (let i = 0; i < 3; i++) expect(await current(await trade(t))).toBe(bo.imUid);
    await admin.client.ok(d.saveMaxChats, { staffId: boId, maxChats: 1 });
    const pending = await trade(t);
    expect(await current(pending)).toBeUndefined();
    const support = await an.client.ok(d.staffWorkbench, {});
    expect(support.waiting).toBeGreaterThan(0);
    // After two minutes anybody may take it.
    await passTime(t.ctx.db, 'service_queue', {}, { minutes: 3 });
    await makeDue(t.ctx.db, 'chat.assign');
    await t.timers();
    expect(await current(pending)).toBe(an.imUid);
  });

  test('staff with a shift today get groups only during it', async () => {
    await duty(an, bo);
    const anId = (await an.client.ok(d.staffWorkbench, {})).staffId;
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    await sql`insert into staff_shift (staff_id, starts_at, ends_at) values (${anId}, now() - interval '2 minutes', now() - interval '1 minute')`.execute(
      t.ctx.db,
    );
    for (let i = 0; i < 3; i++) expect(await current(await trade(t))).toBe(bo.imUid);
    const { id } = await admin.client.ok(d.saveShift, { staffId: anId, startsAt: at(-1), endsAt: at(3) });
    await duty(an);
    expect(await current(await trade(t))).toBe(an.imUid);
    expect((await an.client.ok(d.staffWorkbench, {})).shift).not.toBeNull();
    await admin.client.ok(d.saveShift, { id, staffId: anId });
    expect((await admin.client.ok(d.serviceSetup, {})).shifts).toEqual([]);
    const bad = await admin.client.call(d.saveShift, { staffId: anId, startsAt: at(3), endsAt: at(1) });
    expect(bad.msg).toBe('班次要在 24 小时以内，结束晚于开始');
  });

  test('going off duty passes all groups to colleagues or the queue and leaves them', async () => {
    const one = await trade(t);
    expect(await current(one)).toBe(an.imUid);
    await duty(an, bo);
    expect((await an.client.ok(d.staffDuty, { onDuty: false, release: true })).handed).toBeGreaterThan(0);
    expect(await current(one)).toBe(bo.imUid);
    expect((await an.client.call(staffIm.staffImSend, textMessage(one.groupId, '还在'))).code).toBe(
      codes.CHAT_NOT_MEMBER[0],
    );
    const handed = await Promise.all([
      bo.client.ok(d.staffDuty, { onDuty: false, release: true }),
      bo.client.ok(d.staffDuty, { onDuty: false, release: true }),
    ]);
    // Two concurrent clicks hand each group over once.
    const { list } = await bo.client.ok(staffIm.staffImGroups, { scope: 'mine' });
    expect(list.filter((g) => !g.closed)).toEqual([]);
    expect(handed[0].handed + handed[1].handed).toBeGreaterThan(0);
    const { list: lines } = await one.buyer.client.ok(im.history, { groupId: one.groupId });
    expect(lines.at(-1)?.content).toMatchObject({ card: 'staff', title: '正在安排平台客服' });
    expect(lines.filter((m) => m.content.card === 'staff')).toHaveLength(2);
  });
});

describe('the workbench', () => {
  test("shows order, members, queue and the day's figures to the assigned staff", async () => {
    const one = await trade(t);
    await an.client.ok(staffIm.staffImSend, textMessage(one.groupId, '您好'));
    const panel = await an.client.ok(d.staffImSidebar, { groupId: one.groupId });
    expect(panel).toMatchObject({ solved: false, order: { orderSn: one.orderSn, totalPrice: '101.00', status: 1 } });
    expect(panel.order?.due?.turn).toBe('seller');
    const { list } = await an.client.ok(staffIm.staffImGroups, { scope: 'mine' });
    expect(list.find(({ groupId }) => groupId === one.groupId)?.due).toEqual(panel.order?.due);
    expect(panel.people.map((p) => [p.side, p.userId])).toEqual([
      ['buyer', String(one.buyer.id)],
      ['seller', String(one.seller.id)],
    ]);
    expect(panel.firstReplySeconds).toBeGreaterThanOrEqual(0);
    await an.client.ok(d.staffSolve, { groupId: one.groupId, solved: true });
    expect((await an.client.ok(d.staffImSidebar, { groupId: one.groupId })).solved).toBe(true);
    const { today } = await an.client.ok(d.staffWorkbench, {});
    expect(today.groups).toBeGreaterThan(0);
    expect(today.solved).toBeGreaterThan(0);
    expect((await bo.client.call(d.staffImSidebar, { groupId: one.groupId })).code).toBe(codes.CHAT_NOT_MEMBER[0]);
    expect((await bo.client.call(d.staffSolve, { groupId: one.groupId, solved: true })).code).toBe(
      codes.CHAT_NOT_MEMBER[0],
    );
  });

  test('canned answers: personal ones are private, shared ones are edited by administrators', async () => {
    const text = { grp: '常用', title: '问候', text: '您好，我是平台客服' };
    const { id } = await an.client.ok(d.saveCanned, { ...text, mine: true });
    expect((await an.client.call(d.saveCanned, { ...text, mine: false })).code).toBe(codes.FORBIDDEN[0]);
    const shared = await admin.client.ok(d.saveCanned, { ...text, title: '公用', mine: false });
    expect((await an.client.ok(d.cannedList, {})).list.map((a) => a.title)).toEqual(['问候', '公用']);
    expect((await bo.client.ok(d.cannedList, {})).list.map((a) => a.title)).toEqual(['公用']);
    expect((await bo.client.call(d.removeCanned, { id })).code).toBe(codes.NOT_FOUND[0]);
    expect((await an.client.call(d.removeCanned, { id: shared.id })).code).toBe(codes.NOT_FOUND[0]);
    await an.client.ok(d.usedCanned, { id });
    await an.client.ok(d.saveCanned, { ...text, id, mine: true, title: '你好' });
    expect((await an.client.ok(d.cannedList, {})).list[0]).toMatchObject({ title: '你好', uses: 1 });
    await an.client.ok(d.removeCanned, { id });
    expect((await an.client.ok(d.cannedList, {})).list).toHaveLength(1);
  });

  test('quality figures and set-up are for administrators only', async () => {
    const done = await trade(t);
    await an.client.ok(staffIm.staffImSend, textMessage(done.groupId, '您好'));
    await done.seller.client.ok(c.cancelOrder, { orderId: done.orderId });
    await t.relay();
    await done.buyer.client.ok(serSatiEval, { groupId: done.groupId, score: 5, content: '很快' });
    const { list, ratings } = await admin.client.ok(d.serviceStats, { days: 1 });
    expect(list.some((row) => row.solved > 0 && row.ratings > 0 && row.quality !== null)).toBe(true);
    expect(ratings[0]).toMatchObject({ score: 5, content: '很快' });
    for (const call of [d.serviceStats, d.serviceSetup])
      expect((await an.client.call(call, {})).code).toBe(codes.FORBIDDEN[0]);
    expect((await an.client.call(d.saveRule, { name: 'x' })).code).toBe(codes.FORBIDDEN[0]);
    const finance = await t.newStaff({ role: 'finance' });
    expect((await finance.client.call(d.staffWorkbench, {})).code).toBe(codes.FORBIDDEN[0]);
    const bad = await admin.client.call(d.saveRule, { name: '反了', minYuan: 10, maxYuan: 5 });
    expect(bad.msg).toBe('最高金额要大于最低金额');
  });
});
