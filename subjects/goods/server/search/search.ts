import { type RawBuilder, sql } from 'kysely';
import type { goodsSorts } from '#subjects/goods/contract/goods-body.ts';
import { type Db, UNPREPARED } from '#server/db/client.ts';
import { decodeCursor, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { isPresent, presentIds } from '#subjects/accounts/server/service.ts';
import type { Conditions } from './filters.ts';

export type Sort = (typeof goodsSorts)[number];

/** A search in terms of goods_search. `games` null means every game. */
export interface Search extends Conditions {
  games: readonly number[] | null;
  typeId: number | undefined;
  areaId: number | undefined;
  serverId: number | undefined;
  sellerId: number | undefined;
  /** Only listings of sellers who are online. */
  present: boolean;
  /** Only these listings, when they were found by other means. */
  only: readonly number[] | undefined;
  /** Bounds of the all-in price. */
  minFen: number | undefined;
  maxFen: number | undefined;
  sort: Sort;
}

/** A search without conditions, the base of every search. */
export const EVERY_LISTING: Search = {
  exact: [],
  coarse: [],
  ranges: [],
  atLeast: [],
  games: null,
  typeId: undefined,
  areaId: undefined,
  serverId: undefined,
  sellerId: undefined,
  present: false,
  only: undefined,
  minFen: undefined,
  maxFen: undefined,
  sort: 'default',
};

/** The range of a page: after a row, or at an offset from the start. */
export interface PageRange {
  after: readonly [key: number, id: number] | undefined;
  offset: number;
  limit: number;
}

export interface Hit {
  id: number;
  /** The sort value; with the id it forms the cursor. */
  key: number;
}

/**
 * The hits of a page; `total` is the number of all matches, at most MAX_COUNT + 1; set when finding the hits already
 * counted them.
 */
export interface Found {
  readonly hits: Hit[];
  readonly total: number | undefined;
}

/** The estimate of a market sample for a page of a search. */
export interface Estimate {
  /** Approximate number of matching listings of the whole market. */
  readonly matches: number;
  /** Lower bound of the matches, with a certainty of four standard deviations. */
  readonly least: number;
  /** Approximate number of rows that a walk along the sort order reads to fill the page. */
  readonly rows: number;
  /** Where the page very probably ends, as a sort value, and the number of rows before it in the sort order. */
  readonly reach?: { readonly key: number; readonly rows: number } | undefined;
}

/** Counts are exact up to here (conventions.md, lists). */
export const MAX_COUNT = 1000;

export const OWN_PLAN = sql.raw(UNPREPARED);
const NOTHING = sql``;

interface Order {
  /** The indexed sort column of goods_search `s` (of goods_stat `st` for views). */
  column: RawBuilder<unknown>;
  /** The sort value as an integer. */
  number: RawBuilder<unknown>;
  /** Converts the integer back to the column's type. */
  stored: (key: number) => RawBuilder<unknown>;
  descending: boolean;
  max: number;
}

const INT4_MAX = 2_147_483_647;
const plain = (column: string, type: string, descending: boolean, max: number): Order => ({
  column: sql.raw(column),
  number: sql.raw(column),
  stored: (key) => sql`${key}::${sql.raw(type)}`,
  descending,
  max,
});

/** Sort orders with an index in `goods_search`. */
const INDEXED: Readonly<Record<Exclude<Sort, 'views'>, Order>> = {
  default: plain('s.score', 'int', true, INT4_MAX),
  priceAsc: plain('s.price_fen', 'bigint', false, Number.MAX_SAFE_INTEGER),
  priceDesc: plain('s.price_fen', 'bigint', true, Number.MAX_SAFE_INTEGER),
  newest: {
    column: sql.raw('s.refreshed_at'),
    // Microseconds of the epoch: the cursor keeps the full precision of the column.
    number: sql.raw('(extract(epoch from s.refreshed_at) * 1000000)::bigint'),
    stored: (key) => sql`(timestamptz 'epoch' + ${key}::bigint * interval '1 microsecond')`,
    descending: true,
    max: 4_000_000_000_000_000,
  },
};

const ORDERS: Readonly<Record<Sort, Order>> = {
  default: INDEXED.default,
  priceAsc: INDEXED.priceAsc,
  priceDesc: INDEXED.priceDesc,
  newest: INDEXED.newest,
  views: plain('st.views', 'int', true, INT4_MAX),
};

export const and = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);

