import { sql } from 'kysely';
import type { ImportJob } from '#subjects/back-office/contract/import.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import type { Header } from '#server/import/columns.ts';
import { noteOf } from '#server/import/note.ts';
import { runImport } from '#server/import/run.ts';
import { newSellerRule, sellerForImport } from '#server/import/seller.ts';
import type { RowResult } from '#server/import/store.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { audit } from '#server/audit/audit.ts';
import { schedule } from '#server/jobs/effect-writer.ts';

export const IMPORT_TIMER = 'import.run';
/** A run yields to other timers after this time and continues after them. */
const SLICE_MS = 2000;

interface JobRow {
  id: number;
  staff_id: number;
  dist_id: number | null;
  phone_hash: Buffer;
  body: Buffer | null;
  done_rows: number;
  publish: boolean;
  file_name: string;
}

/** The seller's own id of a row, even if the rest of the row is invalid. */
function keyOf(result: RowResult, header: Header): string | null {
  if (result.key !== null || result.outcome !== 'refused') return result.key;
  const at = header.at.get('key');
  const cell = at === undefined ? '' : (result.cells[at] ?? '').trim();
  return cell === '' ? null : cell.slice(0, 60).toWellFormed();
}

/** Stores the outcomes of a batch in the transaction of its listings. Throws when another run has continued the job meanwhile. */
async function recordBatch(trx: Trx, jobId: number, results: readonly RowResult[], header: Header): Promise<void> {
  const countOf = (outcome: RowResult['outcome']): number => results.filter((r) => r.outcome === outcome).length;
  const first = results[0]?.line ?? 0;
  const { rows } = await sql`
    update import_job set done_rows = done_rows + ${results.length}, imported = imported + ${countOf('imported')},
      corrected = corrected + ${countOf('corrected')}, existing = existing + ${countOf('existing')}, refused = refused + ${countOf('refused')},
      columns = ${JSON.stringify(header.names)}::jsonb
    where id = ${jobId} and status = 'running' and done_rows = ${first - 1} returning id`.execute(trx);
  if (rows.length === 0) throw new Error(`import ${jobId} is run by another process`);
  const list = results.map((r) => ({
    line: r.line,
    verdict: r.outcome,
    key: keyOf(r, header),
    goods: 'goodsId' in r ? r.goodsId : null,
    note: noteOf(r).slice(0, 1000),
    cells: r.outcome === 'refused' ? r.cells : null,
  }));
  await sql`insert into import_row (job_id, line, verdict, import_key, goods_id, note, cells)
    select ${jobId}, v.line, v.verdict, v.key, v.goods, v.note, v.cells
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as v(line int, verdict text, key text, goods bigint, note text, cells jsonb)`.execute(
    trx,
  );
}

async function end(ctx: Context, job: JobRow, failure: string | null): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ done_rows: number }>`
      update import_job set status = ${failure === null ? 'done' : 'failed'}, failure = ${failure}, body = null, finished_at = now()
      where id = ${job.id} and status = 'running' returning done_rows`.execute(trx);
    if (rows[0])
      await audit(trx, { id: job.staff_id }, 'import.done', `import:${job.id}`, {
        file: job.file_name,
        rows: rows[0].done_rows,
        ...(failure !== null && { note: failure }),
      });
  });
}

/**
 * Continues an import after the last stored row, for a slice of time; the timer calls again until it is done. Rows and their listings are
 * stored in one transaction, so a killed run neither loses nor duplicates one.
 */
export async function continueImport(ctx: Context, jobId: number): Promise<void> {
  const { rows } = await sql<JobRow>`
    select j.id, j.staff_id, j.dist_id, u.phone_hash, j.body, j.done_rows, j.publish, j.file_name
    from import_job j join app_user u on u.id = j.seller_id where j.id = ${jobId} and j.status = 'running'`.execute(
    ctx.db,
  );
  const job = rows[0];
  if (!job?.body) return;
  const { body } = job;
  try {
    const seller = await sellerForImport(ctx.db, job.phone_hash, await newSellerRule(ctx.db));
    const began = performance.now();
    const { finished } = await runImport(chunks(body), {
      db: ctx.db,
      keys: ctx.keys,
      games: (await catalogue(ctx)).list(),
      seller,
      publish: job.publish,
      actor: `staff:${job.staff_id}`,
      skip: job.done_rows,
      pause: () => performance.now() - began > SLICE_MS,
      inBatch: (trx, results, header) => recordBatch(trx, job.id, results, header),
    });
    if (finished) await end(ctx, job, null);
    else await schedule(ctx.db, IMPORT_TIMER, jobId, { seconds: 0 });
  } catch (error) {
    if (!(error instanceof AppError) || error.error === 'BUSY') throw error;
    await end(ctx, job, error.text);
  }
}

const CHUNK = 64 * 1024;

/** A buffer as a stream of chunks, so that parsing stops when a run pauses. */
async function* chunks(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += CHUNK) yield body.subarray(at, at + CHUNK);
}

export const jobStatusNames: Readonly<Record<ImportJob['status'], string>> = {
  ready: '待开始',
  running: '导入中',
  done: '已完成',
  failed: '未完成',
};

/**
 * Rejected rows contain game accounts of the seller: closing the account deletes their content, but the result of each
 * row stays.
 */
export async function loadEmptyRows(ctx: Context, sellerId: number): Promise<void> {
  await sql`update import_row set cells = null where cells is not null
    and job_id in (select j.id from import_job j join app_user u on u.id = j.seller_id where u.id = ${sellerId} and u.closed_at is not null)`.execute(
    ctx.db,
  );
}
