import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { tokenLocation } from './vendor-token.ts';

/** Access tokens of vendors, shared by all processes. */
export const encryptedTokens: EncryptedTable = {
  name: 'vendor_token',
  columns: ['value_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ name: string; value: Buffer }>`
      select name, value_enc as value from vendor_token
      where name > ${after ?? ''} and value_enc is not null and get_byte(value_enc, 0) <> ${keyId}
      order by name limit ${limit} for no key update`.execute(trx);
    return rows.map(({ name, value }) => ({ key: name, values: [{ location: tokenLocation(name), value }] }));
  },
  async write(trx, key, [value]) {
    await sql`update vendor_token set value_enc = ${value} where name = ${key}`.execute(trx);
  },
};
