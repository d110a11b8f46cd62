/** A seller's own files: many listings published, or prices and stock changed, by the same checks as in the forms. */
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { int, json, optionalInt, paging, text, time } from '#contract/wire.ts';

const importId = int({ min: 1, label: '导入编号' });
const kind = z.enum(['publish', 'stock'], { error: '导入方式不正确' });

export const rowStates = ['refused', 'ready', 'running', 'done', 'existing'] as const;

const summary = z.object({
  importId: z.number().int(),
  /** publish: new listings; stock: price and stock of existing ones. */
  kind,
  gameId: z.number().int().nullable(),
  gameName: z.string(),
  goodsTypeId: z.number().int().nullable(),
  goodsTypeStr: z.string(),
  fileName: z.string(),
  /** mapping: columns are to be named; checked: rows wait for the seller; running: being published; done: nothing is left. */
  status: z.enum(['mapping', 'checked', 'running', 'done']),
  statusName: z.string(),
  /** The daily quota is used up; the run continues automatically at this time. */
  waitTime: time.nullable(),
  /** Why the last run stopped before its end. */
  failure: z.string().nullable(),
  /** Rows by state. */
  counts: z.record(z.enum(rowStates), z.number().int()),
  total: z.number().int(),
  createTime: time,
});

/** A listing field that a column can be mapped to. */
const target = z.object({
  key: z.string(),
  label: z.string(),
  /** Required: without it no row can be accepted. */
  required: z.boolean(),
  help: z.string(),
  /** The accepted texts, if there are only a few. */
  options: z.array(z.string()).nullable(),
});

const detail = summary.extend({
  columns: z.array(z.string()),
  /** Notes for the seller about the reading of the file: the sheet, the row of the heading, hidden rows, merged cells. */
  readingNotes: z.array(z.string()),
  targets: z.array(target),
  /** The column of each target, by number from 0: as chosen, or as guessed from the headings. */
  mapping: z.record(z.string(), z.number().int()),
  /** The value of a target for rows without one. */
  defaults: z.record(z.string(), z.string()),
  /** Pictures uploaded separately from the table. */
  pictures: z.number().int(),
  /** File names that rows have and that were not uploaded, the first of them. */
  missingPictures: z.array(z.string()),
  /** The first rows of the file. */
  sample: z.array(z.array(z.string())),
});

const problem = z.object({
  /** The target that it is about; '' when it is about the row. */
  field: z.string(),
  text: z.string(),
});

const row = z.object({
  line: z.number().int(),
  state: z.enum(rowStates),
  /** The values of the row, by target; empty once it was published. */
  values: z.record(z.string(), z.string()),
  problems: z.array(problem),
  /** Values that will be stored differently from the cell. */
  notes: z.array(z.string()),
  goodsSn: z.string().nullable(),
});

/** Multipart: the field `file`, CSV, TSV or XLSX up to 5 MB and 2,000 rows. The same file again returns its existing import. */
export const listingImportUpload = endpoint({
  method: 'POST',
  path: '/api/goods/import/upload',
  auth: 'login',
  summary: '上传商品表格',
  file: { about: 'CSV 或 XLSX，不超过 5 MB、2000 行' },
  input: z
    .object({
      kind,
      gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
      goodsTypeId: optionalInt({ max: 99, label: '商品类型' }),
    })
    .refine((i) => i.kind === 'stock' || (i.gameId !== undefined && i.goodsTypeId !== undefined), {
      error: '请选择游戏和商品类型',
      path: ['gameId'],
    }),
  data: detail.extend({ repeated: z.boolean() }),
  limit: 'upload',
});

export const listingImportList = endpoint({
  method: 'GET',
  path: '/api/goods/import/list',
  auth: 'login',
  summary: '我的导入',
  input: z.object({}),
  data: z.object({ list: z.array(summary) }),
  limit: 'read',
});

export const listingImportDetail = endpoint({
  method: 'GET',
  path: '/api/goods/import/detail',
  auth: 'login',
  summary: '一次导入',
  input: z.object({ importId }),
  data: detail,
  limit: 'read',
});

const targetKey = z.string().max(60);

/** Names the columns and checks every row. Manual corrections are kept. */
export const listingImportMap = endpoint({
  method: 'POST',
  path: '/api/goods/import/map',
  auth: 'login',
  summary: '对应表格的列并检查',
  input: z.object({
    importId,
    mapping: json(z.record(targetKey, z.number().int().min(0).max(100)), '列的对应'),
    defaults: json(z.record(targetKey, z.string().max(2000)), '统一填写').default({}),
  }),
  data: detail,
  limit: 'publish',
});

export const listingImportRows = endpoint({
  method: 'GET',
  path: '/api/goods/import/rows',
  auth: 'login',
  summary: '导入的各行',
  input: z.object({
    importId,
    ...paging,
    state: z.enum(rowStates, { error: '状态不正确' }).optional(),
  }),
  data: z.object({ list: z.array(row), total: z.number().int(), next: z.string().nullable() }),
  limit: 'search',
});

/** Corrects a row that is not published and checks it again; omitted targets are unchanged. */
export const listingImportMend = endpoint({
  method: 'POST',
  path: '/api/goods/import/mend',
  auth: 'login',
  summary: '修改导入的一行',
  input: z.object({
    importId,
    line: int({ min: 1, max: 100_000, label: '行号' }),
    values: json(z.record(targetKey, z.string().max(4000)), '内容'),
  }),
  data: row,
  limit: 'write',
});

/**
 * Multipart: the field `file`, one picture beside the table, which rows name by `name`. The same name again replaces it. Rows that lacked it
 * are checked again by `map`.
 */
export const listingImportPicture = endpoint({
  method: 'POST',
  path: '/api/goods/import/picture',
  auth: 'login',
  summary: '上传表格里的图片',
  file: { about: 'PNG 或 JPEG，不超过 10 MB' },
  input: z.object({ importId, name: text(200, { min: 1, label: '文件名' }) }),
  data: z.object({ name: z.string(), pictures: z.number().int() }),
  limit: 'uploadMany',
});

/** Publishes the accepted rows in the background, or applies their prices and stock. */
export const listingImportRun = endpoint({
  method: 'POST',
  path: '/api/goods/import/run',
  auth: 'login',
  summary: '发布导入的商品',
  input: z.object({ importId }),
  data: summary,
  limit: 'publish',
});

export const listingImportRemove = endpoint({
  method: 'POST',
  path: '/api/goods/import/remove',
  auth: 'login',
  summary: '移除导入记录',
  input: z.object({ importId }),
  data: z.object({}),
  limit: 'write',
});

/** A CSV with the headings of a game and type, or of prices and stock, and one row as an example. */
export const listingImportTemplate = endpoint({
  method: 'GET',
  path: '/api/goods/import/template',
  auth: 'login',
  summary: '导入模板',
  input: listingImportUpload.input,
  data: z.object({ fileName: z.string(), text: z.string() }),
  limit: 'read',
});