const inOrder = (order: Order): RawBuilder<unknown> =>
  order.descending ? sql`order by ${order.column} desc, s.goods_id desc` : sql`order by ${order.column}, s.goods_id`;

function behind(order: Order, after: PageRange['after']): RawBuilder<unknown>[] {
  if (!after) return [];
  const [key, id] = after;
  const row = sql`(${order.column}, s.goods_id)`;
  const boundary = sql`(${order.stored(key)}, ${id}::bigint)`;
  return [order.descending ? sql`${row} < ${boundary}` : sql`${row} > ${boundary}`];
}

function priceBounds(s: Search): RawBuilder<unknown>[] {
  return [
    ...(s.minFen === undefined ? [] : [sql`s.price_fen >= ${s.minFen}::bigint`]),
    ...(s.maxFen === undefined ? [] : [sql`s.price_fen <= ${s.maxFen}::bigint`]),
  ];
}

function rangeBounds(s: Search): RawBuilder<unknown>[] {
  return s.ranges.flatMap(({ slot, min, max }) => {
    const column = sql.raw(`s.n${slot}`);
    return [
      ...(min === undefined ? [] : [sql`${column} >= ${min}::int`]),
      ...(max === undefined ? [] : [sql`${column} <= ${max}::int`]),
    ];
  });
}

/** Conditions on the number of a row's matching tokens. */
function counted(s: Search): RawBuilder<unknown>[] {
  return s.atLeast.map(({ count, tokens }) => {
    const matches = tokens.map((t) => sql`(s.tsv @@ ${`'${t.replace(/[\\']/g, '$&$&')}'`}::tsquery)::int`);
    return sql`${sql.join(matches, sql` + `)} >= ${count}::int`;
  });
}

/**
 * The condition on tokens. In a subquery the planner does not see the tokens: its estimate for pairs of one word is
 * wrong by orders of magnitude, and would require the statistics of thousands of tokens for each search.
 */
const hasTokens = (parts: readonly string[]): RawBuilder<unknown>[] =>
  parts.length === 0 ? [] : [sql`s.tsv @@ (select ${parts.join(' & ')}::tsquery)`];

const ofPresent = (s: Search): RawBuilder<unknown>[] => (s.present ? [isPresent(sql.raw('s.seller_id'))] : []);

const ofListed = (s: Search): RawBuilder<unknown>[] =>
  s.only === undefined ? [] : [sql`s.goods_id = any(${[...s.only]}::bigint[])`];

/** All conditions except the game, each by the cheapest comparison for a row already read. */
function rowFilters(s: Search): RawBuilder<unknown>[] {
  return [
    ...(s.typeId === undefined ? [] : [sql`s.type_id = ${s.typeId}::smallint`]),
    ...(s.areaId === undefined ? [] : [sql`s.area_id = ${s.areaId}::int`]),
    ...(s.serverId === undefined ? [] : [sql`s.server_id = ${s.serverId}::int`]),
    ...priceBounds(s),
    ...rangeBounds(s),
    ...hasTokens(s.exact),
    ...counted(s),
    ...ofPresent(s),
    ...ofListed(s),
  ];
}

/**
 * The condition on online sellers for a search by index. Without other tokens only the sellers' index finds the listings of the few who
 * are online, so it uses their ids. Used only after a walk has shown that few rows match; otherwise each row is
 * checked.
 */
function throughSellers(s: Search): RawBuilder<unknown>[] {
  if (!s.present) return [];
  const byToken = s.exact.length + s.coarse.length > 0 || s.sellerId !== undefined;
  return byToken ? ofPresent(s) : [sql`s.seller_id = any(array(${presentIds()}))`];
}

const inGames = ({ games }: Search): RawBuilder<unknown>[] =>
  games === null
    ? []
    : [games.length === 1 ? sql`s.game_id = ${games[0]}::int` : sql`s.game_id = any(${[...games]}::int[])`];

/** Whether a search by index has tokens. */
export const usesTokens = (s: Search): boolean =>
  s.exact.length + s.coarse.length > 0 || [s.typeId, s.areaId, s.serverId].some((id) => id !== undefined);

