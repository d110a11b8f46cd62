import { StaffStatus } from '#contract/rules/statuses.ts';
import { createHash } from 'node:crypto';
import type { staffStepUp } from '#subjects/back-office/contract/staff.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { releasesMoney } from '../../rules/staff.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { forgetHits, sharedHit } from '#server/access/limits.ts';
import { resetLoginAttempts, type LoginAttempt, countLoginAttempt } from '#server/access/challenge.ts';
import type { Call, StaffCall } from '#server/access/call.ts';
import { setSessionCookies, openSession, clearSessionCookies } from '#server/access/session.ts';
import { stepUpEnd } from '#server/access/staff-session.ts';
import { hostsOf } from '#server/access/tenant.ts';
import { checkSecret } from '#server/kernel/secrets/argon.ts';
import { decrypt, sha256 } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { audit } from '#server/audit/audit.ts';
import { browserHash, endSession, markFactorVerified, saveBrowser } from '#subjects/accounts/server/service.ts';
import { secondsToNextStep, totpStep } from '#server/kernel/secrets/totp.ts';
import { totpAad } from './create.ts';

interface Row {
  id: number;
  name: string;
  role: string;
  dist_id: number | null;
  password_hash: string | null;
  totp_secret_enc: Buffer | null;
  /** A passkey is registered, so a code no longer logs in. */
  passkey_only: boolean;
}

/**
 * Logs in a member of staff by password and second factor, only on the host of the back office: elsewhere the call does not exist.
 * Each code is valid once, by a conditional UPDATE. In a real market, staff with a passkey can only log in with it.
 * Throws CHALLENGE_REQUIRED, LOGIN_THROTTLED, LOGIN_FAILED, SECOND_FACTOR_WRONG, PASSKEY_REQUIRED, NOT_FOUND.
 */
export async function logInStaff(call: Call, input: { login: string; password: string; code: string }) {
  const { ctx, http } = call;
  if (!http || !hostsOf(ctx).isBackstage(http.request)) throw new AppError('NOT_FOUND');
  const login = input.login.toLowerCase();
  const attempt = await loadAttempt(call, login);
  await countLoginAttempt(call, attempt);
  const { rows } = await sql<Row>`
    select id, name, role, dist_id, password_hash, totp_secret_enc,
      ${ctx.config.staffPasskeys} and exists (select from staff_passkey p where p.staff_id = staff.id) as passkey_only
    from staff where login = ${login} and status = ${sql.lit(StaffStatus.Active)}`.execute(ctx.db);
  const staff = rows[0];
  const isMatch = await checkSecret(staff?.password_hash ?? undefined, input.password, 'staff');
  if (!staff || !isMatch) throw new AppError('LOGIN_FAILED', { text: '账号或密码错误' });
  if (staff.totp_secret_enc === null)
    throw new AppError('LOGIN_FAILED', { text: '二次验证已重置，请用管理员给您的一次性地址重新绑定' });
  const step = totpStep(decrypt(ctx.keys, totpAad(staff.id), staff.totp_secret_enc), input.code, Date.now());
  if (step === undefined || !(await claimTotpStep(ctx, staff.id, step)))
    throw new AppError('SECOND_FACTOR_WRONG', { field: 'code' });
  if (staff.passkey_only) throw new AppError('PASSKEY_REQUIRED', { text: '您的账号已登记通行密钥，请用通行密钥登录' });
  await resetLoginAttempts(call, attempt);
  await noteStaffBrowser(ctx, staff.id, http);
  const sid = await openSession(ctx, {
    staffId: staff.id,
    distId: staff.dist_id ?? ctx.dir.platform().id,
    kind: 'staff',
    ip: call.ip,
    agent: call.agent,
  });
  await audit(ctx.db, staff, 'staff.login', `staff:${staff.id}`, {}, call.ip);
  return { ...setSessionCookies(ctx, http.reply, sid, true), staffId: staff.id, name: staff.name, role: staff.role };
}

