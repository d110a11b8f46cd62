/** The reference price of listings over a part of the demo market: sales and listings of the generator, with the real catalogue. */
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluation } from '#subjects/valuation/contract/evaluation.ts';
import type { Data } from '#contract/endpoint.ts';
import * as g from '#subjects/goods/contract/goods.ts';
import { whyHere } from '#subjects/goods/contract/goods-search.ts';
import { listingStatistics } from '#subjects/seller-statistics/contract/seller-statistics.ts';
import { loadCatalogue } from '#db/catalogue/load.ts';
import { generateGoods, type GoodsSeed } from '#db/seed/generate/goods.ts';
import { inTransaction } from '#server/db/client.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import { followModel } from '#subjects/goods/server/search/follow-models.ts';
import { reindexMany } from '#subjects/goods/server/search/reindex.ts';
import { refitModels } from '#subjects/valuation/server/nightly.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { fenOf } from '#web/lib/format/format.ts';

const SEED = 20_261_121;
const SALES = 700;
const LISTINGS = 120;
/** A site that shows one game, and not the one that is valued here. */
const OTHER_SITE = 'moon.test';

let t: TestApp;
let seller: TestUser;
let gameId = 0;
const ids: number[] = [];

/** Accounts of the generator of one game, from a place in its endless list. */
function accounts(game: number, from: number, count: number): GoodsSeed[] {
  const found: GoodsSeed[] = [];
  for (let index = from; found.length < count; index++) {
    const goods = generateGoods({ seed: SEED, index });
    if (goods.gameId === game && (goods.goodsTypeId === OrderType.Account || goods.goodsTypeId === OrderType.Consigned))
      found.push(goods);
  }
  return found;
}

/** Completed sales, each between two new people unless `between` names one of them or both. */
async function addSales(goods: readonly GoodsSeed[], tag: string, between?: { seller: number; buyer: number | null }) {
  const rows = goods.map((x, i) => ({
    n: i + 1,
    type: x.goodsTypeId,
    fen: x.priceFen,
    snapshot: { title: x.title, attrs: x.attrs },
    days: (i % 150) + 1,
  }));
  await sql`
    with people as (
      insert into app_user (dist_id, phone_enc, phone_hash, phone_mask, union_num, invite_code, nick_name, created_at)
      select 1, '\\x00', decode(md5(${tag} || i), 'hex'), '138****0000', ${tag} || i, ${tag} || i, '人' || i, now() - interval '300 days'
      from generate_series(1, ${2 * rows.length}::int) i returning id),
    numbered as (select id, row_number() over (order by id) as n from people),
    sale as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s(n int, type smallint, fen bigint, snapshot jsonb, days int))
    insert into orders (sn, dist_id, type_id, game_id, buyer_id, seller_id, status, unit_price_fen, goods_fen, total_fen, fees, snapshot, paid_at, shipped_at, completed_at)
    select ${tag} || 'S' || n, 1, type, ${gameId}, coalesce(${between?.buyer ?? null}::bigint, (select id from numbered b where b.n = 2 * sale.n)),
      coalesce(${between?.seller ?? null}::bigint, (select id from numbered b where b.n = 2 * sale.n - 1)), 3, fen, fen, fen, '[]', snapshot,
      now() - make_interval(days => days), now() - make_interval(days => days), now() - make_interval(days => days)
    from sale`.execute(t.ctx.db);
}

async function publish(goods: readonly GoodsSeed[], by: TestUser): Promise<number[]> {
  const published: number[] = [];
  for (const x of goods) {
    const { rows } = await sql<{ id: number }>`
      insert into goods (dist_id, seller_id, game_id, type_id, area_id, server_id, title, attrs, price_fen, status, guarantee_ok, inspected_at)
      values (1, ${by.id}, ${x.gameId}, ${x.goodsTypeId}, ${x.areaId}, ${x.serverId}, ${x.title}, ${JSON.stringify(x.attrs)}::jsonb, ${x.priceFen}, 2, true, now())
      returning id`.execute(t.ctx.db);
    published.push(...rows.map(({ id }) => id));
  }
  await index(published);
  return published;
}

const index = async (goodsIds: readonly number[]): Promise<void> => {
  await inTransaction(t.ctx.db, async (trx) => await reindexMany(t.ctx, trx, goodsIds));
};

