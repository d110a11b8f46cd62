import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { keySecretAad } from './api-key-store.ts';

/** Secrets of sellers' API keys, including previous secrets that are still valid during a rotation. */
export const encryptedApiKeys: EncryptedTable = {
  name: 'api_key',
  columns: ['secret_enc', 'previous_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; publicId: string; secret: Buffer; previous: Buffer | null }>`
      select id, public_id as "publicId", secret_enc as secret, previous_enc as previous from api_key
      where id > ${Number(after ?? 0)} and (get_byte(secret_enc, 0) <> ${keyId} or get_byte(previous_enc, 0) <> ${keyId})
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, publicId, secret, previous }) => ({
      key: String(id),
      values: [
        { location: keySecretAad(publicId, 'secret'), value: secret },
        { location: keySecretAad(publicId, 'previous'), value: previous },
      ],
    }));
  },
  async write(trx, key, [secret, previous]) {
    await sql`update api_key set secret_enc = ${secret}, previous_enc = ${previous} where id = ${Number(key)}`.execute(
      trx,
    );
  },
};
