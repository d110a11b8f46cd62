import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { isCollection, type GoodsTypeId } from '#contract/rules/catalogue.ts';
import { isGoodsCode } from '../../rules/goods-code.ts';
import { COMPANION_PLAY, OrderType } from '#subjects/orders/rules/order-types.ts';
import { isFirstScreenPrice } from '#subjects/valuation/rules/price-reference.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, onSaleCounts, showsGame } from '#subjects/games/server/service.ts';
import { cards } from './cards.ts';
import { expandedParts, loadSynonyms } from '../correct/synonyms.ts';
import { boostingGoods } from '../search/boosting.ts';
import { companionGoods, companionPage } from '../search/companions.ts';
import { countGoods } from '../search/count.ts';
import { addDetails, type Conditions, facetPart, keywordParts } from '../search/filters.ts';
import { findListed } from '../search/find.ts';
import { allInFen, facet, leastPrice } from '../search/index-row.ts';
import { loadEstimate } from '../search/sampling.ts';
import {
  cursorOf,
  EVERY_LISTING,
  type Estimate,
  type Hit,
  MAX_COUNT,
  decodeSortCursor,
  type Search,
} from '../search/search.ts';
import { findGoods } from '../search/find-goods.ts';

type ListInput = Parsed<typeof getGoodsList>;
/** The games that a distributor shows and its mark-up on their prices. */
export interface VisibleGames {
  /** Null means all games. */
  readonly games: readonly number[] | null;
  /** The brand's mark-up in basis points. */
  readonly markUpBp: number;
}

const PAGE = 20;
/** Later pages require a cursor (conventions.md, lists). */
const MAX_OFFSET = 5000;
/**
 * Minimum cache time of a count. A count is cached for a thousand times its duration, so that counting one list takes
 * at most 0.1 % of a core.
 */
const COUNT_MS = 3_000;
const COUNT_TIMES = 1_000;
const MAX_COUNT_MS = 60_000;
const MAX_COUNTS = 5_000;

const counts = cacheKind(
  'goods.counts',
  () =>
    new TtlCache<number>({
      // A count above the exact limit rarely falls below it within a minute, so it is cached that long.
      ttlMs: (count, tookMs) =>
        count > MAX_COUNT ? MAX_COUNT_MS : Math.min(MAX_COUNT_MS, Math.max(COUNT_MS, tookMs * COUNT_TIMES)),
      max: MAX_COUNTS,
    }),
);

/** The games to search: those that the site shows and that are enabled; null means all. */
export async function gamesFor(ctx: Context, dist: VisibleGames, gameId?: number): Promise<readonly number[] | null> {
  const all = await catalogue(ctx);
  if (gameId !== undefined) return showsGame(dist, gameId) && all.game(gameId) ? [gameId] : [];
  if (dist.games !== null) return dist.games.filter((id) => all.game(id) !== undefined);
  const onSale = await onSaleCounts(ctx);
  const off = [...onSale.keys()].some((id) => all.game(id) === undefined);
  return off ? all.list().map((g) => g.id) : null;
}

/**
 * The games of a list that names neither game, keyword nor seller. Collections whose listings belong to other games (自营专区) are
 * left out, because a newcomer cannot tell what they are. A search for such a collection finds it.
 */
async function browsedGames(ctx: Context, games: readonly number[] | null): Promise<readonly number[] | null> {
  const all = await catalogue(ctx);
  const isForeign = (id: number): boolean => isCollection(all.fieldsOf(id));
  const visible = games ?? all.list().map((game) => game.id);
  return visible.some(isForeign) ? visible.filter((id) => !isForeign(id)) : games;
}

/**
 * Converts bounds of this site's all-in price to bounds of the platform's, which the search table stores. A listing is
 * within one exactly when it is within the other, since both grow with the seller's price.
 */
