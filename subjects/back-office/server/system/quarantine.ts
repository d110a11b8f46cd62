import type * as c from '#subjects/back-office/contract/quarantine.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import {
  heldBack,
  heldMoney,
  openQuarantine,
  pastQuarantines,
  releaseQuarantine as release,
} from '#server/backup/quarantine.ts';
import { AppError } from '#server/kernel/errors.ts';

/** For the banner, which all staff see. Throws FORBIDDEN for an operator without a distributor. */
export async function quarantineBanner({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof c.quarantineBanner>> {
  if (staff.role === 'operator' && staff.distId === null) throw new AppError('FORBIDDEN');
  return { restoredTo: (await openQuarantine(ctx.db))?.restoredTo ?? null };
}

/** The blocked jobs and events, and earlier quarantines. Throws FORBIDDEN for staff bound to a distributor. */
export async function quarantineState({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof c.quarantineState>> {
  requirePlatform(staff, 'job.read');
  const [current, past] = await Promise.all([openQuarantine(ctx.db), pastQuarantines(ctx.db)]);
  if (!current) return { current: null, past };
  const [{ jobs, events }, { withdrawals, refunds }] = await Promise.all([heldBack(ctx.db), heldMoney(ctx.db)]);
  const due = ({ count, fen }: { count: number; fen: number }) => ({ count, amount: fen });
  return { current: { ...current, jobs, events, withdrawals: due(withdrawals), refunds: due(refunds) }, past };
}

/** Ends the quarantine, once: withdrawals are paid immediately. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND when there is no quarantine. */
export async function releaseQuarantine(
  call: StaffCall,
  { reason }: Parsed<typeof c.releaseQuarantine>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'quarantine.release');
  requireFactor(call);
  await release(ctx, { staff, reason, ip });
  return {};
}
