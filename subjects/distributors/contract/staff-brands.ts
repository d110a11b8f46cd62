import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { brandContent, MARK_UP_MAX_BP } from './brand-content.ts';
import { flag, int, json, optionalChinaTime, optionalText, text, time } from '#contract/wire.ts';

const distId = int({ min: 1, max: 1_000_000, label: '品牌' });

const version = int({ max: 1_000_000_000, label: '版本' });

const reason = text(100, { min: 2, label: '原因' });

const host = z.string({ error: '请填写域名' }).max(300, '域名过长');

const content = json(brandContent, '品牌内容');

const link = z.object({ title: z.string(), url: z.string() });

/** A stored content, unchecked: an older one need not satisfy the current rules. */
const storedContent = z.object({
  name: z.string(),
  desc: z.string(),
  keywords: z.string(),
  welcome: z.string(),
  watermark: z.string(),
  hue: z.number(),
  chroma: z.number(),
  layout: z.number(),
  topBar: z.number(),
  logo: z.string(),
  icon: z.string(),
  qrCode: z.string(),
  hotGames: z.array(z.number()),
  games: z.array(z.number()).nullable(),
  menus: z.array(link),
  partners: z.array(link),
  certificates: z.array(z.object({ url: z.string(), htUrl: z.string(), tarAtt: z.enum(['_self', '_blank']) })),
  serviceNum: z.string(),
  icpNum: z.string(),
  busLicense: z.string(),
  pubSecCase: z.string(),
  copyInfo: z.string(),
  copyright: z.string(),
  sllSl: z.string(),
  baiduSl: z.string(),
  baiduTj: z.string(),
  fiveoneTj: z.string(),
  isTechSupport: z.boolean(),
});

export const staffBrandList = staffRead('/api/backstage/brand/list', '品牌', {
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        distId: z.number().int(),
        code: z.string(),
        name: z.string(),
        icon: z.string(),
        hue: z.number(),
        chroma: z.number(),
        hosts: z.array(z.string()),
        isSuspended: z.boolean(),
        live: z.number().int(),
        newest: z.number().int(),
        /** When the live version was published; null = as installed. */
        publishTime: time.nullable(),
        publishedBy: z.string().nullable(),
      }),
    ),
    mayCreate: z.boolean(),
  }),
});

/** A brand for its editor. Terms are null for staff of the brand: fees and commission are the platform's. */
export const staffBrandInfo = staffRead('/api/backstage/brand/info', '品牌详情', {
  input: z.object({ distId }),
  data: z.object({
    distId: z.number().int(),
    code: z.string(),
    /** The numbers of the live and the newest version; the newest is a draft while it is greater. */
    live: z.number().int(),
    newest: z.number().int(),
    liveContent: storedContent,
    newestContent: storedContent,
    /** The caller's working copy, if it is based on the newest version. */
    draft: z.object({ content: storedContent, time }).nullable(),
    hosts: z.array(z.object({ host: z.string(), isPrimary: z.boolean(), redirects: z.boolean() })),
    /** Since when it accepts no orders, and the text on its site ('' = the default text); null = open. */
    suspended: z.object({ since: time, notice: z.string() }).nullable(),
    /** The version that goes live at a time. */
    plan: z
      .object({ version: z.number().int(), startTime: time, reason: z.string(), staffName: z.string().nullable() })
      .nullable(),
    terms: z
      .object({
        base: z.number().int(),
        markUpBp: z.number().int(),
        commissionBp: z.number().int(),
        list: z.array(
          z.object({
            version: z.number().int(),
            markUpBp: z.number().int(),
            commissionBp: z.number().int(),
            startTime: time,
            isAhead: z.boolean(),
            reason: z.string(),
            staffName: z.string().nullable(),
          }),
        ),
      })
      .nullable(),
    versions: z.array(
      z.object({
        version: z.number().int(),
        reason: z.string(),
        restoredFrom: z.number().int().nullable(),
        staffName: z.string().nullable(),
        createTime: time,
        publishTime: time.nullable(),
        publishedBy: z.string().nullable(),
      }),
    ),
    games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
    may: z.object({ edit: z.boolean(), manage: z.boolean(), terms: z.boolean() }),
  }),
});

export const staffBrandVersion = staffRead('/api/backstage/brand/version', '品牌的一个版本', {
  input: z.object({ distId, version }),
  data: z.object({ content: storedContent }),
});

