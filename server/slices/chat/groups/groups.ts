import { isCancelled, OrderStatus } from '#contract/rules/order-status.ts';
import { sql } from 'kysely';
import { audit } from '#server/audit.ts';
import type { Context } from '#server/context.ts';
import { staffHolds } from '#server/access/permissions.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, schedule, scheduled } from '#server/jobs/door.ts';
import { AppError } from '#server/kernel/errors.ts';
import { randomToken } from '#server/kernel/crypto.ts';
import { assignStaff, reassignStaff } from '#server/slices/orders/service.ts';
import { type FreeStaff, leastLoaded } from './assign.ts';
import { publish } from '../transport/bus.ts';
import { groupOfOrder, type MessageRow, membersOf, type Stored, storeOpening, storeSystem } from '../queries.ts';
import {
  cancelRequestedCard,
  type Card,
  type CardOrder,
  cancelledCard,
  closesAt,
  completedCard,
  LIMITS,
  NOTHING_READ,
  paidCard,
  refundedCard,
  shippedCard,
  staffCard,
} from '../rules.ts';

/** A public id for a new message. */
export const newUid = (): string => randomToken(15);

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
}

/** An order that was paid at some time; undefined for others, which have no group. */
export async function paidOrder(db: Trx, orderId: number): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`
    select id, sn, dist_id as "distId", buyer_id as "buyerId", seller_id as "sellerId", staff_id as "staffId", status, goods_fen as "goodsFen",
      auto_confirm_at as "autoConfirmAt", shipped_at as "shippedAt", completed_at as "completedAt",
      cancel_asked_at as "cancelAskedAt", disputed,
      exists (select from ledger_transfer t where t.code = 'order_refund' and t.ref = 'order:' || orders.id) as refunded
    from orders where id = ${orderId} and paid_at is not null`.execute(db);
  return rows[0];
}

/** Assigns a group to a member of staff. The caller has locked the group's row. */
export async function assignGroup(
  trx: Trx,
  group: { id: number; orderId: number | null },
  staff: FreeStaff,
  why: { reason: string; by: number | null },
): Promise<void> {
  await sql`
    with member as (insert into chat_member (group_id, member, role, is_current, read_seq)
      select ${group.id}, ${staff.imUid}, 'staff', true, ${NOTHING_READ}
      on conflict (group_id, member) do update set is_current = true, left_at = null),
    waits as (delete from service_queue where group_id = ${group.id})
    insert into chat_assignment (group_id, staff_id, reason, by_staff_id) values (${group.id}, ${staff.id}, ${why.reason}, ${why.by})`.execute(
    trx,
  );
  if (group.orderId !== null) await assignStaff(trx, group.orderId, staff.id);
}

/** Puts a group into the queue and schedules the next attempt to assign it. */
export async function enqueue(trx: Trx, groupId: number, distId: number): Promise<void> {
  await sql`
    with waits as (
      insert into service_queue (group_id, dist_id, duty) values (${groupId}, ${distId}, 'trade') on conflict do nothing)
    ${scheduled('chat.assign', groupId, { seconds: LIMITS.assignRetrySeconds })}`.execute(trx);
}

/**
 * The group of a paid order, created when missing, with buyer, seller, customer service and the first card. Called by the event and lazily
 * by readers; of concurrent calls one creates it and the others see it complete. Undefined for an order that was never paid.
 */
export async function ensureGroup(ctx: Context, orderId: number): Promise<number | undefined> {
  return (await reachGroup(ctx, orderId))?.id;
}

/** The same, and whether this call created it; then the cards of the order's state are posted. */
export async function reachGroup(ctx: Context, orderId: number): Promise<{ id: number; isNew: boolean } | undefined> {
  const there = await groupOfOrder(ctx.db, orderId);
  if (there) return { id: there.id, isNew: false };
  const opened = await inTransaction(ctx.db, async (trx) => {
    const order = await paidOrder(trx, orderId);
    if (!order) return undefined;
    const { rows } = await sql<{ id: number }>`
      with opened as (insert into chat_group (group_type, order_id, dist_id) values (1, ${orderId}, ${order.distId})
        on conflict (order_id) do nothing returning id),
      members as (insert into chat_member (group_id, member, role, read_seq, reminded_seq)
        select g.id, p.member, p.role, ${NOTHING_READ}::int, ${NOTHING_READ}::int
        from opened g cross join (values (${String(order.buyerId)}, 'buyer'), (${String(order.sellerId)}, 'seller')) p(member, role))
      select id from opened`.execute(trx);
    const id = rows[0]?.id;
    // Another call was first: the insert waited for its commit, so the group is complete now.
    if (id === undefined) return { id: (await groupOfOrder(trx, orderId))?.id, stored: undefined, isPaid: false };
    const ended = isCancelled(order.status);
    const staff = ended
      ? undefined
      : await leastLoaded(trx, { distId: order.distId, orderId, preferredStaffId: order.staffId });
    if (staff) await assignGroup(trx, { id, orderId }, staff, { reason: 'auto', by: null });
    else if (!ended) await enqueue(trx, id, order.distId);
    const card = paidCard(order, staff?.name ?? null);
    const stored = await storeOpening(trx, { groupId: id, key: 'order.paid', uid: newUid(), card });
    return { id, stored, isPaid: order.status === OrderStatus.Paid };
  });
  if (opened?.id === undefined) return undefined;
  if (!opened.stored) return { id: opened.id, isNew: false };
  publishGroupChange(ctx, opened.id, opened.stored, []);
  // What was read in the transaction has no further card; what happens afterwards posts its own.
  if (!opened.isPaid) await postStateCards(ctx, orderId, opened.id);
  return { id: opened.id, isNew: true };
}

