import { getImParams } from '#subjects/chat/contract/im.ts';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { codes } from '#contract/codes.ts';
import * as im from '#subjects/chat/contract/im.ts';
import * as staffIm from '#subjects/chat/contract/im-staff.ts';
import { rongCloud, rongSignature } from '#server/adapters/im/rongcloud.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { asSuperuser, databaseOf } from '#tests/support/database/database.ts';
import { connect, newId, portOf, trade } from '#tests/support/market/chat.ts';
import { addGame } from '#tests/support/goods/goods.ts';
import { EVENTUALLY } from '#tests/support/time/eventually.ts';
import { RongFake } from '#tests/support/fakes/rong-fake.ts';

const fake = new RongFake();
let t: TestApp;
let an: TestStaff;
let bo: TestStaff;

beforeAll(async () => {
  const host = await fake.start();
  const imProvider = rongCloud({ appKey: fake.appKey, secret: fake.secret, hosts: [`${host}`, host], dists: ['*'] });
  t = await testApp({ overrides: { imProvider } });
  await addGame(t.ctx);
  an = await t.newStaff({ role: 'service' });
});
afterAll(async () => {
  await t.close();
  await fake.stop();
});

const settled = (check: () => void) => vi.waitFor(check, EVENTUALLY);
const textMessage = (groupId: string, content: string) => ({ groupId, clientMsgId: newId(), content });

/** Sends a message as the provider's routing callback reports it. */
async function callback(form: Record<string, string>, query: { nonce?: string; at?: number; signature?: string } = {}) {
  const { nonce = newId(), at = Date.now() } = query;
  const signature = query.signature ?? fake.sign(nonce, String(at));
  const address = `http://127.0.0.1:${await portOf(t)}/api/im/callback?nonce=${nonce}&signTimestamp=${at}&signature=${signature}`;
  const body = new URLSearchParams({ channelType: 'GROUP', objectName: 'RC:TxtMsg', ...form });
  return (await fetch(address, { method: 'POST', body, headers: { host: 'localhost' } })).status;
}

test('signs like the vendor’s own example', () => {
  const { rongcloud } = JSON.parse(readFileSync(new URL('../../data/rongcloud.json', import.meta.url), 'utf8')) as {
    rongcloud: { secret: string; nonce: string; timestamp: string; signature: string }[];
  };
  for (const { secret, nonce, timestamp, signature } of rongcloud)
    expect(rongSignature(secret, nonce, timestamp)).toBe(signature);
});

