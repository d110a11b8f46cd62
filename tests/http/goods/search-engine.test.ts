/** A search engine beside PostgreSQL: it finds what PostgreSQL finds, shows nothing that is gone, and PostgreSQL answers when it does not. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Input } from '#contract/endpoint.ts';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { engineAt } from '#server/adapters/search/engines.ts';
import { loadConfig } from '#server/config/config.ts';
import type { Context } from '#server/context.ts';
import { createVendorRegistry, guarded } from '#server/kernel/vendors.ts';
import { ENGINE_CALLS, type EngineQuery, type SearchEngine } from '#server/ports/search-engine.ts';
import { engineQueryOf } from '#subjects/goods/server/search/engine-query.ts';
import { feedEngine } from '#subjects/goods/server/search/feed.ts';
import { ENGINE_CHANNEL, engineId, feedState, findListed } from '#subjects/goods/server/search/find.ts';
import { loadSearch } from '#subjects/goods/server/listing/list.ts';
import { findGoods } from '#subjects/goods/server/search/find-goods.ts';
import { asSuperuser } from '#tests/support/database/database.ts';
import { FakeOpenSearch } from '#tests/support/fakes/opensearch.ts';
import { type GroongaServer, groongaServer, hasGroonga } from '#tests/support/database/groonga.ts';
import { type ListingMarket, openListingMarket } from '#tests/support/goods/listings.ts';

type ListInput = Input<typeof getGoodsList>;

/** A server that an engine's adapter talks to, and how it dies and comes back. */
interface Place {
  address: string;
  die(): Promise<void>;
  revive(): Promise<void>;
  close(): Promise<void>;
}

const SITE = { games: null, markUpBp: 0 };
const QUERIES: ListInput[] = [
  { keyWord: '凤求凰' },
  { keyWord: '皮肤齐全', gameId: 1, sort: 'priceAsc' },
  { keyWord: '皮肤', sort: 'newest', pageSize: 7 },
  { keyWord: 'wangzhe', gameId: 1 },
  { keyWord: 'it\'s "quoted"' },
  { gameId: 1, details: { rank: 2 }, sort: 'priceDesc' },
  { gameId: 1, details: { skins: { of: [1, 2, 3], atLeast: 2 } } },
  { gameId: 1, details: { skins: { any: [1, 3] }, rebind: true } },
  { gameId: 1, details: { skin_num: { min: 100, max: 250 } } },
  { gameId: 1, keyWord: '编号', minPrice: '110', maxPrice: '150' },
  { goodsTypeId: 2, keyWord: '金币' },
  { gameId: 1, areaId: 10, serverId: 100, inspected: true, ensureOpen: true },
  { gameId: 2, keyWord: '满级' },
  { keyWord: '没有这样的号' },
];

/** Runs the job until its index is live: filling one waits for every transaction of the cluster that began before, also those of other tests. */
async function feedAll(ctx: Context): Promise<void> {
  for (let i = 0; i < 2_400; i++) {
    await feedEngine(ctx);
    const { rows } = await sql<{ isDone: boolean }>`
      select live is not null and building is null and not is_stale as "isDone" from search_feed`.execute(ctx.db);
    if (rows[0]?.isDone === true) return;
    await sleep(50);
  }
  throw new Error('the index is not live');
}

