import { OrderStatus } from '../../rules/order-status.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { ORDERS_CANCELLED } from '#server/states/order-states.ts';
import type { Binding } from '#server/binding.ts';

/** Number of days counted in the first run, each night, and in other runs (docs/decisions/342). */
const FIRST_DAYS = 200;
const NIGHT_DAYS = 40;
const DAYS = 2;
const EVERY_SECONDS = 300;

/** SQL: midnight of China `days` days ago. */
const midnight = (days: number) =>
  sql`(((now() at time zone 'Asia/Shanghai')::date - ${days}::int)::timestamp at time zone 'Asia/Shanghai')`;

/** Recounts the orders of the last `days` days: those placed on each day by their present state, and those paid on it. */
async function countDays(trx: Trx, days: number): Promise<void> {
  const from = midnight(days - 1);
  await sql`delete from trade_day where day > (now() at time zone 'Asia/Shanghai')::date - ${days}::int`.execute(trx);
  await sql`
    insert into trade_day (day, dist_id, game_id, type_id, placed, placed_paid, placed_shipped, placed_done, placed_unpaid, placed_undone,
      paid, paid_fen, income_fen, disputed)
    select m.day, m.dist_id, m.game_id, m.type_id, sum(m.placed), sum(m.placed_paid), sum(m.placed_shipped), sum(m.placed_done),
      sum(m.placed_unpaid), sum(m.placed_undone), sum(m.paid), sum(m.paid_fen), sum(m.income_fen), sum(m.disputed)
    from (
      select (o.created_at at time zone 'Asia/Shanghai')::date as day, o.dist_id, coalesce(o.game_id, 0) as game_id, o.type_id,
        count(*)::int as placed, count(o.paid_at)::int as placed_paid, count(o.shipped_at)::int as placed_shipped,
        count(*) filter (where o.status = ${sql.lit(OrderStatus.Completed)})::int as placed_done,
        count(*) filter (where o.status in ${ORDERS_CANCELLED} and o.paid_at is null)::int as placed_unpaid,
        count(*) filter (where o.status in ${ORDERS_CANCELLED} and o.paid_at is not null)::int as placed_undone,
        0 as paid, 0::bigint as paid_fen, 0::bigint as income_fen, 0 as disputed
      from orders o where o.created_at >= ${from} group by 1, 2, 3, 4
      union all
      select (o.paid_at at time zone 'Asia/Shanghai')::date, o.dist_id, coalesce(o.game_id, 0), o.type_id, 0, 0, 0, 0, 0, 0,
        count(*)::int, sum(o.total_fen)::bigint, sum(o.commission_fen + o.service_fee_fen)::bigint,
        (count(*) filter (where exists (select from dispute d where d.order_id = o.id)))::int
      from orders o where o.paid_at >= ${from} group by 1, 2, 3, 4
    ) m group by 1, 2, 3, 4`.execute(trx);
}

/**
 * Counts the days that may have changed since the last run: two days, once a day the last forty, and in the first run
 * all stored days.
 */
export async function refreshDays(db: Db): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ last: string | null; today: string }>`
      select max(day)::text as last, (now() at time zone 'Asia/Shanghai')::date::text as today from trade_day`.execute(
      trx,
    );
    const { last = null, today = '' } = rows[0] ?? {};
    await countDays(trx, last === null ? FIRST_DAYS : last < today ? NIGHT_DAYS : DAYS);
  });
}

/** The job that keeps the days. */
export function bindDays({ effects }: Binding): void {
  effects.every('order.days', async (ctx: Context) => {
    await refreshDays(ctx.db);
    return { seconds: EVERY_SECONDS };
  });
}
