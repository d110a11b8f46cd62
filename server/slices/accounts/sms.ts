import type { ownSmsPurposes, smsPurposes } from '#contract/common.ts';
import { sql } from 'kysely';
import type { Call } from '#server/call.ts';
import type { Trx } from '#server/db/client.ts';
import { requireChallenge } from '#server/http/challenge.ts';
import { sharedHit } from '#server/http/limits.ts';
import { blindIndex, type Keys } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { isLocalAddress, networkOf } from '#server/kernel/network.ts';
import { issueCode, spendCode } from './codes.ts';
import { phoneIndex } from './phones.ts';

export type SmsPurpose = (typeof smsPurposes)[number] | (typeof ownSmsPurposes)[number];

/** A new code may be asked for after this. */
export const SMS_RESEND_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
const PREFIX_DIGITS = 7;
/** Beyond these a challenge is solved for each message (domain.md 8). */
const EASY = { number: 5, address: 10, prefix: 30, site: 5_000 } as const;
/** Beyond these none is sent: no phone is flooded, no bill grows without end. */
const MOST = { number: 10, site: 20_000 } as const;

interface Message {
  phone: string;
  purpose: SmsPurpose;
}

/**
 * Whether this message is one of many: to the number, from the address, to the block of numbers, of the site today. Every budget is taken
 * from, whichever is used up first. The last two cannot refuse: else a stranger would silence everybody in a block.
 */
async function isOneOfMany(call: Call, { key, phone }: { key: string; phone: string }): Promise<boolean> {
  const { ctx, dist, ip } = call;
  const prefix = blindIndex(ctx.keys, 'sms-prefix', phone.slice(0, PREFIX_DIGITS)).toString('base64url');
  const network = blindIndex(ctx.keys, 'network', networkOf(ip)).toString('base64url');
  const within = await Promise.all([
    sharedHit(ctx.db, `sms:hour:${key}`, EASY.number, HOUR_SECONDS),
    sharedHit(ctx.db, `sms:prefix:${prefix}`, EASY.prefix, HOUR_SECONDS),
    sharedHit(ctx.db, `sms:site:${dist.id}`, EASY.site, DAY_SECONDS),
    isLocalAddress(ip) || sharedHit(ctx.db, `sms:net:${network}`, EASY.address, HOUR_SECONDS),
  ]);
  return within.includes(false);
}

/**
 * Sends a code of six digits to a phone. Known and unknown numbers take the same way, so that neither answer nor time tells
 * them apart (reliability.md b.3). Once a minute for each purpose, so that who has just registered can set a pay password; one of many
 * messages needs a solved challenge, unless it goes to the caller's own number (`isOwn`); ten an hour to a number are the most (b.7).
 * The message is sent from here and not by a job: only then is the code written down nowhere but as a hash.
 * Throws SMS_TOO_OFTEN, CHALLENGE_REQUIRED, and BUSY when the sender refuses.
 */
export async function sendSmsCode(call: Call, { phone, purpose }: Message, isOwn: boolean): Promise<void> {
  const { ctx, dist } = call;
  const key = phoneIndex(ctx.keys, phone).toString('base64url');
  const minute = `sms:minute:${purpose}:${key}`;
  if (!(await sharedHit(ctx.db, minute, 1, SMS_RESEND_SECONDS)))
    throw new AppError('SMS_TOO_OFTEN', { retryAfterSeconds: SMS_RESEND_SECONDS });
  if ((await isOneOfMany(call, { key, phone })) && !isOwn) {
    try {
      await requireChallenge(call);
    } catch (error) {
      // Nothing was sent: who comes back with the solution need not wait a minute.
      await sql`delete from limit_counter where key = ${minute}`.execute(ctx.db);
      throw error;
    }
  }
  const within =
    (await sharedHit(ctx.db, `sms:most:${key}`, MOST.number, HOUR_SECONDS)) &&
    (await sharedHit(ctx.db, `sms:sitemost:${dist.id}`, MOST.site, DAY_SECONDS));
  if (!within) throw new AppError('SMS_TOO_OFTEN', { retryAfterSeconds: HOUR_SECONDS });
  const code = await issueCode(ctx, { address: phone, purpose, distId: dist.id });
  try {
    await ctx.sms.send({ phone, code, purpose, site: dist.name });
  } catch (error) {
    ctx.log.error({ error: String(error), purpose }, 'message not sent');
    throw new AppError('BUSY', { retryAfterSeconds: SMS_RESEND_SECONDS, cause: error });
  }
}

/** Uses up a code that went to a phone. Throws SMS_CODE_WRONG (codes.ts). */
export async function spendSmsCode(
  ctx: { db: Trx; keys: Keys },
  { phone, ...given }: { phone: string; purpose: SmsPurpose; code: string; distId: number; refusal?: string },
): Promise<void> {
  await spendCode(ctx, { address: phone, ...given });
}
