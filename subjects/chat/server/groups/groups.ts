import { ChatGroupStatus, StaffStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { staffHolds } from '#server/access/permissions.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, scheduledFrom, type When } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { randomToken } from '#server/kernel/secrets/crypto.ts';
import { assignStaff, reassignStaff } from '#subjects/orders/server/service.ts';
import { type FreeStaff, leastLoaded, waitsForStaff } from './assign.ts';
import { publish } from '../transport/bus.ts';
import {
  type MessageRow,
  loadMembers,
  type Stored,
  storeSystem,
  storeSystemMessages,
  type SystemMessage,
} from '../queries.ts';
import { type Card, LIMITS, NOTHING_READ, staffCard } from '../rules.ts';

/** A public id for a new message. */
export const newUid = (): string => randomToken(15);

/** A group and its assignee. */
interface Assigned {
  group: { id: number; orderId: number | null };
  staff: FreeStaff;
}

/** Assigns groups to members of staff. The caller has locked the groups' rows, or created them. */
export async function assignGroups(
  trx: Trx,
  assigned: readonly Assigned[],
  why: { reason: string; by: number | null },
): Promise<void> {
  if (assigned.length === 0) return;
  const groupIds = assigned.map(({ group }) => group.id);
  const staffIds = assigned.map(({ staff }) => staff.id);
  await sql`
    with member as (insert into chat_member (group_id, member, role, is_current, read_seq)
      select a.group_id, a.member, 'staff', true, ${NOTHING_READ}::int
      from unnest(${groupIds}::bigint[], ${assigned.map(({ staff }) => staff.imUid)}::text[]) as a(group_id, member)
      on conflict (group_id, member) do update set is_current = true, left_at = null),
    waits as (delete from service_queue where group_id = any(${groupIds}::bigint[]))
    insert into chat_assignment (group_id, staff_id, reason, by_staff_id)
    select a.group_id, a.staff_id, ${why.reason}::text, ${why.by}::bigint
    from unnest(${groupIds}::bigint[], ${staffIds}::bigint[]) as a(group_id, staff_id)`.execute(trx);
  const ofOrders = assigned.flatMap(({ group, staff }) =>
    group.orderId === null ? [] : { orderId: group.orderId, staffId: staff.id },
  );
  await assignStaff(trx, ofOrders);
}

/** The same for one group. */
export async function assignGroup(
  trx: Trx,
  group: Assigned['group'],
  staff: FreeStaff,
  why: { reason: string; by: number | null },
): Promise<void> {
  await assignGroups(trx, [{ group, staff }], why);
}

/** Puts groups into the queue and schedules the next attempts to assign them. */
export async function enqueue(trx: Trx, groups: readonly { id: number; distId: number }[]): Promise<void> {
  if (groups.length === 0) return;
  const ids = groups.map(({ id }) => id);
  const retries = scheduledFrom('chat.assign', {
    key: sql`id`,
    at: sql`now() + make_interval(secs => ${LIMITS.assignRetrySeconds})`,
    from: sql`from unnest(${ids}::bigint[]) as r(id) order by id`,
  });
  await sql`
    with waits as (
      insert into service_queue (group_id, dist_id, duty)
      select w.group_id, w.dist_id, 'trade' from unnest(${ids}::bigint[], ${groups.map(({ distId }) => distId)}::int[]) as w(group_id, dist_id)
      on conflict do nothing)
    ${retries}`.execute(trx);
}

/**
 * Stores system messages in groups in the given order, once for each `key` of a group, and notifies the members. Only system messages have
 * an expansion (reliability.md c.3).
 */
export async function systemMessages(ctx: Context, messages: readonly Omit<SystemMessage, 'uid'>[]): Promise<void> {
  if (messages.length === 0) return;
  const stored = await storeSystemMessages(
    ctx.db,
    messages.map((message) => ({ ...message, uid: newUid() })),
  );
  publishMessages(ctx, stored);
}

/** The same for one message. */
export async function systemMessage(
  ctx: Context,
  groupId: number,
  message: Omit<SystemMessage, 'groupId' | 'uid'>,
): Promise<void> {
  await systemMessages(ctx, [{ groupId, ...message }]);
}

/** Notifies the members of groups of messages that were stored now; after the transaction. */
export function publishMessages(ctx: Context, stored: readonly (Stored & { groupId: number })[]): void {
  for (const { groupId, seq, members, repeated } of stored)
    if (!repeated) publish(ctx, { kind: 'msg', groupId, seq, to: members });
}

/**
 * Locks an open group's row, and before it that of its order: a transition of the order locks them in the same sequence, since the group has
 * the order's clock. Undefined when the group is closed.
 */
export async function lockOpen(
  trx: Trx,
  groupId: number,
): Promise<{ id: number; orderId: number | null; distId: number; orderSn: string | null } | undefined> {
  const { rows: orders } = await sql<{ sn: string }>`
    select o.sn from orders o where o.id = (select order_id from chat_group where id = ${groupId}) for no key update`.execute(
    trx,
  );
  const { rows } = await sql<{ id: number; orderId: number | null; distId: number }>`
    select id, order_id as "orderId", dist_id as "distId" from chat_group where id = ${groupId} and status = ${sql.lit(ChatGroupStatus.Open)} for update`.execute(
    trx,
  );
  const group = rows[0];
  return group && { ...group, orderSn: orders[0]?.sn ?? null };
}

/** The expansion of a message about a change of staff, for clients of the specification; none without an order. */
export const transferOf = (orderSn: string | null): MessageRow['expansion'] =>
  orderSn === null ? null : { type: 'transfer_order', orderSn };

/** Whether a group has been queued so long that the assignment rule no longer applies. */
async function hasWaitedLong(trx: Trx, groupId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from service_queue
    where group_id = ${groupId} and since < now() - make_interval(secs => ${LIMITS.anybodyAfterSeconds})`.execute(trx);
  return rows.length > 0;
}

/**
 * Assigns a queued group; it stays in the queue when no staff are free. Returns when to try again, or nothing when that
 * is already scheduled or no longer needed.
 */
export async function assignPending(ctx: Context, groupId: number): Promise<When | undefined> {
  // While no staff are on duty, this runs twice a minute for every group in the queue.
  if (await waitsForStaff(ctx.db, groupId)) return { seconds: LIMITS.assignRetrySeconds };
  const done = await inTransaction(ctx.db, async (trx) => {
    const group = await lockOpen(trx, groupId);
    const members = group ? await loadMembers(trx, groupId) : [];
    if (!group || members.some((m) => m.isCurrent)) return undefined;
    const anybody = await hasWaitedLong(trx, groupId);
    const staff = await leastLoaded(trx, {
      distId: group.distId,
      orderId: group.orderId,
      preferredStaffId: null,
      ignoreRule: anybody,
    });
    if (!staff) {
      await enqueue(trx, [group]);
      return undefined;
    }
    await assignGroup(trx, group, staff, { reason: 'auto', by: null });
    const message = { groupId, key: `staff-${newUid()}`, uid: newUid(), card: staffCard(staff.name, null) };
    return await storeSystem(trx, { ...message, expansion: transferOf(group.orderSn) });
  });
  if (done) publishGroupChange(ctx, groupId, done, []);
  return undefined;
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
    const current = (await loadMembers(trx, groupId)).find((m) => m.isCurrent);
    const mine = current === undefined ? to === by.id : current.member === by.imUid;
    if (!mine && !by.isAdmin) throw new AppError('FORBIDDEN');
    if (by.distId !== null && by.distId !== group.distId) throw new AppError('FORBIDDEN');
    const { rows } = await sql<FreeStaff>`
      select id, im_uid as "imUid", name from staff where id = ${to} and status = ${sql.lit(StaffStatus.Active)} and ${staffHolds(sql`staff`, 'chat.serve')}
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
    await sql`update chat_group set status = ${sql.lit(ChatGroupStatus.Closed)} where id = ${groupId}`.execute(trx);
    await sql`update chat_member set is_current = false where group_id = ${groupId} and is_current`.execute(trx);
    await sql`update chat_assignment set to_at = now() where group_id = ${groupId} and to_at is null`.execute(trx);
    await sql`delete from service_queue where group_id = ${groupId}`.execute(trx);
    await cancel(trx, 'chat.assign', groupId);
    return last;
  });
  if (!stored.repeated) publishGroupChange(ctx, groupId, stored, []);
}
