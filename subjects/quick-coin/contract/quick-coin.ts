import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { findDiscount } from '#subjects/orders/contract/discount.ts';
import {
  applied,
  applyFields,
  changeFields,
  hours,
  visibleHours,
  providerRecord,
} from '#subjects/providers/contract/provider.ts';
import { coinUnits } from '#contract/rules/catalogue.ts';
import {
  amount,
  flag,
  int,
  json,
  listTail,
  money,
  optionalInt,
  optionalText,
  paging,
  sn,
  text,
  time,
} from '#contract/wire.ts';

/** Applies for a shop; isQuickShop becomes 1 once it is approved and its deposit paid. */
export const shopQuickCoinApply = endpoint({
  method: 'POST',
  path: '/api/quickCoin/shopQuickCoinApply',
  auth: 'login',
  summary: '申请极速金币店铺',
  input: z.object({ ...applyFields, notice: optionalText(200, '店铺公告'), hours: hours.default([]) }),
  data: applied,
  idempotent: true,
  limit: 'publish',
});

/** `shop` is null for a user who has never applied; `coinGames` are the games that have coin, with the unit. */
export const getShopQuickCoinInfo = endpoint({
  method: 'GET',
  path: '/api/quickCoin/getShopQuickCoinInfo',
  auth: 'login',
  summary: '我的店铺',
  input: z.object({}),
  data: z.object({
    shop: z
      .object({
        ...providerRecord,
        notice: z.string(),
        hours: visibleHours,
        onSaleNum: z.number().int(),
        maxOnSaleNum: z.number().int(),
        toShipNum: z.number().int(),
        income30: money,
        averageShipMinutes: z.number().int().nullable(),
      })
      .nullable(),
    coinGames: z.array(z.object({ gameId: z.number().int(), name: z.string(), unit: z.enum(coinUnits) })),
  }),
  limit: 'read',
});

export const updateShopQuickCoin = endpoint({
  method: 'POST',
  path: '/api/quickCoin/updateShopQuickCoin',
  auth: 'login',
  summary: '修改店铺',
  input: z.object({ ...changeFields, notice: optionalText(200, '店铺公告'), hours: hours.optional() }),
  data: applied,
  idempotent: true,
  limit: 'publish',
});

/**
 * An offer. One unit of coin is often worth less than a fen, so the price is per lot: `lotUnits` units for `lotPrice`;
 * stock, minimum and orders are counted in lots. Both ratios are returned: units per yuan and price per unit.
 */
const offer = z.object({
  quickCoinSn: z.string(),
  gameId: z.number().int(),
  gameName: z.string(),
  areaId: z.number().int(),
  areaName: z.string(),
  serverId: z.number().int().nullable(),
  serverName: z.string(),
  camp: z.string(),
  quickCoinType: z.number().int(),
  unit: z.enum(coinUnits),
  lotUnits: z.number().int(),
  lotPrice: money,
  /** '1元=52.63万金币' and '0.0190元/万金币'. */
  ratioText: z.string(),
  unitPriceText: z.string(),
  stock: z.number().int(),
  minNum: z.number().int(),
  maxNum: z.number().int(),
  delivery: z.array(z.object({ id: z.number().int(), name: z.string() })),
  shipMinutes: z.number().int(),
  bigTitle: z.string(),
  note: z.string(),
  status: z.number().int(),
  statusName: z.string(),
  version: z.number().int(),
  soldNum: z.number().int(),
  updateTime: time,
});

/** A shop as shown to buyers next to an offer. */
export const shopCard = z.object({
  userId: z.string(),
  name: z.string(),
  avatar: z.string(),
  online: z.boolean(),
  doneNum: z.number().int(),
  goodRate: z.number().nullable(),
  averageShipMinutes: z.number().int().nullable(),
  depositName: z.string().nullable(),
  /** '每天 10:00-24:00'; '' for a shop without hours. Outside them it counts as offline. */
  hoursText: z.string(),
});

const deliveryIds = json(z.array(z.number().int().min(1).max(3)).min(1, '请选择交货方式').max(3), '交货方式');

const offerTerms = {
  lotUnits: int({ min: 1, max: 1_000_000_000, label: '每份数量' }),
  lotPrice: amount({ minFen: 1, maxFen: 99_999_999, label: '每份价格' }),
  stock: int({ min: 0, max: 1_000_000, label: '库存' }),
  minNum: int({ min: 1, max: 100_000, label: '起购份数' }).default(1),
  maxNum: int({ min: 1, max: 100_000, label: '最多份数' }).default(10_000),
  delivery: deliveryIds,
  shipMinutes: int({ min: 5, max: 1440, label: '承诺发货时间' }).default(30),
  bigTitle: optionalText(60, '标题'),
  note: optionalText(300, '说明'),
};

