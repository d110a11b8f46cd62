import { sql } from 'kysely';
import { reviewLevelOf } from '../rules/review.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { addRating } from '#subjects/accounts/server/service.ts';
import type { Exclusion } from './rules.ts';

/** Brings a buyer's review into its seller's score (`by` 1) or takes it out (-1). Under the review's lock. */
export async function addToScore(trx: Trx, sellerId: number, score: number, by: 1 | -1): Promise<void> {
  const good = reviewLevelOf(score) === 'good' ? by : 0;
  await addRating(trx, sellerId, { sum: score * by, count: by, good });
}

interface Row {
  id: number;
  belong: number;
  targetId: number;
  score: number;
  was: Exclusion | null;
  now: Exclusion | null;
  isHidden: boolean;
}

/**
 * Looks again whether an order's reviews count: trades are undone and accounts turn out to be linked after the review was written. A change
 * moves the seller's score with it, in one transaction.
 */
export async function recountReviews(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<Row>`
      select id, belong, target_id as "targetId", score, excluded as was, review_exclusion(order_id) as now, hidden_at is not null as "isHidden"
      from order_review where order_id = ${orderId} order by id for update`.execute(trx);
    for (const r of rows) {
      if (r.was === r.now) continue;
      await sql`update order_review set excluded = ${r.now} where id = ${r.id}`.execute(trx);
      const visibilityChanged = (r.was === null) !== (r.now === null);
      if (r.belong === 1 && !r.isHidden && visibilityChanged)
        await addToScore(trx, r.targetId, r.score, r.now === null ? 1 : -1);
    }
  });
}
