import { z } from 'zod';
import { offerStatusName } from '../rules/listing-states.ts';
import { orderTypeNames } from '#subjects/orders/rules/order-types.ts';
import { money, time } from '#contract/wire.ts';
import { choice, declareList, ids, keyword, period, sums } from '#contract/lists/kit.ts';

const item = z.object({
  goodsSn: z.string(),
  bigTitle: z.string(),
  typeId: z.number().int(),
  typeName: z.string(),
  gameName: z.string(),
  price: money,
  stock: z.number().int(),
  status: z.number().int(),
  statusName: z.string(),
  sellerId: z.string(),
  sellerName: z.string(),
  /** The reviewers' latest message. */
  note: z.string().nullable(),
  distName: z.string(),
  createTime: time,
  updateTime: time,
});
export type StaffListing = z.output<typeof item>;

const STATUSES = [1, 2, 3, 4, 5, 6, 7, 8, 0].map((status) => [String(status), offerStatusName(status)] as const);

/** Every listing, whatever its state. */
export const goodsList = declareList(
  {
    name: 'goods',
    title: '商品',
    unit: '件',
    item,
    idOf: ({ goodsSn }) => goodsSn,
    filters: {
      /** Number of a listing, a seller's number or complete phone, or words of the title. */
      keyWord: keyword('商品编号、标题、卖家编号或手机号'),
      status: choice('状态', STATUSES),
      typeId: choice('类型', Object.entries(orderTypeNames)),
      gameId: ids('游戏'),
      price: sums('价格'),
      createTime: period('发布时间'),
    },
    sorts: ['createTime', 'price'],
    initialSort: '-createTime',
    columns: [
      { key: 'goodsSn', name: '编号', group: '商品', kind: 'text', sort: 'createTime' },
      { key: 'bigTitle', name: '商品', group: '商品', kind: 'text' },
      { key: 'gameName', name: '游戏', group: '商品', kind: 'text', isExtra: true },
      { key: 'typeName', name: '类型', group: '商品', kind: 'text', isExtra: true },
      { key: 'price', name: '价格', group: '商品', kind: 'money', sort: 'price' },
      { key: 'stock', name: '库存', group: '商品', kind: 'number' },
      { key: 'statusName', name: '状态', group: '过程', kind: 'text' },
      { key: 'note', name: '审核意见', group: '过程', kind: 'text', isExtra: true },
      { key: 'sellerName', name: '卖家', group: '人', kind: 'text' },
      { key: 'distName', name: '站点', group: '人', kind: 'text' },
      {
        key: 'createTime',
        name: '发布时间',
        group: '过程',
        kind: 'time',
        sort: 'createTime',
      },
      { key: 'updateTime', name: '最近修改', group: '过程', kind: 'time', isExtra: true },
    ],
  },
  {
    games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
  },
);
