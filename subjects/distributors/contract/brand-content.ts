import { BOARD, CLASSIC } from '#subjects/distributors/rules/home-layout.ts';
import { z } from 'zod';
import type { DistConf } from './dist.ts';
import { text } from '#contract/wire.ts';
import { colourFault, MAX_CHROMA } from '../rules/colour.ts';
import { FOOTER_IMAGES_MAX } from '#contract/rules/limits.ts';

/** Maximum lengths of a brand's lists. */
export const BRAND_LIMITS = { hotGames: 20, games: 500, links: 24, certificates: FOOTER_IMAGES_MAX } as const;
export const MAX_LAYOUT = BOARD;

const LINK = /^(https?:\/\/[^\s/]\S*|\/(?!img\/)($|[^/\\\s]\S*))$/;
/** An uploaded picture, or one drawn by the server. */
const PICTURE = /^(\/img\/[a-z0-9]{26}-[1-9]\d{0,3}x[1-9]\d{0,4}|\/art\/[\w%/.-]{1,200}\.svg)$/;

/** The key of an uploaded picture by its URL; undefined for any other URL. */
export const pictureKeyOf = (url: string): string | undefined => /^\/img\/([a-z0-9]{26}-\d+x\d+)$/.exec(url)?.[1];

const linkTo = z
  .string({ error: '链接不能为空' })
  .max(300, '链接不能超过 300 个字符')
  .regex(LINK, '链接应以 / 或 https:// 开头');
const picture = (label: string) => z.string({ error: `请上传${label}` }).regex(PICTURE, `${label}请用上传的图片`);
const optionalPicture = (label: string) =>
  z.union([z.literal(''), picture(label)], { error: `${label}请用上传的图片` });
const link = z.object({ title: text(20, { min: 1, label: '链接名称' }), url: linkTo });
const links = (label: string) => z.array(link).max(BRAND_LIMITS.links, `${label}最多 ${BRAND_LIMITS.links} 个`);
const whole = (label: string, min: number, max: number) =>
  z
    .number({ error: `${label}应为整数` })
    .int(`${label}应为整数`)
    .min(min, `${label}应在 ${min} 到 ${max} 之间`)
    .max(max, `${label}应在 ${min} 到 ${max} 之间`);
const gameIds = (label: string, max: number) =>
  z
    .array(whole(label, 1, 1_000_000))
    .max(max, `${label}最多 ${max} 个`)
    .refine((ids) => new Set(ids).size === ids.length, `${label}里有重复的游戏`);
const providerId = (label: string, pattern: RegExp, hint: string) =>
  z.string({ error: `${label}应为编号` }).regex(pattern, `${label}${hint}`);

const contentShape = z.object({
  name: text(20, { min: 2, label: '网站名称' }),
  desc: text(160, { label: '网站简介' }),
  keywords: text(200, { label: '关键词' }),
  welcome: text(60, { label: '欢迎词' }),
  watermark: text(16, { label: '水印' }),
  hue: whole('色相', 0, 359),
  chroma: z
    .number({ error: '浓度应为数字' })
    .min(0, `浓度应在 0 到 ${MAX_CHROMA} 之间`)
    .max(MAX_CHROMA, `浓度应在 0 到 ${MAX_CHROMA} 之间`),
  layout: whole('首页布局', 1, MAX_LAYOUT),
  topBar: whole('顶部条', 1, 2),
  logo: optionalPicture('标识'),
  icon: optionalPicture('图标'),
  qrCode: optionalPicture('二维码'),
  /** Games shown first on the home page and in the hot searches, in this order. */
  hotGames: gameIds('热门游戏', BRAND_LIMITS.hotGames),
  /** Games whose listings the site shows; null = all. */
  games: z.union([z.null(), gameIds('展示的游戏', BRAND_LIMITS.games).min(1, '至少选一个游戏')], {
    error: '展示的游戏不正确',
  }),
  /** Links of the footer; none = the default ones. */
  menus: links('页脚菜单'),
  partners: links('友情链接'),
  certificates: z
    .array(
      z.object({
        url: picture('证书图片'),
        htUrl: linkTo,
        tarAtt: z.enum(['_self', '_blank'], { error: '打开方式不正确' }),
      }),
    )
    .max(BRAND_LIMITS.certificates, `证书最多 ${BRAND_LIMITS.certificates} 张`),
  serviceNum: text(40, { label: '客服号码' }),
  icpNum: text(40, { label: 'ICP 备案号' }),
  busLicense: text(60, { label: '网络文化经营许可证' }),
  pubSecCase: text(60, { label: '公安备案号' }),
  copyInfo: text(160, { label: '版权说明' }),
  copyright: text(60, { label: '版权所有' }),
  /** Ids at known providers, never a script (subjects/distributors/rules/statistics.ts). */
  sllSl: providerId('360 验证码', /^[\w-]{6,80}$|^$/, '应为 6 到 80 位字母、数字'),
  baiduSl: providerId('百度验证码', /^[\w-]{6,80}$|^$/, '应为 6 到 80 位字母、数字'),
  baiduTj: providerId('百度统计编号', /^[0-9a-f]{32}$|^$/, '应为 hm.js? 后的 32 位字符，不要粘贴整段代码'),
  fiveoneTj: providerId('51.la 编号', /^[A-Za-z0-9]{6,40}$|^$/, '应为 6 到 40 位字母、数字，不要粘贴整段代码'),
  isTechSupport: z.boolean({ error: '选项不正确' }),
});

