import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import * as im from '#subjects/chat/contract/im.ts';
import * as staffIm from '#subjects/chat/contract/im-staff.ts';
import { closeCodes } from '#subjects/chat/contract/im-socket.ts';
import { logout } from '#subjects/accounts/contract/user.ts';
import { onlineAmong } from '#subjects/chat/server/queries.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { type ChatSocket, connect, knock, newId, portOf, sendText, trade } from '#tests/support/market/chat.ts';
import { addGame } from '#tests/support/goods/goods.ts';

let t: TestApp;
let kefu: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addGame(t.ctx);
  kefu = await t.newStaff({ role: 'service' });
  await sql`insert into distributor (id, code, name, conf, theme) overriding system value
    select 7, 'seven', '七号店', conf, theme from distributor where id = 1`.execute(t.ctx.db);
  await sql`insert into dist_host (dist_id, host) values (7, 'seven.localhost')`.execute(t.ctx.db);
  await t.ctx.dir.reload();
});
afterAll(async () => await t.close());

describe('users outside the group', () => {
  test('other users get nothing by socket or call', async () => {
    const { buyer, groupId, orderSn } = await trade(t);
    const stranger = await t.newUser();
    const other = await trade(t);
    const b = await connect(t, buyer);
    for (const spy of [stranger, other.buyer]) {
      const socket = await connect(t, spy);
      socket.send({ op: 'sync', groupId, after: 0 });
      socket.send({ op: 'send', groupId, clientMsgId: newId(), content: '你好' });
      socket.send({ op: 'typing', groupId });
      socket.send({ op: 'read', groupId, seq: 0 });
      socket.send({ op: 'recall', groupId, seq: 1 });
      await sendText(b, groupId, '只给群里的人看');
      await socket.next('error', (e) => e.ref?.op === 'recall');
      await socket.settled();
      const codesSeen = socket.of('error').map((e) => e.code);
      expect(codesSeen.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => codes.CHAT_NOT_MEMBER[0]));
      expect(codesSeen[4]).toBe(codes.CHAT_RECALL[0]);
      for (const op of ['msg', 'ack', 'synced', 'typing', 'read'] as const) expect(socket.of(op)).toEqual([]);
      for (const result of [
        await spy.client.call(im.groupInfo, { groupId }),
        await spy.client.call(im.history, { groupId }),
        await spy.client.call(im.sendMessage, { groupId, clientMsgId: newId(), content: '你好' }),
        await spy.client.call(im.readGroup, { groupId, seq: 1 }),
        await spy.client.call(im.isOfflineRemind, { groupId }),
      ])
        expect(result.code).toBe(codes.CHAT_NOT_MEMBER[0]);
      expect(await spy.client.ok(im.getImGroupIdMap, { orderSnList: orderSn })).toEqual({});
      expect((await spy.client.ok(im.getImCenterToken, { orderSn })).groupId).toBeNull();
      expect((await spy.client.ok(im.unreadCount, { groups: JSON.stringify([groupId]) as never })).total).toBe(0);
      await socket.cut();
    }
    await b.cut();
  });

  test('staff of another distributor, another queue, or no longer assigned get nothing', async () => {
    const { buyer, groupId } = await trade(t);
    const foreign = await t.newStaff({ role: 'admin', distId: 7 });
    const support = await t.newStaff({ role: 'finance' });
    const colleague = await t.newStaff({ role: 'service' });
    for (const [who, code] of [
      [foreign, codes.CHAT_NOT_MEMBER[0]],
      [support, codes.FORBIDDEN[0]],
      [colleague, codes.CHAT_NOT_MEMBER[0]],
    ] as const) {
      expect((await who.client.call(staffIm.staffImHistory, { groupId })).code).toBe(code);
      expect((await who.client.call(staffIm.staffImGroupInfo, { groupId })).code).toBe(code);
    }
    expect((await foreign.client.ok(staffIm.staffImGroups, { scope: 'all' })).list).toEqual([]);
    expect((await support.client.call(staffIm.staffImToken, {})).code).toBe(codes.FORBIDDEN[0]);
    expect((await colleague.client.call(staffIm.staffImGroups, { scope: 'all' })).code).toBe(codes.FORBIDDEN[0]);
    expect((await colleague.client.call(staffIm.staffImTransfer, { groupId, staffId: colleague.id })).code).toBe(
      codes.FORBIDDEN[0],
    );
    const k = await connect(t, kefu);
    await kefu.client.ok(staffIm.staffImTransfer, { groupId, staffId: colleague.id, note: '换班' });
    expect((await kefu.client.call(staffIm.staffImHistory, { groupId })).code).toBe(codes.CHAT_NOT_MEMBER[0]);
    await k.next('group', (g) => g.groupId === groupId);
    const b = await connect(t, buyer);
    await sendText(b, groupId, '新客服你好');
    await k.settled();
    expect(k.of('msg').filter((m) => m.groupId === groupId)).toEqual([]);
    expect(
      (await colleague.client.ok(staffIm.staffImGroups, {})).list.find((g) => g.groupId === groupId),
    ).toMatchObject({
      lastText: '新客服你好',
      staffName: expect.any(String),
    });
    expect(await b.next('msg', (m) => m.content.content === '新客服你好')).toBeDefined();
    await Promise.all([b.cut(), k.cut()]);
  });
});

