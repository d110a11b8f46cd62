import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';

/** Phones, mail addresses and contacts of users. */
export const encryptedUsers: EncryptedTable = {
  name: 'app_user',
  columns: ['phone_enc', 'email_enc', 'contact_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; phone: Buffer; email: Buffer | null; contact: Buffer | null }>`
      select id, phone_enc as phone, email_enc as email, contact_enc as contact from app_user
      where id > ${Number(after ?? 0)} and (get_byte(phone_enc, 0) <> ${keyId} or get_byte(email_enc, 0) <> ${keyId} or get_byte(contact_enc, 0) <> ${keyId})
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, phone, email, contact }) => ({
      key: String(id),
      values: [
        { location: `app_user.phone_enc:${id}`, value: phone },
        { location: `app_user.email_enc:${id}`, value: email },
        { location: `app_user.contact_enc:${id}`, value: contact },
      ],
    }));
  },
  async write(trx, key, [phone, email, contact]) {
    await sql`update app_user set phone_enc = ${phone}, email_enc = ${email}, contact_enc = ${contact} where id = ${Number(key)}`.execute(
      trx,
    );
  },
};
