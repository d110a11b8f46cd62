import { z } from 'zod';
import { fieldSchema, stepSchema, ruledOutStep } from '#subjects/games/contract/games.ts';
import { inspectedField, goodsBand, goodsReference, coinRatios } from './goods-price.ts';
import { picture } from '#subjects/media/contract/pictures.ts';
import { endpoint } from '#contract/endpoint.ts';
import { askingPrice, goodsBody, goodsSorts, goodsTerms, offerFilters, publishInputs } from './goods-body.ts';
import { typedKeyword } from '#contract/rules/texts/typed.ts';
import {
  amount,
  flag,
  int,
  json,
  listTail,
  money,
  nothing,
  optionalInt,
  paging,
  sn,
  text,
  time,
  optionalTyped,
} from '#contract/wire.ts';

const chip = z.object({ label: z.string(), value: z.string() });
const seller = z.object({
  sellerId: z.string(),
  nickName: z.string(),
  avatar: z.string(),
  level: z.number().int(),
  levelName: z.string(),
  online: z.boolean(),
  lastSeenTime: time,
  soldNum: z.number().int(),
  goodRate: z.number().nullable(),
  onSaleNum: z.number().int().optional(),
  /** The basis of the level, as text; null when nothing was counted yet. */
  levelNote: z.string().nullable().optional(),
  joinTime: time.optional(),
});

/** One row or card. `allInPrice`: the buyer's total without options, for sorting and price filters. `thumbnail`: drawn if `pictureNum` is 0. */
export const goodsCard = z.object({
  goodsSn: z.string(),
  goodsTypeId: z.number().int(),
  goodsTypeStr: z.string(),
  gameId: z.number().int(),
  gameName: z.string(),
  crossId: z.number().int().nullable(),
  crossName: z.string(),
  bigTitle: z.string(),
  price: money,
  serviceFee: money,
  allInPrice: money,
  ensureFrom: money.nullable(),
  chips: z.array(chip),
  thumbnail: z.string(),
  pictureNum: z.number().int(),
  hue: z.number().int(),
  glyph: z.string(),
  isOfficialSell: z.boolean(),
  distId: z.number().int(),
  securitService: z.string(),
  ensureOpen: z.boolean(),
  inspectedTime: time.nullable(),
  bargainOpen: z.boolean(),
  stock: z.number().int(),
  views: z.number().int(),
  status: z.number().int(),
  band: goodsBand.nullable(),
  seller,
  createTime: time,
  updateTime: time,
  pageUrl: z.string(),
});
export type GoodsCard = z.output<typeof goodsCard>;

/** Search and list. `details`: JSON of filters by key: a value, {all|any}, {atLeast, of} or {min, max} (domain.md 4). */
export const getGoodsList = endpoint({
  method: 'GET',
  path: '/api/goods/getGoodsList',
  auth: 'public',
  mayLag: true,
  summary: '搜索、筛选、排序、翻页',
  input: z.object({
    ...paging,
    goodsTypeId: optionalInt({ max: 99, label: '商品类型' }),
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    areaId: optionalInt({ max: 100_000_000, label: '大区' }),
    serverId: optionalInt({ max: 2_000_000_000, label: '服务器' }),
    keyWord: optionalTyped(typedKeyword, 40, '关键词'),
    minPrice: amount({ minFen: 0, label: '最低价' }).optional(),
    maxPrice: amount({ minFen: 0, label: '最高价' }).optional(),
    sort: z.enum(goodsSorts, { error: '排序方式不正确' }).optional(),
    details: json(z.record(z.string().max(40), z.unknown()), '筛选条件').optional(),
    inspected: flag.optional(),
    ensureOpen: flag.optional(),
    officialSell: flag.optional(),
    bargainOpen: flag.optional(),
    ...offerFilters,
    sellerId: z
      .string()
      .regex(/^\d{1,15}$/, '卖家编号不正确')
      .optional(),
  }),
  data: z.object({ list: z.array(goodsCard), ...listTail }),
  limit: 'search',
});

