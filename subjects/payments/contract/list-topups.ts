import { z } from 'zod';
import { PAY_CHANNELS } from '../rules/pay-channels.ts';
import { money, time } from '#contract/wire.ts';
import { choice, declareList, keyword, onlyIf, period, sums } from '#contract/lists/kit.ts';

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
   * The amount that can be refunded now: the unrefunded part of the top-up that is still in the user's balance, while the channel accepts
   * refunds.
   */
  refundable: money,
  /** Why no refund is possible; empty when one is. */
  closed: z.string(),
  /** The member of staff who requested a refund that waits for a second approval, with its amount. */
  askedBy: z.string().nullable(),
  askedAmount: money.nullable(),
  askedReason: z.string().nullable(),
  isMine: z.boolean(),
  payTime: time,
});
export type StaffTopup = z.output<typeof topup>;

const CHANNELS = Object.entries(PAY_CHANNELS).map(([channel, { name }]) => [channel, name] as const);

/** Completed top-ups of the back office. */
export const topupList = declareList(
  {
    name: 'topups',
    title: '充值',
    unit: '笔',
    item: topup,
    idOf: ({ paymentId }) => String(paymentId),
    filters: {
      /** A user's number, complete phone or nickname, our payment number, or the channel's. */
      keyWord: keyword('用户编号、昵称或支付编号', 60),
      channel: choice('渠道', CHANNELS),
      amount: sums('金额'),
      payTime: period('到账时间'),
      /** Part or all of it was refunded, or a refund is in progress. */
      refunded: onlyIf('有退回'),
      second: onlyIf('待同事复核'),
    },
    sorts: ['payTime', 'amount'],
    initialSort: '-payTime',
    sumName: '充值共',
    columns: [
      { key: 'nickName', name: '用户', group: '人', kind: 'text' },
      { key: 'userId', name: '用户编号', group: '人', kind: 'text', isExtra: true },
      { key: 'amount', name: '充值', group: '钱', kind: 'money', sort: 'amount' },
      { key: 'channelName', name: '渠道', group: '支付', kind: 'text' },
      { key: 'interSn', name: '支付编号', group: '支付', kind: 'text' },
      { key: 'refunded', name: '已退回', group: '钱', kind: 'money' },
      { key: 'refundable', name: '可退', group: '钱', kind: 'money' },
      { key: 'payTime', name: '到账', group: '支付', kind: 'time', sort: 'payTime' },
      { key: 'askedBy', name: '申请人', group: '人', kind: 'text', isExtra: true },
    ],
  },
  /** The amount above which two people decide. */
  { secondPerson: money },
);
