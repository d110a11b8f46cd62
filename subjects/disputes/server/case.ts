import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { yuanLabel } from '#contract/wire.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import type { Topic } from '#server/jobs/topics.ts';
import { depositRoleNames, takePenalty } from '#subjects/deposits/server/service.ts';
import { voidCovers } from '#subjects/guarantees/server/service.ts';
import { executeRuling, lockedOrder, type OrderTerms } from '#subjects/orders/server/service.ts';
import { disputeById, type DisputeRow } from './queries.ts';
import { depositRoleOf } from './rules.ts';

/** Finds a case, locks its order and then the case, reads it again and runs `work` on it, in one transaction. Throws DISPUTE_NOT_FOUND. */
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

/** Adds one entry to the case's timeline (`dispute_event`). */
export async function addEvent(
  trx: Trx,
  d: { id: number },
  kind: string,
  actor: string,
  explain: string,
): Promise<void> {
  await sql`insert into dispute_event (dispute_id, kind, actor, explain) values (${d.id}, ${kind}, ${actor}, ${explain})`.execute(
    trx,
  );
}

type DisputeTopic = Extract<Topic, `dispute.${string}`>;

/** Publishes an event about a case; the payload names the case and its order. */
export async function announce(
  trx: Trx,
  topic: DisputeTopic,
  d: { id: number; sn: string; orderId: number },
): Promise<void> {
  await emit(trx, topic, { disputeId: d.id, disputeSn: d.sn, orderId: d.orderId });
}

const CLOCKS = ['dispute.look', 'dispute.answer', 'dispute.rule', 'dispute.execute'] as const;
type Clock = (typeof CLOCKS)[number];

/** Sets one of a dispute's timers to `seconds` from now. */
export async function setTimer(trx: Trx, kind: Clock, disputeId: number, seconds: number): Promise<void> {
  await schedule(trx, kind, disputeId, { seconds });
}

/** Deletes the named timers of a dispute; all of them when none is named. */
export async function clearTimers(trx: Trx, disputeId: number, ...kinds: Clock[]): Promise<void> {
  await cancel(trx, kinds.length > 0 ? kinds : CLOCKS, disputeId);
}

/**
 * Closes a case with its outcome: `backFen` of the goods' price goes to the buyer. Moves the money, continues or ends the order, and
 * closes the case. Happens once: the case is locked, and closing a closed case throws DISPUTE_STATE.
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
  const done = await executeRuling(ctx, trx, order, backFen, {
    actor,
    note,
    by: outcome,
    approvalId,
    stopped: d.stopped,
  });
  const premiumFen =
    order.status === OrderStatus.Completed && backFen === order.goodsFen ? await voidCovers(trx, order) : 0;
  const { rows } = await sql`
    update dispute set status = 'closed', outcome = ${outcome}, closed_at = now(), back_fen = ${backFen}, refunded_fen = ${done.buyerFen + premiumFen},
      owed_fen = ${done.owedFen}, to_seller_fen = ${done.sellerFen} where id = ${d.id} and status <> 'closed' returning id`.execute(
    trx,
  );
  if (rows.length === 0) throw new AppError('DISPUTE_STATE');
  if (decided.penalty) await penalise(trx, d, order, decided.penalty, actor);
  await addEvent(trx, d, 'closed', actor, endText(done));
  await clearTimers(trx, d.id);
  await announce(trx, 'dispute.closed', d);
}

/** The outcome of a case, as both parties read it. */
function endText({ continues, owedFen }: { continues: boolean; owedFen: number }): string {
  if (continues) return '申诉结案，订单继续，计时恢复';
  if (owedFen === 0) return '申诉结案，款项已按结果处理';
  return `申诉结案，现有款项已按结果处理；其余 ${yuanLabel(owedFen)} 元记为欠款，从对方之后的收入中自动偿还`;
}

/** The public rule under which the loser of a dispute pays a penalty from the deposit. */
const PENALTY_RULE = '8.3';

/** Deducts the loser's penalty, at most the balance of the deposit, and records the amount. Happens once, because a case closes once. */
async function penalise(
  trx: Trx,
  d: DisputeRow,
  order: OrderTerms,
  { userId, fen }: { userId: number; fen: number },
  actor: string,
): Promise<void> {
  const role = depositRoleOf(order.typeId, userId === order.buyerId ? 'buyer' : 'seller');
  if (!role) return;
  const takenFen = await takePenalty(trx, {
    userId,
    role,
    distId: order.distId,
    amountFen: fen,
    ruleNo: PENALTY_RULE,
    reason: `申诉败诉，订单 ${order.sn}`,
    orderId: order.id,
    disputeId: d.id,
  });
  const what = takenFen === 0 ? '没有可扣的保证金' : `扣除 ${yuanLabel(takenFen)} 元，归入包赔基金`;
  await addEvent(trx, d, 'penalty', actor, `依据规则 ${PENALTY_RULE}，败诉方${depositRoleNames[role]}保证金：${what}`);
}
