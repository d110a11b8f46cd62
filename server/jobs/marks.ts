import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** How far a job has come that works through a table in parts: a moment, an id, or both. */
interface Mark {
  readonly at: Date | null;
  readonly id: number;
}

/**
 * Locks the mark of a job until the transaction ends, so that one process at a time works on it, and returns it. A job that has none yet
 * begins at no moment and at 0.
 */
export async function lockMark(trx: Trx, name: string): Promise<Mark> {
  await sql`insert into job_mark (name) values (${name}) on conflict (name) do nothing`.execute(trx);
  const { rows } = await sql<Mark>`
    select case when isfinite(at) then at end as at, id from job_mark where name = ${name} for update`.execute(trx);
  return rows[0] ?? { at: null, id: 0 };
}

/** Moves a mark that the transaction has locked. */
export async function moveMark(trx: Trx, name: string, mark: Partial<Mark>): Promise<void> {
  await sql`update job_mark set at = coalesce(${mark.at ?? null}::timestamptz, at), id = coalesce(${mark.id ?? null}::bigint, id) where name = ${name}`.execute(
    trx,
  );
}
