import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { openedForm } from './handover.ts';
import { orderDetail } from './order.ts';
import { orderList } from './list-orders.ts';
import { bulkResult, int, json, nothing, optionalInt, optionalText, sn, text, time } from '#contract/wire.ts';

const orderId = int({ min: 1, label: '订单内部编号' });

const step = int({ min: 1, max: 50, label: '步骤' });

const pictureKeys = json(z.array(z.string().max(80)).max(6, '最多 6 张图片'), '凭证').default([]);

/** Orders by their filters, newest first. */
export const staffOrderList = staffRead('/api/backstage/order/list', '订单查询（后台）', {
  input: orderList.input,
  data: orderList.data,
  limit: 'search',
});

export const staffOrderDetail = staffRead('/api/backstage/order/detail', '订单详情（后台）', {
  input: z.object({ orderSn: sn }),
  data: orderDetail.data.extend({
    buyerId: z.string(),
    buyerName: z.string(),
    buyerUnion: z.string(),
    sellerId: z.string(),
    sellerName: z.string(),
    sellerUnion: z.string(),
    staffId: z.number().int().nullable(),
    distName: z.string(),
    /** A close or shipment above the limit was requested; another member of staff must approve it. */
    secondAsked: z
      .object({
        act: z.enum(['ship', 'staffClose']),
        by: z.string(),
        reason: z.string(),
        pictures: z.array(z.object({ url: z.string(), thumb: z.string() })),
        isMine: z.boolean(),
      })
      .nullable(),
    /**
     * The offered game account, its name with the middle hidden, and how many other offers have the same name at
     * another mail domain; null for other subjects.
     */
    listedAccount: z.object({ hint: z.string(), near: z.number().int() }).nullable(),
    /** The caller's access to the sealed forms; null when the order has none. */
    sealAccess: z
      .object({
        /** The caller is assigned to the order or to its dispute. */
        isMine: z.boolean(),
        /** The order is above the limit, so a colleague must approve an opening. */
        needsSecond: z.boolean(),
        /** The pending request for a colleague's approval: requester and reason. */
        asked: z.object({ by: z.string(), reason: z.string(), isMine: z.boolean() }).nullable(),
        /** A colleague has allowed the caller to open the form until this time. */
        allowedUntil: time.nullable(),
      })
      .nullable(),
    /** The caller's role may change orders; the individual actions list what is available. */
    canAct: z.boolean(),
    /** The caller is assigned to this order; other staff take it over first. */
    isAssigned: z.boolean(),
    /** The caller may read the order's conversation: as its customer service, or as a supervisor. */
    readsChat: z.boolean(),
  }),
});

/**
 * The transitions that staff may apply to an order assigned to them: ship for the seller, close with a full refund.
 * `pictures` are the evidence of the first member of staff. `waits`: the amount is above the limit, nothing
 * has happened yet, and a second member of staff must send the same request.
 */
export const staffOrderStep = staffWrite('/api/backstage/order/step', '订单操作（后台）', {
  input: z.object({
    orderId,
    act: z.enum(['ship', 'staffClose'], { error: '操作不正确' }),
    reason: text(200, { min: 1, label: '原因' }),
    pictures: pictureKeys,
  }),
  data: z.object({
    orderId: z.number().int(),
    status: z.number().int(),
    statusName: z.string(),
    waits: z.boolean(),
  }),
});

/**
 * Marks a hand-over step done: a step of staff, or one of the seller's with a reason. Evidence that the step requires
 * is required from staff too.
 */
export const staffHandoverDone = staffWrite('/api/backstage/order/handoverDone', '完成换绑步骤（后台）', {
  input: z.object({ orderId, step, reason: optionalText(200, '原因'), pictures: pictureKeys }),
  data: nothing,
});

/**
 * The contact details that the parties left for this transaction. Only the assigned customer service and administrators
 * may read them; each read is logged.
 */
export const staffOrderContact = staffWrite('/api/backstage/order/contact', '查看交易联系方式（后台）', {
  input: z.object({ orderId }),
  data: z.object({
    list: z.array(
      z.object({
        side: z.enum(['buyer', 'seller']),
        fields: z.array(z.object({ label: z.string(), value: z.string() })),
      }),
    ),
  }),
});

/**
 * Opens the newest version of a sealed form for the assigned customer service, or for the member of staff assigned to
 * the order's dispute. `waits`: the order is above the limit, nothing was opened yet, and a colleague must approve
 * first.
 */
export const staffReveal = staffWrite('/api/backstage/order/reveal', '打开密封信息（后台）', {
  input: z.object({ orderId, step, reason: text(200, { label: '原因' }).default('') }),
  data: z.object({ waits: z.boolean(), form: openedForm.nullable() }),
});

/** A second member of staff approves or rejects the opening of a form above the limit. */
export const staffRevealSecond = staffWrite('/api/backstage/order/revealSecond', '复核打开密封信息（后台）', {
  input: z.object({
    orderId,
    decision: z.enum(['allow', 'refuse'], { error: '操作不正确' }),
    reason: text(200, { min: 1, label: '原因' }),
  }),
  data: nothing,
});

/**
 * Requires the seller to submit a checked sealed form again, for example because the buyer cannot log in. The check
 * opens again; until it is done, the buyer opens nothing and the money stays in escrow.
 */
export const staffSealAgain = staffWrite('/api/backstage/order/sealAgain', '要求重新提交密封信息（后台）', {
  input: z.object({ orderId, step, reason: text(200, { min: 1, label: '原因' }) }),
  data: nothing,
});

const orderSns = json(z.array(sn).min(1, '请选择订单').max(100, '一次最多 100 笔'), '订单');

/**
 * Applies an action to several orders independently: assigns them to a colleague (`assign`), or reminds the sellers to
 * ship (`remind`). An order that does not allow it is rejected with the reason; the others are processed.
 */
export const staffOrderBulk = staffWrite('/api/backstage/order/bulk', '批量处理订单（后台）', {
  input: z.object({
    orderSns,
    act: z.enum(['assign', 'remind'], { error: '操作不正确' }),
    staffId: optionalInt({ min: 1, label: '客服' }),
  }),
  data: bulkResult,
});
