import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { markSessionProved, removeSessions, SESSION_ID_BYTES } from '#server/access/session-store.ts';
import { originLabel } from '#server/kernel/region.ts';
import { browserName } from './rules.ts';

interface StaffSession {
  sessionId: string;
  device: string;
  network: string;
  isCurrent: boolean;
  createTime: Date;
  lastSeenTime: Date;
}

/** The sessions of a member of staff; `current` is the hash of the caller's session. */
export async function staffSessions(db: Trx, staffId: number, current: Buffer): Promise<StaffSession[]> {
  const { rows } = await sql<{
    id_hash: Buffer;
    ip: string | null;
    agent: string | null;
    created_at: Date;
    last_seen_at: Date;
  }>`
    select id_hash, ip, agent, created_at, last_seen_at from session where staff_id = ${staffId} and expires_at > now()
    order by last_seen_at desc limit 50`.execute(db);
  return rows.map((row) => ({
    sessionId: row.id_hash.subarray(0, SESSION_ID_BYTES).toString('base64url'),
    device: browserName(row.agent ?? ''),
    network: originLabel(row.ip ?? ''),
    isCurrent: row.id_hash.equals(current),
    createTime: row.created_at,
    lastSeenTime: row.last_seen_at,
  }));
}

/** Ends the sessions of a member of staff, or the one with the id; never `except`. Returns how many ended. */
export async function endStaffSessions(
  trx: Trx,
  staffId: number,
  { except, id }: { except?: Buffer | undefined; id?: string | undefined } = {},
): Promise<number> {
  const prefix = id === undefined ? undefined : Buffer.from(id, 'base64url');
  return await removeSessions(trx, { owner: { staffId }, except, id: prefix });
}

/** Records that the second factor was given again in a session. */
export async function markFactorVerified(db: Trx, sessionHash: Buffer): Promise<void> {
  await markSessionProved(db, sessionHash, 'factor');
}
