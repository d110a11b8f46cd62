import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { isNewSeller } from '#subjects/goods/rules/new-seller.ts';
import { isService } from '../rules/order-types.ts';
import { AuthStatus, GoodsStatus } from '#contract/rules/statuses.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { distEnsureList } from '#subjects/orders/contract/site-figures.ts';
import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { findDiscount } from '#subjects/orders/contract/discount.ts';
import { queryOrderList, quoteOrder } from '#subjects/orders/contract/order.ts';
import { serviceOffer } from '#subjects/services/contract/services.ts';
import { BUYS } from '#contract/rules/parties.ts';
import { bestCoupon } from './parts/money/use-discounts.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { market, marketContext, optional } from '#web/lib/pages/context.ts';
import { attempt } from '#web/lib/api/attempt.ts';

/** A whole number from the URL, or the fallback. */
function numberOf(text: string | null, fallback: number): number {
  return text && /^\d{1,6}$/.test(text) ? Number(text) : fallback;
}

/** The listing, the available guarantees, and the quote for the quantity and guarantees in the URL. */
export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const query = args.url.searchParams;
  const goodsSn = args.params.sn ?? query.get('goodsSn');
  if (!goodsSn) return notFound('请先选择商品');
  const goods = await call(goodsInfo, { goodsSn });
  const choice = {
    goodsNum: Math.max(1, numberOf(query.get('goodsNum'), 1)),
    ensureId: numberOf(query.get('ensureId'), 0),
    fixEnsureId: numberOf(query.get('fixEnsureId'), 0),
    /** The agreed price used by the order; 0 = the asking price. */
    bargainId: /^\d{1,15}$/.test(query.get('bargainId') ?? '') ? Number(query.get('bargainId')) : 0,
  };
  /** The chosen hour of a companion, and the order whose play this one prolongs. */
  const start = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(query.get('start') ?? '') ? query.get('start') : null;
  const prolongs = /^\d{1,15}$/.test(query.get('prolongs') ?? '') ? query.get('prolongs') : null;
  const { gameId, goodsTypeId } = goods;
  const isOnSale = goods.status === GoodsStatus.OnSale;
  const isServiceOrder = isService(goodsTypeId);
  const listed = isOnSale && !isServiceOrder ? optional(call(findDiscount, { goodsSn, ...choice })) : null;
  const isGuaranteed = choice.ensureId > 0 || choice.fixEnsureId > 0;
  // The quote contains the coupon that the page preselects.
  const quoted = async () => {
    const couponId = bestCoupon((await listed)?.list ?? [], isGuaranteed);
    return await attempt(
      args.context.get(marketContext).call(quoteOrder, { goodsSn, ...choice, ...(couponId > 0 && { couponId }) }),
    );
  };
  const [ensures, unpaid, quote, discounts, service] = await Promise.all([
    goods.ensureOpen ? optional(call(distEnsureList, { gameId, goodsTypeId })) : null,
    isOnSale ? null : optional(call(queryOrderList, { status: OrderStatus.Unpaid, belong: BUYS, pageSize: 20 })),
    quoted(),
    listed,
    isServiceOrder ? optional(call(serviceOffer, { goodsSn, num: choice.goodsNum })) : null,
  ]);
  return {
    goods: {
      goodsSn: goods.goodsSn,
      goodsTypeId,
      goodsTypeStr: goods.goodsTypeStr,
      gameName: goods.gameName,
      crossName: goods.crossName,
      bigTitle: goods.bigTitle,
      price: goods.price,
      stock: goods.stock,
      thumbnail: goods.thumbnail,
      pageUrl: goods.pageUrl,
      chips: goods.chips,
      attrs: goods.attrs.map(({ label, value }) => ({ label, value })),
      shipHours: goods.shipHours,
      payMinutes: goods.payMinutes,
      protection: goods.protection,
      sellerName: goods.seller.nickName,
      /** Warnings for buyers before they pay: a new seller, an uninspected account. */
      isNewSeller: isNewSeller(goods.seller.soldNum),
      isUninspected: accountTypes.includes(goodsTypeId) && goods.inspectedTime === null,
    },
    isOnSale,
    /** A user who returns from the payment page finds the unpaid order that reserves the listing. */
    unpaidSn: unpaid?.orderList.find((order) => order.goodsSn === goodsSn)?.orderSn ?? null,
    ensures: ensures?.list ?? [],
    choice,
    start,
    prolongs,
    quote,
    discounts,
    service,
    isVerified: user?.authStatus === AuthStatus.Verified,
    isAdult: user?.isAdult ?? false,
  };
}

export type ConfirmData = Awaited<ReturnType<typeof loader>>;
