import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { subscriptionAad } from './browsers.ts';

/** Push endpoints and the keys of the browsers. */
export const encryptedSubscriptions: EncryptedTable = {
  name: 'push_subscription',
  columns: ['endpoint_enc', 'keys_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ hash: Buffer; endpoint: Buffer; keys: Buffer }>`
      select endpoint_hash as hash, endpoint_enc as endpoint, keys_enc as keys from push_subscription
      where endpoint_hash > ${Buffer.from(after ?? '', 'hex')} and (get_byte(endpoint_enc, 0) <> ${keyId} or get_byte(keys_enc, 0) <> ${keyId})
      order by endpoint_hash limit ${limit} for no key update`.execute(trx);
    return rows.map(({ hash, endpoint, keys }) => ({
      key: hash.toString('hex'),
      values: [
        { location: subscriptionAad(hash, 'endpoint_enc'), value: endpoint },
        { location: subscriptionAad(hash, 'keys_enc'), value: keys },
      ],
    }));
  },
  async write(trx, key, [endpoint, keys]) {
    await sql`update push_subscription set endpoint_enc = ${endpoint}, keys_enc = ${keys}
      where endpoint_hash = ${Buffer.from(key, 'hex')}`.execute(trx);
  },
};
