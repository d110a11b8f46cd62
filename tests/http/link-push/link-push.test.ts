/** Pages that a brand tells Baidu of: who sets the token, what is submitted at which address, and how quota and failures are respected. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as content from '#subjects/content/contract/staff-content.ts';
import * as c from '#subjects/link-push/contract/staff-link-push.ts';
import { codes } from '#contract/codes.ts';
import { pushReason } from '#subjects/link-push/rules/link-push.ts';
import { createBrand } from '#subjects/distributors/server/service.ts';
import { reindexGoods } from '#subjects/goods/server/service.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { FakeBaiduPush } from '#tests/support/fakes/baidu-push.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

const TOKEN = 'aBcD1234eFgH5678';
const SITE = 'moon.localhost:3000';

let t: TestApp;
let baidu: FakeBaiduPush;
let finance: TestStaff;
let sellerId: number;
let distId: number;

beforeAll(async () => {
  baidu = new FakeBaiduPush();
  t = await testApp({
    env: { LINK_PUSH: 'baidu', BAIDU_PUSH_BASE: await baidu.listen(), SITE_URL: 'http://localhost:3000' },
  });
  const brand = { code: 'moon', name: '月光游戏', host: 'moon.localhost', reason: '新开品牌' };
  ({ distId } = await createBrand(t.ctx, { id: null }, brand));
  finance = await t.newStaff({ role: 'finance' });
  sellerId = (await t.newUser()).id;
  await addGame(t.ctx);
});
afterAll(async () => {
  await t.close();
  await baidu.close();
});
beforeEach(() => {
  baidu.sites.set(SITE, TOKEN);
  baidu.remain = 100;
  baidu.taken.length = 0;
  baidu.sizes.length = 0;
  baidu.mend();
});
afterEach(async () => {
  await sql`delete from link_push_site`.execute(t.ctx.db);
  await sql`delete from limit_counter where key like 'linkPush:%'`.execute(t.ctx.db);
});

const setToken = async (token = TOKEN, of = distId) =>
  await finance.client.ok(c.setLinkPushToken, { distId: of, token, reason: '接入百度' });
const shown = async () => await finance.client.ok(c.staffLinkPush, { distId });

/** A listing that was just put on sale on a site. */
async function onSale(of = distId): Promise<{ id: number; sn: string }> {
  const goods = await addGoods(t.ctx, { sellerId });
  await sql`update goods set dist_id = ${of} where id = ${goods.id}`.execute(t.ctx.db);
  await reindexGoods(t.ctx, t.ctx.db, goods.id);
  await told(goods.id);
  return goods;
}

async function told(goodsId: number): Promise<void> {
  await sql`insert into outbox (topic, payload) values ('goods.on', ${JSON.stringify({ goodsId })}::jsonb)`.execute(
    t.ctx.db,
  );
  await t.relay();
}

/** Lets what waits be submitted now. */
async function push(): Promise<void> {
  await makeDue(t.ctx.db, 'linkPush.send');
  await t.timers();
}

/** As if the time that a site waits had passed. */
const endWait = async () =>
  await sql`update link_push_site set held_until = now() - interval '1 second'`.execute(t.ctx.db);

describe('the token', () => {
  test('is set by the platform’s staff who may change terms, stored encrypted and never shown', async () => {
    const operator = await t.newStaff({ role: 'operator', distId });
    const foreign = await t.newStaff({ role: 'operator', distId: 1 });
    const input = { distId, token: TOKEN, reason: '接入百度' };
    expect((await operator.client.call(c.setLinkPushToken, input)).code).toBe(codes.FORBIDDEN[0]);
    expect((await operator.client.call(c.testLinkPush, { distId })).code).toBe(codes.FORBIDDEN[0]);
    expect((await foreign.client.call(c.staffLinkPush, { distId })).code).toBe(codes.NOT_FOUND[0]);
    await setToken();
    const { rows } = await sql<{ token: Buffer; log: string }>`
      select token_enc as token, (select string_agg(detail::text, ' ') from audit_log where act = 'brand.pushToken') as log from link_push_site`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.token.includes(Buffer.from(TOKEN))).toBe(false);
    expect(rows[0]?.log).toContain('接入百度');
    expect(rows[0]?.log).not.toContain(TOKEN);
    const seen = await operator.client.ok(c.staffLinkPush, { distId });
    expect(JSON.stringify(seen)).not.toContain(TOKEN);
    expect(seen).toMatchObject({
      state: 'on',
      site: `http://${SITE}`,
      token: { setBy: expect.any(String) as string },
      maySet: false,
    });
    await setToken('');
    expect((await shown()).token).toBeNull();
  });

  test('is tried with the home page, and a wrong one is told', async () => {
    expect((await finance.client.call(c.testLinkPush, { distId })).field).toBe('token');
    expect(
      (await finance.client.call(c.setLinkPushToken, { distId, token: 'http://data.zz', reason: '接入' })).field,
    ).toBe('token');
    await setToken('wrong-token-0000');
    expect(await finance.client.ok(c.testLinkPush, { distId })).toEqual({
      ok: false,
      text: expect.stringContaining('推送密钥不正确') as string,
    });
    baidu.sites.clear();
    await setToken();
    expect((await finance.client.ok(c.testLinkPush, { distId })).text).toContain('没有这个站点');
    baidu.sites.set(SITE, TOKEN);
    expect(await finance.client.ok(c.testLinkPush, { distId })).toEqual({
      ok: true,
      text: '百度已接受首页，今天还可以推送 99 个',
    });
    expect(baidu.taken).toEqual([`http://${SITE}/`]);
    baidu.fail(/urls/, 'malformed');
    expect((await finance.client.ok(c.testLinkPush, { distId })).ok).toBe(false);
    for (let n = 0; n < 2; n++) await finance.client.call(c.testLinkPush, { distId });
    expect((await finance.client.call(c.testLinkPush, { distId })).code).toBe(codes.RATE_LIMITED[0]);
  });
});

