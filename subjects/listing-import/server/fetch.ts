/** The job that fetches pictures from the addresses of a table, apart from publishing, so that slow sites delay no other job. */
import { sql } from 'kysely';
import { sharedHit } from '#server/access/limits.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule, type When } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { storePicture, takeImportDaily } from '#subjects/media/server/service.ts';
import { type ImportRecord, runningImport } from './store.ts';

export const FETCH = 'listingImport.fetch';
export const RUN = 'listingImport.run';
/** Number of addresses read per batch, and number fetched concurrently. */
const BATCH = 8;
const AT_ONCE = 4;
/** Picture addresses requested for one seller in a day, failures included, so that the market cannot be used to put load on other sites. */
const ASKED_PER_DAY = 600;
const DAY_SECONDS = 86_400;
const WAIT_SECONDS = 3600;
/** A run yields to other tables after this time and continues after them. */
const SLICE_MS = 2000;
/** Delay before a table checks again whether its seller's earlier table has its pictures. */
const TURN_SECONDS = 5;

/** Schedules the fetching of addresses, after which the table's run continues. */
export async function askFor(trx: Trx, importId: number, addresses: readonly string[]): Promise<void> {
  await sql`
    insert into listing_import_picture (import_id, source, is_url)
    select ${importId}, source, true from unnest(${[...addresses]}::text[]) as source on conflict do nothing`.execute(
    trx,
  );
  await schedule(trx, FETCH, importId, { seconds: 0 });
}

/** Deletes the failures of addresses, so that a new run retries them. */
export async function forgetFailures(trx: Trx, importId: number): Promise<void> {
  await sql`delete from listing_import_picture where import_id = ${importId} and is_url and picture_key is null`.execute(
    trx,
  );
}

/** The result for one address; `waits` when the seller's quota of the day is used up. */
type Outcome = { key: string } | { failure: string } | 'waits';

async function fetchOne(ctx: Context, { userId }: ImportRecord, address: string): Promise<Outcome> {
  if (!(await sharedHit(ctx.db, `importPicture:${userId}`, ASKED_PER_DAY, DAY_SECONDS))) return 'waits';
  try {
    // Checked before fetching: a picture that could not be stored would be fetched again every hour.
    await takeImportDaily(ctx, userId);
    const { body, failure } = await ctx.remotePictures.fetch(address);
    if (body === undefined) return { failure };
    return { key: (await storePicture(ctx, { userId, staffId: null }, 'goods', body, { quota: 'counted' })).key };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.error === 'RATE_LIMITED') return 'waits';
    if (error.status >= 500) throw error;
    return { failure: error.error === 'PICTURE_TYPE' ? '网址的内容不是 JPEG、PNG 或 WebP 图片' : error.text };
  }
}

async function settle(ctx: Context, record: ImportRecord, address: string): Promise<boolean> {
  const outcome = await fetchOne(ctx, record, address);
  if (outcome === 'waits') return false;
  const [key, failure] = 'key' in outcome ? [outcome.key, null] : [null, outcome.failure];
  await sql`update listing_import_picture set picture_key = ${key}, failure = ${failure}
    where import_id = ${record.id} and source = ${address} and picture_key is null`.execute(ctx.db);
  return true;
}

/** Whether an earlier table of the same seller is still fetching: a seller's tables take turns, so that more tables get no larger share. */
async function isBehindAnother(ctx: Context, { id, userId }: ImportRecord): Promise<boolean> {
  const { rows } = await sql`
    select from listing_import i where i.user_id = ${userId} and i.id < ${id} and i.status = 'running' and i.removed_at is null and i.waits_until is null
      and exists (select from listing_import_picture p where p.import_id = i.id and p.picture_key is null and p.failure is null) limit 1`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** Fetches up to BATCH addresses, several at a time. Returns their number; undefined when the quota of the day is used up. */
async function fetchBatch(ctx: Context, record: ImportRecord): Promise<number | undefined> {
  const { rows } = await sql<{ source: string }>`
    select source from listing_import_picture where import_id = ${record.id} and picture_key is null and failure is null
    order by created_at, source limit ${BATCH}`.execute(ctx.db);
  const queue = rows.map(({ source }) => source);
  let isWaiting = false;
  const work = async (): Promise<void> => {
    for (let address = queue.shift(); address !== undefined && !isWaiting; address = queue.shift())
      if (!(await settle(ctx, record, address))) isWaiting = true;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return isWaiting ? undefined : rows.length;
}

/**
 * Fetches addresses of a table for a slice of time, and continues its run when none is left. After a crash, pictures that were not stored are
 * fetched again.
 */
export async function fetchPictures(ctx: Context, importId: number): Promise<When | void> {
  const record = await runningImport(ctx.db, importId);
  if (!record) return undefined;
  await sql`update listing_import set waits_until = null where id = ${importId} and waits_until is not null`.execute(
    ctx.db,
  );
  if (await isBehindAnother(ctx, record)) return { seconds: TURN_SECONDS };
  const until = performance.now() + SLICE_MS;
  let fetched = await fetchBatch(ctx, record);
  while (fetched === BATCH && performance.now() < until) fetched = await fetchBatch(ctx, record);
  if (fetched === undefined) {
    await sql`update listing_import set waits_until = now() + make_interval(secs => ${WAIT_SECONDS}) where id = ${importId} and status = 'running'`.execute(
      ctx.db,
    );
    return { seconds: WAIT_SECONDS };
  }
  if (fetched === BATCH) return { seconds: 0 };
  await inTransaction(ctx.db, async (trx) => await schedule(trx, RUN, importId, { seconds: 0 }));
  return undefined;
}
