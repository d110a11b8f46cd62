import { columns, insertRows } from '../bulk.ts';
import type { Market } from '../market.ts';
import type { Person } from './people.ts';

const ROLE_COLUMNS = columns(
  'user_id bigint, game_id int, area_id int, server_id int, role_name text, role_level int, note text, created_at timestamptz',
);

/** Characters of the demo buyer and the demo seller; the others have none, so that the empty state is seen as well. */
const ROLES = [
  { person: 0, gameId: 1, areaId: 1001, serverId: 101_001, name: '夜雨寄北', level: 110, note: '主号' },
  { person: 0, gameId: 2, areaId: 2001, serverId: 201_001, name: '长安小乔', level: 30, note: '' },
  { person: 1, gameId: 1, areaId: 1001, serverId: 101_001, name: '阿市搬砖一号', level: 105, note: '出币用' },
] as const;

/** Stores the demo logins' game characters. */
export async function storeRoles(market: Market, people: readonly Person[]): Promise<void> {
  const rows = ROLES.flatMap((role, i) => {
    const person = people[role.person];
    const { gameId, areaId, serverId, name, level, note } = role;
    return person ? [[person.id, gameId, areaId, serverId, name, level, note, market.ago(3000 - i * 500)]] : [];
  });
  await insertRows(market.client, 'role_card', ROLE_COLUMNS, rows);
}
