/** How a node fills its sample of the listings on sale, and when. */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { onSaleCounts } from '#subjects/games/server/service.ts';
import { MAX_SAMPLE, type Sample, SampleBuilder } from './sample.ts';
import type { Estimate, PageRange, Search } from './search.ts';

/** Smaller markets need no sample: search and count are fast enough. */
const SAMPLED_FROM = 50_000;
/** Target number of rows of a sample; chance may add a few hundred. */
const ROWS = 60_000;
/** How long a sample is used; the old one stays in use while a new one is read and after a failed read. */
const MAX_AGE_MS = 10 * 60_000;
/** A sample that could not be refreshed for this long is discarded. */
const ENDS_MS = 3 * MAX_AGE_MS;
const RETRY_MS = 60_000;
const BATCH = 200;
/**
 * The index goods_search_sample (migration 0672) contains this fraction of all rows, those whose hash is below its
 * bound.
 */
export const INDEXED_FRACTION = 1 / 16;
const MIN_HASH = -2_147_483_648;
const HASHES = 4_294_967_296;
const SEPARATOR = '\u001f';

interface Row {
  hash: number;
  gameId: number;
  priceFen: number;
  score: number;
  fresh: number;
  n1: number | null;
  n2: number | null;
  n3: number | null;
  n4: number | null;
  words: string;
}

/**
 * Reads a sample of the market: each listing is included with the probability `fraction`, at most INDEXED_FRACTION, by
 * the hash of its id. Uses short statements, so that others can run in between.
 */
export async function readSample(db: Db, fraction: number): Promise<Sample> {
  const builder = new SampleBuilder();
  const below = MIN_HASH + Math.floor(HASHES * Math.min(fraction, INDEXED_FRACTION));
  let behind: [hash: number, id: number] = [MIN_HASH, 0];
  for (;;) {
    const { rows } = await sql<Row & { id: number }>`
      select hashint8(goods_id) as hash, goods_id as id, game_id as "gameId", price_fen as "priceFen", score,
        (extract(epoch from refreshed_at) * 1000000)::bigint as fresh, n1, n2, n3, n4,
        array_to_string(tsvector_to_array(tsv), ${SEPARATOR}) as words
      from goods_search where hashint8(goods_id) < -1879048192 and hashint8(goods_id) < ${below}::int
        and (hashint8(goods_id), goods_id) > (${behind[0]}::int, ${behind[1]}::bigint)
      order by hashint8(goods_id), goods_id limit ${BATCH}`.execute(db);
    builder.add(
      rows.map(({ n1, n2, n3, n4, words, ...row }) => ({ ...row, n: [n1, n2, n3, n4], words: words.split(SEPARATOR) })),
    );
    const last = rows.at(-1);
    if (rows.length < BATCH || !last || builder.size === MAX_SAMPLE) break;
    behind = [last.hash, last.id];
    await setImmediate();
  }
  return await builder.build((below - MIN_HASH) / HASHES);
}

/** The sample of a node. Never waits: returns none until the sample has been read. */
class Sampler {
  readonly #ctx: Context;
  #sample: Sample | undefined;
  #nextAt = 0;
  #endsAt = 0;
  #isReading = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  current(onSale: number): Sample | undefined {
    if (onSale < SAMPLED_FROM) return undefined;
    if (!this.#isReading && performance.now() >= this.#nextAt) void this.#read(ROWS / onSale);
    return performance.now() < this.#endsAt ? this.#sample : undefined;
  }

  async #read(fraction: number): Promise<void> {
    this.#isReading = true;
    try {
      this.#sample = await readSample(this.#ctx.db, fraction);
      this.#nextAt = performance.now() + MAX_AGE_MS;
      this.#endsAt = performance.now() + ENDS_MS;
    } catch (error) {
      this.#nextAt = performance.now() + RETRY_MS;
      this.#ctx.log.warn({ error: String(error) }, 'no new sample of the listings on sale');
    } finally {
      this.#isReading = false;
    }
  }
}

const samplers = cacheKind('goods.sample', (ctx: Context) => new Sampler(ctx));

/**
 * The estimate of the node's sample for a page of a search; undefined without a sample, or when it gives no estimate.
 */
export async function loadEstimate(ctx: Context, s: Search, range: PageRange): Promise<Estimate | undefined> {
  let onSale = 0;
  for (const types of (await onSaleCounts(ctx)).values()) for (const n of types.values()) onSale += n;
  return cacheOf(ctx, samplers).current(onSale)?.estimate(s, range);
}
