import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import type { getGoodsList } from '#subjects/goods/contract/goods.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import type { AtLeast, RangeFilter } from '../search/filters.ts';
import { loadSearch, type VisibleGames } from '../listing/list.ts';
import { countGoods } from '../search/count.ts';
import { MAX_COUNT } from '../search/search.ts';
import { findGoods } from '../search/find-goods.ts';

/**
 * The conditions of a saved search that have no column: keywords as the text of a tsquery, and conditions
 * checked row by row.
 */
export interface WatchFilter {
  tsquery: string | null;
  ranges: readonly RangeFilter[];
  atLeast: readonly AtLeast[];
}

/** Compiles the input of a list call so that new listings can be matched with it. Throws BAD_INPUT for filters that the game does not have. */
export async function watchFilter(
  ctx: Context,
  dist: VisibleGames,
  input: Parsed<typeof getGoodsList>,
): Promise<WatchFilter> {
  const { exact, ranges, atLeast } = await loadSearch(ctx, dist, input);
  return { tsquery: exact.length === 0 ? null : exact.join(' & '), ranges, atLeast };
}

/** Matching listings on sale, cheapest first, at most `limit`, and their number (exact to 1,000). */
export async function matchingGoods(
  ctx: Context,
  dist: VisibleGames,
  input: Parsed<typeof getGoodsList>,
  limit: number,
): Promise<{ ids: number[]; total: number }> {
  const search = { ...(await loadSearch(ctx, dist, input)), sort: 'priceAsc' as const };
  const { hits, total: matches } = await findGoods(ctx.db, search, { after: undefined, offset: 0, limit });
  const total = hits.length < limit ? hits.length : (matches ?? (await countGoods(ctx.db, search)));
  return { ids: hits.map((h) => h.id), total: Math.min(total, MAX_COUNT) };
}

/** A listing on sale as saved searches match it. */
export interface WatchedGoods {
  id: number;
  sn: string;
  title: string;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  sellerId: number;
  /** All-in: what a buyer pays without options. */
  priceFen: number;
  n1: number | null;
  n2: number | null;
  n3: number | null;
  n4: number | null;
  tokens: string[];
}

/** A listing by id; undefined when it is not on sale. */
export async function watchedGoods(db: Trx, goodsId: number): Promise<WatchedGoods | undefined> {
  const { rows } = await sql<WatchedGoods>`
    select g.id, g.sn, g.title, s.game_id as "gameId", s.type_id as "typeId", s.area_id as "areaId", s.server_id as "serverId",
      s.seller_id as "sellerId", s.price_fen as "priceFen", s.n1, s.n2, s.n3, s.n4, tsvector_to_array(s.tsv) as tokens
    from goods_search s join goods g on g.id = s.goods_id where s.goods_id = ${goodsId}`.execute(db);
  return rows[0];
}

/** Whether a listing satisfies the conditions checked row by row. */
export function matchesWatch(goods: WatchedGoods, filter: Pick<WatchFilter, 'ranges' | 'atLeast'>): boolean {
  const inRange = filter.ranges.every(({ slot, min, max }) => {
    const value = goods[`n${slot}`];
    return value !== null && value >= (min ?? value) && value <= (max ?? value);
  });
  if (!inRange) return false;
  const has = new Set(goods.tokens);
  return filter.atLeast.every(({ count, tokens }) => tokens.filter((t) => has.has(t)).length >= count);
}
