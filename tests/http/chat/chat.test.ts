import { staffImUpload } from '#subjects/media/contract/staff-uploads.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import * as im from '#subjects/chat/contract/im.ts';
import * as staffIm from '#subjects/chat/contract/im-staff.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { MASK } from '#subjects/chat/server/messages/mask.ts';
import { makeDue, memoryClock, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { connect, groupOf, newId, sendText, textsOf, trade } from '#tests/support/market/chat.ts';
import { addGame } from '#tests/support/goods/goods.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';

let t: TestApp;
const clock = memoryClock();
let kefu: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' }, overrides: { monotonicMs: clock.monotonicMs } });
  await addGame(t.ctx);
  kefu = await t.newStaff({ role: 'service' });
});
afterAll(async () => await t.close());

describe('the group of an order', () => {
  test('opens when the order is paid, with buyer, seller and customer service, and a first message', async () => {
    const { buyer, seller, orderSn, groupId } = await trade(t);
    const info = await buyer.client.ok(im.groupInfo, { groupId });
    expect(info.members.map((m) => [m.role, m.imUid, m.isCurrent, m.isStaff])).toEqual([
      ['buyer', String(buyer.id), false, false],
      ['seller', String(seller.id), false, false],
      ['staff', kefu.imUid, true, true],
    ]);
    expect(info).toMatchObject({ orderSn, closed: false, lastSeq: 0 });
    const { list } = await buyer.client.ok(im.history, { groupId });
    expect(list.map((m) => [m.seq, m.senderUserId, m.content.card])).toEqual([[0, 'system', 'order.paid']]);
    expect(await groupOf(seller, orderSn)).toBe(groupId);
    expect((await seller.client.ok(im.unreadCount, { all: true })).total).toBe(1);
  });

  test('posts each step of the order in order, and closes after the refund of a cancelled one', async () => {
    const done = await trade(t);
    await done.seller.client.ok(c.offlineTranSub, { orderId: done.orderId });
    await done.buyer.client.ok(c.confirmRecGoods, { orderId: done.orderId });
    await t.relay();
    const { list } = await done.buyer.client.ok(im.history, { groupId: done.groupId });
    expect(list.map((m) => [m.content.card, m.expansion?.type])).toEqual([
      ['order.paid', undefined],
      ['order.shipped', 'send_goods'],
      ['order.completed', 'confirm_goods'],
    ]);
    const off = await trade(t);
    await off.seller.client.ok(c.cancelOrder, { orderId: off.orderId });
    await t.relay();
    const end = await off.buyer.client.ok(im.history, { groupId: off.groupId });
    expect(end.list.map((m) => m.content.card)).toEqual(['order.paid', 'order.refunded', 'order.cancelled']);
    expect((await off.buyer.client.ok(im.groupInfo, { groupId: off.groupId })).closed).toBe(true);
    const rejected = await off.buyer.client.call(im.sendMessage, {
      groupId: off.groupId,
      clientMsgId: newId(),
      content: '还在吗',
    });
    expect(rejected.code).toBe(codes.CHAT_CLOSED[0]);
  });

  test('queues for customer service when none is free, and announces who has joined', async () => {
    await sql`update staff set on_duty = false`.execute(t.ctx.db);
    const { buyer, groupId } = await trade(t);
    expect((await buyer.client.ok(im.groupInfo, { groupId })).members).toHaveLength(2);
    expect((await kefu.client.ok(staffIm.staffImGroups, { scope: 'waiting' })).list.map((g) => g.groupId)).toEqual([
      groupId,
    ]);
    await makeDue(t.ctx.db, 'chat.assign');
    await t.timers();
    const { rows } = await sql<{ waits: boolean }>`
      select m.due_at > now() as waits from timer m join service_queue q on q.group_id::text = m.ref
      where m.kind = 'chat.assign' and m.ref = ${groupId}`.execute(t.ctx.db);
    expect(rows).toEqual([{ waits: true }]);
    await sql`update staff set on_duty = true`.execute(t.ctx.db);
    await makeDue(t.ctx.db, 'chat.assign');
    await t.timers();
    expect((await buyer.client.ok(im.groupInfo, { groupId })).members.find((m) => m.isCurrent)?.imUid).toBe(kefu.imUid);
    const { list } = await buyer.client.ok(im.history, { groupId });
    expect(list.at(-1)).toMatchObject({ content: { card: 'staff' }, expansion: { type: 'transfer_order' } });
  });
});

