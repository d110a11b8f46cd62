import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { contactAad } from './business.ts';

/** The names and contacts of people who asked for co-operation. */
export const encryptedRequests: EncryptedTable = {
  name: 'cooperation_request',
  columns: ['name_enc', 'phone_enc', 'contact_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; sn: string; name: Buffer; phone: Buffer; contact: Buffer | null }>`
      select id, sn, name_enc as name, phone_enc as phone, contact_enc as contact from cooperation_request
      where id > ${Number(after ?? 0)}
        and (get_byte(name_enc, 0) <> ${keyId} or get_byte(phone_enc, 0) <> ${keyId} or get_byte(contact_enc, 0) <> ${keyId})
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, sn, name, phone, contact }) => ({
      key: String(id),
      values: [
        { location: contactAad('name_enc', sn), value: name },
        { location: contactAad('phone_enc', sn), value: phone },
        { location: contactAad('contact_enc', sn), value: contact },
      ],
    }));
  },
  async write(trx, key, [name, phone, contact]) {
    await sql`update cooperation_request set name_enc = ${name}, phone_enc = ${phone}, contact_enc = ${contact}
      where id = ${Number(key)}`.execute(trx);
  },
};
