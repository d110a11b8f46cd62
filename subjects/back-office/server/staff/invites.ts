import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import QRCode from 'qrcode';
import type { staffJoin, staffJoinInfo } from '#subjects/back-office/contract/staff.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { StaffStatus } from '#contract/rules/statuses.ts';
import type { Call } from '#server/access/call.ts';
import { openSession, setSessionCookies } from '#server/access/session.ts';
import { hostsOf } from '#server/access/tenant.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { checkSecret, hashSecret } from '#server/kernel/secrets/argon.ts';
import { decrypt, encrypt, randomToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { base32, totpStep } from '#server/kernel/secrets/totp.ts';
import { endStaffSessions } from '#subjects/accounts/server/service.ts';
import { noteStaffBrowser } from './auth.ts';
import { totpAad } from './create.ts';
import { rejectBreached } from './rules.ts';

/** Maximum number of wrong passwords or codes per one-time URL. */
const MAX_TRIES = 10;
const HOUR_MS = 3_600_000;

/** A new secret of a second factor, base32. */
export const newTotpSecret = (): string => base32(randomBytes(20));

const inviteAad = (hash: Buffer): string => `staff_invite.totp_secret_enc:${hash.toString('hex')}`;

/** The QR code for an authenticator: the key with the market's name and the log-in name, as text and as SVG. */
export async function enrolment(
  issuer: string,
  login: string,
  secret: string,
): Promise<{ secret: string; qr: string }> {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(login)}`;
  const uri = `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;
  return { secret, qr: await QRCode.toString(uri, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' }) };
}

/** A URL on the back office's host. The token follows `#`, so that it appears neither in logs nor on other sites. */
export function backstageAddress({ config }: Pick<Context, 'config'>, path: string): string {
  const site = new URL(config.siteUrl);
  site.hostname = config.backstageHost;
  return `${site.origin}${path}`;
}

export interface Invite {
  token: string;
  expires: Date;
}

/** Creates a one-time URL for a member of staff; an older one becomes invalid. */
export async function openInvite(
  trx: Trx,
  ctx: Context,
  { staffId, by, sets }: { staffId: number; by: number; sets: { password: boolean; factor: boolean } },
): Promise<Invite> {
  const token = randomToken(32);
  const hash = sha256(token);
  const { inviteHours } = ctx.dir.setting('staffSession');
  const expires = new Date(Date.now() + inviteHours * HOUR_MS);
  const secret = sets.factor ? encrypt(ctx.keys, inviteAad(hash), newTotpSecret()) : null;
  await sql`delete from staff_invite where staff_id = ${staffId} and used_at is null`.execute(trx);
  await sql`insert into staff_invite (token_hash, staff_id, sets_password, sets_factor, totp_secret_enc, created_by, expires_at)
    values (${hash}, ${staffId}, ${sets.password}, ${sets.factor}, ${secret}, ${by}, ${expires})`.execute(trx);
  return { token, expires };
}

/**
 * Mails the URL if mail is on and an address is known; otherwise, or when that fails, the caller sees it once. Call
 * after the commit.
 */
export async function deliverInvite(
  ctx: Context,
  person: { name: string; login: string; email: string | null },
  { token, expires }: Invite,
): Promise<{ address: string | null; mailedTo: string | null; expires: Date }> {
  const address = backstageAddress(ctx, `/backstage/join#${token}`);
  if (!person.email || !ctx.mail || ctx.mail.name === 'local') return { address, mailedTo: null, expires };
  const site = ctx.dir.platform().conf.distBaseConf.websiteName;
  const text = `${person.name}，您好：\n\n请打开下面的一次性地址，设置后台账号 ${person.login} 的登录方式：\n${address}\n\n地址只能使用一次，请勿转发。`;
  try {
    await ctx.mail.send({ to: person.email, subject: `${site}后台账号`, text, code: '' });
    return { address: null, mailedTo: person.email, expires };
  } catch (error) {
    ctx.log.warn({ error: String(error) }, 'the mail with a one-time address was not sent');
    return { address, mailedTo: null, expires };
  }
}

interface InviteRow {
  staff_id: number;
  login: string;
  name: string;
  dist_id: number | null;
  sets_password: boolean;
  sets_factor: boolean;
  totp_secret_enc: Buffer | null;
  expires_at: Date;
  password_hash: string | null;
  staff_secret_enc: Buffer | null;
}

/** A usable one-time URL. Throws INVITE_GONE. */
async function findInvite(db: Trx, hash: Buffer): Promise<InviteRow> {
  const { rows } = await sql<InviteRow>`
    select i.staff_id, s.login, s.name, s.dist_id, i.sets_password, i.sets_factor, i.totp_secret_enc, i.expires_at, s.password_hash,
      s.totp_secret_enc as staff_secret_enc
    from staff_invite i join staff s on s.id = i.staff_id and s.status = ${StaffStatus.Active}
    where i.token_hash = ${hash} and i.used_at is null and i.expires_at > now() and i.tries < ${MAX_TRIES}`.execute(db);
  if (!rows[0]) throw new AppError('INVITE_GONE');
  return rows[0];
}

/** Requires a call on the back office's own host. Throws NOT_FOUND. */
export function requireBackstage({ ctx, http }: Call): NonNullable<Call['http']> {
  if (!http || !hostsOf(ctx).isBackstage(http.request)) throw new AppError('NOT_FOUND');
  return http;
}

/** The inputs required by a one-time URL. Throws NOT_FOUND on other hosts, INVITE_GONE. */
export async function joinInfo(
  call: Call,
  { token }: Parsed<typeof staffJoinInfo>,
): Promise<HandlerResult<typeof staffJoinInfo>> {
  requireBackstage(call);
  const { ctx } = call;
  const hash = sha256(token);
  const row = await findInvite(ctx.db, hash);
  const site = (row.dist_id === null ? undefined : ctx.dir.byId(row.dist_id)) ?? ctx.dir.platform();
  const siteName = site.conf.distBaseConf.websiteName;
  const own = row.totp_secret_enc && decrypt(ctx.keys, inviteAad(hash), row.totp_secret_enc);
  return {
    login: row.login,
    name: row.name,
    siteName,
    setsPassword: row.sets_password,
    setsFactor: row.sets_factor,
    ...(own ? await enrolment(siteName, row.login, own) : { secret: null, qr: null }),
    expires: row.expires_at,
  };
}

/** The time step of the code that proves, or sets, the second factor. Throws SECOND_FACTOR_WRONG. */
function stepOf(ctx: Context, row: InviteRow, hash: Buffer, code: string): number {
  const secret = row.totp_secret_enc
    ? decrypt(ctx.keys, inviteAad(hash), row.totp_secret_enc)
    : row.staff_secret_enc && decrypt(ctx.keys, totpAad(row.staff_id), row.staff_secret_enc);
  const step = secret === null ? undefined : totpStep(secret, code, Date.now());
  if (step === undefined) throw new AppError('SECOND_FACTOR_WRONG', { field: 'code' });
  return step;
}

/**
 * The hash of the new password, or undefined when the old one is kept and was verified. Throws BAD_INPUT,
 * PASSWORD_WEAK, LOGIN_FAILED.
 */
async function loadPassword(row: InviteRow, input: Parsed<typeof staffJoin>): Promise<string | undefined> {
  if (row.sets_password) {
    if (input.newPassword === undefined) throw new AppError('BAD_INPUT', { text: '请设置密码', field: 'newPassword' });
    rejectBreached(input.newPassword);
    return await hashSecret(input.newPassword, 'staff');
  }
  if (!(await checkSecret(row.password_hash ?? undefined, input.password ?? '', 'staff')))
    throw new AppError('LOGIN_FAILED', { text: '密码错误', field: 'password' });
  return undefined;
}

/**
 * Uses a one-time URL, once even if used concurrently: sets password and second factor, ends other sessions, and logs
 * in. Throws NOT_FOUND, INVITE_GONE, BAD_INPUT, LOGIN_FAILED, SECOND_FACTOR_WRONG.
 */
export async function join(call: Call, input: Parsed<typeof staffJoin>): Promise<HandlerResult<typeof staffJoin>> {
  const http = requireBackstage(call);
  const { ctx } = call;
  const hash = sha256(input.token);
  const row = await findInvite(ctx.db, hash);
  // Counted before it is checked, so that concurrent attempts cannot exceed the limit.
  await sql`update staff_invite set tries = tries + 1 where token_hash = ${hash}`.execute(ctx.db);
  const passwordHash = await loadPassword(row, input);
  const step = stepOf(ctx, row, hash, input.code);
  const secret = row.totp_secret_enc && decrypt(ctx.keys, inviteAad(hash), row.totp_secret_enc);
  await inTransaction(ctx.db, async (trx) => {
    const used = await sql`update staff_invite set used_at = now(), totp_secret_enc = null
      where token_hash = ${hash} and used_at is null and expires_at > now() returning staff_id`.execute(trx);
    if (used.rows.length === 0) throw new AppError('INVITE_GONE');
    const { rows } = await sql`
      update staff set password_hash = coalesce(${passwordHash ?? null}, password_hash), totp_last_step = ${step},
        totp_secret_enc = coalesce(${secret === null ? null : encrypt(ctx.keys, totpAad(row.staff_id), secret)}, totp_secret_enc)
      where id = ${row.staff_id} and status = ${StaffStatus.Active} and (${secret !== null} or totp_last_step < ${step}) returning id`.execute(
      trx,
    );
    if (rows.length === 0) throw new AppError('SECOND_FACTOR_WRONG', { field: 'code' });
    await endStaffSessions(trx, row.staff_id);
    const detail = { login: row.login, password: row.sets_password, factor: row.sets_factor };
    await audit(trx, { id: row.staff_id }, 'staff.join', `staff:${row.staff_id}`, detail, call.ip);
  });
  await noteStaffBrowser(ctx, row.staff_id, http);
  return {
    ...(await startStaffSession(call, http, { id: row.staff_id, distId: row.dist_id })),
    staffId: row.staff_id,
    name: row.name,
  };
}

/** Creates a session for a member of staff and sets its cookies. */
export async function startStaffSession(
  { ctx, ip, agent }: Call,
  http: NonNullable<Call['http']>,
  staff: { id: number; distId: number | null },
): Promise<{ token: string; csrfToken: string }> {
  const distId = staff.distId ?? ctx.dir.platform().id;
  const sid = await openSession(ctx, { staffId: staff.id, distId, kind: 'staff', ip, agent });
  return setSessionCookies(ctx, http.reply, sid, true);
}
