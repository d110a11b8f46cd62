import { z } from 'zod';
import { advertPositions } from '#subjects/distributors/contract/brand-content.ts';
import { businessKinds, caseKinds, newsCategories } from './content.ts';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { ARTICLE_MAX } from '../rules/article.ts';
import {
  amount,
  flag,
  int,
  listTail,
  money,
  nothing,
  optionalChinaTime,
  optionalInt,
  optionalText,
  paging,
  text,
  time,
} from '#contract/wire.ts';

/** 0 draft, 1 published, 2 withdrawn. */
const status = optionalInt({ max: 2, label: '状态' });
const distId = optionalInt({ min: 1, max: 1_000_000, label: '站点' });
const gameId = optionalInt({ min: 1, max: 1_000_000, label: '游戏' });
const id = int({ min: 1, label: '编号' });
const version = int({ min: 1, max: 1_000_000_000, label: '版本' });
const code = z
  .string({ error: '代码不能为空' })
  .regex(/^[A-Za-z0-9-]{2,40}$/, '代码只能用 2 到 40 个字母、数字和短横线');
/** One block per line: # heading, - item, > quote, [text](url), ![text](picture). */
const body = text(ARTICLE_MAX, { min: 1, label: '正文' });
const sites = z.array(z.object({ distId: z.number().int(), name: z.string() }));

const written = {
  id: z.number().int(),
  code: z.string(),
  distId: z.number().int().nullable(),
  distName: z.string(),
  title: z.string(),
  status: z.number().int(),
  views: z.number().int(),
  authorName: z.string().nullable(),
  publishTime: time.nullable(),
  updateTime: time,
};

/** The state of an article: draft, scheduled, shown, expired, or withdrawn. */
const phase = z.enum(['draft', 'scheduled', 'live', 'ended', 'withdrawn']);

export const staffNewsList = staffRead('/api/backstage/content/newsList', '公告管理', {
  input: z.object({
    ...paging,
    status,
    category: z.enum(newsCategories, { error: '分类不正确' }).optional(),
    keyWord: optionalText(40, '关键词'),
  }),
  data: z.object({
    list: z.array(
      z.object({
        ...written,
        category: z.enum(newsCategories),
        pinned: z.boolean(),
        cover: z.string().nullable(),
        untilTime: time.nullable(),
        phase,
        /** The version that is published; a greater `newest` is a draft. */
        version: z.number().int(),
        newest: z.number().int(),
      }),
    ),
    ...listTail,
  }),
  limit: 'search',
});

const newsForm = {
  code: z.string(),
  distId: z.number().int().nullable(),
  category: z.enum(newsCategories),
  gameId: z.number().int().nullable(),
  title: z.string(),
  summary: z.string(),
  body: z.string(),
  pinned: z.boolean(),
  cover: z.string().nullable(),
};

export const staffNewsInfo = staffRead('/api/backstage/content/newsInfo', '公告内容', {
  input: z.object({ id: optionalInt({ min: 1, label: '编号' }) }),
  data: z.object({
    /** null for a new article. `version` is the newest, `live` the one that readers see once it is published. */
    news: z
      .object({
        id: z.number().int(),
        status: z.number().int(),
        version: z.number().int(),
        live: z.number().int(),
        publishTime: time.nullable(),
        untilTime: time.nullable(),
        ...newsForm,
      })
      .nullable(),
    versions: z.array(
      z.object({
        version: z.number().int(),
        title: z.string(),
        staffName: z.string().nullable(),
        createTime: time,
        restoredFrom: z.number().int().nullable(),
      }),
    ),
    sites,
    games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
  }),
});

export const staffNewsVersion = staffRead('/api/backstage/content/newsVersion', '公告的一个版本', {
  input: z.object({ id, version }),
  data: z.object({ news: z.object(newsForm) }),
});

/**
 * Saves a text as a new version; a published one changes immediately, unless `keepDraft`. `publish` shows it from `fromTime` on (empty: at
 * once, or as before). `version` is the version that the author loaded.
 */
export const saveNews = staffWrite('/api/backstage/content/saveNews', '保存公告', {
  input: z.object({
    id: optionalInt({ min: 1, label: '编号' }),
    version: version.optional(),
    code,
    distId,
    category: z.enum(newsCategories, { error: '请选择分类' }),
    gameId,
    title: text(60, { min: 2, label: '标题' }),
    summary: text(200, { label: '摘要' }).default(''),
    body,
    pinned: flag.default(false),
    /** Key of an uploaded picture. */
    coverKey: optionalText(80, '封面'),
    fromTime: optionalChinaTime('开始时间'),
    untilTime: optionalChinaTime('结束时间'),
    keepDraft: flag.default(false),
    publish: flag.default(false),
    restoredFrom: optionalInt({ min: 1, max: 1_000_000_000, label: '版本' }),
  }),
  data: z.object({ id: z.number().int(), version: z.number().int(), status: z.number().int() }),
});

const publishing = z.enum(['publish', 'withdraw'], { error: '操作不正确' });

export const publishNews = staffWrite('/api/backstage/content/publishNews', '发布或撤下公告', {
  input: z.object({ id, act: publishing }),
  data: z.object({ status: z.number().int() }),
});

