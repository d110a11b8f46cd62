import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { codes } from '#contract/codes.ts';
import { placeOrder, queryOrderList } from '#subjects/orders/contract/order.ts';
import { BUYS } from '#contract/rules/parties.ts';
import { call } from '#web/lib/api/api.ts';
import type { ApiFailure } from '#web/lib/api/api-failure.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { failureMessage, isError } from '#web/lib/api/call-errors.ts';
import type { QuoteInput } from './use-quote.ts';

/** Why an order was not placed, and the possible remedy. */
export interface OrderProblem {
  message: string;
  /** A link to the next step. */
  link?: { to: string; label: string };
  changed?: boolean;
}

/** The viewer's unpaid order for the same listing, offered to a user who returns from the payment page. */
async function unpaidFor(goodsSn: string): Promise<string | null> {
  try {
    const { orderList } = await call(
      queryOrderList,
      { status: OrderStatus.Unpaid, belong: BUYS, pageSize: 20 },
      { quiet: true },
    );
    return orderList.find((order) => order.goodsSn === goodsSn)?.orderSn ?? null;
  } catch {
    return null;
  }
}

/**
 * Places the order. The idempotency key is saved before the request and kept while the outcome is unknown, so that clicking again or
 * reloading never creates a second order.
 */
export function usePlaceOrder(base: string): {
  busy: boolean;
  problem: OrderProblem | null;
  submitOrder: (input: QuoteInput, displayed: { goodsVersion: number; totalPrice: string }) => Promise<void>;
} {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [problem, setProblem] = useState<OrderProblem | null>(null);

  const explain = async (failure: ApiFailure, goodsSn: string): Promise<OrderProblem> => {
    const message = failureMessage(failure);
    if (isError(failure, codes.REAL_NAME_REQUIRED))
      return { message, link: { to: verifyPath(base), label: '去实名认证' } };
    if (isError(failure, codes.ORDER_TOO_MANY_UNPAID))
      return { message, link: { to: '/center/buyGoodsOrder?status=0', label: '查看待付款订单' } };
    if (isError(failure, codes.GOODS_CHANGED, codes.GOODS_STOCK)) {
      await revalidate();
      return { message: '商品有变化，请按下面的新内容确认后再提交', changed: true };
    }
    if (isError(failure, codes.COUPON_UNUSABLE)) {
      // The coupon was used for another order meanwhile, in a second tab or on the phone.
      await revalidate();
      return { message: `${message}，金额已重新计算，请核对后再提交`, changed: true };
    }
    if (isError(failure, codes.PRICE_CHANGED)) return { message, changed: true };
    if (isError(failure, codes.GOODS_NOT_ON_SALE)) {
      const orderSn = await unpaidFor(goodsSn);
      if (orderSn)
        return { message: '您已下过这件商品的订单', link: { to: `${base}/pay?orderSn=${orderSn}`, label: '去付款' } };
      return { message, link: { to: '/wares', label: '看看其他商品' } };
    }
    return { message };
  };

  const { busy, send } = useMutation(placeOrder, {
    intent: ({ goodsSn }) => `placeOrder:${goodsSn}`,
    failed: async (failure, { goodsSn }) => {
      setProblem(await explain(failure, goodsSn));
      return {};
    },
    done: async ({ orderSn }) => {
      await navigate(`${base}/pay?orderSn=${orderSn}`, { replace: true });
    },
  });
  const submitOrder = async (input: QuoteInput, displayed: { goodsVersion: number; totalPrice: string }) => {
    const { goodsSn, goodsNum, ensureId, fixEnsureId, couponId, bargainId } = input;
    setProblem(null);
    await send({
      goodsSn,
      goodsNum,
      ensureId,
      fixEnsureId,
      goodsVersion: displayed.goodsVersion,
      shownPrice: displayed.totalPrice,
      ...(couponId > 0 && { couponId }),
      ...(bargainId > 0 && { bargainId }),
    });
  };
  return { busy, problem, submitOrder };
}

/**
 * The real-name verification page, with a return URL to this order; `query` contains the selected options of the
 * listing.
 */
export function verifyPath(base: string, query = ''): string {
  return `/center/myself/identityAuthentication?returnUrl=${encodeURIComponent(`${base}/order${query}`)}`;
}
