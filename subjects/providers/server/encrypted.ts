import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { contactAad } from './queries.ts';

/** Contacts of providers. */
export const encryptedProviders: EncryptedTable = {
  name: 'provider',
  columns: ['contact_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; contact: Buffer | null }>`
      select id, contact_enc as contact from provider where id > ${Number(after ?? 0)} and get_byte(contact_enc, 0) <> ${keyId}
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, contact }) => ({
      key: String(id),
      values: [{ location: contactAad(id), value: contact }],
    }));
  },
  async write(trx, key, [contact]) {
    await sql`update provider set contact_enc = ${contact} where id = ${Number(key)}`.execute(trx);
  },
};
