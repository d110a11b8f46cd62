import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { ownSmsPurposes, smsPurposes } from '#contract/common.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { sharedHit } from '#server/http/limits.ts';
import { blindIndex, type Keys } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { phoneIndex } from './phones.ts';

export type SmsPurpose = (typeof smsPurposes)[number] | (typeof ownSmsPurposes)[number];

/** A new code may be asked for after this. */
export const SMS_WAIT_SECONDS = 60;
const LIVES_SECONDS = 300;
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
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await sql`
    insert into sms_code (phone_hash, purpose, dist_id, code_hash, expires_at)
    values (${index}, ${purpose}, ${dist.id}, ${codeHash(ctx.keys, phone, purpose, code)}, now() + make_interval(secs => ${LIVES_SECONDS}))
    on conflict (phone_hash, purpose) do update set dist_id = excluded.dist_id, code_hash = excluded.code_hash, tries = 0,
      expires_at = excluded.expires_at, created_at = now()`.execute(ctx.db);
  try {
    await ctx.sms.send({ phone, code, purpose, site: dist.name });
  } catch (error) {
    ctx.log.error({ error: String(error), purpose }, 'message not sent');
    throw new AppError('BUSY', { retryAfterSeconds: SMS_WAIT_SECONDS, cause: error });
  }
}

/** Keyed, because six digits behind a plain hash are found in a second. */
function codeHash(keys: Keys, phone: string, purpose: string, code: string): Buffer {
  return blindIndex(keys, 'sms-code', `${purpose}:${phone}:${code}`);
}

/**
 * Uses a code up. One UPDATE counts the try, compares and spends, so that neither ten at once nor a hundred guesses at once
 * get past it: five tries a code, one success. Runs outside the caller's transaction, or a refusal would give the try back.
 * A code is good on the site that sent it. Throws SMS_CODE_WRONG, in the words of `refusal` where a form asks for two codes.
 */
export async function spendSmsCode(
  ctx: { db: Trx; keys: Keys },
  given: { phone: string; purpose: SmsPurpose; code: string; distId: number; refusal?: string },
): Promise<void> {
  const hash = codeHash(ctx.keys, given.phone, given.purpose, given.code);
  const { rows } = await sql<{ right: boolean }>`
    update sms_code set tries = case when code_hash = ${hash} then ${SPENT} else tries + 1 end
    where phone_hash = ${phoneIndex(ctx.keys, given.phone)} and purpose = ${given.purpose} and dist_id = ${given.distId}
      and expires_at > now() and tries < ${MAX_TRIES}
    returning tries = ${SPENT} as right`.execute(ctx.db);
  if (rows[0]?.right === true) return;
  throw new AppError('SMS_CODE_WRONG', given.refusal === undefined ? {} : { text: given.refusal });
}

const MAX_TRIES = 5;
/** A value of `tries` that wrong tries never reach. */
const SPENT = 100;
