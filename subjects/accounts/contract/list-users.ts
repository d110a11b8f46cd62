import { z } from 'zod';
import { money, time } from '#contract/wire.ts';
import { choice, declareList, keyword, onlyIf, period } from '#contract/lists/kit.ts';

const item = z.object({
  userId: z.string(),
  unionNum: z.string(),
  nickName: z.string(),
  avatar: z.string(),
  phoneMask: z.string(),
  realNameMask: z.string().nullable(),
  authStatus: z.number().int(),
  status: z.number().int(),
  sellerLevel: z.number().int(),
  soldCount: z.number().int(),
  /** The amount that the user owes to other users. */
  debt: money,
  isQuickShop: z.number().int(),
  isBooster: z.number().int(),
  isAccompanyer: z.number().int(),
  distId: z.number().int(),
  distName: z.string(),
  lastSeenTime: time,
  createTime: time,
});
export type StaffUser = z.output<typeof item>;

/** Users of the back office. Phones are masked; an export contains no more of them than the list shows. */
export const userList = declareList({
  name: 'users',
  title: '用户',
  unit: '人',
  item,
  idOf: ({ userId }) => userId,
  filters: {
    /** A complete phone, a user's number, or part of a nickname. */
    keyWord: keyword('昵称、编号或完整手机号'),
    authStatus: choice('实名', [
      ['0', '未实名'],
      ['1', '审核中'],
      ['2', '已实名'],
      ['3', '未通过'],
    ]),
    status: choice('账号状态', [
      ['1', '正常'],
      ['2', '已限制'],
      ['3', '已注销'],
    ]),
    createTime: period('注册时间'),
    hasSold: onlyIf('卖出过'),
    isQuickShop: onlyIf('商家'),
    isBooster: onlyIf('代练'),
    isAccompanyer: onlyIf('陪玩'),
    hasDebt: onlyIf('有欠款'),
  },
  sorts: ['createTime', 'soldCount'],
  initialSort: '-createTime',
  columns: [
    { key: 'nickName', name: '用户', group: '人', kind: 'text' },
    { key: 'unionNum', name: '编号', group: '人', kind: 'text', isExtra: true },
    { key: 'phoneMask', name: '手机号', group: '人', kind: 'text' },
    { key: 'realNameMask', name: '实名', group: '人', kind: 'text' },
    { key: 'sellerLevel', name: '卖家等级', group: '交易', kind: 'number', isExtra: true },
    { key: 'soldCount', name: '卖出', group: '交易', kind: 'number', sort: 'soldCount' },
    { key: 'debt', name: '欠款', group: '交易', kind: 'money' },
    { key: 'distName', name: '站点', group: '人', kind: 'text' },
    { key: 'lastSeenTime', name: '最近访问', group: '时间', kind: 'time' },
    { key: 'createTime', name: '注册', group: '时间', kind: 'time', sort: 'createTime' },
  ],
});
