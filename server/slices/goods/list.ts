import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { getGoodsList } from '#contract/goods.ts';
import { isGoodsCode } from '#contract/rules/goods-code.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, onSaleCounts, showsGame } from '#server/slices/games/service.ts';
import { cards } from './cards.ts';
import { addDetails, type Conditions, facetPart, keywordParts } from './filters.ts';
import { facet } from './index-row.ts';
import { countGoods, cursorOf, findGoods, type Hit, MAX_COUNT, placeAfter, type Search } from './search.ts';

type ListInput = Parsed<typeof getGoodsList>;
/** The part of a distributor that decides what it shows. */
export interface Shows {
  readonly games: readonly number[] | null;
}

const PAGE = 20;
/** Deeper than this one reads by cursor (conventions.md, lists). */
const MAX_OFFSET = 5000;
/** A count is kept so long at least; a thousand times as long as it took, so that counting one list takes a thousandth of a core at most. */
const COUNT_MS = 3_000;
const COUNT_TIMES = 1_000;
const MAX_COUNT_MS = 60_000;
const MAX_COUNTS = 5_000;

const counts = new WeakMap<Db, TtlCache<number>>();

function countsOf(db: Db): TtlCache<number> {
  const known = counts.get(db);
  if (known) return known;
  const fresh = new TtlCache<number>({
    // What is beyond the exact counts does not come back from there within a minute.
    ttlMs: (count, tookMs) =>
      count > MAX_COUNT ? MAX_COUNT_MS : Math.min(MAX_COUNT_MS, Math.max(COUNT_MS, tookMs * COUNT_TIMES)),
    max: MAX_COUNTS,
  });
  counts.set(db, fresh);
  return fresh;
}

/** The games to look in: those that the site shows and that are switched on; null = all there are. */
export async function gamesFor(ctx: Context, dist: Shows, gameId?: number): Promise<readonly number[] | null> {
  const all = await catalogue(ctx);
  if (gameId !== undefined) return showsGame(dist, gameId) && all.game(gameId) ? [gameId] : [];
  if (dist.games !== null) return dist.games.filter((id) => all.game(id) !== undefined);
  const onSale = await onSaleCounts(ctx);
  const off = [...onSale.keys()].some((id) => all.game(id) === undefined);
  return off ? all.list().map((g) => g.id) : null;
}

/** What the caller asks for in the terms of goods_search. Throws BAD_INPUT for filters that the game does not have. */
export async function searchOf(ctx: Context, dist: Shows, input: ListInput): Promise<Search> {
  const conditions: Conditions = { exact: [], coarse: [], ranges: [], atLeast: [] };
  const games = await gamesFor(ctx, dist, input.gameId);
  if (input.details && Object.keys(input.details).length > 0) {
    if (input.gameId === undefined) throw new AppError('BAD_INPUT', { text: '请先选择游戏，再按游戏条件筛选' });
    if (games?.length !== 0) {
      const fields = (await catalogue(ctx)).fieldsOf(input.gameId, input.goodsTypeId || undefined);
      addDetails(fields, input.details, conditions);
    }
  }
  if (input.inspected) conditions.exact.push(facetPart(facet.inspected));
  if (input.ensureOpen) conditions.exact.push(facetPart(facet.guaranteed));
  if (input.officialSell) conditions.exact.push(facetPart(facet.handedOver));
  if (input.bargainOpen) conditions.exact.push(facetPart(facet.bargain));
  if (input.keyWord !== undefined) conditions.exact.push(...keywordParts(input.keyWord));
  return {
    ...conditions,
    games,
    typeId: input.goodsTypeId || undefined,
    areaId: input.areaId || undefined,
    serverId: input.serverId || undefined,
    sellerId: input.sellerId === undefined ? undefined : Number(input.sellerId),
    present: input.sellerOnline === true,
    minFen: input.minPrice || undefined,
    maxFen: input.maxPrice,
    sort: input.sort ?? 'default',
  };
}

