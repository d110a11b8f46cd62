import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { int, json, money, sn, time } from './wire.ts';

/**
 * Statistics based on real sales (domain.md 7): the price band, the number of sales it is based on and when it was
 * computed; too few sales give no numbers.
 */
const result = z.object({
  evaluationSn: z.string(),
  gameId: z.number().int(),
  gameName: z.string(),
  enough: z.boolean(),
  low: money.nullable(),
  typical: money.nullable(),
  high: money.nullable(),
  samples: z.number().int(),
  /** Half of all sales were within this distance of the estimate, in percent. */
  errorPercent: z.number().nullable(),
  /** What each attribute of the account adds. */
  lines: z.array(z.object({ label: z.string(), value: z.string(), amount: money })),
  comparables: z.array(z.object({ title: z.string(), price: money, dealTime: time })),
  /** What the recycler would pay immediately, if there is such an offer. */
  recycleFloor: money.nullable(),
  wantsNum: z.number().int(),
  modelTime: time.nullable(),
  createTime: time,
});

/** `details` as in the publishing form of the game: {field key: value} (gamefilter gives the fields). */
export const evaluation = endpoint({
  method: 'POST',
  path: '/api/evaluation',
  auth: 'public',
  summary: '账号估价',
  input: z.object({
    gameId: int({ max: 1_000_000, label: '游戏' }),
    details: json(z.record(z.string().max(40), z.unknown()), '账号信息'),
  }),
  data: result,
  limit: 'search',
});

/** A result by its number, to view it again or to share it. */
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
