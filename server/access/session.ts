import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import { isStaffPermission, shippedPermissions, type StaffPermission } from '#subjects/back-office/rules/staff.ts';
import { UserStatus, StaffStatus } from '#contract/rules/statuses.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { derivedToken, randomToken, sameText, sha256 } from '#server/kernel/secrets/crypto.ts';
import { addSession, markSessionSeen } from './session-store.ts';

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
  /** The role's code and its name; the allowed actions are decided by `permissions`. */
  readonly role: string;
  readonly roleName: string;
  /** Permissions of the role and individual ones. */
  readonly permissions: readonly StaffPermission[];
  readonly distId: number | null;
  readonly imUid: string;
  readonly sessionHash: Buffer;
  /** When the second factor was last given again in this session. */
  readonly factorVerifiedAt: Date | null;
}

/** The API key that a seller's own program uses. */
export interface KeyOfCaller {
  readonly id: number;
  readonly scopes: readonly string[];
  /** The maximum reduction, as a percentage of a listing's highest price of the last day. */
  readonly maxDropPercent: number;
}

export interface Caller {
  readonly user: SessionUser | null;
  readonly staff: SessionStaff | null;
  /** The cookie's value, from which tokens are derived; undefined for a caller without cookies. */
  readonly sid: string | undefined;
  /** Set for a signed request; `user` is then the key's seller. */
  readonly key?: KeyOfCaller;
  /** The request had a token that is valid only together with its cookie, and no cookie. */
  readonly hasTokenAlone?: true;
}

export const anonymous: Caller = { user: null, staff: null, sid: undefined };

const SESSION_DAYS = 7;
/** How often the last use of a staff session is stored. */
const TOUCH_SECONDS = 60;
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
  role_name: string | null;
  role_permissions: string[] | null;
  permissions: string[] | null;
  factor_verified_at: Date | null;
  is_stale: boolean;
  staff_dist: number | null;
  im_uid: string | null;
}

const staffTimes = (ctx: Context): SettingValue<'staffSession'> => ctx.dir.setting('staffSession');

/** The session with its person; undefined when it has ended, or is a staff session that was idle for too long. */
async function find(ctx: Context, hash: Buffer): Promise<Row | undefined> {
  const { idleMinutes } = staffTimes(ctx);
  const { rows } = await sql<Row>`
    select s.id_hash, s.kind, s.pay_verified_at, s.dist_id, u.id as user_id, u.nick_name, u.auth_status, u.inviter_id, u.status,
      u.pay_password_hash is not null as has_pay, t.id as staff_id, t.name as staff_name, t.role, r.name as role_name, r.permissions as role_permissions, t.permissions, t.dist_id as staff_dist, t.im_uid,
      s.factor_verified_at, s.last_seen_at < now() - make_interval(secs => ${TOUCH_SECONDS}) as is_stale
    from session s left join app_user u on u.id = s.user_id left join staff t on t.id = s.staff_id and t.status = ${sql.lit(StaffStatus.Active)}
      left join staff_role r on r.code = t.role
    where s.id_hash = ${hash} and s.expires_at > now()
      and (s.staff_id is null or s.last_seen_at > now() - make_interval(mins => ${idleMinutes}))`.execute(ctx.db);
  const row = rows[0];
  if (row?.kind === 'staff' && row.is_stale) await markSessionSeen(ctx.db, hash, TOUCH_SECONDS);
  return row;
}

/**
 * The permissions of a member of staff: those of the role as stored (or the shipped defaults), plus individual ones.
 * Permissions unknown to this version of the program are left out.
 */
export function permissionsOf(
  role: string,
  stored: readonly string[] | null,
  single: readonly string[],
): StaffPermission[] {
  return [...new Set([...(stored ?? shippedPermissions(role)), ...single])].filter(isStaffPermission);
}

function callerOf(row: Row, sid: string | undefined): Caller {
  if (row.staff_id !== null) {
    const staff = {
      id: row.staff_id,
      name: row.staff_name ?? '',
      role: row.role ?? '',
      roleName: row.role_name ?? '',
      permissions: permissionsOf(row.role ?? '', row.role_permissions, row.permissions ?? []),
      distId: row.staff_dist,
      imUid: row.im_uid ?? '',
      sessionHash: row.id_hash,
      factorVerifiedAt: row.factor_verified_at,
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

/** The caller of a page request, by only the cookie. */
export async function pageCaller(ctx: Context, request: FastifyRequest, staff: boolean): Promise<Caller> {
  const sid = request.cookies[cookieName(ctx.config, staff)];
  if (sid === undefined || !TOKEN.test(sid)) return anonymous;
  const row = await find(ctx, sha256(sid));
  return row && (row.kind === 'staff') === staff ? callerOf(row, sid) : anonymous;
}

/**
 * The caller of an API call. A browser sends the cookie and, in Authorization, the value derived from it; either one alone is
 * anonymous. A client without cookies sends its full token. The token may follow the word Bearer (RFC 6750).
 */
export async function apiCaller(ctx: Context, request: FastifyRequest, staff: boolean): Promise<Caller> {
  const sent = request.headers.authorization;
  if (sent === undefined || sent.length > 200) return anonymous;
  const header = sent.replace(/^bearer +/i, '');
  const sid = request.cookies[cookieName(ctx.config, staff)];
  // A generated client that sends its token by every scheme of the document puts it into the cookie as well.
  if (sid !== undefined && sid !== header) {
    if (!TOKEN.test(sid) || !sameText(header, derivedToken(ctx.keys, sid, 'hdr'))) return anonymous;
    return await pageCaller(ctx, request, staff);
  }
  if (!TOKEN.test(header)) return anonymous;
  const row = await find(ctx, sha256(header));
  return row?.kind === 'app' && !staff ? callerOf(row, undefined) : { ...anonymous, hasTokenAlone: true };
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
  const minutes = session.kind === 'staff' ? staffTimes(ctx).maxMinutes : SESSION_DAYS * 24 * 60;
  const { userId, staffId } = session;
  await addSession(ctx.db, { ...session, userId, staffId, hash: sha256(sid), minutes });
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
  const maxAge = staff ? staffTimes(ctx).maxMinutes * 60 : SESSION_DAYS * 86_400;
  reply.setCookie(cookieName(ctx.config, staff), sid, { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge });
  reply.setCookie('csrfToken', csrfToken, { httpOnly: false, sameSite: 'lax', path: '/', secure, maxAge });
  return { token: derivedToken(ctx.keys, sid, 'hdr'), csrfToken };
}

/**
 * The value of the readable cookie `token` where a session's own browser has lost it or holds that of another session: without it, pages
 * would be rendered for the user while all their calls are rejected. Undefined if nothing has to be set.
 */
export function lostToken(
  ctx: Context,
  request: FastifyRequest,
  { sid }: Caller,
): { value: string; maxAgeSeconds: number } | undefined {
  if (sid === undefined) return undefined;
  const value = derivedToken(ctx.keys, sid, 'hdr');
  return request.cookies.token === value ? undefined : { value, maxAgeSeconds: SESSION_DAYS * 86_400 };
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
