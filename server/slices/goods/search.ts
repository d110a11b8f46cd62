import { type RawBuilder, sql } from 'kysely';
import type { goodsSorts } from '#contract/goods.ts';
import { type Db, UNPREPARED } from '#server/db/client.ts';
import { decodeCursor, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { isPresent, presentIds } from '#server/slices/accounts/service.ts';
import type { Conditions } from './filters.ts';

export type Sort = (typeof goodsSorts)[number];

/** A search in the terms of goods_search. `games` null means every game. */
export interface Search extends Conditions {
  games: readonly number[] | null;
  typeId: number | undefined;
  areaId: number | undefined;
  serverId: number | undefined;
  sellerId: number | undefined;
  /** Only of sellers who are present. */
  present: boolean;
  /** Bounds of the all-in price. */
  minFen: number | undefined;
  maxFen: number | undefined;
  sort: Sort;
}

/** Where a page begins: behind a row, or so many rows from the start. */
export interface Place {
  after: readonly [key: number, id: number] | undefined;
  offset: number;
  limit: number;
}

export interface Hit {
  id: number;
  /** The value it is sorted by; with the id it is the cursor. */
  key: number;
}

/** Rows of an index walked in order before another way is looked at; a few milliseconds of work. */
const WALK_ROWS = 1500;
/** Rows walked when there are too many matches to sort them all. */
const LONG_WALK_ROWS = 30_000;
/** Rows by which a count is guessed, and those it may take where many fit. */
const PROBED_ROWS = 1500;
const COUNTED_ROWS = 16_000;
/** Matches that are fetched and sorted whole without a second thought. */
const FEW_MATCHES = 4000;
/** So many hits on a short walk promise that a longer one will fill the page. */
const PROMISING_HITS = 3;
/** Counts are exact up to here (conventions.md, lists). */
export const MAX_COUNT = 1000;

const OWN_PLAN = sql.raw(UNPREPARED);
const NOTHING = sql``;

interface Order {
  /** The sort value of a row of goods_search `s` (and of goods_stat `st`, for views) as stored, which an index is over. */
  column: RawBuilder<unknown>;
  /** As a whole number. */
  number: RawBuilder<unknown>;
  /** A whole number as the column's type. */
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

const ORDERS: Readonly<Record<Sort, Order>> = {
  default: plain('s.score', 'int', true, INT4_MAX),
  priceAsc: plain('s.price_fen', 'bigint', false, Number.MAX_SAFE_INTEGER),
  priceDesc: plain('s.price_fen', 'bigint', true, Number.MAX_SAFE_INTEGER),
  views: plain('st.views', 'int', true, INT4_MAX),
  newest: {
    column: sql.raw('s.refreshed_at'),
    // Microseconds of the epoch: a cursor must not lose what the database compares by.
    number: sql.raw('(extract(epoch from s.refreshed_at) * 1000000)::bigint'),
    stored: (key) => sql`(timestamptz 'epoch' + ${key}::bigint * interval '1 microsecond')`,
    descending: true,
    max: 4_000_000_000_000_000,
  },
};

const and = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);

const inOrder = (order: Order): RawBuilder<unknown> =>
  order.descending ? sql`order by ${order.column} desc, s.goods_id desc` : sql`order by ${order.column}, s.goods_id`;

function behind(order: Order, after: Place['after']): RawBuilder<unknown>[] {
  if (!after) return [];
  const [key, id] = after;
  const row = sql`(${order.column}, s.goods_id)`;
  const mark = sql`(${order.stored(key)}, ${id}::bigint)`;
  return [order.descending ? sql`${row} < ${mark}` : sql`${row} > ${mark}`];
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

/** How many of some tokens a row has, compared with how many it must have. */
function counted(s: Search): RawBuilder<unknown>[] {
  return s.atLeast.map(({ count, tokens }) => {
    const each = tokens.map((t) => sql`(s.tsv @@ ${`'${t.replace(/[\\']/g, '$&$&')}'`}::tsquery)::int`);
    return sql`${sql.join(each, sql` + `)} >= ${count}::int`;
  });
}

const hasWords = (parts: readonly string[]): RawBuilder<unknown>[] =>
  parts.length === 0 ? [] : [sql`s.tsv @@ ${parts.join(' & ')}::tsquery`];

const ofPresent = (s: Search): RawBuilder<unknown>[] => (s.present ? [isPresent(sql.raw('s.seller_id'))] : []);

/** Everything a row must satisfy beside its game, by the cheapest comparison for a row that is at hand. */
function rowFilters(s: Search): RawBuilder<unknown>[] {
  return [
    ...(s.typeId === undefined ? [] : [sql`s.type_id = ${s.typeId}::smallint`]),
    ...(s.areaId === undefined ? [] : [sql`s.area_id = ${s.areaId}::int`]),
    ...(s.serverId === undefined ? [] : [sql`s.server_id = ${s.serverId}::int`]),
    ...priceBounds(s),
    ...rangeBounds(s),
    ...hasWords(s.exact),
    ...counted(s),
    ...ofPresent(s),
  ];
}

