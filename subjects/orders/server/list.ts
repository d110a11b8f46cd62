import type { TakeOver } from '../rules/order-text.ts';
import { isCancelled, FAILED_TAB, OrderStatus } from '../rules/order-status.ts';
import { BOOSTING, COMPANION_PLAY, RECYCLED_ACCOUNT } from '../rules/order-types.ts';
import { sql } from 'kysely';
import { BUYS, SELLS } from '#contract/rules/parties.ts';
import type { Trx } from '#server/db/client.ts';
import type { PictureItem } from '#subjects/media/server/service.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import type { OpenStep } from './queries.ts';
import { ORDERS_CANCELLED, ORDERS_IN_PROGRESS } from '#server/states/order-states.ts';
import { takeOverColumn } from './handover/due.ts';
import { exchangeColumn } from './handover/exchange-column.ts';

/** A row of an order list from the database. */
export interface OrderRow {
  id: number;
  sn: string;
  dist_id: number;
  type_id: number;
  game_id: number | null;
  goods_id: number | null;
  goods_sn: string | null;
  goods_num: number;
  buyer_id: number;
  seller_id: number;
  staff_id: number | null;
  status: number;
  unit_price_fen: number;
  goods_fen: number;
  service_fee_fen: number;
  ensure_fen: number;
  fix_ensure_fen: number;
  discount_fen: number;
  total_fen: number;
  advance_fen: number;
  advance_goods_fen: number;
  cut_fen: number;
  commission_fen: number;
  dist_share_fen: number;
  invite_reward_fen: number;
  inviter_id: number | null;
  ensure_id: number;
  fix_ensure_id: number;
  is_recovery: number;
  offline_mark: number | null;
  offline_agreed: boolean | null;
  fees: { code: string; label: string; fen: number; rule: string }[];
  snapshot: {
    title: string;
    gameCode: string;
    gameName: string;
    areaName: string;
    serverName: string;
    attrs: Record<string, unknown>;
    picture: PictureItem | null;
    fieldsVersion: number;
    /** The description of a deal without a listing, shown unchanged. */
    facts?: { label: string; value: string }[];
    shipSeconds?: number;
    binding?: boolean;
    /** Goods type handed over by a deal or a coin order; 0 = none of a game. */
    handoverType?: number;
    /** Boosting or companion play, handled by the services subject. */
    service?: boolean;
  };
  touched_at: Date | null;
  shut_at: Date | null;
  cancel_asked_at: Date | null;
  ship_by: Date | null;
  auto_confirm_at: Date | null;
  confirm_stopped_at: Date | null;
  buyer_opened_at: Date | null;
  delivered_at: Date | null;
  /** Required hand-over steps that are not done, of a running order. */
  open_steps: OpenStep[];
  disputed: boolean;
  paid_at: Date | null;
  shipped_at: Date | null;
  completed_at: Date | null;
  created_at: Date;
  expires_at: Date | null;
  coupon_id: number | null;
  bargain_id: number | null;
  handover_version: number | null;
  hidden_buyer: boolean;
  hidden_seller: boolean;
  credential_opened_at: Date | null;
  self_placed: boolean;
  unpaid_end_at: Date | null;
  overdue: boolean;
  /** When the current hand-over step is due; null without one. */
  step_due: Date | null;
  late_end_at: Date | null;
  late_warned_at: Date | null;
  /** Whether a late order ends by rule; null while the parties have not been notified. */
  late_by_rule: boolean | null;
  /** A boosting order whose booster waits for the buyer's account. */
  account_missing: boolean;
  /**
   * The state of the request that an order of a recycled account comes from, and its deadline; null for other orders.
   */
  recycle_state: string | null;
  recycle_due_at: Date | null;
  /** The party that has paid for the inspected account and still has to take it over; null for other orders. */
  take_over: TakeOver | null;
  /** A recycled account whose buyer is the platform: its staff take it over. */
  platform_buys: boolean;
  /** When its booster last said that the buyer's account does not open. */
  login_failed_at: Date | null;
  buyer_name: string;
  /** Shown to the buyer only. */
  buyer_phone_mask: string;
  seller_name: string;
  staff_name: string | null;
  group_id: number | null;
  unread: number;
  rated: boolean;
  /** It can be reviewed: completed, or companion play of which minutes were paid. */
  may_rate: boolean;
  /** The seller's money of the sale is still frozen. */
  is_held: boolean;
  /** The amount of the sale's hold, null before there is one, and the amount that rulings have taken from the seller, in fen. */
  hold_fen: number | null;
  taken_fen: number;
}

