import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';

export const serQqList = endpoint({
  method: 'GET',
  path: '/api/dist/serQqList',
  auth: 'public',
  summary: '客服号码',
  input: z.object({}),
  data: z.object({ list: z.array(z.object({ kind: z.string(), value: z.string(), name: z.string() })) }),
  limit: 'read',
});
