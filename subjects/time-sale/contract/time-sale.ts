import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { amount, int, money, nothing, optionalInt, sn, time } from '#contract/wire.ts';

/**
 * A price for a limited time on a listing that is on sale (page /wares/{sn}/timePurchase). `was` is the lowest price of
 * the 30 days before.
 */
export const timeSaleInfo = endpoint({
  method: 'GET',
  path: '/api/goods/timeSaleInfo',
  auth: 'public',
  summary: '限时价',
  input: z.object({ goodsSn: sn }),
  data: z.object({
    now: time,
    sale: z
      .object({
        price: money,
        was: money,
        allInPrice: money,
        offPercent: z.number().int(),
        leftNum: z.number().int(),
        startTime: time,
        endTime: time,
        state: z.enum(['coming', 'open', 'over']),
      })
      .nullable(),
    /** The allowed prices of a sale of this listing, or why none can be created; only for its seller. */
    own: z
      .object({
        reference: money,
        minPrice: money,
        maxPrice: money,
        stock: z.number().int(),
        closed: z.string().nullable(),
      })
      .nullable(),
  }),
  idField: 'goodsSn',
  limit: 'read',
});

/** The seller creates a sale, or stops it. It starts immediately or in `startHour` hours, and lasts `hours`. */
export const saveTimeSale = endpoint({
  method: 'POST',
  path: '/api/goods/saveTimeSale',
  auth: 'login',
  summary: '设置或停止限时价',
  input: z
    .object({
      goodsSn: sn,
      act: z.enum(['save', 'stop'], { error: '操作不正确' }).default('save'),
      price: amount({ minFen: 100, maxFen: 99_999_999, label: '限时价' }).optional(),
      startHour: int({ max: 168, label: '开始时间' }).default(0),
      hours: int({ min: 1, max: 72, label: '持续时间' }).default(24),
      num: optionalInt({ min: 1, max: 100_000, label: '数量' }),
    })
    .refine((v) => v.act === 'stop' || v.price !== undefined, { error: '请填写限时价', path: ['price'] }),
  data: nothing,
  limit: 'publish',
});

/**
 * Orders at the sale's price while the sale is running; `price` is the price displayed to the buyer. Paid like every
 * order.
 */
export const placeTimePurchase = endpoint({
  method: 'POST',
  path: '/api/goods/placeTimePurchase',
  auth: 'login',
  summary: '限时价下单',
  input: z.object({
    goodsSn: sn,
    goodsNum: int({ min: 1, max: 100_000, label: '数量' }).default(1),
    price: amount({ minFen: 1, maxFen: 999_999_900, label: '限时价' }),
  }),
  data: z.object({
    orderId: z.number().int(),
    orderSn: z.string(),
    goodsSn: z.string(),
    status: z.number().int(),
    totalPrice: money,
    createTime: time,
  }),
  idempotent: true,
  limit: 'order',
});