function suite(name: string, open: () => Promise<Place>): void {
  describe(name, () => {
    let place: Place;
    let market: ListingMarket;
    let engine: SearchEngine;
    let real: SearchEngine;
    const asked: EngineQuery[] = [];
    /** Hook with which a test changes the engine's responses. */
    let onSearch: ((index: string, query: EngineQuery) => Promise<void>) | undefined;

    beforeAll(async () => {
      place = await open();
      const made = engineAt(place.address, { fetch, now: () => new Date(), nonce: () => '' });
      if (!made) throw new Error('no engine');
      real = made;
      const watched: SearchEngine = {
        ...made,
        async search(index, query) {
          asked.push(query);
          await onSearch?.(index, query);
          return await made.search(index, query);
        },
      };
      const vendor = createVendorRegistry().add({ key: 'search', label: '', subject: '', state: 'on' });
      engine = guarded(watched, vendor, ENGINE_CALLS);
      market = await openListingMarket({ searchEngine: engine });
      await market.add({ title: `it's "quoted" \\ 一号` });
      await market.t.relay();
      await feedAll(market.t.ctx);
    });
    afterAll(async () => {
      await market.t.close();
      await place.close();
    });
    beforeEach(() => {
      asked.length = 0;
      onSearch = undefined;
    });

    const sns = async (input: ListInput): Promise<string[]> =>
      (await market.t.client().ok(getGoodsList, input)).list.map(({ goodsSn }) => goodsSn);
    /** As a second later. */
    const forgetState = (): void => market.t.ctx.bus.publish(ENGINE_CHANNEL, {});
    const drain = async (): Promise<void> => {
      await market.t.relay();
      await feedAll(market.t.ctx);
      forgetState();
    };

    test('has an index with every listing on sale', async () => {
      const { live, lagMs } = await feedState(market.t.ctx.db, engine);
      expect(lagMs).toBe(0);
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from goods_search`.execute(market.t.ctx.db);
      expect(await real.count(live ?? '')).toBe(rows[0]?.n);
    });

    test.each(QUERIES)('finds what PostgreSQL finds: %j', async (input) => {
      const { ctx } = market.t;
      const search = await loadSearch(ctx, SITE, getGoodsList.input.parse(input));
      const range = { after: undefined, offset: 0, limit: 100 };
      const { hits: expected } = await findGoods(ctx.db, search, range);
      const found = await findListed(ctx, search, range);
      expect(asked).toHaveLength(1);
      expect(found).toEqual({ hits: expected, total: expected.length });
      // By pages of three behind a cursor, and by offset.
      const pages = [];
      for (let after: [number, number] | undefined; ; ) {
        const { hits } = await findListed(ctx, search, { after, offset: 0, limit: 3 });
        pages.push(...hits);
        const last = hits.at(-1);
        if (hits.length < 3 || !last) break;
        after = [last.key, last.id];
      }
      expect(pages).toEqual(expected);
      expect((await findListed(ctx, search, { ...range, offset: 2, limit: 2 })).hits).toEqual(expected.slice(2, 4));
    });

    test('is not asked for what only PostgreSQL knows, nor for a list in the order of an index', async () => {
      await sns({ gameId: 1, goodsTypeId: 27, sort: 'newest' });
      expect((await sns({ keyWord: '皮肤', sort: 'views' })).length).toBeGreaterThan(0);
      await sns({ keyWord: '皮肤', sellerOnline: true });
      expect(asked).toEqual([]);
    });

    test('sold listings are not shown although the engine still has them, and pages stay full', async () => {
      const before = await sns({ keyWord: '编号', sort: 'newest', pageSize: 10 });
      const { rows } = await sql<{ id: number }>`select id from goods where sn = any(${before.slice(0, 2)})`.execute(
        market.t.ctx.db,
      );
      const ids = rows.map(({ id }) => id);
      await market.setStatus(ids, 3);
      const after = await sns({ keyWord: '编号', sort: 'newest', pageSize: 10 });
      expect(after).toHaveLength(10);
      expect(after.slice(0, 8)).toEqual(before.slice(2));
      expect(asked.length).toBeGreaterThan(2);
      await market.setStatus(ids, 2);
      await drain();
      expect(await sns({ keyWord: '编号', sort: 'newest', pageSize: 10 })).toEqual(before);
    });

    test('a new listing, its new price and its end follow', async () => {
      const { id, sn } = await market.add({ title: '限量麒麟', fen: 20_000 });
      await drain();
      expect(await sns({ keyWord: '限量麒麟' })).toEqual([sn]);
      await sql`update goods set price_fen = 30000 where id = ${id}`.execute(market.t.ctx.db);
      await market.setStatus([id], 2);
      await drain();
      expect(await sns({ keyWord: '限量麒麟', minPrice: '300' })).toEqual([sn]);
      await market.setStatus([id], 6);
      await drain();
      expect(await sns({ keyWord: '限量麒麟' })).toEqual([]);
      expect(asked).toHaveLength(3);
    });

    test('an engine that lags too far is not asked', async () => {
      const { sn } = await market.add({ title: '迟到的孤本' });
      await market.t.relay();
      const database = new URL(market.t.ctx.config.databaseUrl ?? '').pathname.slice(1);
      await asSuperuser(database, "update search_change set at = now() - interval '11 seconds'");
      forgetState();
      expect([await sns({ keyWord: '迟到的孤本' }), asked.length]).toEqual([[sn], 0]);
      await drain();
      expect([await sns({ keyWord: '迟到的孤本' }), asked.length]).toEqual([[sn], 1]);
    });

    test('another index is filled beside the live one while listings change, and is asked from then on', async () => {
      const { db } = market.t.ctx;
      const before = (await feedState(db, engine)).live ?? '';
      await sql`update search_feed set is_stale = true`.execute(db);
      const { sn } = await market.add({ title: '重建时上架' });
      await drain();
      const after = (await feedState(db, engine)).live ?? '';
      expect(after).not.toBe(before);
      expect(await sns({ keyWord: '重建时上架' })).toEqual([sn]);
      expect(asked).toHaveLength(1);
      // The old index is removed when no search uses it any more.
      expect(await real.has(before)).toBe(true);
      await sql`update search_feed set live_at = now() - interval '2 minutes'`.execute(db);
      await feedAll(market.t.ctx);
      expect([await real.has(before), await real.has(after)]).toEqual([false, true]);
    });

    test('an index that was lost, or has lost documents, is made anew', async () => {
      const { db } = market.t.ctx;
      const before = (await feedState(db, engine)).live ?? '';
      await real.drop(before);
      forgetState();
      expect((await sns({ keyWord: '编号', pageSize: 10 })).length).toBe(10);
      await drain();
      const lost = (await feedState(db, engine)).live ?? '';
      expect(lost).not.toBe(before);
      const { rows } = await sql<{
        ids: number[];
      }>`select array_agg(goods_id) as ids from (select goods_id from goods_search limit 30) s`.execute(db);
      await real.remove(lost, rows[0]?.ids ?? []);
      await sql`update search_feed set checked_at = now() - interval '2 hours'`.execute(db);
      await feedAll(market.t.ctx);
      const whole = (await feedState(db, engine)).live ?? '';
      expect(whole).not.toBe(lost);
      expect(await real.count(whole)).toBe(await onSale());
    });

    const onSale = async (): Promise<number> =>
      Number(
        (await sql<{ n: number }>`select count(*)::int as n from goods_search`.execute(market.t.ctx.db)).rows[0]?.n,
      );

    test('an engine that dies is left alone, its changes wait, and it catches up', async () => {
      await place.die();
      const { sn } = await market.add({ title: '停机时上架' });
      await market.t.relay();
      for (let i = 0; i < 8; i++) expect(await sns({ keyWord: '停机时上架' })).toEqual([sn]);
      // The circuit is open: those behind the fifth were not tried at all.
      expect(asked.length).toBe(5);
      expect(await feedEngine(market.t.ctx)).toEqual({ seconds: 3 });
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from search_change`.execute(market.t.ctx.db);
      expect(rows[0]?.n).toBeGreaterThan(0);
      await place.revive();
      // Its circuit is another in a process that has just started.
      const fresh = { ...market.t.ctx, searchEngine: real };
      await feedAll(fresh);
      const { live, lagMs } = await feedState(market.t.ctx.db, real);
      expect(lagMs).toBe(0);
      const query = engineQueryOf(
        await loadSearch(market.t.ctx, SITE, getGoodsList.input.parse({ keyWord: '停机时上架' })),
        { after: undefined, offset: 0, limit: 5 },
      );
      if (!query) throw new Error('no query');
      expect((await real.search(live ?? '', query)).total).toBe(1);
    });

    test('an index of this market that nothing names any more is dropped; of another market none is', async () => {
      const { db } = market.t.ctx;
      const { rows } = await sql<{ family: string }>`select family from search_feed`.execute(db);
      const [orphan, other] = [`${rows[0]?.family}v1_orphan`, 'another_market_v1_index'];
      for (const index of [orphan, other]) await real.create(index);
      const { live } = await feedState(db, real);
      const fresh = { ...market.t.ctx, searchEngine: real };
      // As an hour later: until then it may be what another run has just begun to fill.
      await sql`update search_feed set checked_at = now()`.execute(db);
      await feedEngine(fresh);
      expect(await real.has(orphan)).toBe(true);
      await sql`update search_feed set checked_at = now() - interval '2 hours'`.execute(db);
      await feedEngine(fresh);
      expect([await real.has(orphan), await real.has(other), await real.has(live ?? '')]).toEqual([false, true, true]);
      await real.drop(other);
    });

    test('another engine takes over when nobody feeds the present one any more, and is then left alone by it', async () => {
      const { ctx } = market.t;
      const [one, two] = [real, { ...real, place: 'elsewhere' }];
      const named = async (): Promise<string | null | undefined> =>
        (await sql<{ engine: string | null }>`select engine from search_feed`.execute(ctx.db)).rows[0]?.engine;
      await sql`update search_feed set fed_at = now() - interval '4 minutes'`.execute(ctx.db);
      await feedEngine({ ...ctx, searchEngine: two });
      expect(await named()).toBe(engineId(one));
      await sql`update search_feed set fed_at = now() - interval '6 minutes'`.execute(ctx.db);
      await feedEngine({ ...ctx, searchEngine: two });
      expect(await named()).toBe(engineId(two));
      // Its index is its own, and changes go only there.
      await feedAll({ ...ctx, searchEngine: two });
      const { live } = await feedState(ctx.db, two);
      expect(await real.count(live ?? '')).toBe(await onSale());
      expect((await feedState(ctx.db, one)).live).toBeNull();
      expect(await feedEngine({ ...ctx, searchEngine: one })).toEqual({ seconds: 1 });
      expect(await named()).toBe(engineId(two));
      await sql`update search_feed set fed_at = now() - interval '6 minutes'`.execute(ctx.db);
      await feedAll({ ...ctx, searchEngine: one });
      expect(await named()).toBe(engineId(one));
    });

    test('nothing is recorded for the index when no engine is set', async () => {
      const { ctx } = market.t;
      const { live } = await feedState(ctx.db, engine);
      // Another worker still has the engine.
      for (const searchEngine of [undefined, { ...real, place: 'elsewhere' }])
        expect(await feedEngine({ ...ctx, searchEngine })).toEqual({ seconds: 1 });
      expect(await feedState(ctx.db, engine)).toMatchObject({ live });
      await sql`update search_feed set fed_at = now() - interval '6 minutes'`.execute(ctx.db);
      expect(await feedEngine({ ...ctx, searchEngine: undefined })).toEqual({ seconds: 60 });
      await market.add({ title: '没有引擎' });
      await market.t.relay();
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from search_change`.execute(ctx.db);
      expect(rows[0]?.n).toBe(0);
    });
  });
}

suite('OpenSearch by its protocol', async () => {
  const fake = new FakeOpenSearch();
  const url = await fake.listen();
  return {
    address: `opensearch+${url.replace('http://', 'http://searcher:a%20word@')}/market`,
    async die() {
      expect([...(fake.aliases.get('market') ?? [])]).toHaveLength(1);
      expect(fake.authorization).toBe(`Basic ${Buffer.from('searcher:a word').toString('base64')}`);
      fake.fail(/./, 'refuse', 1_000);
      return Promise.resolve();
    },
    revive: () => Promise.resolve(fake.mend()),
    close: async () => await fake.close(),
  };
});

if (hasGroonga)
  suite('Groonga', async () => {
    const server: GroongaServer = await groongaServer();
    return {
      address: `groonga+${server.url}`,
      die: async () => await server.kill(),
      revive: async () => await server.start(),
      close: async () => await server.close(),
    };
  });
else test.skip('Groonga (apt-get install groonga-bin)', () => undefined);

test('an address names a kind of engine', () => {
  expect(() => loadConfig({ SEARCH_URL: 'http://localhost:9200' })).toThrow(/SEARCH_URL/);
  expect(loadConfig({ SEARCH_URL: 'groonga+http://127.0.0.1:10041' }).nodes.searchUrl).toBe(
    'groonga+http://127.0.0.1:10041',
  );
});
