import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/wire.ts';

const count = z.number().int();

/**
 * What a user is besides a buyer: a seller from the first listing or recycling request on, a provider of services or a trader
 * once the application is approved, a user of the open interface with the first key.
 */
export const CENTER_ROLES = ['seller', 'shop', 'booster', 'companion', 'recycler', 'api'] as const;
export type CenterRole = (typeof CENTER_ROLES)[number];

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

/** For the centre's start page: what the user has to do next, the nearest deadline first, then what has no deadline. */
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
        /** How many things of this kind wait; 1 for an order. */
        count,
        /** When the first of them runs out of time. */
        due: time.nullable(),
        /** Since when the first of them waits, where the kind has no deadline. */
        since: time.nullable(),
        /** Of an order: its headline for this user, what is traded, and which party the user is. */
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
    /** How many orders wait for the user, also those beyond the list; 100 meaning more than 99. */
    orders: count,
  }),
  limit: 'read',
});