/** A log-in attempt for a name, with the caller's browser. */
async function loadAttempt(call: Call, login: string): Promise<LoginAttempt> {
  const hash = browserHash(call);
  const { rows } = await sql`
    select from staff_browser b join staff s on s.id = b.staff_id where s.login = ${login} and b.browser_hash = ${hash ?? null}`.execute(
    call.ctx.db,
  );
  const account = createHash('sha256').update(login).digest('base64url');
  return { kind: 'staff-login', account, knownBrowser: rows.length > 0 ? hash : undefined };
}

/** Records the browser, so that failed attempts by others do not lock its owner out. */
export async function noteStaffBrowser(
  ctx: Context,
  staffId: number,
  { request, reply }: NonNullable<Call['http']>,
): Promise<void> {
  const hash = sha256(saveBrowser(ctx, request, reply));
  await sql`insert into staff_browser (staff_id, browser_hash) values (${staffId}, ${hash})
    on conflict (staff_id, browser_hash) do update set last_at = now()`.execute(ctx.db);
}

/** Claims a time step of the second factor; false when this or a later one was already used. */
async function claimTotpStep(ctx: Context, staffId: number, step: number): Promise<boolean> {
  const { rows } = await sql`
    update staff set totp_last_step = ${step} where id = ${staffId} and totp_last_step < ${step} returning id`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** Maximum number of wrong codes of one session per window. */
const STEP_UP_TRIES = 10;
const STEP_UP_WINDOW_SECONDS = 600;

/**
 * Verifies a code of the authenticator app; each is valid once, including the one of the log-in. Throws
 * LOGIN_THROTTLED, SECOND_FACTOR_WRONG.
 */
export async function verifyTotp({ ctx, staff }: StaffCall, code: string): Promise<void> {
  if (!(await sharedHit(ctx.db, `staff-step-up:${staff.id}`, STEP_UP_TRIES, STEP_UP_WINDOW_SECONDS)))
    throw new AppError('LOGIN_THROTTLED', { retryAfterSeconds: STEP_UP_WINDOW_SECONDS });
  const { rows } = await sql<{ secret: Buffer | null }>`
    select totp_secret_enc as secret from staff where id = ${staff.id}`.execute(ctx.db);
  const secret = rows[0]?.secret ?? null;
  const step = secret === null ? undefined : totpStep(decrypt(ctx.keys, totpAad(staff.id), secret), code, Date.now());
  if (step === undefined) throw new AppError('SECOND_FACTOR_WRONG', { field: 'code' });
  if (!(await claimTotpStep(ctx, staff.id, step)))
    throw new AppError('SECOND_FACTOR_WRONG', {
      text: `这个动态码已用过，下一个 ${secondsToNextStep(Date.now())} 秒后出现`,
      field: 'code',
    });
  await forgetHits(ctx.db, `staff-step-up:${staff.id}`);
}

/**
 * Verifies the second factor again, for decisions on money and people in the next minutes. Staff who need a passkey
 * must use it (passkeys.ts). Throws LOGIN_THROTTLED, SECOND_FACTOR_WRONG, PASSKEY_REQUIRED.
 */
export async function stepUp(call: StaffCall, { code }: { code: string }): Promise<HandlerResult<typeof staffStepUp>> {
  const { ctx, staff, ip } = call;
  if (ctx.config.staffPasskeys && releasesMoney(staff.permissions)) throw new AppError('PASSKEY_REQUIRED');
  await verifyTotp(call, code);
  await markFactorVerified(ctx.db, staff.sessionHash);
  await audit(ctx.db, staff, 'staff.stepUp', `staff:${staff.id}`, {}, ip);
  return { validUntil: stepUpEnd(ctx, new Date()) };
}

/** Ends the session of a member of staff. */
export async function logOutStaff(call: StaffCall): Promise<void> {
  await inTransaction(call.ctx.db, async (trx) => {
    await endSession(trx, call.staff.sessionHash);
    await audit(trx, call.staff, 'staff.logout', `staff:${call.staff.id}`, {}, call.ip);
  });
  if (call.http) clearSessionCookies(call.ctx, call.http.reply, true);
}
