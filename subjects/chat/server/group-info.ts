import { ChatGroupStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { groupInfo } from '#subjects/chat/contract/im.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { userBriefs } from '#subjects/accounts/server/service.ts';
import { avatarUrl } from '#subjects/media/server/service.ts';
import { groupById, loadGroup, type GroupRow, loadMembers, onlineAmong } from './queries.ts';
import { ratedBy } from './groups/ratings.ts';
import { isStaffMember } from './rules.ts';

/** A group with its members, for a member. Throws CHAT_NOT_MEMBER. */
export async function loadGroupInfo(
  ctx: Context,
  member: string,
  groupId: number,
): Promise<HandlerResult<typeof groupInfo>> {
  const group = await loadGroup(ctx.db, groupId, member);
  if (!group) throw new AppError('CHAT_NOT_MEMBER');
  return await described(ctx, group, { ...group, rated: await ratedBy(ctx, groupId, member) });
}

/** The same for staff with the permission. Throws NOT_FOUND. */
export async function anyGroupInfo(ctx: Context, groupId: number): Promise<HandlerResult<typeof groupInfo>> {
  const group = await groupById(ctx.db, groupId);
  if (!group) throw new AppError('NOT_FOUND');
  return await described(ctx, group, { readSeq: group.lastSeq, muted: false, rated: null });
}

interface View {
  readSeq: number;
  muted: boolean;
  rated: number | null;
}

async function described(ctx: Context, group: GroupRow, view: View): Promise<HandlerResult<typeof groupInfo>> {
  const members = await loadMembers(ctx.db, group.id);
  const names = members.map((m) => m.member);
  const users = await userBriefs(ctx.db, names.filter((m) => !isStaffMember(m)).map(Number));
  const staff = await sql<{ imUid: string; name: string }>`
    select im_uid as "imUid", name from staff where im_uid = any(${names.filter(isStaffMember)})`.execute(ctx.db);
  const staffNames = new Map(staff.rows.map((s) => [s.imUid, s.name]));
  const online = await onlineAmong(ctx.db, names);
  return {
    groupId: String(group.id),
    groupType: group.groupType,
    orderSn: group.orderSn,
    closed: group.status !== ChatGroupStatus.Open,
    lastSeq: group.lastSeq,
    readSeq: view.readSeq,
    muted: view.muted,
    rated: view.rated,
    members: members.map((m) => {
      const isStaff = isStaffMember(m.member);
      const user = isStaff ? undefined : users.get(Number(m.member));
      const nickName = (isStaff ? staffNames.get(m.member) : user?.nickName) ?? '已注销用户';
      return {
        imUid: m.member,
        nickName,
        avatar: user?.avatar ?? avatarUrl(null, nickName, m.member),
        role: m.role,
        isCurrent: m.isCurrent,
        isStaff,
        online: online.has(m.member),
        readSeq: m.readSeq,
      };
    }),
  };
}
