import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { sn, int, flag, json, optionalText, nothing } from '#contract/wire.ts';

/** For an order or for a conversation with customer service. A repeated rating replaces the earlier one. */
export const serSatiEval = endpoint({
  method: 'POST',
  path: '/api/comm/serSatiEval',
  auth: 'login',
  summary: '客服满意度评价',
  about: '同一会话可以再次评价，以最后一次为准。',
  input: z
    .object({
      groupId: z
        .string()
        .regex(/^\d{1,15}$/, '群编号不正确')
        .optional(),
      orderSn: sn.optional(),
      score: int({ min: 1, max: 5, label: '评分' }),
      solved: flag.optional(),
      tags: json(z.array(z.string().max(12)).max(6), '标签').default([]),
      content: optionalText(300, '评价内容'),
    })
    .refine((v) => v.groupId !== undefined || v.orderSn !== undefined, {
      error: '请选择要评价的会话',
      path: ['groupId'],
    }),
  data: nothing,
  limit: 'write',
});
