/** The groups of orders: opened when an order is paid or first read, with the cards of the order's states. */
import { ORDER_GROUP } from '#subjects/chat/rules/group-type.ts';
import { isCancelled } from '#subjects/orders/rules/order-status.ts';
import { RECYCLED_ACCOUNT } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { scheduleFrom } from '#server/jobs/effect-writer.ts';
import { type FreeStaff, loadLeastLoaded } from './assign.ts';
import {
  assignGroups,
  closeGroup,
  enqueue,
  newUid,
  publishGroupChange,
  publishMessages,
  systemMessage,
  systemMessages,
} from './groups.ts';
import { type Stored, storeOpenings, storeSystemMessages, type SystemMessage } from '../queries.ts';
import {
  cancelRequestedCard,
  type CardOrder,
  cancelledCard,
  closesAt,
  completedCard,
  NOTHING_READ,
  paidCard,
  refundedCard,
  shippedCard,
} from '../rules.ts';

interface OrderRow extends CardOrder {
  id: number;
  distId: number;
  buyerId: number;
  sellerId: number;
  staffId: number | null;
  shippedAt: Date | null;
  completedAt: Date | null;
  cancelAskedAt: Date | null;
  refunded: boolean;
  disputed: boolean;
  groupId: number | null;
}

/** The orders among these that were paid at some time, by number; others have no group. */
async function paidOrders(db: Trx, orderIds: readonly number[]): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.id, o.sn, o.dist_id as "distId", o.buyer_id as "buyerId", o.seller_id as "sellerId", o.staff_id as "staffId", o.status, o.goods_fen as "goodsFen",
      o.auto_confirm_at as "autoConfirmAt", (select count(*) > 1 from order_handover h where h.order_id = o.id and h.required and h.done_at is null) as "isHandingOver", o.shipped_at as "shippedAt", o.completed_at as "completedAt",
      coalesce((o.snapshot->>'handoverType')::int = ${sql.lit(RECYCLED_ACCOUNT)}, false) as "isRecycled",
      coalesce(nullif((o.snapshot->>'handoverType')::int, 0), o.type_id) as "typeId",
      o.cancel_asked_at as "cancelAskedAt", o.disputed, g.id as "groupId",
      exists (select from ledger_transfer t where t.code = 'order_refund' and t.ref = 'order:' || o.id) as refunded
    from orders o left join chat_group g on g.order_id = o.id
    where o.id = any(${[...orderIds]}::bigint[]) and o.paid_at is not null order by o.id`.execute(db);
  return rows;
}

/** An order that was paid at some time; undefined for others, which have no group. */
export async function paidOrder(db: Trx, orderId: number): Promise<OrderRow | undefined> {
  return (await paidOrders(db, [orderId]))[0];
}

/**
 * The group of a paid order, created when missing, with buyer, seller, customer service and the first card. Called by the event and lazily
 * by readers; of concurrent calls one creates it and the others see it complete. Undefined for an order that was never paid.
 */
export async function ensureGroup(ctx: Context, orderId: number): Promise<number | undefined> {
  return (await reachGroups(ctx, [orderId]))[0]?.groupId;
}

/** A paid order with its group. */
interface Reached {
  order: OrderRow;
  groupId: number;
}

/** The same for several orders, those that were never paid left out. Where this call created a group it posts the cards of the order's state. */
async function reachGroups(ctx: Context, orderIds: readonly number[]): Promise<(Reached & { isNew: boolean })[]> {
  const orders = await paidOrders(ctx.db, orderIds);
  const lacking = orders.filter(({ groupId }) => groupId === null);
  const opened = lacking.length === 0 ? [] : await inTransaction(ctx.db, async (trx) => await openGroups(trx, lacking));
  for (const { groupId, stored } of opened) publishGroupChange(ctx, groupId, stored, []);
  // Earlier states have no further card; later events post their own.
  await postStateCards(ctx, opened);
  const isNew = new Set(opened.map(({ groupId }) => groupId));
  // A concurrent call was first for the others: the insert waited for its commit, so their groups are complete now.
  const all = opened.length === lacking.length ? orders : await paidOrders(ctx.db, orderIds);
  const groupOf = new Map(opened.map(({ order, groupId }) => [order.id, groupId]));
  return all.flatMap((order) => {
    const groupId = order.groupId ?? groupOf.get(order.id);
    return groupId === undefined ? [] : { order, groupId, isNew: isNew.has(groupId) };
  });
}

/** Creates the groups of orders that have none, each with its opening message; orders whose group another call creates are left out. */
async function openGroups(trx: Trx, orders: readonly OrderRow[]): Promise<(Reached & { stored: Stored })[]> {
  const parties = orders.flatMap(({ id, buyerId, sellerId }) => [
    { orderId: id, member: String(buyerId), role: 'buyer' },
    { orderId: id, member: String(sellerId), role: 'seller' },
  ]);
  const { rows } = await sql<{ groupId: number; orderId: number }>`
    with opened as (insert into chat_group (group_type, order_id, dist_id)
      select ${sql.lit(ORDER_GROUP)}, o.id, o.dist_id from orders o where o.id = any(${orders.map(({ id }) => id)}::bigint[]) order by o.id
      on conflict (order_id) do nothing returning id, order_id),
    members as (insert into chat_member (group_id, member, role, read_seq, reminded_seq)
      select g.id, p.member, p.role, ${NOTHING_READ}::int, ${NOTHING_READ}::int
      from opened g join jsonb_to_recordset(${JSON.stringify(parties)}::jsonb) as p("orderId" bigint, member text, role text) on p."orderId" = g.order_id)
    select id as "groupId", order_id as "orderId" from opened order by id`.execute(trx);
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const opened = rows.flatMap(({ groupId, orderId }) => {
    const order = orderOf.get(orderId);
    return order ? { order, groupId } : [];
  });
  const staff = await staffFor(trx, opened);
  const messages = opened.map(({ order, groupId }) => {
    const card = paidCard(order, staff.get(groupId)?.name ?? null);
    return { groupId, key: 'order.paid', uid: newUid(), card };
  });
  const stored = new Map((await storeOpenings(trx, messages)).map((one) => [one.groupId, one]));
  return opened.flatMap((one) => {
    const message = stored.get(one.groupId);
    return message ? { ...one, stored: message } : [];
  });
}

/**
 * Assigns new groups to staff, or puts them into the queue; a cancelled order needs neither. Returns the staff by
 * group.
 */
async function staffFor(trx: Trx, opened: readonly Reached[]): Promise<Map<number, FreeStaff>> {
  const open = opened.filter(({ order }) => !isCancelled(order.status));
  const staff = await loadLeastLoaded(
    trx,
    open.map(({ order }) => ({ distId: order.distId, orderId: order.id, preferredStaffId: order.staffId })),
  );
  const given = open.flatMap(({ order, groupId }, at) => {
    const one = staff[at];
    return one ? { group: { id: groupId, orderId: order.id }, staff: one } : [];
  });
  await assignGroups(trx, given, { reason: 'auto', by: null });
  const waiting = open.filter((_one, at) => staff[at] === undefined);
  await enqueue(
    trx,
    waiting.map(({ order, groupId }) => ({ id: groupId, distId: order.distId })),
  );
  return new Map(given.map(({ group, staff }) => [group.id, staff]));
}

/** Creates the groups of paid orders and posts the cards of their states; orders that were never paid have none. */
export async function followOrders(ctx: Context, orderIds: readonly number[]): Promise<void> {
  const reached = await reachGroups(ctx, orderIds);
  await postStateCards(
    ctx,
    reached.filter(({ isNew }) => !isNew),
  );
}

/**
 * Posts the cards of orders' states that their groups lack: shipped, completed, cancelled. Idempotent by key, so an event that is late,
 * repeated or out of order changes nothing.
 */
async function postStateCards(ctx: Context, reached: readonly Reached[]): Promise<void> {
  const shipped = reached.filter(({ order }) => order.shippedAt !== null);
  await systemMessages(
    ctx,
    shipped.map(({ order, groupId }) => {
      const expansion = { type: 'send_goods' as const, orderSn: order.sn };
      return { groupId, key: 'order.shipped', card: shippedCard(order), expansion };
    }),
  );
  for (const { order, groupId } of reached) {
    if (!isCancelled(order.status)) continue;
    if (order.refunded) await systemMessage(ctx, groupId, { key: 'order.refunded', card: refundedCard });
    await closeGroup(ctx, groupId, { key: 'order.cancelled', card: cancelledCard(order) });
  }
  await postCompleted(ctx, reached);
}

/** Posts that orders are completed, and schedules the end of their groups. */
async function postCompleted(ctx: Context, reached: readonly Reached[]): Promise<void> {
  const completed = reached.filter(({ order }) => order.completedAt !== null);
  if (completed.length === 0) return;
  const { rows } = await sql<{ orderId: number; until: Date | null }>`
    select ref::bigint as "orderId", max(release_at) as until from hold
    where ref = any(${completed.map(({ order }) => String(order.id))}::text[]) and code = 'sale_protection' group by ref`.execute(
    ctx.db,
  );
  const protectedUntil = new Map(rows.map(({ orderId, until }) => [orderId, until]));
  const ends = new Map<number, Date>();
  for (const { order, groupId } of completed)
    if (order.completedAt) ends.set(groupId, closesAt(order.completedAt, protectedUntil.get(order.id) ?? null));
  const messages = completed.flatMap(({ order, groupId }): SystemMessage[] => {
    const until = ends.get(groupId);
    if (!until) return [];
    const expansion = { type: 'confirm_goods' as const, orderSn: order.sn };
    return [{ groupId, key: 'order.completed', uid: newUid(), card: completedCard(until, order.typeId), expansion }];
  });
  const posted = await inTransaction(ctx.db, async (trx) => {
    const stored = await storeSystemMessages(trx, messages);
    const newIds = stored.flatMap(({ groupId, repeated }) => (repeated ? [] : groupId));
    const at = newIds.flatMap((groupId) => ends.get(groupId) ?? []);
    const from = sql`from unnest(${newIds}::bigint[], ${at}::timestamptz[]) as c(group_id, at) order by group_id`;
    await scheduleFrom(trx, 'chat.close', { key: sql`group_id`, at: sql`at`, from }, 'keep');
    return stored;
  });
  publishMessages(ctx, posted);
}

/** Posts that the buyer requests to cancel, unless the order has changed meanwhile. */
export async function postCancelRequestCard(ctx: Context, orderId: number): Promise<void> {
  const groupId = await ensureGroup(ctx, orderId);
  const order = await paidOrder(ctx.db, orderId);
  if (groupId === undefined || !order?.cancelAskedAt || isCancelled(order.status)) return;
  await systemMessage(ctx, groupId, {
    key: `cancel-asked-${order.cancelAskedAt.getTime()}`,
    card: cancelRequestedCard,
  });
}
