import { type RawBuilder, sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/import.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { inTransaction } from '#server/db/client.ts';
import type { StaffCall } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { readHeader } from '#server/import/columns.ts';
import { rejectedHeader, rejectedLine } from '#server/import/rejected-rows.ts';
import { sellerForImport } from '#server/import/seller.ts';
import { readStockList } from '#server/import/files/spreadsheet.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { phoneSearchIndex } from '#subjects/accounts/server/service.ts';
import { audit } from '#server/audit/audit.ts';
import { readUpload } from '#server/access/upload.ts';
import { IMPORT_TIMER, jobStatusNames } from './import-job.ts';
import { loadCount, pageOf } from '#server/staff/paging.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { schedule } from '#server/jobs/effect-writer.ts';

type Job = HandlerResult<typeof c.importJob>;

const FILES_PER_DAY = 50;
const DAY_SECONDS = 86_400;
const outcomeNames = { imported: '已导入', corrected: '修正后导入', existing: '已存在', refused: '被拒绝' } as const;

interface Row {
  id: number;
  file_name: string;
  bytes: number;
  status: Job['status'];
  failure: string | null;
  notes: string[];
  publish: boolean;
  seller_id: number | null;
  seller_name: string | null;
  staff_name: string;
  total_rows: number;
  done_rows: number;
  imported: number;
  corrected: number;
  existing: number;
  refused: number;
  created_at: Date;
  finished_at: Date | null;
}

const SELECT = sql`select j.id, j.file_name, j.bytes, j.status, j.failure, j.notes, j.publish, j.seller_id, u.nick_name as seller_name, s.name as staff_name,
  j.total_rows, j.done_rows, j.imported, j.corrected, j.existing, j.refused, j.created_at, j.finished_at
  from import_job j join staff s on s.id = j.staff_id left join app_user u on u.id = j.seller_id`;

/**
 * SQL condition for the imports visible to a member of staff: all, or those of their distributor's sellers and their
 * own uploads.
 */
function visible({ staff }: StaffCall): RawBuilder<unknown> {
  return staff.distId === null
    ? sql`true`
    : sql`(j.dist_id = ${staff.distId} or (j.dist_id is null and j.staff_id = ${staff.id}))`;
}

function jobOf(row: Row): Job {
  return {
    importId: row.id,
    fileName: row.file_name,
    bytes: row.bytes,
    status: row.status,
    statusName: jobStatusNames[row.status],
    failure: row.failure,
    notes: row.notes,
    publish: row.publish,
    sellerId: row.seller_id === null ? null : String(row.seller_id),
    sellerName: row.seller_name,
    staffName: row.staff_name,
    totalRows: row.total_rows,
    doneRows: row.done_rows,
    imported: row.imported,
    corrected: row.corrected,
    existing: row.existing,
    refused: row.refused,
    createTime: row.created_at,
    finishTime: row.finished_at,
  };
}

async function oneJob(call: StaffCall, importId: number): Promise<Job> {
  const { rows } = await sql<Row>`${SELECT} where j.id = ${importId} and ${visible(call)}`.execute(call.ctx.db);
  if (!rows[0]) throw errorOf('NOT_FOUND', 'stockImport');
  return jobOf(rows[0]);
}

/**
 * Reads an uploaded list and stores it in the import format. Throws FORBIDDEN, BAD_INPUT, BODY_TOO_LARGE, RATE_LIMITED,
 * BUSY.
 */
export async function saveUpload(call: StaffCall): Promise<Job> {
  const { ctx, staff } = call;
  requirePermission(staff, 'stock.import');
  const { name, body } = await readUpload(call, {
    missing: '请选择库存表文件',
    tooLarge: '文件不能超过 10M，请拆开后分别导入',
    name: '库存表.csv',
  });
  if (!(await sharedHit(ctx.db, `import:${staff.id}`, FILES_PER_DAY, DAY_SECONDS)))
    throw new AppError('RATE_LIMITED', { text: '今日上传的文件过多，请明天再试', retryAfterSeconds: DAY_SECONDS });
  const list = await readStockList(body, { name, owner: `staff:${staff.id}` });
  const { rows } = await sql<{ id: number }>`
    insert into import_job (staff_id, file_name, bytes, body, columns, notes, total_rows)
    values (${staff.id}, ${name}, ${body.length}, ${Buffer.from(list.text)}, ${JSON.stringify(list.columns)}::jsonb,
      ${JSON.stringify(list.notes)}::jsonb, ${list.rows}) returning id`.execute(ctx.db);
  return await oneJob(call, rows[0]?.id ?? 0);
}

/** Starts an import for a seller; idempotent. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT for a seller who may not sell. */
export async function start(
  call: StaffCall,
  { importId, seller: phone, publish }: Parsed<typeof c.startImport>,
): Promise<Job> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'stock.import');
  if (publish) requirePermission(staff, 'goods.review');
  const job = await oneJob(call, importId);
  const rule = ctx.dir.setting('new_seller');
  const seller = await sellerForImport(ctx.db, phoneSearchIndex(ctx.keys, phone), rule);
  if (staff.distId !== null && staff.distId !== seller.distId)
    throw new AppError('BAD_INPUT', { text: '没有使用这个手机号的卖家', field: 'phone' });
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql`
      update import_job set status = 'running', seller_id = ${seller.id}, dist_id = ${seller.distId}, publish = ${publish}, started_at = now()
      where id = ${importId} and status = 'ready' returning id`.execute(trx);
    if (rows.length === 0) return;
    await schedule(trx, IMPORT_TIMER, importId, { seconds: 0 }, 'keep');
    const detail = { file: job.fileName, rows: job.totalRows, sellerId: seller.id };
    await audit(trx, staff, 'import.start', `import:${importId}`, detail, ip);
  });
  return await oneJob(call, importId);
}