/** The conditions for a search by the token index: every condition with a token is expressed by it. */
export function indexFilters(s: Search): RawBuilder<unknown>[] {
  const tokens = [...s.exact, ...s.coarse];
  if (s.typeId !== undefined) tokens.push(`'t:${s.typeId}'`);
  if (s.areaId !== undefined) tokens.push(`'a:${s.areaId}'`);
  if (s.serverId !== undefined) tokens.push(`'s:${s.serverId}'`);
  return [
    ...inGames(s),
    ...(s.sellerId === undefined ? [] : [sql`s.seller_id = ${s.sellerId}::bigint`]),
    ...hasTokens(tokens),
    ...priceBounds(s),
    ...rangeBounds(s),
    ...counted(s),
    ...throughSellers(s),
    ...ofListed(s),
  ];
}

/** Columns of goods_search that the filters need. */
const WALKED = sql.raw(
  's.goods_id, s.game_id, s.type_id, s.area_id, s.server_id, s.seller_id, s.price_fen, s.n1, s.n2, s.n3, s.n4, s.score, s.refreshed_at, s.tsv',
);

/** At most `max` rows along the index of the sort order; `game` restricts them to one game's part of the index. */
function steps(s: Search, range: PageRange, game: RawBuilder<unknown> | undefined, max: number): RawBuilder<unknown> {
  const order = ORDERS[s.sort];
  const views = s.sort === 'views';
  const [from, extra] = views
    ? [sql.raw('goods_stat st join goods_search s on s.goods_id = st.goods_id'), sql.raw(', st.views')]
    : [sql.raw('goods_search s'), NOTHING];
  const byPrice = s.sort === 'priceAsc' || s.sort === 'priceDesc';
  const inGame = game
    ? [sql`${sql.raw(views ? 'st.game_id' : 's.game_id')} = ${game}`]
    : views
      ? [sql`st.game_id is not null`]
      : [];
  // Within a game each goods type has its own index for every order but views.
  if (game && s.typeId !== undefined) inGame.push(sql`s.type_id = ${s.typeId}::smallint`);
  const id = sql.raw(views ? 'st.goods_id' : 's.goods_id');
  const direction = sql.raw(order.descending ? 'desc' : '');
  return sql`select ${WALKED}${extra} from ${from}
    where ${and([...inGame, ...behind(order, range.after), ...(byPrice ? priceBounds(s) : [])])}
    order by ${order.column} ${direction}, ${id} ${direction} limit ${max}::bigint`;
}

/** The matching rows of a walk, as hits. */
function fitting(s: Search, rows: RawBuilder<unknown>, filters: readonly RawBuilder<unknown>[], max: number) {
  const order = ORDERS[s.sort];
  const key = s.sort === 'views' ? sql.raw('s.views') : order.number;
  const sorted = s.sort === 'views' ? sql.raw('s.views') : order.column;
  const direction = sql.raw(order.descending ? 'desc' : '');
  return sql`select s.goods_id as id, ${key} as key from (${rows}) s where ${and(filters)}
    order by ${sorted} ${direction}, s.goods_id ${direction} limit ${max}::bigint`;
}

/**
 * Walks at most `max` rows along the index of the sort order and returns the matches. Fast when a fair part of the listings matches;
 * otherwise it returns fewer hits than requested.
 */
export function walk(s: Search, range: PageRange, max: number): RawBuilder<Hit> {
  const wanted = range.offset + range.limit;
  const direction = sql.raw(ORDERS[s.sort].descending ? 'desc' : '');
  const page = sql`order by h.key ${direction}, h.id ${direction} limit ${range.limit}::bigint offset ${range.offset}::bigint`;
  const { games } = s;
  if (games !== null && games.length > 1 && isOrdered(s)) {
    // Each game's index gives its first rows; the first of these are the overall first.
    const rows = fitting(s, steps(s, range, sql`g.id`, wanted), [], wanted);
    return sql<Hit>`${OWN_PLAN} select h.id, h.key from unnest(${[...games]}::int[]) g(id) cross join lateral (${rows}) h ${page}`;
  }
  const matches = walked(s, range, isOrdered(s) ? wanted : Math.max(max, wanted * 2), wanted);
  return sql<Hit>`${OWN_PLAN} select h.id, h.key from (${matches}) h ${page}`;
}

/** At most `wanted` hits among the next `max` rows of the sort order. */
export function walked(s: Search, range: PageRange, max: number, wanted: number): RawBuilder<unknown> {
  const { games } = s;
  const only = games?.length === 1 ? sql`${games[0]}::int` : undefined;
  const inGames = games !== null && games.length > 1 ? [sql`s.game_id = any(${[...games]}::int[])`] : [];
  return fitting(s, steps(s, range, only, max), [...rowFilters(s), ...inGames], wanted);
}

