import { sql } from 'kysely';
import type { sessionEnd, sessionList } from '#subjects/accounts/contract/sessions.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { removeSessions, SESSION_ID_BYTES } from '#server/access/session-store.ts';
import { originLabel } from '#server/kernel/region.ts';
import { browserName } from './rules.ts';
import { announceEnded } from './sessions.ts';

interface Row {
  id_hash: Buffer;
  ip: string | null;
  agent: string | null;
  created_at: Date;
  last_seen_at: Date;
}

const idOf = (hash: Buffer): string => hash.subarray(0, SESSION_ID_BYTES).toString('base64url');

/** The caller's sessions. */
export async function listSessions({ ctx, user }: UserCall): Promise<HandlerResult<typeof sessionList>> {
  const { rows } = await sql<Row>`
    select id_hash, ip, agent, created_at, last_seen_at from session where user_id = ${user.id} and expires_at > now()
    order by id_hash = ${user.sessionHash} desc, last_seen_at desc`.execute(ctx.db);
  return {
    list: rows.map((row) => ({
      sessionId: idOf(row.id_hash),
      device: browserName(row.agent ?? ''),
      network: originLabel(row.ip ?? ''),
      isCurrent: row.id_hash.equals(user.sessionHash),
      createTime: row.created_at,
      lastSeenTime: row.last_seen_at,
    })),
  };
}

/** A user's open sessions for staff, most recently used first. */
export async function loadSessions(
  db: Trx,
  userId: number,
): Promise<{ sessionId: string; device: string; network: string; createTime: Date; lastSeenTime: Date }[]> {
  const { rows } = await sql<Row>`
    select id_hash, ip, agent, created_at, last_seen_at from session where user_id = ${userId} and expires_at > now()
    order by last_seen_at desc limit 20`.execute(db);
  return rows.map((row) => ({
    sessionId: idOf(row.id_hash),
    device: browserName(row.agent ?? ''),
    network: originLabel(row.ip ?? ''),
    createTime: row.created_at,
    lastSeenTime: row.last_seen_at,
  }));
}

/** Ends one session of a user, or all of them, for staff; returns how many. `also` runs in the same transaction. */
export async function endSessions(
  ctx: Context,
  userId: number,
  sessionId: string | undefined,
  also: (trx: Trx, sessions: number) => Promise<void>,
): Promise<number> {
  const id = sessionId === undefined ? undefined : Buffer.from(sessionId, 'base64url');
  const ended = await inTransaction(ctx.db, async (trx) => {
    const count = await removeSessions(trx, { owner: { userId }, id });
    await also(trx, count);
    return count;
  });
  if (ended > 0) announceEnded(ctx, userId);
  return ended;
}

/** Ends one of the caller's other sessions, or all others; returns how many. An unknown id or the id of the current session ends none. */
export async function endOtherSessions(
  { ctx, user }: UserCall,
  { sessionId }: Parsed<typeof sessionEnd>,
): Promise<HandlerResult<typeof sessionEnd>> {
  const id = sessionId === undefined ? undefined : Buffer.from(sessionId, 'base64url');
  const ended = await removeSessions(ctx.db, { owner: { userId: user.id }, except: user.sessionHash, id });
  if (ended > 0) announceEnded(ctx, user.id);
  return { ended };
}
