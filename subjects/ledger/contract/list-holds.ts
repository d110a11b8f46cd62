import { z } from 'zod';
import { money, time } from '#contract/wire.ts';
import { declareList, keyword, choice, sums, period, onlyIf } from '#contract/lists/kit.ts';

const hold = z.object({
  holdId: z.number().int(),
  userId: z.string(),
  nickName: z.string(),
  amount: money,
  code: z.string(),
  codeName: z.string(),
  reason: z.string(),
  orderSn: z.string().nullable(),
  disputed: z.boolean(),
  /** The member of staff who requested an early release that waits for a second approval. */
  askedBy: z.string().nullable(),
  askedReason: z.string().nullable(),
  isMine: z.boolean(),
  canRelease: z.boolean(),
  /** Two people end it: it is above the limit, or the buyer has not confirmed the receipt himself (decision 766). */
  needsSecond: z.boolean(),
  releaseTime: time.nullable(),
  createTime: time,
});

export type StaffHold = z.output<typeof hold>;

/** Why money of a user is frozen, by the code of the hold. */
export const HOLD_KINDS = [
  ['sale_protection', '售出保护期'],
  ['withdrawal', '提现处理中'],
  ['refund', '原路退回中'],
  ['staff_freeze', '平台冻结'],
  ['service_efficiency', '代练效率保证金'],
  ['service_safety', '代练安全保证金'],
  ['service_tip', '陪玩打赏'],
] as const;

/** Open holds of the back office. */
export const holdList = declareList({
  name: 'holds',
  title: '冻结款',
  unit: '笔',
  item: hold,
  idOf: ({ holdId }) => String(holdId),
  filters: {
    /** Number of an order, a user's number or complete phone, a nickname. */
    keyWord: keyword('订单编号、用户编号或昵称'),
    code: choice('类型', HOLD_KINDS),
    amount: sums('金额'),
    createTime: period('冻结时间'),
    releaseTime: period('到期时间'),
    due: onlyIf('24 小时内到期'),
    disputed: onlyIf('申诉中'),
    second: onlyIf('待同事复核'),
  },
  sorts: ['createTime', 'amount', 'releaseTime'],
  initialSort: '-createTime',
  sumName: '合计',
  columns: [
    { key: 'nickName', name: '用户', group: '人', kind: 'text' },
    { key: 'userId', name: '用户编号', group: '人', kind: 'text', isExtra: true },
    { key: 'amount', name: '金额', group: '钱', kind: 'money', sort: 'amount' },
    { key: 'codeName', name: '类型', group: '冻结', kind: 'text' },
    { key: 'reason', name: '原因', group: '冻结', kind: 'text', isExtra: true },
    { key: 'orderSn', name: '订单', group: '冻结', kind: 'text' },
    {
      key: 'createTime',
      name: '冻结时间',
      group: '时间',
      kind: 'time',
      sort: 'createTime',
    },
    {
      key: 'releaseTime',
      name: '到期',
      group: '时间',
      kind: 'time',
      sort: 'releaseTime',
    },
    { key: 'askedBy', name: '申请人', group: '冻结', kind: 'text', isExtra: true },
  ],
});
