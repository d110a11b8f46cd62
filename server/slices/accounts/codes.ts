import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { blindIndex, type Keys } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { phoneIndex } from './phones.ts';

/** Where a code goes and what for. An address has one code per purpose at a time. */
interface Target {
  /** A phone number or a mail address. */
  address: string;
  purpose: string;
  distId: number;
}

const LIVES_SECONDS = 300;

/** Keyed, because six digits behind a plain hash are found in a second. */
function codeHash(keys: Keys, { address, purpose }: Target, code: string): Buffer {
  return blindIndex(keys, 'sms-code', `${purpose}:${address}:${code}`);
}

/** Makes a code of six digits that takes the place of the last one of its purpose; only its hash is written down. */
export async function issueCode(ctx: { db: Trx; keys: Keys }, target: Target): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await sql`
    insert into sms_code (phone_hash, purpose, dist_id, code_hash, expires_at)
    values (${phoneIndex(ctx.keys, target.address)}, ${target.purpose}, ${target.distId}, ${codeHash(ctx.keys, target, code)},
      now() + make_interval(secs => ${LIVES_SECONDS}))
    on conflict (phone_hash, purpose) do update set dist_id = excluded.dist_id, code_hash = excluded.code_hash, tries = 0,
      expires_at = excluded.expires_at, created_at = now()`.execute(ctx.db);
  return code;
}

const MAX_TRIES = 5;
/** A value of `tries` that wrong tries never reach. */
const SPENT = 100;

/**
 * Uses a code up. One UPDATE counts the try, compares and spends, so that neither ten at once nor a hundred guesses at once
 * get past it: five tries a code, one success. Runs outside the caller's transaction, or a refusal would give the try back.
 * A code is good on the site that sent it. Throws SMS_CODE_WRONG, in the words of `refusal` where a form asks for two codes.
 */
export async function spendCode(
  ctx: { db: Trx; keys: Keys },
  given: Target & { code: string; refusal?: string | undefined },
): Promise<void> {
  const hash = codeHash(ctx.keys, given, given.code);
  const { rows } = await sql<{ right: boolean }>`
    update sms_code set tries = case when code_hash = ${hash} then ${SPENT} else tries + 1 end
    where phone_hash = ${phoneIndex(ctx.keys, given.address)} and purpose = ${given.purpose} and dist_id = ${given.distId}
      and expires_at > now() and tries < ${MAX_TRIES}
    returning tries = ${SPENT} as right`.execute(ctx.db);
  if (rows[0]?.right === true) return;
  throw new AppError('SMS_CODE_WRONG', given.refusal === undefined ? {} : { text: given.refusal });
}
