import { sql } from 'kysely';
import { inTransaction } from '#server/db/client.ts';
import type { UserCall } from '#server/call.ts';
import { checkSecret, hashSecret } from '#server/kernel/argon.ts';
import { AppError } from '#server/kernel/errors.ts';
import { isWeakPin, PIN } from './rules.ts';
import { markStepUp, matchPayPassword, phoneOf } from './service.ts';
import { announceEnded, endSessions } from './sessions.ts';
import { forgiveGuesses, refuseWeak, takeGuess } from './sign-in.ts';
import { spendSmsCode } from './sms.ts';

interface Change {
  oldPassWord?: string | undefined;
  smsCode?: string | undefined;
  passWord: string;
}

/**
 * Changes the log-in password, on the old one or a code of purpose 'forget' sent to the own number, and ends the user's other
 * sessions. Throws PASSWORD_WEAK, LOGIN_FAILED, LOGIN_THROTTLED, SMS_CODE_WRONG, BAD_INPUT without either proof.
 */
export async function changeLoginPassword(call: UserCall, change: Change): Promise<void> {
  const { ctx, user } = call;
  const phone = await phoneOf(ctx, user.id);
  refuseWeak(change.passWord, phone);
  if (change.smsCode !== undefined)
    await spendSmsCode(ctx, { phone, purpose: 'forget', code: change.smsCode, distId: call.dist.id });
  else if (change.oldPassWord !== undefined) await matchOldPassword(call, phone, change.oldPassWord);
  else throw new AppError('BAD_INPUT', { text: '请输入原密码或短信验证码' });
  const hash = await hashSecret(change.passWord);
  await inTransaction(ctx.db, async (trx) => {
    await sql`update app_user set password_hash = ${hash} where id = ${user.id}`.execute(trx);
    await endSessions(trx, user.id, user.sessionHash);
    await sql`insert into outbox (topic, payload) values ('account.passwordChanged', ${JSON.stringify({ userId: user.id })}::jsonb)`.execute(
      trx,
    );
  });
  announceEnded(ctx, user.id);
}

async function matchOldPassword(call: UserCall, phone: string, given: string): Promise<void> {
  await takeGuess(call, phone);
  const { rows } = await sql<{
    password_hash: string | null;
  }>`select password_hash from app_user where id = ${call.user.id}`.execute(call.ctx.db);
  if (!(await checkSecret(rows[0]?.password_hash, given))) throw new AppError('LOGIN_FAILED', { text: '原密码错误' });
  await forgiveGuesses(call, phone);
}

/**
 * Sets the pay password, on the old one or a code of purpose 'payPassword'. It clears a lock only when the code proved the owner.
 * Throws BAD_INPUT, PASSWORD_WEAK, PAY_PASSWORD_WRONG, PAY_PASSWORD_LOCKED, SMS_CODE_WRONG.
 */
export async function changePayPassword(call: UserCall, change: Change): Promise<void> {
  const { ctx, user } = call;
  if (!PIN.test(change.passWord)) throw new AppError('BAD_INPUT', { text: '支付密码应为 6 位数字' });
  const phone = await phoneOf(ctx, user.id);
  if (isWeakPin(change.passWord, phone)) throw new AppError('PASSWORD_WEAK', { text: '支付密码过于简单，请换一个' });
  if (change.smsCode !== undefined)
    await spendSmsCode(ctx, { phone, purpose: 'payPassword', code: change.smsCode, distId: call.dist.id });
  else if (change.oldPassWord === undefined) throw new AppError('BAD_INPUT', { text: '请输入短信验证码' });
  else if (!user.hasPayPassword) throw new AppError('BAD_INPUT', { text: '首次设置请使用短信验证码' });
  else await matchPayPassword(ctx.db, user.id, change.oldPassWord);
  const hash = await hashSecret(change.passWord);
  await inTransaction(ctx.db, async (trx) => {
    await sql`update app_user set pay_password_hash = ${hash}, pay_password_fails = 0, pay_password_locked_until = null
      where id = ${user.id}`.execute(trx);
    await markStepUp(trx, user.sessionHash);
    await sql`insert into outbox (topic, payload) values ('account.payPasswordChanged', ${JSON.stringify({ userId: user.id })}::jsonb)`.execute(
      trx,
    );
  });
}
