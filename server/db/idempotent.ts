/**
 * Writes that may be repeated. A handler needs one of three functions:
 * - `idempotent` runs a write once per key, within its transaction;
 * - `orEarlier` wraps it if its preconditions no longer hold on a repeat, and returns the first result instead of the error;
 * - `earlierResult` looks up the key first, if a check or side effect before the write must not happen twice.
 */
import { sql } from 'kysely';
import type { Idem } from '#server/access/call.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import type { Db, Trx } from './client.ts';

/**
 * Runs a write once per key, inside its transaction. A repeat returns the stored result, another request under the same key throws
 * IDEMPOTENCY_MISMATCH, an error stores nothing and may be retried. Without a key the work simply runs.
 */
export async function idempotent<T>(trx: Trx, idem: Idem | undefined, work: () => Promise<T>): Promise<T> {
  if (!idem) return await work();
  const { rows } = await sql<{ result: T | null }>`
    select idempotency_claim(${JSON.stringify(idem)}::jsonb) as result`.execute(trx);
  const earlier = rows[0]?.result;
  if (earlier !== null && earlier !== undefined) return earlier;
  const result = await work();
  await sql`update idempotency set facts = ${JSON.stringify(result)}::jsonb where scope = ${idem.scope} and endpoint = ${idem.endpoint} and key = ${idem.key}`.execute(
    trx,
  );
  return result;
}

/** A write that ran, or runs, under a key. `result` is null while the first run is in progress. */
export interface StoredRun<T> {
  requestHash: string;
  result: T | null;
}

/**
 * The result of a run that a caller read together with other rows; undefined when there is none yet. Throws IDEMPOTENCY_MISMATCH when the
 * key was used for another request.
 */
export function resultOf<T>(run: StoredRun<T> | undefined, idem: Idem, cause?: unknown): T | undefined {
  if (run && run.requestHash !== idem.hash) throw new AppError('IDEMPOTENCY_MISMATCH', { cause });
  return run?.result ?? undefined;
}

/**
 * The stored result of an earlier write under this key; undefined when it has not run. For checks and side effects before the write that must be
 * skipped on a repeat. Throws IDEMPOTENCY_MISMATCH.
 */
export async function earlierResult<T>(db: Trx, idem: Idem | undefined, cause?: unknown): Promise<T | undefined> {
  if (!idem) return undefined;
  const { rows } = await sql<StoredRun<T>>`
    select request_hash as "requestHash", facts as result from idempotency
    where scope = ${idem.scope} and endpoint = ${idem.endpoint} and key = ${idem.key}`.execute(db);
  return resultOf(rows[0], idem, cause);
}

/**
 * The stored result for the key of a write that has just failed; undefined if it never succeeded. Not looked up after errors unrelated
 * to the state (BUSY, bugs). Throws IDEMPOTENCY_MISMATCH.
 */
export async function resultAfterError(db: Db, idem: Idem, error: unknown): Promise<unknown> {
  const cause = asAppError(error);
  if (!cause || cause.error === 'BUSY') return undefined;
  return await earlierResult(db, idem, error);
}

/** Days after which a key is deleted. A browser repeats a call within minutes, and a reload keeps its keys only for the session. */
export const IDEMPOTENCY_DAYS = 30;

/** Deletes at most `limit` keys that are older, oldest first; returns how many. */
export async function sweepIdempotency(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with gone as (delete from idempotency where (scope, endpoint, key) in (select scope, endpoint, key from idempotency
      where created_at < now() - make_interval(days => ${IDEMPOTENCY_DAYS}::int) order by created_at limit ${limit}) returning 1)
    select count(*)::int as n from gone`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Runs a write whose preconditions may no longer hold on a repeat: the key is looked up before an error is returned, so a repeat gets
 * the first result regardless of the current state. A successful write costs no lookup. `db` must not be the transaction of `work`. For
 * calls whose response is built from the stored result; if it is the result itself, `Server` does this for every call. Throws what
 * `work` throws, IDEMPOTENCY_MISMATCH.
 */
export async function orEarlier<T>(db: Db, idem: Idem | undefined, work: () => Promise<T>): Promise<T> {
  if (!idem) return await work();
  try {
    return await work();
  } catch (error) {
    const stored = await resultAfterError(db, idem, error);
    if (stored === undefined) throw error;
    return stored as T;
  }
}
