import { sql } from 'kysely';
import type { Idem } from '#server/access/call.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import type { Db, Trx } from './client.ts';

/**
 * Runs a write once per key, inside its own transaction: a repeat answers the stored facts, another request under the same key is
 * IDEMPOTENCY_MISMATCH, a refusal stores nothing and may be tried again. Without a key the work simply runs.
 */
export async function idempotent<T>(trx: Trx, idem: Idem | undefined, work: () => Promise<T>): Promise<T> {
  if (!idem) return await work();
  const { rows } = await sql<{
    facts: T | null;
  }>`select idempotency_claim(${JSON.stringify(idem)}::jsonb) as facts`.execute(trx);
  const earlier = rows[0]?.facts;
  if (earlier !== null && earlier !== undefined) return earlier;
  const result = await work();
  await sql`update idempotency set facts = ${JSON.stringify(result)}::jsonb where scope = ${idem.scope} and endpoint = ${idem.endpoint} and key = ${idem.key}`.execute(
    trx,
  );
  return result;
}

/** What a write answered under this key before; undefined when it has not run. For steps that must not be taken twice before it. */
export async function earlierResponse<T>(db: Trx, idem: Idem | undefined): Promise<T | undefined> {
  if (!idem) return undefined;
  const { rows } = await sql<{ facts: T | null }>`
    select facts from idempotency where scope = ${idem.scope} and endpoint = ${idem.endpoint} and key = ${idem.key} and request_hash = ${idem.hash}`.execute(
    db,
  );
  return rows[0]?.facts ?? undefined;
}

/**
 * What is stored under a key that a failed write came with: its first facts, undefined when it never succeeded. An error that says nothing of
 * the state (BUSY, a fault) is no reason to look. Throws IDEMPOTENCY_MISMATCH where the key was used for another request.
 */
export async function storedResult(db: Db, idem: Idem, error: unknown): Promise<unknown> {
  const cause = asAppError(error);
  if (!cause || cause.error === 'BUSY') return undefined;
  const { rows } = await sql<{ facts: unknown; hash: string }>`
    select facts, request_hash as hash from idempotency where scope = ${idem.scope} and endpoint = ${idem.endpoint} and key = ${idem.key}`.execute(
    db,
  );
  const earlier = rows[0];
  if (earlier && earlier.hash !== idem.hash) throw new AppError('IDEMPOTENCY_MISMATCH', { cause: error });
  return earlier?.facts ?? undefined;
}

/**
 * Runs a write whose rules may have moved on since it was first made: the key is looked at before an error is told, so a repeat gets the
 * first result whatever the state is now. A write that succeeds costs no look. `db` is no transaction of `work`. For calls whose response is
 * made of the stored facts; where it is the facts themselves, `Server` does it for every call. Throws what `work` throws, IDEMPOTENCY_MISMATCH.
 */
export async function orEarlier<T>(db: Db, idem: Idem | undefined, work: () => Promise<T>): Promise<T> {
  if (!idem) return await work();
  try {
    return await work();
  } catch (error) {
    const stored = await storedResult(db, idem, error);
    if (stored === undefined) throw error;
    return stored as T;
  }
}
