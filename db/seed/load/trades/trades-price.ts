import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { chinaClock } from '#contract/rules/time/china-time.ts';
import type { StageSetting } from '#subjects/deposits/server/service.ts';
import { type FeeSetting, type GuaranteeSetting, priceOf } from '#subjects/orders/server/placing/pricing.ts';
import type { OrderTerms } from '#subjects/orders/server/rules.ts';
import { mixSeed } from '../../generate/random.ts';
import { reserveIds } from '../bulk.ts';
import type { Trade } from './trades.ts';
import type { Market } from '../market.ts';
import { inviterOf, type Person } from '../people/people.ts';
import type { PricedTrade } from './priced-trade.ts';
import { couponOf } from '../money/promotions.ts';

export interface MarketSettings {
  fees: FeeSetting;
  guarantees: readonly GuaranteeSetting[];
  holdHours: readonly number[];
  holdStages: StageSetting;
  distShareBp: ReadonlyMap<number, number>;
}

/** Milestone values of an order without milestones. */
export const NO_SERVICE = {
  advanceFen: 0,
  advanceGoodsFen: 0,
  cutFen: 0,
  isService: false,
  isRecycledAccount: false,
  shut: false,
} as const;

/** Order number as the application makes it: the time in China and six digits. */
export function orderSnAt(at: Date, salt: number): string {
  const china = chinaClock(at).replace(/\D/g, '');
  return china.slice(2, 14) + String(mixSeed(salt, 61) % 1_000_000).padStart(6, '0');
}

/** Computes the prices and numbers of the trades; `orderIdOf` returns the ids of their orders. Adds the payments to the buyers' totals. */
export async function priceTrades(
  market: Market,
  trades: readonly Trade[],
  people: readonly Person[],
  settings: MarketSettings,
  orderIdOf: (index: number) => number,
): Promise<PricedTrade[]> {
  const goodsIds = await reserveIds(market.client, 'goods', trades.length);
  const ensure = settings.guarantees.find((g) => g.kind === 'fixEnsure');
  return trades.map((trade, i) => {
    const { goods, buyer, seller, end } = trade;
    const orderId = orderIdOf(i);
    const ensureId = trade.wantsEnsure && ensure ? ensure.id : 0;
    const inviter = inviterOf(people, buyer);
    const price = priceOf({
      unitFen: goods.priceFen,
      num: 1,
      fees: settings.fees,
      guarantees: settings.guarantees,
      ensureId: 0,
      fixEnsureId: ensureId,
      guaranteeOk: goods.guaranteeOk,
      coupon: trade.coupon === undefined ? null : couponOf(trade.coupon),
      distShareBp: buyer.distId === PLATFORM_DIST_ID ? 0 : (settings.distShareBp.get(buyer.distId) ?? 0),
      invited: inviter !== null && inviter !== seller.id,
    });
    const sn = orderSnAt(market.ago(trade.createdAgo), orderId);
    if (end === 'completed') buyer.paidTotalFen += price.totalFen;
    const terms: OrderTerms = {
      id: orderId,
      sn,
      distId: buyer.distId,
      typeId: goods.goodsTypeId,
      goodsId: goodsIds[i] ?? null,
      buyerId: buyer.id,
      sellerId: seller.id,
      staffId: null,
      status: OrderStatus.Unpaid,
      goodsFen: price.goodsFen,
      serviceFeeFen: price.serviceFeeFen,
      ensureFen: price.ensureFen,
      fixEnsureFen: price.fixEnsureFen,
      discountFen: price.discountFen,
      totalFen: price.totalFen,
      commissionFen: price.commissionFen,
      distShareFen: price.distShareFen,
      inviteRewardFen: price.inviteRewardFen,
      inviterId: price.inviteRewardFen > 0 ? inviter : null,
      touched: false,
      overdue: false,
      buyerOpened: false,
      delivered: false,
      disputed: false,
      cancelAsked: false,
      binding: false,
      shipSeconds: null,
      ...NO_SERVICE,
    };
    return { trade, orderId, goodsId: goodsIds[i] ?? 0, sn, price, terms, ensureId };
  });
}
