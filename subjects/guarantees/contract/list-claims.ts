import { z } from 'zod';
import { money, time } from '#contract/wire.ts';
import { declareList, keyword, choice, sums, period, onlyIf } from '#contract/lists/kit.ts';
import { claimStatusNames } from '#subjects/disputes/rules/case-states.ts';

const claim = z.object({
  claimSn: z.string(),
  orderSn: z.string(),
  tierName: z.string(),
  bigTitle: z.string(),
  gameName: z.string(),
  reasonName: z.string(),
  userName: z.string(),
  userId: z.string(),
  sellerId: z.string(),
  asked: money,
  paid: money.nullable(),
  status: z.string(),
  statusName: z.string(),
  /** The day of the chase, out of `days`. */
  day: z.number().int(),
  days: z.number().int(),
  /** The clock of the claim's state; null when it is decided. */
  deadline: time.nullable(),
  late: z.boolean(),
  waitsForSecond: z.boolean(),
  staffName: z.string().nullable(),
  distName: z.string(),
  openTime: time,
});

export type StaffClaim = z.output<typeof claim>;

/** Guarantee claims of the back office. */
export const claimList = declareList({
  name: 'claims',
  title: '理赔',
  unit: '件',
  item: claim,
  idOf: ({ claimSn }) => claimSn,
  filters: {
    /** Number of a claim or an order, a user's number or complete phone. */
    keyWord: keyword('理赔或订单编号、用户编号'),
    status: choice('状态', Object.entries(claimStatusNames)),
    asked: sums('申请金额'),
    openTime: period('申请时间'),
    active: onlyIf('处理中'),
    /** Open, and no decision waits for a second approval. */
    todo: onlyIf('待决定'),
    mine: onlyIf('我负责的'),
    /** Awaits a decision by two people, is in the last day of the chase, or was not accepted in time. */
    due: onlyIf('临期与超时'),
    /** A decision waits for a second approval. */
    second: onlyIf('待同事复核'),
  },
  sorts: ['openTime', 'deadline', 'asked'],
  initialSort: '-openTime',
  sumName: '申请共',
  columns: [
    { key: 'claimSn', name: '理赔', group: '理赔', kind: 'text', sort: 'openTime' },
    { key: 'bigTitle', name: '账号', group: '订单', kind: 'text' },
    { key: 'tierName', name: '保障', group: '理赔', kind: 'text', isExtra: true },
    { key: 'reasonName', name: '原因', group: '理赔', kind: 'text', isExtra: true },
    { key: 'gameName', name: '游戏', group: '订单', kind: 'text', isExtra: true },
    { key: 'orderSn', name: '订单', group: '订单', kind: 'text' },
    { key: 'asked', name: '申请', group: '理赔', kind: 'money', sort: 'asked' },
    { key: 'paid', name: '赔付', group: '理赔', kind: 'money' },
    { key: 'userName', name: '申请人', group: '人', kind: 'text' },
    { key: 'statusName', name: '状态', group: '过程', kind: 'text' },
    { key: 'deadline', name: '时限', group: '过程', kind: 'time', sort: 'deadline' },
    { key: 'staffName', name: '客服', group: '人', kind: 'text' },
    { key: 'distName', name: '站点', group: '订单', kind: 'text', isExtra: true },
    {
      key: 'openTime',
      name: '申请时间',
      group: '过程',
      kind: 'time',
      sort: 'openTime',
      isExtra: true,
    },
  ],
});
