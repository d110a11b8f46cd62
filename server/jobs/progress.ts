import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** The progress of a job that works through a table in parts: a time, an id, or both. */
interface Progress {
  readonly at: Date | null;
  readonly id: number;
}

/**
 * Locks the stored progress of a job until the transaction ends, so that only one process works on it at a time, and returns it. A job without
 * stored progress begins without a time and at id 0.
 */
export async function lockProgress(trx: Trx, name: string): Promise<Progress> {
  await sql`insert into job_mark (name) values (${name}) on conflict (name) do nothing`.execute(trx);
  const { rows } = await sql<Progress>`
    select case when isfinite(at) then at end as at, id from job_mark where name = ${name} for update`.execute(trx);
  return rows[0] ?? { at: null, id: 0 };
}

/** Stores the progress of a job that the transaction has locked. */
export async function moveProgress(trx: Trx, name: string, mark: Partial<Progress>): Promise<void> {
  await sql`update job_mark set at = coalesce(${mark.at ?? null}::timestamptz, at), id = coalesce(${mark.id ?? null}::bigint, id) where name = ${name}`.execute(
    trx,
  );
}
