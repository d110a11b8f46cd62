import { AuthStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { parseIdCard } from '#subjects/verification/rules/id-card.ts';
import { inTransaction } from '#server/db/client.ts';
import type { UserCall } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { hashSecret } from '#server/kernel/secrets/argon.ts';
import { blindIndex } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { loadPhone } from './phone/own-phone.ts';
import { isWeakPin, PIN } from './rules.ts';
import { announceEnded, endSessions } from './sessions.ts';
import { rejectWeak } from './sign-in.ts';
import { spendSmsCode } from './phone/sms.ts';
import { recordPayVerified, matchPayPassword, requireStepUp, startPayoutWait } from './step-up.ts';

interface LoginChange {
  payPassword?: string | undefined;
  smsCode?: string | undefined;
  passWord: string;
}

/**
 * Changes the log-in password after a step-up (purpose forget) and ends the user's other sessions. The old password is no step-up: it
 * proves only the log-in. Throws PASSWORD_WEAK, STEP_UP_REQUIRED, SMS_CODE_WRONG, PAY_PASSWORD_*.
 */
export async function changeLoginPassword(call: UserCall, change: LoginChange): Promise<void> {
  const { ctx, user } = call;
  rejectWeak(change.passWord, await loadPhone(ctx, user.id));
  await requireStepUp(call, 'forget', change);
  const hash = await hashSecret(change.passWord);
  await inTransaction(ctx.db, async (trx) => {
    await sql`update app_user set password_hash = ${hash} where id = ${user.id}`.execute(trx);
    await endSessions(trx, user.id, user.sessionHash);
    await emit(trx, 'account.passwordChanged', { userId: user.id });
  });
  announceEnded(ctx, user.id);
}

interface PayChange {
  oldPassWord?: string | undefined;
  smsCode?: string | undefined;
  idCard?: string | undefined;
  passWord: string;
}

const IDENTITY_TRIES_A_DAY = 5;
const DAY_SECONDS = 86_400;

/**
 * Sets the pay password: the first one with a code of purpose 'payPassword', a change with the old one, a reset with the code and, for a
 * verified user, the identity number. A reset clears a lock and blocks withdrawals for a time (domain.md 3).
 * Throws BAD_INPUT, PASSWORD_WEAK, PAY_PASSWORD_WRONG, PAY_PASSWORD_LOCKED, IDENTITY_WRONG, IDENTITY_TRIES, SMS_CODE_WRONG.
 */
export async function changePayPassword(call: UserCall, change: PayChange): Promise<void> {
  const { ctx, user } = call;
  if (!PIN.test(change.passWord)) throw new AppError('BAD_INPUT', { text: '支付密码应为 6 位数字', field: 'passWord' });
  const phone = await loadPhone(ctx, user.id);
  if (isWeakPin(change.passWord, phone))
    throw new AppError('PASSWORD_WEAK', { text: '支付密码过于简单，请换一个', field: 'passWord' });
  const isReset = user.hasPayPassword && change.smsCode !== undefined;
  if (change.smsCode !== undefined) {
    if (isReset) await checkIdentity(call, change.idCard);
    await spendSmsCode(ctx, { phone, purpose: 'payPassword', code: change.smsCode, distId: call.dist.id });
  } else if (change.oldPassWord === undefined)
    throw new AppError('BAD_INPUT', { text: '请输入短信验证码', field: 'smsCode' });
  else if (!user.hasPayPassword)
    throw new AppError('BAD_INPUT', { text: '首次设置请使用短信验证码', field: 'smsCode' });
  else await matchPayPassword(ctx.db, user.id, change.oldPassWord, 'oldPassWord');
  const hash = await hashSecret(change.passWord);
  await inTransaction(ctx.db, async (trx) => {
    // One of two concurrent first settings wins; the other would be a reset without its proof.
    const { rows } = await sql`
      update app_user set pay_password_hash = ${hash}, pay_password_fails = 0, pay_password_locked_until = null
      where id = ${user.id} and (pay_password_hash is not null) = ${user.hasPayPassword} returning id`.execute(trx);
    if (rows.length === 0) throw new AppError('BAD_INPUT', { text: '支付密码刚刚已设置，请刷新后再试' });
    if (isReset) await startPayoutWait(trx, user.id, 'payPassword');
    await recordPayVerified(trx, user.sessionHash);
    await emit(trx, 'account.payPasswordChanged', { userId: user.id });
  });
}

/** Compares the identity number with the verified one, at most five times a day. Skipped for a user who is not verified. */
async function checkIdentity({ ctx, user }: UserCall, idCard: string | undefined): Promise<void> {
  const { rows } = await sql<{ hash: Buffer }>`
    select id_hash as hash from real_name where user_id = ${user.id} and status = ${sql.lit(AuthStatus.Verified)}`.execute(
    ctx.db,
  );
  const verified = rows[0]?.hash;
  if (!verified) return;
  if (idCard === undefined) throw new AppError('IDENTITY_WRONG', { text: '请输入实名认证的身份证号', field: 'idCard' });
  if (!(await sharedHit(ctx.db, `identity:${user.id}`, IDENTITY_TRIES_A_DAY, DAY_SECONDS)))
    throw new AppError('IDENTITY_TRIES', { retryAfterSeconds: DAY_SECONDS });
  const number = parseIdCard(idCard, Date.now())?.number;
  if (number === undefined || !blindIndex(ctx.keys, 'id-no', number).equals(verified))
    throw new AppError('IDENTITY_WRONG', { field: 'idCard' });
}
