import type { Logger } from 'pino';
import type { Db, Trx } from '#server/db/client.ts';
import { StaleWhileRevalidate } from '#server/kernel/cache.ts';
import { assert } from '#server/kernel/errors.ts';
import type { Bus } from '#server/ports/bus.ts';
import * as queries from './queries.ts';
import { coinUnits } from '#contract/rules/catalogue.ts';
import { assemble, type Catalogue } from './rules.ts';

export {
  guaranteesOf,
  type MeasuredRate,
  type MeasuredRates,
  type OfferedGuarantee,
  type RatePart,
} from './guarantees.ts';
export {
  type Area,
  type Catalogue,
  type Game,
  type GoodsType,
  gameMatch,
  type ReadableAttr,
  readableAttrs,
  recommended,
  type RuledOutStep,
  showValue,
  type Server,
  showsGame,
  stepsForGoods,
} from './rules.ts';

interface CatalogueContext {
  db: Db;
  bus: Bus;
  log: Logger;
}

/** A message lost on the bus has an effect for at most this long. */
const CATALOGUE_TTL_MS = 60_000;
const COUNTS_TTL_MS = 10_000;

/** Bus channel for changes of games, areas, fields or steps. */
export const CATALOGUE_CHANNEL = 'catalogue';

/** Reads the whole catalogue from the database. */
export async function readCatalogue(db: Trx): Promise<Catalogue> {
  const [games, areas, servers, versions] = await Promise.all([
    queries.games(db),
    queries.areas(db),
    queries.servers(db),
    queries.newestVersions(db),
  ]);
  return assemble({ games, areas, servers, versions });
}

interface CatalogueCaches {
  catalogue: StaleWhileRevalidate<Catalogue>;
  /** The last value; stays available during a reload. */
  latest: Catalogue | undefined;
  counts: StaleWhileRevalidate<ReadonlyMap<number, ReadonlyMap<number, number>>>;
}

const caches = new WeakMap<Db, CatalogueCaches>();

function cachesOf(ctx: CatalogueContext): CatalogueCaches {
  const existing = caches.get(ctx.db);
  if (existing) return existing;
  const created: CatalogueCaches = {
    catalogue: new StaleWhileRevalidate(async () => (created.latest = await readCatalogue(ctx.db)), CATALOGUE_TTL_MS),
    latest: undefined,
    counts: new StaleWhileRevalidate(async () => await countOnSale(ctx.db), COUNTS_TTL_MS),
  };
  caches.set(ctx.db, created);
  ctx.bus.subscribe(CATALOGUE_CHANNEL, () => created.catalogue.drop());
  return created;
}

/** The catalogue, cached in memory and dropped by the bus channel 'catalogue'; after a drop the first reader waits for the new one. */
export async function catalogue(ctx: CatalogueContext): Promise<Catalogue> {
  const { catalogue: value } = cachesOf(ctx);
  const current = await value.get();
  // Otherwise an installation that is being seeded would stay empty for a minute.
  if (current.list().length === 0) value.drop();
  return current;
}

/** The last catalogue that was read, without waiting; binding the slice reads it first. */
export function catalogueOf(ctx: CatalogueContext): Catalogue {
  const own = cachesOf(ctx);
  void catalogue(ctx).catch((error: unknown) => ctx.log.warn({ error: String(error) }, 'catalogue not read'));
  assert(own.latest, 'the catalogue has not been read yet');
  return own.latest;
}

async function countOnSale(db: Db): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>> {
  const counts = new Map<number, Map<number, number>>();
  for (const { gameId, typeId, count } of await queries.onSaleCounts(db)) {
    const types = counts.get(gameId) ?? new Map<number, number>();
    counts.set(gameId, types.set(typeId, count));
  }
  return counts;
}

/** The number of listings on sale by game and goods type; up to ten seconds old, shared by all callers. */
export async function onSaleCounts(ctx: CatalogueContext): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>> {
  return await cachesOf(ctx).counts.get();
}

/** Games with coins, and their unit. */
export function coinGames(all: Catalogue): { gameId: number; name: string; unit: (typeof coinUnits)[number] }[] {
  return all.list().flatMap(({ id, name, coinUnit }) => {
    const unit = coinUnits.find((candidate) => candidate === coinUnit);
    return unit ? [{ gameId: id, name, unit }] : [];
  });
}