describe('pages', () => {
  test('are pushed in one batch for listings, with one address each, while on sale', async () => {
    await onSale();
    expect(await shown()).toMatchObject({ waiting: 0 });
    await setToken();
    await t.timers();
    const mine = [await onSale(), await onSale()];
    const gone = await onSale();
    await onSale(1);
    await sql`delete from goods_search where goods_id = ${gone.id}`.execute(t.ctx.db);
    await t.timers();
    expect(baidu.taken, 'changes of a minute are gathered').toEqual([]);
    await push();
    expect(baidu.taken.toSorted()).toEqual(mine.map(({ sn }) => `http://${SITE}/detail/${sn}`).toSorted());
    expect(baidu.count(/urls/)).toBe(baidu.requests.length);
    expect(await shown()).toMatchObject({ accepted: 2, remaining: 98, waiting: 0, failure: null });
    // The same page again within a day uses no quota.
    await told(mine[0]?.id ?? 0);
    await push();
    expect(baidu.taken).toHaveLength(2);
    await sql`update link_push set sent_at = now() - interval '25 hours'`.execute(t.ctx.db);
    await told(mine[0]?.id ?? 0);
    await push();
    expect(baidu.taken).toHaveLength(3);
  });

  test('are pushed for news and cases when these are published', async () => {
    await setToken();
    const editor = await t.newStaff({ role: 'content' });
    const news = {
      code: 'spring',
      category: 'notice' as const,
      title: '春节客服安排',
      body: '除夕到初三照常在线。',
      distId,
    };
    const { id } = await editor.client.ok(content.saveNews, { ...news, publish: false });
    await t.relay();
    expect((await shown()).waiting).toBe(0);
    await editor.client.ok(content.publishNews, { id, act: 'publish' });
    await t.relay();
    await push();
    expect(baidu.taken).toEqual([`http://${SITE}/news/spring`]);
  });
});

