import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { TIP_MAX_FEN, TIP_MIN_FEN } from '../rules/companion-slots.ts';
import { amount, int, json, money, sn, time } from '#contract/wire.ts';

/** Calls of companion play other than the order: calendar, cards, tips, figures. */

/** The hours of a companion for two weeks: free, taken, off, past. */
export const companionCalendar = endpoint({
  method: 'GET',
  path: '/api/accompanyer/calendar',
  auth: 'public',
  summary: '陪玩可约时间',
  input: z.object({ goodsSn: sn }),
  data: z.object({
    minHours: z.number().int(),
    maxHours: z.number().int(),
    price: money,
    days: z.array(
      z.object({
        date: z.string(),
        /** 24 letters, one per hour: f free, t taken, o off, p past. */
        hours: z.string(),
      }),
    ),
  }),
  limit: 'read',
});

/** The data of companions for the rows of a list. */
export const companionCards = endpoint({
  method: 'GET',
  path: '/api/accompanyer/cards',
  auth: 'public',
  summary: '陪玩列表卡片',
  input: z.object({ goodsSns: json(z.array(sn).max(50), '编号') }),
  data: z.object({
    list: z.array(
      z.object({
        goodsSn: z.string(),
        name: z.string(),
        avatar: z.string(),
        gender: z.enum(['female', 'male', 'secret']),
        tags: z.array(z.string()),
        voice: z.object({ key: z.string(), url: z.string(), seconds: z.number().int() }).nullable(),
        /** Why it cannot begin now; null when it can. */
        closedNow: z.string().nullable(),
        /** Six hours from 18:00, with the letters of the calendar. */
        tonight: z.string(),
        /** The first hours that can be booked: days from today on, hour of the day, hour at which they end (above 24 on the next day). */
        nextFree: z
          .object({ day: z.number().int(), date: z.string(), hour: z.number().int(), until: z.number().int() })
          .nullable(),
        score: z.number().nullable(),
        doneNum: z.number().int(),
        noShows: z.number().int(),
      }),
    ),
  }),
  limit: 'read',
});

/** A tip after companion play: with commission, frozen like a sale, at most the amount paid for play. */
export const companionTip = endpoint({
  method: 'POST',
  path: '/api/service/tip',
  auth: 'login',
  summary: '打赏陪玩',
  input: z.object({
    orderId: int({ min: 1, label: '订单' }),
    amount: amount({ label: '打赏金额', minFen: TIP_MIN_FEN, maxFen: TIP_MAX_FEN }),
    payPassword: z.string().max(64).optional(),
  }),
  data: z.object({ tipped: money, left: money }),
  idempotent: true,
  limit: 'pay',
});

/** A companion's figures: views, orders, hours, attendance, income by week. */
export const companionFigures = endpoint({
  method: 'GET',
  path: '/api/accompanyer/figures',
  auth: 'login',
  summary: '陪玩数据',
  input: z.object({}),
  data: z.object({
    views: z.number().int(),
    orders: z.number().int(),
    doneNum: z.number().int(),
    noShows: z.number().int(),
    repeatRate: z.number().nullable(),
    onTimeRate: z.number().nullable(),
    score: z.number().nullable(),
    weeks: z.array(z.object({ from: time, orders: z.number().int(), hours: z.number(), income: money, tips: money })),
  }),
  limit: 'read',
});