/** Everything of a brand that has versions (product.md 3, distributor configuration), checked field by field. */
export const brandContent = contentShape.superRefine((content, ctx) => {
  const fault = colourFault(content);
  if (fault) ctx.addIssue({ code: 'custom', path: [fault.field], message: fault.text });
  const { hotGames, games } = content;
  const hidden = games === null ? -1 : hotGames.findIndex((id) => !games.includes(id));
  if (hidden >= 0)
    ctx.addIssue({ code: 'custom', path: ['hotGames', hidden], message: '热门游戏要在本站展示的游戏之内' });
});
export type BrandContent = z.output<typeof brandContent>;
export type BrandField = keyof BrandContent;

/** Names of the fields, for lists of changes and for errors; in the order of the form. */
export const brandFieldNames: Readonly<Record<BrandField, string>> = {
  name: '网站名称',
  desc: '网站简介',
  keywords: '关键词',
  welcome: '欢迎词',
  watermark: '水印',
  hue: '色相',
  chroma: '浓度',
  logo: '标识',
  icon: '图标',
  qrCode: '二维码',
  layout: '首页布局',
  topBar: '顶部条',
  hotGames: '热门游戏',
  games: '展示的游戏',
  menus: '页脚菜单',
  partners: '友情链接',
  certificates: '资质证书',
  serviceNum: '客服号码',
  icpNum: 'ICP 备案号',
  busLicense: '网络文化经营许可证',
  pubSecCase: '公安备案号',
  copyInfo: '版权说明',
  copyright: '版权所有',
  sllSl: '360 验证码',
  baiduSl: '百度验证码',
  baiduTj: '百度统计编号',
  fiveoneTj: '51.la 编号',
  isTechSupport: '技术支持声明',
};
export const brandFields = Object.keys(brandFieldNames) as BrandField[];

/** Whether two values of a field are the same. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The fields in which two contents differ, in the order of the form. */
export function changedFields(before: BrandContent, after: BrandContent): BrandField[] {
  return brandFields.filter((field) => !same(before[field], after[field]));
}

/**
 * Applies what one editor changed since `base` to what another saved in the meantime. `conflicts` are the fields that both changed
 * to different values; for these the editor's own value is kept.
 */
export function mergeContent(
  base: BrandContent,
  own: BrandContent,
  theirs: BrandContent,
): { content: BrandContent; conflicts: BrandField[] } {
  const mine = changedFields(base, own);
  const content = { ...theirs, ...Object.fromEntries(mine.map((field) => [field, own[field]])) };
  const conflicts = mine.filter((field) => !same(base[field], theirs[field]) && !same(own[field], theirs[field]));
  return { content, conflicts };
}

/** Converts a brand's content to the configuration used by pages and calls. */
export function confOf(content: BrandContent): Omit<DistConf, 'distId' | 'distCode'> {
  const { sllSl, baiduSl, baiduTj, fiveoneTj, isTechSupport } = content;
  return {
    distBaseConf: {
      hdrBarWelceWord: content.welcome,
      watermark: content.watermark,
      recGameStr: content.hotGames.join(','),
      websiteName: content.name,
      websiteDesc: content.desc,
      webKeyWordStr: content.keywords,
      statTrafScript: {
        ...(sllSl && { sllSl }),
        ...(baiduSl && { baiduSl }),
        ...(baiduTj && { baiduTj }),
        ...(fiveoneTj && { fiveoneTj }),
        isTechSupport,
      },
    },
    pictArea: { logo: content.logo, qrCode: content.qrCode, webIcon: content.icon },
    adverPosMap: {},
    customerBlock: { serviceNum: content.serviceNum },
    botQuals: content.certificates,
    notifBits: content.partners,
    bottomVerInfo: {
      icpNum: content.icpNum,
      busLicense: content.busLicense,
      pubSecCase: content.pubSecCase,
      copyInfo: content.copyInfo,
      copyright: content.copyright,
    },
    treeMenuButMap: { pc1: content.menus },
    theme: { hue: content.hue, chroma: content.chroma, layout: content.layout, topBar: content.topBar },
  };
}

