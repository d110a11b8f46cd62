import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { money, time } from './wire.ts';

const need = z.object({
  key: z.enum(['buyers', 'fen', 'days', 'bad', 'rating']),
  label: z.string(),
  /** In words with their unit: '12 位', '4.8 分'. */
  have: z.string(),
  need: z.string(),
  met: z.boolean(),
});

/**
 * How long the money of the caller's next sale would be held: by the seller's level and deposit, as completion counts it. `text` is the
 * sentence of it. For the publishing form.
 */
export const saleHold = endpoint({
  method: 'GET',
  path: '/api/user/saleHold',
  auth: 'login',
  summary: '卖出后货款冻结多久',
  input: z.object({}),
  data: z.object({
    level: z.number().int(),
    hours: z.number().int(),
    /** What comes free before: hours after the confirmation, and the share in basis points. */
    stages: z.array(z.object({ hours: z.number().int(), bp: z.number().int() })),
    /** The most that may come free early of all running sales: by the level, and no more than the deposit covers. */
    earlyMax: money,
    text: z.string(),
  }),
  limit: 'read',
});

/** Where the caller stands as a seller: the level, what was counted for it, what was left out and why, and what the next one wants. */
export const sellerLevel = endpoint({
  method: 'GET',
  path: '/api/user/sellerLevel',
  auth: 'login',
  summary: '卖家等级',
  input: z.object({}),
  data: z.object({
    level: z.number().int(),
    levelName: z.string(),
    /** When this level began; null when nothing was ever counted. */
    sinceTime: time.nullable(),
    windowDays: z.number().int(),
    counted: z.object({
      buyers: z.number().int(),
      orders: z.number().int(),
      amount: money,
      days: z.number().int(),
      lost: z.number().int(),
      cancelled: z.number().int(),
      ratings: z.number().int(),
      average: z.number().nullable(),
    }),
    /** Finished sales that count for nothing. */
    leftOut: z.array(z.object({ label: z.string(), count: z.number().int(), explain: z.string() })),
    /** Sentences of the rule, with its numbers. */
    rules: z.array(z.string()),
    ruleNo: z.string(),
    ladder: z.array(
      z.object({
        level: z.number().int(),
        name: z.string(),
        /** How long a sale's money is held at this level. */
        holdHours: z.number().int(),
        /** What of it comes free before, in words: '6 小时放出 50%'; empty when nothing does. */
        stagesText: z.string(),
        reached: z.boolean(),
        needs: z.array(need),
      }),
    ),
    /** The hold of the caller's sales now: with the higher deposit it is that of one level more. */
    holdHours: z.number().int(),
    stagesText: z.string(),
    hasDepositStep: z.boolean(),
    history: z.array(z.object({ fromName: z.string(), toName: z.string(), up: z.boolean(), time })),
  }),
  limit: 'read',
});
