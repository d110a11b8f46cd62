import { sql } from 'kysely';
import type { AreaDoc, GameDoc } from '#subjects/games/contract/game-doc.ts';
import { type GameChange, isSame } from '../rules/game-diff.ts';
import type { Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import type { StoredGame } from './doc.ts';

export type VersionSource = 'staff' | 'file' | 'shipped' | 'rollback' | 'before';

/** The publisher of a game and the reason. `staffId` is null for the command line, the first start and the demo market. */
export interface PublishedBy {
  staffId: number | null;
  source: VersionSource;
  reason: string;
}

/** A game ready to be written: its final document and the changes. */
export interface GamePlan {
  /** The stored game, or undefined for a new one. */
  current: StoredGame | undefined;
  /** Preferred number of a new game, used if it is free. */
  wantedId: number | undefined;
  /** The draft of a new game, whose number is used. */
  draftId?: number | undefined;
  doc: GameDoc;
  changes: readonly GameChange[];
}

/** A number not used by any game or by a draft of a new game other than `own`: the preferred one if it is free. */
export async function newGameId(trx: Trx, wanted?: number, own?: number): Promise<number> {
  // A loop, because an installation may have numbered games by hand before there was a sequence.
  const { rows } = await sql<{ id: number }>`
    with recursive used as (select id from game union all select game_id from game_draft where game_id is distinct from ${own ?? null}::int),
    tried as (
      select coalesce(${wanted ?? null}::int, nextval('game_number')::int) as id
      union all select nextval('game_number')::int from tried where exists (select from used u where u.id = tried.id))
    select id from tried where not exists (select from used u where u.id = tried.id) limit 1`.execute(trx);
  return rows[0]?.id ?? 0;
}

/** Numbers for items that have none, or one used by another game. */
async function numbered(
  trx: Trx,
  kind: 'game_area' | 'game_server',
  wanted: readonly (number | undefined)[],
  isOwn: (id: number) => boolean,
): Promise<number[]> {
  const foreignIds = wanted.filter((id) => id !== undefined && !isOwn(id)) as number[];
  const { rows: foundIds } = await sql<{ id: number }>`
    select id from ${sql.table(kind)} where id = any(${foreignIds}::int[])`.execute(trx);
  const used = new Set(foundIds.map(({ id }) => id));
  const result = wanted.map((id) => {
    if (id === undefined || (!isOwn(id) && used.has(id))) return undefined;
    used.add(id);
    return id;
  });
  const missing = result.filter((id) => id === undefined).length;
  const { rows: fresh } = await sql<{ id: number }>`
    select nextval(${`${kind}_number`}::regclass)::int as id from generate_series(1, ${missing}::int)`.execute(trx);
  return result.map((id) => id ?? fresh.pop()?.id ?? 0);
}

/** The areas with a number for each area and server; references between servers follow. */
async function numberedAreas(trx: Trx, doc: GameDoc, current: GameDoc | undefined): Promise<AreaDoc[]> {
  const ownAreas = new Set(current?.areas.map((a) => a.id));
  const ownServers = new Set(current?.areas.flatMap((a) => a.servers.map((s) => s.id)));
  const areaIds = await numbered(
    trx,
    'game_area',
    doc.areas.map((a) => a.id),
    (id) => ownAreas.has(id),
  );
  const servers = doc.areas.flatMap((a) => a.servers);
  const serverIds = await numbered(
    trx,
    'game_server',
    servers.map((s) => s.id),
    (id) => ownServers.has(id),
  );
  const moved = new Map(servers.map((s, i) => [s.id, serverIds[i] ?? 0]));
  let at = 0;
  return doc.areas.map((area, i) => ({
    ...area,
    id: areaIds[i] ?? 0,
    servers: area.servers.map(({ mergedInto, ...server }) => ({
      ...server,
      id: serverIds[at++] ?? 0,
      ...(mergedInto !== undefined && { mergedInto: moved.get(mergedInto) ?? mergedInto }),
    })),
  }));
}

async function writeGameRow(trx: Trx, id: number, doc: GameDoc, isNew: boolean): Promise<number> {
  const values = sql`${doc.code} as code, ${doc.name} as name, ${doc.gameType}::smallint as game_type, ${doc.initial} as initial, ${doc.pinyin} as pinyin,
    ${doc.initials} as initials, ${doc.hue}::int as hue, ${doc.scene} as scene, ${doc.glyph} as glyph, ${doc.hot}::int as hot,
    ${JSON.stringify(doc.goodsTypes)}::jsonb as goods_types, ${doc.coinUnit}::text as coin_unit, ${doc.coinRatio}::numeric as coin_ratio,
    ${doc.aliases}::text[] as aliases, ${doc.defaultType}::smallint as default_type, ${doc.icon}::text as icon_key`;
  const { rows } = isNew
    ? await sql<{ version: number }>`
        insert into game (id, code, name, game_type, initial, pinyin, initials, hue, scene, glyph, hot, goods_types, coin_unit, coin_ratio, aliases, default_type,
          icon_key, version)
        select ${id}::int, v.*, 1 from (select ${values}) v returning version`.execute(trx)
    : await sql<{ version: number }>`
        update game g set code = v.code, name = v.name, game_type = v.game_type, initial = v.initial, pinyin = v.pinyin, initials = v.initials, hue = v.hue,
          scene = v.scene, glyph = v.glyph, hot = v.hot, goods_types = v.goods_types, coin_unit = v.coin_unit, coin_ratio = v.coin_ratio,
          aliases = v.aliases, default_type = v.default_type, icon_key = v.icon_key, version = g.version + 1
        from (select ${values}) v where g.id = ${id} returning g.version`.execute(trx);
  return rows[0]?.version ?? 0;
}

async function writeRegions(trx: Trx, gameId: number, areas: readonly AreaDoc[]): Promise<void> {
  const areaRows = areas.map((a, sort) => ({ id: a.id, name: a.name, sort, status: a.off ? 0 : 1 }));
  // The condition guards against a number that belongs to another game.
  await sql`insert into game_area (id, game_id, name, sort, status)
    select id, ${gameId}::int, name, sort, status from jsonb_to_recordset(${JSON.stringify(areaRows)}::jsonb) as a(id int, name text, sort int, status smallint)
    on conflict (id) do update set name = excluded.name, sort = excluded.sort, status = excluded.status where game_area.game_id = excluded.game_id`.execute(
    trx,
  );
  const serverRows = areas.flatMap((a) =>
    a.servers.map((s, sort) => ({
      id: s.id,
      area: a.id,
      name: s.name,
      sort,
      status: s.off ? 0 : 1,
      into: s.mergedInto ?? null,
    })),
  );
  await sql`insert into game_server (id, area_id, name, sort, status, merged_into)
    select id, area, name, sort, status, "into" from jsonb_to_recordset(${JSON.stringify(serverRows)}::jsonb)
      as s(id int, area int, name text, sort int, status smallint, "into" int)
    on conflict (id) do update set name = excluded.name, sort = excluded.sort, status = excluded.status, merged_into = excluded.merged_into
      where game_server.area_id = excluded.area_id`.execute(trx);
  await sql`update role_card c set server_id = s.merged_into, area_id = t.area_id from game_server s join game_server t on t.id = s.merged_into
    where c.server_id = s.id and c.game_id = ${gameId}`.execute(trx);
}

/** Fields as used by listings, forms and filters: in order, with the properties derived from the kind. */
function fieldsBody(doc: GameDoc) {
  return doc.fields.map((f, i) => ({
    ...f,
    ...(f.filterable && (f.kind === 'multi' || f.kind === 'item_count') && { multiModes: true }),
    sort: (i + 1) * 10,
  }));
}

async function writeForms(
  trx: Trx,
  gameId: number,
  doc: GameDoc,
  current: GameDoc | undefined,
  staffId: number | null,
): Promise<void> {
  const bodies = [
    { kind: 'fields', body: fieldsBody(doc), isSame: isSame(doc.fields, current?.fields) },
    { kind: 'handover', body: doc.handover, isSame: isSame(doc.handover, current?.handover) },
  ];
  for (const { kind, body, isSame: same } of bodies) {
    if (same) continue;
    await sql`insert into catalogue_version (game_id, kind, version, body, created_by)
      select ${gameId}::int, ${kind}, coalesce(max(version), 0) + 1, ${JSON.stringify(body)}::jsonb, ${staffId}::bigint
      from catalogue_version where game_id = ${gameId} and kind = ${kind}`.execute(trx);
  }
}

async function writeVersion(
  trx: Trx,
  gameId: number,
  version: number,
  doc: GameDoc,
  changes: readonly GameChange[],
  by: PublishedBy,
): Promise<void> {
  await sql`insert into game_version (game_id, version, doc, changes, source, reason, created_by)
    values (${gameId}, ${version}, ${JSON.stringify(doc)}::jsonb, ${JSON.stringify(changes)}::jsonb, ${by.source}, ${by.reason}, ${by.staffId})`.execute(
    trx,
  );
}

/** Servers that a change merges into others. */
function mergesOf(areas: readonly AreaDoc[], current: GameDoc | undefined): { from: number; into: number }[] {
  const before = new Map(current?.areas.flatMap((a) => a.servers.map((s) => [s.id, s.mergedInto] as const)));
  return areas
    .flatMap((a) => a.servers)
    .flatMap(({ id, mergedInto }) =>
      id !== undefined && mergedInto !== undefined && before.get(id) !== mergedInto
        ? [{ from: id, into: mergedInto }]
        : [],
    );
}

/** The parts that a listing's row of the search table is built from; other changes need no re-indexing. */
const searched = (d: GameDoc) => [
  d.code,
  d.name,
  d.aliases,
  d.pinyin,
  d.initials,
  d.goodsTypes,
  d.areas.map((a) => [a.name, a.servers.map((s) => s.name)]),
  d.fields.map((f) => [
    f.key,
    f.kind,
    f.label,
    f.inCard,
    f.numericSlot,
    f.goodsTypes,
    (f.options ?? []).map((o) => [o.v, o.label]),
  ]),
];

/**
 * Writes a planned game: its row, areas, servers, form, steps and a version. The game is locked by the caller. Listings whose search text or
 * filters change are re-indexed by the event `game.published`, in the transaction. Returns the new version.
 */
export async function writeGame(
  trx: Trx,
  plan: GamePlan,
  by: PublishedBy,
): Promise<{ gameId: number; version: number }> {
  const { current, wantedId, draftId } = plan;
  const gameId = current?.id ?? (await newGameId(trx, draftId ?? wantedId, draftId));
  // A game that was stored before versions existed first gets its old content as version 1, so that the first change can be rolled
  // back.
  if (current && current.version === 0 && current.doc.fields.length > 0) {
    await writeVersion(trx, gameId, 1, current.doc, [], {
      staffId: null,
      source: 'before',
      reason: '启用版本前的内容',
    });
    await sql`update game set version = 1 where id = ${gameId}`.execute(trx);
  }
  const areas = await numberedAreas(trx, plan.doc, current?.doc);
  const doc: GameDoc = { ...plan.doc, areas };
  const version = await writeGameRow(trx, gameId, doc, current === undefined);
  await writeRegions(trx, gameId, areas);
  await writeForms(trx, gameId, doc, current?.doc, by.staffId);
  await writeVersion(trx, gameId, version, doc, plan.changes, by);
  const merges = mergesOf(areas, current?.doc);
  if (current && (merges.length > 0 || !isSame(searched(doc), searched(current.doc))))
    await emit(trx, 'game.published', { gameId, version, merges });
  return { gameId, version };
}
