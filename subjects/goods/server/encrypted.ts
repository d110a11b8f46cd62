import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { findingAad } from './review/findings.ts';

/** The texts that the contact filter removed from listings pending review. */
export const encryptedFindings: EncryptedTable = {
  name: 'goods_finding',
  columns: ['sealed'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; value: Buffer }>`
      select goods_id as id, sealed as value from goods_finding where goods_id > ${Number(after ?? 0)} and get_byte(sealed, 0) <> ${keyId}
      order by goods_id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, value }) => ({ key: String(id), values: [{ location: findingAad(id), value }] }));
  },
  async write(trx, key, [value]) {
    await sql`update goods_finding set sealed = ${value} where goods_id = ${Number(key)}`.execute(trx);
  },
};
