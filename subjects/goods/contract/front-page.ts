import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { money, optionalInt, time } from '#contract/wire.ts';

/** Sellers for the front page, ranked by rating and sales of the last 30 days; positions cannot be bought. */
export const getFrontUserList = endpoint({
  method: 'GET',
  path: '/api/goods/getFrontUserList',
  auth: 'public',
  mayLag: true,
  summary: '首页推荐卖家',
  input: z.object({
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    pageSize: optionalInt({ min: 1, max: 20, label: '数量' }),
  }),
  data: z.object({
    list: z.array(
      z.object({
        userId: z.string(),
        nickName: z.string(),
        avatar: z.string(),
        level: z.number().int(),
        levelName: z.string(),
        online: z.boolean(),
        soldNum: z.number().int(),
        goodRate: z.number().nullable(),
        onSaleNum: z.number().int(),
        /** The name of the paid deposit level; null = none. */
        depositName: z.string().nullable(),
        games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
        goods: z.array(z.object({ goodsSn: z.string(), thumbnail: z.string(), price: money, pageUrl: z.string() })),
      }),
    ),
  }),
  limit: 'read',
});

/**
 * How long listings take to sell (page /dealshow/selltime), from real sales of 90 days: first the whole type, then its
 * price bands. A group with fewer than 30 sales is listed in `few` without times, because so few sales are not
 * meaningful.
 */
export const sellTimeList = endpoint({
  method: 'GET',
  path: '/api/goods/sellTimeList',
  auth: 'public',
  mayLag: true,
  summary: '售出时长统计',
  input: z.object({
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    goodsTypeId: optionalInt({ max: 99, label: '商品类型' }),
  }),
  data: z.object({
    list: z.array(
      z.object({
        gameId: z.number().int(),
        gameName: z.string(),
        goodsTypeId: z.number().int(),
        goodsTypeStr: z.string(),
        /** Index among the price bands, cheapest first; -1 is all prices together. */
        band: z.number().int(),
        priceText: z.string(),
        sold: z.number().int(),
        /**
         * Hours from going on sale to being paid: half of all sales are within the median, the middle half between low
         * and high.
         */
        lowHours: z.number().int(),
        medianHours: z.number().int(),
        highHours: z.number().int(),
        withinDay: z.number(),
        withinWeek: z.number(),
      }),
    ),
    few: z.array(
      z.object({
        gameId: z.number().int(),
        gameName: z.string(),
        goodsTypeId: z.number().int(),
        goodsTypeStr: z.string(),
        band: z.number().int(),
        priceText: z.string(),
        sold: z.number().int(),
      }),
    ),
    /** Minimum number of sales for a group to be shown. */
    minSamples: z.number().int(),
    madeTime: time.nullable(),
  }),
  limit: 'read',
});

/** How long reviews of listings take, as measured over the last week; `minutes` is null when there were too few. */
export const reviewTime = endpoint({
  method: 'GET',
  path: '/api/goods/reviewTime',
  auth: 'login',
  summary: '商品审核一般多久',
  input: z.object({}),
  data: z.object({ medianMinutes: z.number().int().nullable() }),
  limit: 'read',
});
