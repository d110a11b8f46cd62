import type * as c from '#subjects/reviews/contract/staff-reviews.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { audit } from '#server/audit/audit.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { decideReports, reportQueue } from './report-queue.ts';

/** Reported reviews and replies; for staff of a distributor only those of that distributor. Throws FORBIDDEN. */
export async function listReviewReports(
  call: StaffCall,
  input: Parsed<typeof c.staffReviewReports>,
): Promise<HandlerResult<typeof c.staffReviewReports>> {
  requirePermission(call.staff, 'review.read');
  return await reportQueue(call.ctx, { ...input, distId: call.staff.distId });
}

/** Keeps or hides a reported text, with an audit entry. Throws FORBIDDEN, REVIEW_NOT_FOUND, REVIEW_STATE. */
export async function decideReview(
  call: StaffCall,
  input: Parsed<typeof c.decideReviewReport>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'review.decide');
  const action = input.act === 'hide' ? 'review.hide' : 'review.keep';
  await decideReports(
    ctx,
    {
      staffId: staff.id,
      distId: staff.distId,
      also: (trx, detail) => audit(trx, staff, action, `review:${input.reviewId}`, detail, ip),
    },
    input,
  );
  return {};
}
