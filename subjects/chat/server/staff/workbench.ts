import { ChatGroupStatus, AuthStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { staffWorkbench, staffImSidebar } from '#subjects/chat/contract/im-support.ts';
import { orderStatusName, OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { pageUrlOf } from '#subjects/goods/server/service.ts';
import { leastLoaded } from '../groups/assign.ts';
import { dueColumns, dueOf, type DueRow } from '#subjects/orders/server/service.ts';
import { loadForm } from './forms.ts';
import { endService } from '../groups/customer-service.ts';
import { publishGroupChange, leave, lockOpen, newUid, assignGroup, enqueue, transferOf } from '../groups/groups.ts';
import { storeSystem } from '../queries.ts';
import { staffCard, pendingCard } from '../rules.ts';
import { loadFigures, noFigures } from './stats.ts';
import { staffReads } from './groups.ts';

/** The caller's duty, load and figures of today, and the length of the queue. Throws FORBIDDEN. */
export async function loadWorkbench(ctx: Context, staff: SessionStaff): Promise<HandlerResult<typeof staffWorkbench>> {
  requirePermission(staff, 'chat.serve');
  const { rows } = await sql<{
    onDuty: boolean;
    load: number;
    maxChats: number;
    waiting: number;
    waitingSince: Date | null;
    startsAt: Date | null;
    endsAt: Date | null;
  }>`
    select s.on_duty as "onDuty", s.max_chats as "maxChats", q.waiting, q.since as "waitingSince", h.starts_at as "startsAt", h.ends_at as "endsAt",
      (select count(*) from chat_member m where m.member = s.im_uid and m.is_current and m.left_at is null)::int as load
    from staff s
    cross join lateral (select count(*)::int as waiting, min(since) as since from service_queue q where s.dist_id is null or q.dist_id = s.dist_id) q
    left join lateral (select starts_at, ends_at from staff_shift h where h.staff_id = s.id and h.ends_at > now() order by h.starts_at limit 1) h on true
    where s.id = ${staff.id}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw new AppError('FORBIDDEN');
  const { startsAt, endsAt, ...own } = row;
  const today = (await loadFigures(ctx.db, { staffIds: [staff.id], days: 'today' })).get(staff.id);
  return {
    staffId: staff.id,
    imUid: staff.imUid,
    ...own,
    shift: startsAt && endsAt ? { startsAt, endsAt } : null,
    today: today ?? noFigures,
  };
}

/**
 * Puts the caller on or off duty. With `release` each of their open groups is transferred to the next available
 * colleague, else to the queue; a group that was reassigned meanwhile is skipped. Returns the number of transferred
 * groups. Throws FORBIDDEN.
 */
export async function setDuty(
  ctx: Context,
  staff: SessionStaff,
  input: { onDuty: boolean; release?: boolean | undefined },
  ip: string,
): Promise<{ handed: number }> {
  requirePermission(staff, 'chat.serve');
  await inTransaction(ctx.db, async (trx) => {
    await sql`update staff set on_duty = ${input.onDuty} where id = ${staff.id}`.execute(trx);
    await audit(trx, staff, 'chat.duty', `staff:${staff.id}`, input, ip);
  });
  if (input.onDuty || input.release !== true) return { handed: 0 };
  return await releaseGroups(ctx, staff);
}

/**
 * Transfers the open groups of a member of staff who is off duty or has left to colleagues, else to the queue. Returns
 * the number; a group that was reassigned meanwhile is skipped.
 */
export async function releaseGroups(
  ctx: Context,
  staff: Pick<SessionStaff, 'id' | 'imUid'>,
): Promise<{ handed: number }> {
  const { rows } = await sql<{ groupId: number }>`
    select c.group_id as "groupId" from chat_member c join chat_group g on g.id = c.group_id
    where c.member = ${staff.imUid} and c.is_current and c.left_at is null and g.status = ${sql.lit(ChatGroupStatus.Open)} order by c.group_id`.execute(
    ctx.db,
  );
  let handed = 0;
  for (const { groupId } of rows) if (await handOver(ctx, groupId, staff)) handed++;
  return { handed };
}

/**
 * Transfers a group of staff who go off duty to the next colleague, or to the queue; false when it was no longer
 * theirs.
 */
async function handOver(ctx: Context, groupId: number, staff: Pick<SessionStaff, 'id' | 'imUid'>): Promise<boolean> {
  const stored = await inTransaction(ctx.db, async (trx) => {
    const group = await lockOpen(trx, groupId);
    if (!group) return undefined;
    const { rows } = await sql`select 1 from chat_member
      where group_id = ${groupId} and member = ${staff.imUid} and is_current and left_at is null`.execute(trx);
    if (rows.length === 0) return undefined;
    const before = await leave(trx, group, staff.imUid);
    const next = await leastLoaded(trx, { distId: group.distId, orderId: group.orderId, preferredStaffId: null });
    if (next) await assignGroup(trx, group, next, { reason: 'off duty', by: staff.id });
    else await enqueue(trx, [group]);
    const card = next ? staffCard(next.name, before) : pendingCard(before);
    const message = { groupId, key: `staff-${newUid()}`, uid: newUid(), card };
    return await storeSystem(trx, { ...message, expansion: transferOf(group.orderSn) });
  });
  if (stored) publishGroupChange(ctx, groupId, stored, [staff.imUid]);
  return stored !== undefined;
}

/** Marks a group of the caller as solved, or reopens it. Throws CHAT_NOT_MEMBER when it is not the caller's. */
export async function setSolved(ctx: Context, staff: SessionStaff, groupId: number, solved: boolean): Promise<void> {
  requirePermission(staff, 'chat.serve');
  const { rows } = await sql`
    update chat_assignment set solved_at = case when ${solved} then coalesce(solved_at, now()) end
    where id = (select max(id) from chat_assignment where group_id = ${groupId} and staff_id = ${staff.id}) returning 1`.execute(
    ctx.db,
  );
  if (rows.length === 0) throw new AppError('CHAT_NOT_MEMBER');
  if (solved) await endService(ctx, groupId);
}

/** The order of a group; every column is null for a group without one. */
interface OrderColumns {
  orderSn: string;
  typeId: number;
  title: string;
  status: number;
  totalFen: number;
}

type SidebarRow = GroupColumns & (OrderColumns | { [K in keyof OrderColumns]: null });

interface GroupColumns extends Omit<DueRow, 'status'> {
  gameName: string;
  goodsSn: string | null;
  paidAt: Date | null;
  shipBy: Date | null;
  autoConfirmAt: Date | null;
  turnDue: Date | null;
  buyerId: number | null;
  sellerId: number | null;
  /** The user and the listing in question, in a conversation without an order. */
  ownerId: number | null;
  topicSn: string | null;
  topicTitle: string | null;
  topicType: number | null;
  topicFen: number | null;
  topicDist: number | null;
  closed: boolean;
  score: number | null;
  rating: string | null;
}

const sideOf = (row: SidebarRow, userId: string): 'buyer' | 'seller' | 'owner' =>
  row.ownerId !== null ? 'owner' : userId === String(row.buyerId) ? 'buyer' : 'seller';

async function loadPeople(ctx: Context, row: SidebarRow) {
  const userIds = [row.buyerId, row.sellerId, row.ownerId].filter((id) => id !== null);
  const { rows } = await sql<{
    userId: string;
    nickName: string;
    verified: boolean;
    since: Date;
    bought: number;
    sold: number;
    disputes: number;
  }>`
    select u.id::text as "userId", u.nick_name as "nickName", u.auth_status = ${sql.lit(AuthStatus.Verified)} as verified, u.created_at as since,
      (select count(*) from orders o where o.buyer_id = u.id and o.status = ${sql.lit(OrderStatus.Completed)})::int as bought,
      (select count(*) from orders o where o.seller_id = u.id and o.status = ${sql.lit(OrderStatus.Completed)})::int as sold,
      (select count(*) from dispute d join orders o on o.id = d.order_id where u.id in (o.buyer_id, o.seller_id))::int as disputes
    from app_user u where u.id = any(${userIds}::bigint[])`.execute(ctx.db);
  return rows
    .map((person) => ({
      ...person,
      side: sideOf(row, person.userId),
    }))
    .toSorted((a, b) => a.side.localeCompare(b.side));
}

/** Like `staffReads`, but throws NOT_FOUND for a group that does not exist. */
async function requireReadable(ctx: Context, staff: SessionStaff, groupId: number): Promise<void> {
  try {
    await staffReads(ctx, staff, groupId);
  } catch (error) {
    if (asAppError(error)?.error !== 'CHAT_NOT_MEMBER') throw error;
    const { rows } = await sql`select from chat_group where id = ${groupId}`.execute(ctx.db);
    throw rows.length === 0 ? errorOf('NOT_FOUND', 'conversation') : error;
  }
}

/** The sidebar of a conversation: order, people, form, assignments. Throws FORBIDDEN, NOT_FOUND, CHAT_NOT_MEMBER. */
export async function loadSidebar(
  ctx: Context,
  staff: SessionStaff,
  groupId: number,
): Promise<HandlerResult<typeof staffImSidebar>> {
  await requireReadable(ctx, staff, groupId);
  const { rows } = await sql<SidebarRow>`
    select o.sn as "orderSn", o.type_id as "typeId", o.snapshot->>'title' as title, coalesce(o.snapshot->>'gameName', '') as "gameName", o.status,
      o.total_fen as "totalFen", o.goods_sn as "goodsSn", o.paid_at as "paidAt", o.ship_by as "shipBy", o.auto_confirm_at as "autoConfirmAt", order_turn_due(o.id) as "turnDue",
      ${dueColumns}, o.buyer_id as "buyerId", o.seller_id as "sellerId", g.status <> ${sql.lit(ChatGroupStatus.Open)} as closed,
      g.user_id as "ownerId", t.sn as "topicSn", t.title as "topicTitle", t.type_id as "topicType", t.dist_id as "topicDist", t.price_fen as "topicFen",
      r.score, r.content as rating
    from chat_group g left join orders o on o.id = g.order_id left join goods t on t.id = g.goods_id
    left join lateral (select score, content from service_satisfaction r where r.group_id = g.id order by created_at desc limit 1) r on true
    where g.id = ${groupId}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw errorOf('NOT_FOUND', 'conversation');
  const assignments = await sql<{
    staffId: number;
    name: string;
    from: Date;
    to: Date | null;
    reason: string;
    reply: number | null;
    solved: boolean;
  }>`
    select a.staff_id as "staffId", s.name, a.from_at as "from", a.to_at as "to", a.reason, a.solved_at is not null as solved,
      extract(epoch from a.first_reply_at - a.from_at)::int as reply
    from chat_assignment a join staff s on s.id = a.staff_id where a.group_id = ${groupId} order by a.id desc limit 10`.execute(
    ctx.db,
  );
  const last = assignments.rows[0];
  return {
    groupId: String(groupId),
    closed: row.closed,
    staffId: last && last.to === null ? last.staffId : null,
    solved: last?.solved ?? false,
    assignedAt: last?.from ?? null,
    firstReplySeconds: last?.reply ?? null,
    rating: row.score === null ? null : { score: row.score, content: row.rating ?? '' },
    order: orderOf(row, last?.to === null && last.staffId === staff.id),
    topic:
      row.topicSn === null
        ? null
        : {
            goodsSn: row.topicSn,
            title: row.topicTitle ?? '',
            // Staff are on a host without shops.
            pageUrl: `${ctx.dir.originOf(row.topicDist ?? ctx.dir.platform().id)}${pageUrlOf({ sn: row.topicSn, typeId: row.topicType ?? 0 })}`,
            price: row.topicFen ?? 0,
          },
    people: await loadPeople(ctx, row),
    form: await loadForm(ctx, groupId),
    before: assignments.rows.map(({ name, from, to, reason }) => ({ name, from, to, reason: reasonText(reason) })),
  };
}

function orderOf(row: SidebarRow, isMine: boolean) {
  if (row.orderSn === null) return null;
  return {
    orderSn: row.orderSn,
    typeId: row.typeId,
    typeName: orderTypeName(row.typeId),
    title: row.title,
    gameName: row.gameName,
    status: row.status,
    statusName: orderStatusName(row.status, row.typeId),
    totalPrice: row.totalFen,
    goodsSn: row.goodsSn,
    payTime: row.paidAt,
    deadline: row.turnDue,
    disputed: row.disputed,
    due: dueOf(row, isMine ? 'staff' : 'onlooker'),
  };
}

/** The reason of an assignment as text. */
function reasonText(reason: string): string {
  return { auto: '自动分配', transfer: '转接', takeover: '接手', 'off duty': '同事下班' }[reason] ?? '分配';
}
