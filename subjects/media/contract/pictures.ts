import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';

/** A picture of a listing: its address, that of its thumbnail, and its size in px. */
export const picture = z.object({
  url: z.string(),
  thumb: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});

/**
 * Multipart upload of one PNG or JPEG up to 10 MB (product.md 5). The picture is re-encoded; returns its immutable key.
 */
export const upload = endpoint({
  method: 'POST',
  path: '/api/comm/upload',
  auth: 'login',
  summary: '上传图片',
  file: { about: 'PNG 或 JPEG，不超过 10 MB' },
  input: z.object({
    purpose: z.enum(['goods', 'chat', 'avatar', 'evidence'], { error: '图片用途不正确' }).default('goods'),
  }),
  data: z.object({ key: z.string(), imageUri: z.string(), width: z.number().int(), height: z.number().int() }),
  limit: 'upload',
});
