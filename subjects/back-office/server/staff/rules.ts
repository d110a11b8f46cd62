import { isBreachedPassword } from '#server/kernel/secrets/breached-passwords.ts';
import { AppError } from '#server/kernel/errors.ts';
import { staffPermissionNames, type StaffPermission } from '../../rules/staff.ts';

/** The role of administrators: it always has every permission that the program ships for it. */
export const ADMIN_ROLE = 'admin';
/** Roles whose permissions cannot be edited: administrators, and staff with individual permissions. */
export const FIXED_ROLES: readonly string[] = [ADMIN_ROLE, 'none'];

/** The subject of a rule: the acting or the other member of staff. */
export interface Holder {
  readonly id: number;
  readonly role: string;
  /** Null for staff of the platform. */
  readonly distId: number | null;
  readonly permissions: readonly StaffPermission[];
}

/**
 * Whether a member of staff may grant a permission: one that they have; administrators any, including those used only
 * by a site's staff.
 */
export const mayGive = (actor: Holder, permission: StaffPermission): boolean =>
  actor.role === ADMIN_ROLE || actor.permissions.includes(permission);

/** The first permission of a set that a member of staff may not grant. */
export const notGivable = (actor: Holder, permissions: readonly StaffPermission[]): StaffPermission | undefined =>
  permissions.find((permission) => !mayGive(actor, permission));

/** Whether a member of staff may manage another: platform staff may manage all, others those of their own site. */
export const reaches = (actor: Pick<Holder, 'distId'>, distId: number | null): boolean =>
  actor.distId === null || actor.distId === distId;

/**
 * Whether a member of staff may change a colleague: not themselves, within their scope, and no one with a permission
 * that they could not grant, since they would receive the one-time URL of a more powerful colleague.
 */
export const mayManage = (actor: Holder, target: Holder): boolean =>
  actor.id !== target.id &&
  reaches(actor, target.distId) &&
  (target.role !== ADMIN_ROLE || actor.role === ADMIN_ROLE) &&
  notGivable(actor, target.permissions) === undefined;

/** Permissions as text for the audit log. */
export const permissionText = (permissions: readonly StaffPermission[]): string =>
  permissions.map((permission) => staffPermissionNames[permission]).join('、') || '无';

/** Rejects a new password of staff that appears in published leaks. Throws PASSWORD_WEAK. */
export function rejectBreached(password: string): void {
  if (isBreachedPassword(password))
    throw new AppError('PASSWORD_WEAK', { text: '这个密码出现在已泄露的密码名单里，请换一个', field: 'newPassword' });
}
