/** Calls of bargains (offers below the price of a listing) and of wants. */
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { typedKeyword } from '#contract/rules/texts/typed.ts';
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
  optionalTyped,
} from '#contract/wire.ts';

/** The states, names and actions of a bargain are defined in rules/bargain.ts (domain.md 4). */
const bargain = z.object({
  bargainId: z.number().int(),
  goodsSn: z.string(),
  goodsTypeId: z.number().int(),
  gameId: z.number().int(),
  gameName: z.string(),
  bigTitle: z.string(),
  thumbnail: z.string(),
  pageUrl: z.string(),
  /** State of the listing itself: 2 is on sale (domain.md 4). An agreed price can be ordered only in that state. */
  goodsStatus: z.number().int(),
  /** The listing's current price; the offer was made when it was `priceThen`. */
  price: money,
  priceThen: money,
  sellrBargaPrice: money,
  sellrCounterofferPrice: money.nullable(),
  /** The buyer's total and the seller's net amount at the price under negotiation. */
  allInPrice: money,
  net: money.nullable(),
  status: z.number().int(),
  statusName: z.string(),
  /** The meaning of the state for the viewer, in one sentence. */
  statusText: z.string(),
  belong: z.number().int(),
  partnerName: z.string(),
  message: z.string(),
  acts: z.array(z.enum(['agree', 'refuse', 'counter', 'withdraw', 'order'])),
  expireTime: time,
  createTime: time,
  orderSn: z.string().nullable(),
});

const bargainResponse = bargain.pick({ bargainId: true, status: true, statusName: true, acts: true, expireTime: true });
/** The viewer's own offer on a listing, as shown on the listing's page. */
const mine = bargain.pick({
  bargainId: true,
  status: true,
  statusName: true,
  statusText: true,
  sellrBargaPrice: true,
  sellrCounterofferPrice: true,
  allInPrice: true,
  acts: true,
  expireTime: true,
});
const bargainId = int({ min: 1, label: '议价' });
const offerPrice = amount({ minFen: 100, maxFen: 99_999_900, label: '出价' });

/** One open offer per buyer and listing. The seller has 24 h to respond. */
export const bargaining = endpoint({
  method: 'POST',
  path: '/api/goods/bargaining',
  auth: 'login',
  summary: '买家出价',
  input: z.object({
    goodsSn: sn,
    price: offerPrice,
    goodsVersion: optionalInt({ max: 1_000_000_000, label: '商品版本' }),
    message: optionalText(100, '留言'),
  }),
  data: bargainResponse,
  idempotent: true,
  limit: 'write',
});

/** `act` agree (as the specification names it) or refuse. An agreed price is reserved for the buyer for 24 h. */
export const sellerAgreedBargain = endpoint({
  method: 'POST',
  path: '/api/goods/sellerAgreedBargain',
  auth: 'login',
  summary: '卖家同意或拒绝出价',
  input: z.object({ bargainId, act: z.enum(['agree', 'refuse'], { error: '操作不正确' }).default('agree') }),
  data: bargainResponse,
  idempotent: true,
  limit: 'write',
});

export const sellerCounterofferPrice = endpoint({
  method: 'POST',
  path: '/api/goods/sellerCounterofferPrice',
  auth: 'login',
  summary: '卖家还价',
  input: z.object({ bargainId, price: amount({ minFen: 100, maxFen: 99_999_900, label: '还价' }) }),
  data: bargainResponse,
  idempotent: true,
  limit: 'write',
});

/** The buyer accepts or rejects the counter-offer, or withdraws an offer that is still pending. */
export const buyCounterofferPriceHandle = endpoint({
  method: 'POST',
  path: '/api/goods/buyCounterofferPriceHandle',
  auth: 'login',
  summary: '买家处理还价',
  input: z.object({ bargainId, act: z.enum(['agree', 'refuse', 'withdraw'], { error: '操作不正确' }) }),
  data: bargainResponse,
  idempotent: true,
  limit: 'write',
});

/**
 * belong 0 = offers made by the caller, 1 = offers on the caller's listings; without it both. status 1 finds every
 * agreed price that can be ordered (1 and 3), -1 the ended ones (4 to 8); `counts` follows the same rule.
 */
export const bargainingList = endpoint({
  method: 'GET',
  path: '/api/goods/bargainingList',
  auth: 'login',
  summary: '我的议价',
  input: z.object({
    ...paging,
    belong: optionalInt({ max: 1, label: '买卖方' }),
    status: optionalInt({ min: -1, max: 8, label: '状态' }),
    keyWord: optionalTyped(typedKeyword, 40, '关键词'),
  }),
  data: z.object({ list: z.array(bargain), counts: z.record(z.string(), z.number().int()), ...listTail }),
  limit: 'read',
});

/** The seller sees every offer; a buyer sees their own offer, and the number and maximum of the others. */
export const lookBargaGoodsList = endpoint({
  method: 'GET',
  path: '/api/goods/lookBargaGoodsList',
  auth: 'login',
  summary: '某商品的议价',
  input: z.object({ ...paging, goodsSn: sn }),
  data: z.object({
    list: z.array(bargain),
    offers: z.number().int(),
    highest: money.nullable(),
    /** The viewer's open offer, or the last one that ended within a week. */
    mine: mine.nullable(),
    /** The minimum offer, and how many offers the viewer has left on this listing. */
    floor: money,
    triesLeft: z.number().int(),
    /** The buyer's service fee, in hundredths of a percent, so that the total of an offer can be shown while typing. */
    serviceFeeBp: z.number().int(),
    ...listTail,
  }),
  idField: 'goodsSn',
  limit: 'read',
});

