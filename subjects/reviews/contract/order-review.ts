import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { sn, int, json, text, nothing } from '#contract/wire.ts';
import { REVIEW_TAGS_MAX, REVIEW_TEXT_MAX } from '#subjects/reviews/rules/review.ts';

export const orderEval = endpoint({
  method: 'POST',
  path: '/api/order/orderEval',
  auth: 'login',
  summary: '评价',
  input: z.object({
    orderSn: sn,
    score: int({ min: 1, max: 5, label: '评分' }),
    tags: json(z.array(z.string().max(12)).max(REVIEW_TAGS_MAX), '标签').default([]),
    content: text(REVIEW_TEXT_MAX, { label: '评价内容' }).default(''),
  }),
  data: nothing,
  limit: 'write',
});
