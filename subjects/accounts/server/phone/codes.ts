import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { blindIndex, type Keys } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { phoneIndex } from './phones.ts';

/** The address and purpose of a code. An address has one code per purpose at a time. */
interface Target {
  /** A phone number or a mail address. */
  address: string;
  purpose: string;
  distId: number;
}

const LIVES_SECONDS = 300;

/** A keyed hash: a plain hash of six digits can be reversed within a second. */
function codeHash(keys: Keys, { address, purpose }: Target, code: string): Buffer {
  return blindIndex(keys, 'sms-code', `${purpose}:${address}:${code}`);
}

/** Creates a code of six digits, which replaces the previous one of its purpose; only its hash is stored. */
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
/** The value of `tries` for a used code; wrong tries never reach it. */
const SPENT = 100;

/**
 * Spends a code. One UPDATE counts the try, compares and spends, so that concurrent guesses cannot exceed the limit: five tries a code,
 * one success. Runs outside the caller's transaction, where a rollback would undo the count. A code is valid only on the site that sent
 * it. Throws SMS_CODE_WRONG, with the message `errorText` and for the field `field` where a form asks for two codes.
 */
export async function spendCode(
  ctx: { db: Trx; keys: Keys },
  input: Target & { code: string; errorText?: string | undefined; field?: string | undefined },
): Promise<void> {
  const hash = codeHash(ctx.keys, input, input.code);
  const { rows } = await sql<{ right: boolean }>`
    update sms_code set tries = case when code_hash = ${hash} then ${SPENT} else tries + 1 end
    where phone_hash = ${phoneIndex(ctx.keys, input.address)} and purpose = ${input.purpose} and dist_id = ${input.distId}
      and expires_at > now() and tries < ${MAX_TRIES}
    returning tries = ${SPENT} as right`.execute(ctx.db);
  if (rows[0]?.right === true) return;
  throw new AppError('SMS_CODE_WRONG', {
    field: input.field ?? 'smsCode',
    ...(input.errorText !== undefined && { text: input.errorText }),
  });
}
