import { sql } from 'kysely';
import { audit } from '#server/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { randomToken } from '#server/kernel/crypto.ts';
import { assignStaff } from '#server/slices/orders/service.ts';
import { type FreeStaff, leastLoaded } from './assign.ts';
import { tell } from './bus.ts';
import { groupOfOrder, type MessageRow, membersOf, type Stored, storeOpening, storeSystem } from './queries.ts';
import {
  askedCard,
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
} from './rules.ts';

/** From here on an order's statuses are kinds of cancelled (domain.md 2). */
const CANCELLED = 6;

/** A public number for a new message. */
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

/** An order that has been paid at some time; undefined for others, which have no group. */
export async function paidOrder(db: Trx, orderId: number): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`
    select id, sn, dist_id as "distId", buyer_id as "buyerId", seller_id as "sellerId", staff_id as "staffId", status, goods_fen as "goodsFen",
      auto_confirm_at as "autoConfirmAt", shipped_at as "shippedAt", completed_at as "completedAt",
      cancel_asked_at as "cancelAskedAt", disputed,
      exists (select from ledger_transfer t where t.code = 'order_refund' and t.ref = 'order:' || orders.id) as refunded
    from orders where id = ${orderId} and paid_at is not null`.execute(db);
  return rows[0];
}

/** Puts a member of staff in charge of a group whose row the caller has locked. */
export async function putInCharge(
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

/** Puts a group into the queue and sets the next look for somebody. */
export async function queueUp(trx: Trx, groupId: number, distId: number): Promise<void> {
  await sql`
    with waits as (
      insert into service_queue (group_id, dist_id, duty) values (${groupId}, ${distId}, 'trade') on conflict do nothing)
    insert into timer (kind, ref, due_at) values ('chat.assign', ${String(groupId)}, now() + make_interval(secs => ${LIMITS.assignRetrySeconds}))
    on conflict (kind, ref) do update set due_at = excluded.due_at`.execute(trx);
}

/**
 * The group of a paid order, opened when it is not there: buyer, seller and customer service in it, the first card written.
 * Asked for by the event and lazily by readers; of many at once one opens it and the others see it whole. Undefined for an order
 * that was never paid.
 */
export async function ensureGroup(ctx: Context, orderId: number): Promise<number | undefined> {
  return (await reachGroup(ctx, orderId))?.id;
}

/** The same, and whether this call has opened it: then the cards of its order's state are written. */
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
    // Somebody else was first: the insert waited for their commit, so the group is whole now.
    if (id === undefined) return { id: (await groupOfOrder(trx, orderId))?.id, stored: undefined };
    const ended = order.status >= CANCELLED;
    const staff = ended ? undefined : await leastLoaded(trx, { distId: order.distId, orderId, wished: order.staffId });
    if (staff) await putInCharge(trx, { id, orderId }, staff, { reason: 'auto', by: null });
    else if (!ended) await queueUp(trx, id, order.distId);
    const card = paidCard(order, staff?.name ?? null);
    return { id, stored: await storeOpening(trx, { groupId: id, key: 'order.paid', uid: newUid(), card }) };
  });
  if (opened?.id === undefined) return undefined;
  if (!opened.stored) return { id: opened.id, isNew: false };
  announce(ctx, opened.id, opened.stored, []);
  await bringUp(ctx, orderId, opened.id);
  return { id: opened.id, isNew: true };
}

/**
 * Writes the cards that an order's state asks for and its group has not had: shipped, completed, cancelled. The keys make it
 * harmless to repeat, so an event that comes late, twice or after a later one changes nothing.
 */
