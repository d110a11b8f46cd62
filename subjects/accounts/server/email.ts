import { sql } from 'kysely';
import { inTransaction } from '#server/db/client.ts';
import { sharedHit } from '#server/access/limits.ts';
import type { UserCall } from '#server/access/call.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { blindIndex, encrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError, VendorRejected } from '#server/kernel/errors.ts';
import type { Delivery } from '#server/ports/delivery.ts';
import { issueCode, spendCode } from './phone/codes.ts';
import { SMS_RESEND_SECONDS } from './phone/sms.ts';
import { requireStepUp } from './step-up.ts';

const PER_DAY = 10;
const DAY_SECONDS = 86_400;
const SUBJECT = '绑定邮箱的验证码';

/** Mail addresses are compared in lower case. */
const normalized = (email: string): string => email.trim().toLowerCase();

/** A code binds the address only to the account that requested it. */
const purposeOf = (userId: number): string => `email:${userId}`;

/**
 * Sends a code of six digits to a mail address; limits are per account and per address. The response does not disclose whether another
 * account has the address. `unconfirmed`: the mail server did not confirm it in time, and the code may still arrive. Throws VENDOR_OFF,
 * SMS_TOO_OFTEN, BAD_INPUT for an address that the mail server rejects, and BUSY when the mail provider fails.
 */
export async function sendEmailCode(
  call: UserCall,
  input: { email: string },
): Promise<{ waitSeconds: number; unconfirmed: boolean }> {
  const { ctx, user, dist } = call;
  if (!ctx.mail) throw new AppError('VENDOR_OFF', { text: '本站没有开通邮件，暂时不能绑定邮箱' });
  const email = normalized(input.email);
  const address = blindIndex(ctx.keys, 'email', email).toString('base64url');
  if (!(await sharedHit(ctx.db, `mail:minute:${user.id}`, 1, SMS_RESEND_SECONDS)))
    throw new AppError('SMS_TOO_OFTEN', { retryAfterSeconds: SMS_RESEND_SECONDS });
  const within =
    (await sharedHit(ctx.db, `mail:day:${user.id}`, PER_DAY, DAY_SECONDS)) &&
    (await sharedHit(ctx.db, `mail:to:${address}`, PER_DAY, DAY_SECONDS));
  if (!within) throw new AppError('SMS_TOO_OFTEN', { retryAfterSeconds: DAY_SECONDS });
  const code = await issueCode(ctx, { address: email, purpose: purposeOf(user.id), distId: dist.id });
  const text = `您正在${dist.name}绑定邮箱，验证码 ${code}，5 分钟内有效。如非本人操作请忽略。`;
  let delivery: Delivery;
  try {
    delivery = await ctx.mail.send({ to: email, subject: SUBJECT, text, code, site: dist.name });
  } catch (error) {
    ctx.log.error({ error: String(error) }, 'mail not sent');
    if (error instanceof VendorRejected && error.kind === 'input')
      throw new AppError('BAD_INPUT', { text: '这个邮箱收不到邮件，请核对或换一个', field: 'email', cause: error });
    throw new AppError('BUSY', { retryAfterSeconds: SMS_RESEND_SECONDS, cause: error });
  }
  return { waitSeconds: SMS_RESEND_SECONDS, unconfirmed: delivery === 'unknown' };
}

/** ab****@mail.com */
function maskEmail(email: string): string {
  const at = email.indexOf('@');
  return `${email.slice(0, Math.min(2, at))}****${email.slice(at)}`;
}

/**
 * Binds or replaces a mail address, after a step-up (purpose email) and a code sent to the address. Only the holder of the mailbox learns
 * that another account has the address.
 * Throws STEP_UP_REQUIRED, SMS_CODE_WRONG.
 */
export async function changeEmail(
  call: UserCall,
  input: { email: string; emailCode: string; smsCode?: string | undefined },
): Promise<{ emailMask: string }> {
  const { ctx, user } = call;
  const distId = call.dist.id;
  const email = normalized(input.email);
  await requireStepUp(call, 'email', { smsCode: input.smsCode });
  const errorText = '邮箱验证码错误或已失效';
  const expected = { address: email, purpose: purposeOf(user.id), distId };
  await spendCode(ctx, { ...expected, code: input.emailCode, errorText, field: 'emailCode' });
  const binding = inTransaction(ctx.db, async (trx) => {
    await sql`
      update app_user set email_enc = ${encrypt(ctx.keys, `app_user.email_enc:${user.id}`, email)},
        email_hash = ${blindIndex(ctx.keys, 'email', email)}
      where id = ${user.id}`.execute(trx);
    await emit(trx, 'account.emailChanged', { userId: user.id });
    return true;
  });
  const result = await binding.catch((error: unknown) => {
    if ((error as { constraint?: unknown }).constraint === 'app_user_email_hash_key') return false;
    throw error;
  });
  if (!result) throw new AppError('SMS_CODE_WRONG', { text: '该邮箱已绑定其他账号', field: 'email' });
  return { emailMask: maskEmail(email) };
}
