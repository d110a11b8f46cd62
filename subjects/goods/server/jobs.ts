import { sql } from 'kysely';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { goodsIdsOf, type EventPayload } from '#server/jobs/topics.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import type { Binding } from '#server/binding.ts';
import { emit, schedule } from '#server/jobs/effect-writer.ts';
import { viewRetention } from './listing/views.ts';
import { weekRetention } from './listing/weeks.ts';
import { dropPrices } from './prices/prices.ts';
import { feedEngine } from './search/feed.ts';
import { checkOnSale, keepOnSale } from './search/on-sale.ts';
import { followModel } from './search/follow-models.ts';
import { reindexMany } from './search/reindex.ts';
import { sweepMisses } from './correct/misses.ts';
import { refreshMarket } from './market/stats.ts';

const STATS_EVERY = sql.raw(`interval '1 hour'`);

/** Updates the search rows; a listing that was just sold gets an entry in its passport, once. */
async function reindex(ctx: Context, ids: readonly number[]): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await reindexMany(ctx, trx, ids);
    await sql`insert into goods_event (goods_id, kind, actor, detail)
      select id, 'sold', 'system', jsonb_build_object('priceFen', price_fen) from goods g
      where id = any(${[...ids]}::bigint[]) and status = ${sql.lit(GoodsStatus.Sold)} and not exists (select from goods_event e where e.goods_id = g.id and e.kind = 'sold')`.execute(
      trx,
    );
  });
}

async function refreshStats(ctx: Context): Promise<void> {
  await refreshMarket(ctx.db);
  dropPrices(ctx);
  await schedule(ctx.db, 'goods.stats', 'all', sql`now() + ${STATS_EVERY}`);
}

const REINDEX_BATCH = 500;

/**
 * After a new version of a game: listings on merged servers move to the remaining server, and all listings on sale are
 * indexed again in batches. The sellers' statements do not change, so there is no review and no alert.
 */
async function followGame(ctx: Context, { gameId, merges }: EventPayload<'game.published'>): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    for (const { from, into } of merges)
      await sql`update goods g set server_id = s.id, area_id = s.area_id from game_server s
        where s.id = ${into} and g.server_id = ${from} and g.game_id = ${gameId} and g.status <> all(${[GoodsStatus.Locked, GoodsStatus.Sold, GoodsStatus.Removed]}::smallint[])`.execute(
        trx,
      );
    const { rows } = await sql<{ ids: number[] }>`
      select array_agg(id order by id) as ids from (
        select id, (row_number() over (order by id) - 1) / ${REINDEX_BATCH}::int as batch from goods where game_id = ${gameId} and status = ${GoodsStatus.OnSale}) g
      group by batch`.execute(trx);
    for (const { ids } of rows) await emit(trx, 'goods.score', { goodsIds: ids });
    // The indexing reads the current catalogue, even if the publisher's own message has not arrived yet.
    ctx.bus.publish(CATALOGUE_CHANNEL, {});
  });
}

const REPRICE_BATCH = 200;

/**
 * Search finds, sorts and filters by the all-in price, so a new service fee changes the search row of every listing on sale. Lists show
 * the new price immediately; the rows follow in batches.
 */
async function reprice(ctx: Context): Promise<void> {
  await ctx.dir.reload();
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select goods_id as id from goods_search where goods_id > ${last} order by goods_id limit ${REPRICE_BATCH}`.execute(
      ctx.db,
    );
    const ids = rows.map(({ id }) => id);
    const end = ids.at(-1);
    if (end === undefined) return;
    last = end;
    await inTransaction(ctx.db, async (trx) => await reindexMany(ctx, trx, ids));
  }
}

/** A process may still use the previous model for a minute, so a second pass finds what it wrote meanwhile. */
const AGAIN_SECONDS = 120;

async function followReferences(ctx: Context, gameId: string): Promise<void> {
  const written = await followModel(ctx, Number(gameId));
  if (written > 0) await schedule(ctx.db, 'goods.references', gameId, { seconds: AGAIN_SECONDS });
}

/** Effects of listings: the search row after orders and imports, and the hourly price statistics. */
export function bindGoodsJobs({ effects }: Binding): void {
  // `goods.score` is for changes of the sort order only: saved searches and wants do not listen to it.
  for (const topic of ['goods.reindex', 'goods.score'] as const)
    effects.onMany(topic, async (ctx, events) => await reindex(ctx, [...new Set(events.flatMap(goodsIdsOf))]));
  effects.on('game.published', followGame);
  effects.on('setting.changed', async (ctx, { key }) => {
    if (key === 'fees') await schedule(ctx.db, 'goods.reprice', 'all', { seconds: 0 });
  });
  effects.on('valuation.fitted', async (ctx, { gameId }) => {
    await schedule(ctx.db, 'goods.references', String(gameId), { seconds: 0 });
  });
  effects.timer('goods.references', async (ctx, gameId) => await followReferences(ctx, gameId));
  effects.timer('goods.reprice', async (ctx) => await reprice(ctx));
  effects.every('goods.stats', async (ctx) => await refreshStats(ctx));
  effects.retain(viewRetention);
  effects.retain(weekRetention);
  effects.every('goods.feed', feedEngine);
  effects.every('goods.fold', keepOnSale);
  effects.every('goods.recount', checkOnSale);
  effects.every('goods.misses', async (ctx) => {
    await sweepMisses(ctx.db);
    return { seconds: 86_400 };
  });
}
