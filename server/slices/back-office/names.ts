import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

const idsOf = (keys: readonly string[], kind: string): number[] => [
  ...new Set(
    keys.flatMap((key) => {
      const [of, id = '', ...more] = key.split(':');
      return of === kind && more.length === 0 && /^\d{1,15}$/.test(id) ? [Number(id)] : [];
    }),
  ),
];

/**
 * Names behind numbers of records: staff by 'staff:107', users by their nickname ('user:10001'), distributors ('dist:2', 'brand:2'). Other keys and
 * unknown numbers have none.
 */
export async function namesOf(db: Trx, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const [staff, users] = [idsOf(keys, 'staff'), idsOf(keys, 'user')];
  const brands = [...new Set([...idsOf(keys, 'dist'), ...idsOf(keys, 'brand')])];
  if (staff.length + users.length + brands.length === 0) return new Map();
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'staff' as kind, id, name from staff where id = any(${staff}::bigint[])
    union all select 'user', id, nick_name from app_user where id = any(${users}::bigint[])
    union all select 'dist', id, name from distributor where id = any(${brands}::int[])
    union all select 'brand', id, name from distributor where id = any(${brands}::int[])`.execute(db);
  return new Map(rows.map(({ kind, id, name }) => [`${kind}:${id}`, name]));
}
