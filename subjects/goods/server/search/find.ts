/** Which listings a list shows: by the search engine if there is one that is up to date, else by PostgreSQL. */
import { sql } from 'kysely';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import type { EngineQuery, SearchEngine } from '#server/ports/search-engine.ts';
import { engineQueryOf } from './engine-query.ts';
import {
  type Estimate,
  type Found,
  type Hit,
  isOrdered,
  matchingGoods,
  MAX_COUNT,
  type PageRange,
  type Search,
} from './search.ts';
import { findGoods } from './find-goods.ts';

interface FeedState {
  readonly live: string | null;
  /** Maximum age of the oldest change that the engine has not received. */
  readonly lagMs: number;
}

const STATE_MS = 1_000;
/** Maximum number of engine pages requested to fill one page, when some hits have changed meanwhile. */
const ROUNDS = 3;

/** Bus channel for a change of the index in use. */
export const ENGINE_CHANNEL = 'goods.engine';

const feedStates = cacheKind('goods.engine', () => new TtlCache<FeedState>({ ttlMs: STATE_MS, max: 1 }), {
  dropOn: [ENGINE_CHANNEL],
});

/** The feed state of the engine at `place`: the index to query, and how far it is behind. */
export async function feedState(db: Db, engine: Pick<SearchEngine, 'name' | 'place'>): Promise<FeedState> {
  const { rows } = await sql<FeedState>`
    select live, coalesce(extract(epoch from clock_timestamp() - (select at from search_change order by id limit 1)) * 1000, 0)::float8 as "lagMs"
    from search_feed where engine = ${engineId(engine)}`.execute(db);
  return rows[0] ?? { live: null, lagMs: 0 };
}

/** The name of an engine in `search_feed`. */
export const engineId = ({ name, place }: Pick<SearchEngine, 'name' | 'place'>): string => `${name} ${place}`;

/** The engine's hits that still match, in its order; undefined when too many do not. */
async function confirmed(ctx: Context, engine: SearchEngine, index: string, s: Search, query: EngineQuery) {
  const found: Hit[] = [];
  let total: number | undefined;
  let next = query;
  for (let round = 0; round < ROUNDS; round++) {
    const answer = await engine.search(index, next);
    total ??= answer.total;
    const ids = answer.hits.map(({ id }) => id);
    const matching = new Set((await matchingGoods(ctx.db, s, ids)).map(({ id }) => id));
    found.push(...answer.hits.filter(({ id }) => matching.has(id)));
    const last = answer.hits.at(-1);
    if (found.length >= query.limit || answer.hits.length < next.limit || !last)
      return { hits: found.slice(0, query.limit), total: total && Math.min(total, MAX_COUNT + 1) };
    next = { ...query, after: [last.key, last.id], offset: 0 };
  }
  return undefined;
}

async function byEngine(ctx: Context, s: Search, range: PageRange): Promise<Found | undefined> {
  const engine = ctx.searchEngine;
  // PostgreSQL is fastest for a list in the order of an index.
  if (!engine || s.games?.length === 0 || isOrdered(s)) return undefined;
  const query = engineQueryOf(s, range);
  if (!query) return undefined;
  const { live, lagMs } = await cacheOf(ctx, feedStates).get('', async () => await feedState(ctx.db, engine));
  if (live === null || lagMs > ctx.config.nodes.searchLagMs) return undefined;
  try {
    return await confirmed(ctx, engine, live, s, query);
  } catch (error) {
    if (!(error instanceof UnknownResult) && !(error instanceof VendorRejected)) throw error;
    return undefined;
  }
}

/**
 * The listings of a page, in order. An engine's hits are shown only if their rows match now, so a listing that is sold, hidden, of
 * another game or of another price is never found. PostgreSQL answers when the engine is unavailable or behind, or does
 * not support the query.
 */
export async function findListed(ctx: Context, s: Search, range: PageRange, estimate?: Estimate): Promise<Found> {
  return (await byEngine(ctx, s, range)) ?? (await findGoods(ctx.db, s, range, estimate));
}
