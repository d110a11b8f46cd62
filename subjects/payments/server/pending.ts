import { sql } from 'kysely';
import { PAYOUT_SINCE, PENDING_PAYOUT, PENDING_REFUND } from '#server/access/pending-transfers.ts';
import type { Trx } from '#server/db/client.ts';
import { endRefund } from './refunds.ts';

/** A refund or payout without a result after this time is shown to finance. */
const OVERDUE_SECONDS = 3600;

/** A state of a refund that only finance can end: the channel took our money, and the bank did not accept it. */
const NEEDS_FINANCE = 'ABNORMAL';

/** SQL: finance should look at refund `r`, or payout `w`. */
export const REFUND_OVERDUE = sql`${PENDING_REFUND} and (r.created_at < now() - make_interval(secs => ${OVERDUE_SECONDS}) or r.channel_reason = ${NEEDS_FINANCE})`;
export const PAYOUT_OVERDUE = sql`${PENDING_PAYOUT} and ${PAYOUT_SINCE} < now() - make_interval(secs => ${OVERDUE_SECONDS})`;

/** Locks an overdue refund that is still open; false when it has ended or is not overdue. */
export async function lockOpenRefund(trx: Trx, refundNo: string): Promise<boolean> {
  const { rows } = await sql`
    select from refund r where r.refund_no = ${refundNo} and ${REFUND_OVERDUE} for update`.execute(trx);
  return rows.length > 0;
}

/**
 * Ends an overdue refund by what the channel's merchant centre shows: the money reached the buyer, or it returned to us and is credited to
 * the buyer's balance. Returns false when it has ended, is not overdue, or is being sent or queried.
 */
export async function closeRefundByHand(trx: Trx, refundNo: string, outcome: 'buyer' | 'us'): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select r.id from refund r where r.refund_no = ${refundNo} and ${REFUND_OVERDUE}
      and (r.leased_until is null or r.leased_until < now()) for update`.execute(trx);
  const row = rows[0];
  if (!row) return false;
  await endRefund(trx, row.id, outcome === 'buyer');
  return true;
}
