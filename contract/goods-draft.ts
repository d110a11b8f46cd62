import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { json, nothing, text, time } from './wire.ts';

/** Keeps what was typed in the publishing form; an empty body forgets it. */
export const saveDraft = endpoint({
  method: 'POST',
  path: '/api/goods/saveDraft',
  auth: 'login',
  summary: '保存发布草稿',
  input: z.object({ draftKey: text(60, { min: 1 }), body: json(z.record(z.string(), z.unknown()), '草稿') }),
  data: nothing,
  limit: 'write',
});

export const getDraft = endpoint({
  method: 'GET',
  path: '/api/goods/getDraft',
  auth: 'login',
  summary: '读取发布草稿',
  input: z.object({ draftKey: text(60, { min: 1 }) }),
  data: z.object({ body: z.record(z.string(), z.unknown()).nullable(), updateTime: time.nullable() }),
  limit: 'read',
});
