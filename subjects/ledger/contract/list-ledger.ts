import { z } from 'zod';
import { billGroupNames } from '../rules/bill.ts';
import { SettlementStatus } from '#contract/rules/statuses.ts';
import { money, time } from '#contract/wire.ts';
import { choice, declareList, ids, keyword, onlyIf, period, sums } from '#contract/lists/kit.ts';

const site = z.object({ distId: z.number().int(), name: z.string() });

const transfer = z.object({
  id: z.number().int(),
  title: z.string(),
  groupName: z.string(),
  from: z.string(),
  /** The user whose account it is; null for an account of the market, a site or a channel. */
  fromUserId: z.string().nullable(),
  to: z.string(),
  toUserId: z.string().nullable(),
  amount: money,
  orderSn: z.string().nullable(),
  /** The subject of the transfer, unique within its code. */
  ref: z.string(),
  distName: z.string(),
  time,
});
export type StaffTransfer = z.output<typeof transfer>;

/** Transfers of the ledger. Sorted by time only: it is the largest table, and an index for another order would slow down every movement of money. */
export const transferRows = declareList(
  {
    name: 'transfers',
    title: '资金流水',
    unit: '笔',
    item: transfer,
    idOf: ({ id }) => String(id),
    filters: {
      /** Number of an order, a user's number or complete phone. */
      keyWord: keyword('订单编号、用户编号或手机号'),
      group: choice('类型', Object.entries(billGroupNames)),
      amount: sums('金额'),
      time: period('时间'),
      distId: ids('站点'),
    },
    sorts: ['time'],
    initialSort: '-time',
    sumName: '金额共',
    columns: [
      { key: 'time', name: '时间', group: '流水', kind: 'time', sort: 'time' },
      { key: 'title', name: '事项', group: '流水', kind: 'text' },
      { key: 'groupName', name: '类型', group: '流水', kind: 'text', isExtra: true },
      { key: 'from', name: '从', group: '账户', kind: 'text' },
      { key: 'to', name: '到', group: '账户', kind: 'text' },
      { key: 'amount', name: '金额', group: '流水', kind: 'money' },
      { key: 'orderSn', name: '订单', group: '流水', kind: 'text' },
      { key: 'ref', name: '凭据', group: '流水', kind: 'text', isExtra: true },
      { key: 'distName', name: '站点', group: '流水', kind: 'text', isExtra: true },
      { key: 'id', name: '流水号', group: '流水', kind: 'text', cell: (t) => String(t.id), isExtra: true },
    ],
  },
  { sites: z.array(site) },
);

const settlement = z.object({
  settlementSn: z.string(),
  distId: z.number().int(),
  distName: z.string(),
  amount: money,
  status: z.number().int(),
  statusName: z.string(),
  askedBy: z.string(),
  firstBy: z.string().nullable(),
  decidedBy: z.string().nullable(),
  /** The caller gave the first approval, so another member of staff must give the second. */
  isMine: z.boolean(),
  needsSecond: z.boolean(),
  receiptNo: z.string().nullable(),
  note: z.string().nullable(),
  time,
  decidedTime: time.nullable(),
});
export type StaffSettlement = z.output<typeof settlement>;

/** Settlements of distributors' commission; a distributor's staff see their own. */
export const settlementRows = declareList(
  {
    name: 'settlements',
    title: '佣金结算',
    unit: '笔',
    item: settlement,
    idOf: ({ settlementSn }) => settlementSn,
    filters: {
      /** Number of a settlement or of a bank's receipt. */
      keyWord: keyword('结算编号或回单号'),
      status: choice('状态', [
        [String(SettlementStatus.Pending), '待打款'],
        [String(SettlementStatus.Paid), '已打款'],
        [String(SettlementStatus.Returned), '已退回'],
      ]),
      distId: ids('分销商'),
      amount: sums('金额'),
      time: period('申请时间'),
      /** Approved by one person; a second approval is needed. */
      second: onlyIf('待同事复核'),
    },
    sorts: ['time', 'amount'],
    initialSort: '-time',
    sumName: '金额共',
    columns: [
      { key: 'settlementSn', name: '结算', group: '结算', kind: 'text', sort: 'time' },
      { key: 'distName', name: '分销商', group: '结算', kind: 'text' },
      { key: 'amount', name: '金额', group: '结算', kind: 'money', sort: 'amount' },
      { key: 'statusName', name: '状态', group: '过程', kind: 'text' },
      { key: 'askedBy', name: '申请人', group: '人', kind: 'text' },
      { key: 'firstBy', name: '初审', group: '人', kind: 'text', isExtra: true },
      { key: 'decidedBy', name: '经办', group: '人', kind: 'text' },
      { key: 'receiptNo', name: '回单', group: '过程', kind: 'text', isExtra: true },
      { key: 'note', name: '退回原因', group: '过程', kind: 'text', isExtra: true },
      { key: 'time', name: '申请时间', group: '过程', kind: 'time', sort: 'time', isExtra: true },
      { key: 'decidedTime', name: '办结时间', group: '过程', kind: 'time', isExtra: true },
    ],
  },
  { sites: z.array(site) },
);
