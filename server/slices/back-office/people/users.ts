import { sql } from 'kysely';
import type { setUserStatus } from '#contract/backstage-users.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { isPhone } from '#contract/rules/phone.ts';
import { inTransaction } from '#server/db/client.ts';
import type { StaffCall } from '#server/access/call.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { changeUserStatus, phoneSearchIndex } from '#server/slices/accounts/service.ts';
import { avatarUrl } from '#server/slices/media/service.ts';
import { audit } from '#server/audit.ts';
import { requirePermission, ownSite } from '#server/access/permissions.ts';

interface Query {
  pages?: number | undefined;
  pageSize?: number | undefined;
  cursor?: string | undefined;
  keyWord?: string | undefined;
  authStatus?: number | undefined;
  status?: number | undefined;
}

interface Row {
  id: number;
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

/** Lists are counted up to this number. */
const COUNTED = 1000;
const PAGE_SIZE = 20;
const one = (flag: boolean): number => (flag ? 1 : 0);

/** The filter of a keyword: a complete phone, a user number, else part of a nickname. */
function keywordFilter(call: StaffCall, keyword: string | undefined) {
  if (keyword === undefined) return sql``;
  if (isPhone(keyword)) return sql`and u.phone_hash = ${phoneSearchIndex(call.ctx.keys, keyword)}`;
  if (/^U\d{7}$/i.test(keyword)) return sql`and u.union_num = ${keyword.toUpperCase()}`;
  if (/^\d{1,12}$/.test(keyword)) return sql`and u.id = ${Number(keyword)}`;
  return sql`and u.nick_name ilike ${`%${keyword.replace(/[\\%_]/g, (c) => `\\${c}`)}%`}`;
}

/**
 * Users for staff, newest first. Phones stay masked, and a search by phone compares the whole number by its blind index. Searches
 * for a person are audited. Throws FORBIDDEN.
 */
export async function listUsers(call: StaffCall, query: Query) {
  const { ctx, staff } = call;
  requirePermission(staff, 'user.read');
  const size = query.pageSize ?? PAGE_SIZE;
  const from = decodeId(query.cursor);
  const filter = sql`true ${keywordFilter(call, query.keyWord)}
    ${query.authStatus === undefined ? sql`` : sql`and u.auth_status = ${query.authStatus}`}
    ${query.status === undefined ? sql`` : sql`and u.status = ${query.status}`}
    ${ownSite(staff, sql`u.dist_id`)}`;
  const { rows } = await sql<Row>`
    select u.id, u.union_num, u.nick_name, u.avatar, u.phone_mask, r.name_mask, u.auth_status, u.status, u.seller_level, u.sold_count,
      (select coalesce(sum(e.amount_fen - e.paid_fen), 0)::bigint from debt e where e.debtor_user = u.id and e.settled_at is null) as debt_fen,
      u.is_quick_shop, u.is_booster, u.is_accompanyer, u.dist_id, d.name as dist_name, u.last_seen_at, u.created_at
    from app_user u join distributor d on d.id = u.dist_id left join real_name r on r.user_id = u.id and r.status = 2
    where ${filter} ${from === undefined ? sql`` : sql`and u.id < ${from}`}
    order by u.id desc limit ${size + 1} offset ${from === undefined ? ((query.pages ?? 1) - 1) * size : 0}`.execute(
    ctx.db,
  );
  const count = await sql<{ n: number }>`
    select count(*) as n from (select from app_user u where ${filter} limit ${COUNTED + 1}) c`.execute(ctx.db);
  if (query.keyWord !== undefined)
    await audit(
      ctx.db,
      staff,
      'user.search',
      'user',
      { byPhone: isPhone(query.keyWord), found: rows.map((row) => row.id).slice(0, size) },
      call.ip,
    );
  const total = count.rows[0]?.n ?? 0;
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    list: page.map(userOf),
    total: Math.min(total, COUNTED),
    more: total > COUNTED,
    next: rows.length > size && last ? encodeCursor([last.id]) : null,
  };
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
 * Restricts an account or lifts the restriction, with a reason on record. Throws FORBIDDEN, NOT_FOUND, ORDER_STATE when the account is in
 * that state already.
 */
export async function setStatus(
  call: StaffCall,
  { userId, status, reason }: Parsed<typeof setUserStatus>,
): Promise<HandlerResult<typeof setUserStatus>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'user.freeze');
  const [from, to] = status === '2' ? [1, 2] : [2, 1];
  return await inTransaction(ctx.db, async (trx) => {
    const mine = ownSite(staff, sql`dist_id`);
    if (!(await changeUserStatus(trx, Number(userId), { from, to, within: mine }))) {
      const existing = await sql`select 1 from app_user where id = ${Number(userId)} and status <> 3 ${mine}`.execute(
        trx,
      );
      throw existing.rows.length > 0
        ? new AppError('ORDER_STATE', { text: to === 2 ? '该账号已被限制' : '该账号没有被限制' })
        : new AppError('NOT_FOUND', { text: '用户不存在' });
    }
    await audit(trx, staff, to === 2 ? 'user.freeze' : 'user.unfreeze', `user:${userId}`, { reason }, ip);
    return { userId, status: to };
  });
}
