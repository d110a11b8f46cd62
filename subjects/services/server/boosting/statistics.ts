import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { boosterStatistics } from '#subjects/services/contract/boosting.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { loadProvider, providerOnTimeRate } from '#subjects/providers/server/service.ts';

type Statistics = HandlerResult<typeof boosterStatistics>;

/** A booster's own figures of 30 days and of the last eight weeks, counted from orders and postings. Throws PROVIDER_REQUIRED. */
export async function loadStatistics({ ctx, user }: UserCall): Promise<Statistics> {
  const { db } = ctx;
  const me = await loadProvider(db, user.id, 'booster');
  if (!me) throw new AppError('PROVIDER_REQUIRED');
  const totals = await sql<{ orders: number; done: number; cancelled: number; bans: number; views: number }>`
    select count(*) filter (where o.created_at > now() - interval '30 days')::int as orders,
      count(*) filter (where s.state = 'done' and s.finished_at > now() - interval '30 days')::int as done,
      count(*) filter (where s.state = 'ended' and s.accepted_at is not null and s.finished_at > now() - interval '30 days')::int as cancelled,
      count(*) filter (where s.ban_reported_at is not null)::int as bans,
      (select coalesce(sum(t.views), 0)::int from service_package k join goods_stat t on t.goods_id = k.goods_id
        where k.provider_id = ${me.id} and k.type_id = ${BOOSTING}) as views
    from service_order s join orders o on o.id = s.order_id where s.provider_id = ${me.id} and s.type_id = ${BOOSTING} and o.paid_at is not null`.execute(
    db,
  );
  const weeks = await sql<{ start: string; orders: number; done: number; fen: number }>`
    select to_char(w, 'YYYY-MM-DD') as start,
      (select count(*)::int from service_order s join orders o on o.id = s.order_id where s.provider_id = ${me.id} and s.type_id = ${BOOSTING}
        and o.paid_at is not null and (o.created_at at time zone 'Asia/Shanghai') >= w and (o.created_at at time zone 'Asia/Shanghai') < w + interval '7 days') as orders,
      (select count(*)::int from service_order s where s.provider_id = ${me.id} and s.type_id = ${BOOSTING} and s.state = 'done'
        and (s.finished_at at time zone 'Asia/Shanghai') >= w and (s.finished_at at time zone 'Asia/Shanghai') < w + interval '7 days') as done,
      (select coalesce(sum(t.amount_fen), 0)::bigint from service_order s join ledger_transfer t on t.order_id = s.order_id
        and t.code in ('milestone_paid', 'sale_proceeds', 'ruling_to_seller') where s.provider_id = ${me.id} and s.type_id = ${BOOSTING}
        and (t.created_at at time zone 'Asia/Shanghai') >= w and (t.created_at at time zone 'Asia/Shanghai') < w + interval '7 days') as fen
    from generate_series(date_trunc('week', now() at time zone 'Asia/Shanghai') - interval '7 weeks', date_trunc('week', now() at time zone 'Asia/Shanghai'), interval '7 days') w
    order by w`.execute(db);
  const row = totals.rows[0];
  return {
    views: row?.views ?? 0,
    orders30: row?.orders ?? 0,
    done30: row?.done ?? 0,
    onTimeRate: providerOnTimeRate(me),
    cancelled30: row?.cancelled ?? 0,
    bans: row?.bans ?? 0,
    weeks: weeks.rows.map((w) => ({ start: w.start, orders: w.orders, done: w.done, income: w.fen })),
  };
}
