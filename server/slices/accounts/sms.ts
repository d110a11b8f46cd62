import type { ownSmsPurposes, smsPurposes } from '#contract/common.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { sharedHit } from '#server/http/limits.ts';
import { blindIndex, type Keys } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { issueCode, spendCode } from './codes.ts';
import { phoneIndex } from './phones.ts';

export type SmsPurpose = (typeof smsPurposes)[number] | (typeof ownSmsPurposes)[number];

/** A new code may be asked for after this. */
export const SMS_WAIT_SECONDS = 60;
const PER_HOUR = 5;
const PER_PREFIX_HOUR = 30;
const PREFIX_DIGITS = 7;
const HOUR_SECONDS = 3600;

/**
 * Sends a code of six digits to a phone. Known and unknown numbers take the same way, so that neither answer nor time tells
 * them apart (reliability.md b.3). The limits are per number and per block of numbers, on top of those per address (b.7).
 * The message is sent from here and not by a job: only then is the code written down nowhere but as a hash.
 * Throws SMS_TOO_OFTEN, and BUSY when the sender refuses.
 */
export async function sendSmsCode(
  ctx: Context,
  message: { phone: string; purpose: SmsPurpose; dist: { id: number; name: string } },
): Promise<void> {
  const { phone, purpose, dist } = message;
  const index = phoneIndex(ctx.keys, phone);
  const key = index.toString('base64url');
  if (!(await sharedHit(ctx.db, `sms:minute:${key}`, 1, SMS_WAIT_SECONDS)))
    throw new AppError('SMS_TOO_OFTEN', { retryAfterSeconds: SMS_WAIT_SECONDS });
  const prefix = blindIndex(ctx.keys, 'sms-prefix', phone.slice(0, PREFIX_DIGITS)).toString('base64url');
  const within =
    (await sharedHit(ctx.db, `sms:hour:${key}`, PER_HOUR, HOUR_SECONDS)) &&
    (await sharedHit(ctx.db, `sms:prefix:${prefix}`, PER_PREFIX_HOUR, HOUR_SECONDS));
  if (!within) throw new AppError('SMS_TOO_OFTEN', { retryAfterSeconds: HOUR_SECONDS });
  const code = await issueCode(ctx, { address: phone, purpose, distId: dist.id });
  try {
    await ctx.sms.send({ phone, code, purpose, site: dist.name });
  } catch (error) {
    ctx.log.error({ error: String(error), purpose }, 'message not sent');
    throw new AppError('BUSY', { retryAfterSeconds: SMS_WAIT_SECONDS, cause: error });
  }
}

/** Uses up a code that went to a phone. Throws SMS_CODE_WRONG (codes.ts). */
export async function spendSmsCode(
  ctx: { db: Trx; keys: Keys },
  { phone, ...given }: { phone: string; purpose: SmsPurpose; code: string; distId: number; refusal?: string },
): Promise<void> {
  await spendCode(ctx, { address: phone, ...given });
}
