import { sql } from 'kysely';
import { maskPhone } from '#contract/rules/phone.ts';
import { inTransaction } from '#server/db/client.ts';
import type { UserCall } from '#server/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { phoneIndex, sealPhone } from './phones.ts';
import { phoneOf } from './own-phone.ts';
import { announceEnded, endSessions } from './sessions.ts';
import { spendSmsCode } from './sms.ts';
import { requireStepUp, startPayoutWait } from './step-up.ts';

/**
 * Moves an account to another phone: the owner proves themselves by the pay password or a code to the old number, sent for this, then the
 * new number. What was proved holds for five minutes, so a slip in the new code does not cost the old one. That the new number has a user
 * already is told only to who holds it. Ends the user's other sessions; withdrawals wait 24 h. Throws BAD_INPUT, STEP_UP_REQUIRED,
 * SMS_CODE_WRONG.
 */
export async function changePhone(
  call: UserCall,
  given: { smsCode?: string | undefined; phone: string; newSmsCode: string },
): Promise<{ phoneMask: string }> {
  const { ctx, user } = call;
  const distId = call.dist.id;
  const old = await phoneOf(ctx, user.id);
  if (given.phone === old) throw new AppError('BAD_INPUT', { text: '新手机号不能与原手机号相同' });
  await requireStepUp(call, 'changePhone', { smsCode: given.smsCode, refusal: '原手机验证码错误或已失效' });
  const refusal = '新手机验证码错误或已失效';
  await spendSmsCode(ctx, { phone: given.phone, purpose: 'bind', code: given.newSmsCode, distId, refusal });
  const index = phoneIndex(ctx.keys, given.phone);
  const moving = inTransaction(ctx.db, async (trx) => {
    await sql`
      update app_user set phone_hash = ${index}, phone_enc = ${sealPhone(ctx.keys, user.id, given.phone)}, phone_mask = ${maskPhone(given.phone)}
      where id = ${user.id}`.execute(trx);
    await startPayoutWait(trx, user.id, 'phone');
    await endSessions(trx, user.id, user.sessionHash);
    await sql`insert into outbox (topic, payload) values ('account.phoneChanged', ${JSON.stringify({ userId: user.id })}::jsonb)`.execute(
      trx,
    );
    return true;
  });
  // Nobody looks first: of two that take a number at once, by moving or by registering, the index lets one through.
  const moved = await moving.catch((error: unknown) => {
    if ((error as { constraint?: unknown }).constraint === 'app_user_phone_hash_key') return false;
    throw error;
  });
  if (!moved) throw new AppError('SMS_CODE_WRONG', { text: '该手机号已绑定其他账号' });
  announceEnded(ctx, user.id);
  return { phoneMask: maskPhone(given.phone) };
}
