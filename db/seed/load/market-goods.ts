import type { GoodsSeed } from '../generate/goods.ts';

/** Goods as they are stored: what the generator made, whose they are, and what became of them. */
export interface MarketGoods {
  id: number;
  seed: GoodsSeed;
  sellerId: number;
  distId: number;
  /** db/migrations/0001_baseline.sql: 0 draft … 8 removed. */
  status: number;
  createdAt: Date;
  refreshedAt: Date;
  sellerLevel: number;
  reviewNote: string | null;
  follows: number;
}