const snOf = async (id: number): Promise<string> => {
  const { rows } = await sql<{ sn: string }>`select sn from goods where id = ${id}`.execute(t.ctx.db);
  return rows[0]?.sn ?? '';
};
const infoOf = async (id: number) => await t.client().ok(g.goodsInfo, { goodsSn: await snOf(id) });

const stored = async (goodsIds: readonly number[]) => {
  const { rows } = await sql<{ id: number; low: number; typical: number; high: number; version: number }>`
    select goods_id as id, low_fen as low, typical_fen as typical, high_fen as high, model_version as version
    from goods_reference where goods_id = any(${[...goodsIds]}::bigint[]) order by goods_id`.execute(t.ctx.db);
  return rows;
};

const valued = async (account: { areaId: number | null; details: unknown }) =>
  await t.client().ok(evaluation, {
    gameId,
    ...(account.areaId !== null && { areaId: account.areaId }),
    details: account.details as never,
    preview: '1',
  });

beforeAll(async () => {
  t = await testApp();
  await loadCatalogue(t.ctx.db);
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
  const { rows } = await sql<{ id: number }>`select id from game where code = 'wzry'`.execute(t.ctx.db);
  gameId = rows[0]?.id ?? 0;
  seller = await t.newUser();
  await addSales(accounts(gameId, 1_000_000_000, SALES), 'D');
  ids.push(...(await publish(accounts(gameId, 0, LISTINGS), seller)));
});
afterAll(async () => await t.close());

describe('before a model exists', () => {
  test('a listing has no reference', async () => {
    expect(await stored(ids)).toEqual([]);
    const { goodsSn, band } = await infoOf(ids[0] ?? 0);
    expect([goodsSn, band]).toEqual([await snOf(ids[0] ?? 0), null]);
  });
});

