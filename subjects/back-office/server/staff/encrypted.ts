import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { totpAad } from './create.ts';

/** Second factors of staff. */
export const encryptedStaff: EncryptedTable = {
  name: 'staff',
  columns: ['totp_secret_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; totp: Buffer | null }>`
      select id, totp_secret_enc as totp from staff where id > ${Number(after ?? 0)} and get_byte(totp_secret_enc, 0) <> ${keyId}
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, totp }) => ({ key: String(id), values: [{ location: totpAad(id), value: totp }] }));
  },
  async write(trx, key, [totp]) {
    await sql`update staff set totp_secret_enc = ${totp} where id = ${Number(key)}`.execute(trx);
  },
};

/** Second factors of one-time URLs, in a table whose key is the hash of the URL's token. */
const offered = (table: 'staff_invite' | 'setup_token'): EncryptedTable => ({
  name: table,
  columns: ['totp_secret_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ hash: Buffer; totp: Buffer | null }>`
      select token_hash as hash, totp_secret_enc as totp from ${sql.table(table)}
      where token_hash > ${Buffer.from(after ?? '', 'hex')} and get_byte(totp_secret_enc, 0) <> ${keyId}
      order by token_hash limit ${limit} for no key update`.execute(trx);
    return rows.map(({ hash, totp }) => ({
      key: hash.toString('hex'),
      values: [{ location: `${table}.totp_secret_enc:${hash.toString('hex')}`, value: totp }],
    }));
  },
  async write(trx, key, [totp]) {
    await sql`update ${sql.table(table)} set totp_secret_enc = ${totp} where token_hash = ${Buffer.from(key, 'hex')}`.execute(
      trx,
    );
  },
});

/** Second factors of one-time URLs of staff. */
export const encryptedInvites = offered('staff_invite');

/** Second factors of the first administrator's URLs. */
export const encryptedSetups = offered('setup_token');
