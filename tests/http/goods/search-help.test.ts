/** A tolerant search: corrections, synonyms by staff on every node, keywords that found nothing, and why a listing has its position. */
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import * as c from '#subjects/goods/contract/staff-synonyms.ts';
import { codes } from '#contract/codes.ts';
import { getGoodsList, mostViewGoodsList } from '#subjects/goods/contract/goods.ts';
import { searchHelp, whyHere } from '#subjects/goods/contract/goods-search.ts';
import { createApp } from '#server/app.ts';
import { createContext } from '#server/context.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import { isPersonal, MAX_MISSES, Misses, missRows, sweepMisses } from '#subjects/goods/server/correct/misses.ts';
import { loadSynonyms } from '#subjects/goods/server/correct/synonyms.ts';
import { TestClient } from '#tests/support/servers/client.ts';
import { MOON, openListingMarket } from '#tests/support/goods/listings.ts';

const { t, created, add } = await openListingMarket();
const writer = await t.newStaff({ role: 'content' });
const other = await t.newStaff({ role: 'admin' });
await sql`update game set aliases = '{王者,农药}' where id = 1`.execute(t.ctx.db);
t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
afterAll(async () => await t.close());

const helpFor = async (keyWord: string, gameId?: number, host?: string) =>
  (await t.client(host === undefined ? {} : { host }).ok(searchHelp, { keyWord, ...(gameId && { gameId }) })).list;
const listed = async (query = {}) => await writer.client.ok(c.synonymList, query);
const addSynonym = async (term: string, meant: string, who = writer) =>
  await who.client.call(c.addSynonym, { term, meant, note: '', reason: '买家常用' });
async function endSynonyms(): Promise<void> {
  await sql`update search_synonym set ended_at = now() where ended_at is null`.execute(t.ctx.db);
  t.ctx.bus.publish('search.synonyms', {});
}

describe('corrections', () => {
  test('suggest a keyword with the number of its listings', async () => {
    expect(await helpFor('王者农药')).toEqual([
      { text: '王者荣耀', url: '/wares?gt=1&gid=1', total: 45, totalCapped: false },
    ]);
    expect((await helpFor('和平精鹰'))[0]).toMatchObject({ text: '和平精英', total: 1 });
    expect((await helpFor('凤求皇'))[0]).toMatchObject({ text: '王者荣耀 凤求凰', total: expect.any(Number) });
    expect((await helpFor('凤求皇', 1))[0]?.text).toBe('凤求凰');
  });

  test('suggest nothing for nonsense, for keywords without listings, and for games that the site hides', async () => {
    expect(await helpFor('今天天气真好')).toEqual([]);
    expect(await helpFor('王者武则田')).toEqual([]);
    expect(await helpFor('和平精鹰', undefined, MOON)).toEqual([]);
    expect(await helpFor('。。。')).toEqual([]);
    expect(await helpFor((created[0] ?? '').slice(2))).toHaveLength(1);
  });

  test('find a listing by a code with signs or look-alikes', async () => {
    const sn = created[0] ?? '';
    const typed = `${sn.slice(0, 2).toLowerCase()}-${sn.slice(2).replace('0', 'o').replace('1', 'l')}`;
    expect(await helpFor(typed)).toMatchObject([{ text: sn, url: `/detail/${sn}`, total: 1 }]);
    expect(await helpFor(sn.slice(2))).toMatchObject([{ text: sn }]);
  });
});