/** A brand's content by its configuration: the reverse of `confOf`. */
export function contentOf(conf: Omit<DistConf, 'distId' | 'distCode'>, games: readonly number[] | null): BrandContent {
  const { distBaseConf, pictArea, bottomVerInfo, theme } = conf;
  const { sllSl = '', baiduSl = '', baiduTj = '', fiveoneTj = '', isTechSupport = false } = distBaseConf.statTrafScript;
  const hotGames = distBaseConf.recGameStr.split(',').flatMap((id) => (/^[1-9]\d*$/.test(id) ? [Number(id)] : []));
  return {
    name: distBaseConf.websiteName,
    desc: distBaseConf.websiteDesc,
    keywords: distBaseConf.webKeyWordStr,
    welcome: distBaseConf.hdrBarWelceWord,
    watermark: distBaseConf.watermark,
    ...theme,
    logo: pictArea.logo,
    icon: pictArea.webIcon,
    qrCode: pictArea.qrCode,
    hotGames,
    games: games && [...games],
    menus: conf.treeMenuButMap.pc1,
    partners: conf.notifBits,
    certificates: conf.botQuals.map(({ url, htUrl, tarAtt }) => ({
      url,
      htUrl,
      tarAtt: tarAtt === '_blank' ? '_blank' : '_self',
    })),
    serviceNum: conf.customerBlock.serviceNum,
    ...bottomVerInfo,
    sllSl,
    baiduSl,
    baiduTj,
    fiveoneTj,
    isTechSupport,
  };
}

/** The content of a new brand: everything empty but its name, the platform's colour, the first layout. */
export function emptyContent(name: string): BrandContent {
  return {
    name,
    desc: '',
    keywords: '',
    welcome: `欢迎来到${name}`,
    watermark: name.slice(0, 16),
    hue: 221,
    chroma: 1,
    layout: CLASSIC,
    topBar: 1,
    logo: '',
    icon: '',
    qrCode: '',
    hotGames: [],
    games: null,
    menus: [],
    partners: [],
    certificates: [],
    serviceNum: '',
    icpNum: '',
    busLicense: '',
    pubSecCase: '',
    copyInfo: '',
    copyright: `© ${name}`,
    sllSl: '',
    baiduSl: '',
    baiduTj: '',
    fiveoneTj: '',
    isTechSupport: true,
  };
}

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]([a-z0-9-]{0,61}[a-z0-9])?)$/;

/** The error in a host name as typed, with an acceptable spelling; null for a valid one. Host names are stored in lower case. */
export function hostFault(host: string): string | null {
  if (host === '') return '请填写域名，例如 www.example.com';
  if (/[^\u0000-\u007f]/.test(host)) return '中文域名请填它的 xn-- 写法';
  if (/^https?:|\/|\?|#/.test(host)) return '只填域名本身，不带 https:// 和路径，例如 www.example.com';
  if (/:\d*$/.test(host)) return '只填域名本身，不带端口';
  if (/^[\d.]+$/.test(host)) return '请填域名，不能用 IP 地址';
  return HOST.test(host.toLowerCase()) ? null : '域名格式不正确，例如 www.example.com';
}

/** The maximum mark-up of a brand on the price, in basis points. */
export const MARK_UP_MAX_BP = 3000;

/** Where adverts are shown. */
export const advertPositions = ['home_banner', 'home_notice', 'game_top', 'game_side'] as const;
export type AdvertPosition = (typeof advertPositions)[number];
export const advertPositionNames: Readonly<Record<AdvertPosition, string>> = {
  home_banner: '首页横幅',
  home_notice: '首页公告栏',
  game_top: '列表页顶部',
  game_side: '商品页侧边',
};

/** The missing part of an advert for its position, with the field; null for a complete one. */
export function advertFault(advert: {
  position: AdvertPosition;
  pictureKey?: string | undefined;
  gameId?: number | undefined;
}): { field: 'pictureKey' | 'gameId'; text: string } | null {
  if (advert.position === 'home_banner' && advert.pictureKey === undefined)
    return { field: 'pictureKey', text: '首页横幅要有图片，建议 1200 × 360' };
  if (advert.position.startsWith('home_') && advert.gameId !== undefined)
    return { field: 'gameId', text: '首页的广告不分游戏，请选全部游戏' };
  return null;
}
