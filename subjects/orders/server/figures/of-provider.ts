import { OrderStatus } from '../../rules/order-status.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { ORDERS_CANCELLED } from '#server/states/order-states.ts';

/** One user's orders of a type, as seller or as buyer. */
export interface ProviderOrders {
  userId: number;
  typeId: number;
  side: 'seller' | 'buyer';
}

/** The orders paid in a week, those completed in it, and money in fen: a seller's income, a buyer's spending. */
export interface ProviderWeek {
  start: string;
  orders: number;
  done: number;
  onTime: number;
  amount: number;
}

export interface ProviderFigures {
  orders30: number;
  done30: number;
  cancelled30: number;
  disputes30: number;
  /** Punctual share of the orders completed within ninety days, in percent; null below ten orders. */
  onTimeRate: number | null;
  weeks: ProviderWeek[];
}

/** Minimum number of orders for publishing the punctual share. */
const ENOUGH = 10;

const inWeek = (at: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${at} >= w.at and ${at} < w.at + interval '7 days'`;

/**
 * The figures of a shop or a recycler. A seller is punctual if the order was delivered by the promised time, a buyer if receipt was
 * confirmed before the automatic confirmation. Weeks begin on Monday, China time, oldest first.
 */
export async function figuresOfProvider(db: Trx, { userId, typeId, side }: ProviderOrders): Promise<ProviderFigures> {
  const own = side === 'seller' ? sql`o.seller_id` : sql`o.buyer_id`;
  const onTime =
    side === 'seller'
      ? sql`coalesce(o.shipped_at <= o.ship_by, true)`
      : sql`exists (select from order_process p where p.order_id = o.id and p.order_status = ${sql.lit(OrderStatus.Completed)} and p.actor = ${`user:${userId}`})`;
  const amount =
    side === 'seller'
      ? sql`coalesce((select sum(t.amount_fen) from ledger_transfer t join mine m on m.id = t.order_id
          where t.code in ('sale_proceeds', 'ruling_to_seller') and ${inWeek(sql`t.created_at`)}), 0)::bigint`
      : sql`coalesce((select sum(m.total_fen) from mine m where ${inWeek(sql`m.completed_at`)}), 0)::bigint`;
  const mine = sql`mine as materialized (select o.id, o.status, o.total_fen, o.paid_at, o.completed_at, o.status = ${sql.lit(OrderStatus.Completed)} and ${onTime} as on_time,
      exists (select from dispute d where d.order_id = o.id) as disputed
    from orders o where ${own} = ${userId} and o.type_id = ${typeId} and o.paid_at > now() - interval '90 days')`;
  type Totals = { orders: number; done: number; cancelled: number; disputes: number; all: number; onTime: number };
  const totals = await sql<Totals>`
    with ${mine} select count(*) filter (where m.paid_at > now() - interval '30 days')::int as orders,
      count(*) filter (where m.status = ${sql.lit(OrderStatus.Completed)} and m.completed_at > now() - interval '30 days')::int as done,
      count(*) filter (where m.status in ${ORDERS_CANCELLED} and m.paid_at > now() - interval '30 days')::int as cancelled,
      count(*) filter (where m.disputed and m.paid_at > now() - interval '30 days')::int as disputes,
      count(*) filter (where m.status = ${sql.lit(OrderStatus.Completed)})::int as all, count(*) filter (where m.on_time)::int as "onTime"
    from mine m`.execute(db);
  const weeks = await sql<ProviderWeek>`
    with ${mine}
    select to_char(w.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as start,
      (select count(*)::int from mine m where ${inWeek(sql`m.paid_at`)}) as orders,
      (select count(*)::int from mine m where m.status = ${sql.lit(OrderStatus.Completed)} and ${inWeek(sql`m.completed_at`)}) as done,
      (select count(*)::int from mine m where m.on_time and ${inWeek(sql`m.completed_at`)}) as "onTime",
      ${amount} as amount
    from (select (date_trunc('week', now() at time zone 'Asia/Shanghai') - make_interval(days => 7 * n)) at time zone 'Asia/Shanghai' as at
      from generate_series(0, 7) n) w order by w.at`.execute(db);
  const row = totals.rows[0] ?? { orders: 0, done: 0, cancelled: 0, disputes: 0, all: 0, onTime: 0 };
  return {
    orders30: row.orders,
    done30: row.done,
    cancelled30: row.cancelled,
    disputes30: row.disputes,
    onTimeRate: row.all < ENOUGH ? null : Math.round((row.onTime / row.all) * 1000) / 10,
    weeks: weeks.rows,
  };
}
