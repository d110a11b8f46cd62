/** The quarantine of a restored market, as checked by jobs and vendors (docs/OPERATIONS.md, "After a restore"). */
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';

/** SQL condition: true while nothing may be sent out. Part of each claim, so that no server has to be notified. */
export const quarantined: RawBuilder<boolean> = sql<boolean>`exists (select from quarantine where released_at is null)`;

/** Whether sending is blocked now. */
export async function isQuarantined(db: Trx): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select ${quarantined} as held`.execute(db);
  return rows[0]?.held === true;
}

/** Rejects anything that would leave a restored market. Throws QUARANTINE, after which a job is retried. */
export async function requireReleased(db: Trx): Promise<void> {
  if (await isQuarantined(db)) throw new AppError('QUARANTINE', { retryAfterSeconds: 60 });
}
