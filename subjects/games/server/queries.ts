import { GameStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import type { AreaRow, GameRow, ServerRow, VersionRow } from './rules.ts';

/** Every game, hot ones first. */
export async function games(db: Trx): Promise<GameRow[]> {
  const { rows } = await sql<GameRow>`
    select id, code, name, game_type as "gameType", initial, pinyin, initials, hue, scene, hot, goods_types as "goodsTypes", coin_unit as "coinUnit",
      coin_ratio as "coinRatio", aliases, default_type as "defaultType", glyph, icon_key as "iconKey", status = ${sql.lit(GameStatus.Open)} as "isOpen"
    from game order by hot = 0, hot, initial, id`.execute(db);
  return rows;
}

/** Every area of every game, in its order. */
export async function areas(db: Trx): Promise<AreaRow[]> {
  const { rows } = await sql<AreaRow>`
    select id, game_id as "gameId", name, status = ${sql.lit(GameStatus.Open)} as "isOpen" from game_area order by game_id, sort, id`.execute(
    db,
  );
  return rows;
}

/** Every server of every area, in its order. */
export async function servers(db: Trx): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`
    select id, area_id as "areaId", name, status = ${sql.lit(GameStatus.Open)} as "isOpen" from game_server order by area_id, sort, id`.execute(
    db,
  );
  return rows;
}

/** The newest version of each game's fields and hand-over steps. */
export async function newestVersions(db: Trx): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select distinct on (game_id, kind) game_id as "gameId", kind, version, body from catalogue_version
    order by game_id, kind, version desc`.execute(db);
  return rows;
}

/** The number of listings on sale by game and goods type, from stored counters. */
export async function onSaleCounts(db: Trx): Promise<{ gameId: number; typeId: number; count: number }[]> {
  const { rows } = await sql<{ gameId: number; typeId: number; count: number }>`
    select game_id as "gameId", type_id as "typeId", sum(n)::int as count from on_sale_figure group by game_id, type_id having sum(n) > 0`.execute(
    db,
  );
  return rows;
}
