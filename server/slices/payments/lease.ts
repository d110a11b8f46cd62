import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** The timer under which a paid withdrawal is asked about again; its ref is the withdrawal. */
export const PAYOUT_CHECK = 'withdraw.recheck';

/** Longer than a channel may take to answer, so that two processes never ask about the same money at once. */
const LEASE_SECONDS = 40;

/**
 * Lets one process at a time ask a channel about a row that is under way. Returns whether it was asked before (then the channel is
 * asked where it stands, before anything is sent again); undefined when somebody else is asking, or nothing is under way.
 */
export async function takeLease(
  db: Trx,
  table: 'refund' | 'withdrawal',
  id: number,
  underWay: number,
): Promise<{ again: boolean } | undefined> {
  const { rows } = await sql<{ again: boolean }>`
    update ${sql.table(table)} r set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), sent_at = coalesce(r.sent_at, now())
    from (select id, sent_at from ${sql.table(table)} where id = ${id} for update) old
    where r.id = old.id and r.status = ${underWay} and (r.leased_until is null or r.leased_until < now())
    returning old.sent_at is not null as again`.execute(db);
  return rows[0];
}

/** Gives the lease back with what the channel said last. */
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

/** Sets a job for a row, or moves it when there is one. */
export async function setTimer(db: Trx, kind: string, ref: number, seconds: number): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) values (${kind}, ${String(ref)}, now() + make_interval(secs => ${seconds}))
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0`.execute(db);
}
