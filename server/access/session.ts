import { UserStatus } from '#contract/rules/statuses.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { derivedToken, randomToken, sameText, sha256 } from '#server/kernel/crypto.ts';

/** A signed-in user as the rest of a request sees it. */
export interface SessionUser {
  readonly id: number;
  readonly nickName: string;
  readonly authStatus: number;
  readonly distId: number;
  readonly inviterId: number | null;
  readonly status: number;
  readonly sessionHash: Buffer;
  readonly payVerifiedAt: Date | null;
  readonly hasPayPassword: boolean;
}

/** A signed-in member of staff; `distId` limits an operator to one distributor. */
export interface SessionStaff {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly distId: number | null;
  readonly imUid: string;
  readonly sessionHash: Buffer;
}

export interface Caller {
  readonly user: SessionUser | null;
  readonly staff: SessionStaff | null;
  /** The cookie's value, from which tokens are derived; undefined for a caller without cookies. */
  readonly sid: string | undefined;
}

export const anonymous: Caller = { user: null, staff: null, sid: undefined };

const SESSION_DAYS = 7;
const STAFF_HOURS = 8;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Name of the session cookie, bound to the host and to TLS where TLS is used. The back office and the sites have different cookies. */
export function cookieName(config: { secureCookies: boolean }, staff: boolean): string {
  const name = staff ? 'ssid' : 'sid';
  return config.secureCookies ? `__Host-${name}` : name;
}

interface Row {
  id_hash: Buffer;
  kind: string;
  pay_verified_at: Date | null;
  user_id: number | null;
  nick_name: string | null;
  auth_status: number | null;
  dist_id: number;
  inviter_id: number | null;
  status: number | null;
  has_pay: boolean;
  staff_id: number | null;
  staff_name: string | null;
  role: string | null;
  staff_dist: number | null;
  im_uid: string | null;
}

async function find(ctx: Context, hash: Buffer): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select s.id_hash, s.kind, s.pay_verified_at, s.dist_id, u.id as user_id, u.nick_name, u.auth_status, u.inviter_id, u.status,
      u.pay_password_hash is not null as has_pay, t.id as staff_id, t.name as staff_name, t.role, t.dist_id as staff_dist, t.im_uid
    from session s left join app_user u on u.id = s.user_id left join staff t on t.id = s.staff_id and t.status = 1
    where s.id_hash = ${hash} and s.expires_at > now()`.execute(ctx.db);
  return rows[0];
}

function callerOf(row: Row, sid: string | undefined): Caller {
  if (row.staff_id !== null) {
    const staff = {
      id: row.staff_id,
      name: row.staff_name ?? '',
      role: row.role ?? '',
      distId: row.staff_dist,
      imUid: row.im_uid ?? '',
      sessionHash: row.id_hash,
    };
    return { user: null, staff, sid };
  }
  if (row.user_id === null || row.status === UserStatus.Closed) return anonymous;
  const user = {
    id: row.user_id,
    nickName: row.nick_name ?? '',
    authStatus: row.auth_status ?? 0,
    distId: row.dist_id,
    inviterId: row.inviter_id,
    status: row.status ?? 1,
    sessionHash: row.id_hash,
    payVerifiedAt: row.pay_verified_at,
    hasPayPassword: row.has_pay,
  };
  return { user, staff: null, sid };
}

/** The caller of a page request, by the cookie alone. */
export async function pageCaller(ctx: Context, request: FastifyRequest, staff: boolean): Promise<Caller> {
  const sid = request.cookies[cookieName(ctx.config, staff)];
  if (sid === undefined || !TOKEN.test(sid)) return anonymous;
  const row = await find(ctx, sha256(sid));
  return row && (row.kind === 'staff') === staff ? callerOf(row, sid) : anonymous;
}

/**
 * The caller of an API call. A browser sends the cookie and, in Authorization, the value derived from it; one without the other is
 * anonymous. A client without cookies sends its full token.
 */
export async function apiCaller(ctx: Context, request: FastifyRequest, staff: boolean): Promise<Caller> {
  const header = request.headers.authorization;
  if (header === undefined || header.length > 200) return anonymous;
  const sid = request.cookies[cookieName(ctx.config, staff)];
  if (sid !== undefined) {
    if (!TOKEN.test(sid) || !sameText(header, derivedToken(ctx.keys, sid, 'hdr'))) return anonymous;
    return await pageCaller(ctx, request, staff);
  }
  if (!TOKEN.test(header)) return anonymous;
  const row = await find(ctx, sha256(header));
  return row?.kind === 'app' && !staff ? callerOf(row, undefined) : anonymous;
}

export interface NewSession {
  userId?: number;
  staffId?: number;
  distId: number;
  kind: 'web' | 'app' | 'staff';
  ip: string;
  agent: string;
}

/** Opens a session with a new random token; a token supplied by the client is never adopted. Returns the token. */
export async function openSession(ctx: Context, session: NewSession): Promise<string> {
  const sid = randomToken(32);
  const hours = session.kind === 'staff' ? STAFF_HOURS : SESSION_DAYS * 24;
  await sql`insert into session (id_hash, user_id, staff_id, kind, dist_id, ip, agent, expires_at)
    values (${sha256(sid)}, ${session.userId ?? null}, ${session.staffId ?? null}, ${session.kind}, ${session.distId}, ${session.ip},
      ${session.agent.slice(0, 200)}, now() + make_interval(hours => ${hours}))`.execute(ctx.db);
  return sid;
}

/** Sets the session cookie and the readable CSRF cookie derived from it. Returns the values that the browser's own code keeps. */
export function setSessionCookies(
  ctx: Context,
  reply: FastifyReply,
  sid: string,
  staff: boolean,
): { token: string; csrfToken: string } {
  const secure = ctx.config.secureCookies;
  const csrfToken = derivedToken(ctx.keys, sid, 'csrf');
  const maxAge = staff ? STAFF_HOURS * 3600 : SESSION_DAYS * 86_400;
  reply.setCookie(cookieName(ctx.config, staff), sid, { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge });
  reply.setCookie('csrfToken', csrfToken, { httpOnly: false, sameSite: 'lax', path: '/', secure, maxAge });
  return { token: derivedToken(ctx.keys, sid, 'hdr'), csrfToken };
}

/** Clears both cookies. */
export function clearSessionCookies(ctx: Context, reply: FastifyReply, staff: boolean): void {
  reply.clearCookie(cookieName(ctx.config, staff), { path: '/' });
  reply.clearCookie('csrfToken', { path: '/' });
}

/** CSRF check: same origin, and for a session the token that only our own pages can read. */
export function mayWrite(ctx: Context, request: FastifyRequest, caller: Caller): boolean {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return false;
  if (
    origin !== undefined &&
    origin !== `http://${request.headers.host}` &&
    origin !== `https://${request.headers.host}`
  )
    return false;
  if (caller.sid === undefined) return true;
  const token = request.headers['x-csrf-token'];
  return typeof token === 'string' && sameText(token, derivedToken(ctx.keys, caller.sid, 'csrf'));
}
