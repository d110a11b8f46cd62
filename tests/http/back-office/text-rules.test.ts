/** Public rules and agreements by staff: drafts, from when they count, what users read, and consent to what changed. */
import { chinaClock } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveNews } from '#subjects/content/contract/staff-content.ts';
import * as c from '#subjects/content/contract/staff-rules.ts';
import { codes } from '#contract/codes.ts';
import { giveConsent, pendingConsents } from '#subjects/accounts/contract/consent.ts';
import { newsInfo2, publicTextVersions } from '#subjects/content/contract/content.ts';
import { ruleBook } from '#subjects/disputes/contract/dispute.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { rulesOfTheProgram } from '#subjects/content/rules/public-texts.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let writer: TestStaff;
let other: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { LIMIT_FACTOR: '1000' } });
  await addGame(t.ctx);
  writer = await t.newStaff({ role: 'content' });
  other = await t.newStaff({ role: 'admin' });
});
afterAll(async () => await t.close());

test('the rule on a claim’s deadline states its conditions, in the current version', async () => {
  const { list } = await t.client().ok(ruleBook, {});
  const clock = list.find(({ no }) => no === '5.1');
  expect(clock).toMatchObject({ version: 2 });
  expect(clock?.body).toMatch(/规则 5\.5.*规则 5\.7/);
});

const inDays = (days: number): string => chinaClock(new Date(Date.now() + days * 86_400_000)).slice(0, 16);

async function entryOf(key: string) {
  const { rules, agreements } = await writer.client.ok(c.ruleTexts, {});
  return [...rules, ...agreements].find((one) => one.key === key);
}

interface Given {
  version?: number;
  draftVersion?: number;
  title?: string;
  body?: string;
  from?: string;
  retired?: '0' | '1';
  needsConsent?: '0' | '1';
  who?: TestStaff;
}

async function publish(key: string, { who = writer, ...given }: Given = {}) {
  const entry = await entryOf(key);
  return await who.client.call(c.publishRule, {
    key,
    version: entry?.version ?? 0,
    draftVersion: entry?.draft?.draftVersion ?? 0,
    title: '与描述不符',
    body: '描述与实际不符的，退款。',
    from: '',
    retired: '0',
    needsConsent: '0',
    reason: '写得更清楚',
    ...given,
  });
}

const visitor = () => t.client();
const inBook = async (no: string) => (await visitor().ok(ruleBook, {})).list.find((rule) => rule.no === no);

