import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { pushTokenLocation } from './sites.ts';

/** Tokens by which sites submit their pages to a search engine. */
export const encryptedLinkPush: EncryptedTable = {
  name: 'link_push_site',
  columns: ['token_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; token: Buffer }>`
      select dist_id as id, token_enc as token from link_push_site
      where dist_id > ${Number(after ?? 0)} and get_byte(token_enc, 0) <> ${keyId}
      order by dist_id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, token }) => ({
      key: String(id),
      values: [{ location: pushTokenLocation(id), value: token }],
    }));
  },
  async write(trx, key, [token]) {
    await sql`update link_push_site set token_enc = ${token} where dist_id = ${Number(key)}`.execute(trx);
  },
};
