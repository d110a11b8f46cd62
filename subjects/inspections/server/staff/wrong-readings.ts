import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/inspections/contract/inspection.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { claimStates, type ClaimState } from '../rules.ts';
import { endClaim, lockedClaim } from '../wrong.ts';
import { pictureViews } from '../view.ts';
import { approveRequest, openDraft, rejectRequest, storeRequest } from '#server/staff/approvals.ts';

const WRONG = 'inspection.wrong';
const targetOf = (claimId: number) => `inspection:claim${claimId}` as const;

type List = HandlerResult<typeof c.staffWrongReadings>;

interface Row
  extends Omit<List['list'][number], 'statusName' | 'mayDecide' | 'draft' | 'proof' | 'pictures' | 'status'> {
  status: ClaimState;
  inspectorId: number | null;
  proof: string[];
  pictures: string[];
  draftId: number | null;
  requestedBy: number | null;
  askedName: string | null;
  askedReason: string | null;
}

const PAGE = 20;

/** Claims about wrong readings, with the reading and its proof: open ones first, then newest first. Throws FORBIDDEN. */
export async function listWrong(call: StaffCall, input: Parsed<typeof c.staffWrongReadings>): Promise<List> {
  const { ctx, staff } = call;
  requirePlatform(staff, 'inspection.read');
  const limit = input.pageSize ?? PAGE;
  const offset = ((input.pages ?? 1) - 1) * limit;
  const { rows } = await sql<Row>`
    select k.id as "claimId", o.sn as "orderSn", o.snapshot->>'title' as title, o.goods_fen as price, k.label, k.reading, coalesce(r.said, '') as said,
      k.found, t.pictures as proof, k.pictures, s.name as inspector, t.staff_id as "inspectorId", k.amount_fen as amount, k.status, k.note,
      k.created_at as "createTime", a.id as "draftId", a.asked_by as "requestedBy", f.name as "askedName", a.reason as "askedReason"
    from inspection_claim k join orders o on o.id = k.order_id join inspection_task t on t.id = k.task_id join staff s on s.id = t.staff_id
      left join inspection_reading r on r.task_id = k.task_id and r.field = k.field
      left join approval a on a.act = ${WRONG} and a.target = 'inspection:claim' || k.id and a.status = 'waiting' and a.expires_at > now()
      left join staff f on f.id = a.asked_by
    order by k.status <> 'open', k.id desc limit ${limit + 1} offset ${offset}`.execute(ctx.db);
  const page = rows.slice(0, limit);
  return {
    list: page.map(({ inspectorId, draftId, requestedBy, askedName, askedReason, ...r }) => ({
      ...r,
      proof: pictureViews(r.proof),
      pictures: pictureViews(r.pictures),
      statusName: claimStates[r.status],
      mayDecide: inspectorId !== staff.id,
      draft:
        draftId === null
          ? null
          : { draftId, by: askedName ?? '', reason: askedReason ?? '', isMine: requestedBy === staff.id },
    })),
    total: offset + page.length,
    totalCapped: rows.length > limit,
    next: null,
  };
}

/** The inspector of the account must not judge the reading. Throws ORDER_FORBIDDEN. */
function requireStranger(staffId: number, claim: { inspectorId: number | null }): void {
  if (claim.inspectorId === staffId) throw new AppError('ORDER_FORBIDDEN', { text: '您是验号人，请交给同事处理' });
}

/**
 * Rejects a claim on a reading with the reason, or proposes to pay it. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND,
 * ORDER_STATE, ORDER_FORBIDDEN for the inspector, SECOND_PERSON when a colleague's proposal is open.
 */
export async function decideWrong(
  call: StaffCall,
  { claimId, pay, note }: Parsed<typeof c.staffWrongDecide>,
): Promise<HandlerResult<typeof c.staffWrongDecide>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'inspection.pay');
  requireFactor(call);
  return await inTransaction(ctx.db, async (trx) => {
    const claim = await lockedClaim(trx, claimId);
    requireStranger(staff.id, claim);
    if (claim.status !== 'open') throw errorOf('ORDER_STATE', 'inspectionClaimDecided');
    const target = targetOf(claim.id);
    if (await openDraft(trx, WRONG, target)) throw new AppError('SECOND_PERSON', { text: '已有处理等待同事复核' });
    if (!pay) {
      await endClaim(trx, claim, { staffId: staff.id, note, approvalId: null });
      await audit(trx, staff, 'inspection.wrongNo', target, { note }, ip);
      return { waits: false };
    }
    if (!claim.isSound) throw errorOf('ORDER_STATE', 'inspectionClaimOverruled');
    await storeRequest(trx, call, {
      act: WRONG,
      target,
      amountFen: claim.amountFen,
      reason: note,
      distId: claim.distId,
    });
    return { waits: true };
  });
}

/** The second person has the fund pay, or rejects the proposal. Throws like `decideWrong`. */
export async function secondOnWrong(
  call: StaffCall,
  { claimId, draftId, allow, note }: Parsed<typeof c.staffWrongSecond>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'inspection.pay');
  requireFactor(call);
  await inTransaction(ctx.db, async (trx) => {
    const claim = await lockedClaim(trx, claimId);
    requireStranger(staff.id, claim);
    const target = targetOf(claim.id);
    const draft = await openDraft(trx, WRONG, target);
    if (!draft || draft.id !== draftId || draft.requestedBy === staff.id) throw new AppError('SECOND_PERSON');
    const reason = note ?? (allow ? '同意' : '退回修改');
    if (!allow) return await rejectRequest(trx, call, { act: WRONG, target, reason, draftId });
    const { amountFen, distId } = claim;
    await approveRequest(trx, call, { act: WRONG, target, amountFen, reason, draftId, distId });
    await endClaim(trx, claim, { staffId: staff.id, note: draft.reason, approvalId: draft.id });
    await audit(trx, staff, WRONG, target, { amountFen, author: draft.requestedBy }, ip);
  });
  return {};
}