/** How many fit, when nothing but game and type is asked for: known without counting. */
async function knownCount(ctx: Context, s: Search): Promise<number | undefined> {
  const plain =
    s.exact.length + s.coarse.length + s.ranges.length + s.atLeast.length === 0 &&
    !s.present &&
    [s.areaId, s.serverId, s.sellerId, s.minFen, s.maxFen].every((v) => v === undefined);
  if (!plain) return undefined;
  let sum = 0;
  for (const [gameId, types] of await onSaleCounts(ctx)) {
    if (s.games !== null && !s.games.includes(gameId)) continue;
    for (const [typeId, n] of types) if (s.typeId === undefined || s.typeId === typeId) sum += n;
  }
  return sum;
}

/** Exact up to MAX_COUNT; a few seconds old, up to a minute where counting is dear. */
async function countOf(ctx: Context, s: Search): Promise<number> {
  const known = await knownCount(ctx, s);
  if (known !== undefined) return known;
  const key = JSON.stringify({ ...s, sort: '' });
  return await countsOf(ctx.db).get(key, async () => await countGoods(ctx.db, s));
}

/** The goods of a code, as a list of one; null when the site shows none of that code. */
async function byCode(ctx: Context, dist: Shows, input: ListInput): Promise<number | null> {
  const { keyWord } = input;
  if (keyWord === undefined || !isGoodsCode(keyWord)) return null;
  const { rows } = await sql<{ id: number; gameId: number }>`
    select id, game_id as "gameId" from goods where sn = ${keyWord.toUpperCase()} and status = 2`.execute(ctx.db);
  const row = rows[0];
  return row && showsGame(dist, row.gameId) ? row.id : null;
}

/**
 * A page of goods on sale that fit (domain.md 4): keyset by cursor, or by page number near the start. Amounts in fen.
 * Throws BAD_INPUT for filters that the game does not have, a foreign cursor, or too deep a page number.
 */
export async function listGoods(
  ctx: Context,
  dist: Shows,
  input: ListInput,
): Promise<HandlerResult<typeof getGoodsList>> {
  const one = await byCode(ctx, dist, input);
  if (one !== null) {
    const list = await cards(ctx, [one]);
    return { list, total: list.length, more: false, next: null };
  }
  if (input.keyWord !== undefined && keywordParts(input.keyWord).length === 0)
    return { list: [], total: 0, more: false, next: null };
  const search = await searchOf(ctx, dist, input);
  const limit = input.pageSize ?? PAGE;
  const after = placeAfter(search.sort, input.cursor);
  const offset = after ? 0 : ((input.pages ?? 1) - 1) * limit;
  if (offset > MAX_OFFSET) throw new AppError('BAD_INPUT', { text: '页码过大，请用筛选条件缩小范围' });
  const found = await findGoods(ctx.db, search, { after, offset, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const [list, total] = await Promise.all([
    cards(
      ctx,
      shown.map((h) => h.id),
    ),
    // A first page that is also the last one has counted already.
    after === undefined && found.length <= limit && (found.length > 0 || offset === 0)
      ? offset + found.length
      : countOf(ctx, search),
  ]);
  const counted = Math.max(total, offset + list.length);
  return {
    list,
    total: Math.min(counted, MAX_COUNT),
    more: counted > MAX_COUNT,
    next: found.length > limit ? lastCursor(search, shown) : null,
  };
}

function lastCursor(search: Search, shown: readonly Hit[]): string | null {
  const last = shown.at(-1);
  return last ? cursorOf(search.sort, last) : null;
}

/** The most viewed goods of a site, or of one of its games. */
export async function mostViewed(ctx: Context, dist: Shows, gameId: number | undefined, limit: number) {
  const search: Search = {
    exact: [],
    coarse: [],
    ranges: [],
    atLeast: [],
    games: await gamesFor(ctx, dist, gameId),
    typeId: undefined,
    areaId: undefined,
    serverId: undefined,
    sellerId: undefined,
    present: false,
    minFen: undefined,
    maxFen: undefined,
    sort: 'views',
  };
  const hits = await findGoods(ctx.db, search, { after: undefined, offset: 0, limit });
  return await cards(
    ctx,
    hits.map((h) => h.id),
  );
}
