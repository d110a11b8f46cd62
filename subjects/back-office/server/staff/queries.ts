import { sql } from 'kysely';
import { StaffStatus } from '#contract/rules/statuses.ts';
import { isStaffPermission, type StaffPermission } from '../../rules/staff.ts';
import { permissionsOf } from '#server/access/session.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { hasAdmin } from './create.ts';
import type { Holder } from './rules.ts';

export interface RoleRow {
  code: string;
  name: string;
  /** Null: as shipped with the program. */
  permissions: string[] | null;
  isSystem: boolean;
  siteOnly: boolean;
  distId: number | null;
}

/** A role by its code. */
export async function roleByCode(db: Trx, code: string): Promise<RoleRow | undefined> {
  const { rows } = await sql<RoleRow>`
    select code, name, permissions, is_system as "isSystem", site_only as "siteOnly", dist_id as "distId" from staff_role where code = ${code}`.execute(
    db,
  );
  return rows[0];
}

/** A member of staff for the rules, with the data for the forms. */
export interface StaffRow extends Holder {
  login: string;
  name: string;
  email: string | null;
  imUid: string;
  status: number;
  roleName: string;
  single: StaffPermission[];
  hasPassword: boolean;
  hasFactor: boolean;
}

interface Row extends Omit<StaffRow, 'permissions' | 'single'> {
  single: string[];
  rolePermissions: string[] | null;
}

/** A member of staff, locked until the end of the transaction; never the row of the admin command. */
export async function lockPerson(trx: Trx, id: number): Promise<StaffRow | undefined> {
  const { rows } = await sql<Row>`
    select s.id, s.login, s.name, s.email, s.im_uid as "imUid", s.status, s.role, s.dist_id as "distId", s.permissions as single, r.name as "roleName",
      r.permissions as "rolePermissions", s.password_hash is not null as "hasPassword", s.totp_secret_enc is not null as "hasFactor"
    from staff s join staff_role r on r.code = s.role where s.id = ${id} and s.status <> ${StaffStatus.System} for update of s`.execute(
    trx,
  );
  const row = rows[0];
  if (!row) return undefined;
  const { rolePermissions, single, ...rest } = row;
  return {
    ...rest,
    single: single.filter(isStaffPermission),
    permissions: permissionsOf(row.role, rolePermissions, single),
  };
}

/**
 * Serialises changes of staff and roles, and rejects an actor who was disabled meanwhile: when two administrators
 * disable each other at the same time, only one succeeds. Throws LOGIN_REQUIRED.
 */
export async function lockStaff(trx: Trx, actor: { id: number }): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('staff'))`.execute(trx);
  const { rows } = await sql`select from staff where id = ${actor.id} and status <> ${StaffStatus.Disabled}`.execute(
    trx,
  );
  if (rows.length === 0) throw new AppError('LOGIN_REQUIRED');
}

/** Requires that an administrator of the platform who can log in remains. Call after the change. Throws LAST_ADMIN. */
export async function requireAdminLeft(trx: Trx): Promise<void> {
  if (!(await hasAdmin(trx))) throw new AppError('LAST_ADMIN');
}