export async function bringUp(ctx: Context, orderId: number, groupId: number): Promise<void> {
  const order = await paidOrder(ctx.db, orderId);
  if (!order) return;
  const { sn: orderSn } = order;
  if (order.shippedAt) {
    const card = shippedCard(order);
    await systemMessage(ctx, groupId, { key: 'order.shipped', card, expansion: { type: 'send_goods', orderSn } });
  }
  if (order.status >= CANCELLED) {
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
  await sql`insert into timer (kind, ref, due_at) values ('chat.close', ${String(groupId)}, ${until}) on conflict do nothing`.execute(
    ctx.db,
  );
}

/** Says that the buyer asks to cancel; an order that has moved on meanwhile says nothing. */
export async function tellAsked(ctx: Context, orderId: number): Promise<void> {
  const groupId = await ensureGroup(ctx, orderId);
  const order = await paidOrder(ctx.db, orderId);
  if (groupId === undefined || !order?.cancelAskedAt || order.status >= CANCELLED) return;
  await systemMessage(ctx, groupId, { key: `cancel-asked-${order.cancelAskedAt.getTime()}`, card: askedCard });
}

/**
 * Writes a line of the system's own into a group, once per `key`, and tells its members. An expansion comes from here alone
 * (reliability.md C3).
 */
export async function systemMessage(
  ctx: Context,
  groupId: number,
  line: { key: string; card: Card; expansion?: MessageRow['expansion'] },
): Promise<Stored> {
  const stored = await storeSystem(ctx.db, { groupId, uid: newUid(), ...line });
  if (!stored.repeated) tell(ctx, { kind: 'msg', groupId, seq: stored.seq, to: stored.members });
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

/** What a line about a change of staff carries for the specification's clients; nothing where there is no order. */
export const transferOf = (orderSn: string | null): MessageRow['expansion'] =>
  orderSn === null ? null : { type: 'transfer_order', orderSn };

/** Whether a group has waited so long that the rule of its order no longer decides who may take it. */
async function hasWaitedLong(trx: Trx, groupId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from service_queue
    where group_id = ${groupId} and since < now() - make_interval(secs => ${LIMITS.anybodyAfterSeconds})`.execute(trx);
  return rows.length > 0;
}

/** Looks for somebody to take a group that waits; puts it back into the queue when there is nobody. */
export async function assignPending(ctx: Context, groupId: number): Promise<void> {
  const done = await inTransaction(ctx.db, async (trx) => {
    const group = await lockOpen(trx, groupId);
    const members = group ? await membersOf(trx, groupId) : [];
    if (!group || members.some((m) => m.isCurrent)) return undefined;
    const anybody = await hasWaitedLong(trx, groupId);
    const staff = await leastLoaded(trx, { distId: group.distId, orderId: group.orderId, wished: null, anybody });
    if (!staff) {
      await queueUp(trx, groupId, group.distId);
      return undefined;
    }
    await putInCharge(trx, group, staff, { reason: 'auto', by: null });
    const line = { groupId, key: `staff-${newUid()}`, uid: newUid(), card: staffCard(staff.name, null) };
    return await storeSystem(trx, { ...line, expansion: transferOf(group.orderSn) });
  });
  if (done) announce(ctx, groupId, done, []);
}

/** Tells the members, and those who have just left, that a group has changed. */
export function announce(ctx: Context, groupId: number, line: Stored, gone: readonly string[]): void {
  tell(ctx, { kind: 'group', groupId, to: [...line.members, ...gone], gone: [...gone] });
  tell(ctx, { kind: 'msg', groupId, seq: line.seq, to: line.members });
}

/**
 * Hands a group to another member of staff. The one before is out of the group with it: neither reads nor writes any more.
 * `from` limits who may be replaced: a member of staff gives away only their own groups or takes a waiting one.
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
      select id, im_uid as "imUid", name from staff where id = ${to} and status = 1 and role in ('service', 'admin')
        and (dist_id is null or dist_id = ${group.distId})`.execute(trx);
    const next = rows[0];
    if (!next) throw new AppError('BAD_INPUT', { text: '该客服不能接待此群聊' });
    if (current?.member === next.imUid) throw new AppError('BAD_INPUT', { text: '该客服已在负责本单' });
    const before = current ? await leave(trx, group, current.member) : null;
    await putInCharge(trx, group, next, { reason: current ? 'transfer' : 'takeover', by: by.id });
    if (group.orderId !== null)
      await sql`update orders set staff_id = ${next.id} where id = ${group.orderId}`.execute(trx);
    const detail = { from: current?.member ?? null, to: next.imUid, note: by.note ?? null };
    await audit(trx, by, 'chat.transfer', `group:${groupId}`, detail, by.ip);
    const line = { groupId, key: `staff-${newUid()}`, uid: newUid(), card: staffCard(next.name, before) };
    const stored = await storeSystem(trx, { ...line, expansion: transferOf(group.orderSn) });
    return { stored, gone: current ? [current.member] : [] };
  });
  announce(ctx, groupId, done.stored, done.gone);
}

/** Takes a member of staff out of a group whose row the caller has locked; answers the name. */
export async function leave(trx: Trx, group: { id: number }, member: string): Promise<string | null> {
  await sql`update chat_member set is_current = false, left_at = now() where group_id = ${group.id} and member = ${member}`.execute(
    trx,
  );
  await sql`update chat_assignment set to_at = now() where group_id = ${group.id} and to_at is null`.execute(trx);
  const { rows } = await sql<{ name: string }>`select name from staff where im_uid = ${member}`.execute(trx);
  return rows[0]?.name ?? null;
}

/** Closes a group after its last line. Its members go on reading; nobody writes. */
export async function closeGroup(ctx: Context, groupId: number, line: { key: string; card: Card }): Promise<void> {
  const stored = await inTransaction(ctx.db, async (trx) => {
    const last = await storeSystem(trx, { groupId, uid: newUid(), ...line });
    await sql`update chat_group set status = 2 where id = ${groupId}`.execute(trx);
    await sql`update chat_member set is_current = false where group_id = ${groupId} and is_current`.execute(trx);
    await sql`update chat_assignment set to_at = now() where group_id = ${groupId} and to_at is null`.execute(trx);
    await sql`delete from service_queue where group_id = ${groupId}`.execute(trx);
    await sql`delete from timer where kind = 'chat.assign' and ref = ${String(groupId)}`.execute(trx);
    return last;
  });
  if (!stored.repeated) announce(ctx, groupId, stored, []);
}
