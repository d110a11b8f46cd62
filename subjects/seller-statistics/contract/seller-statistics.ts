/** The statistics of sellers about their own shop and listings. */
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { money, paging } from '#contract/wire.ts';

const week = z.object({
  /** The Monday that it begins with: 2026-11-23. */
  week: z.string(),
  /** Null before views were recorded by week. */
  views: z.number().int().nullable(),
  follows: z.number().int().nullable(),
  questions: z.number().int(),
  /** Orders placed. */
  orders: z.number().int(),
  /** Orders completed, by the week of their completion. */
  sold: z.number().int(),
  soldMoney: money,
});

/** The shop by week, oldest first, with the current week last. */
export const shopStatistics = endpoint({
  method: 'GET',
  path: '/api/goods/statistics/shop',
  auth: 'login',
  summary: '店铺的经营统计',
  input: z.object({}),
  data: z.object({
    weeks: z.array(week),
    onSale: z.number().int(),
    /** Listings that the seller ever submitted; 0 is a new seller. */
    listed: z.number().int(),
    /** Orders per 100 views in the weeks with stored views; null without views. */
    conversion: z.number().nullable(),
    /** The first week with stored views; null when there is none yet. */
    keptSince: z.string().nullable(),
    /** Half of the newest sales were ordered within this number of days after publishing; null below five sales. */
    sellDays: z.number().nullable(),
    /** Only the newest orders are counted, because there are more. */
    isCut: z.boolean(),
    unanswered: z.number().int(),
  }),
  limit: 'read',
});

/** Listings on sale, the longest on sale first, with suggestions. */
export const listingStatistics = endpoint({
  method: 'GET',
  path: '/api/goods/statistics/listings',
  auth: 'login',
  summary: '在售商品的经营统计',
  input: z.object({ pageSize: paging.pageSize, cursor: paging.cursor }),
  data: z.object({
    list: z.array(
      z.object({
        goodsSn: z.string(),
        bigTitle: z.string(),
        pageUrl: z.string(),
        gameName: z.string(),
        price: money,
        /** The usual price of similar sales and how far this one is from it; null below 30 sales. */
        typicalPrice: money.nullable(),
        diffPercent: z.number().int().nullable(),
        views: z.number().int(),
        follows: z.number().int(),
        questions: z.number().int(),
        orders: z.number().int(),
        /** Views by week, oldest first; the last is the current one. Null before views were recorded. */
        weeks: z.array(z.number().int().nullable()),
        days: z.number().int(),
        /** Half of similar listings are sold within this number of days; null when too few were sold. */
        usualDays: z.number().nullable(),
        advice: z.array(z.string()),
      }),
    ),
    next: z.string().nullable(),
  }),
  limit: 'search',
});
