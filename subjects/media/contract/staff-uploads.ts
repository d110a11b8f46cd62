import { staffWrite } from '#contract/endpoint.ts';
import { z } from 'zod';
import { upload } from './pictures.ts';

/** Multipart, like the users' upload; the returned keys are the evidence of an action on an order. */
export const staffEvidenceUpload = staffWrite('/api/backstage/order/upload', '上传凭证图片（后台）', {
  file: { about: 'PNG 或 JPEG，不超过 10 MB' },
  input: z.object({}),
  data: upload.data,
  limit: 'upload',
});

/** A game's icon, as multipart. */
export const uploadGameIcon = staffWrite('/api/backstage/game/upload', '上传游戏图标', {
  file: { about: 'PNG 或 JPEG，不超过 10 MB' },
  input: z.object({}),
  data: z.object({ key: z.string(), imageUri: z.string(), width: z.number().int(), height: z.number().int() }),
  limit: 'upload',
});

/** A picture of a brand or an advert, as multipart. */
export const staffContentUpload = staffWrite('/api/backstage/content/upload', '上传品牌或广告图片', {
  file: { about: 'PNG 或 JPEG，不超过 10 MB' },
  input: z.object({}),
  data: z.object({ key: z.string(), imageUri: z.string(), width: z.number().int(), height: z.number().int() }),
  limit: 'upload',
});

/** Multipart, like the users' upload; the key is passed to staffImSend or the socket's `send`. */
export const staffImUpload = staffWrite('/api/backstage/im/upload', '上传聊天图片（客服）', {
  file: { about: 'PNG 或 JPEG，不超过 10 MB' },
  input: z.object({}),
  data: upload.data,
  limit: 'upload',
});
