import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const count = z.number().int();

/** For the centre's menu: how much waits for the user in each list, 100 meaning more than 99. */
export const todoCounts = endpoint({
  method: 'GET',
  path: '/api/user/todoCounts',
  auth: 'login',
  summary: '个人中心各列表的待办数',
  input: z.object({}),
  data: z.object({
    /** Orders to pay or to confirm. */
    bought: count,
    /** Orders to ship. */
    sold: count,
    /** Questions about the user's listings without an answer. */
    questions: count,
    /** Offers on the user's listings that wait for a reply. */
    bargainsReceived: count,
    /** The user's offers that he can answer or order at. */
    bargainsMade: count,
    /** Open disputes of the user's orders. */
    disputes: count,
    coupons: count,
  }),
  limit: 'read',
});
