/** People whose check by face was begun and has not ended: their row has status 1 (db/migrations/0001_baseline.sql). */
import { AuthStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { blindIndex, decrypt, encrypt, type Keys } from '#server/kernel/secrets/crypto.ts';
import { idAad, maskIdNo, maskName, nameAad, type Person } from './rules.ts';

/** Stores a person until the vendor reports the result of the check by face; an earlier unfinished check is replaced. False for a verified user. */
export async function keepUnfinished(
  { db, keys }: { db: Trx; keys: Keys },
  userId: number,
  { name, idNo, birthDate, ref, seconds }: Person & { ref: string; seconds: number },
): Promise<boolean> {
  const { rows } = await sql<{ user_id: number }>`
    insert into real_name (user_id, name_enc, id_no_enc, id_hash, name_mask, id_mask, birth_date, status, face_ref, face_until)
    values (${userId}, ${encrypt(keys, nameAad(userId), name)}, ${encrypt(keys, idAad(userId), idNo)}, ${blindIndex(keys, 'id-no', idNo)},
      ${maskName(name)}, ${maskIdNo(idNo)}, ${birthDate}::date, ${AuthStatus.Reviewing}, ${ref}, now() + make_interval(secs => ${seconds}))
    on conflict (user_id) do update set name_enc = excluded.name_enc, id_no_enc = excluded.id_no_enc, id_hash = excluded.id_hash,
      name_mask = excluded.name_mask, id_mask = excluded.id_mask, birth_date = excluded.birth_date, status = excluded.status,
      face_ref = excluded.face_ref, face_until = excluded.face_until
    where real_name.status <> ${AuthStatus.Verified}
    returning user_id`.execute(db);
  return rows.length > 0;
}

/** The person of a check by face that was begun and has not ended, in the clear, with its number at the vendor; undefined without one. */
export async function unfinished(
  { db, keys }: { db: Trx; keys: Keys },
  userId: number,
): Promise<(Person & { ref: string }) | undefined> {
  const { rows } = await sql<{ name: Buffer; idNo: Buffer; birth: string; ref: string }>`
    select name_enc as name, id_no_enc as "idNo", birth_date::text as birth, coalesce(face_ref, '') as ref from real_name
    where user_id = ${userId} and status = ${AuthStatus.Reviewing} and face_until > now()`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  const [name, idNo] = [decrypt(keys, nameAad(userId), row.name), decrypt(keys, idAad(userId), row.idNo)];
  return { name, idNo, birthDate: row.birth, ref: row.ref };
}

/** Ends a check by face that failed; the person is deleted by the next clean-up. */
export async function endUnfinished(db: Trx, userId: number): Promise<void> {
  await sql`update real_name set face_until = now() - interval '1 day' where user_id = ${userId} and status = ${AuthStatus.Reviewing}`.execute(
    db,
  );
}

/** Deletes the people whose checks by face ended without a result a day ago. */
export async function forgetUnfinished(db: Trx): Promise<void> {
  await sql`select real_name_forget_unfinished()`.execute(db);
}