export const createQuickCoin = endpoint({
  method: 'POST',
  path: '/api/quickCoin/createQuickCoin',
  auth: 'login',
  summary: '发布金币报价',
  input: z
    .object({
      gameId: int({ max: 1_000_000, label: '游戏' }),
      areaId: int({ min: 1, max: 100_000_000, label: '大区' }),
      serverId: optionalInt({ max: 2_000_000_000, label: '服务器' }),
      camp: optionalText(20, '阵营'),
      quickCoinType: int({ min: 1, max: 99, label: '金币种类' }).default(1),
      unit: z.enum(coinUnits, { error: '金币单位不正确' }),
      ...offerTerms,
    })
    .refine((v) => v.maxNum >= v.minNum, { error: '最多份数不能小于起购份数', path: ['maxNum'] }),
  data: offer,
  idempotent: true,
  limit: 'publish',
});

/**
 * `act` save changes the terms, push and pull put it on and off sale, remove ends it. Each change of terms increments
 * `version`.
 */
export const updateQuickCoin = endpoint({
  method: 'POST',
  path: '/api/quickCoin/updateQuickCoin',
  auth: 'login',
  summary: '修改金币报价、上下架',
  input: z.object({
    quickCoinSn: sn,
    applyChange: z.enum(['save', 'push', 'pull', 'remove'], { error: '操作不正确' }).default('save'),
    lotUnits: offerTerms.lotUnits.optional(),
    lotPrice: offerTerms.lotPrice.optional(),
    stock: offerTerms.stock.optional(),
    minNum: optionalInt({ min: 1, max: 100_000, label: '起购份数' }),
    maxNum: optionalInt({ min: 1, max: 100_000, label: '最多份数' }),
    delivery: deliveryIds.optional(),
    shipMinutes: optionalInt({ min: 5, max: 1440, label: '承诺发货时间' }),
    bigTitle: optionalText(60, '标题'),
    note: optionalText(300, '说明'),
  }),
  data: offer,
  idempotent: true,
  limit: 'publish',
});

export const findQuickCoin = endpoint({
  method: 'GET',
  path: '/api/quickCoin/findQuickCoin',
  auth: 'public',
  summary: '金币报价详情',
  input: z.object({ quickCoinSn: sn }),
  data: offer.extend({
    shop: shopCard,
    isMine: z.boolean(),
    serviceFeeBp: z.number().int(),
    lots: z.array(z.number().int()),
    /** How long a placed order keeps its lots until it is paid. */
    payMinutes: z.number().int(),
  }),
  idField: 'quickCoinSn',
  limit: 'read',
});

export const selfPublishQuickCoinList = endpoint({
  method: 'GET',
  path: '/api/quickCoin/selfPublishQuickCoinList',
  auth: 'login',
  summary: '我的金币报价',
  input: z.object({
    ...paging,
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    areaId: optionalInt({ max: 100_000_000, label: '大区' }),
    status: optionalInt({ min: 1, max: 7, label: '状态' }),
  }),
  data: z.object({
    list: z.array(offer.extend({ net: money })),
    counts: z.record(z.string(), z.number().int()),
    ...listTail,
  }),
  limit: 'read',
});

/** The offers of one market, lowest unit price first; with an area also its ratio of today. */
export const getQuickCoinList = endpoint({
  method: 'GET',
  path: '/api/quickCoin/getQuickCoinList',
  auth: 'public',
  summary: '金币报价列表',
  input: z.object({
    ...paging,
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    areaId: optionalInt({ max: 100_000_000, label: '大区' }),
    serverId: optionalInt({ max: 2_000_000_000, label: '服务器' }),
    camp: optionalText(20, '阵营'),
    quickCoinType: optionalInt({ min: 1, max: 99, label: '金币种类' }),
    delivery: optionalInt({ min: 1, max: 3, label: '交货方式' }),
    /** Lots that the buyer needs: offers that cannot deliver them are omitted. */
    num: optionalInt({ min: 1, max: 100_000, label: '份数' }),
    online: flag.optional(),
    sort: z.enum(['unitPrice', 'stock', 'speed', 'sold'], { error: '排序方式不正确' }).optional(),
  }),
  data: z.object({
    list: z.array(offer.extend({ shop: shopCard, isMine: z.boolean() })),
    ratio: z
      .object({
        lowText: z.string(),
        typicalText: z.string(),
        highText: z.string(),
        lastDealText: z.string().nullable(),
        day: z.string(),
      })
      .nullable(),
    quickCoinTypes: z.array(z.object({ id: z.number().int(), name: z.string() })),
    ...listTail,
  }),
  limit: 'search',
});

