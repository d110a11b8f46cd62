import { AppError } from '#server/kernel/errors.ts';
import type { StaffCall } from './call.ts';

const MINUTE_MS = 60_000;

/** When the second factor given at `at` expires. */
export const stepUpEnd = (ctx: StaffCall['ctx'], at: Date): Date =>
  new Date(at.getTime() + ctx.dir.setting('staffSession').stepUpMinutes * MINUTE_MS);

/**
 * Requires that the second factor was given again in this session within the last minutes: for decisions that pay money out or change
 * what colleagues may do. The log-in itself does not count. Throws FACTOR_REQUIRED, the page then asks for the factor and repeats the call.
 */
export function requireFactor({ ctx, staff }: Pick<StaffCall, 'ctx' | 'staff'>): void {
  const at = staff.factorVerifiedAt;
  if (at === null || stepUpEnd(ctx, at).getTime() <= Date.now()) throw new AppError('FACTOR_REQUIRED');
}
