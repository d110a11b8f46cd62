import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { weeks } from '#subjects/providers/contract/provider-figures.ts';

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