/** The 90-day chart of one area: units per yuan for each day, oldest first. */
export const coinRatioHistory = endpoint({
  method: 'GET',
  path: '/api/quickCoin/coinRatioHistory',
  auth: 'public',
  summary: '金币比例走势',
  input: z.object({
    gameId: int({ max: 1_000_000, label: '游戏' }),
    areaId: int({ max: 100_000_000, label: '大区' }),
    quickCoinType: int({ min: 1, max: 99, label: '金币种类' }).default(1),
  }),
  data: z.object({
    unit: z.string(),
    list: z.array(
      z.object({ day: z.string(), low: z.number(), typical: z.number(), high: z.number(), deals: z.number().int() }),
    ),
  }),
  limit: 'read',
});

/** Reserves the lots by one conditional UPDATE and places an order of type 53; it is paid like every order. */
export const placeQuickCoinOrder = endpoint({
  method: 'POST',
  path: '/api/quickCoin/placeQuickCoinOrder',
  auth: 'login',
  summary: '金币下单',
  input: z
    .object({
      quickCoinSn: sn,
      num: int({ min: 1, max: 100_000, label: '份数' }),
      version: optionalInt({ max: 1_000_000_000, label: '报价版本' }),
      delivery: int({ min: 1, max: 3, label: '交货方式' }),
      roleCardId: optionalInt({ label: '角色卡' }),
      roleName: text(40, { min: 1, label: '角色名' }),
      roleLevel: optionalInt({ min: 1, max: 9999, label: '等级' }),
      auctionItem: optionalText(40, '拍卖物品'),
      meetPlace: optionalText(60, '见面地点'),
      couponId: optionalInt({ label: '优惠券' }),
    })
    .refine((v) => v.delivery !== 2 || v.auctionItem !== undefined, { error: '请填写拍卖物品', path: ['auctionItem'] }),
  data: z.object({
    orderId: z.number().int(),
    orderSn: z.string(),
    status: z.number().int(),
    coinText: z.string(),
    totalPrice: money,
    createTime: time,
  }),
  idempotent: true,
  limit: 'order',
});

/**
 * Available discounts for such an order: the caller's coupons and campaigns that still hand out coupons, best first (as
 * findDiscount for listings).
 */
export const coinDiscount = endpoint({
  method: 'GET',
  path: '/api/quickCoin/coinDiscount',
  auth: 'login',
  summary: '金币下单可用的优惠',
  input: z.object({ quickCoinSn: sn, num: int({ min: 1, max: 100_000, label: '份数' }) }),
  data: findDiscount.data,
  limit: 'read',
});

const quickOrder = z.object({
  id: z.number().int(),
  orderSn: z.string(),
  quickCoinSn: z.string(),
  status: z.number().int(),
  statusName: z.string(),
  belong: z.number().int(),
  gameName: z.string(),
  areaName: z.string(),
  serverName: z.string(),
  bigTitle: z.string(),
  num: z.number().int(),
  coinText: z.string(),
  deliveredText: z.string(),
  unitPrice: money,
  totalPrice: money,
  net: money.nullable(),
  delivery: z.number().int(),
  deliveryName: z.string(),
  roleName: z.string(),
  roleLevel: z.number().int().nullable(),
  auctionItem: z.string().nullable(),
  meetPlace: z.string().nullable(),
  partnerName: z.string(),
  pictures: z.array(z.object({ url: z.string(), thumb: z.string() })),
  groupId: z.string().nullable(),
  deadline: time.nullable(),
  payTime: time.nullable(),
  createTime: time,
});

/** belong 0 = bought by the caller, 1 = sold by the caller's shop (product.md 6); with `orderSn` only that order. */
export const queryQuickOrderList = endpoint({
  method: 'GET',
  path: '/api/quickCoin/queryQuickOrderList',
  auth: 'login',
  summary: '极速金币订单',
  input: z.object({
    ...paging,
    belong: optionalInt({ max: 1, label: '买卖方' }),
    status: optionalInt({ min: -1, max: 9, label: '状态' }),
    orderSn: sn.optional(),
    keyWord: optionalText(40, '关键词'),
  }),
  data: z.object({ orderList: z.array(quickOrder), counts: z.record(z.string(), z.number().int()), ...listTail }),
  limit: 'read',
});
