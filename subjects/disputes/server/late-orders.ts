/** The clock of paid orders that are not shipped in time (decision 440). When no rule can decide fairly, it opens a case. */
import { refundableFen } from '../rules/ruling.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { lockedOrder, triageLate } from '#subjects/orders/server/service.ts';
import { openCaseFor } from './open.ts';
import { LATE_REASON } from './rules.ts';

/** When no case can be opened now, the order is checked again after this time. */
const RECHECK_SECONDS = 6 * 3600;

/** One run of the clock of an order. */
export async function lateDue(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    if ((await triageLate(ctx, trx, order)) === null) return;
    const opened = await openCaseFor(ctx, trx, order, {
      actor: 'timer',
      party: 'buyer',
      reason: LATE_REASON,
      wantFen: refundableFen(order),
      text: '交付没有按时完成，双方都没有操作。请客服核对已完成的步骤后裁决',
      explain: '交付没有按时完成，转客服裁决',
    });
    if (!opened) await schedule(trx, 'order.late', orderId, { seconds: RECHECK_SECONDS });
  });
}
