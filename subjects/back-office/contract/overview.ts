import { z } from 'zod';
import { staffRead } from '#contract/endpoint.ts';
import { typedKeyword } from '#contract/rules/texts/typed.ts';
import { text, time, typed } from '#contract/wire.ts';

/** Calls used on every page: the counters of the queues and the global search. */

/**
 * The caller's queues, in the order of their keys G 1 to G 9: how many are pending, how many are late or in the last
 * third of their time, and the next deadline. `menu` is the menu page that shows the count.
 */
export const staffCounters = staffRead('/api/backstage/counters', '各队列的数量与时限', {
  input: z.object({}),
  data: z.object({
    queues: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        to: z.string(),
        menu: z.string(),
        count: z.number().int(),
        totalCapped: z.boolean(),
        over: z.number().int(),
        soon: z.number().int(),
        nextTime: time.nullable(),
        /** The full time limit of the next one, in seconds. */
        nextLimit: z.number().int(),
        limitText: z.string(),
      }),
    ),
    time,
  }),
});
export type StaffQueue = z.output<typeof staffCounters.data>['queues'][number];

/**
 * Finds an order, listing, case, withdrawal, conversation or person by a complete number, phone or payee, and people by
 * the beginning of their name. Only what the caller's permissions and site allow; look-ups of people are audited.
 */
export const staffSearch = staffRead('/api/backstage/search', '全局查找', {
  input: z.object({ q: typed(typedKeyword, text(60, { min: 2, label: '关键词' })) }),
  data: z.object({
    groups: z.array(
      z.object({
        kind: z.enum(['order', 'person', 'payee', 'goods', 'group', 'dispute', 'claim', 'withdrawal']),
        name: z.string(),
        items: z.array(
          z.object({ key: z.string(), title: z.string(), note: z.string(), state: z.string(), to: z.string() }),
        ),
      }),
    ),
  }),
  limit: 'search',
});
