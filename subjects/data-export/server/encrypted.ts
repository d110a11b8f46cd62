import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { bodyAad } from './service.ts';

/** Data exports awaiting download. */
export const encryptedExports: EncryptedTable = {
  name: 'data_export',
  columns: ['body_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; body: Buffer | null }>`
      select id, body_enc as body from data_export where id > ${Number(after ?? 0)} and get_byte(body_enc, 0) <> ${keyId}
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, body }) => ({ key: String(id), values: [{ location: bodyAad(id), value: body }] }));
  },
  async write(trx, key, [body]) {
    await sql`update data_export set body_enc = ${body} where id = ${Number(key)}`.execute(trx);
  },
};