describe('a distributor with RongCloud', () => {
  test('returns the provider’s token for the user, and its app key for the page', async () => {
    const user = await t.newUser({ nickName: '阿游' });
    expect(await user.client.ok(getImParams, {})).toMatchObject({ transport: 'rongcloud', appKey: fake.appKey });
    const token = await user.client.ok(im.getRCloudToken, {});
    expect(token).toMatchObject({ imToken: `t-${user.id}@x;1`, transport: 'rongcloud', imUid: String(user.id) });
    expect(fake.of('/user/getToken').at(-1)?.get('name')).toBe('阿游');
  });

  test('delivers each message once, in order, after creating the group with its members', async () => {
    const { buyer, seller, groupId } = await trade(t);
    await buyer.client.ok(im.sendMessage, textMessage(groupId, '在吗'));
    await seller.client.ok(im.sendMessage, textMessage(groupId, '加微信 abc12345'));
    const enclosed = () => fake.of('/message/group/publish').filter((f) => f.get('toGroupId') === groupId);
    // The opening, two texts, and the warning behind the masked one.
    await settled(() => expect(enclosed()).toHaveLength(4));
    expect(fake.rejected).toEqual([]);
    expect([...(fake.groups.get(groupId) ?? [])].toSorted()).toEqual(
      [String(buyer.id), String(seller.id), an.imUid].toSorted(),
    );
    const contents = enclosed().map((f) => JSON.parse(f.get('content') ?? '') as { content?: string; extra: string });
    expect(contents.map((c) => (JSON.parse(c.extra) as { seq: number }).seq)).toEqual([0, 1, 2, 3]);
    expect(contents[2]?.content).toContain('＊＊＊＊');
    expect(contents[2]?.content).not.toContain('abc12345');
    expect(enclosed().map((f) => f.get('fromUserId'))).toEqual([
      'system',
      String(buyer.id),
      String(seller.id),
      'system',
    ]);
  });

  test('forwards typing and read marks without storing them; an outsider’s are not forwarded', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const stranger = await t.newUser({});
    await seller.client.ok(im.sendMessage, textMessage(groupId, '在的'));
    await buyer.client.ok(im.typingIn, { groupId });
    await buyer.client.ok(im.readGroup, { groupId, seq: 1 });
    expect((await stranger.client.call(im.typingIn, { groupId })).code).toBe(codes.CHAT_NOT_MEMBER[0]);
    const hints = () =>
      fake
        .of('/message/group/publish')
        .filter((f) => f.get('toGroupId') === groupId && f.get('objectName') === 'YS:News')
        .map((f) => ({
          from: f.get('fromUserId'),
          kind: (JSON.parse(f.get('content') ?? '') as { kind: string }).kind,
          kept: f.get('isPersisted'),
          counted: f.get('isCounted'),
        }));
    const mine = { from: String(buyer.id), kept: '0', counted: '0' };
    await settled(() =>
      expect(hints()).toEqual([
        { ...mine, kind: 'typing' },
        { ...mine, kind: 'read' },
      ]),
    );
    expect(fake.rejected).toEqual([]);
  });

  test('adds the new member of staff to a transferred group, and removes the previous one', async () => {
    const { groupId } = await trade(t);
    bo = await t.newStaff({ role: 'service' });
    const { list } = await an.client.ok(staffIm.staffImColleagues, {});
    const to = list.find((one) => one.imUid === bo.imUid)?.staffId ?? 0;
    await an.client.ok(staffIm.staffImTransfer, { groupId, staffId: to });
    await settled(() => expect(fake.groups.get(groupId)?.has(bo.imUid)).toBe(true));
    await settled(() => expect(fake.groups.get(groupId)?.has(an.imUid)).toBe(false));
  });

  test('loses no message when a provider’s host fails: the next host is used, and history is complete', async () => {
    const { buyer, groupId } = await trade(t);
    const before = fake.of('/message/group/publish').length;
    await settled(() => expect(fake.of('/message/group/publish').length).toBeGreaterThanOrEqual(before));
    fake.failures.push(500);
    await buyer.client.ok(im.sendMessage, textMessage(groupId, '第一句'));
    await settled(() => {
      const last = fake.of('/message/group/publish').at(-1);
      expect(last?.get('content')).toContain('第一句');
    });
    fake.failures.push(500, 500);
    await buyer.client.ok(im.sendMessage, textMessage(groupId, '第二句'));
    await settled(() => expect(fake.failures).toEqual([]));
    const { list } = await buyer.client.ok(im.history, { groupId, after: 0 });
    expect(list.map((m) => m.content.content)).toEqual(['第一句', '第二句']);
  });
});

