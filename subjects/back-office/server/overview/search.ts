import { type RawBuilder, sql } from 'kysely';
import type { staffSearch } from '#subjects/back-office/contract/overview.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { orderStatusName } from '#subjects/orders/rules/order-status.ts';
import { payoutKindNames } from '#subjects/payments/rules/payout-methods.ts';
import { isPhone } from '#contract/rules/contacts/phone.ts';
import { type StaffPermission, staffCan } from '../../rules/staff.ts';
import { GoodsStatus, UserStatus, ChatGroupStatus } from '#contract/rules/statuses.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { StaffCall } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { ownSite, requireSite } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { AppError } from '#server/kernel/errors.ts';
import { phoneSearchIndex } from '#subjects/accounts/server/service.ts';
import { statusName } from '#subjects/disputes/server/service.ts';
import { claimName } from '#subjects/guarantees/server/service.ts';
import { withdrawStatusNames } from '#subjects/payments/server/service.ts';
import { payeeUsers } from '#subjects/verification/server/service.ts';

type Group = HandlerResult<typeof staffSearch>['groups'][number];
type Item = Group['items'][number];

const MOST = 8;
/** Maximum look-ups by phone or payee of one member of staff per hour. */
const LOOKUPS = 120;
const HOUR = 3600;

interface OrderRow {
  sn: string;
  title: string | null;
  status: number;
  type_id: number;
  total_fen: number;
}

async function orders(call: StaffCall, q: string): Promise<Item[]> {
  if (!staffCan(call.staff, 'order.read') || !/^\d{8,32}$/.test(q)) return [];
  const { rows } = await sql<OrderRow>`
    select o.sn, o.snapshot->>'title' as title, o.status, o.type_id, o.total_fen from orders o
    where o.sn = ${q} ${ownSite(call.staff, sql`o.dist_id`)}`.execute(call.ctx.db);
  return rows.map((row) => ({
    key: row.sn,
    title: row.sn,
    note: `${row.title ?? ''}，${yuanLabel(row.total_fen)} 元`,
    state: orderStatusName(row.status, row.type_id),
    to: `/backstage/orders/${row.sn}`,
  }));
}

interface UserRow {
  id: number;
  union_num: string;
  nick_name: string;
  phone_mask: string;
  status: number;
  dist_name: string;
}

const STATES: Readonly<Record<number, string>> = {
  [UserStatus.Active]: '',
  [UserStatus.Restricted]: '已限制',
  [UserStatus.Closed]: '已注销',
} satisfies Record<UserStatus, string>;

const personItem = (row: UserRow, note = ''): Item => ({
  key: String(row.id),
  title: row.nick_name,
  note: [row.union_num, row.phone_mask, row.dist_name, note].filter(Boolean).join('，'),
  state: STATES[row.status] ?? '',
  to: `/backstage/users/${row.id}`,
});

