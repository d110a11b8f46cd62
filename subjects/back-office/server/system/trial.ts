import type { trialMessages } from '#subjects/back-office/contract/trial.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { AppError } from '#server/kernel/errors.ts';
import { codesSent, noticesSent } from './self-check.ts';

/**
 * The codes and notices of a trial, only for administrators of the platform: a code allows acting as any user. Throws
 * NOT_FOUND outside a trial, FORBIDDEN.
 */
export function trialMessagesOf({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof trialMessages>> {
  requirePlatform(staff, 'vendor.try');
  if (!ctx.config.trial) throw new AppError('NOT_FOUND');
  return Promise.resolve({
    marketName: ctx.dir.platform().name,
    codes: codesSent(ctx),
    notices: noticesSent(ctx),
  });
}
