import type * as g from '#subjects/questions/contract/staff-reports.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { audit } from '#server/audit/audit.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { decideGoodsReports, goodsReportQueue } from './report-queue.ts';

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
