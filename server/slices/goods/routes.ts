import type { Binding } from '#server/slices.ts';
import { bindGoodsOffer } from './routes-offer.ts';
import { bindGoodsRead } from './routes-read.ts';

/** Goods as they are found and shown, and as their sellers publish them: /api/goods/*. */
export function bindGoods(binding: Binding): void {
  bindGoodsRead(binding);
  bindGoodsOffer(binding);
}