export const staffCreateBrand = staffWrite('/api/backstage/brand/create', '新建品牌', {
  input: z.object({
    code: text(40, { min: 1, label: '代码' }),
    name: text(20, { min: 2, label: '网站名称' }),
    host: optionalText(300, '域名'),
    commissionBp: int({ max: 10_000, label: '佣金' }).default(2000),
    reason,
  }),
  data: z.object({ distId: z.number().int() }),
});

/**
 * Saves a version; with `publish` it is live immediately. `base` is the newest version that the editor has seen: if another person has saved
 * since, nothing is stored and the error's field is `base`.
 */
export const saveBrand = staffWrite('/api/backstage/brand/save', '保存品牌', {
  input: z.object({ distId, base: version, content, reason, publish: flag.default(false) }),
  data: z.object({ version: z.number().int(), live: z.number().int() }),
});

/**
 * Publishes a stored version: a draft as it is, immediately or at `startTime`, an older one as a new version. `live` is the live version that
 * the caller saw.
 */
export const publishBrand = staffWrite('/api/backstage/brand/publish', '发布或恢复品牌版本', {
  input: z.object({ distId, version, live: version, reason, startTime: optionalChinaTime('发布时间') }),
  data: z.object({ version: z.number().int(), live: z.number().int() }),
});

export const unplanBrand = staffWrite('/api/backstage/brand/unplan', '取消定时发布', {
  input: z.object({ distId }),
  data: z.object({}),
});

/** A suspended brand accepts no orders and shows a notice; existing orders continue. An empty notice shows the default text. */
export const suspendBrand = staffWrite('/api/backstage/brand/suspend', '暂停或恢复品牌接单', {
  input: z.object({
    distId,
    act: z.enum(['suspend', 'resume'], { error: '操作不正确' }),
    notice: text(100, { label: '站点上的说明' }).default(''),
    reason,
  }),
  data: z.object({}),
});

/** Stores the caller's working copy and returns the signed URL of its preview on the site, valid only for this member of staff. */
export const previewBrand = staffWrite('/api/backstage/brand/preview', '预览品牌草稿', {
  input: z.object({ distId, base: version, content }),
  data: z.object({ url: z.string(), untilTime: time, saveTime: time }),
  limit: 'read',
});

export const dropBrandDraft = staffWrite('/api/backstage/brand/dropDraft', '放弃品牌草稿', {
  input: z.object({ distId }),
  data: z.object({}),
});

export const addBrandHost = staffWrite('/api/backstage/brand/addHost', '添加品牌域名', {
  input: z.object({ distId, host, redirects: flag.default(false) }),
  data: z.object({ host: z.string() }),
});

export const changeBrandHost = staffWrite('/api/backstage/brand/changeHost', '修改品牌域名', {
  input: z.object({
    distId,
    host,
    act: z.enum(['primary', 'redirect', 'serve', 'remove'], { error: '操作不正确' }),
  }),
  data: z.object({}),
});

/**
 * New rates from a time on; existing orders keep theirs. An empty `startTime` means immediately. Once the market has orders a second person
 * approves them (`waiting`).
 */
export const setBrandTerms = staffWrite('/api/backstage/brand/terms', '设定品牌费率', {
  input: z.object({
    distId,
    base: version,
    markUpBp: int({ max: MARK_UP_MAX_BP, label: '加价' }),
    commissionBp: int({ max: 10_000, label: '佣金' }),
    startTime: z
      .string()
      .regex(/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\+08:00)?)?$/, '生效时间格式不正确')
      .default(''),
    reason,
  }),
  data: z.object({ state: z.enum(['set', 'waiting']) }),
});

/** The rates of a brand that await a second approval. */
export const brandTermsDraft = staffRead('/api/backstage/brand/termsDraft', '待复核的品牌费率', {
  input: z.object({ distId }),
  data: z.object({
    draft: z
      .object({
        draftId: z.number().int(),
        markUpBp: z.number().int(),
        commissionBp: z.number().int(),
        startTime: time.nullable(),
        reason: z.string(),
        staffName: z.string(),
        isMine: z.boolean(),
      })
      .nullable(),
  }),
});

/** The second person approves the rates or sends them back; their author withdraws them. */
export const decideBrandTerms = staffWrite('/api/backstage/brand/decideTerms', '复核品牌费率', {
  input: z.object({
    distId,
    draftId: int({ min: 1, label: '待复核的费率' }),
    act: z.enum(['approve', 'reject', 'withdraw'], { error: '操作不正确' }),
    reason,
  }),
  data: z.object({}),
});
