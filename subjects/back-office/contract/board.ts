import { z } from 'zod';
import { staffRead } from '#contract/endpoint.ts';
import { chinaDayField, money, optionalInt, time } from '#contract/wire.ts';

/**
 * The panels of the back office's first page. Each is a separate call, so that a failure does not affect the others.
 */

/** The filters of all panels; the last `days` days, compared with the same number of days before. */
const scope = {
  days: z.enum(['7', '14', '30', '90'], { error: '请选择时间范围' }).default('14'),
  distId: optionalInt({ min: 1, max: 2_147_483_647, label: '品牌' }),
  gameId: optionalInt({ min: 1, max: 2_147_483_647, label: '游戏' }),
};

const sums = z.object({ orders: z.number().int(), paid: money, income: money });

/** Paid orders by day, with the days before; `countTime`: when they were counted. */
export const boardTrade = staffRead('/api/backstage/board/trade', '工作台：付款金额', {
  mayLag: true,
  input: z.object(scope),
  data: z.object({
    days: z.array(
      z.object({ day: z.string(), orders: z.number().int(), paid: money, orders0: z.number().int(), paid0: money }),
    ),
    now: sums,
    before: sums,
    countTime: time.nullable(),
    brands: z.array(z.object({ distId: z.number().int(), name: z.string() })),
    games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
  }),
});

/** One day, or the whole range, divided by game, brand or type. */
export const boardParts = staffRead('/api/backstage/board/parts', '工作台：按游戏、品牌、类型', {
  mayLag: true,
  input: z.object({
    ...scope,
    day: chinaDayField('日期').optional(),
    by: z.enum(['game', 'dist', 'type']).default('game'),
  }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        orders: z.number().int(),
        paid: money,
        paid0: money,
        disputed: z.number().int(),
        /** Views of the listings; null when they are not counted. */
        views: z.number().int().nullable(),
      }),
    ),
  }),
});

const steps = z.object({
  views: z.number().int(),
  placed: z.number().int(),
  paid: z.number().int(),
  shipped: z.number().int(),
  done: z.number().int(),
});

/** The funnel from a view of a listing to the completed order: the orders placed in the range and their present state. */
export const boardFunnel = staffRead('/api/backstage/board/funnel', '工作台：从看到到成交', {
  mayLag: true,
  input: z.object(scope),
  data: z.object({
    now: steps,
    before: steps,
    unpaid: z.number().int(),
    undone: z.number().int(),
    /** Views are counted for the whole market only; null with a brand. */
    seesViews: z.boolean(),
    /** The days in which the orders were placed. */
    fromDay: z.string(),
    toDay: z.string(),
    /** The same by brand, largest first; empty when only one brand is visible. */
    brands: z.array(z.object({ distId: z.number().int(), name: z.string(), now: steps.omit({ views: true }) })),
  }),
});

const entry = z.object({ key: z.string(), name: z.string(), count: z.number().int() });

/** Open disputes by state and by reason. */
export const boardDisputes = staffRead('/api/backstage/board/disputes', '工作台：申诉', {
  mayLag: true,
  input: z.object({ distId: scope.distId }),
  data: z.object({
    open: z.number().int(),
    late: z.number().int(),
    states: z.array(entry),
    reasons: z.array(entry),
  }),
});

/** The guarantee fund relative to its worst week, and when frozen money is released. */
export const boardMoney = staffRead('/api/backstage/board/money', '工作台：包赔基金与冻结款', {
  mayLag: true,
  input: z.object({}),
  data: z.object({
    fund: money,
    fundDays: z.array(z.object({ day: z.string(), balance: money, paid: money })),
    covers: z.number().int(),
    insured: money,
    worstWeek: money,
    /** How many times the fund would pay the worst week of 90 days; null without one. */
    lasts: z.number().nullable(),
    frozen: money,
    holds: z.number().int(),
    releases: z.array(z.object({ day: z.string(), amount: money })),
    /** `codes`: the values of the filter of the list of holds. */
    reasons: z.array(z.object({ codes: z.string(), name: z.string(), count: z.number().int(), amount: money })),
  }),
});