describe('a list without game, keyword and seller', () => {
  test('omits a game whose listings belong to another seller; searching for it finds it', async () => {
    await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
      values (15, 'zyq', '自营专区', 2, 'Z', 'ziyingzhuanqu', 'zyzq', '[{"id":1,"name":"账号"}]')`.execute(t.ctx.db);
    const field = {
      key: 'game_name',
      label: '所属游戏',
      kind: 'text',
      required: true,
      inCard: true,
      filterable: false,
    };
    await sql`insert into catalogue_version (game_id, kind, version, body)
      values (15, 'fields', 1, ${JSON.stringify([{ ...field, goodsTypes: [1], sort: 0 }])}::jsonb)`.execute(t.ctx.db);
    await sql`insert into game_area (id, game_id, name) values (150, 15, '平台自营')`.execute(t.ctx.db);
    await sql`insert into game_server (id, area_id, name) values (1500, 150, '手游')`.execute(t.ctx.db);
    t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
    const { sn } = await add({ game: 15, title: '急出！自营好号', ageMinutes: -5, inspected: true });
    await t.relay();
    const has = async (input: object) =>
      (await t.client().ok(getGoodsList, input)).list.some(({ goodsSn }) => goodsSn === sn);
    expect([await has({}), await has({ goodsTypeId: 1 })]).toEqual([false, false]);
    expect([await has({ gameId: 15 }), await has({ keyWord: '自营好号' })]).toEqual([true, true]);
    const { total } = await t.client().ok(getGoodsList, {});
    expect(total).toBe(47);
    const viewed = await t.client().ok(mostViewGoodsList, { pageSize: 50 });
    expect(viewed.list.map(({ gameName }) => gameName)).not.toContain('自营专区');
  });

  test('ranks a title of capitals and signs below a descriptive one', async () => {
    const quiet = await add({ game: 2, title: '满级套装 手机可换绑', ageMinutes: 1 });
    const loud = await add({ game: 2, title: '急出！满级套装 手机可换绑！！！', ageMinutes: 0 });
    await t.relay();
    const { list } = await t.client().ok(getGoodsList, { gameId: 2 });
    const order = list.map(({ goodsSn }) => goodsSn);
    expect(order.indexOf(quiet.sn)).toBeLessThan(order.indexOf(loud.sn));
  });
});

describe('synonyms', () => {
  beforeEach(endSynonyms);
  const found = async (keyWord: string) => (await t.client().ok(getGoodsList, { keyWord })).total;

  test('match their meaning as soon as they are saved, within longer keywords too, until they are ended', async () => {
    expect(await found('典露')).toBe(0);
    expect((await addSynonym('典露', '典藏露娜')).code).toBe(0);
    const all = await found('典藏露娜');
    expect(all).toBeGreaterThan(3);
    expect([await found('典露'), await found('典露 凤求凰'), await found('典 露')]).toEqual([all, all, all]);
    expect(await found('典露 不存在的词')).toBe(0);
    const [row] = (await listed()).list;
    const { synonymId, version } = row ?? { synonymId: 0, version: 0 };
    const end = { synonymId, version, reason: '不再需要' };
    expect((await writer.client.call(c.endSynonym, end)).code).toBe(0);
    expect(await found('典露')).toBe(0);
    expect((await listed({ ended: '1' })).list).toMatchObject([{ term: '典露', endReason: '不再需要' }]);
  });

  test('match whole words only when they consist of letters', async () => {
    await addSynonym('fqh', '典藏露娜');
    expect(await found('FQH')).toBeGreaterThan(0);
    expect(await found('fqhx')).toBe(0);
  });

  test('are added once by two concurrent editors, and changed only in the version that was read', async () => {
    const added = await Promise.all([addSynonym('小鲁班', '典藏'), addSynonym('小 鲁班', '露娜', other)]);
    expect(added.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, codes.BAD_INPUT[0]]);
    const { synonymId, version } = (await listed()).list[0] ?? { synonymId: 0, version: 0 };
    const change = async (who: typeof writer, meant: string) =>
      await who.client.call(c.changeSynonym, { synonymId, version, meant, note: '', reason: '更准确' });
    const changed = await Promise.all([change(writer, '凤求凰'), change(other, '引擎之心')]);
    expect(changed.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, codes.TEXT_CHANGED[0]]);
    const { rows } = await sql<{ act: string }>`
      select act from audit_log where target = ${`synonym:${synonymId}`} order by id`.execute(t.ctx.db);
    expect(rows.map(({ act }) => act)).toEqual(['text.synonymEdit']);
  });

  test('get a field error when they have no meaning', async () => {
    expect(await addSynonym('。。', '典藏')).toMatchObject({ code: codes.BAD_INPUT[0], field: 'term' });
    expect(await addSynonym('典藏', '典-藏')).toMatchObject({ code: codes.BAD_INPUT[0], field: 'meant' });
  });

  test('take effect on another node immediately', async () => {
    const open = () => createContext(t.ctx.config, t.ctx.config.databaseUrl ?? '', { log: t.ctx.log });
    const [first, second] = [await open(), await open()];
    const { http } = await createApp(first);
    try {
      await http.ready();
      expect((await loadSynonyms(second)).size).toBe(0);
      const client = new TestClient(http, { host: 'backstage.localhost' });
      for (const [name, value] of writer.client.jar) client.jar.set(name, value);
      client.token = writer.client.token;
      await client.ok(c.addSynonym, { term: '典露', meant: '典藏露娜', note: '', reason: '买家常用' });
      await expect.poll(async () => (await loadSynonyms(second)).size).toBe(1);
    } finally {
      await http.close();
      await first.close();
      await second.close();
    }
  });
});

describe('keywords without results', () => {
  const misses = new Misses(t.ctx);
  const count = async (keyword: string, ...addresses: string[]) => {
    for (const address of addresses) misses.note(keyword, undefined, address);
    await misses.flush();
  };
  /** Three visitors, which is enough to be stored. */
  const people = (net: number) => [1, 2, 3].map((n) => `10.0.${net}.${n}`);
  beforeEach(endSynonyms);
  beforeEach(async () => {
    for (const table of ['search_miss', 'search_miss_visitor'])
      await sql`delete from ${sql.table(table)}`.execute(t.ctx.db);
  });

  test('are counted once per visitor and shown to staff; a search with filters is not counted', async () => {
    await count('沉默术士手办', '10.0.0.1', '10.0.0.2');
    expect((await listed()).misses).toEqual([]);
    await t.client().ok(getGoodsList, { keyWord: '沉默术士手办' });
    await t.client().ok(getGoodsList, { keyWord: '另一个没有的', minPrice: '5' });
    await t.client().ok(getGoodsList, { keyWord: '典藏露娜' });
    const keywords = async () => (await listed()).misses.map(({ keyword }) => keyword);
    await expect.poll(keywords).toContain('沉默术士手办');
    expect(await keywords()).not.toEqual(expect.arrayContaining([expect.stringMatching('另一个没有的|典藏露娜')]));
    await count('沉默 术士手办', '10.0.0.4', '10.0.0.4');
    const [most] = (await listed()).misses;
    expect(most).toMatchObject({ keyword: '沉默术士手办', times: 4, gameName: null });
  });

  test.each([
    '13812345678',
    '138 1234 5678',
    '一三八一二三四五六七八',
    'QQ 812345678',
    '812345678',
    '加微信abc12345',
    'wxid_ab12cd',
    'abc_12345',
    'someone@example.com',
    'vx：hello666',
  ])('%s is not stored', async (keyword) => {
    expect(isPersonal(keyword)).toBe(true);
    await count(keyword, ...people(9));
    expect(await missRows(t.ctx.db, 10)).toEqual([]);
  });

  test.each(['ak47 火麒麟', '贵族V10', '王者荣耀 小国标', 'm4a1', '皮肤300'])('%s identifies no person', (keyword) => {
    expect(isPersonal(keyword)).toBe(false);
  });

  test.each(['genshinimpact', '欧阳晓明', '张伟'])(
    '%s, which may name a person, is readable from a third one on',
    async (keyword) => {
      await count(keyword, '10.0.1.1', '10.0.1.2');
      // The same two again, an hour later and by another process, are no third.
      const other = new Misses(t.ctx);
      for (const address of ['10.0.1.1', '10.0.1.2']) other.note(keyword, undefined, address);
      await other.flush();
      expect((await listed()).misses).toEqual([]);
      const { rows } = await sql<{ row: string }>`
      select to_jsonb(m)::text as row from search_miss m union all select to_jsonb(v)::text from search_miss_visitor v`.execute(
        t.ctx.db,
      );
      expect(rows).toHaveLength(2);
      expect(rows.map(({ row }) => row).join()).not.toContain(keyword);
      await count(keyword, '10.0.1.3');
      expect((await listed()).misses).toMatchObject([{ keyword, times: 3 }]);
      // The visitors are deleted.
      expect((await sql`select from search_miss_visitor`.execute(t.ctx.db)).rows).toEqual([]);
    },
  );

  test('become a synonym or leave the list', async () => {
    await count('典露', ...people(2));
    await count('没人卖的', ...people(2));
    expect((await addSynonym('典露', '典藏露娜')).code).toBe(0);
    const [left] = (await listed()).misses;
    expect(left?.keyword).toBe('没人卖的');
    const missId = left?.missId ?? 0;
    expect((await writer.client.call(c.dropMiss, { missId })).code).toBe(0);
    expect((await writer.client.call(c.dropMiss, { missId })).code).toBe(codes.NOT_FOUND[0]);
    await count('没人卖的', '10.0.2.4');
    expect((await listed()).misses).toEqual([]);
  });

  test('are limited in number, and deleted after a month', async () => {
    await sql`insert into search_miss (plain, keyword, times, last_at)
      select '旧词' || n, '旧词' || n, 1 + n % 3, now() - (n % 40) * interval '1 day' from generate_series(1, ${MAX_MISSES}::int) n`.execute(
      t.ctx.db,
    );
    await count('满了以后的词', ...people(3));
    const rows = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from search_miss`.execute(t.ctx.db)).rows[0]?.n;
    expect(await rows()).toBe(MAX_MISSES);
    await sweepMisses(t.ctx.db);
    expect(await rows()).toBeLessThanOrEqual(1500);
    const { rows: old } = await sql`select from search_miss where last_at < now() - interval '30 days'`.execute(
      t.ctx.db,
    );
    expect(old).toHaveLength(0);
    await count('有空位的词', ...people(3));
    expect((await missRows(t.ctx.db, 2000)).some(({ keyword }) => keyword === '有空位的词')).toBe(true);
  });
});

