/** Decides the recipients of a boosting order's deposits if the ruling of its open dispute ends it (decisions 288 and 307). */
import { sql } from 'kysely';
import type { staffBoostingDeposits } from '#subjects/services/contract/staff-boosting.ts';
import type { Parsed } from '#contract/endpoint.ts';
import { isInProgress } from '#subjects/orders/rules/order-status.ts';
import type { StaffCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { addProcess, lockedOrder, type OrderTerms } from '#subjects/orders/server/service.ts';
import { loadService } from '../queries.ts';
import { idFor, loadOpenDispute } from './find.ts';

/** The action of a decision that a second person must approve. */
export const DEPOSITS = 'boosting.deposits';
export type DepositDecision = Parsed<typeof staffBoostingDeposits>;

/** The deposits of an order whose dispute is not ruled on yet; both locked. */
export interface OpenDeposits {
  order: OrderTerms;
  disputeId: number;
  disputeSn: string;
  /** Both together, in fen. */
  heldFen: number;
}

/** Locks the deposits of a decision. Throws ORDER_NOT_FOUND, ORDER_STATE. */
export async function lockedDeposits(call: StaffCall, trx: Trx, orderSn: string): Promise<OpenDeposits> {
  const orderId = await idFor(call, orderSn);
  const order = await lockedOrder(trx, orderId);
  const service = await loadService(trx, orderId, true);
  const dispute = await loadOpenDispute(trx, orderId);
  if (!service || !dispute || !isInProgress(order.status)) throw errorOf('ORDER_STATE', 'depositWithoutDispute');
  if (dispute.status === 'ruled') throw errorOf('ORDER_STATE', 'depositRuled');
  return { order, disputeId: dispute.id, disputeSn: dispute.sn, heldFen: service.safetyFen + service.efficiencyFen };
}

/** Stores a decision, which takes effect when the dispute's ruling ends the order. The caller holds the locks. */
export async function storeDeposits(
  trx: Trx,
  { order, disputeId }: OpenDeposits,
  { safety, efficiency, reason }: Omit<DepositDecision, 'orderSn'>,
  staffId: number,
): Promise<void> {
  await sql`update service_order set ruled_dispute_id = ${disputeId}, ruled_safety_to_buyer = ${safety === 'buyer'},
      ruled_efficiency_to_buyer = ${efficiency === 'buyer'} where order_id = ${order.id}`.execute(trx);
  const who = { buyer: '归买家', booster: '退回打手' } as const;
  await addProcess(
    trx,
    order,
    `客服裁定：若裁决结束订单，安全保证金${who[safety]}，效率保证金${who[efficiency]}。${reason}`,
    `staff:${staffId}`,
  );
}

/** Each party's amount by the decision on a dispute if its ruling ends the order, in fen; zero for other orders. */
export async function decidedDeposits(db: Trx, disputeId: number): Promise<{ buyerFen: number; boosterFen: number }> {
  const { rows } = await sql<{ buyerFen: number; boosterFen: number }>`
    select case when ruled_safety_to_buyer then safety_fen else 0 end + case when ruled_efficiency_to_buyer then efficiency_fen else 0 end as "buyerFen",
      case when ruled_safety_to_buyer then 0 else safety_fen end + case when ruled_efficiency_to_buyer then 0 else efficiency_fen end as "boosterFen"
    from service_order where ruled_dispute_id = ${disputeId}`.execute(db);
  return rows[0] ?? { buyerFen: 0, boosterFen: 0 };
}