/** A hit and the number of all matches; a page without hits has one row of nulls with the number. */
interface Gathered {
  id: number | null;
  key: number | null;
  all: number;
}

/**
 * Finds at most `max` matching rows by the token index (or the seller's, or the price's) and sorts them. `all` is their number.
 */
export function gather(s: Search, range: PageRange, max: number): RawBuilder<Gathered> {
  const order = ORDERS[s.sort];
  const stat = s.sort === 'views' ? sql.raw('join goods_stat st on st.goods_id = s.goods_id') : NOTHING;
  return sql<Gathered>`${OWN_PLAN}
    with s as materialized (select s.goods_id, s.price_fen, s.score, s.refreshed_at from goods_search s where ${and(indexFilters(s))} limit ${max}::bigint)
    select h.id, h.key, c.n as all from (select count(*)::int as n from s) c left join lateral (
      select s.goods_id as id, ${order.number} as key from s ${stat} where ${and(behind(order, range.after))}
      ${inOrder(order)} limit ${range.limit}::bigint offset ${range.offset}::bigint) h on true`;
}

/**
 * The page's listings among the matches up to a sort value, over all games or several. Two bitmaps, of the words and of
 * the sort order up to that value, reduce the fetch to rows in both. Games are compared in the rows: bitmaps of two
 * indexes that share a condition are never joined.
 */
export function reached(s: Search, sort: Exclude<Sort, 'views'>, range: PageRange, key: number): RawBuilder<Hit> {
  const order = INDEXED[sort];
  const end = sql`${order.column} ${sql.raw(order.descending ? '>=' : '<=')} ${order.stored(key)}`;
  const ofGames = s.games === null ? [] : [sql`s.game_id + 0 = any(${[...s.games]}::int[])`];
  const filters = and([end, ...behind(order, range.after), ...indexFilters({ ...s, games: null }), ...ofGames]);
  return sql<Hit>`${OWN_PLAN}
    with s as materialized (select s.goods_id, s.price_fen, s.score, s.refreshed_at from goods_search s where ${filters})
    select s.goods_id as id, ${order.number} as key from s ${inOrder(order)} limit ${range.limit}::bigint offset ${range.offset}::bigint`;
}

/** The matching ones of these listings. */
export async function matchingGoods(db: Db, s: Search, ids: readonly number[]): Promise<{ id: number }[]> {
  const inGames = s.games === null ? [] : [sql`s.game_id = any(${[...s.games]}::int[])`];
  const ofSeller = s.sellerId === undefined ? [] : [sql`s.seller_id = ${s.sellerId}::bigint`];
  const filters = and([sql`s.goods_id = any(${[...ids]}::bigint[])`, ...inGames, ...ofSeller, ...rowFilters(s)]);
  const query = sql<{ id: number }>`${OWN_PLAN} select s.goods_id as id from goods_search s where ${filters}`;
  return (await query.execute(db)).rows;
}

/** Whether an index contains exactly the requested listings in the requested order. */
export function isOrdered(s: Search): boolean {
  const inGame = s.games !== null && s.sort !== 'views';
  const byPrice = s.sort === 'priceAsc' || s.sort === 'priceDesc';
  const rest = {
    ...s,
    typeId: inGame ? undefined : s.typeId,
    ...(byPrice && { minFen: undefined, maxFen: undefined }),
  };
  return s.sellerId === undefined && rowFilters(rest).length === 0;
}

/** The cursor after a row. */
export function cursorOf(sort: Sort, hit: Hit): string {
  return encodeCursor([sort, hit.key, hit.id]);
}

/** Decodes a cursor of the same sort order. Throws BAD_INPUT for any other. */
export function decodeSortCursor(sort: Sort, cursor: string | undefined): PageRange['after'] {
  const values = decodeCursor(cursor, 3);
  if (!values) return undefined;
  const [of, key, id] = values;
  const isValid = (n: unknown, max: number): n is number => Number.isSafeInteger(n) && Math.abs(n as number) <= max;
  if (of !== sort || !isValid(key, ORDERS[sort].max) || !isValid(id, Number.MAX_SAFE_INTEGER))
    throw new AppError('BAD_INPUT', { text: '翻页位置已失效，请返回第一页' });
  return [key, id];
}