export const staffCaseList = staffRead('/api/backstage/content/caseList', '案例管理', {
  input: z.object({ ...paging, status, keyWord: optionalText(40, '关键词') }),
  data: z.object({
    list: z.array(z.object({ ...written, kind: z.enum(caseKinds), amount: money.nullable() })),
    ...listTail,
  }),
  limit: 'search',
});

export const staffCaseInfo = staffRead('/api/backstage/content/caseInfo', '案例内容', {
  input: z.object({ id: optionalInt({ min: 1, label: '编号' }) }),
  data: z.object({
    item: z
      .object({
        ...written,
        kind: z.enum(caseKinds),
        gameId: z.number().int().nullable(),
        summary: z.string(),
        amount: money.nullable(),
        result: z.string(),
        happenedDay: z.string().nullable(),
        body: z.string(),
      })
      .nullable(),
    sites,
  }),
});

export const saveCase = staffWrite('/api/backstage/content/saveCase', '保存案例', {
  input: z.object({
    id: optionalInt({ min: 1, label: '编号' }),
    code,
    distId,
    kind: z.enum(caseKinds, { error: '请选择类型' }),
    gameId,
    title: text(60, { min: 2, label: '标题' }),
    summary: text(200, { min: 2, label: '摘要' }),
    amount: amount({ maxFen: 100_000_000, label: '涉及金额' })
      .optional()
      .or(z.literal('').transform(() => undefined)),
    result: text(60, { label: '结果' }).default(''),
    happenedDay: z
      .string()
      .regex(/^(\d{4}-\d{2}-\d{2})?$/, '日期格式不正确')
      .default(''),
    body,
  }),
  data: z.object({ id: z.number().int() }),
});

export const publishCase = staffWrite('/api/backstage/content/publishCase', '发布或撤下案例', {
  input: z.object({ id, act: publishing }),
  data: z.object({ status: z.number().int() }),
});

/** status 0 waits for a second approval, 1 visible, 2 off. */
export const staffAdvertList = staffRead('/api/backstage/content/advertList', '广告管理', {
  input: z.object({ ...paging, status }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        distId: z.number().int().nullable(),
        distName: z.string(),
        position: z.string(),
        gameId: z.number().int().nullable(),
        gameName: z.string(),
        device: z.number().int(),
        title: z.string(),
        smalltitle: z.string(),
        htUrl: z.string(),
        remind: z.boolean(),
        picture: z.string().nullable(),
        status: z.number().int(),
        createdBy: z.string().nullable(),
        approvedBy: z.string().nullable(),
        /** The caller created it, so another member of staff has to approve it. */
        isMine: z.boolean(),
        sort: z.number().int(),
        startTime: time,
        endTime: time.nullable(),
      }),
    ),
    sites,
    /** Games that an advert can be shown for. */
    games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
    ...listTail,
  }),
  limit: 'search',
});

/** A new advert stays hidden until another member of staff has checked its link target. */
export const addAdvert = staffWrite('/api/backstage/content/addAdvert', '提交广告', {
  input: z.object({
    distId,
    position: z.enum(advertPositions, { error: '请选择位置' }),
    gameId,
    device: int({ max: 1, label: '设备' }).default(0),
    title: text(60, { min: 2, label: '标题' }),
    smalltitle: text(12, { label: '短标题' }).default(''),
    htUrl: z
      .string({ error: '链接不能为空' })
      .max(300, '链接不能超过 300 个字符')
      .regex(/^(https?:\/\/[^\s/]\S*|\/(?!img\/)($|[^/\\\s]\S*))$/, '链接应以 / 或 https:// 开头'),
    remind: flag.default(false),
    /** Key of an uploaded picture; the home page's banner needs one. */
    pictureKey: optionalText(80, '图片'),
    days: int({ min: 1, max: 365, label: '天数' }).default(30),
    /** Empty: once it is approved. */
    startTime: optionalChinaTime('开始时间'),
    /** Order among the adverts of its position, ascending. */
    sort: int({ max: 999, label: '排序' }).default(0),
  }),
  data: z.object({ id: z.number().int() }),
});

export const decideAdvert = staffWrite('/api/backstage/content/decideAdvert', '通过或撤下广告', {
  input: z.object({ id, act: z.enum(['approve', 'off'], { error: '操作不正确' }) }),
  data: z.object({ status: z.number().int() }),
});

const businessStatus = z.enum(['new', 'talking', 'done', 'refused'], { error: '状态不正确' });

/** Names are hidden in the list; opening one request is recorded in the audit log. */
export const staffBusinessList = staffRead('/api/backstage/content/businessList', '商务合作申请', {
  input: z.object({ ...paging, status: businessStatus.optional() }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        requestSn: z.string(),
        distName: z.string(),
        kind: z.enum(businessKinds),
        company: z.string(),
        phoneMask: z.string(),
        text: z.string(),
        status: businessStatus,
        note: z.string().nullable(),
        staffName: z.string().nullable(),
        createTime: time,
      }),
    ),
    ...listTail,
  }),
  limit: 'search',
});

export const revealBusiness = staffWrite('/api/backstage/content/revealBusiness', '查看申请人的联系方式', {
  input: z.object({ id }),
  data: z.object({ name: z.string(), phone: z.string(), contact: z.string().nullable() }),
  limit: 'read',
});

export const handleBusiness = staffWrite('/api/backstage/content/handleBusiness', '处理商务合作申请', {
  input: z.object({ id, status: businessStatus, note: text(200, { label: '备注' }).default('') }),
  data: nothing,
});
