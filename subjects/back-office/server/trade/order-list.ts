import { type RawBuilder, sql } from 'kysely';
import type { staffOrderList } from '#subjects/orders/contract/staff-orders.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import {
  failedStatuses,
  isInProgress,
  orderStatusName,
  FAILED_TAB,
  OrderStatus,
} from '#subjects/orders/rules/order-status.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { ORDERS_CANCELLED, ORDERS_IN_PROGRESS } from '#server/states/order-states.ts';
import type { StaffRead } from '#server/access/call.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { type Catalogue, catalogue, iconOf } from '#subjects/games/server/service.ts';
import { siteName } from '#subjects/content/server/service.ts';
import { dueColumns, dueOf, type DueRow } from '#subjects/orders/server/service.ts';
import { amounting, type Batch, during, NEVER, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { auditUserSearch, userIdsFor } from '#subjects/accounts/server/service.ts';

type Input = Parsed<typeof staffOrderList>;
type Item = HandlerResult<typeof staffOrderList>['list'][number];

interface Row extends Omit<DueRow, 'status'> {
  id: number;
  sort_key: string;
  sn: string;
  type_id: number;
  game_id: number | null;
  game_name: string | null;
  title: string | null;
  goods_sn: string | null;
  goods_fen: number;
  service_fee_fen: number;
  ensure_fen: number;
  discount_fen: number;
  commission_fen: number;
  total_fen: number;
  status: number;
  buyer_id: number;
  buyer_name: string;
  seller_id: number;
  seller_name: string;
  staff_id: number | null;
  staff_name: string | null;
  group_id: number | null;
  dist_name: string;
  created_at: Date;
  paid_at: Date | null;
  completed_at: Date | null;
  deadline: Date | null;
  clock_from: Date | null;
  late: boolean;
}

/** SQL: the deadline of an order's state; null for states without one. */
const DEADLINE = sql`case o.status when ${sql.lit(OrderStatus.Paid)} then o.ship_by when ${sql.lit(OrderStatus.Shipped)} then o.auto_confirm_at end`;
/** The same as a sort key; the index `orders_deadline` is on this expression. */
const DEADLINE_KEY = sql`coalesce(case o.status when ${sql.lit(OrderStatus.Paid)} then o.ship_by when ${sql.lit(OrderStatus.Shipped)} then o.auto_confirm_at end, ${NEVER})`;

const SORTS = {
  createTime: { by: sql`o.created_at`, kind: 'time' },
  deadline: { by: DEADLINE_KEY, kind: 'time' },
  totalPrice: { by: sql`o.total_fen`, kind: 'number' },
} as const;

const OPEN_REQUESTS = sql`select from approval a where a.act in ('order.close', 'order.ship', 'order.open') and a.target = 'order:' || o.sn and a.status = 'waiting' and a.expires_at > now()`;

/**
 * The stages that orders reached; the funnel of the first page counts these (subjects/orders/server/figures/days.ts).
 */
const REACHED = {
  paid: sql`o.paid_at is not null`,
  shipped: sql`o.shipped_at is not null`,
  done: sql`o.status = ${sql.lit(OrderStatus.Completed)}`,
  unpaid: sql`(o.status in ${ORDERS_CANCELLED} and o.paid_at is null)`,
  undone: sql`(o.status in ${ORDERS_CANCELLED} and o.paid_at is not null)`,
} as const;

/** The filter for a keyword: a phone or the number of a user, else the number of an order or listing. */
function keywordFilter(call: StaffRead, keyword: string): RawBuilder<unknown> {
  const person = userIdsFor(call, keyword);
  return person
    ? sql`(o.buyer_id in (${person}) or o.seller_id in (${person}))`
    : sql`(o.sn = ${keyword} or o.goods_sn = ${keyword.toUpperCase()})`;
}

const statusesOf = (values: readonly string[]): number[] =>
  values.flatMap((value) => (Number(value) === FAILED_TAB ? [...failedStatuses] : [Number(value)]));

/** Conditions on the state of the work; each is a filter of the page. */
function workFilter(call: StaffRead, input: Input): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (input.mine === true) parts.push(sql`o.staff_id = ${call.staff.id}`);
  if (input.unassigned === true) parts.push(sql`o.staff_id is null`);
  if (input.late === true) parts.push(sql`o.status = ${sql.lit(OrderStatus.Paid)} and o.ship_by < now()`);
  if (input.due === true)
    parts.push(
      sql`o.status in ${ORDERS_IN_PROGRESS} and not o.disputed and ${DEADLINE_KEY} < now() + interval '2 hours'`,
    );
  if (input.disputed === true) parts.push(sql`o.disputed`);
  if (input.cancelAsked === true)
    parts.push(sql`o.status = ${sql.lit(OrderStatus.Paid)} and o.cancel_asked_at is not null`);
  if (input.stopped === true)
    parts.push(sql`o.status = ${sql.lit(OrderStatus.Shipped)} and o.confirm_stopped_at is not null`);
  if (input.second === true) parts.push(sql`exists (${OPEN_REQUESTS})`);
  return sql.join(parts, sql` and `);
}

