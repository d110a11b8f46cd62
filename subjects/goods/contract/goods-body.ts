import { z } from 'zod';
import { FREE_TIMES, VOICE_KINDS } from '#subjects/services/rules/companion-slots.ts';
import { offerLimits } from '../rules/offer-limits.ts';
import { amount, flag, int, json, optionalInt, optionalText, text } from '#contract/wire.ts';

/** The sort orders of listings. */
export const goodsSorts = ['default', 'priceAsc', 'priceDesc', 'newest', 'views'] as const;

/** Bounds of a listing's price. */
export const askingPrice = amount({
  minFen: offerLimits.priceMinFen,
  maxFen: offerLimits.priceMaxFen,
  label: '价格',
});

/** The terms of a listing as its page and its owner's form show them. Their input is in `goodsBody`. */
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

/**
 * All inputs of a publication except `details` (whose keys are those of the form's `fields`): whether this game and
 * type require each, and its limits.
 */
export const publishInputs = z.array(
  z.object({
    key: z.enum(['bigTitle', 'price', 'description', 'stock', 'areaId', 'serverId', 'pictures', 'accountNo']),
    label: z.string(),
    required: z.boolean(),
    /** Characters, pieces, yuan or entries, by the input. */
    min: z.number().optional(),
    max: z.number().optional(),
    /** Where to find the permitted values, or the purpose of the input. */
    help: z.string().optional(),
  }),
);

/** List filters by seller, and by the properties of services. */
export const offerFilters = {
  /** The seller has switched the online status on and was active within the last day. */
  sellerOnline: flag.optional(),
  /** Companion play only: available now, or with enough consecutive hours tonight or at the weekend. */
  free: z.enum(FREE_TIMES, { error: '时间不正确' }).optional(),
  /** Companion play only: with a voice sample, of a woman or a man. */
  voice: z.enum(VOICE_KINDS, { error: '声音不正确' }).optional(),
  /** Boosting of a game with ranks: packages from one rank to the other, or whose range contains both. */
  rankFrom: optionalInt({ max: 9999, label: '现在的段位' }),
  rankTo: optionalInt({ max: 9999, label: '目标段位' }),
};
