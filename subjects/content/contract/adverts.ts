import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { int, optionalInt, optionalText } from '#contract/wire.ts';

/** device 0 PC, 1 phone, as in the distributor configuration. */
export const getDistGamedsAdverList = endpoint({
  method: 'GET',
  path: '/api/goods/getDistGamedsAdverList',
  auth: 'public',
  summary: '游戏页广告',
  input: z.object({
    gameId: int({ max: 1_000_000, label: '游戏' }),
    device: optionalInt({ max: 1, label: '设备' }),
    position: optionalText(40, '位置'),
  }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        position: z.string(),
        device: z.number().int(),
        title: z.string(),
        smalltitle: z.string(),
        htUrl: z.string(),
        picture: z.string().nullable(),
        /** Shows the reminder dialog with its countdown before following the link (product.md 2). */
        remind: z.boolean(),
      }),
    ),
  }),
  idField: 'gameId',
  limit: 'read',
});
