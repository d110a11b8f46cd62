import { sql } from 'kysely';
import { StaffStatus } from '#contract/rules/statuses.ts';
import type { Trx } from '#server/db/client.ts';
import { hashSecret } from '#server/kernel/secrets/argon.ts';
import { encrypt, type Keys } from '#server/kernel/secrets/crypto.ts';
import { ADMIN_ROLE } from './rules.ts';

/** The storage location of a member of staff's second factor, to which the cipher is bound. */
export const totpAad = (staffId: number): string => `staff.totp_secret_enc:${staffId}`;

interface NewStaff {
  login: string;
  name: string;
  role: string;
  permissions?: readonly string[] | undefined;
  distId?: number | undefined;
  email?: string | undefined;
  /** When absent, they are set through a one-time URL. `totpSecret` is base32. */
  password?: string | undefined;
  totpSecret?: string | undefined;
}

/** Inserts a member of staff; undefined when the log-in name is taken. */
export async function createStaff(
  trx: Trx,
  keys: Keys,
  staff: NewStaff,
): Promise<{ id: number; imUid: string } | undefined> {
  const next = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('staff', 'id')) as id`.execute(trx);
  const id = Number(next.rows[0]?.id);
  const imUid = `s${id}`;
  const hash = staff.password === undefined ? null : await hashSecret(staff.password, 'staff');
  const secret = staff.totpSecret === undefined ? null : encrypt(keys, totpAad(id), staff.totpSecret);
  const { rows } = await sql`
    insert into staff (id, login, name, role, permissions, dist_id, email, password_hash, totp_secret_enc, im_uid) overriding system value
    values (${id}, ${staff.login.toLowerCase()}, ${staff.name}, ${staff.role}, ${[...(staff.permissions ?? [])]}::text[], ${staff.distId ?? null},
      ${staff.email ?? null}, ${hash}, ${secret}, ${imUid})
    on conflict (login) do nothing returning id`.execute(trx);
  return rows.length > 0 ? { id, imUid } : undefined;
}

/** Whether an administrator of the platform can log in. */
export async function hasAdmin(db: Trx): Promise<boolean> {
  const { rows } =
    await sql`select from staff where role = ${ADMIN_ROLE} and dist_id is null and status = ${StaffStatus.Active}
    and password_hash is not null and totp_secret_enc is not null limit 1`.execute(db);
  return rows.length > 0;
}
