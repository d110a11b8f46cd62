import { NO_GOODS_TYPE } from '#contract/rules/catalogue.ts';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { amount, int, listTail, money, optionalInt, optionalText, paging, sn, text, time } from '#contract/wire.ts';

const feePayers = ['buyer', 'seller', 'half'] as const;
const statuses = ['waiting', 'ordered', 'withdrawn', 'refused', 'expired'] as const;
const code = z.string({ error: '链接不完整' }).regex(/^[A-Za-z0-9_-]{20,64}$/, '链接不完整');

/** A private deal as seen by one of its two parties. The fees are those that were displayed when it was opened. */
const deal = z.object({
  dealSn: z.string(),
  status: z.enum(statuses),
  statusName: z.string(),
  title: z.string(),
  description: z.string(),
  gameName: z.string(),
  /** Goods type of the game that is sold; 0 for subjects that belong to no game. */
  goodsTypeId: z.number().int(),
  goodsTypeName: z.string(),
  /** Area and server of an account, as text. */
  areaText: z.string(),
  /** The seller is the responding party and has not named the account yet. */
  needsAccountNo: z.boolean(),
  price: money,
  fee: money,
  feeSide: z.enum(feePayers),
  feeSideName: z.string(),
  buyerPays: money,
  sellerGets: money,
  /** 1 = the opener is the buyer. */
  openerBelong: z.number().int(),
  openerName: z.string(),
  partnerName: z.string().nullable(),
  viewer: z.enum(['opener', 'partner', 'visitor']),
  orderSn: z.string().nullable(),
  /** The link for the other party; only for the opener of a pending deal. */
  path: z.string().nullable(),
  expireTime: time,
  createTime: time,
});

/** The fee for a price, before a deal is opened. */
export const middlemanFee = endpoint({
  method: 'GET',
  path: '/api/middleman/fee',
  auth: 'public',
  summary: '担保中介费率',
  input: z.object({}),
  data: z.object({
    /** The seller's commission and the buyer's fee of a listing, which also apply to a deal. */
    sellerBp: z.number().int(),
    sellerMaximum: money,
    buyerBp: z.number().int(),
    minimum: money,
    answerHours: z.number().int(),
    /** How long the buyer has to pay after the deal is accepted, in hours. */
    payHours: z.number().int(),
  }),
  limit: 'read',
});

/**
 * Opens a deal between two users who have already agreed. `path` in the response is the link for the other party; its
 * secret is not stored anywhere else.
 */
export const openMiddleman = endpoint({
  method: 'POST',
  path: '/api/middleman/open',
  auth: 'login',
  summary: '发起担保中介',
  input: z.object({
    belong: int({ max: 1, label: '买卖方' }),
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    goodsTypeId: int({ max: 99, label: '商品类型' }).default(NO_GOODS_TYPE),
    serverId: optionalInt({ label: '服务器' }),
    /** The account for sale, when the seller opens the deal; stored are its fingerprint and its name with the middle hidden. */
    accountNo: optionalText(64, '游戏账号'),
    title: text(60, { min: 4, label: '交易内容' }),
    description: optionalText(500, '约定'),
    price: amount({ minFen: 100, maxFen: 99_999_999, label: '价格' }),
    feeSide: z.enum(feePayers, { error: '请选择手续费由谁承担' }),
  }),
  data: z.object({ dealSn: z.string(), path: z.string(), expireTime: time }),
  idempotent: true,
  limit: 'publish',
});

/** A deal, for its opener, its responding party, or the holder of its link. */
export const middlemanInfo = endpoint({
  method: 'GET',
  path: '/api/middleman/info',
  auth: 'public',
  summary: '担保中介详情',
  input: z.object({ dealSn: sn, code: code.optional() }),
  data: deal.extend({
    /** A purchase of the caller from this seller that is paid and not completed, while the caller could still pay the deal; the newest. */
    alreadyPaid: z.object({ orderSn: z.string(), title: z.string(), price: money }).nullable(),
  }),
  limit: 'verify',
});

/**
 * The other party accepts (which places the order of type 51) or rejects with the link's code; the opener withdraws.
 */
export const respondMiddleman = endpoint({
  method: 'POST',
  path: '/api/middleman/answer',
  auth: 'login',
  summary: '接受、拒绝或撤回担保中介',
  input: z.object({
    dealSn: sn,
    act: z.enum(['accept', 'refuse', 'withdraw'], { error: '操作不正确' }),
    code: code.optional(),
    /** The account, when the seller accepts the deal. */
    accountNo: optionalText(64, '游戏账号'),
  }),
  data: z.object({ dealSn: z.string(), status: z.enum(statuses), orderSn: z.string().nullable() }),
  idempotent: true,
  limit: 'order',
});

/** The caller's deals, opened or responded to, newest first. */
export const middlemanList = endpoint({
  method: 'GET',
  path: '/api/middleman/list',
  auth: 'login',
  summary: '我的担保中介',
  input: z.object({ ...paging }),
  data: z.object({ list: z.array(deal), ...listTail }),
  limit: 'read',
});
