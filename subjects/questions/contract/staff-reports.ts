import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { goodsReportParts } from '../rules/question.ts';
import { reviewReportStatuses } from '#subjects/reviews/rules/review.ts';
import { typedSn } from '#contract/rules/texts/typed.ts';
import { flag, int, listTail, nothing, optionalInt, optionalTyped, paging, sn, text, time } from '#contract/wire.ts';

const reported = z.object({
  goodsSn: z.string(),
  bigTitle: z.string(),
  pageUrl: z.string(),
  goodsStatusName: z.string(),
  part: z.enum(goodsReportParts),
  partName: z.string(),
  questionId: z.number().int().nullable(),
  /** The reported text: the description, the question or the answer. */
  content: z.string(),
  /** The question that a reported answer belongs to. */
  question: z.string().nullable(),
  author: z.string(),
  authorUnion: z.string(),
  reports: z.array(
    z.object({
      reportId: z.number().int(),
      reasonName: z.string(),
      note: z.string(),
      pictures: z.array(z.object({ url: z.string(), thumb: z.string() })),
      reporter: z.string(),
      /** The number of this person's reports that staff found to be false. */
      falseNum: z.number().int(),
      time,
    }),
  ),
  decision: z.string().nullable(),
  decider: z.string().nullable(),
  decideTime: time.nullable(),
});
export type ReportedGoods = z.output<typeof reported>;

/** Listings, questions and answers that were reported; pending ones oldest first. */
export const staffGoodsReports = staffRead('/api/backstage/goodsReport/list', '商品与问答举报', {
  input: z.object({
    ...paging,
    status: z.enum(reviewReportStatuses, { error: '状态不正确' }).default('waiting'),
    goodsSn: optionalTyped(typedSn, 32, '商品编号'),
  }),
  data: z.object({ list: z.array(reported), ...listTail }),
  limit: 'search',
});

/**
 * Keeps the reported content, or takes it down with a reason: a listing goes back to its seller as rejected, a question or an answer is
 * hidden. All its pending reports are decided together; `isFalse` marks the reports as false.
 */
export const decideGoodsReport = staffWrite('/api/backstage/goodsReport/decide', '处理商品与问答举报', {
  input: z
    .object({
      goodsSn: sn,
      part: z.enum(goodsReportParts, { error: '处理对象不正确' }),
      questionId: optionalInt({ min: 1, label: '问题编号' }),
      act: z.enum(['keep', 'hide'], { error: '操作不正确' }),
      isFalse: flag.default(false),
      reason: text(200, { min: 2, label: '原因' }),
      /** The newest report that was read; later ones wait for another decision. */
      lastReportId: int({ min: 1, label: '举报编号' }),
    })
    .refine(({ act: action, isFalse }) => action === 'keep' || !isFalse, {
      error: '下架时不能同时认定为恶意举报',
      path: ['isFalse'],
    }),
  data: nothing,
});