describe('two people and customer service in one group', () => {
  test('see the same messages in the same order, each once, and a repeated id changes nothing', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const sockets = await Promise.all([connect(t, buyer), connect(t, seller), connect(t, kefu)]);
    const [b, s, k] = sockets;
    const first = await sendText(b, groupId, '在吗', 'same-id');
    await Promise.all([sendText(s, groupId, '在的'), sendText(k, groupId, '我来跟进'), sendText(b, groupId, '好的')]);
    const again = await sendText(b, groupId, '在吗', 'same-id');
    b.frames.length = 0;
    expect(await sendText(b, groupId, '在吗', 'same-id')).toEqual(again);
    expect(again).toMatchObject({ seq: first.seq, messageUId: first.messageUId });
    const last = await sendText(k, groupId, '最后一句');
    for (const socket of sockets) await socket.next('msg', (m) => m.groupId === groupId && m.seq === last.seq);
    const { list } = await buyer.client.ok(im.history, { groupId, after: 0 });
    expect(list.map((m) => m.seq)).toEqual([1, 2, 3, 4, 5]);
    expect(list.filter((m) => m.clientMsgId === 'same-id')).toHaveLength(1);
    for (const socket of [s, k]) {
      // The number of a message defines its position, whenever it arrives.
      const pushed = socket.of('msg').filter((m) => m.groupId === groupId);
      expect(pushed.map((m) => m.seq).toSorted((x, y) => x - y)).toEqual([1, 2, 3, 4, 5]);
      expect(textsOf(pushed.toSorted((x, y) => x.seq - y.seq))).toEqual(textsOf(list));
    }
    expect(list.filter((m) => m.messageDirection === 1).map((m) => m.senderUserId)).toEqual([
      String(buyer.id),
      String(buyer.id),
    ]);
    for (const socket of sockets) await socket.cut();
  });

  test('a reconnecting client requests by number and gets neither gap nor duplicate', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const b = await connect(t, buyer);
    const s = await connect(t, seller);
    await sendText(s, groupId, '一');
    await b.next('msg', (m) => m.seq === 1);
    await b.cut();
    // Sent, and cut before the receipt could be read: the same id goes again after the reconnect.
    const id = newId();
    s.send({ op: 'send', groupId, clientMsgId: id, content: '二' });
    await s.cut();
    const s2 = await connect(t, seller);
    const ack = await sendText(s2, groupId, '二', id);
    for (const content of ['三', '四']) await sendText(s2, groupId, content);
    const back = await connect(t, buyer);
    back.send({ op: 'sync', groupId, after: 1 });
    const synced = await back.next('synced');
    expect(synced.list.map((m) => [m.seq, m.content.content])).toEqual([
      [2, '二'],
      [3, '三'],
      [4, '四'],
    ]);
    expect(ack.seq).toBe(2);
    expect(synced).toMatchObject({ more: false, lastSeq: 4 });
    await back.cut();
    await s2.cut();
  });

  test('typing and read marks reach the others', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const [b, s] = await Promise.all([connect(t, buyer), connect(t, seller)]);
    b.send({ op: 'typing', groupId });
    expect(await s.next('typing')).toEqual({ op: 'typing', groupId, imUid: String(buyer.id) });
    await sendText(s, groupId, '看到回复我');
    b.send({ op: 'read', groupId, seq: 1 });
    expect(await s.next('read')).toEqual({ op: 'read', groupId, imUid: String(buyer.id), seq: 1 });
    expect(b.of('typing')).toEqual([]);
    await Promise.all([b.cut(), s.cut()]);
  });

  test('unread counts per group and in total decrease by reading', async () => {
    const one = await trade(t);
    const s = await connect(t, one.seller);
    for (const content of ['一', '二', '三']) await sendText(s, one.groupId, content);
    const { buyer, groupId } = one;
    expect(await buyer.client.ok(im.unreadCount, { all: true })).toMatchObject({
      total: 4,
      byGroup: { [groupId]: 4 },
    });
    const list = await buyer.client.ok(c.queryOrderList, { belong: 0, status: 1 });
    expect(list.orderList[0]).toMatchObject({ groupId, unread: 4 });
    expect((await buyer.client.ok(im.readGroup, { groupId, seq: 2 })).unread).toBe(1);
    expect((await buyer.client.ok(im.readGroup, { groupId, seq: 1 })).unread).toBe(1);
    expect((await buyer.client.ok(im.readGroup, { groupId, seq: 999 })).unread).toBe(0);
    expect((await buyer.client.ok(im.unreadCount, { all: true })).total).toBe(0);
    await s.cut();
  });
});