describe('the explanation of a position', () => {
  test('contains the keywords, the age, the seller, the trust marks, and that nothing was paid', async () => {
    const goodsSn = created[0] ?? '';
    const why = await t.client().ok(whyHere, { goodsSn, keyWord: '王者荣耀 典藏露娜' });
    expect(why.order).toContain('综合');
    expect(Object.fromEntries(why.reasons.map(({ label, text }) => [label, text]))).toEqual({
      匹配: '“王者荣耀”在游戏名中；“典藏露娜”在标题中。关键词只决定是否出现，不影响先后',
      新旧: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d 更新，每新一天多 10 分$/),
      卖家等级: '金牌，加 36 分',
      商品信息: expect.stringContaining('已验号加 60 分'),
      推广: expect.stringContaining('没有付费推广'),
    });
    const byPrice = await t.client().ok(whyHere, { goodsSn, sort: 'priceAsc' });
    expect(byPrice.reasons.map(({ label }) => label)).toEqual(['新旧', '推广']);
  });

  test('is given for listings on sale on this site only', async () => {
    expect((await t.client().call(whyHere, { goodsSn: 'YS0000000' })).code).toBe(codes.NOT_FOUND[0]);
    const elsewhere = await add({ game: 2, title: '别处的商品' });
    const hidden = await t.client({ host: MOON }).call(whyHere, { goodsSn: elsewhere.sn });
    expect(hidden.code).toBe(codes.NOT_FOUND[0]);
  });
});
