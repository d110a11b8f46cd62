import { z } from 'zod';
import { upload } from './common.ts';
import { endpoint } from './endpoint.ts';
import { openedForm } from './handover.ts';
import { orderDetail } from './order.ts';
import {
  flag,
  int,
  json,
  listTail,
  money,
  nothing,
  optionalInt,
  optionalText,
  paging,
  sn,
  text,
  time,
} from './wire.ts';

const orderId = int({ min: 1, label: '订单编号' });
const step = int({ min: 1, max: 50, label: '步骤' });
const pictureKeys = json(z.array(z.string().max(80)).max(6, '最多 6 张图片'), '凭证').default([]);

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

/** keyWord: an order's or goods' number, a user's number or whole phone. `late` are paid ones past their time to ship, `second` those with a refund, a release or an opening that waits for a second person, `stopped` those whose auto-confirm clock waits for steps. */
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
    stopped: flag.optional(),
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
    /** Somebody wants it closed or shipped above the limit, and another person must agree. */
    secondAsked: z
      .object({
        act: z.enum(['ship', 'staffClose']),
        by: z.string(),
        reason: z.string(),
        pictures: z.array(z.object({ url: z.string(), thumb: z.string() })),
        isMine: z.boolean(),
      })
      .nullable(),
    /** Sealed forms as the caller may open them; null when the order has none. */
    sealAccess: z
      .object({
        /** The caller looks after the order, or has its dispute. */
        isMine: z.boolean(),
        /** The order is above the limit, so that a colleague must allow an opening. */
        needsSecond: z.boolean(),
        /** Who waits for a colleague's word, and why. */
        asked: z.object({ by: z.string(), reason: z.string(), isMine: z.boolean() }).nullable(),
        /** A colleague has allowed the caller to open until then. */
        allowedUntil: time.nullable(),
      })
      .nullable(),
    /** The caller's role may act on orders; the single acts say what is open. */
    canAct: z.boolean(),
    /** The caller looks after this order; who does not takes it over first. */
    isAssigned: z.boolean(),
  }),
  limit: 'read',
});

/**
 * The steps of the transition table that staff may take on an order assigned to them: ship for the seller, close with a full refund.
 * `pictures` are the evidence of who acts first. `waits`: more than the limit goes back or to the seller, nothing happened yet, and a
 * second person must ask for the same.
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
    pictures: pictureKeys,
  }),
  data: z.object({
    orderId: z.number().int(),
    status: z.number().int(),
    statusName: z.string(),
    waits: z.boolean(),
  }),
  limit: 'write',
});

/** Marks a hand-over step done: staff's own, or the seller's with a reason. A step that wants evidence wants it of staff as well. */
export const staffHandoverDone = endpoint({
  method: 'POST',
  path: '/api/backstage/order/handoverDone',
  auth: 'staff',
  summary: '完成换绑步骤（后台）',
  input: z.object({ orderId, step, reason: optionalText(200, '原因'), pictures: pictureKeys }),
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

/**
 * Opens the newest version of a sealed form for the assigned customer service, or for who has the order's dispute. `waits`: above the
 * limit, nothing was opened yet, and a colleague must allow it first.
 */
export const staffReveal = endpoint({
  method: 'POST',
  path: '/api/backstage/order/reveal',
  auth: 'staff',
  summary: '打开密封信息（后台）',
  input: z.object({ orderId, step, reason: text(200, { label: '原因' }).default('') }),
  data: z.object({ waits: z.boolean(), form: openedForm.nullable() }),
  limit: 'write',
});

/** The second person's word on opening a form above the limit. */
export const staffRevealSecond = endpoint({
  method: 'POST',
  path: '/api/backstage/order/revealSecond',
  auth: 'staff',
  summary: '复核打开密封信息（后台）',
  input: z.object({
    orderId,
    decision: z.enum(['allow', 'refuse'], { error: '操作不正确' }),
    reason: text(200, { min: 1, label: '原因' }),
  }),
  data: nothing,
  limit: 'write',
});

/** Multipart, as the users' upload; the keys are evidence of an act on an order. */
export const staffEvidenceUpload = endpoint({
  method: 'POST',
  path: '/api/backstage/order/upload',
  auth: 'staff',
  summary: '上传凭证图片（后台）',
  input: z.object({}),
  data: upload.data,
  limit: 'upload',
});
