import { UserStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { Call } from '#server/access/call.ts';
import { resetLoginAttempts, type LoginAttempt, countLoginAttempt } from '#server/access/challenge.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { checkSecret, hashSecret } from '#server/kernel/secrets/argon.ts';
import type { Keys } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { agreeToAll } from './consents.ts';
import { loadKnownBrowser } from './devices.ts';
import { phoneIndex } from './phone/phones.ts';
import { isWeakPassword } from './rules.ts';
import { createUser } from './service.ts';
import { announceEnded, endSessions, type SigningIn, startSession } from './sessions.ts';
import { spendSmsCode } from './phone/sms.ts';

type Client = 'web' | 'app' | undefined;

interface Row {
  id: number;
  nick_name: string;
  avatar: string | null;
  password_hash: string | null;
}

async function findByPhone(db: Trx, keys: Keys, phone: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select id, nick_name, avatar, password_hash from app_user where phone_hash = ${phoneIndex(keys, phone)} and status <> ${UserStatus.Closed}`.execute(
    db,
  );
  return rows[0];
}

const signing = (row: Row): SigningIn => ({ id: row.id, nickName: row.nick_name, avatar: row.avatar });

/** A log-in attempt for a number, with the caller's browser. */
async function loadAttempt(call: Call, phone: string): Promise<LoginAttempt> {
  const index = phoneIndex(call.ctx.keys, phone);
  const knownBrowser = await loadKnownBrowser(call, index);
  return { kind: 'login', account: index.toString('base64url'), knownBrowser };
}

/** Rejects a weak password. Throws PASSWORD_WEAK. */
export function rejectWeak(password: string, phone: string): void {
  if (isWeakPassword(password, phone)) throw new AppError('PASSWORD_WEAK', { field: 'passWord' });
}

/** Logs in by phone and password; an unknown phone takes the same path and time. Throws LOGIN_FAILED, CHALLENGE_REQUIRED, LOGIN_THROTTLED. */
export async function logIn(call: Call, input: { username: string; password: string; client?: Client }) {
  const { ctx } = call;
  const attempt = await loadAttempt(call, input.username);
  await countLoginAttempt(call, attempt);
  const user = await findByPhone(ctx.db, ctx.keys, input.username);
  const isMatch = await checkSecret(user?.password_hash, input.password);
  if (!user || !isMatch) throw new AppError('LOGIN_FAILED', { field: 'password' });
  await resetLoginAttempts(call, attempt);
  return await startSession(call, signing(user), { client: input.client });
}

/** Logs in by SMS code. A valid code for a number without a user fails with the same message. Throws SMS_CODE_WRONG. */
export async function logInBySms(call: Call, input: { phone: string; smsCode: string; client?: Client }) {
  const { ctx } = call;
  await spendSmsCode(ctx, { phone: input.phone, purpose: 'login', code: input.smsCode, distId: call.dist.id });
  const user = await findByPhone(ctx.db, ctx.keys, input.phone);
  if (!user) throw new AppError('SMS_CODE_WRONG', { field: 'smsCode' });
  return await startSession(call, signing(user), { client: input.client });
}

async function loadInviter(db: Trx, code: string | undefined): Promise<number | undefined> {
  if (code === undefined) return undefined;
  const { rows } = await sql<{
    id: number;
  }>`select id from app_user where invite_code = ${code.toUpperCase()} and status <> ${UserStatus.Closed}`.execute(db);
  if (!rows[0]) throw new AppError('BAD_INPUT', { text: '邀请码不存在，请核对或留空', field: 'inviteCode' });
  return rows[0].id;
}

interface Registering {
  phone: string;
  smsCode: string;
  passWord: string;
  inviteCode?: string | undefined;
  agree?: boolean | undefined;
  client?: Client;
}

/**
 * Registers a phone. Only the holder of the phone, who has a valid code, learns that the number already has a user.
 * Throws CONSENT_REQUIRED, PASSWORD_WEAK, SMS_CODE_WRONG, BAD_INPUT for an unknown invite code.
 */
export async function registerUser(call: Call, input: Registering) {
  const { ctx } = call;
  if (input.agree !== true) throw new AppError('CONSENT_REQUIRED');
  rejectWeak(input.passWord, input.phone);
  const inviterId = await loadInviter(ctx.db, input.inviteCode);
  await spendSmsCode(ctx, { phone: input.phone, purpose: 'register', code: input.smsCode, distId: call.dist.id });
  const passwordHash = await hashSecret(input.passWord);
  const user = await inTransaction(ctx.db, async (trx) => {
    const created = await createUser(trx, ctx.keys, {
      phone: input.phone,
      distId: call.dist.id,
      passwordHash,
      inviterId,
    });
    if (!created) return undefined;
    await agreeToAll(trx, created.id, call.ip);
    await emit(trx, 'account.registered', { userId: created.id });
    return created;
  });
  if (!user) throw new AppError('SMS_CODE_WRONG', { text: '该手机号已注册，请直接登录或找回密码', field: 'phone' });
  return await startSession(call, { ...user, avatar: null }, { client: input.client });
}

/** Sets a new password by SMS code and ends every session of the user. Throws PASSWORD_WEAK, SMS_CODE_WRONG. */
export async function resetPassword(
  call: Call,
  input: { phone: string; smsCode: string; passWord: string },
): Promise<void> {
  const { ctx } = call;
  rejectWeak(input.passWord, input.phone);
  await spendSmsCode(ctx, { phone: input.phone, purpose: 'forget', code: input.smsCode, distId: call.dist.id });
  const passwordHash = await hashSecret(input.passWord);
  const user = await findByPhone(ctx.db, ctx.keys, input.phone);
  if (!user) throw new AppError('SMS_CODE_WRONG', { field: 'smsCode' });
  await inTransaction(ctx.db, async (trx) => {
    await sql`update app_user set password_hash = ${passwordHash} where id = ${user.id}`.execute(trx);
    await endSessions(trx, user.id);
    await emit(trx, 'account.passwordChanged', { userId: user.id });
  });
  await resetLoginAttempts(call, await loadAttempt(call, input.phone));
  announceEnded(ctx, user.id);
}
