import { z } from 'zod';
import { completedSale } from './site-figures.ts';
import { endpoint } from '#contract/endpoint.ts';
import { handoverStep, opening } from './handover.ts';
import { ruledOutStep } from '#subjects/games/contract/games.ts';
import { OFFLINE_STATES } from '../rules/offline.ts';
import { serviceDueKinds } from '#subjects/services/rules/service-due.ts';
import { amount, int, listTail, money, nothing, optionalInt, optionalText, paging, sn, time } from '#contract/wire.ts';

export { exchangeMove, exchangeOpen, handoverDone, handoverSkip, revealSecret, sealSecret } from './handover.ts';

const feeLine = z.object({ code: z.string(), label: z.string(), amount: money, rule: z.string() });

/** Prices an order without placing it: every fee with its rule (domain.md 3). */
export const quoteOrder = endpoint({
  method: 'GET',
  path: '/api/order/quote',
  auth: 'login',
  summary: '下单前的费用明细',
  input: z.object({
    goodsSn: sn,
    goodsNum: int({ min: 1, max: 100_000, label: '数量' }).default(1),
    ensureId: optionalInt({ max: 1000 }),
    fixEnsureId: optionalInt({ max: 1000 }),
    couponId: optionalInt(),
    bargainId: optionalInt({ label: '议价' }),
  }),
  data: z.object({ lines: z.array(feeLine), totalPrice: money, goodsVersion: z.number().int() }),
  limit: 'read',
});

export const placeOrder = endpoint({
  method: 'POST',
  path: '/api/order/placeOrder',
  auth: 'login',
  summary: '下单',
  input: z.object({
    goodsSn: sn,
    goodsNum: int({ min: 1, max: 100_000, label: '数量' }).default(1),
    ensureId: optionalInt({ max: 1000, label: '包赔' }),
    fixEnsureId: optionalInt({ max: 1000, label: '找回包赔' }),
    couponId: optionalInt({ label: '优惠券' }),
    bargainId: optionalInt({ label: '议价' }),
    goodsVersion: optionalInt({ max: 1_000_000_000, label: '商品版本' }),
    /**
     * The total shown to the buyer; if it differs because a fee has changed, the new one is shown before the order is
     * placed.
     */
    shownPrice: amount({ label: '应付金额' }).optional(),
  }),
  data: z.object({
    orderId: z.number().int(),
    orderSn: z.string(),
    goodsSn: z.string(),
    status: z.number().int(),
    totalPrice: money,
    createTime: time,
  }),
  idempotent: true,
  limit: 'order',
});

/** A button: its action, whether it is available now, else the reason, by the transition table (domain.md 2). */
const action = z.object({
  act: z.string(),
  label: z.string(),
  enabled: z.boolean(),
  reason: z.string().nullable(),
  primary: z.boolean(),
  confirm: z.string().nullable(),
});

const listItem = z.object({
  id: z.number().int(),
  orderSn: z.string(),
  orderTypeId: z.number().int(),
  orderTypeName: z.string(),
  /** The goods type of the traded item; private deals and coin offers state their own. */
  tradedTypeId: z.number().int(),
  gameId: z.number().int().nullable(),
  bigTitle: z.string(),
  details: z.string(),
  unitPrice: money,
  totalPrice: money,
  /** For the seller: what the order brings after commission and refunds; the commission is null for an order without one. */
  sale: z.object({ price: money, commission: money.nullable(), gets: money }).nullable(),
  ensurePrice: money,
  fixEnsurePrice: money,
  ensureId: z.number().int(),
  fixEnsureId: z.number().int(),
  /** How it was handed over outside the site, once the buyer has agreed (subjects/orders/rules/offline.ts); 0 = on the site. */
  isRecovery: z.number().int(),
  /** The seller's mark that it was handed over outside the site, and the buyer's answer. */
  offline: z.object({ state: z.enum(OFFLINE_STATES), method: z.number().int(), name: z.string() }),
  goodsSn: z.string().nullable(),
  goodsNum: z.number().int(),
  payTime: time.nullable(),
  createTime: time,
  status: z.number().int(),
  statusName: z.string(),
  thumbnail: z.string(),
  userId: z.string(),
  belong: z.number().int(),
  partnerName: z.string(),
  deadline: time.nullable(),
  deadlineText: z.string().nullable(),
  /** When the current hand-over step is due, as on the order's page and in the chat; null without one. */
  stepDue: time.nullable(),
  groupId: z.string().nullable(),
  unread: z.number().int(),
  rated: z.boolean(),
  acts: z.array(action),
});

