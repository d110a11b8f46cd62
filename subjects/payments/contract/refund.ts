import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { amount, int, money, nothing, sn, time } from '#contract/wire.ts';

/** Why a refund stays on the balance: the buyer chose it, the buyer has an open debt, or the channel no longer refunds the payment. */
export const REFUND_STAYS = ['chosen', 'debt', 'window'] as const;

/** Where the refund of an order goes, how much of it may still be sent from the balance to its source, and how much was already sent. */
export const refundInfo = endpoint({
  method: 'GET',
  path: '/api/pay/refundInfo',
  auth: 'login',
  summary: '订单可原路退回的金额与记录',
  input: z.object({ orderSn: sn }),
  data: z.object({
    refundable: money,
    channelName: z.string(),
    /** When a refund arrives there, as text. */
    arrival: z.string(),
    /** The part of the order paid by the channel; 0.00 when it was paid from the balance. */
    channelPart: money,
    /** Null: refunds go to the channel. */
    stays: z.enum(REFUND_STAYS).nullable(),
    /** The buyer may still change it. */
    canChoose: z.boolean(),
    list: z.array(
      z.object({
        refundNo: z.string(),
        amount: money,
        status: z.number().int(),
        statusName: z.string(),
        reason: z.string(),
        createTime: time,
        doneTime: time.nullable(),
      }),
    ),
  }),
  limit: 'read',
});

/** Sets the destination of refunds for an order paid by a channel. The buyer may change it until the first refund. */
export const chooseRefundTarget = endpoint({
  method: 'POST',
  path: '/api/pay/refundTarget',
  auth: 'login',
  summary: '选择退款退到余额还是原路退回',
  input: z.object({ orderSn: sn, toBalance: int({ max: 1, label: '退款去向' }) }),
  data: nothing,
  limit: 'write',
});

/** Sends the part of an order's refund that is on the balance to its source, in full or in part. */
export const refundToSource = endpoint({
  method: 'POST',
  path: '/api/pay/refundToSource',
  auth: 'login',
  summary: '把订单退款从余额原路退回',
  input: z.object({ orderSn: sn, amount: amount({ minFen: 1, label: '退回金额' }).optional() }),
  data: z.object({ refundNo: z.string(), status: z.number().int(), amount: money }),
  idempotent: true,
  limit: 'pay',
});
