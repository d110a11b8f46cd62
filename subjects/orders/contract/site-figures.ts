import { z } from 'zod';
import { money, time, optionalInt } from '#contract/wire.ts';
import { endpoint } from '#contract/endpoint.ts';

/** Masked and rounded: no order numbers, no full names (reliability.md b.46). */
export const completedSale = z.object({
  gameId: z.number().int(),
  gameName: z.string(),
  orderTypeId: z.number().int(),
  title: z.string(),
  areaName: z.string(),
  price: money,
  buyer: z.string(),
  dealTime: time,
});

export const latestDealRecord = endpoint({
  method: 'GET',
  path: '/api/dist/latestDealRecord',
  auth: 'public',
  summary: '最新成交',
  input: z.object({ pageSize: optionalInt({ min: 1, max: 50, label: '数量' }) }),
  data: z.object({ list: z.array(completedSale) }),
  limit: 'read',
});

/** Guarantees on offer with their price rule and exclusions (domain.md 3). */
export const distEnsureList = endpoint({
  method: 'GET',
  path: '/api/dist/distEnsureList',
  auth: 'public',
  summary: '可选包赔',
  input: z.object({ gameId: optionalInt({ max: 1_000_000 }), goodsTypeId: optionalInt({ max: 99 }) }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        kind: z.enum(['ensure', 'fixEnsure']),
        name: z.string(),
        rateText: z.string(),
        rateBp: z.number().int(),
        minimum: money,
        coverText: z.string(),
        exclusions: z.array(z.string()),
        chaseDays: z.number().int(),
        /** The payout for each covered reason, as text; other reasons are not covered. */
        pays: z.array(z.object({ name: z.string(), text: z.string() })),
        /** The reason for the rate, if it was measured for the game. */
        reasons: z.array(z.string()),
        /** The rate before the measurement. */
        baseText: z.string(),
        /** The components of the rate, each with its share ('2.5%', '-0.1%'); the shares add up to the rate. */
        parts: z.array(z.object({ label: z.string(), share: z.string() })),
      }),
    ),
  }),
  limit: 'read',
});

export const getScaleConf = endpoint({
  method: 'GET',
  path: '/api/dist/getScaleConf',
  auth: 'public',
  summary: '费率',
  input: z.object({}),
  data: z.object({
    sellerCommission: z.string(),
    sellerCommissionBp: z.number().int(),
    sellerCommissionMax: money,
    buyerServiceFee: z.string(),
    buyerServiceFeeBp: z.number().int(),
    withdrawFee: z.string(),
    withdrawMinimum: money,
    /** The number and total of a user's withdrawals per day (China). */
    withdrawDayCount: z.number().int(),
    withdrawDayMax: money,
    holdBySellerLevel: z.array(z.object({ level: z.number().int(), hours: z.number().int() })),
  }),
  limit: 'read',
});
