import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';

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
