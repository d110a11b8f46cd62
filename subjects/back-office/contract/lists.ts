import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { listNames } from '#contract/lists/names.ts';
import { flag, int, json, nothing, optionalInt, text } from '#contract/wire.ts';

/** Maximum number of rows selected together. */
export const MAX_BULK_ROWS = 500;
/** Maximum number of views counted in one request. */
export const MAX_COUNTED_VIEWS = 90;

const list = z.enum(listNames, { error: '列表不正确' });
const columns = json(
  z
    .array(z.string().regex(/^\w{1,40}$/, '列不正确'))
    .min(1, '至少留一列')
    .max(40),
  '列',
);
/** The query of a list as in its page's URL: filters, order, columns. */
const query = z
  .string()
  .max(1000, '筛选条件太长')
  .regex(/^[\w%&=.~+*-]*$/, '筛选条件不正确');

const view = z.object({
  viewId: z.number().int(),
  name: z.string(),
  query: z.string(),
  shared: z.boolean(),
  isMine: z.boolean(),
  byName: z.string(),
});
export type ListView = z.output<typeof view>;

/** The caller's views of a list, the views shared by colleagues, and the caller's last chosen columns. */
export const listSetup = staffRead('/api/backstage/list/setup', '列表的视图与列', {
  input: z.object({ list }),
  data: z.object({ views: z.array(view), columns: z.array(z.string()).nullable() }),
});

/** Saves a view; without `viewId` a new one. Only its author can change a view. */
export const saveListView = staffWrite('/api/backstage/list/saveView', '保存列表视图', {
  input: z.object({
    list,
    viewId: optionalInt({ min: 1, label: '视图' }),
    name: text(20, { min: 1, label: '名称' }),
    query,
    shared: flag.default(false),
  }),
  data: z.object({ viewId: z.number().int() }),
});

export const removeListView = staffWrite('/api/backstage/list/removeView', '删除列表视图', {
  input: z.object({ viewId: int({ min: 1, label: '视图' }) }),
  data: nothing,
});

export const saveListColumns = staffWrite('/api/backstage/list/saveColumns', '记住列表的列', {
  input: z.object({ list, columns }),
  data: nothing,
});

/**
 * How many rows each of some queries of a list has, exact up to 1,000: the figures on the tabs of views. Null for a
 * query that names a person, because counting it would be a look-up of that person, and for a query that the list does
 * not support.
 */
export const listCounts = staffRead('/api/backstage/list/counts', '列表各视图的数量', {
  input: z.object({ list, queries: json(z.array(query).min(1).max(MAX_COUNTED_VIEWS), '视图') }),
  data: z.object({
    counts: z.array(z.object({ total: z.number().int(), totalCapped: z.boolean() }).nullable()),
  }),
  limit: 'search',
});

/**
 * The keys of all rows that match a query, in its order, up to MAX_BULK_ROWS: the targets of an action on "all of this
 * filter". They are read once, at selection; a row that matches later is not included.
 */
export const listKeys = staffRead('/api/backstage/list/keys', '符合筛选的全部编号', {
  input: z.object({ list, query: json(z.record(z.string().max(40), z.string().max(200)), '筛选条件').default({}) }),
  data: z.object({ keys: z.array(z.string()), more: z.boolean() }),
  limit: 'search',
});

/**
 * Starts an export of a list as displayed: its filters and order, the columns in their order. The file is then fetched
 * once from LIST_EXPORT_PATH; `total` is exact up to 1,000.
 */
export const startListExport = staffWrite('/api/backstage/list/export', '导出列表', {
  input: z.object({
    list,
    format: z.enum(['csv', 'xlsx'], { error: '文件格式不正确' }),
    query: json(z.record(z.string().max(40), z.string().max(200)), '筛选条件').default({}),
    columns,
  }),
  data: z.object({ exportId: z.number().int(), total: z.number().int(), totalCapped: z.boolean() }),
});

/** The progress of an export of the caller. */
export const listExportState = staffRead('/api/backstage/list/exportState', '导出进度', {
  input: z.object({ exportId: int({ min: 1, label: '导出' }) }),
  data: z.object({ written: z.number().int(), ended: z.boolean() }),
});

/** The file of an export, a download authenticated by the session cookie: `?exportId=`. */
export const LIST_EXPORT_PATH = '/api/backstage/list/exportFile';
/** Maximum number of rows of one file. */
export const MAX_EXPORT_ROWS = 100_000;
