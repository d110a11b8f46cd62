import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { reviewLevelOf } from '#subjects/reviews/rules/review.ts';
import { type GoodsSeed, generateGoods } from '../../generate/goods.ts';
import { cumulative, mixSeed, normal, random, type Random, weighted, integer } from '../../generate/random.ts';
import { generateReview, type ReviewSeed } from '../../generate/reviews.ts';
import type { Market } from '../market.ts';
import type { Person } from '../people/people.ts';

/** Goods of finished trades come from their own range of the generator, so that those on sale can grow without meeting them. */
const TRADE_GOODS_FROM = 1_000_000_000;
const DAY = 1440;
const HISTORY = 90 * DAY;

export type TradeEnd =
  | 'unpaid'
  | 'paid'
  | 'shipped'
  | 'completed'
  | 'expired'
  | 'cancelledUnpaid'
  | 'cancelledPaid'
  | 'sellerCancelled'
  | 'staffClosed';

/** A dispute of an order on its way, in one of its states, or a claim on a completed one's cover. */
export type Trouble =
  | 'open'
  | 'answering'
  | 'evidence'
  | 'ruled'
  | 'appealed'
  | 'second'
  | 'part'
  | 'withdrawn'
  | 'chasing'
  | 'paid'
  | 'refused';

/** One trade: its parties, goods, time (minutes before now), end or progress, and reviews. */
export interface Trade {
  index: number;
  goods: GoodsSeed;
  seller: Person;
  buyer: Person;
  end: TradeEnd;
  /** Paid through the channel; otherwise from the buyer's balance. */
  byChannel: boolean;
  wantsEnsure: boolean;
  createdAgo: number;
  paidAgo: number;
  shippedAgo: number;
  endedAgo: number;
  /** Hand-over steps done so far. */
  stepsDone: number;
  buyerReview: ReviewSeed | null;
  sellerReview: ReviewSeed | null;
  trouble?: Trouble;
  /** The campaign of the coupon that paid a part of it. */
  coupon?: string;
}

/** Sellers by how much they sell: shops far ahead of people who sell their own account. */
function sellerSums(people: readonly Person[]): Float64Array {
  return cumulative(
    people.map((p) => {
      if (!p.verified || p.index === 0) return 0;
      if (p.index === 1) return 900;
      if (p.index === 5) return 500;
      return p.merchant ? 60 + Math.min(600, p.seed.saleCount) : p.index % 3 === 0 ? 6 : 0;
    }),
  );
}

/** Minutes before now at which a trade ended: the first of them today, the others over the last 90 days, more of them lately. */
function endedAgo(next: Random, index: number): number {
  if (index < 24) return integer(next, 4, 600);
  return Math.round(30 + HISTORY * next() ** 1.25);
}

function endOf(next: Random, index: number): TradeEnd {
  if (index < 24) return 'completed';
  const x = next();
  if (x < 0.92) return 'completed';
  if (x < 0.945) return 'expired';
  if (x < 0.965) return 'cancelledUnpaid';
  if (x < 0.98) return 'cancelledPaid';
  return x < 0.992 ? 'sellerCancelled' : 'staffClosed';
}

const lasting = (next: Random, minutes: number, spread: number): number =>
  Math.max(2, Math.round(minutes * Math.exp(spread * normal(next))));

/** Makes `count` finished trades of the last 90 days among `people`, oldest first. */
export function planTrades(market: Market, people: readonly Person[], count: number): Trade[] {
  const sums = sellerSums(people);
  const trades: Trade[] = [];
  for (let index = 0; index < count; index++) {
    const next = random(mixSeed(market.seed, index, 31));
    const seller = people[weighted(next, sums)];
    const buyer = people[integer(next, 6, people.length - 1)];
    if (!seller || !buyer || !buyer.verified || buyer.id === seller.id) continue;
    const goods = generateGoods({ seed: market.seed, index: TRADE_GOODS_FROM + index });
    const account = goods.goodsTypeId === OrderType.Account || goods.goodsTypeId === OrderType.Consigned;
    const end = endOf(next, index);
    const ended = endedAgo(next, index);
    const shippedAgo = ended + lasting(next, account ? 600 : 90, 0.9);
    const paidAgo = shippedAgo + lasting(next, account ? 110 : 24, 0.7);
    const review = (of: number, chance: number): ReviewSeed | null =>
      end === 'completed' && next() < chance ? generateReview({ seed: market.seed + of, index }) : null;
    trades.push({
      index,
      goods,
      seller,
      buyer,
      end,
      byChannel: next() < 0.62,
      wantsEnsure: goods.guaranteeOk && next() < 0.44,
      createdAgo: paidAgo + integer(next, 1, 14),
      paidAgo,
      shippedAgo,
      endedAgo: ended,
      stepsDone: Number.POSITIVE_INFINITY,
      buyerReview: review(0, 0.72),
      sellerReview: review(1, 0.3),
    });
  }
  return trades.sort((a, b) => b.createdAgo - a.createdAgo);
}

/** Counts a trade into what its seller sold and how that was rated. */
export function countIn({ end, seller, buyerReview }: Trade): void {
  if (end !== 'completed') return;
  seller.sold++;
  if (buyerReview) {
    seller.ratingSum += buyerReview.score;
    if (reviewLevelOf(buyerReview.score) === 'good') seller.ratingGood++;
    seller.ratingCount++;
  }
}
