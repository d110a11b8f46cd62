import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { typedKeyword } from '#contract/rules/texts/typed.ts';
import { int, listTail, money, nothing, optionalInt, optionalTyped, paging, sn, text, time } from '#contract/wire.ts';

/** A listing as reviewers see it. */
export const reviewItem = z.object({
  goodsSn: z.string(),
  version: z.number().int(),
  distId: z.number().int(),
  gameId: z.number().int(),
  gameName: z.string(),
  goodsTypeId: z.number().int(),
  goodsTypeName: z.string(),
  areaText: z.string(),
  bigTitle: z.string(),
  description: z.string(),
  price: money,
  stock: z.number().int(),
  attrs: z.array(z.object({ label: z.string(), value: z.string() })),
  pictures: z.array(
    z.object({ url: z.string(), thumb: z.string(), width: z.number().int(), height: z.number().int() }),
  ),
  bargainOpen: z.boolean(),
  ensureOpen: z.boolean(),
  seller: z.object({
    sellerId: z.string(),
    nickName: z.string(),
    avatar: z.string(),
    level: z.number().int(),
    soldNum: z.number().int(),
    goodRate: z.number().nullable(),
    joinTime: time,
  }),
  /** Points for the reviewer to check first; `tone` as in the interface. */
  flags: z.array(z.object({ text: z.string(), tone: z.enum(['attn', 'danger']).nullable() })),
  /**
   * Texts from which contact details were removed: the seller's original, and the sentences that are hidden from other
   * users.
   */
  findings: z.array(z.object({ label: z.string(), original: z.string(), sentences: z.array(z.string()) })),
  lastReason: z.string().nullable(),
  /**
   * Claims on the same account, newest first; while one bars the account the listing cannot be approved (platform rule
   * 5.6).
   */
  claims: z.array(
    z.object({
      claimSn: z.string(),
      reasonName: z.string(),
      statusName: z.string(),
      bars: z.boolean(),
      amount: money,
      time,
    }),
  ),
  submitTime: time,
});
export type ReviewGoods = z.output<typeof reviewItem>;

/** Listings that wait for review, oldest first. */
export const reviewGoodsList = staffRead('/api/backstage/goods/reviewList', '待审核商品', {
  input: z.object({
    ...paging,
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    goodsTypeId: optionalInt({ max: 99, label: '商品类型' }),
    keyWord: optionalTyped(typedKeyword, 40, '关键词'),
  }),
  data: z.object({ list: z.array(reviewItem), ...listTail }),
  limit: 'search',
});

/**
 * One listing that waits for review, by its number, regardless of paging. Throws GOODS_NOT_FOUND when it does not wait
 * for review.
 */
export const reviewGoods = staffRead('/api/backstage/goods/review', '待审核商品（单件）', {
  input: z.object({ goodsSn: sn }),
  data: reviewItem,
  limit: 'search',
});

const version = int({ min: 1, max: 1_000_000_000, label: '商品版本' });

/**
 * Approves a listing, which puts it on sale. `version` is the version that the reviewer saw; the call fails if the
 * listing was edited since.
 */
export const approveReview = staffWrite('/api/backstage/goods/approve', '审核通过', {
  input: z.object({ goodsSn: sn, version }),
  data: nothing,
});

/** Rejects a listing; the reason is shown to the seller. */
export const rejectReview = staffWrite('/api/backstage/goods/reject', '审核驳回', {
  input: z.object({ goodsSn: sn, version, reason: text(200, { min: 1, label: '驳回原因' }) }),
  data: nothing,
});