export interface ListQuery {
  userId: number;
  belong: number | undefined;
  status: number | undefined;
  typeId: number | undefined;
  keyWord: string | undefined;
  minTime: Date | undefined;
  maxTime: Date | undefined;
  isRecovery: number | undefined;
  details: string | undefined;
  cursor: string | undefined;
  limit: number;
  offset: number;
}

/** A value of the request `q` that an order of a recycled account comes from; null for other orders. */
const ofRequest = (value: ReturnType<typeof sql>) =>
  sql`case when (o.snapshot->>'handoverType')::int = ${sql.lit(RECYCLED_ACCOUNT)} then (select ${value} from recycle_request q
    left join timer c on c.kind = 'recycle.due' and c.ref = q.id::text where q.order_id = o.id) end`;

const columns = (
  viewer: ReturnType<typeof sql>,
) => sql`o.*, t.due_at as expires_at, coalesce(o.ship_by < now(), false) as overdue, order_step_due(o.id) as step_due,
  case when o.status = ${OrderStatus.Paid} and o.late_end_at is not null then order_ends_when_late(o.id) end as late_by_rule,
  (o.type_id = ${BOOSTING} and exists (select from service_order w where w.order_id = o.id and w.state = 'waiting')) as account_missing,
  (select w.login_failed_at from service_order w where w.order_id = o.id and o.type_id = ${BOOSTING}) as login_failed_at,
  ${takeOverColumn} as take_over, coalesce(${ofRequest(sql`exists (select from recycler p where p.user_id = o.buyer_id and p.is_platform)`)}, false) as platform_buys,
  ${ofRequest(sql`q.status`)} as recycle_state, ${ofRequest(sql`greatest(q.due_at, c.due_at)`)} as recycle_due_at,
  b.nick_name as buyer_name, b.phone_mask as buyer_phone_mask, s.nick_name as seller_name, f.name as staff_name, g.id as group_id,
  coalesce(g.last_seq - m.read_seq, 0) as unread,
  coalesce((select jsonb_agg(jsonb_build_object('step', h.step, 'title', h.title, 'actor', h.actor, 'beforeShip', h.before_ship, 'evidence', h.evidence,
      'blocks', order_step_blocks(h.order_id, h.step, h.actor, h.exchange), 'exchange', ${exchangeColumn})
    order by h.step) from order_handover h where h.order_id = o.id and h.required and h.done_at is null and o.status in ${ORDERS_IN_PROGRESS}), '[]') as open_steps,
  exists (select from hold d where d.code = 'sale_protection' and d.ref = o.id::text and d.released_at is null) as is_held,
  (select d.amount_fen from hold d where d.code = 'sale_protection' and d.ref = o.id::text) as hold_fen,
  case when o.paid_at is null then 0 else (select coalesce(sum(l.amount_fen), 0) from ledger_transfer l where l.order_id = o.id
    and l.code in ('ruling_take_back', 'ruling_from_balance', 'ruling_from_deposit'))::bigint end as taken_fen,
  exists (select from order_review r where r.order_id = o.id and r.user_id = ${viewer}) as rated,
  case when o.status = ${OrderStatus.Completed} then true when o.type_id = ${COMPANION_PLAY} then order_may_be_rated(o.id) else false end as may_rate`;

const joins = (viewer: ReturnType<typeof sql>) => sql`
  join app_user b on b.id = o.buyer_id join app_user s on s.id = o.seller_id left join staff f on f.id = o.staff_id
  left join timer t on t.kind = 'order.expire' and t.ref = o.id::text
  left join chat_group g on g.order_id = o.id left join chat_member m on m.group_id = g.id and m.member = (${viewer})::text`;

