import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import type { Effects } from '#server/jobs/events.ts';
import { lockProgress } from '#server/jobs/progress.ts';

/** The lock of folding changes and of recounting a day, so that no change is folded between counting and comparing. */
const MARK = 'orders.figures';
const FOLD_BATCH = 20_000;
const FOLD_SECONDS = 15;

/**
 * Adds the changes that orders wrote (`order_delta`) to the sums by day, at most one batch; returns how many. Readers
 * add both tables, so that the figures are the same before and after.
 */
export async function foldFigures(db: Db): Promise<number> {
  return await inTransaction(db, async (trx) => {
    await lockProgress(trx, MARK);
    const { rows } = await sql<{ n: number }>`
      with taken as (delete from order_delta where id in (select id from order_delta order by id limit ${FOLD_BATCH}) returning *),
        by_day as (insert into order_day as k (figure, day, dist_id, n, amount)
          select figure, day, dist_id, sum(n), sum(amount) from taken group by figure, day, dist_id order by 1, 2, 3
          on conflict (figure, day, dist_id) do update set n = k.n + excluded.n, amount = k.amount + excluded.amount),
        by_game as (insert into deal_day as k (day, game_id, type_id, deals)
          select day, game_id, type_id, sum(n) from taken where figure = 'done' and game_id is not null group by day, game_id, type_id order by 1, 2, 3
          on conflict (day, game_id, type_id) do update set deals = k.deals + excluded.deals),
        by_seller as (insert into seller_day as k (day, game_id, seller_id, deals)
          select day, game_id, seller_id, sum(n) from taken where figure = 'done' and game_id is not null group by day, game_id, seller_id order by 1, 2, 3
          on conflict (day, game_id, seller_id) do update set deals = k.deals + excluded.deals)
      select count(*)::int as n from taken`.execute(trx);
    return rows[0]?.n ?? 0;
  });
}

/** The condition that a moment lies on a day of China. */
const onDay = (column: string, day: string) =>
  sql`${sql.ref(column)} >= ${day}::date::timestamp at time zone 'Asia/Shanghai' and ${sql.ref(column)} < (${day}::date + 1)::timestamp at time zone 'Asia/Shanghai'`;

/** The expected sums of a day: counted from the orders themselves, without the changes that are not folded yet. */
const countedAnew = (day: string) => sql`
  select f.figure, o.dist_id, o.game_id, o.type_id, o.seller_id, f.n, f.amount from orders o cross join lateral order_figures(o) f
  where f.day = ${day}::date and (${onDay('o.created_at', day)} or ${onDay('o.paid_at', day)} or ${onDay('o.shipped_at', day)} or ${onDay('o.completed_at', day)})
  union all
  select 'disputed', o.dist_id, o.game_id, o.type_id, o.seller_id, 1, o.total_fen from orders o
  where ${onDay('o.created_at', day)} and exists (select from dispute d where d.order_id = o.id)
  union all
  select figure, dist_id, game_id, type_id, seller_id, -n, -amount from order_delta where day = ${day}::date`;

/**
 * Counts the figures of one day again in one snapshot, corrects the sums that differ and returns how many did. Orders may change meanwhile;
 * their changes are folded after this ends.
 */
export async function recountDay(db: Db, day: string): Promise<number> {
  return await inTransaction(db, async (trx) => {
    await lockProgress(trx, MARK);
    const { rows } = await sql<{ n: number }>`
      with anew as materialized (${countedAnew(day)}),
        day_wrong as (select figure, dist_id, coalesce(a.n, 0) as n, coalesce(a.amount, 0) as amount
          from (select figure, dist_id, sum(n) as n, sum(amount) as amount from anew group by figure, dist_id) a
            full join (select * from order_day where day = ${day}::date) k using (figure, dist_id)
          where coalesce(a.n, 0) <> coalesce(k.n, 0) or coalesce(a.amount, 0) <> coalesce(k.amount, 0)),
        game_wrong as (select game_id, type_id, coalesce(a.n, 0) as n
          from (select game_id, type_id, sum(n) as n from anew where figure = 'done' and game_id is not null group by game_id, type_id) a
            full join (select * from deal_day where day = ${day}::date) k using (game_id, type_id) where coalesce(a.n, 0) <> coalesce(k.deals, 0)),
        seller_wrong as (select game_id, seller_id, coalesce(a.n, 0) as n
          from (select game_id, seller_id, sum(n) as n from anew where figure = 'done' and game_id is not null group by game_id, seller_id) a
            full join (select * from seller_day where day = ${day}::date) k using (game_id, seller_id) where coalesce(a.n, 0) <> coalesce(k.deals, 0)),
        days as (insert into order_day (figure, day, dist_id, n, amount) select figure, ${day}::date, dist_id, n, amount from day_wrong
          on conflict (figure, day, dist_id) do update set n = excluded.n, amount = excluded.amount),
        games as (insert into deal_day (day, game_id, type_id, deals) select ${day}::date, game_id, type_id, n from game_wrong
          on conflict (day, game_id, type_id) do update set deals = excluded.deals),
        sellers as (insert into seller_day (day, game_id, seller_id, deals) select ${day}::date, game_id, seller_id, n from seller_wrong
          on conflict (day, game_id, seller_id) do update set deals = excluded.deals)
      select ((select count(*) from day_wrong) + (select count(*) from game_wrong) + (select count(*) from seller_wrong))::int as n`.execute(
      trx,
    );
    const differences = rows[0]?.n ?? 0;
    await sql`insert into order_recount (day, differences) values (${day}::date, ${differences})
      on conflict (day) do update set counted_at = now(), differences = excluded.differences`.execute(trx);
    return differences;
  });
}

