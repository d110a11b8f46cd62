import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { GAMES } from './index.ts';
import type { GameSeed } from './types.ts';

/** What a newest version is compared with; JSON in the key order that PostgreSQL keeps is compared by PostgreSQL itself. */
interface VersionRow {
  game_id: number;
  kind: 'fields' | 'handover';
  body: unknown;
}

function gameRow(game: GameSeed) {
  return {
    id: game.id,
    code: game.code,
    name: game.name,
    game_type: game.gameType,
    initial: game.initial,
    pinyin: game.pinyin,
    initials: game.initials,
    hue: game.hue,
    scene: game.scene,
    glyph: game.char,
    hot: game.hot,
    goods_types: game.goodsTypes,
    coin_unit: game.coinUnit ?? null,
    coin_ratio: game.coinRatio ?? null,
    aliases: game.aliases,
    default_type: game.defaultGoodsTypeId,
  };
}

function versionRows(game: GameSeed): VersionRow[] {
  return [
    { game_id: game.id, kind: 'fields', body: game.fields },
    { game_id: game.id, kind: 'handover', body: { accounts: game.handover, deliveries: game.deliveries } },
  ];
}

/**
 * Loads the catalogue of db/seed/catalogue into the database: games, areas and servers are inserted or renamed, and fields and
 * hand-over steps become a new version when they differ from the newest one. Loading again changes nothing. What staff disabled stays
 * disabled. Returns the number of versions added.
 */
export async function loadCatalogue(db: Trx, games: readonly GameSeed[] = GAMES): Promise<{ versions: number }> {
  await sql`
    insert into game (id, code, name, game_type, initial, pinyin, initials, hue, scene, glyph, hot, goods_types, coin_unit, coin_ratio, aliases, default_type)
    select g.id, g.code, g.name, g.game_type, g.initial, g.pinyin, g.initials, g.hue, g.scene, g.glyph, g.hot, g.goods_types, g.coin_unit, g.coin_ratio,
      array(select jsonb_array_elements_text(g.aliases)), g.default_type
    from jsonb_to_recordset(${JSON.stringify(games.map(gameRow))}::jsonb) as g(id int, code text, name text, game_type smallint, initial text, pinyin text,
      initials text, hue int, scene text, glyph text, hot int, goods_types jsonb, coin_unit text, coin_ratio numeric, aliases jsonb, default_type smallint)
    on conflict (id) do update set code = excluded.code, name = excluded.name, game_type = excluded.game_type, initial = excluded.initial,
      pinyin = excluded.pinyin, initials = excluded.initials, hue = excluded.hue, scene = excluded.scene, glyph = excluded.glyph, hot = excluded.hot,
      goods_types = excluded.goods_types, coin_unit = excluded.coin_unit, coin_ratio = excluded.coin_ratio, aliases = excluded.aliases,
      default_type = excluded.default_type`.execute(db);

  const areas = games.flatMap((g) => g.areas.map((a, sort) => ({ id: a.id, game_id: g.id, name: a.name, sort })));
  await sql`insert into game_area (id, game_id, name, sort)
    select id, game_id, name, sort from jsonb_to_recordset(${JSON.stringify(areas)}::jsonb) as a(id int, game_id int, name text, sort int)
    on conflict (id) do update set name = excluded.name, sort = excluded.sort`.execute(db);

  const servers = games.flatMap((g) =>
    g.areas.flatMap((a) => a.servers.map((s, sort) => ({ id: s.id, area_id: a.id, name: s.name, sort }))),
  );
  await sql`insert into game_server (id, area_id, name, sort)
    select id, area_id, name, sort from jsonb_to_recordset(${JSON.stringify(servers)}::jsonb) as s(id int, area_id int, name text, sort int)
    on conflict (id) do update set name = excluded.name, sort = excluded.sort`.execute(db);

  const { rows } = await sql<{ game_id: number }>`
    insert into catalogue_version (game_id, kind, version, body)
    select v.game_id, v.kind, coalesce(newest.version, 0) + 1, v.body
    from jsonb_to_recordset(${JSON.stringify(games.flatMap(versionRows))}::jsonb) as v(game_id int, kind text, body jsonb)
    left join lateral (select c.version, c.body, c.created_by from catalogue_version c where c.game_id = v.game_id and c.kind = v.kind order by c.version desc limit 1) newest on true
    where newest.version is null or (newest.created_by is null and newest.body <> v.body)
    returning game_id`.execute(db);
  return { versions: rows.length };
}
