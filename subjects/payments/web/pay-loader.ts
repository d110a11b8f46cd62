import { OrderStatus, isPaidFor } from '#subjects/orders/rules/order-status.ts';
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { orderDetail, queryOrderList } from '#subjects/orders/contract/order.ts';
import { middlemanInfo } from '#subjects/middleman/contract/middleman.ts';
import { payMethodShow } from '#subjects/payments/contract/pay.ts';
import { BUYS } from '#contract/rules/parties.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { type LoadContext, market } from '#web/lib/pages/context.ts';

/** The order of the URL: by number, else the viewer's unpaid order for the listing. */
async function loadOrderSn(call: LoadContext['call'], url: URL, goodsSn: string | undefined): Promise<string> {
  const orderSnParam = url.searchParams.get('orderSn');
  if (orderSnParam) return orderSnParam;
  const { orderList } = await call(queryOrderList, { status: OrderStatus.Unpaid, belong: BUYS, pageSize: 20 });
  return orderList.find((order) => order.goodsSn === goodsSn)?.orderSn ?? notFound('没有待付款的订单');
}

/** An unpaid order with its payment methods; a paid one redirects, a closed one is explained on the page. */
export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const orderSn = await loadOrderSn(call, args.url, args.params.sn);
  const [order, methods] = await Promise.all([call(orderDetail, { orderSn }), call(payMethodShow, {})]);
  const base = args.url.pathname.replace(/\/pay(\.data)?\/?$/, '');
  const paid = isPaidFor(order.status);
  if (paid && order.viewer === 'buyer') return redirect(`${base}/success?orderSn=${orderSn}`);
  if (order.viewer !== 'buyer') return notFound('订单不存在');
  // Without the warning the order can still be paid.
  const deal =
    order.orderTypeId === OrderType.Middleman && order.goodsSn
      ? await call(middlemanInfo, { dealSn: order.goodsSn }).catch(() => null)
      : null;
  return {
    now: new Date().toISOString(),
    base,
    order: {
      id: order.id,
      orderSn,
      status: order.status,
      statusName: order.statusName,
      totalPrice: order.totalPrice,
      bigTitle: order.bigTitle,
      gameName: order.gameName,
      orderTypeId: order.orderTypeId,
      orderTypeName: order.orderTypeName,
      thumbnail: order.thumbnail,
      goodsSn: order.goodsSn,
      lines: order.lines,
      payExpireTime: order.payExpireTime,
    },
    coin: user?.coin ?? '0.00',
    /** A purchase from the same seller that may be of the same thing; private deals only. */
    already: deal?.alreadyPaid
      ? { paid: deal.alreadyPaid, seller: (deal.openerBelong === BUYS ? deal.partnerName : deal.openerName) ?? '' }
      : null,
    hasPayPassword: user?.isPayPassWord ?? false,
    methods: methods.list,
  };
}

export type PayData = Exclude<Awaited<ReturnType<typeof loader>>, Response>;
