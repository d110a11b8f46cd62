/** Proofs of the account's owner, as the step-up dialog leaves them. */
import { sql } from 'kysely';
import { stepUpPurposes } from '#subjects/accounts/contract/step-up.ts';
import type { Db } from '#server/db/client.ts';

/** Every session of the user has just proved its owner, for every purpose. */
export async function proveOwner(db: Db, userId: number): Promise<void> {
  await sql`update session set pay_verified_at = now() where user_id = ${userId}`.execute(db);
  await sql`insert into step_up (session_hash, purpose) select id_hash, purpose from session, unnest(${[...stepUpPurposes]}::text[]) purpose
    where user_id = ${userId} on conflict (session_hash, purpose) do update set verified_at = now()`.execute(db);
}
