import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import type { companionFigures } from '#subjects/services/contract/companions.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { loadProvider } from '#subjects/providers/server/service.ts';
import { loadScore } from './cards.ts';

type Figures = HandlerResult<typeof companionFigures>;

const WEEKS = 8;
const PERCENT = 1000;

interface Totals {
  views: number;
  orders: number;
  started: number;
  onTime: number;
  buyers: number;
  again: number;
}

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * PERCENT) / 10;

/** A companion's own figures, counted by the platform. Throws PROVIDER_REQUIRED for others. */
export async function loadFigures({ ctx, user }: UserCall): Promise<Figures> {
  const row = await loadProvider(ctx.db, user.id, 'companion');
  if (!row) throw new AppError('PROVIDER_REQUIRED');
  const { rows } = await sql<Totals>`
    with evening as (
      select o.buyer_id, s.accepted_at, s.started_at, s.starts_at, s.seller_start_at from service_order s join orders o on o.id = s.order_id
      where s.provider_id = ${row.id} and o.status <> ${sql.lit(OrderStatus.Unpaid)} and o.status <> ${sql.lit(OrderStatus.ClosedUnpaid)})
    select (select coalesce(sum(g.views), 0)::int from service_package k join goods_stat g on g.goods_id = k.goods_id where k.provider_id = ${row.id}) as views,
      (select count(*)::int from evening) as orders,
      (select count(*)::int from evening where started_at is not null) as started,
      (select count(*)::int from evening where started_at is not null and seller_start_at <= starts_at) as "onTime",
      (select count(distinct buyer_id)::int from evening where started_at is not null) as buyers,
      (select count(*)::int from (select from evening where started_at is not null group by buyer_id having count(*) > 1) b) as again`.execute(
    ctx.db,
  );
  const weeks = await sql<{ from: Date; orders: number; minutes: number; income: number; tips: number }>`
    select w.at as "from",
      (select count(*)::int from service_order s where s.provider_id = ${row.id} and s.started_at >= w.at and s.started_at < w.at + interval '7 days') as orders,
      (select coalesce(sum(s.played_minutes), 0)::int from service_order s
        where s.provider_id = ${row.id} and s.started_at >= w.at and s.started_at < w.at + interval '7 days') as minutes,
      (select coalesce(sum(t.amount_fen), 0)::int from ledger_transfer t join service_order s on s.order_id = t.order_id
        where s.provider_id = ${row.id} and t.code in ('sale_proceeds', 'ruling_to_seller') and t.created_at >= w.at and t.created_at < w.at + interval '7 days') as income,
      (select coalesce(sum(t.amount_fen), 0)::int from service_tip t join service_order s on s.order_id = t.order_id
        where s.provider_id = ${row.id} and t.created_at >= w.at and t.created_at < w.at + interval '7 days') as tips
    from (select date_trunc('week', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' - make_interval(days => 7 * n) as at
      from generate_series(0, ${WEEKS - 1}::int) n) w order by w.at desc`.execute(ctx.db);
  const t = rows[0] ?? { views: 0, orders: 0, started: 0, onTime: 0, buyers: 0, again: 0 };
  return {
    views: t.views,
    orders: t.orders,
    doneNum: row.doneCount,
    noShows: row.noShowCount,
    repeatRate: share(t.again, t.buyers),
    onTimeRate: share(t.onTime, t.started),
    score: await loadScore(ctx.db, user.id),
    weeks: weeks.rows.map((w) => ({
      from: w.from,
      orders: w.orders,
      hours: Math.round(w.minutes / 6) / 10,
      income: w.income,
      tips: w.tips,
    })),
  };
}
