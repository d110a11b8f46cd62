import { UserStatus, StaffStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { derivedToken, randomToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import { LIMITS } from '../rules.ts';

/** Length of a session's hash (SHA-256). */
const HASH_BYTES = 32;
const TICKET = /^[A-Za-z0-9_-]{43}$/;

/** The user admitted by a ticket. */
export interface Admission {
  member: string;
  userId: number | null;
  staffId: number | null;
  sessionHash: Buffer;
  distId: number;
  /** False for a user who may only read. */
  mayWrite: boolean;
}

/** Issues a one-time ticket for the socket to the owner of a session, with the nonce that authenticates the server's greeting. */
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

/** The nonce by which the holder of a ticket recognises the server's greeting. */
export const nonceOf = (ctx: Context, token: string): string => derivedToken(ctx.keys, token, 'im-hello');

/** Redeems a ticket, once even if used concurrently. Undefined when it is unknown, used or expired, or its session ended. */
export async function redeemTicket(ctx: Context, token: string): Promise<Admission | undefined> {
  if (!TICKET.test(token)) return undefined;
  const { rows } = await sql<Admission>`
    with used as (delete from chat_ticket where id_hash = ${sha256(token)} returning member, session_hash, dist_id, expires_at)
    select t.member, s.user_id as "userId", s.staff_id as "staffId", t.session_hash as "sessionHash", t.dist_id as "distId",
      (u.status = ${sql.lit(UserStatus.Active)} or w.status = ${sql.lit(StaffStatus.Active)}) is true as "mayWrite"
    from used t join session s on s.id_hash = t.session_hash and s.expires_at > now()
    left join app_user u on u.id = s.user_id left join staff w on w.id = s.staff_id
    where t.expires_at > now() and (u.status in (${sql.lit(UserStatus.Active)}, ${sql.lit(UserStatus.Restricted)}) or w.status = ${sql.lit(StaffStatus.Active)})`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Removes expired tickets. */
export async function dropOldTickets(ctx: Context): Promise<void> {
  await sql`delete from chat_ticket where expires_at < now()`.execute(ctx.db);
}

/** A session, by its index in the list, that has ended or whose user may only read. */
export interface SessionEvent {
  index: number;
  /** The session is valid, and its user may only read. */
  isReader: boolean;
}

/** Checks many sessions in one statement; those not returned may read and write. Thousands of sessions cost one parameter and few rows. */
export async function sessionEvents(ctx: Context, hashes: readonly Buffer[]): Promise<SessionEvent[]> {
  const { rows } = await sql<SessionEvent>`
    select n as "index", coalesce(u.status = ${sql.lit(UserStatus.Restricted)}, false) as "isReader"
    from generate_series(0, ${hashes.length}::int - 1) n
    left join session s on s.id_hash = substring(${Buffer.concat(hashes)}::bytea from n * ${HASH_BYTES}::int + 1 for ${HASH_BYTES}::int)
      and s.expires_at > now()
    left join app_user u on u.id = s.user_id left join staff t on t.id = s.staff_id
    where (u.status = ${sql.lit(UserStatus.Active)} or t.status = ${sql.lit(StaffStatus.Active)}) is not true`.execute(
    ctx.db,
  );
  return rows;
}
