import { sql } from 'kysely';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { TtlCache } from '#server/kernel/cache.ts';

/**
 * Maximum numbers of newest listing events read and of decisions used, and the minimum number of decisions for a
 * result.
 */
const EVENTS_READ = 20_000;
const DECISIONS = 200;
const ENOUGH = 10;

const CACHE_MS = 600_000;
const medians = cacheKind(
  'goods.reviewTime',
  ({ config }: Context) => new TtlCache<number | null>({ ttlMs: config.publicCacheTtlMs === 0 ? 0 : CACHE_MS, max: 1 }),
);

/**
 * The median minutes from a listing's submission to a staff decision, over the last seven days; null with fewer than
 * ten decisions.
 */
export async function medianReviewMinutes(ctx: Context): Promise<number | null> {
  return await cacheOf(ctx, medians).get('', async () => {
    const { rows } = await sql<{ minutes: number | null; decisions: number }>`
      with recent as (select * from goods_event order by id desc limit ${EVENTS_READ}),
        decided as (select goods_id, id, created_at from recent
          where kind in ('approved', 'rejected') and actor like 'staff:%' and created_at > now() - interval '7 days' order by id desc limit ${DECISIONS})
      select ceil(percentile_cont(0.5) within group (order by extract(epoch from d.created_at - b.created_at) / 60))::int as minutes,
        count(*)::int as decisions
      from decided d cross join lateral (select e.created_at from goods_event e where e.goods_id = d.goods_id and e.id < d.id order by e.id desc limit 1) b`.execute(
      ctx.db,
    );
    const [row] = rows;
    return row && row.decisions >= ENOUGH ? row.minutes : null;
  });
}
