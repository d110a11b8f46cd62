import { sql } from 'kysely';
import type { personOrders } from '#subjects/back-office/contract/person.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { orderStatusName, OrderStatus } from '#subjects/orders/rules/order-status.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { ORDERS_CANCELLED } from '#server/states/order-states.ts';
import { requirePerson } from './person.ts';

const COUNTED = 200;
const ROWS = 8;

interface Figures {
  orders: number;
  done: number;
  cancelled: number;
  disputed: number;
  linked: number;
  minutes: number | null;
}

interface Row {
  sn: string;
  type_id: number;
  game_name: string | null;
  title: string | null;
  other_id: number;
  other_name: string;
  linked: boolean;
  total_fen: number;
  status: number;
  disputed: boolean;
  deadline: Date | null;
  created_at: Date;
}

/** A user's newest orders of one side, and figures of the last two hundred. Throws FORBIDDEN, NOT_FOUND. */
export async function loadOrders(
  call: StaffCall,
  { userId, side }: Parsed<typeof personOrders>,
): Promise<HandlerResult<typeof personOrders>> {
  requirePermission(call.staff, 'order.read');
  const id = await requirePerson(call, userId);
  const { db } = call.ctx;
  const [own, other] = side === 'sold' ? [sql`o.seller_id`, sql`o.buyer_id`] : [sql`o.buyer_id`, sql`o.seller_id`];
  const where = sql`${own} = ${id} ${ownSite(call.staff, sql`o.dist_id`)}`;
  const figures = await sql<Figures>`
    with recent as (select o.id, o.status, o.shipped_at, o.paid_at, ${other} as other from orders o where ${where} order by o.id desc limit ${COUNTED})
    select count(*)::int as orders, count(*) filter (where n.status = ${sql.lit(OrderStatus.Completed)})::int as done,
      count(*) filter (where n.status in ${ORDERS_CANCELLED})::int as cancelled,
      count(*) filter (where exists (select from dispute d where d.order_id = n.id))::int as disputed,
      (select coalesce(sum(p.n), 0)::int from (select m.other, count(*) as n from recent m group by m.other) p
        where cardinality(user_links(p.other, ${id})) > 0) as linked,
      (percentile_cont(0.5) within group (order by extract(epoch from n.shipped_at - n.paid_at) / 60)
        filter (where n.shipped_at is not null))::int as minutes
    from recent n`.execute(db);
  const { rows } = await sql<Row>`
    select o.sn, o.type_id, o.snapshot->>'gameName' as game_name, o.snapshot->>'title' as title, u.id as other_id, u.nick_name as other_name,
      cardinality(user_links(o.buyer_id, o.seller_id)) > 0 as linked, o.total_fen, o.status, o.disputed,
      order_turn_due(o.id) as deadline, o.created_at
    from orders o join app_user u on u.id = ${other} where ${where} order by o.id desc limit ${ROWS}`.execute(db);
  const f = figures.rows[0] ?? { orders: 0, done: 0, cancelled: 0, disputed: 0, linked: 0, minutes: null };
  return {
    figures: {
      orders: f.orders,
      done: f.done,
      cancelled: f.cancelled,
      disputed: f.disputed,
      linked: f.linked,
      shipMinutes: f.minutes,
    },
    list: rows.map((row) => ({
      orderSn: row.sn,
      typeId: row.type_id,
      gameName: row.game_name ?? '',
      title: row.title ?? '',
      other: { userId: String(row.other_id), nickName: row.other_name },
      isLinked: row.linked,
      total: row.total_fen,
      status: row.status,
      statusName: orderStatusName(row.status, row.type_id),
      disputed: row.disputed,
      deadline: row.deadline,
      createTime: row.created_at,
    })),
  };
}
