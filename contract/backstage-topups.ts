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
  /** Gone back to the source or on its way there. */
  refunded: money,
  /** Of `refunded`, what the channel has not confirmed yet. */
  underWay: money,
  /** What may go back now: what is left of it and still in the user's balance, while the channel takes it. */
  refundable: money,
  /** Why nothing may go back; empty when something may. */
  closed: z.string(),
  /** Who asked for a refund that waits for a second person, with its amount. */
  askedBy: z.string().nullable(),
  askedAmount: money.nullable(),
  askedReason: z.string().nullable(),
  isMine: z.boolean(),
  payTime: time,
});
export type StaffTopup = z.output<typeof topup>;

/** Arrived top-ups, newest first. keyWord: a user's number or nickname, our payment number, or the channel's. */
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
 * Sends a top-up, whole or in part, back to its source: out of the user's balance, by the channel's refund. What one user gets back in a
 * day above the limit waits for a second person, who gives the same amount.
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
