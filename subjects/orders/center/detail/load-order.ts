import type { LoaderFunctionArgs } from 'react-router';
import { recycleInfo } from '#subjects/recycling/contract/account-recycling.ts';
import { orderDetail } from '#subjects/orders/contract/order.ts';
import { refundInfo } from '#subjects/payments/contract/pay.ts';
import { orderReviews } from '#subjects/reviews/contract/review.ts';
import { isEnded } from '../../rules/order-status.ts';
import { isService, RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import { serviceOrder } from '#subjects/services/contract/services.ts';
import { market, optional } from '#web/lib/pages/context.ts';

/**
 * The data of the order page, for each route that renders it; parts other than the order are null after a failure.
 * Throws a Response when the order is not the caller's.
 */
export async function loadOrder(args: LoaderFunctionArgs, orderSn: string) {
  const { call } = market(args);
  const order = await call(orderDetail, { orderSn });
  const hasEnded = isEnded(order.status);
  // A paid order's buyer chooses where a refund would go.
  const hasRefund = order.payTime !== null || order.money.late !== '0.00';
  // Only the seller decides on the result of a recycled account's inspection.
  const isInspected =
    order.tradedTypeId === RECYCLED_ACCOUNT &&
    order.viewer === 'seller' &&
    !hasEnded &&
    order.handover.every(({ state }) => state === 'done');
  const [refund, reviews, service, recycle] = await Promise.all([
    order.viewer === 'buyer' && hasRefund ? optional(call(refundInfo, { orderSn })) : null,
    hasEnded ? optional(call(orderReviews, { orderSn })) : null,
    isService(order.tradedTypeId) && order.payTime ? optional(call(serviceOrder, { orderSn })) : null,
    isInspected && order.goodsSn ? optional(call(recycleInfo, { requestSn: order.goodsSn })) : null,
  ]);
  return { order, service, recycle, refund, reviews, now: new Date().toISOString() };
}

/** The data of the order pages, as `loadOrder` returns it. */
export type OrderPageData = Awaited<ReturnType<typeof loadOrder>>;
