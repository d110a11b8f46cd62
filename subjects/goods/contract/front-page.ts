import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { matchStatuses } from '#subjects/content/rules/league.ts';
import { int, listTail, money, optionalInt, optionalText, paging, sn, time } from '#contract/wire.ts';

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

const team = z.object({
  name: z.string(),
  shortName: z.string(),
  logo: z.string().nullable(),
  score: z.number().int(),
});

/** Matches around a day of China (2026-11-20), earliest first; without a day, from today on. */
export const getLeagueMatchList = endpoint({
  method: 'GET',
  path: '/api/goods/getLeagueMatchList',
  auth: 'public',
  summary: '赛事列表',
  input: z.object({
    ...paging,
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    leagueId: optionalInt({ max: 1_000_000, label: '赛事' }),
    day: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, '日期格式不正确')
      .optional(),
  }),
  data: z.object({
    leagues: z.array(
      z.object({
        leagueId: z.number().int(),
        name: z.string(),
        gameId: z.number().int(),
        logo: z.string().nullable(),
        matches: z.number().int(),
      }),
    ),
    days: z.array(z.object({ day: z.string(), matches: z.number().int() })),
    list: z.array(
      z.object({
        id: z.number().int(),
        leagueId: z.number().int(),
        leagueName: z.string(),
        stage: z.string(),
        gameId: z.number().int(),
        gameName: z.string(),
        startTime: time,
        bestOf: z.number().int(),
        status: z.enum(matchStatuses),
        statusName: z.string(),
        home: team,
        away: team,
        watchUrl: z.string().nullable(),
      }),
    ),
    ...listTail,
  }),
  limit: 'read',
});

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

/**
 * Available discounts: the caller's own applicable coupons, and coupons that can still be claimed. Visitors see only
 * the latter. The chosen guarantee is included, because a coupon may apply to its premium.
 */
export const findDiscount = endpoint({
  method: 'GET',
  path: '/api/goods/findDiscount',
  auth: 'public',
  summary: '商品可用的优惠',
  input: z.object({
    goodsSn: sn,
    goodsNum: int({ min: 1, max: 100_000, label: '数量' }).default(1),
    ensureId: optionalInt({ max: 1000, label: '包赔' }),
    fixEnsureId: optionalInt({ max: 1000, label: '找回包赔' }),
    bargainId: optionalInt({ label: '议价' }),
  }),
  data: z.object({
    allInPrice: money,
    bestPrice: money,
    bestCouponId: z.number().int().nullable(),
    list: z.array(
      z.object({
        couponId: z.number().int().nullable(),
        code: z.string(),
        name: z.string(),
        kind: z.enum(['goods', 'service', 'guarantee']),
        kindName: z.string(),
        amount: money,
        minimum: money,
        /** The discount on this order; zero where it does not apply. */
        takes: money,
        usable: z.boolean(),
        /** Why it does not apply; null when it does. */
        reason: z.string().nullable(),
        received: z.boolean(),
        expireTime: time.nullable(),
      }),
    ),
  }),
  idField: 'goodsSn',
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
