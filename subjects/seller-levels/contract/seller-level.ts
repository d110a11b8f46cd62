import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { money, time } from '#contract/wire.ts';

const need = z.object({
  key: z.enum(['buyers', 'fen', 'days', 'bad', 'rating']),
  label: z.string(),
  /** With the unit: '12 位', '4.8 分'. */
  have: z.string(),
  need: z.string(),
  met: z.boolean(),
});

/**
 * How long the money of the caller's next sale would be held, by the seller's level and deposit; computed as at
 * completion. `text` is the same as a sentence. Used by the publishing form.
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
    /** Early releases: hours after the confirmation, and the share in basis points. */
    stages: z.array(z.object({ hours: z.number().int(), bp: z.number().int() })),
    /**
     * The maximum amount of early releases over all running sales: by the level, and never more than the deposit
     * covers.
     */
    earlyMax: money,
    text: z.string(),
  }),
  limit: 'read',
});

/**
 * The caller's seller level: the figures that counted, those that were excluded with the reason, and the requirements of the next
 * level.
 */
export const sellerLevel = endpoint({
  method: 'GET',
  path: '/api/user/sellerLevel',
  auth: 'login',
  summary: '卖家等级',
  input: z.object({}),
  data: z.object({
    level: z.number().int(),
    levelName: z.string(),
    /** When this level began; null when nothing was counted yet. */
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
    /** Completed sales that do not count. */
    leftOut: z.array(z.object({ label: z.string(), count: z.number().int(), explain: z.string() })),
    /** The text of the rule, with its numbers. */
    rules: z.array(z.string()),
    ruleNo: z.string(),
    ladder: z.array(
      z.object({
        level: z.number().int(),
        name: z.string(),
        /** How long a sale's money is held at this level. */
        holdHours: z.number().int(),
        /** The early releases as text: '6 小时放出 50%'; empty when there are none. */
        stagesText: z.string(),
        reached: z.boolean(),
        needs: z.array(need),
      }),
    ),
    /** The current hold of the caller's sales: with the higher deposit it is that of the next level. */
    holdHours: z.number().int(),
    stagesText: z.string(),
    hasDepositStep: z.boolean(),
    history: z.array(z.object({ fromName: z.string(), toName: z.string(), up: z.boolean(), time })),
  }),
  limit: 'read',
});
