import { type RawBuilder, sql } from 'kysely';
import { type StaffPermission, staffCan } from '#contract/rules/staff.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { AppError } from '#server/kernel/errors.ts';

type Actor = Pick<SessionStaff, 'role' | 'distId'>;

/** Lets a member of staff through who has the power (contract/rules/staff.ts). Throws FORBIDDEN for everybody else. */
export function requirePermission(staff: Actor, permission: StaffPermission): void {
  // An operator without a distributor would see every site's rows.
  if (!staffCan(staff.role, permission) || (staff.role === 'operator' && staff.distId === null))
    throw new AppError('FORBIDDEN');
}

/** As `demand`, for what belongs to the platform as a whole: nobody who is bound to one distributor. Throws FORBIDDEN. */
export function requirePlatform(staff: Actor, permission: StaffPermission): void {
  requirePermission(staff, permission);
  if (staff.distId !== null) throw new AppError('FORBIDDEN');
}

/** Rows of one's own distributor, as a condition behind others; the platform's people have all, those for every site included. */
export const ownSite = (staff: Pick<Actor, 'distId'>, column: RawBuilder<unknown>): RawBuilder<unknown> =>
  staff.distId === null ? sql`` : sql`and ${column} = ${staff.distId}`;