/** Days that are counted again every night: late changes of the last days, then one older day after the other. */
const RECENT_DAYS = 3;
const OLDER_DAYS = 2;
const DAYS_A_RUN = 10;

interface DueDay {
  day: string;
  isNew: boolean;
}

/** Days due: those never counted (all of them after an upgrade), the last few, and those counted longest ago. */
async function daysDue(db: Db): Promise<DueDay[]> {
  const { rows } = await sql<DueDay>`
    with today as (select (now() at time zone 'Asia/Shanghai')::date as day),
      never as (select d::date as day from today cross join generate_series((select (created_at at time zone 'Asia/Shanghai')::date from orders order by id limit 1),
          today.day, interval '1 day') d where not exists (select from order_recount r where r.day = d::date) order by 1 desc limit ${DAYS_A_RUN}),
      recent as (select r.day from order_recount r cross join today where r.day > today.day - ${RECENT_DAYS}::int and r.counted_at < now() - interval '12 hours'),
      older as (select r.day from order_recount r where r.counted_at < now() - interval '12 hours' order by r.counted_at, r.day limit ${OLDER_DAYS})
    select to_char(day, 'YYYY-MM-DD') as day, bool_or(is_new) as "isNew"
    from (select day, true as is_new from never union all select day, false from recent union all select day, false from older) x group by day order by 1 desc`.execute(
    db,
  );
  return rows;
}

const DAY_MS = 86_400_000;
/** 04:10 in China is 20:10 of the day before in UTC. */
const NIGHT_MS = (20 * 60 + 10) * 60_000;
const nextNight = (now: number): Date => new Date((Math.floor((now - NIGHT_MS) / DAY_MS) + 1) * DAY_MS + NIGHT_MS);

/** Counts the days due; resolves to whether days that were never counted remain. */
async function recountFigures(ctx: Context): Promise<boolean> {
  const due = await daysDue(ctx.db);
  for (const { day, isNew } of due) {
    const differences = await recountDay(ctx.db, day);
    if (differences > 0 && !isNew) ctx.log.error({ day, differences }, 'kept figures of orders differed');
  }
  return due.filter((d) => d.isNew).length === DAYS_A_RUN;
}

/** Binds the jobs that maintain the figures: folding changes and the nightly recount. */
export function bindFigures(effects: Effects): void {
  effects.every('orders.fold', async (ctx) => {
    const folded = await foldFigures(ctx.db);
    return { seconds: folded === FOLD_BATCH ? 0 : FOLD_SECONDS };
  });
  effects.every('orders.recount', async (ctx) =>
    (await recountFigures(ctx)) ? { seconds: 1 } : nextNight(Date.now()),
  );
}

/** Figures of all orders of the last thirty days, and the money of all open orders. */
export async function marketFigures(db: Trx) {
  const { rows } = await sql<{
    escrowTotal: number;
    disputeRate30: number;
    averageShipMinutes: number | null;
    dealsToday: number;
    deals30: number;
  }>`
    with today as (select (now() at time zone 'Asia/Shanghai')::date as day),
      month as (select f.figure, sum(f.n) as n, sum(f.amount) as amount from order_figure f cross join today
        where f.figure in ('bought', 'disputed', 'shipped', 'done') and f.day > today.day - 30 group by f.figure)
    select (select coalesce(sum(f.amount), 0)::bigint from order_figure f where f.figure = 'escrow' and f.n <> 0) as "escrowTotal",
      coalesce((select round(100.0 * d.n / nullif(b.n, 0), 2) from month d join month b on b.figure = 'bought' where d.figure = 'disputed'), 0)::float8 as "disputeRate30",
      (select round(amount / nullif(n, 0) / 60)::int from month where figure = 'shipped') as "averageShipMinutes",
      (select coalesce(sum(f.n), 0)::int from order_figure f cross join today where f.figure = 'done' and f.day = today.day) as "dealsToday",
      coalesce((select n::int from month where figure = 'done'), 0) as "deals30"`.execute(db);
  const [figures] = rows;
  if (!figures) throw new Error('the query for order statistics returned no row');
  return figures;
}
