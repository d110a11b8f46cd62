import type * as g from '#subjects/questions/contract/staff-reports.ts';
import type * as c from '#subjects/reviews/contract/staff-reviews.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { audit } from '#server/audit/audit.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { decideGoodsReports, goodsReportQueue } from '#subjects/questions/server/service.ts';
import { decideReports, reportQueue } from '#subjects/reviews/server/service.ts';

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

/** Reported listings, questions and answers; for staff of a distributor only those on their site. Throws FORBIDDEN. */
export async function listGoodsReports(
  call: StaffCall,
  input: Parsed<typeof g.staffGoodsReports>,
): Promise<HandlerResult<typeof g.staffGoodsReports>> {
  requirePermission(call.staff, 'review.read');
  return await goodsReportQueue(call.ctx, { ...input, distId: call.staff.distId });
}

/** Keeps or takes down reported content, with an audit entry. Throws FORBIDDEN, GOODS_REPORT_STATE, GOODS_STATE. */
export async function decideReportOfGoods(
  call: StaffCall,
  input: Parsed<typeof g.decideGoodsReport>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'review.decide');
  const action = input.act === 'hide' ? 'goodsReport.hide' : 'goodsReport.keep';
  await decideGoodsReports(
    ctx,
    {
      staffId: staff.id,
      distId: staff.distId,
      also: (trx, detail) => audit(trx, staff, action, `goods:${input.goodsSn}`, detail, ip),
    },
    input,
  );
  return {};
}