function indexedBand(
  ctx: Context,
  dist: VisibleGames,
  band: { minFen: number | undefined; maxFen: number | undefined },
): { minFen: number | undefined; maxFen: number | undefined } {
  if (dist.markUpBp === 0) return band;
  const { buyerBp } = ctx.dir.setting('fees');
  const siteBp = buyerBp + dist.markUpBp;
  const { minFen, maxFen } = band;
  return {
    minFen: minFen === undefined ? undefined : allInFen(leastPrice(minFen, siteBp), buyerBp),
    maxFen: maxFen === undefined ? undefined : allInFen(leastPrice(maxFen + 1, siteBp) - 1, buyerBp),
  };
}

/** The listings to search when service filters restrict them; undefined for all. Throws BAD_INPUT. */
async function findServiceMatches(ctx: Context, input: ListInput): Promise<readonly number[] | undefined> {
  const { free, voice, gameId, rankFrom, rankTo } = input;
  if (free !== undefined || voice !== undefined) return await companionGoods(ctx, { free, voice });
  if (rankFrom === undefined || rankTo === undefined) return undefined;
  if (gameId === undefined) throw new AppError('BAD_INPUT', { text: '请先选择游戏，再按段位筛选' });
  return await boostingGoods(ctx, gameId, { from: rankFrom, to: rankTo });
}

/** Converts the input of a list call to a search. Throws BAD_INPUT for filters that the game does not have. */
export async function loadSearch(ctx: Context, dist: VisibleGames, input: ListInput): Promise<Search> {
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
  if (input.keyWord !== undefined) conditions.exact.push(...expandedParts(input.keyWord, await loadSynonyms(ctx)));
  return {
    ...conditions,
    games,
    typeId: input.goodsTypeId || undefined,
    areaId: input.areaId || undefined,
    serverId: input.serverId || undefined,
    sellerId: input.sellerId === undefined ? undefined : Number(input.sellerId),
    present: input.sellerOnline === true,
    only: await findServiceMatches(ctx, input),
    ...indexedBand(ctx, dist, { minFen: input.minPrice || undefined, maxFen: input.maxPrice }),
    sort: input.sort ?? 'default',
  };
}

/** The number of listings of a game and type, from the counts in memory; undefined when the search has other conditions. */
async function countByType(ctx: Context, s: Search, types: readonly number[] | undefined): Promise<number | undefined> {
  const plain =
    s.exact.length + s.coarse.length + s.ranges.length + s.atLeast.length === 0 &&
    !s.present &&
    s.only === undefined &&
    [s.areaId, s.serverId, s.sellerId, s.minFen, s.maxFen].every((v) => v === undefined);
  if (!plain) return undefined;
  let sum = 0;
  for (const [gameId, ofGame] of await onSaleCounts(ctx)) {
    if (s.games !== null && !s.games.includes(gameId)) continue;
    for (const [typeId, n] of ofGame)
      if (types?.includes(typeId) ?? (s.typeId === undefined || s.typeId === typeId)) sum += n;
  }
  return sum;
}

/** Types that share one list: accounts, whether the seller or the market hands them over. */
const LISTED_TOGETHER: Readonly<Record<number, readonly number[]>> = {
  [OrderType.Account]: [OrderType.Account, OrderType.Consigned],
} satisfies Partial<Record<GoodsTypeId, readonly GoodsTypeId[]>>;

/** A search for any of these types instead of one. */
const ofTypes = (s: Search, types: readonly number[] | undefined): Search =>
  types === undefined
    ? s
    : { ...s, typeId: undefined, exact: [...s.exact, `(${types.map((id) => facetPart(facet.type(id))).join(' | ')})`] };

/** The number of matches, exact up to MAX_COUNT; a few seconds old, or up to a minute when counting is expensive. */
async function loadCount(ctx: Context, s: Search, estimate: Estimate | undefined): Promise<number> {
  const key = JSON.stringify({ ...s, sort: '' });
  return await cacheOf(ctx, counts).get(key, async () => await countGoods(ctx.db, s, estimate));
}

