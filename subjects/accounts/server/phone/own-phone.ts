import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import type { Keys } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { decryptPhone } from './phones.ts';
import { type SmsPurpose, spendSmsCode } from './sms.ts';

/** A user's phone number in plain text: for sending, and for authorised staff, with an audit entry; never displayed without a request. */
export async function loadPhone(ctx: { db: Trx; keys: Keys }, userId: number): Promise<string> {
  const { rows } = await sql<{ phone_enc: Buffer }>`select phone_enc from app_user where id = ${userId}`.execute(
    ctx.db,
  );
  const encrypted = rows[0]?.phone_enc;
  if (!encrypted) throw new AppError('LOGIN_REQUIRED');
  return decryptPhone(ctx.keys, userId, encrypted);
}

/** Spends a code that was sent to the user's own number. Throws SMS_CODE_WRONG. */
export async function spendOwnSmsCode(
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: number,
  input: { purpose: SmsPurpose; code: string; distId: number; errorText?: string },
): Promise<void> {
  await spendSmsCode(ctx, { phone: await loadPhone(ctx, userId), ...input });
}