describe('a public rule', () => {
  test('is drafted privately, published, read with its history, and retired; its number is kept', async () => {
    const key = 'rule:41.1';
    const draft = { key, title: '代练进度', body: '每两小时一张进度图。' };
    const { draftVersion } = await writer.client.ok(c.saveRuleDraft, { ...draft, draftVersion: 0 });
    expect(await inBook('41.1')).toBeUndefined();
    expect((await visitor().call(publicTextVersions, { code: '41.1' })).status).toBe(404);
    expect(await entryOf(key)).toMatchObject({ version: 0, current: null, draft: { draftVersion, title: '代练进度' } });

    expect(await publish(key, draft)).toMatchObject({ code: 0, data: { version: 1, state: 'counts' } });
    expect(await entryOf(key)).toMatchObject({ version: 1, draft: null, current: { title: '代练进度' } });
    expect(await inBook('41.1')).toMatchObject({ version: 1, body: '每两小时一张进度图。' });

    expect((await publish(key, { ...draft, body: '每小时一张进度图。' })).code).toBe(0);
    const { list } = await visitor().ok(publicTextVersions, { code: '41.1' });
    expect(list.map(({ version, state, text }) => [version, state, text])).toEqual([
      [2, 'counts', '每小时一张进度图。'],
      [1, 'past', '每两小时一张进度图。'],
    ]);

    expect((await publish(key, { ...draft, body: '每小时一张进度图。', retired: '1' })).code).toBe(0);
    expect(await inBook('41.1')).toBeUndefined();
    const after = await visitor().ok(publicTextVersions, { code: '41.1' });
    expect(after.list[0]).toMatchObject({ version: 3, retired: true, state: 'counts' });
    const { rows } = await sql<{ act: string }>`
      select act from audit_log where target = 'rules:41.1' order by id`.execute(t.ctx.db);
    expect(rows.map(({ act }) => act)).toEqual(['text.draft', 'text.rule', 'text.rule', 'text.rule']);
  });

  test('takes effect at its time, is public before, and can be cancelled until then', async () => {
    const key = 'rule:41.2';
    await publish(key, { body: '旧的文字。' });
    const planned = await publish(key, { body: '新的文字。', from: inDays(3) });
    expect(planned).toMatchObject({ code: 0, data: { version: 2, state: 'planned' } });
    expect(await inBook('41.2')).toMatchObject({ version: 1, body: '旧的文字。' });
    expect((await visitor().ok(publicTextVersions, { code: '41.2' })).list[0]).toMatchObject({ state: 'planned' });
    expect((await publish(key, { body: '第三种。' })).code).toBe(codes.TEXT_PENDING[0]);

    const take = async () => await writer.client.call(c.revokeRule, { key, version: 2, reason: '写错了' });
    const outcomes = await Promise.all([take(), take()]);
    expect(outcomes.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, codes.TEXT_CHANGED[0]]);
    expect((await visitor().ok(publicTextVersions, { code: '41.2' })).list).toHaveLength(1);
    const { list } = await writer.client.ok(c.ruleTextHistory, { key });
    expect(list.map(({ version, state }) => [version, state])).toEqual([
      [2, 'revoked'],
      [1, 'counts'],
    ]);
    expect((await writer.client.call(c.revokeRule, { key, version: 1, reason: '不要了' })).code).toBe(
      codes.TEXT_CHANGED[0],
    );
    expect(await publish(key, { body: '第三种。' })).toMatchObject({ code: 0, data: { version: 3 } });
  });

  test('is never rewritten, also by SQL', async () => {
    for (const change of [
      sql`update platform_rule set body = '别的' where no = '41.2'`,
      sql`delete from platform_rule where no = '41.2'`,
      sql`update platform_rule set revoked_at = now() where no = '41.2' and version = 1`,
    ])
      await expect(change.execute(t.ctx.db)).rejects.toThrow();
  });

  test('accepts one of several concurrent edits, for drafts and for versions', async () => {
    const key = 'rule:41.3';
    const save = (who: TestStaff, body: string) =>
      who.client.call(c.saveRuleDraft, { key, draftVersion: 0, title: '同时修改', body });
    const drafts = await Promise.all([save(writer, '甲的文字'), save(other, '乙的文字')]);
    expect(drafts.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, codes.TEXT_CHANGED[0]]);
    const input = { version: 0, draftVersion: 1, title: '同时修改' };
    const outcomes = await Promise.all([
      publish(key, { ...input, body: '甲的文字' }),
      publish(key, { ...input, body: '乙的文字', who: other }),
      publish(key, { ...input, body: '丙的文字' }),
    ]);
    expect(outcomes.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
      0,
      codes.TEXT_CHANGED[0],
      codes.TEXT_CHANGED[0],
    ]);
    expect((await entryOf(key))?.version).toBe(1);
    // An editor who publishes over a draft that another saved meanwhile gets an error.
    await writer.client.ok(c.saveRuleDraft, { key, draftVersion: 0, title: '草稿', body: '还没写完' });
    expect((await publish(key, { draftVersion: 7, body: '不该成功' })).code).toBe(codes.TEXT_CHANGED[0]);
    expect((await entryOf(key))?.version).toBe(1);
  });

  test.each([
    ['a number that is none', 'rule:3.x', {}, 'key', '编号'],
    ['an empty title', 'rule:42.1', { title: ' ' }, 'title', '至少 2'],
    ['too long', 'rule:42.1', { body: '字'.repeat(601) }, 'body', '最多 600 个字，现在 601 个'],
    ['a beginning that is past', 'rule:42.1', { from: inDays(-1) }, 'from', '晚于现在'],
    ['a beginning too far away', 'rule:42.1', { from: inDays(200) }, 'from', '最远 180 天'],
    ['no such day', 'rule:42.1', { from: '2026-13-01T00:00' }, 'from', '时间'],
    ['retiring an unknown rule', 'rule:42.1', { retired: '1' as const }, 'retired', '生效中'],
    ['retiring a rule of the program', 'rule:8.3', { retired: '1' as const }, 'retired', '不能停用'],
  ])('%s gets a field error', async (_, key, input, field, text) => {
    const before = await entryOf(key);
    expect(await publish(key, input)).toMatchObject({
      code: codes.BAD_INPUT[0],
      field,
      msg: expect.stringContaining(text),
    });
    expect(await entryOf(key)).toEqual(before);
  });

  test('exists for every rule that the program applies', async () => {
    const { list } = await visitor().ok(ruleBook, {});
    expect(rulesOfTheProgram.filter((no) => !list.some((rule) => rule.no === no))).toEqual([]);
  });
});

