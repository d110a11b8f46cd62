import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { StaffRole } from '#contract/backstage.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { resetLoginAttempts, type LoginAttempt, countLoginAttempt } from '#server/access/challenge.ts';
import type { Call, StaffCall } from '#server/access/call.ts';
import { setSessionCookies, openSession, clearSessionCookies } from '#server/access/session.ts';
import { hostsOf } from '#server/access/tenant.ts';
import { checkSecret, hashSecret } from '#server/kernel/argon.ts';
import { type Keys, decrypt, encrypt, sha256 } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { audit } from '#server/audit.ts';
import { browserHash, endSession, saveBrowser } from '#server/slices/accounts/service.ts';
import { totpStep } from '#server/kernel/totp.ts';

const totpAad = (staffId: number): string => `staff.totp_secret_enc:${staffId}`;

/** Creates a member of staff; undefined when the log-in name is taken. `totpSecret` is base32. */
export async function createStaff(
  trx: Trx,
  keys: Keys,
  staff: {
    login: string;
    name: string;
    role: StaffRole;
    password: string;
    totpSecret: string;
    distId?: number | undefined;
  },
): Promise<{ id: number; imUid: string } | undefined> {
  const next = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('staff', 'id')) as id`.execute(trx);
  const id = Number(next.rows[0]?.id);
  const imUid = `s${id}`;
  const { rows } = await sql`
    insert into staff (id, login, name, role, dist_id, password_hash, totp_secret_enc, im_uid) overriding system value
    values (${id}, ${staff.login.toLowerCase()}, ${staff.name}, ${staff.role}, ${staff.distId ?? null},
      ${await hashSecret(staff.password, 'staff')}, ${encrypt(keys, totpAad(id), staff.totpSecret)}, ${imUid})
    on conflict (login) do nothing returning id`.execute(trx);
  return rows.length > 0 ? { id, imUid } : undefined;
}

interface Row {
  id: number;
  name: string;
  role: StaffRole;
  dist_id: number | null;
  password_hash: string;
  totp_secret_enc: Buffer;
}

/**
 * Logs in a member of staff by password and second factor, only on the host of the back office: elsewhere the call does not exist.
 * Each code is valid once, by a conditional UPDATE. Throws CHALLENGE_REQUIRED, LOGIN_THROTTLED, LOGIN_FAILED, SECOND_FACTOR_WRONG, NOT_FOUND.
 */
export async function logInStaff(call: Call, input: { login: string; password: string; code: string }) {
  const { ctx, http } = call;
  if (!http || !hostsOf(ctx).isBackstage(http.request)) throw new AppError('NOT_FOUND');
  const login = input.login.toLowerCase();
  const attempt = await attemptOf(call, login);
  await countLoginAttempt(call, attempt);
  const { rows } = await sql<Row>`
    select id, name, role, dist_id, password_hash, totp_secret_enc from staff where login = ${login} and status = 1`.execute(
    ctx.db,
  );
  const staff = rows[0];
  const isMatch = await checkSecret(staff?.password_hash, input.password, 'staff');
  if (!staff || !isMatch) throw new AppError('LOGIN_FAILED', { text: '账号或密码错误' });
  const step = totpStep(decrypt(ctx.keys, totpAad(staff.id), staff.totp_secret_enc), input.code, Date.now());
  if (step === undefined || !(await claimTotpStep(ctx, staff.id, step)))
    throw new AppError('SECOND_FACTOR_WRONG', { field: 'code' });
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
async function attemptOf(call: Call, login: string): Promise<LoginAttempt> {
  const hash = browserHash(call);
  const { rows } = await sql`
    select from staff_browser b join staff s on s.id = b.staff_id where s.login = ${login} and b.browser_hash = ${hash ?? null}`.execute(
    call.ctx.db,
  );
  const account = createHash('sha256').update(login).digest('base64url');
  return { kind: 'staff-login', account, knownBrowser: rows.length > 0 ? hash : undefined };
}

async function noteStaffBrowser(
  ctx: Context,
  staffId: number,
  { request, reply }: NonNullable<Call['http']>,
): Promise<void> {
  const hash = sha256(saveBrowser(ctx, request, reply));
  await sql`insert into staff_browser (staff_id, browser_hash) values (${staffId}, ${hash})
    on conflict (staff_id, browser_hash) do update set last_at = now()`.execute(ctx.db);
}

/** Claims a time step of the second factor; false when it, or a later one, was used before. */
async function claimTotpStep(ctx: Context, staffId: number, step: number): Promise<boolean> {
  const { rows } = await sql`
    update staff set totp_last_step = ${step} where id = ${staffId} and totp_last_step < ${step} returning id`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** Ends the session of a member of staff. */
export async function logOutStaff(call: StaffCall): Promise<void> {
  await inTransaction(call.ctx.db, async (trx) => {
    await endSession(trx, call.staff.sessionHash);
    await audit(trx, call.staff, 'staff.logout', `staff:${call.staff.id}`, {}, call.ip);
  });
  if (call.http) clearSessionCookies(call.ctx, call.http.reply, true);
}
