/** Reports the effect of publishing a draft on listings before it is published: counts, and a trial on three real ones. */
import { sql } from 'kysely';
import type * as c from '#subjects/games/contract/staff-games.ts';
import type { Field } from '#subjects/games/contract/games.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { FieldDoc, GameDoc } from '#subjects/games/contract/game-doc.ts';
import { type Attrs, checkAttrs } from '../../rules/attrs.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import type { Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { editedGame, plannedGame } from './drafts.ts';

type Effect = HandlerResult<typeof c.gameEffects>['effects'][number];
type Tried = HandlerResult<typeof c.gameEffects>['tried'][number];

const TRIED = 3;
const MAX_LINES = 30;

const ok = (text: string): Effect => ({ tone: 'ok', text });
const warn = (text: string): Effect => ({ tone: 'warn', text });

/** Numbers of listings on sale with a value for each of these fields, and for each of their options (`key`, `key=v`). */
async function holders(db: Trx, gameId: number, keys: readonly string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ held: string; count: number }>`
    select held, count(*)::int as count from goods g, unnest(${[...keys]}::text[]) k, lateral (
      select k as held union all select k || '=' || v from (
        select jsonb_array_elements_text(g.attrs->k) as v where jsonb_typeof(g.attrs->k) = 'array'
        union all select jsonb_object_keys(g.attrs->k) where jsonb_typeof(g.attrs->k) = 'object'
        union all select g.attrs->>k where jsonb_typeof(g.attrs->k) in ('string', 'number')) o) h
    where g.game_id = ${gameId} and g.status = ${GoodsStatus.OnSale} and g.attrs ? k group by held`.execute(db);
  return new Map(rows.map(({ held, count }) => [held, count]));
}

