import { DEMO_STAFF } from '#server/demo/logins.ts';
import { demoTotpSecret } from '#server/demo/staff-secret.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { Market } from '../market.ts';
import { encryptedValues } from './encrypted-values.ts';

const COLUMNS = columns(
  'id bigint, login text, name text, role text, dist_id int, password_hash text, totp_secret_enc bytea, im_uid text, created_at timestamptz',
);

/** Stores the demo staff. All share `passwordHash`: the demo password is printed anyway. Returns their ids by log-in. */
export async function loadStaff(market: Omit<Market, 'staff'>, passwordHash: string): Promise<Map<string, number>> {
  const { client, keys } = market;
  const ids = await reserveIds(client, 'staff', DEMO_STAFF.length);
  await insertRows(
    client,
    'staff',
    COLUMNS,
    DEMO_STAFF.map((s, i) => {
      const id = ids[i] ?? 0;
      const secret = encryptedValues.totp(keys, id, demoTotpSecret(keys, s.login));
      return [
        id,
        s.login,
        s.name,
        s.role,
        s.site === undefined ? null : (market.dists.get(s.site) ?? null),
        passwordHash,
        secret,
        `s${id}`,
        market.ago(200 * 1440),
      ];
    }),
  );
  return new Map(DEMO_STAFF.map((s, i) => [s.login, ids[i] ?? 0]));
}
