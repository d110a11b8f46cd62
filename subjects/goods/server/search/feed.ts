/**
 * Feeds the optional search engine (docs/decisions/405): sends changed listings, fills a new index alongside the live
 * one, and swaps the two. A single job does all of it, so an older state of a listing never overwrites a newer one.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import type { SearchDocument, SearchEngine } from '#server/ports/search-engine.ts';
import { ENGINE_CHANNEL, engineId } from './find.ts';

/** Version of the documents; increase it when their words change, so that every market fills a new index. */
const DOCUMENT_VERSION = 1;
const CHANGES = 500;
const COPIED = 500;
const RUN_MS = 15_000;
const EVERY_SECONDS = 1;
const AWAY_SECONDS = 3;
const OFF_SECONDS = 60;
/** After the swap, the old index receives no more queries once this time has passed. */
const OLD_SECONDS = 60;
/** An engine that was unavailable this long gets a new index; the changes that it missed are not stored. */
const GIVE_UP_HOURS = 6;
/** A worker with another SEARCH_URL, or none, takes over when no worker with the current one has run for this long. */
const HANDOVER_MINUTES = 5;
/** Tolerated difference between the numbers of documents while listings change. */
const TOLERATED = 20;
const TOLERATED_SHARE = 0.001;

interface Feed {
  engine: string | null;
  live: string | null;
  building: string | null;
  old: string | null;
  isStale: boolean;
  copiedTo: number;
  /** Whether all transactions have ended that may have changed a row without recording the change. */
  isComplete: boolean;
  isOldUnused: boolean;
  isCheckDue: boolean;
  /** The name prefix of all indexes of this market. */
  family: string;
  /** Whether a worker with the engine of this row ran recently. */
  isInUse: boolean;
}

const prefixOf = ({ family }: Feed): string => `${family}v${DOCUMENT_VERSION}_`;
const isCurrent = (feed: Feed): boolean => feed.live?.startsWith(prefixOf(feed)) === true;

async function readFeed(db: Db): Promise<Feed> {
  const { rows } = await sql<Feed>`
    select engine, live, building, old, is_stale as "isStale", copied_to as "copiedTo",
      coalesce(pg_snapshot_xmin(pg_current_snapshot())::text::bigint > since_xid, false) as "isComplete",
      coalesce(live_at < now() - make_interval(secs => ${OLD_SECONDS}), true) as "isOldUnused",
      coalesce(checked_at < now() - interval '1 hour', true) as "isCheckDue", family,
      engine is not null and fed_at > now() - make_interval(mins => ${HANDOVER_MINUTES}) as "isInUse"
    from search_feed`.execute(db);
  const feed = rows[0];
  if (!feed) throw new Error('search_feed has no row');
  return feed;
}

const setFeed = async (db: Db, values: RawBuilder<unknown>): Promise<void> =>
  void (await sql`update search_feed set ${values}`.execute(db));

/** Stops recording changes and deletes the recorded ones. */
async function switchOff(db: Db): Promise<void> {
  await setFeed(db, sql`engine = null, live = null, building = null, old = null, is_stale = false`);
  for (;;) {
    const { numAffectedRows: n } = await sql`
      delete from search_change where id in (select id from search_change order by id limit 10000)`.execute(db);
    if (n === undefined || n === 0n) return;
  }
}

async function documents(db: Db, where: RawBuilder<unknown>): Promise<SearchDocument[]> {
  const { rows } = await sql<SearchDocument>`
    select s.goods_id as id, s.game_id as game, s.type_id as type, s.area_id as area, s.server_id as server, s.seller_id as seller,
      s.price_fen as price, s.score, (extract(epoch from s.refreshed_at) * 1000000)::bigint as fresh, s.n1, s.n2, s.n3, s.n4,
      tsvector_to_array(s.tsv) as words
    from goods_search s where ${where}`.execute(db);
  return rows;
}

/** Sends the oldest changes to every index in use; returns how many there were. */
async function sendChanges(db: Db, engine: SearchEngine, indexes: readonly string[]): Promise<number> {
  const { rows: changes } = await sql<{ id: number; goodsId: number }>`
    select id, goods_id as "goodsId" from search_change order by id limit ${CHANGES}`.execute(db);
  if (changes.length === 0) return 0;
  const ids = [...new Set(changes.map(({ goodsId }) => goodsId))];
  const found = await documents(db, sql`s.goods_id = any(${ids}::bigint[])`);
  const there = new Set(found.map(({ id }) => id));
  const gone = ids.filter((id) => !there.has(id));
  for (const index of indexes) {
    await engine.put(index, found);
    await engine.remove(index, gone);
  }
  await sql`delete from search_change where id = any(${changes.map(({ id }) => id)}::bigint[])`.execute(db);
  return changes.length;
}

/** Copies the next listings into the new index; returns whether those were the last. */
async function copyNext(db: Db, engine: SearchEngine, feed: Feed, building: string): Promise<boolean> {
  const next = await documents(db, sql`s.goods_id > ${feed.copiedTo}::bigint order by s.goods_id limit ${COPIED}`);
  await engine.put(building, next);
  const last = next.at(-1);
  if (last) await setFeed(db, sql`copied_to = ${last.id}::bigint`);
  return next.length < COPIED;
}