export const goodsInfo = endpoint({
  method: 'GET',
  path: '/api/goods/goodsInfo',
  auth: 'public',
  summary: '商品详情',
  input: z.object({ goodsSn: sn }),
  data: goodsCard.extend({
    ...goodsTerms,
    description: z.string(),
    pictures: z.array(picture),
    attrs: z.array(z.object({ key: z.string(), label: z.string(), value: z.string() })),
    coin: coinRatios,
    areaId: z.number().int().nullable(),
    serverId: z.number().int().nullable(),
    source: z.string().nullable(),
    isMine: z.boolean(),
    followed: z.boolean(),
    follows: z.number().int(),
    inspection: z.array(inspectedField),
    handover: z.array(stepSchema),
    ruledOut: z.array(ruledOutStep),
    shipHours: z.number().int(),
    /** How long a placed order reserves it until it is paid. */
    payMinutes: z.number().int(),
    protection: z.object({ inspectHours: z.number().int(), holdHours: z.number().int() }),
    history: z.array(z.object({ kind: z.string(), text: z.string(), time })),
    comparables: z.array(z.object({ title: z.string(), price: money, dealTime: time })),
    /** Similar sales of the last 90 days, oldest first, for a chart; only the day is given, so that no sale can be matched to a person. */
    sales: z.array(z.object({ day: z.string(), price: money })),
    /** Share of the game's sales in the last full month priced between low and high; null without such sales. */
    priceRecord: z.object({ month: z.string(), percent: z.number() }).nullable(),
    /** Canonical URL for search engines, on the site where the listing was published. */
    canonicalUrl: z.string(),
    /** Changes of the price since the listing was published, oldest first. */
    priceChanges: z.array(z.object({ from: money, to: money, changeTime: time })),
    rejectReason: z.string().nullable(),
  }),
  idField: 'goodsSn',
  limit: 'read',
});

/** Completions of the typed text: games, listing codes, frequent title words; matched by character, pinyin or initials. */
export const suggest = endpoint({
  method: 'GET',
  path: '/api/goods/suggest',
  auth: 'public',
  summary: '搜索建议',
  input: z.object({ keyWord: text(40, { min: 1, label: '关键词' }), gameId: optionalInt({ max: 1_000_000 }) }),
  data: z.object({
    list: z.array(z.object({ kind: z.enum(['game', 'goods', 'word']), text: z.string(), url: z.string() })),
  }),
  limit: 'search',
});

export const mostViewGoodsList = endpoint({
  method: 'GET',
  path: '/api/goods/mostViewGoodsList',
  auth: 'public',
  summary: '浏览最多的商品',
  input: z.object({ gameId: optionalInt({ max: 1_000_000 }), pageSize: optionalInt({ min: 1, max: 50 }) }),
  data: z.object({ list: z.array(goodsCard) }),
  limit: 'read',
});

/** Similar listings on sale with their prices, for judging a price. */
export const getAvGoodsList = endpoint({
  method: 'GET',
  path: '/api/goods/getAvGoodsList',
  auth: 'public',
  summary: '相似商品',
  input: z.object({ goodsSn: sn, pageSize: optionalInt({ min: 1, max: 20 }) }),
  data: z.object({ list: z.array(goodsCard) }),
  idField: 'goodsSn',
  limit: 'read',
});

export const currentdayDealGoodsList = endpoint({
  method: 'GET',
  path: '/api/goods/currentdayDealGoodsList',
  auth: 'public',
  summary: '今日成交行情',
  input: z.object({ pageSize: optionalInt({ min: 1, max: 50 }) }),
  data: z.object({
    list: z.array(
      z.object({
        gameId: z.number().int(),
        gameName: z.string(),
        icon: z.string(),
        goodsTypeName: z.string(),
        typical: money.nullable(),
        weekChangePercent: z.number().nullable(),
        dealsToday: z.number().int(),
        onSale: z.number().int(),
        trend: z.array(z.number().int()),
      }),
    ),
  }),
  limit: 'read',
});

export const getUserLookGoodsHistory = endpoint({
  method: 'GET',
  path: '/api/goods/getUserLookGoodsHistory',
  auth: 'login',
  summary: '浏览历史',
  input: z.object({ ...paging }),
  data: z.object({ list: z.array(goodsCard.extend({ viewTime: time })), ...listTail }),
  limit: 'read',
});

export const getGoodsUpperConf = endpoint({
  method: 'GET',
  path: '/api/goods/getGoodsUpperConf',
  auth: 'login',
  summary: '某游戏某商品类型的发布表单',
  input: z.object({
    gameId: int({ max: 1_000_000, label: '游戏' }),
    goodsTypeId: int({ max: 99, label: '商品类型' }),
    areaId: optionalInt({ max: 100_000_000, label: '大区' }),
    /** The attributes filled in so far; the reference is that of such a listing. */
    details: json(z.record(z.string().max(40), z.unknown()), '商品属性').optional(),
  }),
  data: z.object({
    gameId: z.number().int(),
    gameName: z.string(),
    goodsTypeId: z.number().int(),
    version: z.number().int(),
    inputs: publishInputs,
    fields: z.array(fieldSchema),
    maxPictures: z.number().int(),
    minPrice: money,
    maxPrice: money,
    band: goodsReference.nullable(),
    newSellerText: z.string().nullable(),
  }),
  limit: 'read',
});

export const releaseGoods = endpoint({
  method: 'POST',
  path: '/api/goods/releaseGoods',
  auth: 'login',
  summary: '发布商品',
  input: z.object({
    gameId: int({ max: 1_000_000, label: '游戏' }),
    goodsTypeId: int({ max: 99, label: '商品类型' }),
    ...goodsBody,
    /** The seller declares a changed password for an account whose credentials were disclosed to another user (GOODS_PASSWORD_DUE). */
    passwordChanged: flag.optional(),
  }),
  data: z.object({ goodsSn: z.string(), status: z.number().int() }),
  idempotent: true,
  limit: 'publish',
});

