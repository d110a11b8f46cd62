import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { goodsSorts } from './goods-body.ts';
import { optionalInt, optionalText, sn, text } from '#contract/wire.ts';

/** The probable meanings of a keyword that found few or no listings; only those with results, most likely first. */
export const searchHelp = endpoint({
  method: 'GET',
  path: '/api/goods/searchHelp',
  auth: 'public',
  summary: '您是不是要找',
  input: z.object({ keyWord: text(40, { min: 1, label: '关键词' }), gameId: optionalInt({ max: 1_000_000 }) }),
  data: z.object({
    list: z.array(z.object({ text: z.string(), url: z.string(), total: z.number().int(), totalCapped: z.boolean() })),
  }),
  limit: 'search',
});

/**
 * Why a listing has its position in a list: the words that it matches, the parts of its rank, and a note that positions
 * are not paid for.
 */
export const whyHere = endpoint({
  method: 'GET',
  path: '/api/goods/whyHere',
  auth: 'public',
  summary: '为什么排在这里',
  input: z.object({
    goodsSn: sn,
    keyWord: optionalText(40, '关键词'),
    sort: z.enum(goodsSorts, { error: '排序方式不正确' }).optional(),
  }),
  data: z.object({ order: z.string(), reasons: z.array(z.object({ label: z.string(), text: z.string() })) }),
  limit: 'read',
});
