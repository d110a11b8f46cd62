import { AuthStatus, UserStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { adminQueryUserList } from '#subjects/accounts/contract/staff-user-search.ts';
import type { setUserStatus } from '#subjects/accounts/contract/staff-users.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { isPhone } from '#contract/rules/contacts/phone.ts';
import { inTransaction } from '#server/db/client.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { changeUserStatus } from '../standing.ts';
import { phoneIndex } from '../phone/phones.ts';
import { avatarUrl } from '#subjects/media/server/service.ts';
import { audit } from '#server/audit/audit.ts';
import { requirePermission, ownSite } from '#server/access/permissions.ts';
import { openDebtSql } from '#subjects/ledger/server/service.ts';
import { type Batch, during, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { nameFilter } from './user-search.ts';

type Input = Parsed<typeof adminQueryUserList>;

interface Row {
  id: number;
  sort_key: string;
  union_num: string;
  nick_name: string;
  avatar: string | null;
  phone_mask: string;
  name_mask: string | null;
  auth_status: number;
  status: number;
  seller_level: number;
  sold_count: number;
  is_quick_shop: boolean;
  is_booster: boolean;
  is_accompanyer: boolean;
  debt_fen: number;
  dist_id: number;
  dist_name: string;
  last_seen_at: Date;
  created_at: Date;
}

const one = (flag: boolean): number => (flag ? 1 : 0);

const SORTS = {
  createTime: { by: sql`u.created_at`, kind: 'time' },
  soldCount: { by: sql`u.sold_count`, kind: 'number' },
} as const;

/** The filter for a keyword: a complete phone, a user number, else part of a nickname. */
function keywordFilter(call: StaffRead, keyword: string): RawBuilder<unknown> {
  if (isPhone(keyword)) return sql`u.phone_hash = ${phoneIndex(call.ctx.keys, keyword)}`;
  if (/^U\d{7}$/i.test(keyword)) return sql`u.union_num = ${keyword.toUpperCase()}`;
  if (/^\d{1,12}$/.test(keyword)) return sql`u.id = ${Number(keyword)}`;
  return nameFilter(keyword);
}

function filterOf(call: StaffRead, input: Input): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (call.staff.distId !== null) parts.push(sql`u.dist_id = ${call.staff.distId}`);
  if (input.keyWord !== undefined) parts.push(keywordFilter(call, input.keyWord));
  if (input.authStatus !== undefined) parts.push(sql`u.auth_status = any(${input.authStatus.map(Number)}::smallint[])`);
  if (input.status !== undefined) parts.push(sql`u.status = any(${input.status.map(Number)}::smallint[])`);
  if (input.createTime !== undefined) parts.push(during(sql`u.created_at`, input.createTime));
  if (input.hasSold === true) parts.push(sql`u.sold_count > 0`);
  if (input.isQuickShop === true) parts.push(sql`u.is_quick_shop`);
  if (input.isBooster === true) parts.push(sql`u.is_booster`);
  if (input.isAccompanyer === true) parts.push(sql`u.is_accompanyer`);
  if (input.hasDebt === true) parts.push(sql`${openDebtSql(call.staff)} > 0`);
  if (input.newerThan !== undefined) parts.push(sql`u.created_at > ${input.newerThan}`);
  return sql.join(parts, sql` and `);
}

/**
 * Users for staff, newest first. Phones stay masked, and a search by phone compares the whole number by its blind index. Searches
 * for a person are audited. Throws FORBIDDEN.
 */
export async function listUsers(
  call: StaffRead,
  input: Input,
  batch?: Batch,
): Promise<HandlerResult<typeof adminQueryUserList>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'user.read');
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`u.id`, batch);
  const { rows } = await sql<Row>`
    select u.id, ${page.key} as sort_key, u.union_num, u.nick_name, u.avatar, u.phone_mask, r.name_mask, u.auth_status, u.status, u.seller_level,
      u.sold_count, ${openDebtSql(staff)} as debt_fen, u.is_quick_shop, u.is_booster, u.is_accompanyer, u.dist_id, d.name as dist_name, u.last_seen_at, u.created_at
    from app_user u join distributor d on d.id = u.dist_id left join real_name r on r.user_id = u.id and r.status = ${sql.lit(AuthStatus.Verified)}
    where ${filter} ${page.behind} ${page.tail}`.execute(ctx.db);
  const result = page.cut(rows);
  if (input.keyWord !== undefined) {
    const detail = { byPhone: isPhone(input.keyWord), found: result.rows.map((row) => row.id) };
    await audit(ctx.db, staff, 'user.search', 'user', detail, call.ip);
  }
  const totals = await loadTotals(ctx.db, sql`app_user u where ${filter}`, { batch });
  return { list: result.rows.map(userOf), ...totals, next: result.next, now: new Date() };
}

function userOf(row: Row) {
  return {
    userId: String(row.id),
    unionNum: row.union_num,
    nickName: row.nick_name,
    avatar: avatarUrl(row.avatar, row.nick_name, row.id),
    phoneMask: row.phone_mask,
    realNameMask: row.name_mask,
    authStatus: row.auth_status,
    status: row.status,
    sellerLevel: row.seller_level,
    soldCount: row.sold_count,
    debt: row.debt_fen,
    isQuickShop: one(row.is_quick_shop),
    isBooster: one(row.is_booster),
    isAccompanyer: one(row.is_accompanyer),
    distId: row.dist_id,
    distName: row.dist_name,
    lastSeenTime: row.last_seen_at,
    createTime: row.created_at,
  };
}

/**
 * Restricts an account or lifts the restriction, with a reason on record. Throws FORBIDDEN, NOT_FOUND, ORDER_STATE when
 * the account is already in that state.
 */
export async function setStatus(
  call: StaffCall,
  { userId, status, reason }: Parsed<typeof setUserStatus>,
): Promise<HandlerResult<typeof setUserStatus>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'user.freeze');
  const [from, to] =
    status === String(UserStatus.Restricted)
      ? [UserStatus.Active, UserStatus.Restricted]
      : [UserStatus.Restricted, UserStatus.Active];
  return await inTransaction(ctx.db, async (trx) => {
    const mine = ownSite(staff, sql`dist_id`);
    if (!(await changeUserStatus(trx, Number(userId), { from, to, within: mine }))) {
      const existing =
        await sql`select 1 from app_user where id = ${Number(userId)} and status <> ${sql.lit(UserStatus.Closed)} ${mine}`.execute(
          trx,
        );
      throw existing.rows.length > 0
        ? new AppError('ORDER_STATE', { text: to === UserStatus.Restricted ? '该账号已被限制' : '该账号没有被限制' })
        : errorOf('NOT_FOUND', 'user');
    }
    await audit(
      trx,
      staff,
      to === UserStatus.Restricted ? 'user.freeze' : 'user.unfreeze',
      `user:${userId}`,
      { reason },
      ip,
    );
    return { userId, status: to };
  });
}