/** The progress of an import. Throws FORBIDDEN, NOT_FOUND. */
export async function progress(call: StaffCall, { importId }: Parsed<typeof c.importJob>): Promise<Job> {
  requirePermission(call.staff, 'stock.import');
  return await oneJob(call, importId);
}

/** Imports, newest first. Throws FORBIDDEN. */
export async function listJobs(
  call: StaffCall,
  input: Parsed<typeof c.importJobs>,
): Promise<HandlerResult<typeof c.importJobs>> {
  requirePermission(call.staff, 'stock.import');
  const page = pageOf(input, sql`j.id`);
  const filter = visible(call);
  const { rows } = await sql<Row>`${SELECT} where ${filter} ${page.behind} ${page.tail}`.execute(call.ctx.db);
  const result = page.cut(rows);
  return {
    list: result.rows.map(jobOf),
    ...(await loadCount(call.ctx.db, sql`import_job j where ${filter}`)),
    next: result.next,
  };
}

interface LineRow {
  id: number;
  import_key: string | null;
  verdict: keyof typeof outcomeNames;
  goods_sn: string | null;
  note: string;
}

/** The outcome of each row, in the order of the file. Throws FORBIDDEN, NOT_FOUND. */
export async function listRows(
  call: StaffCall,
  input: Parsed<typeof c.importRows>,
): Promise<HandlerResult<typeof c.importRows>> {
  requirePermission(call.staff, 'stock.import');
  await oneJob(call, input.importId);
  const page = pageOf(input, sql`r.line`, 'asc');
  const { rows } = await sql<LineRow>`
    select r.line as id, r.import_key, r.verdict, g.sn as goods_sn, r.note from import_row r left join goods g on g.id = r.goods_id
    where r.job_id = ${input.importId} ${input.verdict === undefined ? sql`` : sql`and r.verdict = ${input.verdict}`}
      ${page.behind} ${page.tail}`.execute(call.ctx.db);
  const result = page.cut(rows);
  return {
    list: result.rows.map((r) => ({
      line: r.id,
      key: r.import_key,
      verdict: r.verdict,
      verdictName: outcomeNames[r.verdict],
      goodsSn: r.goods_sn,
      note: r.note,
    })),
    next: result.next,
  };
}

/** The rejected rows as a file with the same columns. Throws FORBIDDEN, NOT_FOUND. */
export async function rejectedFile(
  call: StaffCall,
  { importId }: Parsed<typeof c.rejectedRows>,
): Promise<HandlerResult<typeof c.rejectedRows>> {
  requirePermission(call.staff, 'stock.import');
  const job = await oneJob(call, importId);
  const { db } = call.ctx;
  const { rows: jobs } = await sql<{
    columns: string[];
  }>`select columns from import_job where id = ${importId}`.execute(db);
  const header = readHeader(jobs[0]?.columns ?? []);
  if ('error' in header) throw errorOf('NOT_FOUND', 'rejectedRows');
  const { rows } = await sql<{ cells: string[] | null; note: string }>`
    select cells, note from import_row where job_id = ${importId} and verdict = 'refused' order by line`.execute(db);
  return {
    fileName: `${job.fileName.replace(/\.(?:csv|tsv|txt|xlsx|xlsm)$/i, '')}-被拒绝.csv`,
    text: rejectedHeader(header) + rows.map(({ cells, note }) => rejectedLine(header, cells ?? [], note)).join(''),
  };
}
