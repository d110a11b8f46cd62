import { sql } from 'kysely';
import { maskPhone } from '#contract/rules/contacts/phone.ts';
import { inTransaction } from '#server/db/client.ts';
import type { UserCall } from '#server/access/call.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { phoneIndex, encryptPhone } from './phones.ts';
import { loadPhone } from './own-phone.ts';
import { announceEnded, endSessions } from '../sessions.ts';
import { spendSmsCode } from './sms.ts';
import { requireStepUp, startPayoutWait } from '../step-up.ts';

/**
 * Moves an account to another phone, after a step-up (pay password, or a code to the old number) and a code to the new number. The step-up
 * stays valid for five minutes, so a wrong new code does not require a new step-up. Only the holder of the new number learns that it has a
 * user. Ends the user's other sessions and blocks withdrawals for 24 h. Throws BAD_INPUT, STEP_UP_REQUIRED, SMS_CODE_WRONG.
 */
export async function changePhone(
  call: UserCall,
  input: { smsCode?: string | undefined; phone: string; newSmsCode: string },
): Promise<{ phoneMask: string }> {
  const { ctx, user } = call;
  const distId = call.dist.id;
  const old = await loadPhone(ctx, user.id);
  if (input.phone === old) throw new AppError('BAD_INPUT', { text: '新手机号不能与原手机号相同', field: 'phone' });
  await requireStepUp(call, 'changePhone', { smsCode: input.smsCode, errorText: '原手机验证码错误或已失效' });
  const errorText = '新手机验证码错误或已失效';
  await spendSmsCode(ctx, {
    phone: input.phone,
    purpose: 'bind',
    code: input.newSmsCode,
    distId,
    errorText,
    field: 'newSmsCode',
  });
  const index = phoneIndex(ctx.keys, input.phone);
  const moving = inTransaction(ctx.db, async (trx) => {
    await sql`
      update app_user set phone_hash = ${index}, phone_enc = ${encryptPhone(ctx.keys, user.id, input.phone)}, phone_mask = ${maskPhone(input.phone)}
      where id = ${user.id}`.execute(trx);
    await startPayoutWait(trx, user.id, 'phone');
    await endSessions(trx, user.id, user.sessionHash);
    await emit(trx, 'account.phoneChanged', { userId: user.id });
    return true;
  });
  // No check is made beforehand: when two users take a number concurrently, by change or registration, the unique index accepts only one.
  const result = await moving.catch((error: unknown) => {
    if ((error as { constraint?: unknown }).constraint === 'app_user_phone_hash_key') return false;
    throw error;
  });
  if (!result) throw new AppError('SMS_CODE_WRONG', { text: '该手机号已绑定其他账号', field: 'phone' });
  announceEnded(ctx, user.id);
  return { phoneMask: maskPhone(input.phone) };
}
