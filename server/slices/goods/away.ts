import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { Binding } from '#server/binding.ts';

/** A seller who has not been here for so long sells nothing until the next visit (domain.md 4). */
const AWAY_DAYS = 7;
const BATCH = 500;
const EVERY = sql.raw(`interval '1 hour'`);
const AT_ONCE = sql.raw(`interval '0'`);
const CONSIGNED = 50;

const days = (n: number) => sql`make_interval(days => ${n}::int)`;

/** What leaves the shelf when its seller stays away: the table, and which of its rows are on it. */
export type Shelf = 'goods' | 'quick_coin_offer';
const onShelf = {
  // Where the platform has the account, the seller's presence is not needed.
  goods: sql`g.status = 2 and not g.official and g.type_id <> ${CONSIGNED}`,
  quick_coin_offer: sql`g.status = 1`,
} as const;

/**
 * Tells sellers a day before what they sell leaves the shelf. Asked several times within that day it tells once: the notice's ref is the
 * visit that was the last.
 */
export async function warnAway(db: Trx, shelf: Shelf, awayDays: number): Promise<void> {
  await sql`
    insert into outbox (topic, payload)
    select 'notice', jsonb_build_object('kind', 'goods.hidden', 'userId', u.id,
      'ref', ${shelf} || ':' || to_char(u.last_seen_at at time zone 'Asia/Shanghai', 'YYYYMMDDHH24'),
      'values', jsonb_build_object('count', s.n, 'deadline', to_char((u.last_seen_at + ${days(awayDays)}) at time zone 'Asia/Shanghai', 'MM-DD HH24:MI')))
    from app_user u cross join lateral (select count(*)::int as n from ${sql.table(shelf)} g where g.seller_id = u.id and ${onShelf[shelf]}) s
    where u.status = 1 and u.last_seen_at >= now() - ${days(awayDays)} and u.last_seen_at < now() - ${days(awayDays - 1)} and s.n > 0`.execute(
    db,
  );
}

async function reindexLater(trx: Trx, goodsIds: readonly number[]): Promise<void> {
  await sql`insert into outbox (topic, payload) values ('goods.reindex', ${JSON.stringify({ goodsIds })}::jsonb)`.execute(
    trx,
  );
}

/** Takes a batch of what absent sellers offer off the shelf. Answers how many. */
async function hideBatch(ctx: Context): Promise<number> {
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      with away as (select g.id from goods g join app_user u on u.id = g.seller_id
          where u.last_seen_at < now() - ${days(AWAY_DAYS)} and ${onShelf.goods} order by g.id limit ${BATCH} for update of g skip locked),
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

/** Puts back what a seller's absence took off the shelf. */
async function showAgain(ctx: Context, sellerId: number): Promise<void> {
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
 * Sellers who stay away: told a day before, off the shelf after seven days, back with their next visit. In the demo market nobody is
 * away, since its people never visit.
 */
export function bindAway({ effects }: Binding): void {
  effects.every('goods.away', 'all', async (ctx) => {
    const hidden = ctx.config.demo ? 0 : await hideBatch(ctx);
    if (!ctx.config.demo && hidden < BATCH) await warnAway(ctx.db, 'goods', AWAY_DAYS);
    await sql`insert into timer (kind, ref, due_at) values ('goods.away', 'all', now() + ${hidden === BATCH ? AT_ONCE : EVERY})
      on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0`.execute(ctx.db);
  });
  effects.on('account.back', async (ctx, { userId }) => await showAgain(ctx, Number(userId)));
}
