import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { money, time } from './wire.ts';

/**
 * Pending work for the caller's role, today's figures (day of China) and those of the last week. Figures that the role
 * may not see are absent.
 */
export const staffHome = endpoint({
  method: 'GET',
  path: '/api/backstage/home',
  auth: 'staff',
  summary: '工作台',
  input: z.object({}),
  data: z.object({
    todos: z.array(
      z.object({ key: z.string(), name: z.string(), count: z.number().int(), more: z.boolean(), to: z.string() }),
    ),
    today: z
      .object({
        ordersPlaced: z.number().int(),
        ordersPaid: z.number().int(),
        ordersDone: z.number().int(),
        paid: money,
        done: money,
        newUsers: z.number().int(),
        newGoods: z.number().int(),
      })
      .nullable(),
    days: z.array(z.object({ day: z.string(), orders: z.number().int(), paid: money })),
    time,
  }),
  limit: 'read',
});