/**
 * Posts the cards of an order's state that its group lacks: shipped, completed, cancelled. Idempotent by key, so an event that is late,
 * repeated or out of order changes nothing.
 */
export async function postStateCards(ctx: Context, orderId: number, groupId: number): Promise<void> {
  const order = await paidOrder(ctx.db, orderId);
  if (!order) return;
  const { sn: orderSn } = order;
  if (order.shippedAt) {
    const card = shippedCard(order);
    await systemMessage(ctx, groupId, { key: 'order.shipped', card, expansion: { type: 'send_goods', orderSn } });
  }
  if (isCancelled(order.status)) {
    if (order.refunded) await systemMessage(ctx, groupId, { key: 'order.refunded', card: refundedCard });
    await closeGroup(ctx, groupId, { key: 'order.cancelled', card: cancelledCard(order) });
  }
  if (!order.completedAt) return;
  const { rows } = await sql<{ until: Date | null }>`
    select max(release_at) as until from hold where ref = ${String(orderId)} and code = 'sale_protection'`.execute(
    ctx.db,
  );
  const until = closesAt(order.completedAt, rows[0]?.until ?? null);
  const card = completedCard(until);
  const { repeated } = await systemMessage(ctx, groupId, {
    key: 'order.completed',
    card,
    expansion: { type: 'confirm_goods', orderSn },
  });
  if (repeated) return;
  await schedule(ctx.db, 'chat.close', groupId, until, 'keep');
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

/**
 * Stores a system message in a group, once for each `key`, and notifies the members. Only system messages have an expansion
 * (reliability.md C3).
 */
export async function systemMessage(
  ctx: Context,
  groupId: number,
  message: { key: string; card: Card; expansion?: MessageRow['expansion'] },
): Promise<Stored> {
  const stored = await storeSystem(ctx.db, { groupId, uid: newUid(), ...message });
  if (!stored.repeated) publish(ctx, { kind: 'msg', groupId, seq: stored.seq, to: stored.members });
  return stored;
}

/** Locks an open group's row; undefined when it is closed. */
export async function lockOpen(
  trx: Trx,
  groupId: number,
): Promise<{ id: number; orderId: number | null; distId: number; orderSn: string | null } | undefined> {
  const { rows } = await sql<{ id: number; orderId: number | null; distId: number }>`
    select id, order_id as "orderId", dist_id as "distId" from chat_group where id = ${groupId} and status = 1 for update`.execute(
    trx,
  );
  const group = rows[0];
  if (!group) return undefined;
  const sn =
    group.orderId === null
      ? undefined
      : (await sql<{ sn: string }>`select sn from orders where id = ${group.orderId}`.execute(trx)).rows[0];
  return { ...group, orderSn: sn?.sn ?? null };
}

/** The expansion of a message about a change of staff, for clients of the specification; none where there is no order. */
export const transferOf = (orderSn: string | null): MessageRow['expansion'] =>
  orderSn === null ? null : { type: 'transfer_order', orderSn };

/** Whether a group has been queued so long that the assignment rule no longer applies. */
async function hasWaitedLong(trx: Trx, groupId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from service_queue
    where group_id = ${groupId} and since < now() - make_interval(secs => ${LIMITS.anybodyAfterSeconds})`.execute(trx);
  return rows.length > 0;
}

/** Assigns a queued group; puts it back into the queue when no staff are free. */
export async function assignPending(ctx: Context, groupId: number): Promise<void> {
  const done = await inTransaction(ctx.db, async (trx) => {
    const group = await lockOpen(trx, groupId);
    const members = group ? await membersOf(trx, groupId) : [];
    if (!group || members.some((m) => m.isCurrent)) return undefined;
    const anybody = await hasWaitedLong(trx, groupId);
    const staff = await leastLoaded(trx, {
      distId: group.distId,
      orderId: group.orderId,
      preferredStaffId: null,
      ignoreRule: anybody,
    });
    if (!staff) {
      await enqueue(trx, groupId, group.distId);
      return undefined;
    }
    await assignGroup(trx, group, staff, { reason: 'auto', by: null });
    const message = { groupId, key: `staff-${newUid()}`, uid: newUid(), card: staffCard(staff.name, null) };
    return await storeSystem(trx, { ...message, expansion: transferOf(group.orderSn) });
  });
  if (done) publishGroupChange(ctx, groupId, done, []);
}

/** Notifies the members, and those who have just left, that a group has changed. */
export function publishGroupChange(ctx: Context, groupId: number, message: Stored, left: readonly string[]): void {
  publish(ctx, { kind: 'group', groupId, to: [...message.members, ...left], left: [...left] });
  publish(ctx, { kind: 'msg', groupId, seq: message.seq, to: message.members });
}

/**
 * Transfers a group to another member of staff. The previous one leaves the group and can neither read nor write any more.
 * `from` limits who may be replaced: staff transfer only their own groups or take a queued one.
 * Throws CHAT_CLOSED, FORBIDDEN, BAD_INPUT when the colleague cannot take it.
 */
export async function transferGroup(
  ctx: Context,
  groupId: number,
  to: number,
  by: { id: number; imUid: string; isAdmin: boolean; distId: number | null; note: string | undefined; ip: string },
): Promise<void> {
  const done = await inTransaction(ctx.db, async (trx) => {
    const group = await lockOpen(trx, groupId);
    if (!group) throw new AppError('CHAT_CLOSED', { text: '该群聊已结束，不能转接' });
    const current = (await membersOf(trx, groupId)).find((m) => m.isCurrent);
    const mine = current === undefined ? to === by.id : current.member === by.imUid;
    if (!mine && !by.isAdmin) throw new AppError('FORBIDDEN');
    if (by.distId !== null && by.distId !== group.distId) throw new AppError('FORBIDDEN');
    const { rows } = await sql<FreeStaff>`
      select id, im_uid as "imUid", name from staff where id = ${to} and status = 1 and ${staffHolds(sql`staff`, 'chat.serve')}
        and (dist_id is null or dist_id = ${group.distId})`.execute(trx);
    const next = rows[0];
    if (!next) throw new AppError('BAD_INPUT', { text: '该客服不能接待此群聊' });
    if (current?.member === next.imUid) throw new AppError('BAD_INPUT', { text: '该客服已在负责本单' });
    const before = current ? await leave(trx, group, current.member) : null;
    await assignGroup(trx, group, next, { reason: current ? 'transfer' : 'takeover', by: by.id });
    if (group.orderId !== null) await reassignStaff(trx, group.orderId, next.id);
    const detail = { from: current?.member ?? null, to: next.imUid, note: by.note ?? null };
    await audit(trx, by, 'chat.transfer', `group:${groupId}`, detail, by.ip);
    const message = { groupId, key: `staff-${newUid()}`, uid: newUid(), card: staffCard(next.name, before) };
    const stored = await storeSystem(trx, { ...message, expansion: transferOf(group.orderSn) });
    return { stored, gone: current ? [current.member] : [] };
  });
  publishGroupChange(ctx, groupId, done.stored, done.gone);
}

/** Removes a member of staff from a group whose row the caller has locked; returns the name. */
export async function leave(trx: Trx, group: { id: number }, member: string): Promise<string | null> {
  await sql`update chat_member set is_current = false, left_at = now() where group_id = ${group.id} and member = ${member}`.execute(
    trx,
  );
  await sql`update chat_assignment set to_at = now() where group_id = ${group.id} and to_at is null`.execute(trx);
  const { rows } = await sql<{ name: string }>`select name from staff where im_uid = ${member}`.execute(trx);
  return rows[0]?.name ?? null;
}

/** Closes a group after its last message. Members can still read it; no one can write. */
export async function closeGroup(ctx: Context, groupId: number, message: { key: string; card: Card }): Promise<void> {
  const stored = await inTransaction(ctx.db, async (trx) => {
    const last = await storeSystem(trx, { groupId, uid: newUid(), ...message });
    await sql`update chat_group set status = 2 where id = ${groupId}`.execute(trx);
    await sql`update chat_member set is_current = false where group_id = ${groupId} and is_current`.execute(trx);
    await sql`update chat_assignment set to_at = now() where group_id = ${groupId} and to_at is null`.execute(trx);
    await sql`delete from service_queue where group_id = ${groupId}`.execute(trx);
    await cancel(trx, 'chat.assign', groupId);
    return last;
  });
  if (!stored.repeated) publishGroupChange(ctx, groupId, stored, []);
}
