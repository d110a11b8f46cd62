import { AuthStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import { isAdultOn } from '../rules/adult.ts';
import type { Trx } from '#server/db/client.ts';
import { blindIndex, type Keys, decrypt, encrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { markVerified } from '#subjects/accounts/server/service.ts';
import { idAad, maskIdNo, maskName, nameAad, type Person } from './rules.ts';

export { payeeUsers } from './payee-users.ts';
export { type OfficialNumber } from './staff/black-queues.ts';
export { type TrustDecision } from './staff/black-decisions.ts';

/** The birth date that determines a person's age, as a column of a larger query; null = not verified. */
export const birthDateOf = (userId: number): RawBuilder<string | null> =>
  sql`(select birth_date::text from real_name where user_id = ${userId} and status = ${AuthStatus.Verified})`;

/** Rejects users who may not trade by the birth date that `birthDateOf` returned. Throws REAL_NAME_REQUIRED, REAL_NAME_MINOR. */
export function requireAdultBorn(birth: string | null | undefined, now = new Date()): void {
  if (birth === null || birth === undefined) throw new AppError('REAL_NAME_REQUIRED');
  if (!isAdultOn(birth, now)) throw new AppError('REAL_NAME_MINOR');
}

/** Rejects users who may not trade: not verified, or under 18. Throws REAL_NAME_REQUIRED, REAL_NAME_MINOR. */
export async function requireAdult(db: Trx, userId: number, now = new Date()): Promise<void> {
  const { rows } = await sql<{ birth: string | null }>`select ${birthDateOf(userId)} as birth`.execute(db);
  requireAdultBorn(rows[0]?.birth, now);
}

/** A user's verified name, in the clear: for comparison with a payee, and for authorised staff, with an audit entry. undefined while not verified. */
export async function loadRealName(ctx: { db: Trx; keys: Keys }, userId: number): Promise<string | undefined> {
  const { rows } = await sql<{ name_enc: Buffer }>`
    select name_enc from real_name where user_id = ${userId} and status = ${AuthStatus.Verified}`.execute(ctx.db);
  const encrypted = rows[0]?.name_enc;
  return encrypted ? decrypt(ctx.keys, nameAad(userId), encrypted) : undefined;
}

/**
 * Records that a user is this person: name and number are encrypted, and the number's blind index is unique in the market. False when the
 * user was verified meanwhile. Throws REAL_NAME_USED (by the database's unique index). Call it in a transaction.
 */
export async function recordRealName(
  trx: Trx,
  keys: Keys,
  person: Person & { userId: number; providerRef?: string | undefined },
): Promise<boolean> {
  const { userId, name, idNo } = person;
  const { rows } = await sql<{ user_id: number }>`
    insert into real_name (user_id, name_enc, id_no_enc, id_hash, name_mask, id_mask, birth_date, status, provider_ref, verified_at)
    values (${userId}, ${encrypt(keys, nameAad(userId), name)}, ${encrypt(keys, idAad(userId), idNo)}, ${blindIndex(keys, 'id-no', idNo)},
      ${maskName(name)}, ${maskIdNo(idNo)}, ${person.birthDate}::date, ${AuthStatus.Verified}, ${person.providerRef ?? null}, now())
    on conflict (user_id) do update set name_enc = excluded.name_enc, id_no_enc = excluded.id_no_enc, id_hash = excluded.id_hash,
      name_mask = excluded.name_mask, id_mask = excluded.id_mask, birth_date = excluded.birth_date, status = excluded.status,
      provider_ref = excluded.provider_ref, verified_at = excluded.verified_at, face_ref = null, face_until = null
    where real_name.status <> ${AuthStatus.Verified}
    returning user_id`.execute(trx);
  if (rows.length === 0) return false;
  await markVerified(trx, userId);
  return true;
}
