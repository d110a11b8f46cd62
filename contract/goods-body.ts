import { z } from 'zod';
import { offerLimits } from './rules/offer-limits.ts';
import { amount, flag, int, json, optionalInt, optionalText, text } from './wire.ts';

/** The orders in which listings can be read. */
export const goodsSorts = ['default', 'priceAsc', 'priceDesc', 'newest', 'views'] as const;

/** Bounds of a listing's price. */
export const askingPrice = amount({
  minFen: offerLimits.priceMinFen,
  maxFen: offerLimits.priceMaxFen,
  label: '价格',
});

/** The terms of a listing as its page and its owner's form read them. The input of each is in `goodsBody`. */
export const goodsTerms = { bargainOpen: z.boolean(), ensureOpen: z.boolean() };

/**
 * The seller's description of a listing, new or edited; the game's form validates `details`, region and quantity
 * further.
 */
export const goodsBody = {
  bigTitle: text(offerLimits.titleMax, { min: offerLimits.titleMin, label: '标题' }),
  description: text(offerLimits.descriptionMax, { label: '描述' }).default(''),
  price: askingPrice,
  stock: int({ min: 1, max: offerLimits.stockMax, label: '库存' }).default(1),
  areaId: optionalInt({ max: 100_000_000, label: '大区' }),
  serverId: optionalInt({ max: 2_000_000_000, label: '服务器' }),
  details: json(z.record(z.string().max(40), z.unknown()), '商品属性').default({}),
  pictures: json(
    z.array(z.string().max(80)).max(offerLimits.pictures, `图片最多 ${offerLimits.pictures} 张`),
    '图片',
  ).default([]),
  accountNo: optionalText(64, '账号标识'),
  bargainOpen: flag.default(false),
  ensureOpen: flag.default(true),
};
