import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** Why money may leave the guarantee fund: two members of staff, named by an approval, or a claim's deadline under the limit. */
export type FundReason = { approvalId: number } | { claimId: number };

/**
 * Writes down why a posting may take money from the guarantee fund, before it is posted; the database refuses such a posting without it, and
 * checks the reason when the transaction ends: the approval is allowed by then, the deadline is over (domain.md 3, decision 142).
 */
export async function authoriseFund(
  trx: Trx,
  posting: { code: 'ruling_from_fund' | 'claim_paid'; ref: string; fen: number },
  why: FundReason,
): Promise<void> {
  const [approval, claim] = 'approvalId' in why ? [why.approvalId, null] : [null, why.claimId];
  await sql`insert into fund_release (code, ref, amount_fen, approval_id, claim_id)
    values (${posting.code}, ${posting.ref}, ${posting.fen}, ${approval}, ${claim}) on conflict do nothing`.execute(
    trx,
  );
}
