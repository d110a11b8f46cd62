import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { topupList } from './list-topups.ts';
import { amount, int, text } from '#contract/wire.ts';

/** Completed top-ups by their filters, newest first. */
export const staffTopupList = staffRead('/api/backstage/ledger/topups', '充值记录', {
  input: topupList.input,
  data: topupList.data,
  limit: 'search',
});

/**
 * Refunds a top-up, whole or in part, to its source: from the user's balance, by the channel's refund. Above the daily
 * limit per user the refund waits for a second approval, which must state the same amount.
 */
export const refundTopup = staffWrite('/api/backstage/ledger/refundTopup', '充值原路退回', {
  input: z.object({
    paymentId: int({ min: 1, label: '充值编号' }),
    amount: amount({ minFen: 1, label: '退回金额' }),
    reason: text(200, { min: 1, label: '原因' }),
  }),
  data: z.object({ refundNo: z.string().nullable(), needsSecond: z.boolean() }),
  idempotent: true,
});
