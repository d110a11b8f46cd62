import { sql } from 'kysely';
import type { personHead, personOpenable } from '#subjects/back-office/contract/person.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { isAdultOn } from '#subjects/verification/rules/adult.ts';
import { staffCan } from '../../rules/staff.ts';
import { sellerLevelName } from '#subjects/seller-levels/rules/standing.ts';
import { UserStatus, AuthStatus } from '#contract/rules/statuses.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { goodRate } from '#subjects/accounts/server/service.ts';
import { avatarUrl } from '#subjects/media/server/service.ts';
import {
  type ProviderKind,
  providerKindNames,
  type ProviderStatus,
  providerStatusName,
} from '#subjects/providers/server/service.ts';
import { openDebtSql } from '#subjects/ledger/server/service.ts';
import { loadCount } from '#server/staff/paging.ts';
import { loadAlert } from './person-alert.ts';

/** Users that a member of staff may open: all, or those of the own site. Throws FORBIDDEN, NOT_FOUND. */
export async function requirePerson(call: StaffCall, userId: string): Promise<number> {
  requirePermission(call.staff, 'user.read');
  const id = Number(userId);
  const { rows } = await sql`
    select from app_user u where u.id = ${id} ${ownSite(call.staff, sql`u.dist_id`)}`.execute(call.ctx.db);
  if (rows.length === 0) throw errorOf('NOT_FOUND', 'userOfSite');
  return id;
}

/** Filters users to those whose page the caller may open. Throws FORBIDDEN. */
export async function findOpenable(
  call: StaffCall,
  { userIds }: Parsed<typeof personOpenable>,
): Promise<HandlerResult<typeof personOpenable>> {
  requirePermission(call.staff, 'user.read');
  const { rows } = await sql<{ id: number }>`
    select u.id from app_user u where u.id = any(${userIds}) ${ownSite(call.staff, sql`u.dist_id`)}`.execute(
    call.ctx.db,
  );
  return { userIds: rows.map(({ id }) => String(id)) };
}

interface Row {
  id: number;
  union_num: string;
  nick_name: string;
  avatar: string | null;
  phone_mask: string;
  auth_status: number;
  name_mask: string | null;
  id_mask: string | null;
  birth_date: string | null;
  verified_at: Date | null;
  status: number;
  seller_level: number;
  sold_count: number;
  rating_good: number;
  rating_count: number;
  dist_name: string;
  inviter_id: number | null;
  inviter_name: string | null;
  inviter_avatar: string | null;
  debt_fen: number;
  payout_wait_until: Date | null;
  payout_wait_reason: string | null;
  created_at: Date;
  last_seen_at: Date;
  closed_at: Date | null;
}

const WAITS: Readonly<Record<string, string>> = { phone: '更换了手机号', payPassword: '重设了支付密码' };

async function loadRow(call: StaffCall, id: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select u.id, u.union_num, u.nick_name, u.avatar, u.phone_mask, u.auth_status, r.name_mask, r.id_mask, r.birth_date::text, r.verified_at, u.status,
      u.seller_level, u.sold_count, u.rating_good, u.rating_count, d.name as dist_name, i.id as inviter_id, i.nick_name as inviter_name,
      i.avatar as inviter_avatar, u.payout_wait_until, u.payout_wait_reason, u.created_at, u.last_seen_at, u.closed_at,
      ${openDebtSql(call.staff)} as debt_fen
    from app_user u join distributor d on d.id = u.dist_id left join real_name r on r.user_id = u.id and r.status = ${sql.lit(AuthStatus.Verified)}
      left join app_user i on i.id = u.inviter_id ${ownSite(call.staff, sql`i.dist_id`)}
    where u.id = ${id}`.execute(call.ctx.db);
  const row = rows[0];
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

async function loadRoles(call: StaffCall, id: number) {
  const { rows } = await sql<{ kind: string; status: string }>`
    select kind, status from provider where user_id = ${id} order by kind`.execute(call.ctx.db);
  return rows.map(({ kind, status }) => ({
    name: providerKindNames[kind as ProviderKind],
    isApproved: status === 'approved',
    statusName: providerStatusName(status as ProviderStatus),
  }));
}

async function loadCounts(call: StaffCall, id: number): Promise<HandlerResult<typeof personHead>['counts']> {
  const { db } = call.ctx;
  const seesOrders = staffCan(call.staff, 'order.read');
  const site = ownSite(call.staff, sql`o.dist_id`);
  const count = async (from: ReturnType<typeof sql>) => (await loadCount(db, from)).total;
  const [sold, bought, goods, notes] = await Promise.all([
    seesOrders ? count(sql`orders o where o.seller_id = ${id} ${site}`) : null,
    seesOrders ? count(sql`orders o where o.buyer_id = ${id} ${site}`) : null,
    count(sql`goods g where g.seller_id = ${id}`),
    count(sql`staff_note n where n.user_id = ${id} ${ownSite(call.staff, sql`n.dist_id`)}`),
  ]);
  return { sold, bought, goods, notes };
}

/** The header of a user's page. Throws FORBIDDEN, NOT_FOUND also for a user of another site. */
export async function loadHead(
  call: StaffCall,
  { userId }: Parsed<typeof personHead>,
): Promise<HandlerResult<typeof personHead>> {
  const id = await requirePerson(call, userId);
  const row = await loadRow(call, id);
  const wait = row.payout_wait_until;
  const isClosed = row.status === UserStatus.Closed;
  return {
    userId: String(row.id),
    nickName: row.nick_name,
    avatar: avatarUrl(row.avatar, row.nick_name, row.id),
    unionNum: row.union_num,
    phoneMask: row.phone_mask,
    authStatus: row.auth_status,
    realNameMask: row.name_mask,
    idMask: row.id_mask,
    isAdult: row.birth_date === null ? null : isAdultOn(row.birth_date, new Date()),
    verifyTime: row.verified_at,
    status: row.status,
    sellerLevel: row.seller_level,
    levelName: sellerLevelName(row.seller_level),
    soldNum: row.sold_count,
    goodRate: goodRate(row.rating_good, row.rating_count),
    roles: await loadRoles(call, id),
    distName: row.dist_name,
    inviter:
      row.inviter_id === null || row.inviter_name === null
        ? null
        : {
            userId: String(row.inviter_id),
            nickName: row.inviter_name,
            avatar: avatarUrl(row.inviter_avatar, row.inviter_name, row.inviter_id),
          },
    debt: row.debt_fen,
    payoutWait:
      wait === null || wait < new Date()
        ? null
        : { until: wait, reason: WAITS[row.payout_wait_reason ?? ''] ?? '账户安全信息有改动' },
    createTime: row.created_at,
    lastSeenTime: row.last_seen_at,
    closeTime: row.closed_at,
    alert: isClosed ? null : await loadAlert(call, id, row.debt_fen),
    counts: await loadCounts(call, id),
  };
}
