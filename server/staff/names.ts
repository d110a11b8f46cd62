import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** The part after the kind in keys of that kind: '107' of 'staff:107'. */
const restOf = (keys: readonly string[], kind: string): string[] => [
  ...new Set(
    keys.flatMap((key) => {
      const [of, id = '', ...more] = key.split(':');
      return of === kind && more.length === 0 ? [id] : [];
    }),
  ),
];

const idsOf = (keys: readonly string[], kind: string): number[] =>
  restOf(keys, kind)
    .filter((id) => /^\d{1,15}$/.test(id))
    .map(Number);

/** The largest id of tables with integer ids. */
const MAX_INT = 2_147_483_647;
const smallIdsOf = (keys: readonly string[], kind: string): number[] => idsOf(keys, kind).filter((id) => id <= MAX_INT);

/**
 * Names behind numbers and codes of records, by key: staff ('staff:107'), users by their nickname ('user:10001'), distributors ('dist:2',
 * 'brand:2'), roles ('role:service'), games, leagues, teams, adverts, news, providers, and the owner of a hold ('hold:5'). Other keys and
 * unknown numbers have none.
 */
export async function loadNames(db: Trx, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const brands = [...new Set([...smallIdsOf(keys, 'dist'), ...smallIdsOf(keys, 'brand')])];
  const { rows } = await sql<{ key: string; name: string }>`
    select 'staff:' || id as key, name from staff where id = any(${idsOf(keys, 'staff')}::bigint[])
    union all select 'user:' || id, nick_name from app_user where id = any(${idsOf(keys, 'user')}::bigint[])
    union all select kind || ':' || d.id, d.name from distributor d, unnest(array['dist', 'brand']) kind where d.id = any(${brands}::int[])
    union all select 'role:' || code, name from staff_role where code = any(${restOf(keys, 'role')}::text[])
    union all select 'game:' || id, name from game where id = any(${smallIdsOf(keys, 'game')}::int[])
    union all select 'league:' || id, name from league where id = any(${smallIdsOf(keys, 'league')}::int[])
    union all select 'team:' || id, name from league_team where id = any(${smallIdsOf(keys, 'team')}::int[])
    union all select 'advert:' || id, title from advert where id = any(${idsOf(keys, 'advert')}::bigint[])
    union all select 'news:' || id, title from news where id = any(${idsOf(keys, 'news')}::bigint[])
    union all select 'provider:' || id, name from provider where id = any(${idsOf(keys, 'provider')}::bigint[])
    union all select 'hold:' || h.id, u.nick_name from hold h join app_user u on u.id = h.user_id
      where h.id = any(${idsOf(keys, 'hold')}::bigint[])`.execute(db);
  return new Map(rows.map(({ key, name }) => [key, name]));
}
