/**
 * Disputes (`d`) and claims (`c`) pending for staff, for their lists and for the menu counts, which must agree
 * (decision 621).
 */
import { type RawBuilder, sql } from 'kysely';
import type { SecondPersonAction } from '#server/staff/approvals.ts';

const isPending = (action: SecondPersonAction, target: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select from approval a where a.act = ${action} and a.target = ${target} and a.status = 'waiting' and a.expires_at > now())`;

/** A ruling waits for a second person. */
export const DISPUTE_PENDING = isPending('dispute.rule', sql`'dispute:' || d.sn`);
/** To be decided by the first person. */
export const DISPUTE_TODO = sql`d.status in ('open', 'answering', 'evidence', 'appealed') and not ${DISPUTE_PENDING}`;

/** Not decided yet. */
export const CLAIM_OPEN = sql`c.status in ('checking', 'chasing', 'escalated')`;
/** A decision waits for a second person. */
export const CLAIM_PENDING = isPending('claim.pay', sql`'claim:' || c.sn`);
/** To be decided by the first person. */
export const CLAIM_TODO = sql`${CLAIM_OPEN} and not ${CLAIM_PENDING}`;
