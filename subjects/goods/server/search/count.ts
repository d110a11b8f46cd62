import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { and, type Estimate, indexFilters, isOrdered, MAX_COUNT, OWN_PLAN, type Search, walked } from './search.ts';
import { byIndex, isMany } from './find-goods.ts';

/** Rows from which a count is estimated, and the limit of a count along the index. */
const PROBED_ROWS = 1500;
const COUNTED_ROWS = 16_000;

/** The number of matches among the first `max` rows, at most MAX_COUNT + 1. */
async function countedAlong(db: Db, s: Search, max: number): Promise<number> {
  const hits = walked(s, { after: undefined, offset: 0, limit: 0 }, max, MAX_COUNT + 1);
  const { rows } = await sql<{ count: number }>`${OWN_PLAN} select count(*)::int as count from (${hits}) c`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * The number of matches: exact up to MAX_COUNT, MAX_COUNT + 1 for 'more'. With many matches a walk finds that many within milliseconds,
 * while the token index would first collect all matches, hundreds of times the work; with few matches it is the reverse. A sample
 * decides between the two, or a short walk.
 */
export async function countGoods(db: Db, search: Search, estimate?: Estimate): Promise<number> {
  if (search.games?.length === 0) return 0;
  if (estimate && isMany(estimate)) return MAX_COUNT + 1;
  const inBand = search.minFen !== undefined || search.maxFen !== undefined;
  // Sorted by price, the rows within the price bounds are adjacent.
  const s: Search = { ...search, sort: inBand ? 'priceAsc' : 'newest' };
  // All rows of such a walk match; one over several games also reads others.
  if (isOrdered(s) && (s.games === null || s.games.length === 1)) return await countedAlong(db, s, MAX_COUNT + 1);
  if (s.sellerId === undefined && !estimate) {
    const probed = await countedAlong(db, s, PROBED_ROWS);
    if (probed > MAX_COUNT) return probed;
    if ((probed / PROBED_ROWS) * COUNTED_ROWS > MAX_COUNT * 1.5) {
      const count = await countedAlong(db, s, COUNTED_ROWS);
      if (count > MAX_COUNT) return count;
    }
  }
  const rows = await byIndex(
    db,
    s,
    sql<{ count: number }>`${OWN_PLAN} select count(*)::int as count
      from (select from goods_search s where ${and(indexFilters(s))} limit ${MAX_COUNT + 1}::bigint) c`,
  );
  return rows[0]?.count ?? 0;
}