describe('messages from the provider’s own clients', () => {
  test('are stored as the user’s own, masked, once per number', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const form = {
      fromUserId: String(buyer.id),
      toUserId: groupId,
      msgUID: 'A1B2-C3D4',
      content: JSON.stringify({ content: '我的手机 13912345678' }),
    };
    const responses = await Promise.all([callback(form), callback(form), callback(form)]);
    expect(responses).toEqual([200, 200, 200]);
    const { list } = await seller.client.ok(im.history, { groupId, after: 0 });
    const texts = list.filter((m) => m.messageType === 'text');
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatchObject({ senderUserId: String(buyer.id), content: { masked: true } });
    expect(texts[0]?.content.content).not.toContain('13912345678');
  });

  test('show typing to customer service on our own socket, from our pages and their clients', async () => {
    const { buyer, seller, groupId } = await trade(t);
    const outsider = await t.newUser({});
    const info = await buyer.client.ok(im.groupInfo, { groupId });
    const current = info.members.find((m) => m.isCurrent)?.imUid;
    const support = await connect(t, current === an.imUid ? an : bo);
    await buyer.client.ok(im.typingIn, { groupId });
    expect(await support.next('typing')).toEqual({ op: 'typing', groupId, imUid: String(buyer.id) });
    const form = { objectName: 'YS:News', toUserId: groupId, msgUID: 'T1' };
    const typing = JSON.stringify({ kind: 'typing' });
    expect(await callback({ ...form, fromUserId: String(outsider.id), content: typing })).toBe(200);
    const copy = JSON.stringify({ kind: 'typing', extra: JSON.stringify({ groupId }) });
    expect(await callback({ ...form, fromUserId: String(buyer.id), content: copy })).toBe(200);
    for (const _ of [1, 2, 3])
      expect(await callback({ ...form, fromUserId: String(seller.id), content: typing })).toBe(200);
    await support.next('typing', ({ imUid }) => imUid === String(seller.id));
    await support.settled();
    expect(support.of('typing').map(({ imUid }) => imUid)).toEqual([String(buyer.id), String(seller.id)]);
    await support.cut();
  });

  test('get no copy, signal or token from a restored market, whose own history is complete', async () => {
    const { buyer, seller, groupId } = await trade(t);
    await settled(() => expect(fake.groups.has(groupId)).toBe(true));
    await settled(() =>
      expect(fake.of('/message/group/publish').some((f) => f.get('toGroupId') === groupId)).toBe(true),
    );
    await asSuperuser(databaseOf(t.ctx), `insert into quarantine (restored_to, source) values (now(), 'x')`);
    const before = fake.calls.length;
    await buyer.client.ok(im.sendMessage, textMessage(groupId, '还在吗'));
    expect((await buyer.client.call(im.getRCloudToken, {})).code).toBe(codes.QUARANTINE[0]);
    await expect(t.ctx.imProvider?.hint({ groupId, sender: String(buyer.id), kind: 'typing' })).rejects.toMatchObject({
      code: codes.QUARANTINE[0],
    });
    expect(fake.calls.slice(before)).toEqual([]);
    await asSuperuser(
      databaseOf(t.ctx),
      `update quarantine set released_at = now(), reason = 'x' where released_at is null`,
    );
    await buyer.client.ok(im.sendMessage, textMessage(groupId, '恢复了'));
    const published = () => fake.of('/message/group/publish').map((f) => f.get('content') ?? '');
    await settled(() => expect(published().some((content) => content.includes('恢复了'))).toBe(true));
    expect(published().filter((content) => content.includes('还在吗'))).toEqual([]);
    const { list } = await seller.client.ok(im.history, { groupId, after: 0 });
    expect(list.map(({ content }) => content.content)).toEqual(expect.arrayContaining(['还在吗', '恢复了']));
  });

  test('are rejected without a valid signature and of outsiders, and our own copies are ignored', async () => {
    const { buyer, groupId } = await trade(t);
    const outsider = await t.newUser({});
    const form = { toUserId: groupId, msgUID: 'x-1', content: JSON.stringify({ content: '冒充' }) };
    const mine = { ...form, fromUserId: String(buyer.id) };
    expect(await callback(mine, { signature: 'f'.repeat(40) })).toBe(401);
    expect(await callback(mine, { at: Date.now() - 3_600_000 })).toBe(401);
    expect(await callback({ ...form, fromUserId: String(outsider.id) })).toBe(200);
    expect(await callback({ ...form, fromUserId: 'system' })).toBe(200);
    const copy = JSON.stringify({ content: '副本', extra: JSON.stringify({ groupId, seq: 1 }) });
    expect(await callback({ ...mine, content: copy })).toBe(200);
    expect((await buyer.client.ok(im.history, { groupId, after: 0 })).list).toEqual([]);
  });
});

test('no callback exists without a provider, and tokens are our own', async () => {
  const plain = await testApp();
  try {
    const user = await plain.newUser({});
    const { transport, imToken } = await user.client.ok(im.getRCloudToken, {});
    expect([transport, imToken === '']).toEqual(['native', false]);
    expect((await user.client.ok(getImParams, {})).transport).toBe('native');
    const response = await plain.app.http.inject({ method: 'POST', url: '/api/im/callback' });
    expect(response.statusCode).toBe(404);
    expect(codes.NOT_FOUND[1]).toBe(404);
  } finally {
    await plain.close();
  }
});