/** The id of the listing with the code that was entered; null when the site shows none. */
async function byCode(ctx: Context, dist: VisibleGames, input: ListInput): Promise<number | null> {
  const { keyWord } = input;
  if (keyWord === undefined || !isGoodsCode(keyWord)) return null;
  const { rows } = await sql<{ id: number; gameId: number }>`
    select id, game_id as "gameId" from goods where sn = ${keyWord.toUpperCase()} and status = ${sql.lit(GoodsStatus.OnSale)}`.execute(
    ctx.db,
  );
  const row = rows[0];
  return row && showsGame(dist, row.gameId) ? row.id : null;
}

/**
 * A page of matching listings on sale (domain.md 4): by cursor, or by page number near the start. Amounts in fen. Throws BAD_INPUT for
 * filters that the game does not have, an invalid cursor, or a page number that is too large.
 */
export async function listGoods(
  ctx: Context,
  dist: VisibleGames,
  input: ListInput,
): Promise<HandlerResult<typeof getGoodsList>> {
  const one = await byCode(ctx, dist, input);
  if (one !== null) {
    const list = await cards(ctx, dist, [one]);
    return { list, total: list.length, totalCapped: false, next: null };
  }
  if (input.keyWord !== undefined && keywordParts(input.keyWord).length === 0)
    return { list: [], total: 0, totalCapped: false, next: null };
  const query = await loadSearch(ctx, dist, input);
  const isBrowsed = input.gameId === undefined && input.keyWord === undefined && input.sellerId === undefined;
  const types = input.goodsTypeId === undefined ? undefined : LISTED_TOGETHER[input.goodsTypeId];
  const ofGames = isBrowsed ? { ...query, games: await browsedGames(ctx, query.games) } : query;
  const search = ofTypes(ofGames, types);
  const limit = input.pageSize ?? PAGE;
  const after = decodeSortCursor(search.sort, input.cursor);
  const offset = after ? 0 : ((input.pages ?? 1) - 1) * limit;
  if (offset > MAX_OFFSET) throw new AppError('BAD_INPUT', { text: '页码过大，请用筛选条件缩小范围' });
  const range = { after, offset, limit: limit + 1 };
  const byHour = search.typeId === COMPANION_PLAY && search.sort === 'default';
  const kept = byHour ? undefined : await countByType(ctx, ofGames, types);
  const estimate =
    kept === undefined && search.only === undefined && !byHour ? await loadEstimate(ctx, search, range) : undefined;
  const { hits, total: matches } = byHour
    ? await companionPage(ctx, search, { free: input.free, voice: input.voice }, range)
    : await findListed(ctx, search, range, estimate);
  const page = hits.slice(0, limit);
  const [list, total] = await Promise.all([
    cards(
      ctx,
      dist,
      page.map((h) => h.id),
    ),
    // The first page is also the last one: its length is the count.
    after === undefined && hits.length <= limit && (hits.length > 0 || offset === 0)
      ? offset + hits.length
      : (kept ?? matches ?? loadCount(ctx, search, estimate)),
  ]);
  const counted = Math.max(total, offset + list.length);
  return {
    list,
    total: Math.min(counted, MAX_COUNT),
    totalCapped: counted > MAX_COUNT,
    next: hits.length > limit ? lastCursor(search, page) : null,
  };
}

function lastCursor(search: Search, page: readonly Hit[]): string | null {
  const last = page.at(-1);
  return last ? cursorOf(search.sort, last) : null;
}

/** Over-read factor: more listings are read than shown, because outliers and expensive ones are left out. */
const READ_TIMES = 2;

/** The most viewed listings of a site, or of one of its games, without outliers and expensive ones. */
export async function mostViewed(ctx: Context, dist: VisibleGames, gameId: number | undefined, limit: number) {
  const games = await gamesFor(ctx, dist, gameId);
  const search: Search = {
    ...EVERY_LISTING,
    games: gameId === undefined ? await browsedGames(ctx, games) : games,
    sort: 'views',
  };
  const { hits } = await findGoods(ctx.db, search, { after: undefined, offset: 0, limit: limit * READ_TIMES });
  const viewed = await cards(
    ctx,
    dist,
    hits.map((h) => h.id),
  );
  return viewed.filter(({ band }) => isFirstScreenPrice(band)).slice(0, limit);
}