/** A change of text, pictures or attributes sends a live listing back to review; a change of price alone does not (onlySetupGoodsPrice). */
export const updatetGoods = endpoint({
  method: 'POST',
  path: '/api/goods/updatetGoods',
  auth: 'login',
  summary: '修改商品',
  input: z.object({ goodsSn: sn, ...goodsBody, passwordChanged: flag.optional() }),
  data: z.object({ goodsSn: z.string(), status: z.number().int() }),
  limit: 'publish',
});

export const selfPublishGoodsList = endpoint({
  method: 'GET',
  path: '/api/goods/selfPublishGoodsList',
  auth: 'login',
  summary: '我发布的商品',
  input: z.object({
    ...paging,
    status: optionalInt({ max: 8, label: '状态' }),
    keyWord: optionalTyped(typedKeyword, 40, '关键词'),
  }),
  data: z.object({
    list: z.array(
      z.object({
        goodsSn: z.string(),
        bigTitle: z.string(),
        gameId: z.number().int(),
        gameName: z.string(),
        goodsTypeId: z.number().int(),
        thumbnail: z.string(),
        price: money,
        net: money,
        stock: z.number().int(),
        status: z.number().int(),
        statusName: z.string(),
        goodsTypeStr: z.string(),
        areaText: z.string(),
        bargainOpen: z.boolean(),
        pageUrl: z.string(),
        reviewNote: z.string().nullable(),
        views: z.number().int(),
        follows: z.number().int(),
        createTime: time,
        refreshTime: time,
      }),
    ),
    counts: z.record(z.string(), z.number().int()),
    ...listTail,
  }),
  limit: 'read',
});

/** Loads the caller's own listing for the edit form, in any state. */
export const selfGoods = endpoint({
  method: 'GET',
  path: '/api/goods/selfGoods',
  auth: 'login',
  summary: '我的商品（编辑用）',
  input: z.object({ goodsSn: sn }),
  data: z.object({
    goodsSn: z.string(),
    gameId: z.number().int(),
    goodsTypeId: z.number().int(),
    bigTitle: z.string(),
    description: z.string(),
    price: money,
    stock: z.number().int(),
    areaId: z.number().int().nullable(),
    serverId: z.number().int().nullable(),
    details: z.record(z.string(), z.unknown()),
    pictures: z.array(z.object({ key: z.string(), url: z.string() })),
    ...goodsTerms,
    /** A game account is on record; sending the field empty leaves it unchanged. The account number itself is never stored. */
    hasAccount: z.boolean(),
    status: z.number().int(),
    reviewNote: z.string().nullable(),
  }),
  idField: 'goodsSn',
  limit: 'read',
});

/** pull = take off sale, push = put on sale again. `passwordChanged`: the seller's declaration that GOODS_PASSWORD_DUE requires. */
export const pushOrPullGoods = endpoint({
  method: 'POST',
  path: '/api/goods/pushOrPullGoods',
  auth: 'login',
  summary: '上架或下架',
  input: z.object({
    goodsSn: sn,
    act: z.enum(['push', 'pull', 'remove'], { error: '操作不正确' }),
    passwordChanged: flag.optional(),
  }),
  data: z.object({ goodsSn: z.string(), status: z.number().int() }),
  limit: 'write',
});

export const onlySetupGoodsPrice = endpoint({
  method: 'POST',
  path: '/api/goods/onlySetupGoodsPrice',
  auth: 'login',
  summary: '只改价格',
  input: z.object({ goodsSn: sn, price: askingPrice }),
  data: z.object({ goodsSn: z.string(), price: money, net: money }),
  limit: 'write',
});

export const userUpdateGoodsTime = endpoint({
  method: 'POST',
  path: '/api/goods/userUpdateGoodsTime',
  auth: 'login',
  summary: '刷新商品时间',
  input: z.object({ goodsSn: sn }),
  data: z.object({ refreshTime: time }),
  limit: 'write',
});

/** Saves the content of the publishing form as a draft; an empty body deletes it. */
export const saveDraft = endpoint({
  method: 'POST',
  path: '/api/goods/saveDraft',
  auth: 'login',
  summary: '保存发布草稿',
  input: z.object({ draftKey: text(60, { min: 1 }), body: json(z.record(z.string(), z.unknown()), '草稿') }),
  data: nothing,
  limit: 'write',
});

export const getDraft = endpoint({
  method: 'GET',
  path: '/api/goods/getDraft',
  auth: 'login',
  summary: '读取发布草稿',
  input: z.object({ draftKey: text(60, { min: 1 }) }),
  data: z.object({ body: z.record(z.string(), z.unknown()).nullable(), updateTime: time.nullable() }),
  limit: 'read',
});