describe('an agreement', () => {
  const key = 'legal:user_agreement';
  const text = { title: '用户协议', body: '# 一、谁可以使用\n\n- 须年满 18 周岁。' };

  test('is one text: its article shows the effective version, and cannot be edited as an article', async () => {
    const article = await visitor().ok(newsInfo2, { code: 'agreement' });
    expect(article.legal).toMatchObject({ code: 'user_agreement', version: 2 });
    const news = {
      code: 'agreement',
      category: 'rule',
      title: '用户协议',
      summary: '',
      body: '别的',
      pinned: '0',
    } as const;
    expect(await writer.client.call(saveNews, news)).toMatchObject({ code: codes.BAD_INPUT[0], field: 'code' });
  });

  test('changes immediately before the first consent, later only with notice; an invalid text is rejected', async () => {
    expect((await publish(key, { ...text, body: '[坏链接](javascript:x)' })).field).toBe('body');
    expect((await publish('legal:no_such', text)).code).toBe(codes.NOT_FOUND[0]);
    expect((await publish(key, text)).code).toBe(0);
    const article = await visitor().ok(newsInfo2, { code: 'agreement' });
    expect(article).toMatchObject({
      legal: { version: 3 },
      blocks: [{ t: 'h' }, { t: 'li', text: '须年满 18 周岁。' }],
    });

    const user = await t.newUser();
    await sql`insert into consent (user_id, text_code, text_version) values (${user.id}, 'user_agreement', 3)`.execute(
      t.ctx.db,
    );
    const changed = { ...text, body: `${text.body}\n- 一人一号。` };
    expect(await publish(key, changed)).toMatchObject({ field: 'from', msg: expect.stringContaining('提前 7 天') });
    expect((await publish(key, { ...changed, from: inDays(6) })).field).toBe('from');
    expect(await publish(key, { ...changed, from: inDays(8) })).toMatchObject({ code: 0, data: { state: 'planned' } });
    expect((await visitor().ok(newsInfo2, { code: 'agreement' })).legal).toMatchObject({ version: 3 });
  });

  test('asks users with consent to an earlier version again before the next trade, and no others', async () => {
    const buyer = await t.newUser({ balanceFen: 1_000_000 });
    const seller = await t.newUser();
    const { sn } = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
    expect((await buyer.client.ok(pendingConsents, {})).list).toEqual([]);
    // A version that was public long enough and asks again.
    await sql`insert into legal_text (code, version, title, blocks, in_force_from, needs_consent)
      values ('privacy', 2, '隐私政策', '[{"t":"p","text":"新的"}]', now() - interval '1 hour', true)`.execute(
      t.ctx.db,
    );
    const { list } = await buyer.client.ok(pendingConsents, {});
    expect(list).toMatchObject([{ code: 'privacy', version: 2 }]);
    expect((await buyer.client.call(placeOrder, { goodsSn: sn })).code).toBe(codes.CONSENT_DUE[0]);
    expect((await buyer.client.call(giveConsent, { code: 'privacy', version: 1 })).code).toBe(codes.TEXT_CHANGED[0]);
    await Promise.all([1, 2].map(async () => await buyer.client.ok(giveConsent, { code: 'privacy', version: 2 })));
    expect((await buyer.client.ok(pendingConsents, {})).list).toEqual([]);
    expect((await buyer.client.call(placeOrder, { goodsSn: sn })).code).toBe(0);
    const { rows } = await sql`
      select from consent where user_id = ${buyer.id} and text_code = 'privacy' and text_version = 2`.execute(t.ctx.db);
    expect(rows).toHaveLength(1);
  });
});
