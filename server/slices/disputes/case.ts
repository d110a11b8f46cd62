import { OrderStatus } from '#contract/rules/order-status.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { yuanText } from '#contract/wire.ts';
import { depositRoleNames, takePenalty } from '#server/slices/deposits/service.ts';
import { giveUpCovers } from '#server/slices/guarantees/service.ts';
import { carryOut, lockedOrder, type OrderTerms } from '#server/slices/orders/service.ts';
import { disputeById, type DisputeRow } from './queries.ts';
import { depositRoleOf } from './rules.ts';

/** Finds a case, locks its order and then itself, reads it again and works on it, in one transaction. Throws DISPUTE_NOT_FOUND. */
export async function onCase<T>(
  ctx: Context,
  find: (trx: Trx) => Promise<DisputeRow | undefined>,
  work: (trx: Trx, d: DisputeRow, order: OrderTerms) => Promise<T>,
): Promise<T> {
  return await inTransaction(ctx.db, async (trx) => {
    const found = await find(trx);
    if (!found) throw new AppError('DISPUTE_NOT_FOUND');
    const order = await lockedOrder(trx, found.orderId);
    await sql`select id from dispute where id = ${found.id} for update`.execute(trx);
    const d = await disputeById(trx, found.id);
    if (!d) throw new AppError('DISPUTE_NOT_FOUND');
    return await work(trx, d, order);
  });
}

/** Writes one line on the record. */
export async function tell(trx: Trx, d: { id: number }, kind: string, actor: string, explain: string): Promise<void> {
  await sql`insert into dispute_event (dispute_id, kind, actor, explain) values (${d.id}, ${kind}, ${actor}, ${explain})`.execute(
    trx,
  );
}

/** Tells other slices; the payload names the record and its order. */
export async function announce(trx: Trx, topic: string, d: { id: number; sn: string; orderId: number }): Promise<void> {
  await sql`insert into outbox (topic, payload) values (${topic}, ${JSON.stringify({ disputeId: d.id, disputeSn: d.sn, orderId: d.orderId })}::jsonb)`.execute(
    trx,
  );
}

/** Sets one of a dispute's clocks to so many seconds from now. */
export async function setTimer(trx: Trx, kind: string, disputeId: number, seconds: number): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) values (${kind}, ${String(disputeId)}, now() + make_interval(secs => ${seconds}))
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0`.execute(trx);
}

/** Stops the named clocks of a dispute, or all of them. */
export async function clearTimers(trx: Trx, disputeId: number, ...kinds: string[]): Promise<void> {
  await sql`delete from timer where ref = ${String(disputeId)} and kind = any(${kinds.length > 0 ? kinds : ['dispute.look', 'dispute.answer', 'dispute.rule', 'dispute.execute']})`.execute(
    trx,
  );
}

/**
 * Ends a case with what was decided: `backFen` of the goods' price to the buyer. Moves the money, lets the order go on or end, and
 * closes the record; once, because the record is locked and a closed one is refused. Throws DISPUTE_STATE.
 */
export async function conclude(
  ctx: Context,
  trx: Trx,
  d: DisputeRow,
  order: OrderTerms,
  decided: {
    outcome: 'settled' | 'ruled';
    backFen: number;
    actor: string;
    note: string;
    penalty?: { userId: number; fen: number } | undefined;
    /** The approval of a ruling's second person. */
    approvalId?: number | undefined;
  },
): Promise<void> {
  const { outcome, backFen, actor, note, approvalId } = decided;
  const done = await carryOut(ctx, trx, order, backFen, { actor, note, by: outcome, approvalId, stopped: d.stopped });
  const premiumFen =
    order.status === OrderStatus.Completed && backFen === order.goodsFen ? await giveUpCovers(trx, order) : 0;
  const { rows } = await sql`
    update dispute set status = 'closed', outcome = ${outcome}, closed_at = now(), back_fen = ${backFen}, refunded_fen = ${done.buyerFen + premiumFen},
      owed_fen = ${done.owedFen}, to_seller_fen = ${done.sellerFen} where id = ${d.id} and status <> 'closed' returning id`.execute(
    trx,
  );
  if (rows.length === 0) throw new AppError('DISPUTE_STATE');
  if (decided.penalty) await penalise(trx, d, order, decided.penalty, actor);
  await tell(trx, d, 'closed', actor, endText(done));
  await clearTimers(trx, d.id);
  await announce(trx, 'dispute.closed', d);
}

/** How a case ended, for both sides. */
function endText({ goesOn, owedFen }: { goesOn: boolean; owedFen: number }): string {
  if (goesOn) return '申诉结案，订单继续，计时恢复';
  if (owedFen === 0) return '申诉结案，款项已按结果处理';
  return `申诉结案，现有款项已按结果处理；其余 ${yuanText(owedFen)} 元记为欠款，从对方之后的收入中自动偿还`;
}

/** Rule of a deposit's penalty for the loser of a dispute. */
const PENALTY_RULE = '8.3';

/** Takes the loser's penalty, as far as the deposit goes, and says on the record what came of it. Once, because the case closes once. */
async function penalise(
  trx: Trx,
  d: DisputeRow,
  order: OrderTerms,
  { userId, fen }: { userId: number; fen: number },
  actor: string,
): Promise<void> {
  const role = depositRoleOf(order.typeId, userId === order.buyerId ? 'buyer' : 'seller');
  if (!role) return;
  const taken = await takePenalty(trx, {
    userId,
    role,
    distId: order.distId,
    amountFen: fen,
    ruleNo: PENALTY_RULE,
    reason: `申诉败诉，订单 ${order.sn}`,
    orderId: order.id,
    disputeId: d.id,
  });
  const what = taken === 0 ? '没有可扣的保证金' : `扣除 ${yuanText(taken)} 元，归入包赔基金`;
  await tell(trx, d, 'penalty', actor, `依据规则 ${PENALTY_RULE}，败诉方${depositRoleNames[role]}保证金：${what}`);
}
