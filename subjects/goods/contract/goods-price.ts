import { time, money } from '#contract/wire.ts';
import { z } from 'zod';

/**
 * The reference of an account: 80 % of similar accounts are sold between `low` and `high`, the same figures as its valuation. Chosen by its
 * attributes alone; absent where the game has fewer than 30 sales.
 */
export const goodsReference = z.object({
  low: money,
  typical: money,
  high: money,
  /** Number of sales that it is based on. */
  samples: z.number().int(),
  /** Half of similar accounts spread over more than a factor of two: no band and no percentage are shown. */
  wide: z.boolean(),
});
/** A listing's price compared with its reference price. */
export const goodsBand = goodsReference.extend({
  /** The price is less than half or more than twice the typical one. */
  outlier: z.boolean(),
  /** The price relative to the typical one; null when the band is too wide. */
  diffPercent: z.number().int().nullable(),
  position: z.number(),
});

/** A field of a listing as staff read it; `said` is the seller's own entry if it differs. */
export const inspectedField = z.object({
  label: z.string(),
  value: z.string(),
  said: z.string().nullable(),
  reader: z.string(),
  readTime: time,
});

/** For coin listings (types 2 and 22): the amount of coin in one item, and both ratios; null for all other types. */
export const coinRatios = z
  .object({ amountText: z.string(), ratioText: z.string(), unitPriceText: z.string(), deliveryText: z.string() })
  .nullable();
