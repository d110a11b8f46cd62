import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/wire.ts';

const count = z.number().int();

/**
 * The roles of a user in addition to buyer: a seller from the first listing or recycling request, a provider of services or a trader once the
 * application is approved, a user of the open interface with the first key.
 */
export const CENTER_ROLES = ['seller', 'shop', 'booster', 'companion', 'recycler', 'api'] as const;
export type CenterRole = (typeof CENTER_ROLES)[number];

/** For the centre's menu: the number of pending items in each list, 100 meaning more than 99. */
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
    /** The user's offers that the user can answer or order at. */
    bargainsMade: count,
    /** Open disputes of the user's orders. */
    disputes: count,
    coupons: count,
    /** The roles that decide which entries the menu shows. */
    roles: z.array(z.enum(CENTER_ROLES)),
  }),
  limit: 'read',
});

/** Longest list of next steps. */
export const NEXT_STEPS_MAX = 8;

export const NEXT_STEP_KINDS = [
  'order',
  'questions',
  'bargainsReceived',
  'bargainsMade',
  'inspections',
  'identity',
  'payPassword',
  'coupons',
] as const;

/** For the centre's start page: the user's next steps, nearest deadline first, then those without a deadline. */
export const nextSteps = endpoint({
  method: 'GET',
  path: '/api/user/nextSteps',
  auth: 'login',
  summary: '接下来要处理的事',
  input: z.object({}),
  data: z.object({
    steps: z.array(
      z.object({
        kind: z.enum(NEXT_STEP_KINDS),
        /** The number of pending items of this kind; 1 for an order. */
        count,
        /** The earliest deadline among them. */
        due: time.nullable(),
        /** Since when the oldest of them is pending, if the kind has no deadline. */
        since: time.nullable(),
        /** For an order: its headline for this user, the item, and the user's party. */
        order: z
          .object({
            orderSn: z.string(),
            title: z.string(),
            goods: z.string(),
            belong: z.number().int(),
            status: z.number().int(),
          })
          .nullable(),
      }),
    ),
    /** The number of orders that await the user, including those beyond the list; 100 meaning more than 99. */
    orders: count,
  }),
  limit: 'read',
});
