import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import {
  ANSWER_TEXT_MAX,
  reviewLevels,
  reviewParts,
  reviewReportReasons,
  type ReviewReportReason,
} from '../rules/review.ts';
import { int, listTail, nothing, optionalInt, optionalText, paging, sn, text, time } from '#contract/wire.ts';

/** The reply of the reviewed party. */
const reply = z.object({ content: z.string(), time });

/** A buyer's review as shown publicly. The buyer is masked. */
const publicReview = z.object({
  reviewId: z.number().int(),
  score: z.number().int(),
  level: z.enum(reviewLevels),
  tags: z.array(z.string()),
  content: z.string(),
  buyer: z.string(),
  gameName: z.string(),
  goodsTypeId: z.number().int(),
  goodsTypeName: z.string(),
  time,
  answer: reply.nullable(),
});
export type PublicReview = z.output<typeof publicReview>;

const counts = z.object({
  all: z.number().int(),
  good: z.number().int(),
  fair: z.number().int(),
  bad: z.number().int(),
});

/** The reviewed seller. */
const reviewedSeller = z.object({
  sellerId: z.string(),
  nickName: z.string(),
  avatar: z.string(),
  level: z.number().int(),
  levelName: z.string(),
  online: z.boolean(),
  lastSeenTime: time,
  soldNum: z.number().int(),
  joinTime: time,
});

/**
 * Buyers' reviews of a seller, newest first: of completed trades that were not reversed, between users who are not
 * linked, on games that the site lists. `counts` and `kinds` cover all of them (`goodsSn`: all of that listing), `list`
 * only what the filters match. `goodRate` is the share of four and five stars in percent, null without reviews.
 */
export const sellerReviews = endpoint({
  method: 'GET',
  path: '/api/review/seller',
  auth: 'public',
  summary: '卖家的评价',
  input: z.object({
    ...paging,
    sellerId: int({ min: 1, label: '卖家' }),
    goodsTypeId: optionalInt({ max: 99, label: '商品类型' }),
    level: z.enum(reviewLevels, { error: '评价类型不正确' }).optional(),
    goodsSn: sn.optional(),
  }),
  data: z.object({
    seller: reviewedSeller,
    goodRate: z.number().nullable(),
    counts,
    kinds: z.array(
      z.object({
        goodsTypeId: z.number().int(),
        name: z.string(),
        count: z.number().int(),
        goodRate: z.number().nullable(),
      }),
    ),
    list: z.array(publicReview),
    ...listTail,
  }),
  limit: 'search',
});

/** A review as shown to a party of the order. */
const ownReview = z.object({
  reviewId: z.number().int(),
  by: z.enum(['buyer', 'seller']),
  isMine: z.boolean(),
  score: z.number().int(),
  tags: z.array(z.string()),
  content: z.string(),
  time,
  answer: reply.nullable(),
  canAnswer: z.boolean(),
  answerByTime: time,
  canReport: z.boolean(),
  canReportAnswer: z.boolean(),
  /** Why the review is not public, or that its reply is hidden, as text; null when neither applies. */
  note: z.string().nullable(),
});
export type OwnReview = z.output<typeof ownReview>;

/** Both parties' reviews of an order, for its parties. */
export const orderReviews = endpoint({
  method: 'GET',
  path: '/api/review/order',
  auth: 'login',
  summary: '订单的评价',
  input: z.object({ orderSn: sn }),
  data: z.object({ canRate: z.boolean(), list: z.array(ownReview) }),
  limit: 'read',
});

const reviewId = int({ min: 1, label: '评价编号' });

/** Replies to a review of the caller, once, within 30 days of it. */
export const replyReview = endpoint({
  method: 'POST',
  path: '/api/review/answer',
  auth: 'login',
  summary: '回复评价',
  input: z.object({ reviewId, content: text(ANSWER_TEXT_MAX, { min: 1, label: '回复内容' }) }),
  data: nothing,
  limit: 'write',
});

/** Reports a review or its reply, once per user. A user cannot report their own text. */
export const reportReview = endpoint({
  method: 'POST',
  path: '/api/review/report',
  auth: 'login',
  summary: '举报评价',
  input: z.object({
    reviewId,
    part: z.enum(reviewParts, { error: '举报对象不正确' }).default('review'),
    reason: z.enum(Object.keys(reviewReportReasons) as [ReviewReportReason], { error: '请选择举报原因' }),
    note: optionalText(200, '补充说明'),
  }),
  data: nothing,
  limit: 'write',
});