async function users(call: StaffCall, where: RawBuilder<unknown>): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select u.id, u.union_num, u.nick_name, u.phone_mask, u.status, d.name as dist_name from app_user u join distributor d on d.id = u.dist_id
    where ${where} ${ownSite(call.staff, sql`u.dist_id`)} limit ${MOST}`.execute(call.ctx.db);
  return rows;
}

/** How a keyword identifies people: a phone, a number, or the beginning of a name. */
function personFilter(call: StaffCall, q: string): RawBuilder<unknown> {
  if (isPhone(q)) return sql`u.phone_hash = ${phoneSearchIndex(call.ctx.keys, q)}`;
  if (/^U\d{7}$/i.test(q)) return sql`u.union_num = ${q.toUpperCase()}`;
  if (/^\d{1,10}$/.test(q)) return sql`u.id = ${Number(q)}`;
  return sql`lower(u.nick_name) like ${`${q.toLowerCase().replace(/[\\%_]/g, (c) => `\\${c}`)}%`}`;
}

async function people(call: StaffCall, q: string): Promise<Item[]> {
  if (!staffCan(call.staff, 'user.read')) return [];
  const rows = await users(call, personFilter(call, q));
  return rows.map((row) => personItem(row));
}

async function payees(call: StaffCall, q: string): Promise<Item[]> {
  if (!staffCan(call.staff, 'user.read') || !staffCan(call.staff, 'withdrawal.read')) return [];
  const found = await payeeUsers(call.ctx, q);
  if (found.length === 0) return [];
  const rows = await users(call, sql`u.id = any(${found.map(({ userId }) => userId)})`);
  return rows.map((row) => {
    const own = found.find(({ userId }) => userId === row.id);
    const account = own ? `${payoutKindNames[own.kind]} ${own.mask}${own.isCurrent ? '' : '，已换掉'}` : '';
    return personItem(row, account);
  });
}

async function goods(call: StaffCall, q: string): Promise<Item[]> {
  const { staff } = call;
  if (!(staffCan(staff, 'goods.read') || staffCan(staff, 'order.read')) || !/^[A-Za-z]{1,6}\d{5,12}$/.test(q))
    return [];
  const { rows } = await sql<{
    sn: string;
    title: string;
    status: number;
    price_fen: number;
    seller_id: number;
    seller: string;
  }>`
    select g.sn, g.title, g.status, g.price_fen, g.seller_id, u.nick_name as seller from goods g join app_user u on u.id = g.seller_id
    where g.sn = ${q.toUpperCase()} ${ownSite(staff, sql`g.dist_id`)}`.execute(call.ctx.db);
  return rows.map((row) => ({
    key: row.sn,
    title: row.title,
    note: `${row.sn}，${row.seller}，${yuanLabel(row.price_fen)} 元`,
    state: offerStatusName(row.status),
    to:
      row.status === GoodsStatus.Reviewing && staffCan(staff, 'goods.read')
        ? `/backstage/goods?sn=${row.sn}`
        : staffCan(staff, 'order.read')
          ? `/backstage/orders?keyWord=${row.sn}`
          : `/backstage/users/${row.seller_id}`,
  }));
}

async function groups(call: StaffCall, q: string): Promise<Item[]> {
  if (!staffCan(call.staff, 'chat.serve') || !/^\d{1,15}$/.test(q)) return [];
  const { rows } = await sql<{ id: number; sn: string | null; name: string | null; open: boolean }>`
    select g.id, o.sn, u.nick_name as name, g.status = ${sql.lit(ChatGroupStatus.Open)} as open from chat_group g left join orders o on o.id = g.order_id
      left join app_user u on u.id = g.user_id where g.id = ${q}::bigint ${ownSite(call.staff, sql`g.dist_id`)}`.execute(
    call.ctx.db,
  );
  return rows.map((row) => ({
    key: String(row.id),
    title: `会话 ${row.id}`,
    note: row.sn === null ? (row.name ?? '') : `订单 ${row.sn}`,
    state: row.open ? '进行中' : '已结束',
    to: `/backstage/chat?scope=${staffCan(call.staff, 'chat.supervise') ? 'all' : 'mine'}&g=${row.id}`,
  }));
}

const CASE_SN = /^[A-Za-z]{1,4}\d{6,20}$/;

interface CaseRow {
  sn: string;
  status: string;
  note: string;
}

/** A case by its complete number, for staff who may see it. */
interface CaseSpec {
  permission: StaffPermission;
  /** SQL after `select`: number, state and note. */
  select: RawBuilder<unknown>;
  sn: RawBuilder<unknown>;
  dist: RawBuilder<unknown>;
  stateOf: (status: string) => string;
  pathOf: (sn: string) => string;
}

const disputes: CaseSpec = {
  permission: 'dispute.read',
  select: sql`d.sn, d.status, '订单 ' || o.sn as note from dispute d join orders o on o.id = d.order_id`,
  sn: sql`d.sn`,
  dist: sql`d.dist_id`,
  stateOf: (status) => statusName(status as Parameters<typeof statusName>[0]),
  pathOf: (sn) => `/backstage/disputes/${sn}`,
};

const claims: CaseSpec = {
  permission: 'claim.read',
  select: sql`c.sn, c.status, '订单 ' || o.sn as note from guarantee_claim c join orders o on o.id = c.order_id`,
  sn: sql`c.sn`,
  dist: sql`c.dist_id`,
  stateOf: (status) => claimName(status as Parameters<typeof claimName>[0]),
  pathOf: (sn) => `/backstage/claims/${sn}`,
};

const withdrawals: CaseSpec = {
  permission: 'withdrawal.read',
  select: sql`w.sn, w.status::text as status, u.nick_name || '，' || to_char(w.amount_fen / 100.0, 'FM999,999,990.00') || ' 元' as note
    from withdrawal w join app_user u on u.id = w.user_id`,
  sn: sql`w.sn`,
  dist: sql`w.dist_id`,
  stateOf: (status) => withdrawStatusNames[Number(status) as 0] ?? '',
  pathOf: (sn) => `/backstage/withdrawals?keyWord=${sn}&open=${sn}`,
};

async function caseBy(
  call: StaffCall,
  q: string,
  { permission, select, sn, dist, ...item }: CaseSpec,
): Promise<Item[]> {
  if (!staffCan(call.staff, permission) || !CASE_SN.test(q)) return [];
  const { rows } = await sql<CaseRow>`
    select ${select} where ${sn} = ${q.toUpperCase()} ${ownSite(call.staff, dist)}`.execute(call.ctx.db);
  return rows.map((row) => ({
    key: row.sn,
    title: row.sn,
    note: row.note,
    state: item.stateOf(row.status),
    to: item.pathOf(row.sn),
  }));
}

/** A complete phone or account, as staff would enter it to harvest users' data. */
const isSensitive = (q: string): boolean =>
  isPhone(q) || /^[^\s@]{1,48}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(q) || /^\d{12,19}$/.test(q);

/**
 * Searches everything visible to the caller, using only indexes; each search that may name a person is audited. Throws
 * FORBIDDEN, RATE_LIMITED.
 */
export async function searchAll(
  call: StaffCall,
  { q }: Parsed<typeof staffSearch>,
): Promise<HandlerResult<typeof staffSearch>> {
  const { ctx, staff, ip } = call;
  requireSite(staff);
  if (isSensitive(q) && !(await sharedHit(ctx.db, `staff.lookup:${staff.id}`, LOOKUPS, HOUR)))
    throw new AppError('RATE_LIMITED', { text: `每小时最多按手机号或收款账户查 ${LOOKUPS} 次，请稍后再试` });
  const found: readonly [Group['kind'], string, Item[]][] = [
    ['order', '订单', await orders(call, q)],
    ['person', '用户', await people(call, q)],
    ['payee', '收款账户', await payees(call, q)],
    ['goods', '商品', await goods(call, q)],
    ['group', '会话', await groups(call, q)],
    ['dispute', '申诉', await caseBy(call, q, disputes)],
    ['claim', '理赔', await caseBy(call, q, claims)],
    ['withdrawal', '提现', await caseBy(call, q, withdrawals)],
  ];
  const persons = found.flatMap(([kind, , items]) =>
    kind === 'person' || kind === 'payee' ? items.map(({ key }) => key) : [],
  );
  // A search for a number is recorded even without a result; the number itself is not.
  if (persons.length > 0 || isSensitive(q))
    await audit(
      ctx.db,
      staff,
      'user.lookup',
      'user',
      { byPhone: isPhone(q), byAccount: isSensitive(q), found: persons },
      ip,
    );
  return {
    groups: found.flatMap(([kind, name, items]) => (items.length === 0 ? [] : [{ kind, name, items }])),
  };
}