describe('quota and failures', () => {
  test('no more is submitted than the day still takes, and the rest waits for tomorrow', async () => {
    await setToken();
    baidu.remain = 2;
    expect((await finance.client.ok(c.testLinkPush, { distId })).ok).toBe(true);
    for (let n = 0; n < 3; n++) await onSale();
    await push();
    expect(baidu.taken).toHaveLength(2);
    expect(await shown()).toMatchObject({ accepted: 2, remaining: 0, waiting: 2 });
    const before = baidu.requests.length;
    await push();
    await onSale();
    await push();
    expect(baidu.requests.length, 'nothing is asked for today').toBe(before);
    baidu.remain = 10;
    await sql`update link_push_site set day = day - 1, held_until = now() - interval '1 second'`.execute(t.ctx.db);
    // First as many as yesterday took in all, then what today still takes.
    for (let turn = 0; turn < 2; turn++) await push();
    expect(baidu.sizes.slice(-2)).toEqual([2, 1]);
    expect(await shown()).toMatchObject({ accepted: 3, remaining: 7, waiting: 0 });
  });

  test('a used-up quota that Baidu tells only by its error waits as well', async () => {
    await setToken();
    baidu.remain = 0;
    await onSale();
    await push();
    const { failure, remaining, waiting } = await shown();
    expect([failure?.text, remaining, waiting]).toEqual(['今天的推送额度已用完，明天继续', 0, 1]);
    expect(failure?.untilTime).not.toBeNull();
  });

  test('a quota that is smaller than a batch is found the same day, and is the first batch of the next', async () => {
    await setToken();
    await sql`insert into link_push (dist_id, path) select ${distId}, '/news/' || n from generate_series(1, 10) n`.execute(
      t.ctx.db,
    );
    baidu.remain = 3;
    for (let turn = 0; turn < 8; turn++) await push();
    expect(baidu.taken).toHaveLength(3);
    expect(baidu.sizes, 'halved until it is taken, then what the day still takes').toEqual([10, 5, 2, 1]);
    expect(await shown()).toMatchObject({ accepted: 3, remaining: 0, waiting: 7 });
    baidu.remain = 3;
    await sql`update link_push_site set day = day - 1, held_until = now() - interval '1 second'`.execute(t.ctx.db);
    await push();
    expect(baidu.sizes.slice(4)).toEqual([3]);
    expect(await shown()).toMatchObject({ accepted: 3, remaining: 0, waiting: 4 });
  });

  test('after a failure a site waits, longer each time, and nothing is lost', async () => {
    await setToken();
    await onSale();
    const waits: number[] = [];
    for (const kind of ['error500', 'hang', 'malformed'] as const) {
      if (kind === 'hang') baidu.fail(/urls/, 'refuse', 2);
      else baidu.fail(/urls/, kind, 2);
      await push();
      const { rows } = await sql<{
        s: number;
      }>`select extract(epoch from held_until - now())::int as s from link_push_site`.execute(t.ctx.db);
      waits.push(Math.round((rows[0]?.s ?? 0) / 600));
      baidu.mend();
      await push();
      await endWait();
    }
    expect(waits).toEqual([1, 2, 4]);
    expect((await shown()).failure?.text).toContain('自动重试');
    await push();
    // An answer that could not be read had taken the page; it is submitted again, which does no harm.
    expect(new Set(baidu.taken).size).toBe(1);
    expect(await shown()).toMatchObject({ failure: null, waiting: 0 });
  });

  test('an address that Baidu refuses is told and not submitted again', async () => {
    await setToken();
    await sql`insert into link_push (dist_id, path) values (${distId}, '/news/x y')`.execute(t.ctx.db);
    const { sn } = await onSale();
    await push();
    expect(baidu.taken).toEqual([`http://${SITE}/detail/${sn}`]);
    const { failure, refused, waiting, accepted } = await shown();
    expect(failure?.text).toContain('没有接受其中 1 个网址');
    expect([refused, waiting, accepted]).toEqual([['/news/x y'], 0, 1]);
    const asked = baidu.requests.length;
    await push();
    expect(baidu.requests.length).toBe(asked);
  });
});

test('pages that nobody could be told of for a month are deleted like those that were', async () => {
  await setToken();
  // A site that cannot be submitted to for now.
  await sql`update link_push_site set held_until = now() + interval '1 day'`.execute(t.ctx.db);
  await sql`insert into link_push (dist_id, path, queued_at, sent_at, outcome) values
    (${distId}, '/news/waits', now() - interval '29 days', null, null), (${distId}, '/news/stuck', now() - interval '31 days', null, null),
    (${distId}, '/news/fresh', now() - interval '40 days', now() - interval '29 days', 'accepted'),
    (${distId}, '/news/old', now() - interval '40 days', now() - interval '31 days', 'accepted')`.execute(t.ctx.db);
  await sql`insert into timer (kind, ref, due_at) values ('retention.sweep', 'all', now()) on conflict (kind, ref) do update set due_at = now()`.execute(
    t.ctx.db,
  );
  await t.timers();
  const { rows } = await sql<{ path: string }>`select path from link_push order by path`.execute(t.ctx.db);
  expect(rows.map(({ path }) => path)).toEqual(['/news/fresh', '/news/waits']);
});

test('why Baidu refuses is said in Chinese, with the code of what we do not know', () => {
  for (const message of ['over quota', 'site init fail', 'internal error', 'only 2000 urls are allowed once'])
    expect(pushReason(message)).toMatch(/^[^a-z]+$/);
  for (const message of ['HTTP 403', 'site is banned']) {
    const text = pushReason(message);
    expect(text).toContain(`（代码：${message}）`);
    expect(text.replace(message, '')).toMatch(/^[^a-z]+$/);
  }
});

test('a market without Baidu keeps nothing waiting for it', async () => {
  const off = await testApp({ env: { LINK_PUSH: 'off' } });
  const admin = await off.newStaff();
  expect(await admin.client.ok(c.staffLinkPush, { distId: 1 })).toMatchObject({ state: 'off' });
  expect((await admin.client.call(c.testLinkPush, { distId: 1 })).msg).toBe('平台关闭了搜索引擎推送');
  await off.close();
});
