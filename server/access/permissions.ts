import { type RawBuilder, sql } from 'kysely';
import { type StaffPermission, staffCan } from '#contract/rules/staff.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { AppError } from '#server/kernel/errors.ts';

type Actor = Pick<SessionStaff, 'role' | 'distId'>;

/** Requires a permission (contract/rules/staff.ts). Throws FORBIDDEN. */
export function requirePermission(staff: Actor, permission: StaffPermission): void {
  // Without a distributor an operator would see the rows of all sites.
  if (!staffCan(staff.role, permission) || (staff.role === 'operator' && staff.distId === null))
    throw new AppError('FORBIDDEN');
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