export type OrderListItem = z.output<typeof listItem>;

/** belong 0 = the viewer buys, 1 = the viewer sells (product.md 6); status -1 = the failed ones (6, 7, 8, 9). */
export const queryOrderList = endpoint({
  method: 'GET',
  path: '/api/order/queryOrderList',
  auth: 'login',
  summary: '我的订单',
  input: z.object({
    ...paging,
    status: optionalInt({ min: -1, max: 9, label: '状态' }),
    belong: optionalInt({ max: 1, label: '买卖方' }),
    maxTime: optionalText(40, '结束时间'),
    minTime: optionalText(40, '开始时间'),
    goodsTypeId: optionalInt({ max: 99, label: '商品类型' }),
    keyWord: optionalText(40, '关键词'),
    details: optionalText(200),
    isRecovery: optionalInt({ max: 1 }),
  }),
  data: z.object({ orderList: z.array(listItem), counts: z.record(z.string(), z.number().int()), ...listTail }),
  limit: 'read',
});

export const orderDetail = endpoint({
  method: 'GET',
  path: '/api/order/orderDetail',
  auth: 'login',
  summary: '订单详情',
  input: z.object({ orderSn: sn }),
  data: listItem.extend({
    lines: z.array(feeLine),
    attrs: z.array(z.object({ label: z.string(), value: z.string() })),
    areaText: z.string(),
    gameName: z.string(),
    process: z.array(z.object({ createTime: time, orderStatus: z.number().int(), explain: z.string() })),
    steps: z.array(
      z.object({
        title: z.string(),
        time: time.nullable(),
        text: z.string(),
        state: z.enum(['done', 'current', 'waiting', 'failed']),
      }),
    ),
    handover: z.array(handoverStep),
    ruledOut: z.array(ruledOutStep),
    openings: z.array(opening),
    money: z.object({
      where: z.string(),
      reason: z.string(),
      paid: money,
      refunded: money,
      /**
       * The amount that a channel delivered after the order had moved on; it was refunded automatically. Visible only
       * to the payer.
       */
      late: money,
      /**
       * The amount in escrow: for the buyer the payment, for the seller the proceeds, less amounts paid out. Null when
       * nothing is.
       */
      held: money.nullable(),
      sellerGets: money.nullable(),
      commission: money.nullable(),
      releaseTime: time.nullable(),
      staged: z.boolean(),
      released: z.boolean(),
      points: z.array(
        z.object({
          title: z.string(),
          amount: money.nullable(),
          text: z.string(),
          state: z.enum(['done', 'current', 'waiting']),
        }),
      ),
      /** Each part of the payment: where the money is, until when, and what happens to it if the order is cancelled now. */
      parts: z.array(
        z.object({
          code: z.string(),
          label: z.string(),
          amount: money,
          state: z.string(),
          until: z.string(),
          onCancel: z.string(),
        }),
      ),
    }),
    staffName: z.string().nullable(),
    /** The next step and its current actor, for this reader; `kind` for boosting and companion play. */
    due: z.object({
      title: z.string(),
      turn: z.enum(['buyer', 'seller', 'staff']).nullable(),
      kind: z.enum(serviceDueKinds).nullable(),
    }),
    cancelAsked: z.boolean(),
    /** The inspection of a recycled account found less than stated, and the seller must agree to the lower price. */
    cutAsked: z.boolean(),
    /** The party that has paid for the inspected account and still has to take it over; null for other orders. */
    takeOver: z.enum(['recycler', 'platform']).nullable(),
    /** A dispute is open: every clock of the order is stopped. */
    disputed: z.boolean(),
    /** For the buyer of a shipped order: the effect of confirming receipt now on the money; null for others. */
    receipt: z.object({ amount: money, frozenUntil: time, hasStages: z.boolean() }).nullable(),
    /** How long the buyer may inspect, and how long the money stays frozen after the receipt; null once the order has ended. */
    protection: z.object({ inspectHours: z.number().int(), holdHours: z.number().int() }).nullable(),
    /** Since when the auto-confirm clock waits for required steps. */
    stoppedTime: time.nullable(),
    /** The viewer has left contact details for this transaction; only the assigned customer service can read them. */
    contactSaved: z.boolean(),
    payExpireTime: time.nullable(),
    viewer: z.enum(['buyer', 'seller']),
  }),
  idField: 'orderSn',
  limit: 'read',
});