function filterOf(call: StaffRead, input: Input): RawBuilder<unknown> {
  const parts = [workFilter(call, input)];
  if (call.staff.distId !== null) parts.push(sql`o.dist_id = ${call.staff.distId}`);
  if (input.status !== undefined) parts.push(sql`o.status = any(${statusesOf(input.status)}::smallint[])`);
  if (input.goodsTypeId !== undefined) parts.push(sql`o.type_id = any(${input.goodsTypeId.map(Number)}::smallint[])`);
  if (input.gameId !== undefined) parts.push(sql`o.game_id = any(${input.gameId}::int[])`);
  if (input.distId !== undefined) parts.push(sql`o.dist_id = any(${input.distId}::int[])`);
  if (input.reached !== undefined)
    parts.push(
      sql`(${sql.join(
        input.reached.map((step) => REACHED[step]),
        sql` or `,
      )})`,
    );
  if (input.createTime !== undefined) parts.push(during(sql`o.created_at`, input.createTime));
  if (input.payTime !== undefined) parts.push(during(sql`o.paid_at`, input.payTime));
  if (input.totalPrice !== undefined) parts.push(amounting(sql`o.total_fen`, input.totalPrice));
  if (input.newerThan !== undefined) parts.push(sql`o.created_at > ${input.newerThan}`);
  if (input.keyWord !== undefined) parts.push(keywordFilter(call, input.keyWord));
  return sql.join(parts, sql` and `);
}

function itemOf(call: StaffRead, all: Catalogue, row: Row): Item {
  const due = dueOf(row, row.staff_id === call.staff.id ? 'staff' : 'onlooker');
  const statusName = orderStatusName(row.status, row.type_id);
  const hasSteps = isInProgress(row.status) && due !== null && due.steps > 0;
  return {
    orderId: row.id,
    orderSn: row.sn,
    orderTypeId: row.type_id,
    orderTypeName: orderTypeName(row.type_id),
    gameName: row.game_name ?? '',
    gameIcon: iconOf(all, row.game_id),
    bigTitle: row.title ?? '',
    goodsSn: row.goods_sn,
    goodsPrice: row.goods_fen,
    servicePrice: row.service_fee_fen,
    ensurePrice: row.ensure_fen,
    discount: row.discount_fen,
    commission: row.commission_fen,
    totalPrice: row.total_fen,
    status: row.status,
    statusName,
    dueText: due === null || due.title === statusName ? '' : due.title,
    stepText: hasSteps ? `${due.step ?? due.steps}/${due.steps}` : '',
    buyerId: String(row.buyer_id),
    buyerName: row.buyer_name,
    sellerId: String(row.seller_id),
    sellerName: row.seller_name,
    staffId: row.staff_id,
    staffName: row.staff_name,
    groupId: row.group_id === null ? null : String(row.group_id),
    distName: row.dist_name,
    createTime: row.created_at,
    payTime: row.paid_at,
    finishTime: row.completed_at,
    deadline: row.disputed ? null : row.deadline,
    clockFrom: row.clock_from,
    late: row.late,
    disputed: row.disputed,
    cancelAsked: row.cancelAsked,
  };
}

/** Orders for staff; staff of a distributor see only its orders. A search for a user is audited. Throws FORBIDDEN. */
export async function listOrders(
  call: StaffRead,
  input: Input,
  batch?: Batch,
): Promise<HandlerResult<typeof staffOrderList>> {
  requirePermission(call.staff, 'order.read');
  const { db } = call.ctx;
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`o.id`, batch);
  const { rows } = await sql<Row>`
    select o.id, ${page.key} as sort_key, o.sn, o.type_id, o.game_id, o.snapshot->>'gameName' as game_name, o.snapshot->>'title' as title, o.goods_sn,
      o.goods_fen, o.service_fee_fen, o.ensure_fen + o.fix_ensure_fen as ensure_fen, o.discount_fen, o.commission_fen, o.total_fen, o.status,
      o.buyer_id, b.nick_name as buyer_name, o.seller_id, s.nick_name as seller_name, o.staff_id, f.name as staff_name, g.id as group_id,
      d.name as dist_name, o.created_at, o.paid_at, o.completed_at, ${DEADLINE} as deadline,
      case o.status when ${sql.lit(OrderStatus.Paid)} then o.paid_at when ${sql.lit(OrderStatus.Shipped)} then o.shipped_at end as clock_from,
      o.status = ${sql.lit(OrderStatus.Paid)} and coalesce(o.ship_by < now(), false) as late, ${dueColumns}
    from (select o.* from orders o where ${filter} ${page.behind} ${page.tail}) o
      join app_user b on b.id = o.buyer_id join app_user s on s.id = o.seller_id join distributor d on d.id = o.dist_id
      left join staff f on f.id = o.staff_id left join chat_group g on g.order_id = o.id
    ${page.order}`.execute(db);
  const result = page.cut(rows);
  const found = result.rows.map((row) => row.sn);
  await auditUserSearch(call, 'order', input.keyWord, found);
  const totals = await loadTotals(db, sql`orders o where ${filter}`, { fen: sql`o.total_fen`, batch });
  const { distId } = call.staff;
  const all = await catalogue(call.ctx);
  return {
    list: result.rows.map((row) => itemOf(call, all, row)),
    ...totals,
    next: result.next,
    now: new Date(),
    games: all.list().map(({ id, name }) => ({ gameId: id, name })),
    sites: call.ctx.dir
      .all()
      .filter(({ id }) => distId === null || id === distId)
      .map(({ id }) => ({ distId: id, name: siteName(call.ctx, id) })),
  };
}