describe('opening a socket', () => {
  test('a ticket is valid once, for its distributor, from our own pages, and either for staff or users', async () => {
    const port = await portOf(t);
    const user = await t.newUser();
    const ticket = async (): Promise<string> => (await user.client.ok(im.getImCenterToken, {})).token;
    const token = await ticket();
    const socket = await knock(port, { token });
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    const newcomer = await user.client.ok(im.getImCenterToken, {});
    const twin = await knock(port, { token: newcomer.token, origin: '' });
    if (typeof twin === 'number') throw new Error(`refused with ${twin}`);
    expect((await twin.next('hello')).nonce).toBe(newcomer.nonce);
    expect(await knock(port, { token })).toBe(401);
    expect(await knock(port, { token: 'x'.repeat(43) })).toBe(401);
    expect(await knock(port, { token: '' })).toBe(401);
    expect(await knock(port, { token: await ticket(), origin: 'https://evil.example' })).toBe(403);
    expect(await knock(port, { token: await ticket(), host: 'backstage.localhost' })).toBe(401);
    expect(await knock(port, { token: (await kefu.client.ok(staffIm.staffImToken, {})).token })).toBe(401);
    expect(await knock(port, { token: await ticket(), host: 'seven.localhost' })).toBe(401);
    const old = await ticket();
    await passTime(t.ctx.db, 'chat_ticket', {}, { until: 'expires_at' });
    expect(await knock(port, { token: old })).toBe(401);
    await Promise.all([socket.cut(), twin.cut()]);
  });

  test('a large, malformed or binary frame closes or fails its sender’s connection only', async () => {
    const user = await t.newUser();
    const [big, broken, binary] = await Promise.all([connect(t, user), connect(t, user), connect(t, user)]);
    big.ws.send('x'.repeat(17_000));
    expect(await big.closed).toBe(1009);
    binary.ws.send(Buffer.from([1, 2, 3]));
    expect(await binary.closed).toBe(1003);
    broken.ws.send('{not json');
    broken.ws.send('{"op":"drop table"}');
    broken.ws.send('{"op":"sync","groupId":"1; --","after":-1}');
    await broken.settled();
    expect(broken.of('error').map((e) => e.code)).toEqual(Array.from({ length: 3 }, () => codes.BAD_REQUEST[0]));
    await broken.cut();
  });

  test('too many connections of one user close the oldest; too many frames close their own', async () => {
    const user = await t.newUser();
    const first = await connect(t, user);
    const others: ChatSocket[] = [];
    for (let i = 0; i < 8; i++) others.push(await connect(t, user));
    expect(await first.closed).toBe(closeCodes.tooMany);
    const flood = others[0];
    for (let i = 0; i < 400; i++) flood?.send({ op: 'ping' });
    expect(await flood?.closed).toBe(closeCodes.slow);
    await Promise.all(others.slice(1).map((socket) => socket.cut()));
  });

  test('a log-out closes the socket; a client that does not read is disconnected', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const [b, s] = await Promise.all([connect(t, buyer), connect(t, seller)]);
    // Answers of 200 kB each, never read.
    await sql`insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content)
      select ${Number(groupId)}, n, 'slow-' || ${groupId} || n, ${String(seller.id)}, 'slow' || n, 'text', jsonb_build_object('content', repeat('慢', 600))
      from generate_series(1, 200) n`.execute(t.ctx.db);
    s.ws.pause();
    for (let i = 0; i < 100; i++) s.send({ op: 'sync', groupId, after: 0 });
    await buyer.client.ok(logout, {});
    expect(await b.closed).toBe(closeCodes.revoked);
    // The server has let go of the seller while nothing was read.
    const isOnline = async (): Promise<boolean> =>
      (await onlineAmong(t.ctx.db, [String(seller.id)])).has(String(seller.id));
    await expect.poll(isOnline).toBe(false);
    s.ws.resume();
    expect(await s.closed).toBe(1006);
    expect(s.of('synced').length).toBeLessThan(100);
  });
});

