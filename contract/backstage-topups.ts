import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { amount, int, listTail, money, optionalText, paging, text, time } from './wire.ts';

const topup = z.object({
  paymentId: z.number().int(),
  interSn: z.string(),
  channelName: z.string(),
  userId: z.string(),
  nickName: z.string(),
  amount: money,
  /** Refunded to the source, or on the way there. */
  refunded: money,
  /** The part of `refunded` that the channel has not confirmed yet. */
  underWay: money,
  /**
   * The amount that can be refunded now: what is left of the top-up and still in the user's balance, while the channel
   * accepts refunds.
   */
  refundable: money,
  /** Why no refund is possible; empty when one is. */
  closed: z.string(),
  /** Who requested a refund that waits for a second approval, with its amount. */
  askedBy: z.string().nullable(),
  askedAmount: money.nullable(),
  askedReason: z.string().nullable(),
  isMine: z.boolean(),
  payTime: time,
});
export type StaffTopup = z.output<typeof topup>;

/** Completed top-ups, newest first. keyWord: a user's number or nickname, our payment number, or the channel's. */
export const staffTopupList = endpoint({
  method: 'GET',
  path: '/api/backstage/ledger/topups',
  auth: 'staff',
  summary: '充值记录',
  input: z.object({ ...paging, keyWord: optionalText(60, '关键词') }),
  data: z.object({ list: z.array(topup), secondPerson: money, ...listTail }),
  limit: 'search',
});

/**
 * Refunds a top-up, whole or in part, to its source: from the user's balance, by the channel's refund. Above the daily
 * limit per user the refund waits for a second approval, which must state the same amount.
 */
export const refundTopup = endpoint({
  method: 'POST',
  path: '/api/backstage/ledger/refundTopup',
  auth: 'staff',
  summary: '充值原路退回',
  input: z.object({
    paymentId: int({ min: 1, label: '充值编号' }),
    amount: amount({ minFen: 1, label: '退回金额' }),
    reason: text(200, { min: 1, label: '原因' }),
  }),
  data: z.object({ refundNo: z.string().nullable(), needsSecond: z.boolean() }),
  idempotent: true,
  limit: 'write',
});
