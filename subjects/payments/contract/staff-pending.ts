import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { money, text, time } from '#contract/wire.ts';

/** How finance ends a refund that the channel leaves open: by the result shown in the channel's merchant centre. */
export const refundOutcomes = { buyer: '已退给买家', us: '已退回我方' } as const;
const outcome = z.enum(Object.keys(refundOutcomes) as [keyof typeof refundOutcomes], { error: '请选择退款的实际结果' });

const pending = z.object({
  kind: z.enum(['refund', 'payout']),
  /** The number at the channel; for a payout, the withdrawal's number. */
  sn: z.string(),
  channelName: z.string(),
  userId: z.string(),
  nickName: z.string(),
  amount: money,
  /** The channel's code, and what it means. */
  code: z.string(),
  meaning: z.string(),
  /** Finance may close it; payouts end only by the channel's response. */
  canClose: z.boolean(),
  /** A colleague's request to close it, which another person confirms. */
  asked: z
    .object({ name: z.string(), outcome, outcomeName: z.string(), reason: z.string(), isMine: z.boolean() })
    .nullable(),
  sinceTime: time,
});
export type PendingTransfer = z.output<typeof pending>;

/** Refunds and payouts without a result: for more than an hour, or in a state that needs finance. Oldest first, at most one hundred. */
export const pendingTransfers = staffRead('/api/backstage/ledger/pendingTransfers', '未完成的退款和打款', {
  input: z.object({}),
  data: z.object({ list: z.array(pending) }),
  limit: 'search',
});

/** Ends a refund by hand; the first call requests it, another person's call with the same outcome ends it. */
export const closeRefund = staffWrite('/api/backstage/ledger/closeRefund', '登记退款的实际结果', {
  input: z.object({
    refundNo: z.string({ error: '退款编号不能为空' }).regex(/^[A-Za-z0-9]{1,32}$/, '退款编号不正确'),
    outcome,
    reason: text(200, { min: 1, label: '核对说明' }),
  }),
  data: z.object({ closed: z.boolean() }),
});