/** Switches searches to the filled index. */
async function swap(ctx: Context, engine: SearchEngine, feed: Feed, building: string): Promise<void> {
  await engine.publish(building);
  await setFeed(
    ctx.db,
    sql`live = ${building}::text, building = null, old = ${feed.live}::text, is_stale = false, live_at = now(), checked_at = now()`,
  );
  ctx.bus.publish(ENGINE_CHANNEL, {});
  ctx.log.info({ index: building }, 'the search engine answers from a new index');
  await dropForgotten(ctx.db, engine);
}

/** Deletes indexes that the state no longer refers to, after a long absence of the engine or a killed run. */
async function dropForgotten(db: Db, engine: SearchEngine): Promise<void> {
  const { family, live, building, old } = await readFeed(db);
  for (const index of await engine.unpublished(family))
    if (![live, building, old].includes(index)) await engine.drop(index);
}

/** Whether the engine has about as many documents as there are listings on sale. */
async function isWhole(db: Db, engine: SearchEngine, live: string): Promise<boolean> {
  const { rows } = await sql<{
    n: number;
  }>`select coalesce(sum(n), 0)::bigint as n from on_sale_figure`.execute(db);
  const there = rows[0]?.n ?? 0;
  return Math.abs((await engine.count(live)) - there) <= Math.max(TOLERATED, there * TOLERATED_SHARE);
}

/** Updates the state before anything is sent: the configured engine and its existing indexes. */
async function prepare({ db }: Context, engine: SearchEngine): Promise<Feed> {
  const before = await readFeed(db);
  if (before.engine !== engineId(engine)) {
    await switchOff(db);
    await setFeed(db, sql`engine = ${engineId(engine)}, since_xid = null, fed_at = now()`);
  }
  await sql`update search_feed set fed_at = now() where fed_at < now() - interval '30 seconds'`.execute(db);
  // A separate statement: a transaction that did not see the engine yet has a smaller number.
  await sql`update search_feed set since_xid = pg_current_xact_id()::text::bigint where since_xid is null`.execute(db);
  let feed = await readFeed(db);
  if (feed.live !== null && !(await engine.has(feed.live))) await setFeed(db, sql`live = null, is_stale = true`);
  if (feed.building !== null && !(await engine.has(feed.building))) await setFeed(db, sql`building = null`);
  if (feed.old !== null && feed.isOldUnused) {
    await engine.drop(feed.old);
    await setFeed(db, sql`old = null`);
  }
  feed = await readFeed(db);
  if (feed.live !== null && isCurrent(feed) && feed.isCheckDue) {
    await dropForgotten(db, engine);
    const isStale = !(await isWhole(db, engine, feed.live));
    await setFeed(db, sql`checked_at = now(), is_stale = is_stale or ${isStale}`);
    feed = await readFeed(db);
  }
  if (feed.building === null && (feed.isStale || !isCurrent(feed))) {
    await dropForgotten(db, engine);
    const building = `${prefixOf(feed)}${Date.now().toString(36)}`;
    await engine.create(building);
    await setFeed(db, sql`building = ${building}, copied_to = 0`);
  }
  return await readFeed(db);
}

/** Sends and copies until nothing remains or the time limit of a run is reached. */
async function work(ctx: Context, engine: SearchEngine): Promise<void> {
  const until = performance.now() + RUN_MS;
  await prepare(ctx, engine);
  while (performance.now() < until) {
    const feed = await readFeed(ctx.db);
    const sent = await sendChanges(
      ctx.db,
      engine,
      [feed.live, feed.building].flatMap((index) => index ?? []),
    );
    if (feed.building !== null && feed.isComplete) {
      const isLast = await copyNext(ctx.db, engine, feed, feed.building);
      if (isLast && sent < CHANGES) await swap(ctx, engine, feed, feed.building);
    } else if (sent < CHANGES) return;
  }
}

async function isLost(db: Db): Promise<boolean> {
  const { rows } = await sql<{ lost: boolean }>`
    select coalesce((select at from search_change order by id limit 1) < now() - make_interval(hours => ${GIVE_UP_HOURS}), false) as lost`.execute(
    db,
  );
  return rows[0]?.lost === true;
}

/** One run of the job; returns when the next is due. */
export async function feedEngine(ctx: Context): Promise<{ seconds: number }> {
  const engine = ctx.searchEngine;
  const { engine: fed, isInUse } = await readFeed(ctx.db);
  // During a rolling restart the workers' settings differ; the next run may be by a worker with the other setting.
  if (isInUse && (!engine || fed !== engineId(engine))) return { seconds: EVERY_SECONDS };
  if (!engine) {
    if (fed !== null) await switchOff(ctx.db);
    return { seconds: OFF_SECONDS };
  }
  try {
    await work(ctx, engine);
    return { seconds: EVERY_SECONDS };
  } catch (error) {
    if (!(error instanceof UnknownResult) && !(error instanceof VendorRejected)) throw error;
    ctx.log.warn({ error: String(error) }, 'the search engine takes no documents');
    if (await isLost(ctx.db)) await switchOff(ctx.db);
    return { seconds: AWAY_SECONDS };
  }
}
