import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { orderDetail } from './order.ts';
import { flag, int, listTail, money, nothing, optionalInt, optionalText, paging, sn, text, time } from './wire.ts';

const orderId = int({ min: 1, label: '订单编号' });
const step = int({ min: 1, max: 50, label: '步骤' });

const item = z.object({
  orderId: z.number().int(),
  orderSn: z.string(),
  orderTypeId: z.number().int(),
  orderTypeName: z.string(),
  gameName: z.string(),
  bigTitle: z.string(),
  goodsSn: z.string().nullable(),
  totalPrice: money,
  status: z.number().int(),
  statusName: z.string(),
  buyerId: z.string(),
  buyerName: z.string(),
  sellerId: z.string(),
  sellerName: z.string(),
  staffName: z.string().nullable(),
  distName: z.string(),
  createTime: time,
  deadline: time.nullable(),
  late: z.boolean(),
  disputed: z.boolean(),
  cancelAsked: z.boolean(),
});
export type StaffOrder = z.output<typeof item>;

/** keyWord: an order's or goods' number, a user's number or whole phone. `late` are paid ones past their time to ship, `second` those with a refund that waits for a second person. */
export const staffOrderList = endpoint({
  method: 'GET',
  path: '/api/backstage/order/list',
  auth: 'staff',
  summary: '订单查询（后台）',
  input: z.object({
    ...paging,
    status: optionalInt({ min: -1, max: 9, label: '状态' }),
    goodsTypeId: optionalInt({ max: 99, label: '商品类型' }),
    keyWord: optionalText(40, '关键词'),
    mine: flag.optional(),
    late: flag.optional(),
    cancelAsked: flag.optional(),
    second: flag.optional(),
  }),
  data: z.object({ list: z.array(item), ...listTail }),
  limit: 'search',
});

export const staffOrderDetail = endpoint({
  method: 'GET',
  path: '/api/backstage/order/detail',
  auth: 'staff',
  summary: '订单详情（后台）',
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
    disputed: z.boolean(),
    /** Somebody wants it closed with a refund above the limit, and another person must agree. */
    closeAsked: z.object({ by: z.string(), reason: z.string(), isMine: z.boolean() }).nullable(),
    /** The caller's role may act on orders; the single acts say what is open. */
    canAct: z.boolean(),
  }),
  limit: 'read',
});

/**
 * The steps of the transition table that staff may take: ship for the seller, close with a full refund. `waits`: the refund is above the
 * limit, nothing happened yet, and a second person must ask for the same.
 */
export const staffOrderStep = endpoint({
  method: 'POST',
  path: '/api/backstage/order/step',
  auth: 'staff',
  summary: '订单操作（后台）',
  input: z.object({
    orderId,
    act: z.enum(['ship', 'staffClose'], { error: '操作不正确' }),
    reason: text(200, { min: 1, label: '原因' }),
  }),
  data: z.object({
    orderId: z.number().int(),
    status: z.number().int(),
    statusName: z.string(),
    waits: z.boolean(),
  }),
  limit: 'write',
});

/** Marks a hand-over step done: staff's own, or another's on their behalf. */
export const staffHandoverDone = endpoint({
  method: 'POST',
  path: '/api/backstage/order/handoverDone',
  auth: 'staff',
  summary: '完成换绑步骤（后台）',
  input: z.object({ orderId, step }),
  data: nothing,
  limit: 'write',
});

/** What the parties left for this transaction. The assigned customer service and administrators read it; who did stays on record. */
export const staffOrderContact = endpoint({
  method: 'POST',
  path: '/api/backstage/order/contact',
  auth: 'staff',
  summary: '查看交易联系方式（后台）',
  input: z.object({ orderId }),
  data: z.object({
    list: z.array(
      z.object({
        side: z.enum(['buyer', 'seller']),
        fields: z.array(z.object({ label: z.string(), value: z.string() })),
      }),
    ),
  }),
  limit: 'write',
});

/** Opens what a buyer sealed for staff, once; who opened it stays on record. */
export const staffReveal = endpoint({
  method: 'POST',
  path: '/api/backstage/order/reveal',
  auth: 'staff',
  summary: '查看一次密封信息（后台）',
  input: z.object({ orderId, step }),
  data: z.object({ body: z.string(), watermark: z.string() }),
  limit: 'write',
});