/**
 * Without a word no index but the sellers' own finds what few people who are present offer: their ids lead there. Only for when a walk
 * has shown that few rows fit; where many do, a row at hand is asked by itself.
 */
function throughSellers(s: Search): RawBuilder<unknown>[] {
  if (!s.present) return [];
  const byWord = s.exact.length + s.coarse.length > 0 || s.sellerId !== undefined;
  return byWord ? ofPresent(s) : [sql`s.seller_id = any(array(${presentIds()}))`];
}

/** The same for finding rows through the words' index: every condition that has a token is one. */
function indexFilters(s: Search): RawBuilder<unknown>[] {
  const words = [...s.exact, ...s.coarse];
  if (s.typeId !== undefined) words.push(`'t:${s.typeId}'`);
  if (s.areaId !== undefined) words.push(`'a:${s.areaId}'`);
  if (s.serverId !== undefined) words.push(`'s:${s.serverId}'`);
  return [
    ...(s.games === null ? [] : [sql`s.game_id = any(${[...s.games]}::int[])`]),
    ...(s.sellerId === undefined ? [] : [sql`s.seller_id = ${s.sellerId}::bigint`]),
    ...hasWords(words),
    ...priceBounds(s),
    ...rangeBounds(s),
    ...counted(s),
    ...throughSellers(s),
  ];
}

/** Columns of goods_search that a walked row is judged by. */
const WALKED = sql.raw(
  's.goods_id, s.game_id, s.type_id, s.area_id, s.server_id, s.seller_id, s.price_fen, s.n1, s.n2, s.n3, s.n4, s.score, s.refreshed_at, s.tsv',
);

