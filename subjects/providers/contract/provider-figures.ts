import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { money } from '#contract/wire.ts';

/** Figures of the last eight weeks, oldest first; weeks begin on Monday in China. */
const weeks = z.array(
  z.object({
    start: z.string(),
    orders: z.number().int(),
    done: z.number().int(),
    onTime: z.number().int(),
    /** A shop's income; what a recycler spent. */
    amount: money,
  }),
);

/** A coin shop's own figures: views, orders, deliveries in time and income. */
export const shopStatistics = endpoint({
  method: 'GET',
  path: '/api/quickCoin/statistics',
  auth: 'login',
  summary: '金币店铺的经营统计',
  input: z.object({}),
  data: z.object({
    views30: z.number().int(),
    orders30: z.number().int(),
    done30: z.number().int(),
    cancelled30: z.number().int(),
    disputes30: z.number().int(),
    /** Delivered by the time that was promised; null below ten. */
    onTimeRate: z.number().nullable(),
    weeks,
  }),
  limit: 'read',
});

/** A recycler's own figures: bids and bids won, purchases, receipts in time, and spending. */
export const recyclerStatistics = endpoint({
  method: 'GET',
  path: '/api/recycle/statistics',
  auth: 'login',
  summary: '回收数据',
  input: z.object({}),
  data: z.object({
    bids30: z.number().int(),
    won30: z.number().int(),
    orders30: z.number().int(),
    done30: z.number().int(),
    cancelled30: z.number().int(),
    disputes30: z.number().int(),
    /** Confirmed by the recycler before the clock did; null below ten. */
    onTimeRate: z.number().nullable(),
    weeks,
  }),
  limit: 'read',
});
