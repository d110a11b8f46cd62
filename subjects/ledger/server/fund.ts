import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** Why money may leave the guarantee fund: an approval by two members of staff, or the deadline of a claim below the limit. */
export type FundReason = { approvalId: number } | { claimId: number };

/**
 * Records why a posting may take money from the guarantee fund, before it is posted. The database rejects such a posting without it and
 * checks the reason at the end of the transaction: the approval must be granted, or the deadline passed (domain.md 3, decision 142).
 */
export async function authoriseFund(
  trx: Trx,
  posting: {
    code: 'ruling_from_fund' | 'claim_paid' | 'inspection_repaid' | 'inspection_wrong';
    ref: string;
    fen: number;
  },
  why: FundReason,
): Promise<void> {
  const [approval, claim] = 'approvalId' in why ? [why.approvalId, null] : [null, why.claimId];
  await sql`insert into fund_release (code, ref, amount_fen, approval_id, claim_id)
    values (${posting.code}, ${posting.ref}, ${posting.fen}, ${approval}, ${claim}) on conflict do nothing`.execute(
    trx,
  );
}
