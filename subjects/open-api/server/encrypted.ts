import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { webhookSecretAad } from './webhook-endpoints.ts';

/** Secrets that sign events for sellers' endpoints. */
export const encryptedWebhooks: EncryptedTable = {
  name: 'webhook_endpoint',
  columns: ['secret_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; secret: Buffer }>`
      select id, secret_enc as secret from webhook_endpoint where id > ${Number(after ?? 0)} and get_byte(secret_enc, 0) <> ${keyId}
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, secret }) => ({
      key: String(id),
      values: [{ location: webhookSecretAad(id), value: secret }],
    }));
  },
  async write(trx, key, [secret]) {
    await sql`update webhook_endpoint set secret_enc = ${secret} where id = ${Number(key)}`.execute(trx);
  },
};
