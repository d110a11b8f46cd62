import { type RawBuilder, sql } from 'kysely';
import { shippedRoles, type StaffPermission, staffCan } from '#subjects/back-office/rules/staff.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { AppError } from '#server/kernel/errors.ts';

type Actor = Pick<SessionStaff, 'role' | 'permissions' | 'distId'>;

/**
 * Requires no permission, for calls whose parts check their own permissions. Throws FORBIDDEN for an operator without a distributor, who
 * would see the rows of all sites.
 */
export function requireSite(staff: Pick<Actor, 'role' | 'distId'>): void {
  if (staff.role === 'operator' && staff.distId === null) throw new AppError('FORBIDDEN');
}

/** Requires a permission (subjects/back-office/rules/staff.ts). Throws FORBIDDEN. */
export function requirePermission(staff: Actor, permission: StaffPermission): void {
  requireSite(staff);
  if (!staffCan(staff, permission)) throw new AppError('FORBIDDEN');
}

/** As `requirePermission`, for actions on the platform as a whole: staff of one distributor are excluded. Throws FORBIDDEN. */
export function requirePlatform(staff: Actor, permission: StaffPermission): void {
  requirePermission(staff, permission);
  if (staff.distId !== null) throw new AppError('FORBIDDEN');
}

/**
 * SQL condition that limits rows to the staff member's distributor, to be appended to other conditions. Platform staff see all rows,
 * including those for every site.
 */
export const ownSite = (staff: Pick<Actor, 'distId'>, column: RawBuilder<unknown>): RawBuilder<unknown> =>
  staff.distId === null ? sql`` : sql`and ${column} = ${staff.distId}`;

/** SQL condition: the member of staff in the row `staff` (an alias of the table) has a permission, through the role or individually. */
export const staffHolds = (staff: RawBuilder<unknown>, permission: StaffPermission): RawBuilder<boolean> =>
  sql<boolean>`(${permission}::text = any(${staff}.permissions) or ${staff}.role in (select code from staff_role
    where coalesce(${permission}::text = any(staff_role.permissions), code = any(${shippedRoles(permission)}::text[]))))`;
