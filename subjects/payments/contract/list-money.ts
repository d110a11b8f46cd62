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