function conditions(q: ListQuery) {
  const parts = [
    q.belong === BUYS
      ? sql`o.buyer_id = ${q.userId} and not o.hidden_buyer`
      : q.belong === SELLS
        ? sql`o.seller_id = ${q.userId} and not o.hidden_seller`
        : sql`((o.buyer_id = ${q.userId} and not o.hidden_buyer) or (o.seller_id = ${q.userId} and not o.hidden_seller))`,
  ];
  if (q.typeId !== undefined) parts.push(sql`o.type_id = ${q.typeId}`);
  if (q.isRecovery !== undefined) parts.push(sql`(o.is_recovery <> 0) = ${q.isRecovery === 1}`);
  if (q.details !== undefined)
    parts.push(
      sql`position(lower(${q.details}) in lower(concat_ws(' ', o.snapshot->>'gameName', o.snapshot->>'areaName', o.snapshot->>'serverName'))) > 0`,
    );
  if (q.minTime) parts.push(sql`o.created_at >= ${q.minTime}`);
  if (q.maxTime) parts.push(sql`o.created_at <= ${q.maxTime}`);
  if (q.keyWord !== undefined)
    parts.push(
      sql`(o.sn = ${q.keyWord} or o.goods_sn = ${q.keyWord} or position(${q.keyWord} in o.snapshot->>'title') > 0)`,
    );
  return parts;
}

const byStatus = (status: number) =>
  status === FAILED_TAB ? sql`o.status in ${ORDERS_CANCELLED}` : sql`o.status = ${status}`;

/** A user's orders, newest first, by id; the page after a cursor costs the same as the first. */
export async function listOrders(
  db: Trx,
  q: ListQuery,
): Promise<{ rows: OrderRow[]; next: string | null; counts: Record<string, number> }> {
  const from = decodeId(q.cursor);
  const where = conditions(q);
  const viewer = sql`${q.userId}::bigint`;
  const page = [...where];
  if (q.status !== undefined) page.push(byStatus(q.status));
  if (from !== undefined) page.push(sql`o.id < ${from}`);
  const { rows } = await sql<OrderRow>`
    select ${columns(viewer)} from orders o ${joins(viewer)} where ${sql.join(page, sql` and `)}
    order by o.id desc limit ${q.limit + 1} offset ${from === undefined ? q.offset : 0}`.execute(db);
  const counted = await sql<{ status: number; n: number }>`
    select status, count(*) as n from (select o.status from orders o where ${sql.join(where, sql` and `)} limit 10000) x group by status`.execute(
    db,
  );
  const counts: Record<string, number> = { all: 0, '-1': 0 };
  for (const { status, n } of counted.rows) {
    counts[String(status)] = n;
    counts.all = (counts.all ?? 0) + n;
    if (isCancelled(status)) counts['-1'] = (counts['-1'] ?? 0) + n;
  }
  const pageRows = rows.slice(0, q.limit);
  const last = pageRows.at(-1);
  return { rows: pageRows, next: rows.length > q.limit && last ? encodeCursor([last.id]) : null, counts };
}

/** One complete order of a party; undefined for other users. `viewerId` null = staff, limited to `distId` when given. */
export async function oneOrder(
  db: Trx,
  sn: string,
  viewerId: number | null,
  distId: number | null = null,
): Promise<OrderRow | undefined> {
  const viewer = sql`${viewerId ?? 0}::bigint`;
  const mine =
    viewerId === null
      ? distId === null
        ? sql`true`
        : sql`o.dist_id = ${distId}`
      : sql`${viewerId} in (o.buyer_id, o.seller_id)`;
  const { rows } =
    await sql<OrderRow>`select ${columns(viewer)} from orders o ${joins(viewer)} where o.sn = ${sn} and ${mine}`.execute(
      db,
    );
  return rows[0];
}

export interface ProcessRow {
  createTime: Date;
  orderStatus: number;
  explain: string;
}

/** Status history of an order, oldest first. */
export async function loadProcess(db: Trx, orderId: number): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select created_at as "createTime", order_status as "orderStatus", explain from order_process where order_id = ${orderId} order by id limit 500`.execute(
    db,
  );
  return rows;
}
