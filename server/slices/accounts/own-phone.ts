import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import type { Keys } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { openPhone } from './phones.ts';
import { type SmsPurpose, spendSmsCode } from './sms.ts';

/** A user's own number, in the clear: for sending to it, never for showing. */
export async function phoneOf(ctx: { db: Trx; keys: Keys }, userId: number): Promise<string> {
  const { rows } = await sql<{ phone_enc: Buffer }>`select phone_enc from app_user where id = ${userId}`.execute(
    ctx.db,
  );
  const sealed = rows[0]?.phone_enc;
  if (!sealed) throw new AppError('LOGIN_REQUIRED');
  return openPhone(ctx.keys, userId, sealed);
}

/** Uses up a code that went to the user's own number. Throws SMS_CODE_WRONG. */
export async function spendOwnSmsCode(
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: number,
  given: { purpose: SmsPurpose; code: string; distId: number; refusal?: string },
): Promise<void> {
  await spendSmsCode(ctx, { phone: await phoneOf(ctx, userId), ...given });
}