describe('the demo market', () => {
  beforeAll(async () => {
    await refitModels(t.ctx);
    await t.relay();
    await t.timers();
  });

  test('has the valuation of the same account as the reference of every listing, on every page', async () => {
    const references = await stored(ids);
    expect(references).toHaveLength(LISTINGS);
    let apart = 0;
    for (const { id, typical } of references) {
      const { rows } = await sql<{ areaId: number | null; details: unknown }>`
        select area_id as "areaId", attrs as details from goods where id = ${id}`.execute(t.ctx.db);
      const own = await valued(rows[0] ?? { areaId: null, details: {} });
      if (Math.abs(fenOf(own.typical ?? '0') / typical - 1) > 0.01) apart++;
    }
    expect(apart).toBeLessThanOrEqual(LISTINGS * 0.1);

    const [id = 0] = ids;
    const info = await infoOf(id);
    const { rows } = await sql<{ areaId: number; attrs: object }>`
      select area_id as "areaId", attrs from goods where id = ${id}`.execute(t.ctx.db);
    const { areaId = 0, attrs = {} } = rows[0] ?? {};
    const form = await seller.client.ok(g.getGoodsUpperConf, {
      gameId,
      goodsTypeId: 1,
      areaId,
      details: attrs as never,
    });
    const own = await valued({ areaId, details: attrs });
    const prices = ({ low, typical, high }: { low: string | null; typical: string | null; high: string | null }) => [
      low,
      typical,
      high,
    ];
    expect(info.band && prices(info.band)).toEqual(prices(own));
    expect(form.band && prices(form.band)).toEqual(prices(own));
    const figures = await seller.client.ok(listingStatistics, { pageSize: 50 });
    expect(figures.list.find((l) => l.goodsSn === info.goodsSn)?.typicalPrice).toBe(own.typical);
    expect(info.comparables.map((c) => c.title).toSorted()).toEqual(own.comparables.map((c) => c.title).toSorted());
    expect(info.priceRecord?.percent).toBeGreaterThan(50);
  });

  test('shows no outlier at the head of a list, among the most viewed, or among similar listings', async () => {
    const far = await sql<{
      n: number;
    }>`select count(*)::int as n from goods g join goods_reference r on r.goods_id = g.id
      where g.price_fen > 2 * r.typical_fen or g.price_fen * 2 < r.typical_fen`.execute(t.ctx.db);
    const outliers = far.rows[0]?.n ?? 0;
    expect(outliers).toBeGreaterThan(2);
    const all: Data<typeof g.getGoodsList>['list'] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await t.client().ok(g.getGoodsList, { gameId, pageSize: 50, ...(cursor && { cursor }) });
      all.push(...page.list);
      cursor = page.next;
    }
    expect(all).toHaveLength(LISTINGS);
    const places = all.flatMap(({ band }, i) => (band?.outlier === true ? [i] : []));
    expect(places).toEqual(Array.from({ length: outliers }, (_, i) => LISTINGS - outliers + i));
    const why = await t.client().ok(whyHere, { goodsSn: all.at(-1)?.goodsSn ?? '' });
    expect(JSON.stringify(why)).toContain('排在其他商品之后');
    await sql`update goods_stat set views = case when goods_id = any(select goods_id from goods_search where score < 2000) then 9999 else 10 end`.execute(
      t.ctx.db,
    );
    const viewed = await t.client().ok(g.mostViewGoodsList, { gameId, pageSize: 10 });
    expect(viewed.list.length).toBeGreaterThan(0);
    const similar = await t.client().ok(g.getAvGoodsList, { goodsSn: all.at(-1)?.goodsSn ?? '', pageSize: 10 });
    expect(similar.list.length).toBeGreaterThan(2);
    for (const { band } of [...viewed.list, ...similar.list]) expect(band?.outlier).toBe(false);
  });

  test('a price far above its reference is placed a month further back, one far below it too, and each says so', async () => {
    const [id = 0] = ids;
    const { rows } = await sql<{ priceFen: number; typical: number; score: number }>`
      select g.price_fen as "priceFen", r.typical_fen as typical, s.score from goods g
        join goods_reference r on r.goods_id = g.id join goods_search s on s.goods_id = g.id where g.id = ${id}`.execute(
      t.ctx.db,
    );
    const { priceFen, typical } = rows[0] ?? { priceFen: 0, typical: 0 };
    const scoreAt = async (times: number) => {
      await sql`update goods set price_fen = ${Math.round(typical * times)} where id = ${id}`.execute(t.ctx.db);
      await sql`update goods_reference set wide = false, model_version = model_version - 1 where goods_id = ${id}`.execute(
        t.ctx.db,
      );
      await followModel(t.ctx, gameId);
      const found = await sql<{ score: number; wide: boolean }>`
        select s.score, r.wide from goods_search s join goods_reference r on r.goods_id = s.goods_id where s.goods_id = ${id}`.execute(
        t.ctx.db,
      );
      expect(found.rows[0]?.wide).toBe(false);
      return found.rows[0]?.score ?? 0;
    };
    const [usual, dear] = [await scoreAt(1), await scoreAt(1.6)];
    const why = await t.client().ok(whyHere, { goodsSn: await snOf(id) });
    expect(usual - dear).toBe(300);
    expect(JSON.stringify(why)).toContain('高于参考价 60%，减 300 分');
    const cheap = await scoreAt(0.6);
    const whyCheap = await t.client().ok(whyHere, { goodsSn: await snOf(id) });
    expect(usual - cheap).toBe(180);
    expect(JSON.stringify(whyCheap)).toContain('低于参考价 40%，减 180 分');
    await sql`update goods set price_fen = ${priceFen} where id = ${id}`.execute(t.ctx.db);
    await index([id]);
  });

  test('a wide spread has figures and no percentage', async () => {
    const [id = 0] = ids;
    await sql`update goods_reference set wide = true where goods_id = ${id}`.execute(t.ctx.db);
    const { band } = await infoOf(id);
    expect(band).toMatchObject({ wide: true, diffPercent: null });
    expect(fenOf(band?.typical ?? '0')).toBeGreaterThan(0);
    await index([id]);
  });
});