/** Status history (createTime, orderStatus, explain). */
export const listOrderProcess = endpoint({
  method: 'GET',
  path: '/api/order/listOrderProcess',
  auth: 'login',
  summary: '订单状态记录',
  input: z.object({ orderSn: sn }),
  data: z.object({ list: z.array(z.object({ createTime: time, orderStatus: z.number().int(), explain: z.string() })) }),
  idField: 'orderSn',
  limit: 'read',
});

const stepped = z.object({
  orderId: z.number().int(),
  orderSn: z.string(),
  status: z.number().int(),
  statusName: z.string(),
});

const orderId = int({ min: 1, label: '订单内部编号' });

export const cancelOrder = endpoint({
  method: 'POST',
  path: '/api/order/cancelOrder',
  auth: 'login',
  summary: '取消订单（买家、卖家按各自规则）',
  input: z.object({ orderId, reason: optionalText(200, '原因') }),
  data: stepped,
  idempotent: true,
  limit: 'write',
});

/** After the seller or staff has acted, a buyer requests a cancellation; the seller accepts or declines. */
export const requestCancel = endpoint({
  method: 'POST',
  path: '/api/order/askCancel',
  auth: 'login',
  summary: '申请协商取消、同意或拒绝',
  input: z.object({
    orderId,
    act: z.enum(['ask', 'agree', 'decline'], { error: '操作不正确' }),
    reason: optionalText(200, '原因'),
  }),
  data: stepped,
  limit: 'write',
});

/**
 * The seller ships; the hand-over steps before shipping must be done (product.md 7 names the call; domain.md 2 the
 * rule). `isRecovery` marks it as handed over outside the site, which the buyer answers and which does not affect the
 * rules for the money (decision 303). A shipped order can still be marked, once.
 */
export const offlineTranSub = endpoint({
  method: 'POST',
  path: '/api/order/offlineTranSub',
  auth: 'login',
  summary: '卖家发货，可标明线下交付',
  input: z.object({ orderId, isRecovery: optionalInt({ max: 3, label: '交付方式' }) }),
  data: stepped,
  idempotent: true,
  limit: 'write',
});

/**
 * The buyer's answer to the seller's mark of an offline transaction: 1 it is true, 0 it is not. Once, while the order
 * is shipped.
 */
export const offlineTranAnswer = endpoint({
  method: 'POST',
  path: '/api/order/offlineTranAnswer',
  auth: 'login',
  summary: '买家核对线下交付',
  input: z.object({ orderId, agree: int({ max: 1, label: '核对结果' }) }),
  data: stepped,
  limit: 'write',
});

export const confirmRecGoods = endpoint({
  method: 'POST',
  path: '/api/order/confirmRecGoods',
  auth: 'login',
  summary: '买家确认收货',
  input: z.object({ orderId }),
  data: stepped,
  idempotent: true,
  limit: 'write',
});

export const deleteOrder = endpoint({
  method: 'POST',
  path: '/api/order/deleteOrder',
  auth: 'login',
  summary: '隐藏已结束的订单',
  input: z.object({ orderId }),
  data: nothing,
  limit: 'write',
});

/**
 * Completed sales, newest first, by game, type and day of China (2026-11-20). Private deals (51) and the platform's own
 * purchases (52) are excluded.
 */
export const everydayDealOrderList = endpoint({
  method: 'GET',
  path: '/api/order/everydayDealOrderList',
  auth: 'public',
  summary: '每日成交',
  input: z.object({
    ...paging,
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    goodsTypeId: optionalInt({ max: 99, label: '商品类型' }),
    day: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, '日期格式不正确')
      .refine((text) => !Number.isNaN(Date.parse(text)), '日期格式不正确')
      .optional(),
  }),
  data: z.object({
    list: z.array(completedSale),
    /** Number of completed sales per day, oldest first, for the requested game. */
    days: z.array(z.object({ day: z.string(), deals: z.number().int() })),
    /** Games with completed sales in those days, most sales first. */
    games: z.array(z.object({ gameId: z.number().int(), gameName: z.string(), deals: z.number().int() })),
    next: z.string().nullable(),
  }),
  limit: 'read',
});

export const distCount = endpoint({
  method: 'GET',
  path: '/api/order/distCount',
  auth: 'public',
  summary: '站点统计',
  input: z.object({}),
  data: z.object({
    onSale: z.number().int(),
    escrowTotal: money,
    disputeRate30: z.number(),
    averageShipMinutes: z.number().int().nullable(),
    claimsPaid: z.number().int(),
    dealsToday: z.number().int(),
    /** Completed orders of the last thirty days; with few of them the rates are not meaningful. */
    deals30: z.number().int(),
  }),
  limit: 'read',
});
