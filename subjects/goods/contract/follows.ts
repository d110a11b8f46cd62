import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { sn, flag, paging, money, time, listTail } from '#contract/wire.ts';

/** status 1 follows, 0 unfollows. */
export const goodsUserFollow = endpoint({
  method: 'POST',
  path: '/api/user/goodsUserFollow',
  auth: 'login',
  summary: '收藏或取消收藏',
  input: z.object({ goodsSn: sn, status: flag }),
  data: z.object({ followed: z.boolean(), follows: z.number().int() }),
  limit: 'write',
});

/** Filters of followed listings: all, still on sale, cheaper than when followed, gone. */
export const followShows = ['all', 'onSale', 'fallen', 'gone'] as const;

export const followGoods = endpoint({
  method: 'GET',
  path: '/api/user/followGoods',
  auth: 'login',
  summary: '收藏的商品',
  input: z.object({ ...paging, show: z.enum(followShows, { error: '筛选条件不正确' }).optional() }),
  data: z.object({
    list: z.array(
      z.object({
        goodsSn: z.string(),
        bigTitle: z.string(),
        gameName: z.string(),
        goodsTypeId: z.number().int(),
        thumbnail: z.string(),
        price: money,
        allInPrice: money,
        followPrice: money,
        /** Whether a lower price, or a return to sale, causes a notification. */
        alertDrop: z.boolean(),
        alertBack: z.boolean(),
        status: z.number().int(),
        followTime: time,
      }),
    ),
    counts: z.record(z.enum(followShows), z.number().int()),
    ...listTail,
  }),
  limit: 'read',
});
