import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { money, optionalInt, time } from '#contract/wire.ts';

const link = z.object({ title: z.string(), url: z.string() });

/** Distributor configuration (product.md 3). Texts are plain text; links are http(s) or relative; statistics are ids, never markup. */
export const distConf = z.object({
  distId: z.number().int(),
  distCode: z.string(),
  distBaseConf: z.object({
    hdrBarWelceWord: z.string(),
    watermark: z.string(),
    recGameStr: z.string(),
    websiteName: z.string(),
    websiteDesc: z.string(),
    webKeyWordStr: z.string(),
    statTrafScript: z.object({
      sllSl: z.string().optional(),
      baiduSl: z.string().optional(),
      baiduTj: z.string().optional(),
      fiveoneTj: z.string().optional(),
      isTechSupport: z.boolean().optional(),
    }),
  }),
  pictArea: z.object({ logo: z.string(), qrCode: z.string(), webIcon: z.string() }),
  adverPosMap: z.record(
    z.string(),
    z.array(
      z.object({
        device: z.number().int(),
        smalltitle: z.string(),
        htUrl: z.string(),
        title: z.string(),
        /** Shows the reminder dialog with its countdown first. */
        remind: z.boolean().optional(),
        /** Address of its picture. */
        picture: z.string().optional(),
      }),
    ),
  ),
  customerBlock: z.object({ serviceNum: z.string() }),
  botQuals: z.array(z.object({ url: z.string(), htUrl: z.string(), tarAtt: z.string() })),
  notifBits: z.array(link),
  bottomVerInfo: z.object({
    icpNum: z.string(),
    busLicense: z.string(),
    pubSecCase: z.string(),
    copyInfo: z.string(),
    copyright: z.string(),
  }),
  treeMenuButMap: z.object({ pc1: z.array(link) }),
  /** Present while the site accepts no orders: the text to show. */
  suspendNotice: z.string().optional(),
  theme: z.object({ hue: z.number(), chroma: z.number(), layout: z.number().int(), topBar: z.number().int() }),
});
export type DistConf = z.output<typeof distConf>;

export const homeConf = endpoint({
  method: 'GET',
  path: '/api/dist/homeConf',
  auth: 'public',
  summary: '站点配置',
  input: z.object({}),
  data: distConf,
  limit: 'read',
});

/** Masked and rounded: no order numbers, no full names (reliability.md b.46). */
export const completedSale = z.object({
  gameId: z.number().int(),
  gameName: z.string(),
  orderTypeId: z.number().int(),
  title: z.string(),
  areaName: z.string(),
  price: money,
  buyer: z.string(),
  dealTime: time,
});

export const latestDealRecord = endpoint({
  method: 'GET',
  path: '/api/dist/latestDealRecord',
  auth: 'public',
  summary: '最新成交',
  input: z.object({ pageSize: optionalInt({ min: 1, max: 50, label: '数量' }) }),
  data: z.object({ list: z.array(completedSale) }),
  limit: 'read',
});

/** Guarantees on offer with their price rule and exclusions (domain.md 3). */
export const distEnsureList = endpoint({
  method: 'GET',
  path: '/api/dist/distEnsureList',
  auth: 'public',
  summary: '可选包赔',
  input: z.object({ gameId: optionalInt({ max: 1_000_000 }), goodsTypeId: optionalInt({ max: 99 }) }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        kind: z.enum(['ensure', 'fixEnsure']),
        name: z.string(),
        rateText: z.string(),
        rateBp: z.number().int(),
        minimum: money,
        coverText: z.string(),
        exclusions: z.array(z.string()),
        chaseDays: z.number().int(),
        /** The payout for each covered reason, as text; other reasons are not covered. */
        pays: z.array(z.object({ name: z.string(), text: z.string() })),
        /** The reason for the rate, if it was measured for the game. */
        reasons: z.array(z.string()),
        /** The rate before the measurement. */
        baseText: z.string(),
        /** The components of the rate, each with its share ('2.5%', '-0.1%'); the shares add up to the rate. */
        parts: z.array(z.object({ label: z.string(), share: z.string() })),
      }),
    ),
  }),
  limit: 'read',
});

export const getScaleConf = endpoint({
  method: 'GET',
  path: '/api/dist/getScaleConf',
  auth: 'public',
  summary: '费率',
  input: z.object({}),
  data: z.object({
    sellerCommission: z.string(),
    sellerCommissionBp: z.number().int(),
    sellerCommissionMax: money,
    buyerServiceFee: z.string(),
    buyerServiceFeeBp: z.number().int(),
    withdrawFee: z.string(),
    withdrawMinimum: money,
    /** The number and total of a user's withdrawals per day (China). */
    withdrawDayCount: z.number().int(),
    withdrawDayMax: money,
    holdBySellerLevel: z.array(z.object({ level: z.number().int(), hours: z.number().int() })),
  }),
  limit: 'read',
});

export const serQqList = endpoint({
  method: 'GET',
  path: '/api/dist/serQqList',
  auth: 'public',
  summary: '客服号码',
  input: z.object({}),
  data: z.object({ list: z.array(z.object({ kind: z.string(), value: z.string(), name: z.string() })) }),
  limit: 'read',
});
