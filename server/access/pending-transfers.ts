/** Refunds and payouts waiting for the result of their channel: their own subject completes them, and the metrics show their age. */
import { sql } from 'kysely';
import { BANK_LIST } from '#subjects/payments/rules/payout-methods.ts';
import { RefundStatus, WithdrawalStatus } from '#contract/rules/statuses.ts';
import type { Trx } from '#server/db/client.ts';

/** SQL: refunds `r` without a final result from the channel. */
export const PENDING_REFUND = sql`r.status = ${RefundStatus.Pending}`;
/** SQL: payouts `w` without a final result from a channel. Payouts by a bank list have their own page, and a payee has a day to accept in WeChat. */
export const PENDING_PAYOUT = sql`w.status = ${WithdrawalStatus.Paying} and w.channel <> ${BANK_LIST} and w.accept_token is null`;
/** SQL: since when payout `w` has been waiting. */
export const PAYOUT_SINCE = sql`coalesce(w.sent_at, w.decided_at, w.created_at)`;

/** How long the oldest refund and the oldest payout have been waiting for a result, in seconds; 0 for none. */
export async function pendingAges(db: Trx): Promise<{ refund: number; payout: number }> {
  const { rows } = await sql<{ refund: number; payout: number }>`
    select coalesce((select extract(epoch from now() - min(r.created_at)) from refund r where ${PENDING_REFUND}), 0)::float8 as refund,
      coalesce((select extract(epoch from now() - min(${PAYOUT_SINCE})) from withdrawal w where ${PENDING_PAYOUT}), 0)::float8 as payout`.execute(
    db,
  );
  return rows[0] ?? { refund: 0, payout: 0 };
}
