import type { staffBoostingDeposits } from '#subjects/services/contract/staff-boosting.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { type DepositDecision, DEPOSITS, lockedDeposits, storeDeposits } from '../boosting/deposits.ts';
import {
  approveRequest,
  openDraft,
  rejectRequest,
  secondPersonFen,
  storeRequest,
  withdrawRequest,
} from '#server/staff/approvals.ts';

/**
 * Decides who gets the deposits if the ruling on the open dispute ends the order. It applies only to that dispute: if
 * it is settled or withdrawn, both deposits are returned. Above the limit of one person it applies once a colleague has
 * decided the same; a different decision by the first person or a colleague replaces the pending one (decisions 307,
 * 321). Throws FORBIDDEN, FACTOR_REQUIRED, ORDER_NOT_FOUND, ORDER_STATE, SECOND_PERSON.
 */
export async function decideDeposits(
  call: StaffCall,
  input: DepositDecision,
): Promise<HandlerResult<typeof staffBoostingDeposits>> {
  const { staff, ip } = call;
  requirePermission(staff, 'dispute.rule');
  requireFactor(call);
  const { safety, efficiency, reason } = input;
  return await inTransaction(call.ctx.db, async (trx) => {
    const deposits = await lockedDeposits(call, trx, input.orderSn);
    const { order, heldFen } = deposits;
    if (heldFen > secondPersonFen(call)) {
      // The case is the target, so a decision for an earlier case of this order does not apply to it.
      const target = `dispute:${deposits.disputeSn}` as const;
      const payload = { safety, efficiency };
      const request = { act: DEPOSITS, target, amountFen: heldFen, reason, distId: order.distId, payload } as const;
      const draft = await openDraft<typeof payload>(trx, DEPOSITS, target);
      const isSame = draft?.payload.safety === safety && draft.payload.efficiency === efficiency;
      if (!isSame) {
        const isMine = draft?.requestedBy === staff.id;
        if (draft) await (isMine ? withdrawRequest : rejectRequest)(trx, call, { ...request, draftId: draft.id });
        await storeRequest(trx, call, request);
        return { waits: true };
      }
      // Throws SECOND_PERSON for the author of the pending decision.
      await approveRequest(trx, call, { ...request, draftId: draft.id });
    }
    await storeDeposits(trx, deposits, { safety, efficiency, reason }, staff.id);
    await audit(trx, staff, DEPOSITS, `order:${order.sn}`, { safety, efficiency, reason }, ip);
    return { waits: false };
  });
}
