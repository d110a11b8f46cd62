import { GameStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { type AreaDoc, type FieldDoc, type GameDoc, type ServerDoc } from '#subjects/games/contract/game-doc.ts';
import type { Trx } from '#server/db/client.ts';

/** A game as stored, with the data shown to staff in addition to its document. */
export interface StoredGame {
  id: number;
  /** 1 online, 0 offline. */
  status: number;
  version: number;
  doc: GameDoc;
}

interface GameRow {
  id: number;
  status: number;
  version: number;
  body: Record<string, unknown>;
  fields: (FieldDoc & { sort?: number })[] | null;
  handover: GameDoc['handover'] | null;
}

interface RegionRow {
  id: number;
  parentId: number;
  name: string;
  isOpen: boolean;
  mergedInto: number | null;
}

const offOf = (isOpen: boolean): { off?: true } => (isOpen ? {} : { off: true });

function grouped<T>(rows: readonly RegionRow[], map: (row: RegionRow) => T): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(row.parentId);
    if (group) group.push(map(row));
    else groups.set(row.parentId, [map(row)]);
  }
  return groups;
}

/** Keys found only in the stored form; in the document they follow from the order and the kind. */
function fieldDoc({
  sort: _sort,
  multiModes: _modes,
  ...field
}: FieldDoc & { sort?: number; multiModes?: true }): FieldDoc {
  return field;
}

/**
 * The documents of games by id, read from the tables and not from the newest version, so that they are correct for every database, regardless
 * of how it was filled. `null` reads all. Games that are offline are included.
 */
export async function storedGames(db: Trx, ids: readonly number[] | null): Promise<StoredGame[]> {
  const { rows: games } = await sql<GameRow>`
    select g.id, g.status, g.version,
      jsonb_build_object('code', g.code, 'name', g.name, 'aliases', to_jsonb(g.aliases), 'gameType', g.game_type, 'initial', trim(g.initial), 'pinyin', g.pinyin,
        'initials', g.initials, 'glyph', g.glyph, 'hue', g.hue, 'scene', g.scene, 'icon', g.icon_key, 'hot', g.hot, 'coinUnit', g.coin_unit,
        'coinRatio', g.coin_ratio, 'defaultType', g.default_type, 'goodsTypes', g.goods_types) as body,
      (select v.body from catalogue_version v where v.game_id = g.id and v.kind = 'fields' order by v.version desc limit 1) as fields,
      (select v.body from catalogue_version v where v.game_id = g.id and v.kind = 'handover' order by v.version desc limit 1) as handover
    from game g where ${ids === null}::boolean or g.id = any(${[...(ids ?? [])]}::int[]) order by g.id`.execute(db);
  const own = games.map(({ id }) => id);
  const { rows: areas } = await sql<RegionRow>`
    select id, game_id as "parentId", name, status = ${sql.lit(GameStatus.Open)} as "isOpen", null::int as "mergedInto" from game_area where game_id = any(${own}::int[]) order by sort, id`.execute(
    db,
  );
  const { rows: servers } = await sql<RegionRow>`
    select s.id, s.area_id as "parentId", s.name, s.status = ${sql.lit(GameStatus.Open)} as "isOpen", s.merged_into as "mergedInto" from game_server s join game_area a on a.id = s.area_id
    where a.game_id = any(${own}::int[]) order by s.sort, s.id`.execute(db);
  const serversOf = grouped(
    servers,
    (s): ServerDoc => ({
      id: s.id,
      name: s.name,
      ...offOf(s.isOpen),
      ...(s.mergedInto !== null && { mergedInto: s.mergedInto }),
    }),
  );
  const areasOf = grouped(
    areas,
    (a): AreaDoc => ({ id: a.id, name: a.name, ...offOf(a.isOpen), servers: serversOf.get(a.id) ?? [] }),
  );
  return games.map(({ id, status, version, body, fields, handover }) => ({
    id,
    status,
    version,
    doc: {
      ...(body as Omit<GameDoc, 'areas' | 'fields' | 'handover'>),
      areas: areasOf.get(id) ?? [],
      fields: (fields ?? []).toSorted((a, b) => (a.sort ?? 0) - (b.sort ?? 0)).map(fieldDoc),
      handover: handover ?? { accounts: [], deliveries: [] },
    },
  }));
}
