import { ORDER_GROUP } from '#subjects/chat/rules/group-type.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { unreadCount } from '#subjects/chat/contract/im.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { userBriefs } from '#subjects/accounts/server/service.ts';
import { avatarUrl } from '#subjects/media/server/service.ts';
import { publish } from './transport/bus.ts';
import { ensureGroup } from './groups/order-groups.ts';
import { loadUnread } from './queries.ts';

export { maskText } from './messages/mask.ts';
export { remindSeller, transferOrder } from './staff/remind.ts';
export { releaseGroups } from './staff/workbench.ts';

/** Maximum number of orders in one request (subjects/chat/contract/im.ts). */
const MAX_ORDERS = 50;
const BELLS_AT_ONCE = 100;

/** Groups of the caller's paid orders, created where missing; orders of other users are absent. Throws BAD_INPUT. */
export async function groupsOfOrders(
  ctx: Context,
  userId: number,
  orderSnList: string,
): Promise<Record<string, { groupId: string; groupType: number }[]>> {
  const sns = [...new Set(orderSnList.split(',').map((s) => s.trim()))].filter((s) => /^[A-Za-z0-9-]{1,32}$/.test(s));
  if (sns.length > MAX_ORDERS) throw new AppError('BAD_INPUT', { text: `一次最多查询 ${MAX_ORDERS} 个订单` });
  if (sns.length === 0) return {};
  const { rows } = await sql<{ id: number; sn: string; groupId: number | null }>`
    select o.id, o.sn, g.id as "groupId" from orders o left join chat_group g on g.order_id = o.id
    where o.sn = any(${sns}) and ${userId} in (o.buyer_id, o.seller_id) and o.paid_at is not null`.execute(ctx.db);
  const out: Record<string, { groupId: string; groupType: number }[]> = {};
  for (const row of rows) {
    const groupId = row.groupId ?? (await ensureGroup(ctx, row.id));
    if (groupId !== undefined) out[row.sn] = [{ groupId: String(groupId), groupType: ORDER_GROUP }];
  }
  return out;
}

/** Notifies the open sockets of users of a new notice; called after the transaction. */
export function ringBells(ctx: Context, userIds: readonly number[]): void {
  // The size of a bus message is limited.
  for (let from = 0; from < userIds.length; from += BELLS_AT_ONCE)
    publish(ctx, { kind: 'notice', to: userIds.slice(from, from + BELLS_AT_ONCE).map(String) });
}

/** A user as shown by the IM provider. */
export async function loadPerson(
  ctx: Context,
  userId: number,
): Promise<{ imUid: string; name: string; portrait: string }> {
  const user = (await userBriefs(ctx.db, [userId])).get(userId);
  const name = user?.nickName ?? '用户';
  return { imUid: String(userId), name, portrait: user?.avatar ?? avatarUrl(null, name, String(userId)) };
}

/** Mutes or unmutes a group for a member. Throws CHAT_NOT_MEMBER. */
export async function muteFor(
  ctx: Context,
  member: string,
  groupId: number,
  muted: boolean,
): Promise<{ muted: boolean }> {
  const { rows } = await sql`update chat_member set muted = ${muted}
    where group_id = ${groupId} and member = ${member} and left_at is null returning 1`.execute(ctx.db);
  if (rows.length === 0) throw new AppError('CHAT_NOT_MEMBER');
  return { muted };
}

/** Unread counts of a member: the total without muted groups, and by group. */
export async function unreadFor(
  ctx: Context,
  member: string,
  groupIds: readonly string[] | undefined,
): Promise<HandlerResult<typeof unreadCount>> {
  const ids = groupIds?.filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  const rows = await loadUnread(ctx.db, member, ids);
  const unread = rows.filter((row) => row.unread > 0);
  const times = unread.flatMap((row) => (row.lastAt ? [row.lastAt.getTime()] : []));
  return {
    total: unread.reduce((sum, row) => sum + (row.muted ? 0 : row.unread), 0),
    byGroup: Object.fromEntries(unread.map((row) => [String(row.groupId), row.unread])),
    muted: rows.filter((row) => row.muted).map((row) => String(row.groupId)),
    lastTime: times.length > 0 ? new Date(Math.max(...times)) : null,
  };
}