describe('messages', () => {
  test('show the size of own pictures; keys of others are rejected', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const own = (await sendPicture(buyer.client, await pictureFile('png'), { purpose: 'chat' })).data;
    const staff = (await sendPicture(kefu.client, await pictureFile('jpeg'), { path: staffImUpload.path })).data;
    const [b, k, s] = await Promise.all([connect(t, buyer), connect(t, kefu), connect(t, seller)]);
    b.send({ op: 'send', groupId, clientMsgId: 'p-1', messageType: 'image', imageKey: own.key });
    await b.next('ack', (ack) => ack.clientMsgId === 'p-1');
    k.send({ op: 'send', groupId, clientMsgId: 'p-2', messageType: 'image', imageKey: staff.key });
    await k.next('ack', (ack) => ack.clientMsgId === 'p-2');
    const { list } = await seller.client.ok(im.history, { groupId, after: 0 });
    const shown = (key: string) => ({
      imageUri: expect.stringContaining(`/img/${key}.`) as string,
      width: 900,
      height: 500,
    });
    expect(list.map((m) => [m.messageType, m.content])).toEqual([
      ['image', shown(own.key)],
      ['image', shown(staff.key)],
    ]);
    const pushed = await s.next('msg', (m) => m.clientMsgId === 'p-1');
    for (const url of [list[0]?.content.imageUri ?? '', pushed.content.imageUri ?? ''])
      expect((await seller.client.raw({ method: 'GET', url })).headers['content-type']).toBe('image/webp');
    // The buyer's own address opens only for the buyer.
    expect((await seller.client.raw({ method: 'GET', url: own.imageUri })).statusCode).toBe(403);
    s.send({ op: 'send', groupId, clientMsgId: 'p-3', messageType: 'image', imageKey: own.key });
    expect((await s.next('error')).code).toBe(codes.PICTURE_BROKEN[0]);
    const seq = list[0]?.seq ?? 0;
    await buyer.client.ok(im.recallMessage, { groupId, seq });
    const [claimed] = (await seller.client.ok(im.history, { groupId, after: 0 })).list;
    expect(claimed).toMatchObject({ seq, messageType: 'image', recalled: true, content: {} });
    expect(await s.next('msg', (m) => m.messageType === 'recall')).toMatchObject({ content: { recallSeq: seq } });
    await Promise.all([b.cut(), k.cut(), s.cut()]);
  });

  test('are masked for all when they contain contact data or credentials, and both parties are warned', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const b = await connect(t, buyer);
    expect((await sendText(b, groupId, '加我微信 abc12345 便宜点')).masked).toBe(true);
    expect((await sendText(b, groupId, '账号 hero9527 密码 Abc@12345')).masked).toBe(true);
    const { list } = await seller.client.ok(im.history, { groupId, after: 0 });
    const texts = textsOf(list).join(' ');
    expect(texts).toContain(`加我微信 ${MASK} 便宜点`);
    expect(texts).not.toMatch(/abc12345|Abc@12345|hero9527/);
    expect(list.filter((m) => m.content.card === 'warn')).toHaveLength(1);
    const stored = await sql<{ n: number }>`
      select count(*)::int as n from chat_message where group_id = ${Number(groupId)} and content::text ~ 'abc12345|Abc@12345'`.execute(
      t.ctx.db,
    );
    expect(stored.rows[0]?.n).toBe(0);
    await b.cut();
  });

  test('A12: a number in several messages is masked where it ends', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const b = await connect(t, buyer);
    const sent: boolean[] = [];
    for (const text of ['139', '0013', '8000', '还有 60 级']) sent.push((await sendText(b, groupId, text)).masked);
    expect(sent).toEqual([false, false, true, false]);
    const { list } = await seller.client.ok(im.history, { groupId, after: 0 });
    expect(textsOf(list).filter((text) => text !== undefined && /^(?:139|0013|8000)$|＊/.test(text))).toEqual([
      '139',
      '0013',
      MASK,
    ]);
    await b.cut();
  });

  test('A12: the parts of a number that are sent at the same moment do not pass', async () => {
    for (let round = 0; round < 4; round++) {
      const { buyer, seller, groupId } = await trade(t);
      const parts = ['139', '0013', '8000'];
      await Promise.all(
        parts.map((content, n) => buyer.client.ok(im.sendMessage, { groupId, clientMsgId: `part-${n}`, content })),
      );
      const { list } = await seller.client.ok(im.history, { groupId, after: 0 });
      const shown = textsOf(list.filter(({ senderUserId }) => senderUserId === String(buyer.id))).join('');
      // In whatever order they were numbered: a whole number of theirs is not readable.
      const isReadable = shown === parts.join('');
      expect([round, isReadable]).toEqual([round, false]);
    }
  });

  test('from a client cannot set an expansion, and an empty one is rejected', async () => {
    const { buyer, groupId, orderSn } = await trade(t);
    const b = await connect(t, buyer);
    const expansion = { type: 'confirm_goods', orderSn };
    b.ws.send(JSON.stringify({ op: 'send', groupId, clientMsgId: 'x-1', content: '确认', expansion }));
    await b.next('ack');
    const { list } = await buyer.client.ok(im.history, { groupId, after: 0 });
    expect(list.map((m) => m.expansion)).toEqual([null]);
    b.send({ op: 'send', groupId, clientMsgId: 'x-2', content: '  \n ' });
    const rejected = await b.next('error');
    expect(rejected).toMatchObject({ code: codes.CHAT_EMPTY[0], ref: { op: 'send', clientMsgId: 'x-2' } });
    await b.cut();
  });

  test('are recalled by their sender within two minutes, from history and connections', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const [b, s] = await Promise.all([connect(t, buyer), connect(t, seller)]);
    const { seq } = await sendText(b, groupId, '发错了');
    s.send({ op: 'recall', groupId, seq });
    expect((await s.next('error')).code).toBe(codes.CHAT_RECALL[0]);
    b.send({ op: 'recall', groupId, seq });
    expect(await s.next('msg', (m) => m.messageType === 'recall')).toMatchObject({
      senderUserId: String(buyer.id),
      content: { recallSeq: seq },
    });
    const { list } = await seller.client.ok(im.history, { groupId, after: 0 });
    expect(list[0]).toMatchObject({ seq, recalled: true, content: {} });
    const lateMessage = await sendText(b, groupId, '晚了');
    await passTime(t.ctx.db, 'chat_message', { group_id: Number(groupId), seq: lateMessage.seq }, { minutes: 3 });
    expect((await buyer.client.call(im.recallMessage, { groupId, seq: lateMessage.seq })).code).toBe(
      codes.CHAT_RECALL[0],
    );
    await Promise.all([b.cut(), s.cut()]);
  });

  test('are limited to 20 in 10 seconds per sender; none overtakes a rejected one', async () => {
    const { buyer, groupId } = await trade(t);
    const b = await connect(t, buyer);
    for (let i = 0; i < 30; i++) b.send({ op: 'send', groupId, clientMsgId: `fast-${i}`, content: `第 ${i} 条` });
    await b.next('error', (e) => e.ref?.clientMsgId === 'fast-29');
    expect(b.of('ack').map((a) => a.clientMsgId)).toEqual(Array.from({ length: 20 }, (_, i) => `fast-${i}`));
    for (const error of b.of('error')) {
      expect(error.code).toBe(codes.RATE_LIMITED[0]);
      expect(error.retryAfterMs).toBeGreaterThan(0);
    }
    // The wait is over, but the one that was held back first has not come again: the others stay behind it.
    await sql`delete from limit_counter where key like 'chat:%'`.execute(t.ctx.db);
    const waitMs = b.of('error')[0]?.retryAfterMs ?? 0;
    clock.pass(waitMs);
    b.frames.length = 0;
    for (const id of ['fast-21', 'fast-20', 'fast-21', 'fast-22'])
      b.send({ op: 'send', groupId, clientMsgId: id, content: id });
    await b.next('ack', (ack) => ack.clientMsgId === 'fast-22');
    expect(b.of('ack').map((a) => a.clientMsgId)).toEqual(['fast-20', 'fast-21', 'fast-22']);
    expect(b.of('error').map((e) => e.ref?.clientMsgId)).toEqual(['fast-21']);
    await sql`update limit_counter set hits = 20 where key = ${`chat:${buyer.id}`}`.execute(t.ctx.db);
    const limited = await buyer.client.call(im.sendMessage, { groupId, clientMsgId: 'fast-99', content: '多了' });
    expect(limited.status).toBe(429);
    await b.cut();
  });
});
