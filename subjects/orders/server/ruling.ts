import { OrderStatus } from '../rules/order-status.ts';
import { sql } from 'kysely';
import { refundableFen, rulingOutcome, splitEscrow } from '#subjects/disputes/rules/ruling.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { cancel, schedule } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { account, resumeHold, stopHold, type Transfer } from '#subjects/ledger/server/service.ts';
import { termsForSystem } from './queries.ts';
import type { OrderTerms } from './rules.ts';
import { applyTransition } from './apply-transition.ts';
import { isReleaseBlocked, resumeAfterDispute } from './handover/steps-gate.ts';
import { resumeLateClock, startLateClocks } from './handover/late.ts';
import type { Resumed } from './handover/late-times.ts';
import { type Decider, divideHold } from './undo.ts';

/** The remaining time of each of an order's clocks when a dispute stopped them, in seconds. */
export interface Stopped {
  holdSeconds?: number;
  confirmSeconds?: number;
  shipSeconds?: number;
  /** Until the end of a late order that both parties were notified of. */
  lateSeconds?: number;
}

/** An order's terms with its row locked, so that no step, release or other dispute can intervene. */
export async function lockedOrder(trx: Trx, orderId: number): Promise<OrderTerms> {
  await sql`select id from orders where id = ${orderId} for update`.execute(trx);
  const order = await termsForSystem(trx, { id: orderId });
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  return order;
}

/**
 * Stops an order's timers and its hold, under its lock; `why` is the reason shown to the seller with the hold. Returns
 * the remaining times; null when a completed order's hold has ended, so that there is nothing to stop.
 */
export async function stopClocks(trx: Trx, order: OrderTerms, why: string): Promise<Stopped | null> {
  const ref = String(order.id);
  const { rows } = await sql<{ ship: number | null; confirm: number | null; late: number | null }>`
    select case when status = ${sql.lit(OrderStatus.Paid)} then greatest(0, extract(epoch from ship_by - now()))::int end as ship,
      case when status = ${sql.lit(OrderStatus.Paid)} and late_end_at is not null then greatest(0, extract(epoch from late_end_at - now()))::int end as late,
      case when status = ${sql.lit(OrderStatus.Shipped)} and auto_confirm_at is not null then greatest(0, extract(epoch from auto_confirm_at - now()))::int end as confirm from orders where id = ${order.id}`.execute(
    trx,
  );
  const held = await sql<{ id: number; left: number }>`
    select id, greatest(0, extract(epoch from release_at - now()))::int as left from hold
    where code = 'sale_protection' and ref = ${ref} and released_at is null for update`.execute(trx);
  const hold = held.rows[0];
  if (order.status === OrderStatus.Completed && !hold) return null;
  await cancel(trx, ['order.autoConfirm', 'order.late', 'hold.release'], order.id);
  if (hold) await stopHold(trx, hold.id, `订单 ${order.sn} ${why}`);
  const clocks = rows[0];
  return {
    ...(hold && { holdSeconds: hold.left }),
    ...(clocks && clocks.ship !== null && { shipSeconds: clocks.ship }),
    ...(clocks && clocks.late !== null && { lateSeconds: clocks.late }),
    ...(clocks && clocks.confirm !== null && { confirmSeconds: clocks.confirm }),
  };
}

/**
 * Continues an order's clocks with the remaining time. `isAnew`: a ruling lets the order continue, so a late order gets
 * its whole period again; a withdrawn case does not give it, since opening and withdrawing cases could then hold the
 * money without limit. `hasLastDay`: the order's own timer had opened the case, so at least a day remains and both
 * parties are notified again.
 */
export async function resumeClocks(
  trx: Trx,
  order: OrderTerms,
  stopped: Stopped,
  { isAnew = false, hasLastDay = false }: Resumed = {},
): Promise<void> {
  const { holdSeconds, confirmSeconds, shipSeconds, lateSeconds } = stopped;
  if (shipSeconds !== undefined && order.status === OrderStatus.Paid) {
    await sql`update orders set ship_by = now() + make_interval(secs => ${shipSeconds}) where id = ${order.id}`.execute(
      trx,
    );
    if (isAnew || lateSeconds === undefined) await startLateClocks(trx, [order.id]);
    else await resumeLateClock(trx, order, lateSeconds, hasLastDay);
  }
  if (confirmSeconds === undefined && order.status === OrderStatus.Shipped)
    await resumeAfterDispute(trx, order.id, { isAnew, hasLastDay });
  if (confirmSeconds !== undefined && order.status === OrderStatus.Shipped) {
    await sql`update orders set auto_confirm_at = now() + make_interval(secs => ${confirmSeconds}) where id = ${order.id}`.execute(
      trx,
    );
    await setTimer(trx, 'order.autoConfirm', order.id, confirmSeconds);
  }
  if (holdSeconds !== undefined && order.status === OrderStatus.Completed) {
    await resumeHold(trx, order.id, holdSeconds, `订单 ${order.sn} 处理已结束，保护期继续计时，到期自动解冻`);
    const { rows } = await sql<{ first: number | null }>`
      select max(s.before_end) as first from hold h join hold_stage s on s.hold_id = h.id and s.released_at is null
      where h.code = 'sale_protection' and h.ref = ${String(order.id)} and h.released_at is null`.execute(trx);
    await setTimer(trx, 'hold.release', order.id, Math.max(0, holdSeconds - (rows[0]?.first ?? 0)));
  }
}

