import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { serviceModes } from '#subjects/providers/contract/provider.ts';
import { cancelReasons, milestoneStates, serviceStates } from '../rules/service.ts';
import { typedKeyword } from '#contract/rules/texts/typed.ts';
import { listTail, money, paging, sn, text, time, optionalTyped } from '#contract/wire.ts';

/** Boosting in the back office: orders with their problems, and the deposits of an order under a ruling. */

export const boostingScopes = ['all', 'open', 'late', 'disputed', 'cancel', 'ban', 'ended'] as const;

/** Orders of boosting by their pending matter, newest first, with overall figures. */
export const staffBoostingList = staffRead('/api/backstage/boosting/list', '代练订单（后台）', {
  input: z.object({
    ...paging,
    scope: z.enum(boostingScopes, { error: '范围不正确' }).default('all'),
    keyWord: optionalTyped(typedKeyword, 40, '关键词'),
  }),
  data: z.object({
    figures: z.object({
      /** Open orders that wait for a booster, and their money. */
      requests: z.number().int(),
      requestsHeld: money,
      running: z.number().int(),
      held: money,
      /** Deposits of boosters frozen for orders. */
      deposits: money,
      done30: z.number().int(),
      onTimePercent: z.number().nullable(),
      bans30: z.number().int(),
    }),
    counts: z.record(z.string(), z.number().int()),
    list: z.array(
      z.object({
        orderSn: z.string(),
        title: z.string(),
        gameName: z.string(),
        buyerName: z.string(),
        boosterName: z.string(),
        state: z.enum(serviceStates),
        stateName: z.string(),
        disputed: z.boolean(),
        isLate: z.boolean(),
        banned: z.boolean(),
        cancelAsked: z.boolean(),
        fromRequest: z.boolean(),
        donePercent: z.number().int(),
        price: money,
        paid: money,
        dueTime: time.nullable(),
        /** Until when the buyer's account is awaited; the order is refunded then. */
        accountTime: time.nullable(),
        /** When a late order ends, or goes to customer service, unless a party acts. */
        lateTime: time.nullable(),
        createTime: time,
      }),
    ),
    ...listTail,
  }),
});

const split = z.object({
  reason: z.enum(cancelReasons),
  reasonName: z.string(),
  buyer: money,
  paid: money,
  provider: money,
  fee: money,
  /** The part of the price that a ruling by this table refunds. */
  back: money,
  efficiencyToBuyer: z.boolean(),
});

/** One order of boosting: the split as shown to its parties, its stages, and the decision on its deposits. */
export const staffBoostingInfo = staffRead('/api/backstage/boosting/info', '代练订单详情（后台）', {
  input: z.object({ orderSn: sn }),
  data: z.object({
    orderId: z.number().int(),
    orderSn: z.string(),
    title: z.string(),
    state: z.enum(serviceStates),
    stateName: z.string(),
    mode: z.enum(serviceModes),
    modeName: z.string(),
    area: z.string(),
    note: z.string(),
    buyerName: z.string(),
    boosterName: z.string(),
    price: money,
    held: money,
    paid: money,
    acceptTime: time.nullable(),
    dueTime: time.nullable(),
    isLate: z.boolean(),
    /** Until when the buyer's account is awaited; the order is refunded then. */
    accountTime: time.nullable(),
    /**
     * The time at which the late order ends automatically, or (`isJudged`) goes to customer service with what was shown, unless
     * a party acts.
     */
    late: z.object({ by: time, isJudged: z.boolean() }).nullable(),
    pausedMinutes: z.number().int(),
    milestones: z.array(
      z.object({
        seq: z.number().int(),
        title: z.string(),
        amount: money,
        state: z.enum(milestoneStates),
        progressPercent: z.number().int(),
        refusedNum: z.number().int(),
        note: z.string(),
        pictures: z.array(z.object({ url: z.string(), thumb: z.string() })),
      }),
    ),
    splits: z.array(split),
    events: z.array(z.object({ who: z.string(), kind: z.string(), text: z.string(), time })),
    cancels: z.array(z.object({ by: z.string(), reason: z.string(), status: z.string(), time })),
    ban: z.object({ by: z.enum(['buyer', 'seller']), time }).nullable(),
    dispute: z.object({ disputeSn: z.string(), statusName: z.string() }).nullable(),
    deposits: z.object({
      safety: money,
      efficiency: money,
      /** The decision for the pending ruling; null without one. */
      decided: z.object({ safety: z.enum(['buyer', 'booster']), efficiency: z.enum(['buyer', 'booster']) }).nullable(),
      /** Above the limit for one person: a colleague's decision, which takes effect when another person makes the same one. */
      draft: z
        .object({
          by: z.string(),
          isMine: z.boolean(),
          safety: z.enum(['buyer', 'booster']),
          efficiency: z.enum(['buyer', 'booster']),
          reason: z.string(),
        })
        .nullable(),
    }),
    canDecide: z.boolean(),
  }),
});

const to = (label: string) => z.enum(['buyer', 'booster'], { error: `请选择${label}归谁` });

/**
 * Decides who gets the deposits if the open dispute is ruled so that the order ends. No money moves before that ruling.
 * Above the limit of one person it applies once a colleague has decided the same: until then `waits`.
 */
export const staffBoostingDeposits = staffWrite('/api/backstage/boosting/deposits', '裁定代练保证金', {
  input: z.object({
    orderSn: sn,
    safety: to('安全保证金'),
    efficiency: to('效率保证金'),
    reason: text(200, { min: 5, label: '理由' }),
  }),
  data: z.object({ waits: z.boolean() }),
});
