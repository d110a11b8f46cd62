import type { GoodsSeed } from '../../generate/goods.ts';

/** Stored goods: the generated listing, its owner and its outcome. */
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
