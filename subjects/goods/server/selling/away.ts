import { GoodsStatus, UserStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { Binding } from '#server/binding.ts';
import { emit, emitted } from '#server/jobs/effect-writer.ts';
import { lockProgress, moveProgress } from '#server/jobs/progress.ts';

/** A seller absent for this long has the listings hidden until the next visit (domain.md 4). */
const AWAY_DAYS = 7;
const BATCH = 500;
const EVERY_SECONDS = 3600;
const CONSIGNED = 50;

const days = (n: number) => sql`make_interval(days => ${n}::int)`;

/** The tables whose rows are hidden when their seller is absent, and the condition for a row on offer. */
export type OfferTable = 'goods' | 'quick_coin_offer';
const onOffer = {
  // The platform hands these accounts over, so the seller need not be present.
  goods: sql`g.status = ${sql.lit(GoodsStatus.OnSale)} and not g.official and g.type_id <> ${CONSIGNED}`,
  quick_coin_offer: sql`g.status = ${sql.lit(GoodsStatus.Reviewing)}`,
} as const;

/**
 * Notifies sellers a day before their listings are hidden. Repeated calls within that day notify once: the notice's ref is the last visit.
 */
export async function warnAway(db: Trx, table: OfferTable, awayDays: number): Promise<void> {
  await emitted(
    'notice',
    {
      kind: 'goods.hidden',
      userId: sql`u.id`,
      ref: sql`${table}::text || ':' || to_char(u.last_seen_at at time zone 'Asia/Shanghai', 'YYYYMMDDHH24')`,
      values: sql`jsonb_build_object('count', s.n, 'deadline', to_char((u.last_seen_at + ${days(awayDays)}) at time zone 'Asia/Shanghai', 'MM-DD HH24:MI'))`,
    },
    sql`from app_user u cross join lateral (select count(*)::int as n from ${sql.table(table)} g where g.seller_id = u.id and ${onOffer[table]}) s
    where u.status = ${sql.lit(UserStatus.Active)} and u.last_seen_at >= now() - ${days(awayDays)} and u.last_seen_at < now() - ${days(awayDays - 1)} and s.n > 0`,
  ).execute(db);
}

async function reindexLater(trx: Trx, goodsIds: readonly number[]): Promise<void> {
  await emit(trx, 'goods.reindex', { goodsIds: [...goodsIds] });
}

const MARK = 'goods.away';
const SELLERS_A_RUN = 500;
/** Number of parts of the round over all sellers per run. */
const PARTS_A_RUN = 20;

/** Hides the listings on offer of these sellers, unless they have returned. Returns the number of hidden listings. */
async function hideListings(trx: Trx, sellers: readonly number[]): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with away as (select g.id from goods g join app_user u on u.id = g.seller_id
        where g.seller_id = any(${[...sellers]}::bigint[]) and u.last_seen_at < now() - ${days(AWAY_DAYS)} and ${onOffer.goods} order by g.id for update of g),
      hidden as (update goods g set status = ${sql.lit(GoodsStatus.Hidden)}, updated_at = now() from away where g.id = away.id returning g.id),
      noted as (insert into goods_event (goods_id, kind, actor) select id, 'hidden', 'timer' from hidden)
    select id from hidden`.execute(trx);
  for (let i = 0; i < rows.length; i += BATCH)
    await reindexLater(
      trx,
      rows.slice(i, i + BATCH).map((r) => r.id),
    );
  return rows.length;
}

/**
 * Hides the listings of the next sellers whose absence has reached its limit since the last run, in the order of their last visit. Returns
 * whether more wait.
 */
async function hideGone(ctx: Context): Promise<boolean> {
  return await inTransaction(ctx.db, async (trx) => {
    const { at } = await lockProgress(trx, MARK);
    const { rows } = await sql<{ id: number; at: Date }>`
      select id, last_seen_at as at from app_user where last_seen_at >= coalesce(${at}::timestamptz, '-infinity') and last_seen_at < now() - ${days(AWAY_DAYS)}
      order by last_seen_at, id limit ${SELLERS_A_RUN}`.execute(trx);
    const last = rows.at(-1);
    if (!last) return false;
    await hideListings(
      trx,
      rows.map((r) => r.id),
    );
    const isFull = rows.length === SELLERS_A_RUN;
    // Many sellers with the same last visit (a restored copy) must not stop the marker from advancing.
    const stuck = isFull && at !== null && last.at.getTime() <= at.getTime();
    await moveProgress(trx, MARK, { at: stuck ? new Date(last.at.getTime() + 1) : last.at });
    return isFull;
  });
}

/**
 * Checks the next sellers with listings on sale, one index look-up for each, and hides the listings of absent sellers:
 * those put on sale after the seller's last visit, for example by a cancelled order. The round starts again after the
 * last seller; returns whether it continues.
 */
async function hideStragglers(ctx: Context): Promise<boolean> {
  return await inTransaction(ctx.db, async (trx) => {
    const { id } = await lockProgress(trx, `${MARK}.round`);
    const { rows } = await sql<{ id: number; away: boolean }>`
      with recursive seller as ((select seller_id as id, 1 as n from goods_search where seller_id > ${id} order by seller_id limit 1)
        union all select (select s.seller_id from goods_search s where s.seller_id > seller.id order by s.seller_id limit 1), seller.n + 1
          from seller where seller.id is not null and seller.n < ${SELLERS_A_RUN})
      select u.id, u.last_seen_at < now() - ${days(AWAY_DAYS)} as away from seller join app_user u on u.id = seller.id order by u.id`.execute(
      trx,
    );
    await hideListings(
      trx,
      rows.filter((r) => r.away).map((r) => r.id),
    );
    const isFull = rows.length === SELLERS_A_RUN;
    await moveProgress(trx, `${MARK}.round`, { id: isFull ? (rows.at(-1)?.id ?? 0) : 0 });
    return isFull;
  });
}

/** Puts the hidden listings of a returned seller on sale again. */
async function restoreHidden(ctx: Context, sellerId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      with shown as (update goods g set status = ${sql.lit(GoodsStatus.OnSale)}, updated_at = now() from app_user u
          where g.seller_id = ${sellerId} and g.status = ${sql.lit(GoodsStatus.Hidden)} and u.id = g.seller_id and u.last_seen_at >= now() - ${days(AWAY_DAYS)} returning g.id),
        noted as (insert into goods_event (goods_id, kind, actor) select id, 'shown', 'timer' from shown)
      select id from shown`.execute(trx);
    if (rows.length > 0)
      await reindexLater(
        trx,
        rows.map((r) => r.id),
      );
  });
}

/**
 * Hides the listings of absent sellers after seven days, notifies them a day before, and restores the listings at their next visit. Off
 * in the demo market, whose sellers never visit.
 */
export function bindAway({ effects }: Binding): void {
  effects.every('goods.away', async (ctx) => {
    if (ctx.config.demo) return { seconds: EVERY_SECONDS };
    if (await hideGone(ctx)) return { seconds: 0 };
    for (let part = 0; part < PARTS_A_RUN && (await hideStragglers(ctx)); part++);
    await warnAway(ctx.db, 'goods', AWAY_DAYS);
    return { seconds: EVERY_SECONDS };
  });
  effects.on('account.back', async (ctx, { userId }) => await restoreHidden(ctx, userId));
}
