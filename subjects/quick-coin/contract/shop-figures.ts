import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { weeks } from '#subjects/providers/contract/provider-figures.ts';

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
