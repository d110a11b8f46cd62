import { z } from 'zod';
import { fieldSchema } from '#subjects/games/contract/games.ts';
import { endpoint } from '#contract/endpoint.ts';
import { flag, int, json, money, optionalInt, sn, time } from '#contract/wire.ts';

const line = z.object({
  key: z.string(),
  label: z.string(),
  /** The account's own value. */
  value: z.string(),
  /** The typical value among the sales: the median of a number, the share of an option. */
  usual: z.string(),
  amount: money,
});

/** One of the prices to sell at, with the days until the sale and what the seller receives. */
const offer = z.object({
  key: z.enum(['fast', 'typical', 'slow']),
  name: z.string(),
  price: money,
  /** After the seller's commission. */
  net: money,
  days: z.number().nullable(),
});

/** Shape of the sales behind a price: sales of similar accounts, each carried over to this account by the model. */
const chart = z.object({
  bins: z.array(z.object({ from: money, to: money, count: z.number().int() })),
  points: z.array(z.object({ day: z.string(), price: money })),
  /** Median days to sell by asking price, ascending; empty when too few sales have times. */
  days: z.array(z.object({ price: money, days: z.number() })),
});

const month = z.object({
  /** 2026-10 */
  month: z.string(),
  percent: z.number(),
  sales: z.number().int(),
});

/**
 * Statistics based on real sales (domain.md 7): low, typical and high price (80 % of similar accounts lie between low and high), the
 * sales it is based on and when it was computed. Below 30 sales `enough` is false and every price null; `comparables` lists those sales.
 */
const result = z.object({
  /** Empty for a preview, which is not stored. */
  evaluationSn: z.string(),
  gameId: z.number().int(),
  gameName: z.string(),
  areaId: z.number().int().nullable(),
  details: z.record(z.string(), z.unknown()),
  enough: z.boolean(),
  low: money.nullable(),
  typical: money.nullable(),
  high: money.nullable(),
  samples: z.number().int(),
  /** First and last day of the sales: 2026-08-24. */
  fromDay: z.string().nullable(),
  toDay: z.string().nullable(),
  /** Half of all sales were within this distance of the estimate, in percent. */
  errorPercent: z.number().nullable(),
  /** Median days to sell at the typical price. */
  days: z.number().nullable(),
  /** The average account of the game, from which the lines lead to the typical price; they add up to the fen. */
  base: money.nullable(),
  lines: z.array(line),
  offers: z.array(offer),
  chart: chart.nullable(),
  comparables: z.array(z.object({ title: z.string(), price: money, days: z.number().nullable(), dealTime: time })),
  /** Share of each month's sales between low and high, oldest first. */
  months: z.array(month),
  /** The price that the platform would pay immediately; null when it offers none. */
  recycleFloor: money.nullable(),
  wantsNum: z.number().int(),
  modelTime: time.nullable(),
  /** The model is out of date. */
  stale: z.boolean(),
  createTime: time,
});

/** `details` as in the publishing form of the game: {field key: value} (gamefilter gives the fields). All fields may be left out. */
export const evaluation = endpoint({
  method: 'POST',
  path: '/api/evaluation',
  auth: 'public',
  summary: '账号估价',
  input: z.object({
    gameId: int({ max: 1_000_000, label: '游戏' }),
    areaId: optionalInt({ max: 100_000_000, label: '大区' }),
    details: json(z.record(z.string().max(40), z.unknown()), '账号信息'),
    /** 1 = only the numbers, without storing the valuation. */
    preview: flag.optional(),
  }),
  data: result,
  limit: 'search',
});

/** A stored valuation by its number, recomputed with the current model, for viewing it again or sharing it. */
export const evaluationInfo = endpoint({
  method: 'GET',
  path: '/api/evaluation',
  auth: 'public',
  summary: '估价结果',
  input: z.object({ evaluationSn: sn }),
  data: result,
  idField: 'evaluationSn',
  limit: 'read',
});

/** The form of a valuation of a game: the fields of its accounts that have a price. */
export const evaluationForm = endpoint({
  method: 'GET',
  path: '/api/evaluation/form',
  auth: 'public',
  summary: '估价要填的字段',
  input: z.object({ gameId: int({ max: 1_000_000, label: '游戏' }) }),
  data: z.object({ gameId: z.number().int(), gameName: z.string(), fields: z.array(fieldSchema) }),
  limit: 'read',
});
