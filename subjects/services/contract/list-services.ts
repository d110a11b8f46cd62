import { z } from 'zod';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { money, time } from '#contract/wire.ts';
import { choice, declareList, keyword, onlyIf, period, sums } from '#contract/lists/kit.ts';

const item = z.object({
  orderSn: z.string(),
  typeId: z.number().int(),
  typeName: z.string(),
  gameName: z.string(),
  title: z.string(),
  modeName: z.string(),
  state: z.string(),
  stateName: z.string(),
  late: z.boolean(),
  disputed: z.boolean(),
  cancelAsked: z.boolean(),
  banned: z.boolean(),
  /** Boosting: progress by its milestones. */
  donePercent: z.number().int().nullable(),
  /** Companion play: minutes played, once known. */
  playedMinutes: z.number().int().nullable(),
  orderedMinutes: z.number().int().nullable(),
  buyerId: z.string(),
  buyerName: z.string(),
  providerId: z.string(),
  providerName: z.string(),
  totalPrice: money,
  /** Paid for stages so far. */
  advance: money,
  refunded: money,
  /** The platform's revenue: commission and fee, less refunds of them. */
  income: money,
  deposits: money,
  distName: z.string(),
  createTime: time,
  acceptTime: time.nullable(),
  dueTime: time.nullable(),
  finishTime: time.nullable(),
});
export type StaffService = z.output<typeof item>;

const types = [
  [String(BOOSTING), '代练'],
  [String(COMPANION_PLAY), '陪玩'],
] as const;

const states = [
  ['pending', '待接单'],
  ['waiting', '待提交账号、待开始'],
  ['working', '进行中'],
  ['paused', '已暂停'],
  ['ending', '待确认结束'],
  ['checking', '待验收'],
  ['done', '已完成'],
  ['ended', '已结束'],
] as const;

/** Orders of boosting and of companion play, from payment on. */
export const serviceList = declareList({
  name: 'services',
  title: '服务订单',
  unit: '笔',
  item,
  idOf: ({ orderSn }) => orderSn,
  filters: {
    /** Number of an order, a user's number or complete phone: of the buyer or the provider. */
    keyWord: keyword('订单、用户编号或手机号'),
    typeId: choice('服务', types),
    state: choice('进度', states),
    createTime: period('下单时间'),
    totalPrice: sums('实付'),
    late: onlyIf('已超时'),
    disputed: onlyIf('申诉中'),
    cancelAsked: onlyIf('申请取消'),
    banned: onlyIf('上报处罚'),
  },
  sorts: ['createTime', 'dueTime', 'totalPrice'],
  initialSort: '-createTime',
  sumName: '实付共',
  columns: [
    { key: 'orderSn', name: '订单', group: '订单', kind: 'text', sort: 'createTime' },
    { key: 'createTime', name: '下单时间', group: '订单', kind: 'time', isExtra: true },
    { key: 'typeName', name: '服务', group: '订单', kind: 'text', isExtra: true },
    { key: 'title', name: '内容', group: '订单', kind: 'text' },
    { key: 'gameName', name: '游戏', group: '订单', kind: 'text', isExtra: true },
    { key: 'modeName', name: '方式', group: '订单', kind: 'text', isExtra: true },
    { key: 'distName', name: '站点', group: '订单', kind: 'text', isExtra: true },
    { key: 'buyerName', name: '买家', group: '人', kind: 'text' },
    { key: 'providerName', name: '打手、陪玩', group: '人', kind: 'text' },
    { key: 'stateName', name: '进度', group: '过程', kind: 'text' },
    { key: 'donePercent', name: '完成（%）', group: '过程', kind: 'number', isExtra: true },
    {
      key: 'playedMinutes',
      name: '已玩（分钟）',
      group: '过程',
      kind: 'number',
      isExtra: true,
    },
    { key: 'dueTime', name: '约定时间', group: '过程', kind: 'time', sort: 'dueTime' },
    { key: 'acceptTime', name: '接单时间', group: '过程', kind: 'time', isExtra: true },
    { key: 'finishTime', name: '结束时间', group: '过程', kind: 'time', isExtra: true },
    { key: 'totalPrice', name: '实付', group: '钱', kind: 'money', sort: 'totalPrice' },
    { key: 'advance', name: '已付阶段款', group: '钱', kind: 'money', isExtra: true },
    { key: 'refunded', name: '已退款', group: '钱', kind: 'money' },
    { key: 'income', name: '平台收入', group: '钱', kind: 'money' },
    { key: 'deposits', name: '保证金', group: '钱', kind: 'money', isExtra: true },
  ],
});
