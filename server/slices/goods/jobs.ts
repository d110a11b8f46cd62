import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { goodsIdsOf } from '#server/jobs/topics.ts';
import { catalogue } from '#server/slices/games/service.ts';
import type { Binding } from '#server/binding.ts';
import { schedule } from '#server/jobs/door.ts';
import { dropPrices } from './prices.ts';
import { reindexMany } from './reindex.ts';
import { refreshPrices, refreshSellTimes } from './stats.ts';

const STATS_EVERY = sql.raw(`interval '1 hour'`);

/** Updates the search rows; a listing that was just sold gets an entry in its passport, once. */
async function reindex(ctx: Context, ids: readonly number[]): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await reindexMany(ctx, trx, ids);
    await sql`insert into goods_event (goods_id, kind, actor, detail)
      select id, 'sold', 'system', jsonb_build_object('priceFen', price_fen) from goods g
      where id = any(${[...ids]}::bigint[]) and status = 5 and not exists (select from goods_event e where e.goods_id = g.id and e.kind = 'sold')`.execute(
      trx,
    );
  });
}

async function refreshStats(ctx: Context): Promise<void> {
  const all = await catalogue(ctx);
  await inTransaction(ctx.db, async (trx) => {
    // This reads months of sales, which takes longer than the limit for pages.
    await sql`set local statement_timeout = '120s'`.execute(trx);
    await refreshPrices(trx, (gameId, typeId) => all.fieldsOf(gameId, typeId));
    await refreshSellTimes(trx);
  });
  dropPrices(ctx.db);
  await schedule(ctx.db, 'goods.stats', 'all', sql`now() + ${STATS_EVERY}`);
}

/** Effects of listings: the search row after orders and imports, and the hourly price statistics. */
export function bindGoodsJobs({ effects }: Binding): void {
  // `goods.score` is for changes of the sort order only: saved searches and wants do not listen to it.
  for (const topic of ['goods.reindex', 'goods.score'] as const)
    effects.onMany(topic, async (ctx, events) => await reindex(ctx, [...new Set(events.flatMap(goodsIdsOf))]));
  effects.every('goods.stats', async (ctx) => await refreshStats(ctx));
}
