import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { GOODS_REPORT_PICTURES, goodsReportParts, QUESTION_ANSWER_MAX, QUESTION_TEXT_MAX } from '../rules/question.ts';
import {
  flag,
  int,
  json,
  listTail,
  nothing,
  optionalInt,
  optionalText,
  paging,
  sn,
  text,
  time,
} from '#contract/wire.ts';

/** A question as shown under its listing. The person who asks is masked. */
const publicQuestion = z.object({
  questionId: z.number().int(),
  content: z.string(),
  asker: z.string(),
  isMine: z.boolean(),
  /** Only its asker and the seller see it. */
  isPrivate: z.boolean(),
  time,
  answer: z
    .object({
      content: z.string(),
      time,
      /** The seller put it into the description. */
      merged: z.boolean(),
    })
    .nullable(),
});
export type PublicQuestion = z.output<typeof publicQuestion>;

/**
 * Answered questions under a listing, newest first; private ones and those without an answer are shown to who asked and to the seller
 * alone. `answerMinutes` is the seller's median time to an answer, null below five answers.
 */
export const goodsQuestions = endpoint({
  method: 'GET',
  path: '/api/goods/questions',
  auth: 'public',
  summary: '商品问答',
  input: z.object({ ...paging, goodsSn: sn }),
  data: z.object({
    list: z.array(publicQuestion),
    answered: z.number().int(),
    answerMinutes: z.number().int().nullable(),
    ...listTail,
  }),
  limit: 'search',
});

/** Asks the seller of a listing on sale. Contact details are cut, blocked words refused. */
export const askSeller = endpoint({
  method: 'POST',
  path: '/api/goods/question/ask',
  auth: 'login',
  summary: '问卖家',
  input: z.object({
    goodsSn: sn,
    content: text(QUESTION_TEXT_MAX, { min: 4, label: '问题' }),
    isPrivate: flag.default(false),
  }),
  data: z.object({ question: publicQuestion }),
  limit: 'write',
});

const questionId = int({ min: 1, label: '问题编号' });

/** The seller answers a question, once. */
export const answerQuestion = endpoint({
  method: 'POST',
  path: '/api/goods/question/answer',
  auth: 'login',
  summary: '回答问题',
  input: z.object({ questionId, content: text(QUESTION_ANSWER_MAX, { min: 1, label: '回答' }) }),
  data: nothing,
  limit: 'write',
});

/** Adds question and answer to the listing's description; an ordinary edit, which is reviewed. */
export const mergeAnswer = endpoint({
  method: 'POST',
  path: '/api/goods/question/merge',
  auth: 'login',
  summary: '把回答写进商品描述',
  input: z.object({ questionId }),
  data: z.object({ status: z.number().int(), statusName: z.string() }),
  limit: 'publish',
});

export const receivedStatuses = ['waiting', 'answered'] as const;

const receivedQuestion = publicQuestion.extend({
  goodsSn: z.string(),
  bigTitle: z.string(),
  pageUrl: z.string(),
  statusName: z.string(),
  canMerge: z.boolean(),
  hiddenReason: z.string().nullable(),
});
export type ReceivedQuestion = z.output<typeof receivedQuestion>;

/** Questions about the caller's listings. */
export const receivedQuestions = endpoint({
  method: 'GET',
  path: '/api/goods/question/received',
  auth: 'login',
  summary: '收到的提问',
  input: z.object({ ...paging, status: z.enum(receivedStatuses, { error: '状态不正确' }).default('waiting') }),
  data: z.object({
    list: z.array(receivedQuestion),
    counts: z.object({ waiting: z.number().int(), answered: z.number().int() }),
    ...listTail,
  }),
  limit: 'read',
});

/** Reasons for a report of this listing, as staff wrote them. */
export const goodsReportReasons = endpoint({
  method: 'GET',
  path: '/api/goods/report/reasons',
  auth: 'login',
  summary: '举报商品的原因',
  input: z.object({ goodsSn: sn }),
  data: z.object({ list: z.array(z.object({ code: z.string(), name: z.string(), evidence: z.string() })) }),
  limit: 'read',
});

/** Reports a listing, a question under it or the answer; one open report of a person on each. */
export const reportGoods = endpoint({
  method: 'POST',
  path: '/api/goods/report',
  auth: 'login',
  summary: '举报商品或问答',
  input: z.object({
    goodsSn: sn,
    part: z.enum(goodsReportParts, { error: '举报对象不正确' }).default('goods'),
    questionId: optionalInt({ min: 1, label: '问题编号' }),
    reason: text(40, { min: 1, label: '举报原因' }),
    note: optionalText(200, '补充说明'),
    pictures: json(
      z.array(z.string().max(80)).max(GOODS_REPORT_PICTURES, `凭证最多 ${GOODS_REPORT_PICTURES} 张`),
      '凭证',
    ).default([]),
  }),
  data: nothing,
  limit: 'write',
});
