/** The rows of sessions: the only module that writes the table `session`. Callers check who may end or prove a session. */
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** The bytes of a session's hash that identify it on the wire: unique for its owner, and useless as a credential. */
export const SESSION_ID_BYTES = 16;

export interface SessionRow {
  hash: Buffer;
  userId: number | undefined;
  staffId: number | undefined;
  distId: number;
  kind: 'web' | 'app' | 'staff';
  ip: string;
  agent: string;
  minutes: number;
}

/** Adds a session. */
export async function addSession(db: Trx, s: SessionRow): Promise<void> {
  await sql`insert into session (id_hash, user_id, staff_id, kind, dist_id, ip, agent, expires_at)
    values (${s.hash}, ${s.userId ?? null}, ${s.staffId ?? null}, ${s.kind}, ${s.distId}, ${s.ip},
      ${s.agent.slice(0, 200)}, now() + make_interval(mins => ${s.minutes}))`.execute(db);
}

/** Ends one session, of a user or of a member of staff. */
export async function removeSession(db: Trx, hash: Buffer): Promise<void> {
  await sql`delete from session where id_hash = ${hash}`.execute(db);
}

/** Which sessions end: all except `except`, or the one identified by the first bytes of its hash. */
export interface SessionsOf {
  owner: { userId: number } | { staffId: number };
  except?: Buffer | undefined;
  /** The first SESSION_ID_BYTES of a hash. */
  id?: Buffer | undefined;
}

/** Ends sessions of a user or of a member of staff. Returns how many ended. */
export async function removeSessions(db: Trx, { owner, except, id }: SessionsOf): Promise<number> {
  const whose: RawBuilder<unknown> =
    'userId' in owner ? sql`user_id = ${owner.userId}` : sql`staff_id = ${owner.staffId}`;
  const which = id === undefined ? sql`` : sql`and substring(id_hash for ${SESSION_ID_BYTES}) = ${id}`;
  const { rows } = await sql`
    delete from session where ${whose} and id_hash is distinct from ${except ?? null} ${which} returning kind`.execute(
    db,
  );
  return rows.length;
}

/** Ends a user's oldest sessions beyond the newest `max`. */
export async function removeOldestSessions(db: Trx, userId: number, max: number): Promise<void> {
  await sql`delete from session where user_id = ${userId} and id_hash in (
    select id_hash from session where user_id = ${userId} order by created_at desc offset ${max})`.execute(db);
}

/** Removes expired sessions, and staff sessions that were idle for `idleMinutes`. */
export async function removeExpiredSessions(db: Trx, idleMinutes: number): Promise<void> {
  await sql`delete from session where expires_at < now()
    or (staff_id is not null and last_seen_at < now() - make_interval(mins => ${idleMinutes}))`.execute(db);
}

/** Records that a session has just proved its owner: by the pay password or a code, or by the second factor. */
export async function markSessionProved(db: Trx, hash: Buffer, by: 'pay' | 'factor'): Promise<void> {
  if (by === 'pay') await sql`update session set pay_verified_at = now() where id_hash = ${hash}`.execute(db);
  else await sql`update session set factor_verified_at = now() where id_hash = ${hash}`.execute(db);
}

/** Records that a session is in use, accurate to `withinSeconds`. */
export async function markSessionSeen(db: Trx, hash: Buffer, withinSeconds: number): Promise<void> {
  await sql`update session set last_seen_at = now()
    where id_hash = ${hash} and last_seen_at < now() - make_interval(secs => ${withinSeconds})`.execute(db);
}
