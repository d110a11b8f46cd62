import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { derivedToken, randomToken, sha256 } from '#server/kernel/crypto.ts';
import { LIMITS } from './rules.ts';

const TICKET = /^[A-Za-z0-9_-]{43}$/;

/** Who may come in with a ticket. */
export interface Admission {
  member: string;
  userId: number | null;
  staffId: number | null;
  sessionHash: Buffer;
  distId: number;
  /** False for a user who may read and not write. */
  mayWrite: boolean;
}

/** A one-time entry to the socket for the person of a session, and the value by which the server's greeting is known. */
export async function issueTicket(
  ctx: Context,
  who: { member: string; sessionHash: Buffer; distId: number },
): Promise<{ token: string; nonce: string }> {
  const token = randomToken(32);
  await sql`insert into chat_ticket (id_hash, member, session_hash, dist_id, expires_at)
    values (${sha256(token)}, ${who.member}, ${who.sessionHash}, ${who.distId}, now() + make_interval(secs => ${LIMITS.ticketSeconds}))`.execute(
    ctx.db,
  );
  return { token, nonce: nonceOf(ctx, token) };
}

export const nonceOf = (ctx: Context, token: string): string => derivedToken(ctx.keys, token, 'im-hello');

/** Uses up a ticket: of two who come with the same one, one gets in. Undefined when it is unknown, used, late, or its session ended. */
export async function redeemTicket(ctx: Context, token: string): Promise<Admission | undefined> {
  if (!TICKET.test(token)) return undefined;
  const { rows } = await sql<Admission>`
    with used as (delete from chat_ticket where id_hash = ${sha256(token)} returning member, session_hash, dist_id, expires_at)
    select t.member, s.user_id as "userId", s.staff_id as "staffId", t.session_hash as "sessionHash", t.dist_id as "distId",
      coalesce(u.status, w.status) = 1 as "mayWrite"
    from used t join session s on s.id_hash = t.session_hash and s.expires_at > now()
    left join app_user u on u.id = s.user_id left join staff w on w.id = s.staff_id
    where t.expires_at > now() and (u.status in (1, 2) or w.status = 1)`.execute(ctx.db);
  return rows[0];
}

/** Removes the tickets that nobody used. */
export async function dropOldTickets(ctx: Context): Promise<void> {
  await sql`delete from chat_ticket where expires_at < now()`.execute(ctx.db);
}

/** Of these sessions the ones that still hold, with whether their person may write. */
export async function liveSessions(
  ctx: Context,
  hashes: readonly Buffer[],
): Promise<Map<string, { mayWrite: boolean }>> {
  const { rows } = await sql<{ hash: Buffer; mayWrite: boolean }>`
    select s.id_hash as hash, coalesce(u.status, t.status) = 1 as "mayWrite" from session s
    left join app_user u on u.id = s.user_id left join staff t on t.id = s.staff_id
    where s.id_hash = any(${[...hashes]}::bytea[]) and s.expires_at > now() and (u.status in (1, 2) or t.status = 1)`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.hash.toString('base64'), { mayWrite: row.mayWrite }]));
}
