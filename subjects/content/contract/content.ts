import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { typedContact } from '#contract/rules/texts/typed.ts';
import {
  int,
  json,
  listTail,
  money,
  optionalInt,
  optionalText,
  optionalTyped,
  paging,
  phone,
  text,
  time,
} from '#contract/wire.ts';

/** A body consists of blocks of plain text, pictures and links; never markup (migration 0018). */
export const block = z.discriminatedUnion('t', [
  z.object({ t: z.enum(['p', 'h', 'li', 'quote']), text: z.string() }),
  z.object({ t: z.literal('img'), url: z.string(), alt: z.string() }),
  z.object({ t: z.literal('link'), text: z.string(), url: z.string() }),
]);
export type Block = z.output<typeof block>;

export const newsCategories = ['notice', 'activity', 'guide', 'safety', 'rule', 'complaint', 'about'] as const;
const category = z.enum(newsCategories, { error: '分类不正确' });

const newsItem = z.object({
  id: z.number().int(),
  code: z.string(),
  category,
  categoryName: z.string(),
  gameId: z.number().int().nullable(),
  title: z.string(),
  summary: z.string(),
  cover: z.string().nullable(),
  pinned: z.boolean(),
  views: z.number().int(),
  publishTime: time,
});

export const getNews = endpoint({
  method: 'GET',
  path: '/api/comm/getNews',
  auth: 'public',
  summary: '公告列表',
  input: z.object({
    ...paging,
    category: category.optional(),
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    keyWord: optionalText(40, '关键词'),
  }),
  data: z.object({ list: z.array(newsItem), counts: z.record(z.string(), z.number().int()), ...listTail }),
  limit: 'read',
});

const neighbour = z.object({ code: z.string(), title: z.string() }).nullable();
const newsBody = newsItem.extend({
  blocks: z.array(block),
  previous: neighbour,
  following: neighbour,
  updateTime: time,
  /** If the article is an agreement: the version in force, and since when. */
  legal: z.object({ code: z.string(), version: z.number().int(), fromTime: time }).nullable(),
});

/** The published versions of a public rule ('3.2') or an agreement ('privacy'), newest first; without revoked ones. */
export const publicTextVersions = endpoint({
  method: 'GET',
  path: '/api/comm/publicText',
  auth: 'public',
  summary: '规则或协议的各个版本',
  input: z.object({
    code: z.string({ error: '编号不能为空' }).regex(/^(?:\d{1,2}(?:\.\d{1,2}){0,2}|[a-z_]{2,40})$/, '编号不正确'),
  }),
  data: z.object({
    code: z.string(),
    isRule: z.boolean(),
    list: z.array(
      z.object({
        version: z.number().int(),
        title: z.string(),
        blocks: z.array(block),
        /** For the comparison of two versions. */
        text: z.string(),
        fromTime: time,
        state: z.enum(['counts', 'planned', 'past']),
        retired: z.boolean(),
      }),
    ),
  }),
  idField: 'code',
  limit: 'read',
});

/** An article by its number, as in the specification's link to the WeChat complaint notice. */
export const newsInfo = endpoint({
  method: 'GET',
  path: '/api/comm/newsInfo',
  auth: 'public',
  summary: '公告详情（按编号）',
  input: z.object({ id: int({ min: 1, label: '公告' }) }),
  data: newsBody,
  idField: 'id',
  limit: 'read',
});

const contentCode = z.string({ error: '编号不能为空' }).regex(/^[A-Za-z0-9-]{2,40}$/, '编号不正确');

export const newsInfo2 = endpoint({
  method: 'GET',
  path: '/api/comm/newsInfo2',
  auth: 'public',
  summary: '公告详情（按代码）',
  input: z.object({ code: contentCode }),
  data: newsBody,
  idField: 'code',
  limit: 'read',
});

export const caseKinds = ['recovered', 'fraud', 'fake_service', 'private_trade', 'dispute', 'claim', 'other'] as const;
const caseKind = z.enum(caseKinds, { error: '案例类型不正确' });

const caseItem = z.object({
  caseId: z.number().int(),
  code: z.string(),
  kind: caseKind,
  kindName: z.string(),
  gameId: z.number().int().nullable(),
  gameName: z.string(),
  title: z.string(),
  summary: z.string(),
  amount: money.nullable(),
  result: z.string(),
  cover: z.string().nullable(),
  /** A day of China: 2026-11-20. */
  happenedDay: z.string().nullable(),
  views: z.number().int(),
  publishTime: time,
});

export const eventCaseList = endpoint({
  method: 'GET',
  path: '/api/comm/eventCaseList',
  auth: 'public',
  summary: '事件案例列表',
  input: z.object({ ...paging, kind: caseKind.optional(), gameId: optionalInt({ max: 1_000_000, label: '游戏' }) }),
  data: z.object({ list: z.array(caseItem), ...listTail }),
  limit: 'read',
});

export const eventCaseInfo = endpoint({
  method: 'GET',
  path: '/api/comm/eventCaseInfo',
  auth: 'public',
  summary: '事件案例详情',
  input: z.object({ caseId: int({ min: 1, label: '案例' }) }),
  data: caseItem.extend({
    blocks: z.array(block),
    related: z.array(caseItem.pick({ caseId: true, title: true, kindName: true, publishTime: true })),
  }),
  idField: 'caseId',
  limit: 'read',
});

export const businessKinds = ['distributor', 'shop', 'recycling', 'studio', 'media', 'new_game', 'other'] as const;

/**
 * Requests for business co-operation and business recycling. Names and numbers are stored encrypted; returns the number
 * of the request.
 */
export const setDistBus = endpoint({
  method: 'POST',
  path: '/api/dist/setDistBus',
  auth: 'public',
  summary: '提交商务合作',
  input: z.object({
    kind: z.enum(businessKinds, { error: '请选择合作类型' }).default('other'),
    company: optionalText(60, '公司名称'),
    name: text(20, { min: 1, label: '联系人' }),
    phone,
    contact: optionalTyped(typedContact, 40, '微信或QQ'),
    gameIds: json(z.array(z.number().int().min(1)).max(30, '最多选择 30 个游戏'), '游戏').default([]),
    content: text(500, { min: 5, label: '合作内容' }),
  }),
  data: z.object({ requestSn: z.string() }),
  limit: 'verify',
});