async function setTimer(
  trx: Trx,
  kind: 'order.autoConfirm' | 'hold.release',
  orderId: number,
  seconds: number,
): Promise<void> {
  await schedule(trx, kind, orderId, { seconds });
}

/** The result of a ruling: amounts in fen, and whether the order continues in its state. */
export interface RulingResult {
  /** The amount that the buyer received immediately. */
  buyerFen: number;
  /** The amount still owed to the buyer (platform rule 6.3). */
  owedFen: number;
  sellerFen: number;
  continues: boolean;
}

/**
 * Carries out the ruling on a disputed order, under its lock: `backFen` of the goods' price goes back to the buyer.
 * Paid and shipped orders are closed, in part or in whole, and a shipped one with nothing back is completed; of a
 * completed one the seller's hold is divided; without a refund a paid one continues, and so does a shipped one while
 * required steps of the seller or of staff are open (docs/decisions/120). Throws ORDER_STATE when the hold has ended.
 */
export async function executeRuling(
  ctx: Context,
  trx: Trx,
  order: OrderTerms,
  backFen: number,
  why: Decider & { stopped: Stopped },
): Promise<RulingResult> {
  const outcome = rulingOutcome(order, order.status, backFen);
  if (order.status === OrderStatus.Completed) {
    if (backFen > 0) return { ...outcome, ...(await divideHold(trx, order, backFen, why)), continues: false };
    await resumeClocks(trx, order, why.stopped);
    return { ...outcome, owedFen: 0, continues: true };
  }
  // A ruling without a refund decides the claim, not the missing step: the seller's money still waits for that step.
  if (backFen === 0 && (order.status === OrderStatus.Paid || (await isReleaseBlocked(ctx, trx, order.id)))) {
    await resumeClocks(trx, order, why.stopped, { isAnew: true });
    return { buyerFen: 0, owedFen: 0, sellerFen: 0, continues: true };
  }
  if (backFen > refundableFen(order)) throw new AppError('ORDER_STATE');
  const split = splitEscrow(order, backFen);
  const step = { order, role: 'timer', actor: why.actor, note: why.note } as const;
  if (backFen === order.goodsFen) await applyTransition(ctx, trx, { ...step, name: 'ruleRefund' });
  else if (backFen === 0) await applyTransition(ctx, trx, { ...step, name: 'ruleComplete' });
  else
    await applyTransition(ctx, trx, {
      ...step,
      name: 'rulePart',
      extra: escrowLines(order, split),
      holdFen: split.sellerFen,
    });
  return { ...outcome, owedFen: 0, continues: false };
}

/**
 * Ends a service order that is not disputed, under its lock: `backFen` of the price goes back to the buyer, the rest is the seller's,
 * protected as after any sale. Returns the amounts for the buyer and the seller, in fen. Throws ORDER_STATE,
 * ORDER_DISPUTED.
 */
export async function endService(
  ctx: Context,
  trx: Trx,
  order: OrderTerms,
  backFen: number,
  why: { actor: string; note: string },
): Promise<{ buyerFen: number; sellerFen: number }> {
  if (order.disputed) throw new AppError('ORDER_DISPUTED');
  if (backFen > refundableFen(order)) throw new AppError('ORDER_STATE');
  const split = splitEscrow(order, backFen);
  const step = { order, role: 'service', ...why } as const;
  if (backFen === order.goodsFen) await applyTransition(ctx, trx, { ...step, name: 'splitRefund' });
  else
    await applyTransition(ctx, trx, {
      ...step,
      name: 'splitPart',
      extra: escrowLines(order, split),
      holdFen: split.sellerFen,
    });
  return { buyerFen: split.buyerFen, sellerFen: split.sellerFen };
}

/** Distributes the escrow of a partly refunded order to all recipients; shares are taken from the commission first. */
function escrowLines(o: OrderTerms, s: ReturnType<typeof splitEscrow>): Transfer[] {
  const transfer = (code: Transfer['code'], credit: string, fen: number): Transfer => ({
    code,
    ref: `order:${o.id}`,
    debit: account.escrow(o.id),
    credit,
    fen,
    dist: o.distId,
    order: o.id,
  });
  const fee = account.platform('fee', o.id);
  const shares = s.distFen + s.inviteFen;
  const fromCommission = Math.min(shares, s.commissionFen);
  const lines = [
    transfer('order_refund', account.available(o.buyerId), s.buyerFen),
    transfer('order_refund_coupon', account.platform('coupon_expense', o.id), s.couponFen),
    transfer('ruling_to_seller', account.frozen(o.sellerId), s.sellerFen),
    transfer('sale_commission', fee, s.commissionFen - fromCommission),
    transfer('service_fee', fee, s.serviceFen - (shares - fromCommission)),
    transfer('dist_share', account.distMaturing(o.distId), s.distFen),
    ...(o.inviterId === null ? [] : [transfer('invite_reward', account.maturing(o.inviterId), s.inviteFen)]),
  ];
  return lines.filter((t) => t.fen > 0);
}
