import { sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/staff.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { StaffStatus } from '#contract/rules/statuses.ts';
import { isStaffPermission, staffCan, staffPermissionNames, type StaffPermission, NO_SITE } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { permissionsOf } from '#server/access/session.ts';
import { loadCount, likePattern, pageOf } from '#server/staff/paging.ts';
import { ADMIN_ROLE, FIXED_ROLES, type Holder, mayGive, mayManage, notGivable } from './rules.ts';

interface Row {
  id: number;
  login: string;
  name: string;
  role: string;
  role_name: string;
  role_permissions: string[] | null;
  permissions: string[];
  dist_id: number | null;
  dist_name: string | null;
  email: string | null;
  status: number;
  has_password: boolean;
  has_factor: boolean;
  passkeys: number;
  recovery_by: string | null;
  invite_ends: Date | null;
  sessions: number;
  last_seen: Date | null;
  created_at: Date;
}

type Person = HandlerResult<typeof c.staffPeople>['list'][number];

const SET_UP = sql`s.password_hash is not null and s.totp_secret_enc is not null`;
const STATES = {
  active: sql`s.status = ${StaffStatus.Active} and ${SET_UP}`,
  invited: sql`s.status = ${StaffStatus.Active} and not (${SET_UP})`,
  disabled: sql`s.status = ${StaffStatus.Disabled}`,
} as const;

function personOf({ staff }: StaffCall, row: Row): Person {
  const target: Holder = {
    id: row.id,
    role: row.role,
    distId: row.dist_id,
    permissions: permissionsOf(row.role, row.role_permissions, row.permissions),
  };
  return {
    staffId: row.id,
    login: row.login,
    name: row.name,
    role: row.role,
    roleName: row.role_name,
    permissions: row.permissions.filter(isStaffPermission),
    distId: row.dist_id,
    distName: row.dist_name,
    email: row.email ?? '',
    state: row.status === StaffStatus.Disabled ? 'disabled' : row.has_password && row.has_factor ? 'active' : 'invited',
    hasPassword: row.has_password,
    hasFactor: row.has_factor,
    passkeys: row.passkeys,
    recoveryBy: row.recovery_by,
    inviteEnds: row.invite_ends,
    sessions: row.sessions,
    lastSeenTime: row.last_seen,
    createTime: row.created_at,
    isSelf: row.id === staff.id,
    canManage: staffCan(staff, 'staff.manage') && mayManage(staff, target),
  };
}

/** Members of staff of the own site. Throws FORBIDDEN. */
export async function listStaff(
  call: StaffCall,
  input: Parsed<typeof c.staffPeople>,
): Promise<HandlerResult<typeof c.staffPeople>> {
  requirePermission(call.staff, 'staff.read');
  const { db } = call.ctx;
  const page = pageOf(input, sql`s.id`, 'asc');
  const like = input.keyWord === undefined ? undefined : likePattern(input.keyWord);
  const filter = sql`s.status <> ${StaffStatus.System} ${ownSite(call.staff, sql`s.dist_id`)}
    ${input.state === undefined ? sql`` : sql`and ${STATES[input.state]}`}
    ${like === undefined ? sql`` : sql`and (s.login ilike ${like} or s.name ilike ${like})`}
    ${input.distId === undefined ? sql`` : input.distId === NO_SITE ? sql`and s.dist_id is null` : sql`and s.dist_id = ${input.distId}`}`;
  const { rows } = await sql<Row>`
    select s.id, s.login, s.name, s.role, r.name as role_name, r.permissions as role_permissions, s.permissions, s.dist_id, d.name as dist_name,
      s.email, s.status, s.password_hash is not null as has_password, s.totp_secret_enc is not null as has_factor,
      (select count(*)::int from staff_passkey k where k.staff_id = s.id) as passkeys,
      (select f.name from approval a join staff f on f.id = a.asked_by where a.act = 'staff.recover' and a.target = 'staff:' || s.id
        and a.status = 'waiting' and a.expires_at > now()) as recovery_by,
      (select i.expires_at from staff_invite i where i.staff_id = s.id and i.used_at is null and i.expires_at > now()) as invite_ends,
      (select count(*)::int from session e where e.staff_id = s.id and e.expires_at > now()) as sessions,
      greatest((select max(e.last_seen_at) from session e where e.staff_id = s.id),
        (select max(b.last_at) from staff_browser b where b.staff_id = s.id)) as last_seen, s.created_at
    from staff s join staff_role r on r.code = s.role left join distributor d on d.id = s.dist_id
    where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const part = page.cut(rows);
  return {
    list: part.rows.map((row) => personOf(call, row)),
    ...(await loadCount(db, sql`staff s where ${filter}`)),
    next: part.next,
  };
}

/** Shipped roles in the order of the list. */
const ROLE_ORDER = ['admin', 'service', 'reviewer', 'finance', 'content', 'operator', 'none'];

interface RoleItemRow {
  code: string;
  name: string;
  permissions: string[] | null;
  is_system: boolean;
  site_only: boolean;
  dist_id: number | null;
  members: number;
}

/** Roles, permissions and sites for the caller's forms. Throws FORBIDDEN. */
export async function loadOptions(call: StaffCall): Promise<HandlerResult<typeof c.staffOptions>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'staff.read');
  const own = staff.distId === null ? sql`` : sql`and (r.dist_id is null or r.dist_id = ${staff.distId})`;
  const { rows } = await sql<RoleItemRow>`
    select r.code, r.name, r.permissions, r.is_system, r.site_only, r.dist_id,
      (select count(*)::int from staff s where s.role = r.code and s.status <> ${StaffStatus.System}
        and (${staff.distId}::int is null or s.dist_id = ${staff.distId})) as members
    from staff_role r where true ${own} order by not r.is_system, array_position(${ROLE_ORDER}::text[], r.code), r.name`.execute(
    ctx.db,
  );
  const canManage = staffCan(staff, 'staff.manage');
  return {
    roles: rows.map((row) => {
      const permissions = permissionsOf(row.code, row.permissions, []);
      const canGive =
        notGivable(staff, permissions) === undefined && (row.code !== ADMIN_ROLE || staff.role === ADMIN_ROLE);
      return {
        code: row.code,
        name: row.name,
        permissions,
        isSystem: row.is_system,
        isEdited: row.is_system && row.permissions !== null && !FIXED_ROLES.includes(row.code),
        siteOnly: row.site_only,
        distId: row.dist_id,
        members: row.members,
        canGive,
        canEdit:
          canManage &&
          canGive &&
          !FIXED_ROLES.includes(row.code) &&
          row.code !== staff.role &&
          (staff.distId === null || row.dist_id === staff.distId),
      };
    }),
    permissions: (Object.entries(staffPermissionNames) as [StaffPermission, string][]).map(([code, name]) => ({
      code,
      name,
      group: groupOf(code),
      canGive: mayGive(staff, code),
    })),
    sites: ctx.dir
      .all()
      .filter(({ id }) => staff.distId === null || id === staff.distId)
      .map(({ id, name }) => ({ distId: id, name })),
    canManage,
    isPlatform: staff.distId === null,
  };
}

/** Headings of the permissions, by the first part of their codes; others are listed under 其他. */
const GROUPS: Readonly<Record<string, string>> = {
  goods: '商品与入驻',
  provider: '商品与入驻',
  stock: '商品与入驻',
  inspection: '商品与入驻',
  order: '订单与客服',
  chat: '订单与客服',
  dispute: '订单与客服',
  claim: '订单与客服',
  withdrawal: '资金',
  payout: '资金',
  ledger: '资金',
  reconcile: '资金',
  money: '资金',
  hold: '资金',
  topup: '资金',
  commission: '资金',
  coupon: '资金',
  user: '用户与信任',
  trust: '用户与信任',
  review: '用户与信任',
  number: '用户与信任',
  content: '内容与品牌',
  brand: '内容与品牌',
  game: '内容与品牌',
  text: '内容与品牌',
  audit: '系统',
  job: '系统',
  staff: '系统',
  setup: '系统',
  setting: '系统',
  quarantine: '系统',
  vendor: '系统',
};

const groupOf = (code: string): string => GROUPS[code.split('.')[0] ?? ''] ?? '其他';
