import { sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/staff.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { isStaffPermission, shippedPermissions, type StaffPermission } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { permissionsOf } from '#server/access/session.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { randomToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { lockStaff, type RoleRow, roleByCode } from './queries.ts';
import { FIXED_ROLES, notGivable, permissionText } from './rules.ts';

const newCode = (): string => `r${sha256(randomToken(16)).toString('hex').slice(0, 12)}`;

/** Rejects a name that another role of the site has. Throws ROLE_NAME_TAKEN. */
async function requireFreeName(trx: Trx, name: string, distId: number | null, code: string | undefined): Promise<void> {
  const { rows } = await sql`select from staff_role where name = ${name} and dist_id is not distinct from ${distId}
    and code is distinct from ${code ?? null}`.execute(trx);
  if (rows.length > 0) throw new AppError('ROLE_NAME_TAKEN', { field: 'name' });
}

/** A role that the caller may change: of the own site, without a permission that the caller lacks, and not the caller's own. */
async function editableRole(trx: Trx, { staff }: StaffCall, code: string): Promise<RoleRow> {
  const role = await roleByCode(trx, code);
  if (!role || (staff.distId !== null && role.distId !== staff.distId)) throw errorOf('NOT_FOUND', 'role');
  if (FIXED_ROLES.includes(code)) throw new AppError('FORBIDDEN', { text: '这个角色不能修改' });
  if (code === staff.role) throw new AppError('STAFF_SELF', { text: '不能修改自己的角色，请由另一位管理员操作' });
  if (notGivable(staff, permissionsOf(code, role.permissions, []))) throw new AppError('STAFF_MORE');
  return role;
}

/**
 * Creates a role, changes one, or restores the permissions of a shipped one; effective from the next request. Throws
 * FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND, STAFF_SELF, STAFF_MORE, ROLE_NAME_TAKEN.
 */
export async function saveRole(
  call: StaffCall,
  input: Parsed<typeof c.saveStaffRole>,
): Promise<HandlerResult<typeof c.saveStaffRole>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'staff.manage');
  requireFactor(call);
  const typed = input.permissions.filter(isStaffPermission);
  return await inTransaction(ctx.db, async (trx) => {
    await lockStaff(trx, staff);
    const { code } = input;
    const role = code === undefined ? undefined : await editableRole(trx, call, code);
    if (input.asShipped && !role?.isSystem) throw new AppError('BAD_INPUT', { text: '只有系统自带的角色可以恢复默认' });
    const permissions: StaffPermission[] = input.asShipped ? shippedPermissions(role?.code ?? '') : typed;
    if (notGivable(staff, permissions)) throw new AppError('STAFF_MORE', { field: 'permissions' });
    const distId = role ? role.distId : staff.distId;
    await requireFreeName(trx, input.name, distId, code);
    const after = permissionText(permissions);
    if (!role) {
      const created = newCode();
      await sql`insert into staff_role (code, name, permissions, site_only, dist_id)
        values (${created}, ${input.name}, ${permissions}::text[], ${input.siteOnly || distId !== null}, ${distId})`.execute(
        trx,
      );
      await audit(trx, staff, 'staff.roleAdd', `role:${created}`, { name: input.name, permissions: after }, ip);
      return { code: created };
    }
    await sql`update staff_role set name = ${input.name}, permissions = ${input.asShipped ? null : permissions}::text[], updated_at = now()
      where code = ${role.code}`.execute(trx);
    const before = permissionText(permissionsOf(role.code, role.permissions, []));
    await audit(
      trx,
      staff,
      'staff.roleEdit',
      `role:${role.code}`,
      { name: input.name, permissions: after, before },
      ip,
    );
    return { code: role.code };
  });
}

/**
 * Removes a custom role that is not assigned. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND, STAFF_MORE, ROLE_IN_USE.
 */
export async function removeRole(
  call: StaffCall,
  { code }: Parsed<typeof c.removeStaffRole>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'staff.manage');
  requireFactor(call);
  await inTransaction(ctx.db, async (trx) => {
    await lockStaff(trx, staff);
    const role = await editableRole(trx, call, code);
    if (role.isSystem) throw new AppError('FORBIDDEN', { text: '系统自带的角色不能删除' });
    const { rows } = await sql`delete from staff_role r where r.code = ${code}
      and not exists (select from staff s where s.role = r.code) returning r.code`.execute(trx);
    if (rows.length === 0) throw new AppError('ROLE_IN_USE');
    await audit(trx, staff, 'staff.roleRemove', `role:${code}`, { name: role.name }, ip);
  });
  return {};
}
