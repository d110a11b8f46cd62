import { AuthStatus } from '#contract/rules/statuses.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { distEnsureList } from '#contract/dist.ts';
import { goodsInfo } from '#contract/goods.ts';
import { findDiscount } from '#contract/goods-front.ts';
import { queryOrderList, quoteOrder } from '#contract/order.ts';
import { BUYS } from '#contract/rules/parties.ts';
import { notFound } from '#web/lib/not-found.ts';
import { market, marketContext, optional } from '#web/lib/context.ts';
import { attempt } from '#web/lib/attempt.ts';

/** A whole number from the URL, or the fallback. */
function numberOf(text: string | null, fallback: number): number {
  return text && /^\d{1,6}$/.test(text) ? Number(text) : fallback;
}

/** Status of a listing that can be ordered (domain.md 4: on sale). */
const ON_SALE = 2;

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
  const { gameId, goodsTypeId } = goods;
  const isOnSale = goods.status === ON_SALE;
  const [ensures, unpaid, quote, discounts] = await Promise.all([
    goods.ensureOpen ? optional(call(distEnsureList, { gameId, goodsTypeId })) : null,
    isOnSale ? null : optional(call(queryOrderList, { status: 0, belong: BUYS, pageSize: 20 })),
    attempt(args.context.get(marketContext).call(quoteOrder, { goodsSn, ...choice })),
    isOnSale ? optional(call(findDiscount, { goodsSn, ...choice })) : null,
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
      protectHours: goods.protectHours,
      sellerName: goods.seller.nickName,
    },
    isOnSale,
    /** A user who returns from the payment page finds the unpaid order that reserves the listing. */
    unpaidSn: unpaid?.orderList.find((order) => order.goodsSn === goodsSn)?.orderSn ?? null,
    ensures: ensures?.list ?? [],
    choice,
    quote,
    discounts,
    isVerified: user?.authStatus === AuthStatus.Verified,
    isAdult: user?.isAdult ?? false,
  };
}

export type ConfirmData = Awaited<ReturnType<typeof loader>>;
