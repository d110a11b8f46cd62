import type { ownSmsPurposes, smsPurposes } from '#subjects/accounts/contract/sms.ts';
import type { Call } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { requireChallenge } from '#server/access/challenge.ts';
import { forgetHits, sharedHit } from '#server/access/limits.ts';
import { blindIndex, type Keys } from '#server/kernel/secrets/crypto.ts';
import { AppError, VendorRejected, VendorUnavailable } from '#server/kernel/errors.ts';
import type { Delivery } from '#server/ports/delivery.ts';
import { isLocalAddress, networkOf } from '#server/kernel/network.ts';
import { issueCode, spendCode } from './codes.ts';
import { phoneIndex } from './phones.ts';

export type SmsPurpose = (typeof smsPurposes)[number] | (typeof ownSmsPurposes)[number];

/** A new code may be requested after this. */
export const SMS_RESEND_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
const PREFIX_DIGITS = 7;
/** Above these limits each message needs a solved challenge (domain.md 8). */
const FREE_OF_CHALLENGE = { number: 5, address: 10, prefix: 30, site: 5_000 } as const;
/** Above these limits no message is sent: this protects phones from floods and bounds the cost. */
const MAX_MESSAGES = { number: 10, site: 20_000 } as const;

interface Message {
  phone: string;
  purpose: SmsPurpose;
}

/**
 * Whether this message needs a challenge: too many to the number, from the network, to the block of numbers, or on the site today. Every
 * counter is incremented, whichever is exceeded first. The last two never block a message, or a stranger could silence a whole block.
 */
async function needsChallenge(call: Call, { key, phone }: { key: string; phone: string }): Promise<boolean> {
  const { ctx, dist, ip } = call;
  const prefix = blindIndex(ctx.keys, 'sms-prefix', phone.slice(0, PREFIX_DIGITS)).toString('base64url');
  const network = blindIndex(ctx.keys, 'network', networkOf(ip)).toString('base64url');
  const within = await Promise.all([
    sharedHit(ctx.db, `sms:hour:${key}`, FREE_OF_CHALLENGE.number, HOUR_SECONDS),
    sharedHit(ctx.db, `sms:prefix:${prefix}`, FREE_OF_CHALLENGE.prefix, HOUR_SECONDS),
    sharedHit(ctx.db, `sms:site:${dist.id}`, FREE_OF_CHALLENGE.site, DAY_SECONDS),
    isLocalAddress(ip) || sharedHit(ctx.db, `sms:net:${network}`, FREE_OF_CHALLENGE.address, HOUR_SECONDS),
  ]);
  return within.includes(false);
}

/** The error of a message that was certainly not sent. */
function notSent(error: unknown): AppError {
  if (error instanceof VendorRejected && error.kind === 'limit')
    return new AppError('SMS_TOO_OFTEN', { retryAfterSeconds: error.retryAfterSeconds ?? HOUR_SECONDS, cause: error });
  if (error instanceof VendorRejected && error.kind === 'input')
    return new AppError('BAD_INPUT', { text: '这个手机号收不到短信，请核对或换一个', field: 'phone', cause: error });
  return new AppError('BUSY', { text: '短信暂时发不出去，请稍后再试', retryAfterSeconds: 5, cause: error });
}

/**
 * Sends a code of six digits to a phone. Known and unknown numbers take the same path, so that neither response nor time tells them apart
 * (reliability.md b.3). Limits: once a minute for each purpose, so that a new user can set a pay password right away; above
 * FREE_OF_CHALLENGE a solved challenge, unless the message goes to the caller's own number (`isOwn`); ten an hour to a number (reliability.md b.7).
 * The message is sent here and not by a job, so that the code is stored only as a hash.
 * Returns 'unknown' when the provider did not confirm it in time: the code may still arrive, and is valid. Throws VENDOR_OFF,
 * SMS_TOO_OFTEN, CHALLENGE_REQUIRED, BAD_INPUT for a number that gets no messages, and BUSY when the SMS provider fails.
 */
export async function sendSmsCode(call: Call, { phone, purpose }: Message, isOwn: boolean): Promise<Delivery> {
  const { ctx, dist } = call;
  if (!ctx.sms) throw new AppError('VENDOR_OFF', { text: '本站没有开通短信，不能用验证码办理' });
  const key = phoneIndex(ctx.keys, phone).toString('base64url');
  const minute = `sms:minute:${purpose}:${key}`;
  if (!(await sharedHit(ctx.db, minute, 1, SMS_RESEND_SECONDS)))
    throw new AppError('SMS_TOO_OFTEN', { retryAfterSeconds: SMS_RESEND_SECONDS });
  if ((await needsChallenge(call, { key, phone })) && !isOwn) {
    try {
      await requireChallenge(call);
    } catch (error) {
      // Nothing was sent, so the retry with the solution need not wait a minute.
      await forgetHits(ctx.db, minute);
      throw error;
    }
  }
  const within =
    (await sharedHit(ctx.db, `sms:most:${key}`, MAX_MESSAGES.number, HOUR_SECONDS)) &&
    (await sharedHit(ctx.db, `sms:sitemost:${dist.id}`, MAX_MESSAGES.site, DAY_SECONDS));
  if (!within) throw new AppError('SMS_TOO_OFTEN', { retryAfterSeconds: HOUR_SECONDS });
  const code = await issueCode(ctx, { address: phone, purpose, distId: dist.id });
  try {
    return await ctx.sms.send({ phone, code, purpose, site: dist.name, siteCode: dist.code });
  } catch (error) {
    ctx.log.error({ error: String(error), purpose }, 'message not sent');
    // Nothing was sent, so the next attempt need not wait a minute.
    if (error instanceof VendorUnavailable) await forgetHits(ctx.db, minute);
    throw notSent(error);
  }
}

/** Spends a code that was sent to a phone. Throws SMS_CODE_WRONG (codes.ts). */
export async function spendSmsCode(
  ctx: { db: Trx; keys: Keys },
  {
    phone,
    ...input
  }: { phone: string; purpose: SmsPurpose; code: string; distId: number; errorText?: string; field?: string },
): Promise<void> {
  await spendCode(ctx, { address: phone, ...input });
}