const rule = z.object({ floorPercent: z.number().int() });

/** The minimum offer that reaches the seller, in percent of the listing's price. */
export const bargainRule = endpoint({
  method: 'GET',
  path: '/api/goods/bargainRule',
  auth: 'login',
  summary: '我的议价底线',
  input: z.object({}),
  data: rule,
  limit: 'read',
});

export const saveBargainRule = endpoint({
  method: 'POST',
  path: '/api/goods/saveBargainRule',
  auth: 'login',
  summary: '设置议价底线',
  input: z.object({ floorPercent: int({ min: 30, max: 95, label: '底线' }) }),
  data: rule,
  limit: 'write',
});

const wantState = z.object({ wantSn: z.string(), status: z.number().int(), statusName: z.string() });

const want = wantState.extend({
  gameId: z.number().int(),
  gameName: z.string(),
  goodsTypeId: z.number().int(),
  goodsTypeStr: z.string(),
  areaText: z.string(),
  bigTitle: z.string(),
  chips: z.array(z.object({ label: z.string(), value: z.string() })),
  budget: money,
  /** The buyer's deposit as proof of serious intent; null = none. */
  deposit: money.nullable(),
  buyerName: z.string(),
  isMine: z.boolean(),
  createTime: time,
  updateTime: time,
});

/** A want is a saved filter with a budget (domain.md 4). With `wantSn` the caller's own open want is changed. */
export const releaseWantGoods = endpoint({
  method: 'POST',
  path: '/api/goods/releaseWantGoods',
  auth: 'login',
  summary: '发布或修改求购',
  input: z.object({
    wantSn: sn.optional(),
    gameId: int({ max: 1_000_000, label: '游戏' }),
    goodsTypeId: int({ max: 99, label: '商品类型' }),
    areaId: optionalInt({ max: 100_000_000, label: '大区' }),
    serverId: optionalInt({ max: 2_000_000_000, label: '服务器' }),
    bigTitle: text(60, { min: 4, label: '标题' }),
    details: json(z.record(z.string().max(40), z.unknown()), '筛选条件').default({}),
    budget: amount({ minFen: 100, maxFen: 99_999_900, label: '预算' }),
    deposit: amount({ minFen: 0, maxFen: 1_000_000, label: '定金' }).optional(),
    payPassword: z.string().max(64).optional(),
    /** Notify the buyer of matching listings. */
    alert: flag.default(true),
  }),
  data: wantState.extend({ matches: z.number().int() }),
  idempotent: true,
  limit: 'publish',
});

/** status 1 reopens, 2 closes (the deposit is returned). */
export const updateWantGoodsStatus = endpoint({
  method: 'POST',
  path: '/api/goods/updateWantGoodsStatus',
  auth: 'login',
  summary: '关闭或重新开启求购',
  input: z.object({ wantSn: sn, status: int({ min: 1, max: 2, label: '状态' }) }),
  data: wantState,
  idempotent: true,
  limit: 'write',
});

export const findSelfWantGoodsList = endpoint({
  method: 'GET',
  path: '/api/goods/findSelfWantGoodsList',
  auth: 'login',
  summary: '我的求购',
  /** With `wantSn` only that want, or none when it belongs to another user. */
  input: z.object({ ...paging, status: optionalInt({ min: 1, max: 3, label: '状态' }), wantSn: sn.optional() }),
  data: z.object({
    list: z.array(
      want.extend({
        areaId: z.number().int().nullable(),
        serverId: z.number().int().nullable(),
        /** Number of listings on sale that matched, at most 1,000. */
        matches: z.number().int(),
        /** The newest matching listings. */
        matched: z.array(
          z.object({
            goodsSn: z.string(),
            bigTitle: z.string(),
            thumbnail: z.string(),
            goodsTypeId: z.number().int(),
            allInPrice: money,
            pageUrl: z.string(),
            matchTime: time,
          }),
        ),
        matchUrl: z.string(),
        /** URL of the list with the same filters and without the budget, for editing them. */
        filterUrl: z.string(),
        details: z.record(z.string(), z.unknown()),
        alert: z.boolean(),
        orderSn: z.string().nullable(),
      }),
    ),
    ...listTail,
  }),
  limit: 'read',
});

/**
 * With a game and a goods type the response also contains how many users look for such a listing, their median budget, and how many
 * saved a search for it.
 */
export const getWantGoodsList = endpoint({
  method: 'GET',
  path: '/api/goods/getWantGoodsList',
  auth: 'public',
  summary: '求购列表',
  input: z.object({
    ...paging,
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    goodsTypeId: optionalInt({ max: 99, label: '商品类型' }),
    keyWord: optionalTyped(typedKeyword, 40, '关键词'),
  }),
  data: z.object({
    list: z.array(want),
    demand: z
      .object({
        wants: z.number().int(),
        medianBudget: money.nullable(),
        /** Number of users who saved a search of this game and type. */
        searches: z.number().int(),
      })
      .nullable(),
    ...listTail,
  }),
  limit: 'read',
});
