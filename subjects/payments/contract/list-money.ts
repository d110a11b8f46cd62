import { z } from 'zod';
import { money, time } from '#contract/wire.ts';
import { choice, declareList, keyword, onlyIf, period, sums } from '#contract/lists/kit.ts';

const withdrawal = z.object({
  withdrawSn: z.string(),
  userId: z.string(),
  nickName: z.string(),
  realNameMask: z.string().nullable(),
  soldNum: z.number().int(),
  /** Debts of the money's owner to other users. */
  debt: money,
  /** Links between the owner and users traded with in the last 90 days; empty when none is known. */
  related: z.array(z.string()),
  accountType: z.string(),
  accountMask: z.string(),
  amount: money,
  fee: money,
  status: z.number().int(),
  statusName: z.string(),
  /** Above the limit: two approvals are needed. */
  needsSecond: z.boolean(),
  firstBy: z.string().nullable(),
  secondBy: z.string().nullable(),
  /** The caller gave the first approval, so another member of staff must give the second. */
  isMine: z.boolean(),
  note: z.string().nullable(),
  distName: z.string(),
  createTime: time,
  decidedTime: time.nullable(),
  paidTime: time.nullable(),
});
export type StaffWithdrawal = z.output<typeof withdrawal>;

/** Withdrawals of the back office. */
export const withdrawalList = declareList(
  {
    name: 'withdrawals',
    title: '提现',
    unit: '笔',
    item: withdrawal,
    idOf: ({ withdrawSn }) => withdrawSn,
    filters: {
      /** Number of a withdrawal, a user's number, complete phone or nickname. */
      keyWord: keyword('提现编号、用户编号或昵称'),
      status: choice('状态', [
        ['0', '待审核'],
        ['1', '打款中'],
        ['2', '已到账'],
        ['3', '已退回'],
      ]),
      kind: choice('收款方式', [
        ['alipay', '支付宝'],
        ['wechat', '微信'],
        ['bank', '银行卡'],
      ]),
      amount: sums('金额'),
      createTime: period('申请时间'),
      paidTime: period('打款时间'),
      /** Approved by one person; a second approval is needed. */
      second: onlyIf('待同事复核'),
      /** Awaits a decision that the caller can make: the first, or the second after a colleague's. */
      todo: onlyIf('等我审核'),
    },
    sorts: ['createTime', 'amount'],
    initialSort: '-createTime',
    sumName: '金额共',
    columns: [
      { key: 'withdrawSn', name: '提现', group: '提现', kind: 'text', sort: 'createTime' },
      { key: 'nickName', name: '用户', group: '人', kind: 'text' },
      { key: 'realNameMask', name: '实名', group: '人', kind: 'text', isExtra: true },
      { key: 'amount', name: '金额', group: '钱', kind: 'money', sort: 'amount' },
      { key: 'fee', name: '手续费', group: '钱', kind: 'money', isExtra: true },
      { key: 'debt', name: '欠款', group: '钱', kind: 'money', isExtra: true },
      {
        key: 'account',
        name: '收款账户',
        group: '提现',
        kind: 'text',
        cell: (w) => `${w.accountType} ${w.accountMask}`,
      },
      { key: 'statusName', name: '状态', group: '过程', kind: 'text' },
      {
        key: 'approvals',
        name: '审核',
        group: '过程',
        kind: 'text',
        cell: (w) => [w.firstBy, w.secondBy].filter((name) => name !== null).join('、'),
      },
      { key: 'note', name: '退回原因', group: '过程', kind: 'text', isExtra: true },
      {
        key: 'createTime',
        name: '申请时间',
        group: '过程',
        kind: 'time',
        sort: 'createTime',
        isExtra: true,
      },
      { key: 'decidedTime', name: '审核时间', group: '过程', kind: 'time', isExtra: true },
      { key: 'paidTime', name: '打款时间', group: '过程', kind: 'time', isExtra: true },
      { key: 'soldNum', name: '卖出件数', group: '人', kind: 'number', isExtra: true },
      { key: 'distName', name: '站点', group: '提现', kind: 'text', isExtra: true },
    ],
  },
  /** The amount above which two people decide. */
  { secondPerson: money },
);

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
export const holdList = declareList(
  {
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
  },
  /** The amount above which two people decide. */
  { secondPerson: money },
);
