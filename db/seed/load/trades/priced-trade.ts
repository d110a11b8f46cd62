import type { Price } from '#subjects/orders/server/placing/pricing.ts';
import type { OrderTerms } from '#subjects/orders/server/rules.ts';
import type { Trade } from './trades.ts';

/** A trade with its order: number, price and the terms that the steps' postings are made from. */
export interface PricedTrade {
  trade: Trade;
  orderId: number;
  goodsId: number;
  sn: string;
  price: Price;
  terms: OrderTerms;
  ensureId: number;
}
