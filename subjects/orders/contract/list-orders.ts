import { z } from 'zod';
import { orderTypeNames } from '../rules/order-types.ts';
import { money, time } from '#contract/wire.ts';
import { choice, declareList, ids, keyword, onlyIf, period, sums } from '#contract/lists/kit.ts';

const item = z.object({
  orderId: z.number().int(),
  orderSn: z.string(),
  orderTypeId: z.number().int(),
  orderTypeName: z.string(),
  gameName: z.string(),
  gameIcon: z.string().nullable(),
  bigTitle: z.string(),
  goodsSn: z.string().nullable(),
  goodsPrice: money,
  servicePrice: money,
  ensurePrice: money,
  discount: money,
  commission: money,
  totalPrice: money,
  status: z.number().int(),
  statusName: z.string(),
  /** The due action, as shown to staff, and the progress of the hand-over. */
  dueText: z.string(),
  stepText: z.string(),
  buyerId: z.string(),
  buyerName: z.string(),
  sellerId: z.string(),
  sellerName: z.string(),
  staffId: z.number().int().nullable(),
  staffName: z.string().nullable(),
  groupId: z.string().nullable(),
  distName: z.string(),
  createTime: time,
  payTime: time.nullable(),
  finishTime: time.nullable(),
  /** The deadline of the order's state, and its start; null without a deadline or while a dispute has stopped it. */
  deadline: time.nullable(),
  clockFrom: time.nullable(),
  late: z.boolean(),
  disputed: z.boolean(),
  cancelAsked: z.boolean(),
});
export type StaffOrder = z.output<typeof item>;

const statuses = [
  ['0', '待付款'],
  ['1', '待发货'],
  ['2', '待收货'],
  ['3', '交易成功'],
  ['-1', '已取消'],
] as const;

/** Orders of the back office. */
export const orderList = declareList(
  {
    name: 'orders',
    title: '订单',
    unit: '笔',
    item,
    idOf: ({ orderSn }) => orderSn,
    filters: {
      /** Number of an order or a listing, a user's number or complete phone. */
      keyWord: keyword('订单、商品、用户编号或手机号'),
      status: choice('状态', statuses),
      goodsTypeId: choice('类型', Object.entries(orderTypeNames)),
      gameId: ids('游戏'),
      distId: ids('站点'),
      /** The stage that it reached, as counted by the funnel of the first page. */
      reached: choice('走到哪一步', [
        ['paid', '付过款'],
        ['shipped', '交付完成'],
        ['done', '交易成功'],
        ['unpaid', '没付款就取消'],
        ['undone', '付款后取消或退款'],
      ]),
      createTime: period('下单时间'),
      payTime: period('付款时间'),
      totalPrice: sums('实付'),
      mine: onlyIf('我负责的'),
      unassigned: onlyIf('没有客服'),
      /** Paid and past the time to ship. */
      late: onlyIf('超时未发货'),
      /** The deadline of the state is within two hours, or has passed. */
      due: onlyIf('两小时内到期'),
      disputed: onlyIf('申诉中'),
      cancelAsked: onlyIf('买家申请取消'),
      /** Shipped, and the clock of confirmation waits for steps of the hand-over. */
      stopped: onlyIf('等必做步骤'),
      /** A refund, a release or a reveal is pending a second approval. */
      second: onlyIf('待同事复核'),
    },
    sorts: ['createTime', 'deadline', 'totalPrice'],
    initialSort: '-createTime',
    sumName: '实付共',
    columns: [
      { key: 'orderSn', name: '订单', group: '订单', kind: 'text', sort: 'createTime' },
      {
        key: 'createTime',
        name: '下单时间',
        group: '订单',
        kind: 'time',
        sort: 'createTime',
        isExtra: true,
      },
      { key: 'payTime', name: '付款时间', group: '订单', kind: 'time', isExtra: true },
      { key: 'finishTime', name: '完成时间', group: '订单', kind: 'time', isExtra: true },
      { key: 'bigTitle', name: '商品', group: '订单', kind: 'text' },
      { key: 'gameName', name: '游戏', group: '订单', kind: 'text', isExtra: true },
      { key: 'orderTypeName', name: '类型', group: '订单', kind: 'text', isExtra: true },
      { key: 'goodsSn', name: '商品编号', group: '订单', kind: 'text', isExtra: true },
      { key: 'distName', name: '站点', group: '订单', kind: 'text', isExtra: true },
      { key: 'buyerName', name: '买家', group: '人', kind: 'text' },
      { key: 'sellerName', name: '卖家', group: '人', kind: 'text' },
      { key: 'totalPrice', name: '实付', group: '钱', kind: 'money', sort: 'totalPrice' },
      { key: 'goodsPrice', name: '商品价', group: '钱', kind: 'money', isExtra: true },
      { key: 'servicePrice', name: '服务费', group: '钱', kind: 'money', isExtra: true },
      { key: 'ensurePrice', name: '包赔', group: '钱', kind: 'money', isExtra: true },
      { key: 'discount', name: '优惠', group: '钱', kind: 'money', isExtra: true },
      { key: 'commission', name: '佣金', group: '钱', kind: 'money', isExtra: true },
      { key: 'statusName', name: '状态', group: '过程', kind: 'text' },
      { key: 'dueText', name: '当前步骤', group: '过程', kind: 'text', isExtra: true },
      { key: 'deadline', name: '时限', group: '过程', kind: 'time', sort: 'deadline' },
      { key: 'staffName', name: '客服', group: '人', kind: 'text' },
    ],
  },
  {
    games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
    sites: z.array(z.object({ distId: z.number().int(), name: z.string() })),
  },
);
