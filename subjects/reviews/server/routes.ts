import { orderEval } from '#subjects/reviews/contract/order-review.ts';
import * as c from '#subjects/reviews/contract/review.ts';
import type { Binding } from '#server/binding.ts';
import { publicReviews, reviewsOfOrder } from './reads.ts';
import { recountReviews } from './score.ts';
import { bindReviewReports } from './staff/routes.ts';
import { replyToReview, rateOrder, reportReview } from './write.ts';

/** Calls and effects of reviews; an order's reviews are checked again when the trade is undone. */
export function bindReviews(binding: Binding): void {
  const { server, effects } = binding;
  bindReviewReports(binding);
  server.serve(orderEval, async (call, input) => {
    await rateOrder(call, input);
    return {};
  });
  server.serve(c.sellerReviews, publicReviews);
  server.serve(c.orderReviews, reviewsOfOrder);
  server.serve(c.replyReview, async (call, input) => {
    await replyToReview(call, input);
    return {};
  });
  server.serve(c.reportReview, async (call, input) => {
    await reportReview(call, input);
    return {};
  });
  for (const topic of ['order.ruled', 'dispute.closed', 'claim.paid', 'hold.released'] as const)
    effects.on(topic, (ctx, { orderId }) => recountReviews(ctx, orderId));
}