/** Rows along the index of the sort order, at most `steps` of them; `game` limits them to one game's part of the index. */
function steps(s: Search, place: Place, game: RawBuilder<unknown> | undefined, max: number): RawBuilder<unknown> {
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
    where ${and([...inGame, ...behind(order, place.after), ...(byPrice ? priceBounds(s) : [])])}
    order by ${order.column} ${direction}, ${id} ${direction} limit ${max}::bigint`;
}

/** Of walked rows those that fit, as hits. */
function fitting(s: Search, rows: RawBuilder<unknown>, filters: readonly RawBuilder<unknown>[], max: number) {
  const order = ORDERS[s.sort];
  const key = s.sort === 'views' ? sql.raw('s.views') : order.number;
  const sorted = s.sort === 'views' ? sql.raw('s.views') : order.column;
  const direction = sql.raw(order.descending ? 'desc' : '');
  return sql`select s.goods_id as id, ${key} as key from (${rows}) s where ${and(filters)}
    order by ${sorted} ${direction}, s.goods_id ${direction} limit ${max}::bigint`;
}

/**
 * Walks the index of the sort order and keeps what fits, for at most `max` rows. Answers fast when a fair part of the goods fits;
 * otherwise it comes back with less than was asked for.
 */
function walk(s: Search, place: Place, max: number): RawBuilder<Hit> {
  const wanted = place.offset + place.limit;
  const direction = sql.raw(ORDERS[s.sort].descending ? 'desc' : '');
  const page = sql`order by h.key ${direction}, h.id ${direction} limit ${place.limit}::bigint offset ${place.offset}::bigint`;
  const { games } = s;
  if (games !== null && games.length > 1 && isOrdered(s)) {
    // Each game's own index gives its best rows; the best of these are the best of all.
    const rows = fitting(s, steps(s, place, sql`g.id`, wanted), [], wanted);
    return sql<Hit>`${OWN_PLAN} select h.id, h.key from unnest(${[...games]}::int[]) g(id) cross join lateral (${rows}) h ${page}`;
  }
  const found = walked(s, place, isOrdered(s) ? wanted : Math.max(max, wanted * 2), wanted);
  return sql<Hit>`${OWN_PLAN} select h.id, h.key from (${found}) h ${page}`;
}

/** At most `wanted` hits among the next `max` rows of the sort order. */
function walked(s: Search, place: Place, max: number, wanted: number): RawBuilder<unknown> {
  const { games } = s;
  const only = games?.length === 1 ? sql`${games[0]}::int` : undefined;
  const inGames = games !== null && games.length > 1 ? [sql`s.game_id = any(${[...games]}::int[])`] : [];
  return fitting(s, steps(s, place, only, max), [...rowFilters(s), ...inGames], wanted);
}

/**
 * Finds the rows that fit through the words' index (or the seller's, or the price's), at most `max` of them, and sorts them.
 * `all` says how many there were.
 */
function gather(s: Search, place: Place, max: number): RawBuilder<Hit & { all: number }> {
  const order = ORDERS[s.sort];
  const stat = s.sort === 'views' ? sql.raw('join goods_stat st on st.goods_id = s.goods_id') : NOTHING;
  return sql<Hit & { all: number }>`${OWN_PLAN}
    with s as materialized (select s.goods_id, s.price_fen, s.score, s.refreshed_at from goods_search s where ${and(indexFilters(s))} limit ${max}::bigint)
    select h.id, h.key, c.n as all from (select count(*)::int as n from s) c left join lateral (
      select s.goods_id as id, ${order.number} as key from s ${stat} where ${and(behind(order, place.after))}
      ${inOrder(order)} limit ${place.limit}::bigint offset ${place.offset}::bigint) h on true`;
}

/** Whether an index holds exactly the goods asked for in the order asked for. */
function isOrdered(s: Search): boolean {
  const inGame = s.games !== null && s.sort !== 'views';
  const byPrice = s.sort === 'priceAsc' || s.sort === 'priceDesc';
  const rest = {
    ...s,
    typeId: inGame ? undefined : s.typeId,
    ...(byPrice && { minFen: undefined, maxFen: undefined }),
  };
  return s.sellerId === undefined && rowFilters(rest).length === 0;
}

/**
 * Runs a query for matches by an index. Where a word seems common the planner would read the table until enough rows turned up,
 * which is all of it when its guess is wrong.
 */
async function byIndex<T>(db: Db, query: RawBuilder<T>): Promise<T[]> {
  return await db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    return (await query.execute(trx)).rows;
  });
}

/** Every row that fits, if there are at most `max`; undefined when there are more. */
async function gathered(db: Db, s: Search, place: Place, max: number): Promise<Hit[] | undefined> {
  const rows = await byIndex(db, gather(s, place, max + 1));
  if ((rows[0]?.all ?? 0) > max) return undefined;
  return rows.filter((r) => r.id !== null).map(({ id, key }) => ({ id, key }));
}

/**
 * The goods of a page, in order. First a short walk along the sort order; when too few of its rows fit, the matches themselves are
 * fetched through the index of words, if they are few, else a long walk finds the page. The planner is not left to choose between
 * these: for three and four characters its guess is wrong by orders of magnitude, because the pairs of one word always come
 * together, and it does not know that what is cheap or new has other attributes than the rest (facts/stack.md 3).
 */
export async function findGoods(db: Db, s: Search, place: Place): Promise<Hit[]> {
  if (s.games?.length === 0) return [];
  let promising = false;
  if (s.sellerId === undefined) {
    const { rows } = await walk(s, place, WALK_ROWS).execute(db);
    if (rows.length === place.limit || isOrdered(s)) return rows;
    promising = place.offset === 0 && rows.length >= PROMISING_HITS;
  }
  const few = promising ? undefined : await gathered(db, s, place, FEW_MATCHES);
  if (few) return few;
  const { rows } = await walk(s, place, LONG_WALK_ROWS).execute(db);
  if (rows.length === place.limit) return rows;
  return (await gathered(db, s, place, Number.MAX_SAFE_INTEGER - 1)) ?? [];
}

/** How many of the first `max` rows fit, and no more than one beyond MAX_COUNT. */
async function countedAlong(db: Db, s: Search, max: number): Promise<number> {
  const hits = walked(s, { after: undefined, offset: 0, limit: 0 }, max, MAX_COUNT + 1);
  const { rows } = await sql<{ count: number }>`${OWN_PLAN} select count(*)::int as count from (${hits}) c`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * How many goods fit: exact up to MAX_COUNT, and one more than that for 'more'. Where many fit, a walk meets so many within
 * milliseconds, while the index of words would first gather all that fit, hundreds of times as much work; where few fit it is the other
 * way round. A short walk tells which it is.
 */
export async function countGoods(db: Db, given: Search): Promise<number> {
  if (given.games?.length === 0) return 0;
  const inBand = given.minFen !== undefined || given.maxFen !== undefined;
  // Prices between bounds stand together in the order of prices.
  const s: Search = { ...given, sort: inBand ? 'priceAsc' : 'newest' };
  if (s.sellerId === undefined) {
    const probed = await countedAlong(db, s, PROBED_ROWS);
    if (probed > MAX_COUNT) return probed;
    if ((probed / PROBED_ROWS) * COUNTED_ROWS > MAX_COUNT * 1.5) {
      const count = await countedAlong(db, s, COUNTED_ROWS);
      if (count > MAX_COUNT) return count;
    }
  }
  const rows = await byIndex(
    db,
    sql<{ count: number }>`${OWN_PLAN} select count(*)::int as count
      from (select from goods_search s where ${and(indexFilters(s))} limit ${MAX_COUNT + 1}::bigint) c`,
  );
  return rows[0]?.count ?? 0;
}

/** The cursor behind a row. */
export function cursorOf(sort: Sort, hit: Hit): string {
  return encodeCursor([sort, hit.key, hit.id]);
}

/** Reads a cursor of the same sort order. Throws BAD_INPUT for any other. */
export function placeAfter(sort: Sort, cursor: string | undefined): Place['after'] {
  const values = decodeCursor(cursor, 3);
  if (!values) return undefined;
  const [of, key, id] = values;
  const fits = (n: unknown, max: number): n is number => Number.isSafeInteger(n) && Math.abs(n as number) <= max;
  if (of !== sort || !fits(key, ORDERS[sort].max) || !fits(id, Number.MAX_SAFE_INTEGER))
    throw new AppError('BAD_INPUT', { text: '翻页位置已失效，请返回第一页' });
  return [key, id];
}
