/** Blocked words by staff: lists of many lines, levels, what texts become on every node, and how often each was hit. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reviewGoods } from '#subjects/goods/contract/staff-review.ts';
import * as c from '#subjects/back-office/contract/blocked-words.ts';
import { codes } from '#contract/codes.ts';
import { releaseGoods } from '#subjects/goods/contract/goods.ts';
import * as im from '#subjects/chat/contract/im.ts';
import { createApp } from '#server/app.ts';
import { createContext } from '#server/context.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { newId, trade } from '#tests/support/market/chat.ts';
import { TestClient } from '#tests/support/servers/client.ts';
import { accountOffer, type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';

let t: TestApp;
let writer: TestStaff;
let other: TestStaff;
let offers: OfferFixture;

beforeAll(async () => {
  t = await testApp({ env: { LIMIT_FACTOR: '1000', DATABASE_POOL: '20' } });
  offers = await offerFixture(t);
  writer = await t.newStaff({ role: 'content' });
  other = await t.newStaff({ role: 'admin' });
});
afterAll(async () => await t.close());
beforeEach(async () => {
  await sql`update blocked_word set ended_at = now() where ended_at is null`.execute(t.ctx.db);
  await t.ctx.blockedWords.reload();
});

const add = async (lines: string, level: 'mask' | 'review' | 'refuse' = 'mask', who = writer) =>
  await who.client.call(c.addBlockedWords, { lines, level, reason: '整理词库' });
const listed = async (query = {}) => (await writer.client.ok(c.wordList, query)).list;
const wordOf = async (word: string) => {
  const found = (await listed()).find((one) => one.word === word);
  if (!found) throw new Error(`no word ${word}`);
  return found;
};

describe('a list', () => {
  test('adds many lines completely, with levels and notes', async () => {
    expect(await add('外挂\n\n代开发票，拒绝，常见骗术\n代充,送审\nvpn')).toMatchObject({
      code: 0,
      data: { added: 4 },
    });
    const list = await listed();
    expect(Object.fromEntries(list.map(({ word, level }) => [word, level]))).toEqual({
      vpn: 'mask',
      代充: 'review',
      代开发票: 'refuse',
      外挂: 'mask',
    });
    expect(await listed({ level: 'refuse' })).toMatchObject([{ word: '代开发票', note: '常见骗术' }]);
    expect(await listed({ keyWord: '代' })).toHaveLength(2);
  });

  test.each([
    ['a level that is none', '外挂\n代充,删除', '第 2 行：级别'],
    ['too short', '外挂\n外', '第 2 行：词语应为 2 到 30'],
    ['nothing but signs', '。。。', '第 1 行'],
    ['the same word twice, in another form', '外挂\nvpn\nＶＰＮ', '第 3 行：与第 2 行相同'],
    ['too many lines', Array.from({ length: 1001 }, (_, n) => `词语${n}`).join('\n'), '最多 1000 行'],
    ['many wrong lines', Array.from({ length: 8 }, () => '外').join('\n'), '另有 3 行'],
  ])('is rejected as a whole when it has %s', async (_, lines, text) => {
    expect(await add(lines)).toMatchObject({
      code: codes.BAD_INPUT[0],
      field: 'lines',
      msg: expect.stringContaining(text),
    });
    expect(await listed()).toEqual([]);
  });

  test('names the line of an existing word; two concurrent editors add a word once', async () => {
    const outcomes = await Promise.all([add('外挂'), add('外 挂', 'refuse', other)]);
    expect(outcomes.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, codes.BAD_INPUT[0]]);
    expect(await add('代充\n外挂')).toMatchObject({ field: 'lines', msg: '第 2 行：这个词已在列表中' });
    expect(await listed()).toHaveLength(1);
  });

  test('changes and disables a word only in the version that was read', async () => {
    await add('外挂');
    const { wordId, version } = await wordOf('外挂');
    const change = (who: TestStaff, level: 'review' | 'refuse') =>
      who.client.call(c.changeWord, { wordId, version, level, note: '' });
    const outcomes = await Promise.all([change(writer, 'review'), change(other, 'refuse')]);
    expect(outcomes.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, codes.TEXT_CHANGED[0]]);
    const end = async (of: number) => await writer.client.call(c.endWord, { wordId, version: of, reason: '误伤太多' });
    expect((await end(version)).code).toBe(codes.TEXT_CHANGED[0]);
    expect((await end(version + 1)).code).toBe(0);
    expect((await end(version + 1)).code).toBe(codes.TEXT_CHANGED[0]);
    expect(t.ctx.blockedWords.find('外挂')).toEqual([]);
    expect((await listed({ ended: '1' })).find((one) => one.wordId === wordId)).toMatchObject({
      endReason: '误伤太多',
    });
    expect((await add('外挂')).code).toBe(0);
    const { rows } = await sql<{ act: string }>`
      select act from audit_log where target = ${`word:${wordId}`} order by id`.execute(t.ctx.db);
    expect(rows.map(({ act }) => act)).toEqual(['text.wordLevel', 'text.wordEnd']);
  });
});

describe('filtering', () => {
  test('a trial shows the result and counts no hit', async () => {
    await add('外挂\n代充,review\n代开发票,refuse');
    const tried = async (text: string) => await writer.client.ok(c.tryBlockedWords, { text });
    expect(await tried('卖外 挂和代充')).toMatchObject({
      published: '卖＊＊＊和＊＊',
      chat: '卖＊＊＊和＊＊',
      hits: [{ level: 'mask' }, { level: 'review' }],
    });
    expect(await tried('代开发票')).toMatchObject({ published: null, chat: null });
    expect(await tried('普通的话')).toEqual({ published: '普通的话', chat: '普通的话', hits: [] });
    await t.ctx.blockedWords.flush();
    expect((await listed()).map(({ hits }) => hits)).toEqual([0, 0, 0]);
  });

  test('chat masks words, rejects messages, and counts the hits', async () => {
    await add('外挂\n代开发票,refuse');
    const { buyer, groupId } = await trade(t);
    const send = async (content: string) =>
      await buyer.client.call(im.sendMessage, { groupId, clientMsgId: newId(), messageType: 'text', content });
    expect((await send('有没有外挂，外挂')).code).toBe(0);
    const { list } = await buyer.client.ok(im.history, { groupId });
    expect(list.at(-1)?.content).toEqual({ content: '有没有＊＊，＊＊' });
    expect(await send('代开发票')).toMatchObject({
      code: codes.BAD_INPUT[0],
      msg: expect.not.stringContaining('发票'),
    });
    expect((await buyer.client.ok(im.history, { groupId })).list).toHaveLength(list.length);
    await t.ctx.blockedWords.flush();
    expect((await wordOf('外挂')).hits).toBe(2);
    expect((await wordOf('代开发票')).hits).toBe(1);
    expect((await wordOf('外挂')).lastHit).not.toBeNull();
  });

  test('a listing is masked, marked for its reviewer, or rejected with a field error', async () => {
    await add('外挂\n代充,review\n代开发票,refuse');
    const seller = await offers.sellerWith(5);
    const goodsSn = await offers.published(seller, {
      bigTitle: '荣耀王者 外挂 全英雄',
      description: '自用号，可以代充',
    });
    const { bigTitle, description, findings } = await other.client.ok(reviewGoods, { goodsSn });
    expect(bigTitle).toContain('＊＊');
    expect(description).toContain('代充');
    expect(findings).toMatchObject([{ label: '标题' }, { label: '描述', sentences: ['代充'] }]);
    const offer = { ...accountOffer({ description: '代开发票请问' }) };
    const rejected = await seller.client.call(releaseGoods, offer as never);
    expect(rejected).toMatchObject({ code: codes.BAD_INPUT[0], field: 'description' });
  });

  test('takes effect on another node immediately', async () => {
    const open = () => createContext(t.ctx.config, t.ctx.config.databaseUrl ?? '', { log: t.ctx.log });
    const [first, second] = [await open(), await open()];
    const { http } = await createApp(first);
    try {
      await http.ready();
      const client = new TestClient(http, { host: 'backstage.localhost' });
      for (const [name, value] of writer.client.jar) client.jar.set(name, value);
      client.token = writer.client.token;
      expect((await client.call(c.addBlockedWords, { lines: '外挂', level: 'mask', reason: '整理词库' })).code).toBe(0);
      await expect.poll(() => second.blockedWords.find('外挂').length).toBe(1);
    } finally {
      await http.close();
      await first.close();
      await second.close();
    }
  });
});
