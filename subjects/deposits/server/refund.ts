import { DepositEntryKind } from '#subjects/deposits/rules/entry-kind.ts';
import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { paidByRole } from './queries.ts';

/** The public rule by which a seller's deposit pays for a refund to the buyer. */
const RULE = '6.3';

/**
 * Takes up to `amountFen` of a seller's deposits for the refund of an order, the seller role first, including deposits under release; once
 * for each order. Writes deposit entries only: the caller posts `ruling_from_deposit` for the returned fen in the same transaction.
 */
export async function takeForRefund(
  trx: Trx,
  { order, amountFen }: { order: { id: number; sn: string; sellerId: number }; amountFen: number },
): Promise<number> {
  await sql`select from app_user where id = ${order.sellerId} for no key update`.execute(trx);
  const paid = [...(await paidByRole(trx, order.sellerId))].toSorted(
    ([a], [b]) => Number(b === 'seller') - Number(a === 'seller'),
  );
  let left = amountFen;
  for (const [role, fen] of paid) {
    const part = Math.min(fen, left);
    if (part <= 0) continue;
    await sql`insert into deposit_entry (user_id, role, kind, amount_fen, ref, reason, rule_no, order_id)
      values (${order.sellerId}, ${role}, ${sql.lit(DepositEntryKind.Penalty)}, ${part}, ${`refund:${order.id}:${role}`}, ${`订单 ${order.sn} 退款`}, ${RULE}, ${order.id})`.execute(
      trx,
    );
    left -= part;
  }
  const takenFen = amountFen - left;
  if (takenFen > 0) {
    const text = `订单 ${order.sn} 的退款从保证金中扣除 ${yuanLabel(takenFen)} 元（规则 ${RULE}）。`;
    const notice = { kind: 'money.deposit', userId: order.sellerId, ref: `refund:${order.id}`, values: { text } };
    await emit(trx, 'notice', notice);
  }
  return takenFen;
}
