import { sql } from 'kysely';
import { BargainStatus } from '#subjects/offers/rules/bargain.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';

/** Lists of states as SQL, for `status in ${...}`; those of orders are in order-states.ts. */

/** Listings that occupy their account or may still be bought. */
export const GOODS_ACTIVE = sql.raw(
  `(${[GoodsStatus.Reviewing, GoodsStatus.OnSale, GoodsStatus.Locked, GoodsStatus.Hidden].join(', ')})`,
);
/** The same, and those taken off sale by their seller. */
export const GOODS_NOT_ENDED = sql.raw(
  `(${[GoodsStatus.Reviewing, GoodsStatus.OnSale, GoodsStatus.OffSale, GoodsStatus.Locked, GoodsStatus.Hidden].join(', ')})`,
);
export const GOODS_DRAFT_OR_REMOVED = sql.raw(`(${[GoodsStatus.Draft, GoodsStatus.Removed].join(', ')})`);
/** Listings that only their seller sees, as `isPrivateGoods`. */
export const GOODS_PRIVATE = sql.raw(
  `(${[GoodsStatus.Draft, GoodsStatus.Reviewing, GoodsStatus.Rejected].join(', ')})`,
);
export const GOODS_PRIVATE_OR_REMOVED = sql.raw(
  `(${[GoodsStatus.Draft, GoodsStatus.Reviewing, GoodsStatus.Rejected, GoodsStatus.Removed].join(', ')})`,
);

/** Open bargains, unless they have expired. */
export const BARGAINS_OPEN = sql.raw(
  `(${[BargainStatus.Pending, BargainStatus.SellerAgreed, BargainStatus.Countered, BargainStatus.BuyerAgreed].join(', ')})`,
);
/** Bargains whose price both parties have accepted. */
export const BARGAINS_AGREED = sql.raw(`(${[BargainStatus.SellerAgreed, BargainStatus.BuyerAgreed].join(', ')})`);
