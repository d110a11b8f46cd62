import { chinaDay } from '#contract/rules/time/china-time.ts';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { type listExportState, MAX_EXPORT_ROWS, type startListExport } from '#subjects/back-office/contract/lists.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { ListName } from '#contract/lists/names.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { requireSite } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { CSV_BOM, csvLine } from '#server/kernel/csv.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Cells, type Query, type Source, SOURCES } from './sources.ts';
import { loadXlsx } from './xlsx.ts';

const BATCH = 500;
const EXPORTS_AN_HOUR = 30;
/** An export expires when its file is not requested within this time. */
const OPEN_MINUTES = 10;

/**
 * Starts an export: validates the input like the list, counts its rows, and records the exporter and the query. Throws
 * BAD_INPUT, FORBIDDEN, RATE_LIMITED.
 */
export async function startExport(
  call: StaffCall,
  { list, format, query, columns }: Parsed<typeof startListExport>,
): Promise<HandlerResult<typeof startListExport>> {
  const { ctx, staff, ip } = call;
  const source = SOURCES[list];
  const known = columns.filter((key) => source.columns.some((column) => column.key === key));
  const { total, totalCapped } = await source.count(call, query);
  if (known.length !== columns.length)
    throw new AppError('BAD_INPUT', { text: '列不存在，请刷新后再导出', field: 'columns' });
  if (!(await sharedHit(ctx.db, `listExport:${staff.id}`, EXPORTS_AN_HOUR, 3600)))
    throw new AppError('RATE_LIMITED', { text: '导出太频繁，请一小时后再试', retryAfterSeconds: 3600 });
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      insert into staff_export (staff_id, list, format, query, columns, total)
      values (${staff.id}, ${list}, ${format}, ${JSON.stringify(query)}::jsonb, ${columns}::text[], ${total}) returning id`.execute(
      trx,
    );
    const exportId = rows[0]?.id ?? 0;
    const detail = { list, name: source.title, format, query: maskedQuery(query), columns, rows: total };
    await audit(trx, staff, 'list.export', `list:${list}`, detail, ip);
    return { exportId, total, totalCapped };
  });
}

/** The query for the audit log, without phone numbers, which may be in the keyword. */
const maskedQuery = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).map(([key, value]) => [key, /^1\d{10}$/.test(value) ? '手机号' : value]));

/** The progress of an export of the caller. Throws NOT_FOUND. */
export async function exportState(
  { ctx, staff }: StaffCall,
  { exportId }: Parsed<typeof listExportState>,
): Promise<HandlerResult<typeof listExportState>> {
  requireSite(staff);
  const { rows } = await sql<{ written: number; ended: boolean }>`
    select written, ended_at is not null as ended from staff_export where id = ${exportId} and staff_id = ${staff.id}`.execute(
    ctx.db,
  );
  if (!rows[0]) throw new AppError('NOT_FOUND');
  return rows[0];
}

interface Started {
  id: number;
  list: string;
  format: string;
  query: Record<string, string>;
  columns: string[];
}

/** The rows of an export by keyset, in batches; the number of rows written is stored after each batch. */
async function* loadBatches(call: StaffRead, source: Source, { id, query, columns }: Started): AsyncGenerator<Cells[]> {
  let cursor: string | undefined;
  let written = 0;
  for (;;) {
    const size = Math.min(BATCH, MAX_EXPORT_ROWS - written);
    const { rows, next } = await source.read(call, query, columns, { cursor, size });
    written += rows.length;
    yield rows;
    const isEnd = next === null || written >= MAX_EXPORT_ROWS;
    await sql`update staff_export set written = ${written}, ended_at = case when ${isEnd} then now() end where id = ${id}`.execute(
      call.ctx.db,
    );
    if (isEnd) return;
    cursor = next;
  }
}

const LONG_NUMBER = /^\d{12,}$/;

/** A cell of a CSV file. The tab keeps spreadsheets from rounding long numbers. */
function csvCell(value: string | number | null, kind: string): string {
  if (value === null) return '';
  if (kind === 'time') return fullTime(Date.parse(String(value)));
  const text = String(value);
  return LONG_NUMBER.test(text) ? `${text}\t` : text;
}

async function* loadCsv(columns: Source['columns'], batches: AsyncIterable<readonly Cells[]>): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(columns.map(({ name }) => name));
  for await (const rows of batches)
    yield rows.map((cells) => csvLine(cells.map((value, i) => csvCell(value, columns[i]?.kind ?? 'text')))).join('');
}

/** Sends the file of an export, once and only to the member of staff who started it. Throws NOT_FOUND, FORBIDDEN. */
export async function sendExport(call: StaffRead, exportId: number, reply: FastifyReply): Promise<FastifyReply> {
  const { ctx, staff } = call;
  const { rows } = await sql<Started>`
    update staff_export set opened_at = now()
    where id = ${exportId} and staff_id = ${staff.id} and opened_at is null and created_at > now() - make_interval(mins => ${OPEN_MINUTES})
    returning id, list, format, query, columns`.execute(ctx.db);
  const started = rows[0];
  if (!started) throw errorOf('NOT_FOUND', 'listExport');
  const source = SOURCES[started.list as ListName];
  const columns = started.columns.flatMap((key) => source.columns.find((column) => column.key === key) ?? []);
  const batches = loadBatches(call, source, started);
  const isCsv = started.format === 'csv';
  const name = encodeURIComponent(`${source.title}-${chinaDay(new Date())}.${isCsv ? 'csv' : 'xlsx'}`);
  return await reply
    .header(
      'content-type',
      isCsv ? 'text/csv; charset=utf-8' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    )
    .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
    .header('cache-control', 'no-store')
    .send(Readable.from(isCsv ? loadCsv(columns, batches) : loadXlsx(source.title, columns, batches)));
}
