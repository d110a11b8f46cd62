import { z } from 'zod';
import { staffWrite, staffRead } from '#contract/endpoint.ts';
import { flag, int, listTail, paging, phone, time } from '#contract/wire.ts';

const importId = int({ min: 1, label: '导入编号' });

const job = z.object({
  importId: z.number().int(),
  fileName: z.string(),
  bytes: z.number().int(),
  status: z.enum(['ready', 'running', 'done', 'failed']),
  statusName: z.string(),
  /** Why the import stopped early; rows stored before that remain. */
  failure: z.string().nullable(),
  /** How the file was read: the sheet, and the skipped rows. */
  notes: z.array(z.string()),
  publish: z.boolean(),
  sellerId: z.string().nullable(),
  sellerName: z.string().nullable(),
  staffName: z.string(),
  totalRows: z.number().int(),
  doneRows: z.number().int(),
  imported: z.number().int(),
  corrected: z.number().int(),
  existing: z.number().int(),
  refused: z.number().int(),
  createTime: time,
  finishTime: time.nullable(),
});
export type ImportJob = z.output<typeof job>;

/** Multipart: the field `file`, a table as in the sellers' import, up to 10 MB. Finds heading and rows; nothing is imported yet. */
export const uploadStockList = staffWrite('/api/backstage/import/upload', '上传库存表', {
  file: { about: 'XLSX 或 CSV（编码和分隔符自动识别），不超过 10 MB' },
  input: z.object({}),
  data: job,
  limit: 'upload',
});

/**
 * Starts the import: listings of the seller with this phone, waiting for review or, with `publish`, put on sale
 * immediately.
 */
export const startImport = staffWrite('/api/backstage/import/start', '开始导入', {
  input: z.object({ importId, seller: phone, publish: flag.default(false) }),
  data: job,
});

export const importJob = staffRead('/api/backstage/import/job', '导入进度', {
  input: z.object({ importId }),
  data: job,
});

export const importJobs = staffRead('/api/backstage/import/list', '导入记录', {
  input: z.object({ ...paging }),
  data: z.object({ list: z.array(job), ...listTail }),
  limit: 'search',
});

export const importOutcomes = ['imported', 'corrected', 'existing', 'refused'] as const;

/** The result of each row, in the file's order. */
export const importRows = staffRead('/api/backstage/import/rows', '导入明细', {
  input: z.object({
    ...paging,
    importId,
    verdict: z.enum(importOutcomes, { error: '结果不正确' }).optional(),
  }),
  data: z.object({
    list: z.array(
      z.object({
        line: z.number().int(),
        key: z.string().nullable(),
        verdict: z.enum(importOutcomes),
        verdictName: z.string(),
        goodsSn: z.string().nullable(),
        note: z.string(),
      }),
    ),
    next: z.string().nullable(),
  }),
  limit: 'search',
});

/** The rejected rows as CSV in the file's own columns plus the reason, to be corrected and imported again. */
export const rejectedRows = staffRead('/api/backstage/import/refused', '被拒绝的行', {
  input: z.object({ importId }),
  data: z.object({ fileName: z.string(), text: z.string() }),
  limit: 'search',
});
