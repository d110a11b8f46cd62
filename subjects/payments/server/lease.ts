import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import type { Job } from '#server/jobs/kinds.ts';

/** Kind of the timer that checks a paid withdrawal again; its ref is the withdrawal's id. */
export const PAYOUT_CHECK = 'withdraw.recheck';

/** Longer than any channel call, so that two processes never call a channel about the same money at the same time. */
const LEASE_SECONDS = 40;

/**
 * Gives one process at a time the right to call a channel about a pending row. Returns whether it was sent before (then its state is
 * queried before anything is sent again); undefined when another process holds the lease or the row is not pending.
 */
export async function takeLease(
  db: Trx,
  table: 'refund' | 'withdrawal',
  id: number,
  pendingStatus: number,
): Promise<{ again: boolean } | undefined> {
  const { rows } = await sql<{ again: boolean }>`
    update ${sql.table(table)} r set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), sent_at = coalesce(r.sent_at, now())
    from (select id, sent_at from ${sql.table(table)} where id = ${id} for update) old
    where r.id = old.id and r.status = ${pendingStatus} and (r.leased_until is null or r.leased_until < now())
    returning old.sent_at is not null as again`.execute(db);
  return rows[0];
}

/** Releases the lease and stores the channel's last reason. */
export async function releaseLease(
  db: Trx,
  table: 'refund' | 'withdrawal',
  id: number,
  reason: string | undefined,
): Promise<void> {
  await sql`update ${sql.table(table)} set leased_until = null, channel_reason = coalesce(${reason ?? null}, channel_reason) where id = ${id}`.execute(
    db,
  );
}

/** Schedules a timer for a row, or moves the existing one. */
export async function setTimer(
  db: Trx,
  kind: Extract<Job, `${'pay' | 'withdraw' | 'refund'}.${string}`>,
  ref: number,
  seconds: number,
): Promise<void> {
  await schedule(db, kind, ref, { seconds });
}
