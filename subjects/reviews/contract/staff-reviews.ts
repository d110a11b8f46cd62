import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { reviewParts, reviewReportStatuses } from '../rules/review.ts';
import { typedSn } from '#contract/rules/texts/typed.ts';
import { int, listTail, nothing, optionalTyped, paging, text, time } from '#contract/wire.ts';

const reportedReview = z.object({
  reviewId: z.number().int(),
  part: z.enum(reviewParts),
  partName: z.string(),
  orderSn: z.string(),
  score: z.number().int(),
  tags: z.array(z.string()),
  content: z.string(),
  answer: z.string().nullable(),
  author: z.string(),
  authorUnion: z.string(),
  target: z.string(),
  time,
  /** The reports of this part (review or reply), oldest first. */
  reports: z.array(
    z.object({ reasonName: z.string(), note: z.string(), reporter: z.string(), isTarget: z.boolean(), time }),
  ),
  decision: z.string().nullable(),
  decider: z.string().nullable(),
  decideTime: time.nullable(),
});
export type ReportedReview = z.output<typeof reportedReview>;

/** Reviews and replies that were reported; pending ones oldest first, one row per part. */
export const staffReviewReports = staffRead('/api/backstage/review/reports', '评价举报', {
  input: z.object({
    ...paging,
    status: z.enum(reviewReportStatuses, { error: '状态不正确' }).default('waiting'),
    orderSn: optionalTyped(typedSn, 32, '订单编号'),
  }),
  data: z.object({ list: z.array(reportedReview), ...listTail }),
  limit: 'search',
});

/**
 * Keeps or hides the reported part. All its pending reports are decided together; the author and the reporters are
 * notified.
 */
export const decideReviewReport = staffWrite('/api/backstage/review/decide', '处理评价举报', {
  input: z.object({
    reviewId: int({ min: 1, label: '评价编号' }),
    part: z.enum(reviewParts, { error: '处理对象不正确' }),
    act: z.enum(['keep', 'hide'], { error: '操作不正确' }),
    reason: text(200, { min: 2, label: '原因' }),
  }),
  data: nothing,
});
