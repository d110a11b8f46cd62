/** How the listings of a page are found: along the sort order, by their words, or by both. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import {
  type Estimate,
  type Found,
  gather,
  usesTokens,
  isOrdered,
  MAX_COUNT,
  type PageRange,
  reached,
  type Search,
  walk,
} from './search.ts';

/** Rows of the first, short index walk; a few milliseconds of work. */
const WALK_ROWS = 1500;
/** Rows of the long walk, used when there are too many matches to sort. */
const LONG_WALK_ROWS = 30_000;
/** Up to this many matches are fetched and sorted. */
const FEW_MATCHES = 4000;
/** A walk may read this many times the number of rows estimated by the sample, before another method is used. */
const PATIENCE = 4;
/** With this many hits in the short walk, a longer one is expected to fill the page. */
const PROMISING_HITS = 3;
/**
 * The minimum cost of `reached`, in rows fetched, and the number of index entries that are read in the time of one row.
 */
const REACHED_ROWS = 150;
const ENTRIES_PER_ROW = 15;

/**
 * Runs a query by index. Without tokens it is planned without sequential scans: for a condition that seems common the planner would scan
 * the table until enough rows are found, which is the whole table when its estimate is wrong. Rows that match tokens
 * are estimated to be few, so that the planner uses their index.
 */
export async function byIndex<T>(db: Db, s: Search, query: RawBuilder<T>): Promise<T[]> {
  if (usesTokens(s)) return (await query.execute(db)).rows;
  return await db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    return (await query.execute(trx)).rows;
  });
}

/** The page of all matches, if there are at most `max`; undefined when there are more. */
async function gathered(db: Db, s: Search, range: PageRange, max: number): Promise<Found | undefined> {
  const rows = await byIndex(db, s, gather(s, range, max + 1));
  const all = rows[0]?.all ?? 0;
  if (all > max) return undefined;
  const hits = rows.flatMap(({ id, key }) => (id === null || key === null ? [] : [{ id, key }]));
  return { hits, total: Math.min(all, MAX_COUNT + 1) };
}

/**
 * The listings of a page, in order. With an estimate it uses the method that the sample suggests; without one, or where that was wrong, it
 * tries the methods in turn.
 */
export async function findGoods(db: Db, s: Search, range: PageRange, estimate?: Estimate): Promise<Found> {
  if (s.games?.length === 0 || s.only?.length === 0) return { hits: [], total: 0 };
  // Few enough to read by id.
  if (s.only) return (await gathered(db, s, range, s.only.length)) ?? { hits: [], total: 0 };
  if (!estimate) return await findUnknown(db, s, range);
  const total = isMany(estimate) ? MAX_COUNT + 1 : undefined;
  if (isOrdered(s)) return { hits: (await walk(s, range, 0).execute(db)).rows, total };
  const found = await findEstimated(db, s, range, estimate);
  return found.total === undefined ? { hits: found.hits, total } : found;
}

async function findEstimated(db: Db, s: Search, range: PageRange, estimate: Estimate): Promise<Found> {
  const { matches, rows } = estimate;
  // No index of goods_search is in the order of views, and within a game the rows of the order are few.
  const sort = s.sort === 'views' || s.games?.length === 1 ? undefined : s.sort;
  const reach = sort && estimate.reach;
  const reaching = reach && REACHED_ROWS + (reach.rows + matches) / ENTRIES_PER_ROW;
  if (!isMany(estimate)) {
    // Fetching all matches also counts them.
    const few = matches <= FEW_MATCHES ? await gathered(db, s, range, FEW_MATCHES) : undefined;
    return few ?? (await findUnknown(db, s, range));
  }
  if (sort && reach && reaching !== undefined && reaching < Math.min(rows, matches)) {
    const { rows: hits } = await reached(s, sort, range, reach.key).execute(db);
    if (hits.length === range.limit) return { hits, total: undefined };
  } else if (matches < rows) {
    const all = await gathered(db, s, range, Math.max(FEW_MATCHES, Math.ceil(matches * 2)));
    if (all) return all;
  } else {
    const { rows: hits } = await walk(s, range, Math.max(WALK_ROWS, Math.ceil(rows * PATIENCE))).execute(db);
    if (hits.length === range.limit) return { hits, total: undefined };
  }
  return await findUnknown(db, s, range);
}

/** Whether the sample makes it certain that more listings match than the exact count limit. */
export const isMany = ({ least }: Estimate): boolean => least > MAX_COUNT;

/**
 * The listings of a page of which nothing is known. It first walks a short way along the sort order. If that finds too few, the matches are
 * fetched through the token index when they are few, and otherwise by a long walk. This choice is not left to the planner. For three and
 * four characters its estimate is wrong by orders of magnitude, because the pairs of one word always occur together; and it does
 * not know that cheap or new listings have other attributes than the rest.
 */
async function findUnknown(db: Db, s: Search, range: PageRange): Promise<Found> {
  let promising = false;
  if (s.sellerId === undefined) {
    const { rows } = await walk(s, range, WALK_ROWS).execute(db);
    if (rows.length === range.limit || isOrdered(s)) return { hits: rows, total: undefined };
    promising = range.offset === 0 && rows.length >= PROMISING_HITS;
  }
  const few = promising ? undefined : await gathered(db, s, range, FEW_MATCHES);
  if (few) return few;
  const { rows } = await walk(s, range, LONG_WALK_ROWS).execute(db);
  if (rows.length === range.limit) return { hits: rows, total: undefined };
  return (await gathered(db, s, range, Number.MAX_SAFE_INTEGER - 1)) ?? { hits: [], total: undefined };
}