/** Listings on sale of each goods type. */
async function countsByType(db: Trx, gameId: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; count: number }>`
    select type_id as id, count(*)::int as count from goods where game_id = ${gameId} and status = ${GoodsStatus.OnSale} group by type_id`.execute(
    db,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Listings on sale in each area (`a1`) and on each server (`s1`). */
async function countsByRegion(db: Trx, gameId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select r.place as id, count(*)::int as count from goods g, lateral (values ('a' || g.area_id), ('s' || g.server_id)) r(place)
    where g.game_id = ${gameId} and g.status = ${GoodsStatus.OnSale} and r.place is not null group by r.place`.execute(
    db,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Listings on sale whose number lies outside the new bounds of its field. */
async function outside(db: Trx, gameId: number, field: FieldDoc): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from goods where game_id = ${gameId} and status = ${GoodsStatus.OnSale} and jsonb_typeof(attrs->${field.key}::text) = 'number'
      and ((attrs->>${field.key}::text)::numeric < ${field.min ?? null}::numeric or (attrs->>${field.key}::text)::numeric > ${field.max ?? null}::numeric)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

function fieldEffects(
  before: GameDoc,
  next: GameDoc,
  held: ReadonlyMap<string, number>,
  types: ReadonlyMap<number, number>,
) {
  const old = new Map(before.fields.map((f) => [f.key, f]));
  const lines: Effect[] = [];
  for (const field of next.fields) {
    const was = old.get(field.key);
    const has = held.get(field.key) ?? 0;
    if (field.retired) {
      if (was && !was.retired)
        lines.push(ok(`「${field.label}」停用：${has} 件已填的照样显示，不再让人填，也不再做成筛选`));
      continue;
    }
    const isNew = !was || was.retired === true;
    const affected = field.goodsTypes.reduce((sum, id) => sum + (types.get(id) ?? 0), 0);
    const missing = Math.max(0, affected - has);
    if (field.required && (isNew || !was.required) && missing > 0)
      lines.push(warn(`「${field.label}」必填：${missing} 件在售还没有填，不会下架，卖家下次编辑时要补上`));
    else if (isNew && affected > 0) lines.push(ok(`「${field.label}」选填：卖家下次编辑时可以补上`));
    for (const option of field.options ?? []) {
      const then = was?.options?.find((o) => String(o.v) === String(option.v));
      const count = held.get(`${field.key}=${option.v}`) ?? 0;
      if (option.retired && then && !then.retired && count > 0)
        lines.push(ok(`「${field.label}」的「${option.label}」停用：${count} 件已选的照样显示`));
    }
  }
  return lines;
}

function regionEffects(before: GameDoc, next: GameDoc, counts: ReadonlyMap<string, number>): Effect[] {
  const areas = new Map(before.areas.map((a) => [a.id, a]));
  const servers = new Map(before.areas.flatMap((a) => a.servers.map((s) => [s.id, s] as const)));
  const nameOf = (id: number | undefined) => servers.get(id)?.name ?? '新服务器';
  return next.areas.flatMap((area) => {
    const lines: Effect[] = [];
    const inArea = counts.get(`a${area.id}`) ?? 0;
    if (area.off && areas.get(area.id)?.off !== true && inArea > 0)
      lines.push(warn(`大区「${area.name}」停用：${inArea} 件在售留在原处，仍可购买；新商品不能再选`));
    for (const server of area.servers) {
      const was = servers.get(server.id);
      const count = counts.get(`s${server.id}`) ?? 0;
      if (count === 0 || !was) continue;
      if (server.mergedInto !== undefined && was.mergedInto !== server.mergedInto)
        lines.push(ok(`「${server.name}」并入「${nameOf(server.mergedInto)}」：${count} 件在售跟着移过去`));
      else if (server.off && !was.off && !area.off)
        lines.push(warn(`服务器「${server.name}」停用：${count} 件在售留在原处，仍可购买；新商品不能再选`));
    }
    return lines;
  });
}

async function loadEffects(db: Trx, gameId: number, before: GameDoc, next: GameDoc): Promise<Effect[]> {
  const keys = next.fields.map(({ key }) => key).filter((key) => /^[a-z0-9_]{1,32}$/.test(key));
  const [types, regions, held] = await Promise.all([
    countsByType(db, gameId),
    countsByRegion(db, gameId),
    holders(db, gameId, keys),
  ]);
  const bounds = new Map(before.fields.map((f) => [f.key, f]));
  const tightened = next.fields.filter((f) => {
    const was = bounds.get(f.key);
    return !f.retired && f.kind === 'range' && was && (was.min !== f.min || was.max !== f.max);
  });
  const narrow = await Promise.all(
    tightened.map(async (field) => ({ field, count: await outside(db, gameId, field) })),
  );
  const closed = before.goodsTypes.filter(({ id }) => !next.goodsTypes.some((t) => t.id === id));
  return [
    ...closed.flatMap(({ id, name }) => {
      const count = types.get(id) ?? 0;
      return count > 0 ? [warn(`「${name}」关闭：${count} 件在售卖完为止，不能再新发布`)] : [];
    }),
    ...regionEffects(before, next, regions),
    ...fieldEffects(before, next, held, types),
    ...narrow.flatMap(({ field, count }) =>
      count > 0 ? [warn(`「${field.label}」：${count} 件在售超出新的范围，照样显示，卖家下次编辑时要改`)] : [],
    ),
  ].slice(0, MAX_LINES);
}

const formOf = (doc: GameDoc, typeId: number): Field[] =>
  doc.fields
    .filter((f) => !f.retired && f.goodsTypes.includes(typeId))
    .map(({ aliases: _aliases, typical: _typical, options, ...field }, sort) => ({
      ...field,
      sort,
      ...(options && { options: options.map(({ v, label, retired }) => ({ v, label, ...(retired && { retired }) })) }),
    })) as Field[];

/** The errors that the form would show when a listing is edited. */
function refusals(doc: GameDoc, typeId: number, attrs: Attrs): string[] {
  const form = formOf(doc, typeId);
  const affected = new Set(form.map(({ key }) => key));
  const own = Object.fromEntries(Object.entries(attrs).filter(([key]) => affected.has(key)));
  return [...checkAttrs(form, own, own).errors.values()];
}

/** Tries the draft's form on three listings on sale, of different goods types where possible, newest first. */
async function tryListings(db: Trx, gameId: number, before: GameDoc, next: GameDoc): Promise<Tried[]> {
  const { rows } = await sql<{ sn: string; typeId: number; attrs: Attrs }>`
    select sn, type_id as "typeId", attrs from goods where game_id = ${gameId} and status = ${GoodsStatus.OnSale}
    order by row_number() over (partition by type_id order by id desc), id desc limit ${TRIED}`.execute(db);
  return rows.map(({ sn, typeId, attrs }): Tried => {
    const was = refusals(before, typeId, attrs);
    const now = refusals(next, typeId, attrs).filter((text) => !was.includes(text));
    const cured = was.filter((text) => !refusals(next, typeId, attrs).includes(text));
    if (now.length > 0)
      return { goodsSn: sn, tone: 'warn', text: `照样在售；下次编辑时：${now.slice(0, 3).join('；')}` };
    return cured.length > 0
      ? { goodsSn: sn, tone: 'ok', text: `以前填不进的现在可以：${cured.slice(0, 2).join('；')}` }
      : { goodsSn: sn, tone: 'ok', text: '没有变化' };
  });
}

/** The effect of publishing the draft on the listings of its game. Throws FORBIDDEN, NOT_FOUND without a draft. */
export async function gameEffects(
  { ctx, staff }: StaffCall,
  { gameId }: Parsed<typeof c.gameEffects>,
): Promise<HandlerResult<typeof c.gameEffects>> {
  requirePlatform(staff, 'game.read');
  const { current, draft } = await editedGame(ctx.db, gameId);
  if (!draft) throw errorOf('NOT_FOUND', 'gameDraft');
  if (!current) return { rev: draft.rev, onSale: 0, effects: [ok('新游戏，还没有商品')], tried: [] };
  const { doc } = await plannedGame(ctx.db, current, draft.doc);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from goods where game_id = ${gameId} and status = ${GoodsStatus.OnSale}`.execute(
    ctx.db,
  );
  const onSale = rows[0]?.count ?? 0;
  const [effects, tried] = await Promise.all([
    loadEffects(ctx.db, gameId, current.doc, doc),
    tryListings(ctx.db, gameId, current.doc, doc),
  ]);
  return {
    rev: draft.rev,
    onSale,
    effects: [ok(onSale === 0 ? '现在没有在售商品' : `${onSale} 件在售商品照样显示，不会下架`), ...effects],
    tried,
  };
}
