import type { Price } from '#server/slices/orders/placing/pricing.ts';
import type { OrderTerms } from '#server/slices/orders/rules.ts';
import type { Deal } from './deals.ts';

/** A deal with its order: number, price and the terms that the steps' postings are made from. */
export interface PricedDeal {
  deal: Deal;
  orderId: number;
  goodsId: number;
  sn: string;
  price: Price;
  terms: OrderTerms;
  ensureId: number;
}
