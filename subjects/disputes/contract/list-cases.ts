import { z } from 'zod';
import { disputeStatusNames } from '../rules/case-states.ts';
import { money, time } from '#contract/wire.ts';
import { choice, codes, declareList, keyword, onlyIf, period, sums } from '#contract/lists/kit.ts';

const dispute = z.object({
  disputeSn: z.string(),
  orderSn: z.string(),
  bigTitle: z.string(),
  gameName: z.string(),
  reasonName: z.string(),
  wantName: z.string(),
  goodsPrice: money,
  status: z.string(),
  statusName: z.string(),
  outcomeName: z.string().nullable(),
  openerSide: z.enum(['buyer', 'seller']),
  buyerId: z.string(),
  buyerName: z.string(),
  sellerId: z.string(),
  sellerName: z.string(),
  staffName: z.string().nullable(),
  distName: z.string(),
  /** The clock that is running now. */
  clockName: z.string(),
  deadline: time.nullable(),
  late: z.boolean(),
  escalated: z.boolean(),
  waitsForSecond: z.boolean(),
  openTime: time,
});

export type StaffDispute = z.output<typeof dispute>;

const partyName = ({ openerSide }: StaffDispute): string => (openerSide === 'buyer' ? '买家' : '卖家');

/** Disputes of the back office. */
export const disputeList = declareList(
  {
    name: 'disputes',
    title: '申诉',
    unit: '件',
    item: dispute,
    idOf: ({ disputeSn }) => disputeSn,
    filters: {
      /** Number of a dispute or an order, a user's number or complete phone. */
      keyWord: keyword('申诉或订单编号、用户编号'),
      status: choice('状态', Object.entries(disputeStatusNames)),
      reason: codes('原因'),
      goodsPrice: sums('商品价'),
      openTime: period('发起时间'),
      active: onlyIf('处理中'),
      /** Ready for a ruling, and no ruling waits for a second approval. */
      todo: onlyIf('待裁决'),
      mine: onlyIf('我负责的'),
      unassigned: onlyIf('没有客服'),
      /** Past the deadline of its state, or escalated because of it. */
      late: onlyIf('超时'),
      /** A ruling waits for a second approval. */
      second: onlyIf('待同事复核'),
    },
    sorts: ['openTime', 'deadline', 'goodsPrice'],
    initialSort: '-openTime',
    sumName: '商品价共',
    columns: [
      { key: 'disputeSn', name: '申诉', group: '申诉', kind: 'text', sort: 'openTime' },
      { key: 'bigTitle', name: '商品', group: '订单', kind: 'text' },
      { key: 'reasonName', name: '原因', group: '申诉', kind: 'text', isExtra: true },
      { key: 'wantName', name: '诉求', group: '申诉', kind: 'text', isExtra: true },
      { key: 'gameName', name: '游戏', group: '订单', kind: 'text', isExtra: true },
      { key: 'orderSn', name: '订单', group: '订单', kind: 'text' },
      {
        key: 'goodsPrice',
        name: '商品价',
        group: '订单',
        kind: 'money',
        sort: 'goodsPrice',
      },
      { key: 'buyerName', name: '买家', group: '人', kind: 'text' },
      { key: 'sellerName', name: '卖家', group: '人', kind: 'text' },
      { key: 'openerSide', name: '发起方', group: '人', kind: 'text', cell: partyName, isExtra: true },
      { key: 'statusName', name: '状态', group: '过程', kind: 'text' },
      { key: 'outcomeName', name: '结果', group: '过程', kind: 'text', isExtra: true },
      { key: 'deadline', name: '时限', group: '过程', kind: 'time', sort: 'deadline' },
      { key: 'staffName', name: '客服', group: '人', kind: 'text' },
      { key: 'distName', name: '站点', group: '订单', kind: 'text', isExtra: true },
      {
        key: 'openTime',
        name: '发起时间',
        group: '过程',
        kind: 'time',
        sort: 'openTime',
        isExtra: true,
      },
    ],
  },
  { reasons: z.array(z.object({ code: z.string(), name: z.string() })) },
);
