import { sql } from 'kysely';
import type { sessionEnd, sessionList } from '#contract/sessions.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import { originLabel } from '#server/kernel/region.ts';
import { browserName } from './rules.ts';
import { announceEnded } from './sessions.ts';

/** The bytes of a session's hash that identify it on the wire: unique for the user, and useless as a credential. */
const ID_BYTES = 16;

interface Row {
  id_hash: Buffer;
  ip: string | null;
  agent: string | null;
  created_at: Date;
  last_seen_at: Date;
}

const idOf = (hash: Buffer): string => hash.subarray(0, ID_BYTES).toString('base64url');

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

/** Ends one of the caller's other sessions, or all others; returns how many. An unknown id or the id of the current session ends none. */
export async function endOtherSessions(
  { ctx, user }: UserCall,
  { sessionId }: Parsed<typeof sessionEnd>,
): Promise<HandlerResult<typeof sessionEnd>> {
  const which =
    sessionId === undefined
      ? sql``
      : sql`and substring(id_hash for ${ID_BYTES}) = ${Buffer.from(sessionId, 'base64url')}`;
  const { rows } = await sql`
    delete from session where user_id = ${user.id} and id_hash <> ${user.sessionHash} ${which} returning kind`.execute(
    ctx.db,
  );
  if (rows.length > 0) announceEnded(ctx, user.id);
  return { ended: rows.length };
}
