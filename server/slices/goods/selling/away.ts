import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { Binding } from '#server/binding.ts';
import { emit, emitted, schedule } from '#server/jobs/door.ts';

/** A seller absent for this long has the listings hidden until the next visit (domain.md 4). */
const AWAY_DAYS = 7;
const BATCH = 500;
const EVERY = sql.raw(`interval '1 hour'`);
const IMMEDIATELY = sql.raw(`interval '0'`);
const CONSIGNED = 50;

const days = (n: number) => sql`make_interval(days => ${n}::int)`;

/** The tables whose rows are hidden when their seller is absent, and the condition for a row on offer. */
export type OfferTable = 'goods' | 'quick_coin_offer';
const onOffer = {
  // The platform hands these accounts over, so the seller need not be present.
  goods: sql`g.status = 2 and not g.official and g.type_id <> ${CONSIGNED}`,
  quick_coin_offer: sql`g.status = 1`,
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
    where u.status = 1 and u.last_seen_at >= now() - ${days(awayDays)} and u.last_seen_at < now() - ${days(awayDays - 1)} and s.n > 0`,
  ).execute(db);
}

async function reindexLater(trx: Trx, goodsIds: readonly number[]): Promise<void> {
  await emit(trx, 'goods.reindex', { goodsIds: [...goodsIds] });
}

/** Hides a batch of absent sellers' listings. Returns how many. */
async function hideBatch(ctx: Context): Promise<number> {
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      with away as (select g.id from goods g join app_user u on u.id = g.seller_id
          where u.last_seen_at < now() - ${days(AWAY_DAYS)} and ${onOffer.goods} order by g.id limit ${BATCH} for update of g skip locked),
        hidden as (update goods g set status = 7, updated_at = now() from away where g.id = away.id returning g.id),
        noted as (insert into goods_event (goods_id, kind, actor) select id, 'hidden', 'timer' from hidden)
      select id from hidden`.execute(trx);
    if (rows.length > 0)
      await reindexLater(
        trx,
        rows.map((r) => r.id),
      );
    return rows.length;
  });
}

/** Puts the hidden listings of a returned seller on sale again. */
async function restoreHidden(ctx: Context, sellerId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      with shown as (update goods g set status = 2, updated_at = now() from app_user u
          where g.seller_id = ${sellerId} and g.status = 7 and u.id = g.seller_id and u.last_seen_at >= now() - ${days(AWAY_DAYS)} returning g.id),
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
    const hidden = ctx.config.demo ? 0 : await hideBatch(ctx);
    if (!ctx.config.demo && hidden < BATCH) await warnAway(ctx.db, 'goods', AWAY_DAYS);
    await schedule(ctx.db, 'goods.away', 'all', sql`now() + ${hidden === BATCH ? IMMEDIATELY : EVERY}`);
  });
  effects.on('account.back', async (ctx, { userId }) => await restoreHidden(ctx, userId));
}