describe('a long group', () => {
  test('opens with the same number of database reads for 100,000 messages as for 100', async () => {
    const { buyer, groupId } = await trade(t);
    const id = Number(groupId);
    const grow = async (from: number, to: number): Promise<void> => {
      await sql`insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content)
        select ${id}, n, 'long-' || n, ${String(buyer.id)}, 'long' || n, 'text', jsonb_build_object('content', '第' || n)
        from generate_series(${from}::int, ${to}::int) n`.execute(t.ctx.db);
      await sql`update chat_group set last_seq = ${to} where id = ${id}`.execute(t.ctx.db);
    };
    // Queries of opening a group: the newest page, an older page, and what came since a number.
    const cost = async (older: number): Promise<number[]> => {
      const requested = [
        sql`select * from chat_message m where m.group_id = ${id} and m.seq < ${9_007_199_254_740_991} order by m.seq desc limit 21`,
        sql`select * from chat_message m where m.group_id = ${id} and m.seq < ${older} order by m.seq desc limit 21`,
        sql`select * from chat_message m where m.group_id = ${id} and m.seq > ${older} order by m.seq limit 21`,
      ];
      const pages: number[] = [];
      for (const one of requested) {
        type Cost = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
        const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Cost }] }>`
          explain (analyze, buffers, format json) ${one}`.execute(t.ctx.db);
        const plan = rows[0]?.['QUERY PLAN'][0].Plan;
        pages.push((plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN));
      }
      return pages;
    };
    await grow(1, 100);
    const small = await cost(50);
    await grow(101, 100_000);
    const large = await cost(50_000);
    // A level more of the index's tree is all that a thousand times the messages may cost.
    for (const [i, pages] of large.entries()) expect(pages).toBeLessThanOrEqual((small[i] ?? 0) + 4);

    const first = await buyer.client.ok(im.history, { groupId });
    expect(first.list.map((m) => m.seq)).toEqual(Array.from({ length: 20 }, (_, i) => 99_981 + i));
    expect(first.more).toBe(true);
    const older = await buyer.client.ok(im.history, { groupId, before: first.list[0]?.seq ?? 0 });
    expect(older.list.at(-1)?.seq).toBe(99_980);
    const b = await connect(t, buyer);
    b.send({ op: 'sync', groupId, after: 100 });
    const part = await b.next('synced');
    expect(part.list).toHaveLength(500);
    expect(part).toMatchObject({ more: true, lastSeq: 100_000 });
    await b.cut();
  });
});

describe('an absent member', () => {
  test('is reminded once per unread period, and not while connected', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const s = await connect(t, seller);
    await sendText(s, groupId, '请查收');
    expect(await seller.client.ok(im.isOfflineRemind, { groupId })).toMatchObject({ sendOfflineRemind: true });
    expect((await seller.client.ok(im.isOfflineRemind, { groupId })).sendOfflineRemind).toBe(false);
    await t.relay();
    await t.timers();
    expect(t.sms.filter((m) => m.phone === buyer.phone && m.purpose === 'chat.offline')).toHaveLength(1);
    const b = await connect(t, buyer);
    b.send({ op: 'read', groupId, seq: 1 });
    await s.next('read');
    // Presence is written behind the connection.
    const isOnline = async (): Promise<boolean> =>
      (await onlineAmong(t.ctx.db, [String(buyer.id)])).has(String(buyer.id));
    await expect.poll(isOnline).toBe(true);
    await sendText(s, groupId, '还在吗');
    expect(await seller.client.ok(im.isOfflineRemind, { groupId })).toEqual({ sendOfflineRemind: false, msg: '' });
    expect((await seller.client.ok(im.groupInfo, { groupId })).members.find((m) => m.role === 'buyer')?.online).toBe(
      true,
    );
    await Promise.all([b.cut(), s.cut()]);
  });
});
