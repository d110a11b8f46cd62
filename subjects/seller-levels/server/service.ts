import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { sellerLevelName } from '../rules/standing.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit, emitted, schedule } from '#server/jobs/effect-writer.ts';
import { setSellerLevel } from '#subjects/accounts/server/service.ts';
import { loadSellerDetails } from './queries.ts';
import { levelFor, type LevelSetting, type SellerDetails } from './rules.ts';

/** Number of listings that one event reindexes after a change of their seller's level. */
const REINDEX_BATCH = 200;
/** Number of sellers that one run of the nightly timer counts, so that other timers are not delayed. */
const NIGHT_BATCH = 100;
export { levelFor } from './rules.ts';

/** The timer of the nightly count; its ref is the last seller counted, so that a run can continue. */
export const NIGHTLY = 'level.nightly';

/** The next 03:50 in China. */
const NEXT = sql<Date>`((date_trunc('day', (now() - interval '3 hours 50 minutes') at time zone 'Asia/Shanghai') + interval '1 day 3 hours 50 minutes')
  at time zone 'Asia/Shanghai')`;

/**
 * Recounts a seller and sets the resulting level. Concurrent counts are serialised by the lock on the seller's row, so the later one decides.
 * A change is recorded with its figures, reported to the seller and applied to the search. Returns the level; undefined for an unknown user.
 */
export async function recount(ctx: Context, sellerId: number): Promise<number | undefined> {
  return await inTransaction(ctx.db, (trx) => recountIn(trx, sellerId, ctx.dir.setting('seller_levels')));
}

/** The same in the caller's transaction. */
export async function recountIn(trx: Trx, sellerId: number, setting: LevelSetting): Promise<number | undefined> {
  const { rows } = await sql<{ level: number }>`
    select seller_level as level from app_user where id = ${sellerId} for no key update`.execute(trx);
  const before = rows[0]?.level;
  const details = before === undefined ? undefined : await loadSellerDetails(trx, sellerId, setting);
  if (before === undefined || !details) return undefined;
  const level = levelFor(details, setting);
  const counted = JSON.stringify(details);
  await sql`insert into seller_standing as s (user_id, level, counted) values (${sellerId}, ${level}, ${counted}::jsonb)
    on conflict (user_id) do update set level = excluded.level, counted = excluded.counted, computed_at = now(),
      level_since = case when s.level = excluded.level then s.level_since else now() end`.execute(trx);
  if (level !== before) await change(trx, sellerId, { before, level, counted, details });
  return level;
}

async function change(
  trx: Trx,
  sellerId: number,
  { before, level, counted, details }: { before: number; level: number; counted: string; details: SellerDetails },
): Promise<void> {
  await setSellerLevel(trx, sellerId, level);
  const { rows } = await sql<{ id: number }>`
    insert into seller_level_change (user_id, from_level, to_level, counted) values (${sellerId}, ${before}, ${level}, ${counted}::jsonb) returning id`.execute(
    trx,
  );
  const up = level > before;
  const text = `${sellerLevelName(before)} → ${sellerLevelName(level)}：近期计入 ${details.buyers} 位不同买家，申诉败诉 ${details.lost} 次，取消 ${details.cancelled} 单。`;
  const event = {
    kind: 'goods.level',
    userId: sellerId,
    ref: `level:${rows[0]?.id ?? 0}`,
    values: { what: up ? '已升级' : '已下降', text },
  };
  await emit(trx, 'notice', event);
  // The level is part of the score that lists are sorted by; saved searches and wants are not notified of it.
  await emitted(
    'goods.score',
    { goodsIds: sql`jsonb_agg(id)` },
    sql`from (select id, (row_number() over (order by id) - 1) / ${REINDEX_BATCH} as part from goods where seller_id = ${sellerId} and status = ${sql.lit(GoodsStatus.OnSale)}) g
    group by part order by part`,
  ).execute(trx);
}

/** Counts the seller of an order. */
export async function recountOfOrder(ctx: Context, orderId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`select seller_id as id from orders where id = ${orderId}`.execute(ctx.db);
  if (rows[0]) await recount(ctx, rows[0].id);
}

/**
 * One part of the nightly count, behind the seller `after`: sales and sellers age without any event. Reschedules itself, and after the last
 * seller waits for the next night.
 */
export async function nightlyPart(ctx: Context, after: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from app_user where id > ${after} and (seller_level > 0 or sold_count > 0) order by id limit ${NIGHT_BATCH}`.execute(
    ctx.db,
  );
  for (const { id } of rows) await recount(ctx, id);
  const last = rows.at(-1);
  await inTransaction(ctx.db, async (trx) => {
    if (rows.length === NIGHT_BATCH && last) await schedule(trx, NIGHTLY, String(last.id), { seconds: 0 });
    if (after === 0) await schedule(trx, NIGHTLY, '', NEXT);
  });
}
