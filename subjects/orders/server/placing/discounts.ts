import { isPrivateGoods } from '#contract/rules/statuses.ts';
import type { findDiscount } from '#subjects/orders/contract/discount.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { Call } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  couponBarred,
  couponDiscount,
  type CouponKind,
  couponKindNames,
  campaignsFor,
  usableCoupons,
} from '#subjects/promotions/server/service.ts';
import { guaranteesOf } from '#subjects/games/server/service.ts';
import { type Price, priceOf } from './pricing.ts';
import { agreedBargain, goodsForDisplay } from '../queries.ts';

type Offer = HandlerResult<typeof findDiscount>['list'][number];

/** Maximum number of campaigns listed with the own coupons: more would be advertising. */
const CAMPAIGNS = 10;

interface Terms {
  code: string;
  name: string;
  kind: CouponKind;
  amountFen: number;
  minimumFen: number;
}

/**
 * The discounts available for an order before it is placed: the caller's coupons, and campaigns that still issue some,
 * best first. Throws GOODS_NOT_FOUND, BAD_INPUT for an unknown guarantee.
 */
export async function discountsFor(
  call: Call,
  input: Parsed<typeof findDiscount>,
): Promise<HandlerResult<typeof findDiscount>> {
  const { ctx, dist } = call;
  const userId = call.caller.user?.id ?? null;
  const goods = await goodsForDisplay(ctx, input.goodsSn);
  if (!goods || (dist.games && !dist.games.includes(goods.gameId))) throw new AppError('GOODS_NOT_FOUND');
  if (isPrivateGoods(goods.status) && goods.sellerId !== userId) throw new AppError('GOODS_NOT_FOUND');
  const agreed =
    userId !== null && input.bargainId ? await agreedBargain(ctx.db, userId, goods.id, input.bargainId) : undefined;
  const price = priceOf({
    unitFen: Math.min(agreed ?? goods.priceFen, goods.priceFen),
    num: input.goodsNum,
    fees: ctx.dir.setting('fees'),
    guarantees: guaranteesOf(ctx, goods.gameId),
    ensureId: input.ensureId ?? 0,
    fixEnsureId: input.fixEnsureId ?? 0,
    guaranteeOk: goods.guaranteeOk,
    coupon: null,
    distShareBp: 0,
    markUpBp: dist.markUpBp,
    invited: false,
  });
  return await discountsOff(call, price, goods.sellerId);
}

/** The same for a known price, of goods or of a deal. */
export async function discountsOff(
  { ctx, dist, caller }: Call,
  price: Price,
  sellerId: number,
): Promise<HandlerResult<typeof findDiscount>> {
  const userId = caller.user?.id ?? null;
  const base = { ...price, guaranteeFen: price.ensureFen + price.fixEnsureFen };
  const [own, campaigns, barred] = await Promise.all([
    userId === null ? [] : usableCoupons(ctx.db, userId, dist.id),
    campaignsFor(ctx, dist.id, userId),
    userId === null || userId === sellerId ? null : couponBarred(ctx.db, userId, sellerId),
  ]);
  const offer = (terms: Terms, rest: { couponId: number | null; expireTime: Date | null }): Offer & { fen: number } => {
    const { fen, reason } = barred === null ? couponDiscount(terms, base) : { fen: 0, reason: barred };
    return {
      ...rest,
      fen,
      code: terms.code,
      name: terms.name,
      kind: terms.kind,
      kindName: couponKindNames[terms.kind],
      amount: terms.amountFen,
      minimum: terms.minimumFen,
      takes: fen,
      usable: reason === null,
      reason,
      received: rest.couponId !== null,
    };
  };
  const bestFirst = (list: readonly (Offer & { fen: number })[]) => list.toSorted((a, b) => b.fen - a.fen);
  const mine = bestFirst(own.map((c) => offer(c, { couponId: c.id, expireTime: c.expiresAt })));
  const free = campaigns.filter((k) => k.left > 0 && !k.received).slice(0, CAMPAIGNS);
  const best = mine.find(({ usable }) => usable);
  return {
    allInPrice: price.totalFen,
    bestPrice: price.totalFen - (best?.fen ?? 0),
    bestCouponId: best?.couponId ?? null,
    list: [...mine, ...bestFirst(free.map((k) => offer(k, { couponId: null, expireTime: null })))],
  };
}