describe('nobody moves a reference', () => {
  const referenceOf = async (id: number) =>
    (await stored([id])).map(({ low, typical, high }) => ({ low, typical, high }));

  test('by the price, the title or the description of the listing', async () => {
    const [id = 0] = ids;
    const before = await referenceOf(id);
    for (const factor of [0.2, 1, 5]) {
      await sql`update goods set price_fen = greatest(100, (price_fen * ${factor}::float8)::bigint), title = title || '急售' where id = ${id}`.execute(
        t.ctx.db,
      );
      await index([id]);
      expect(await referenceOf(id)).toEqual(before);
    }
    await followModel(t.ctx, gameId);
    expect(await referenceOf(id)).toEqual(before);
  });

  test('by edits: only its attributes decide, and those that it had again give the same figures', async () => {
    const id = ids[1] ?? 0;
    const before = await referenceOf(id);
    const { rows } = await sql<{ attrs: object }>`select attrs from goods where id = ${id}`.execute(t.ctx.db);
    const attrs = rows[0]?.attrs ?? {};
    await sql`update goods set attrs = ${JSON.stringify({ ...attrs, skin_count: 700 })}::jsonb where id = ${id}`.execute(
      t.ctx.db,
    );
    await index([id]);
    expect(await referenceOf(id)).not.toEqual(before);
    await sql`update goods set attrs = ${JSON.stringify(attrs)}::jsonb where id = ${id}`.execute(t.ctx.db);
    await index([id]);
    expect(await referenceOf(id)).toEqual(before);
  });

  test('by sales to one accomplice, or to many of them under his own name', async () => {
    const id = ids[2] ?? 0;
    const [before] = await referenceOf(id);
    const like = accounts(gameId, 0, 3)[2];
    if (!before || !like) throw new Error('no listing');
    const fakes = Array.from({ length: 60 }, () => ({ ...like, priceFen: like.priceFen * 10 }));
    const [crook, accomplice] = [await t.newUser(), await t.newUser()];
    await addSales(fakes, 'P', { seller: crook.id, buyer: accomplice.id });
    const samples = async () => (await valued({ areaId: null, details: {} })).samples;
    const honest = await samples();
    await refitModels(t.ctx);
    expect(await samples()).toBe(honest + 2);
    await followModel(t.ctx, gameId);
    const [pair] = await referenceOf(id);
    expect((pair?.typical ?? 0) / before.typical).toBeLessThan(1.15);
    // Many accomplices that nothing connects, of whom the one seller counts for a fiftieth of all sales at most.
    await addSales(fakes, 'Q', { seller: crook.id, buyer: null });
    await addSales(fakes, 'R', { seller: crook.id, buyer: null });
    await refitModels(t.ctx);
    expect(await samples()).toBeLessThanOrEqual(honest + Math.ceil((SALES + 180) * 0.02));
    await followModel(t.ctx, gameId);
    const [many] = await referenceOf(id);
    expect((many?.typical ?? 0) / before.typical).toBeLessThan(1.3);
  });

  test('an edit during the nightly run keeps the figures of the attributes that it wrote', async () => {
    const some = ids.slice(10, 30);
    await refitModels(t.ctx);
    await Promise.all([
      followModel(t.ctx, gameId),
      ...some.map(async (id) => {
        await inTransaction(t.ctx.db, async (trx) => {
          await sql`update goods set attrs = attrs || '{"skin_count": 321}' where id = ${id}`.execute(trx);
          await reindexMany(t.ctx, trx, [id]);
        });
      }),
    ]);
    const after = await stored(some);
    await index(some);
    expect(await stored(some)).toEqual(after);
    expect(new Set(after.map(({ version }) => version)).size).toBe(1);
  });
});

describe('sites and games', () => {
  test('a site that does not show the game gives neither valuation nor listing', async () => {
    await sql`with d as (insert into distributor (code, name, conf, theme, games)
        select 'moon', '月', conf, theme, array[(select min(id) from game where id <> ${gameId})] from distributor where id = 1 returning id)
      insert into dist_host (host, dist_id) select ${OTHER_SITE}, id from d`.execute(t.ctx.db);
    await t.ctx.dir.reload();
    const host = { host: OTHER_SITE };
    expect((await t.client(host).call(evaluation, { gameId, details: {} })).status).toBe(404);
    expect((await t.client(host).call(g.goodsInfo, { goodsSn: await snOf(ids[0] ?? 0) })).status).toBe(404);
  });

  test('a game that lost its model has no references, and its outliers stand in their old place again', async () => {
    await sql`update orders set completed_at = completed_at - interval '400 days' where game_id = ${gameId}`.execute(
      t.ctx.db,
    );
    await refitModels(t.ctx);
    await t.relay();
    await t.timers();
    expect(await stored(ids)).toEqual([]);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from goods_search where score < 2000`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.n).toBe(0);
  });
});
