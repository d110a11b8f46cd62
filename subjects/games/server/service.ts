import type { Logger } from 'pino';
import { cacheKind, cacheOf, type HasCaches } from '#server/caches.ts';
import type { Db, Trx } from '#server/db/client.ts';
import { StaleWhileRevalidate } from '#server/kernel/cache.ts';
import { assert } from '#server/kernel/errors.ts';
import { CATALOGUE_CHANNEL } from './channel.ts';
import * as queries from './queries.ts';
import { coinUnits } from '#contract/rules/catalogue.ts';
import { gameIconUrl } from '../rules/game-icon.ts';
import { assemble, type Catalogue } from './rules.ts';

export { CATALOGUE_CHANNEL } from './channel.ts';
export {
  exportGames,
  type ImportedGame,
  importGames,
  type ImportOptions,
  type ImportReport,
  type ImportSource,
  storeShippedGames,
} from './import.ts';
export { listShippedGames, type ShippedGame } from './shipped.ts';
export { guaranteesOf, type MeasuredRate, type OfferedGuarantee, type RatePart } from './guarantees.ts';
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
  type Server,
  showsGame,
  stepsForGoods,
} from './rules.ts';

interface CatalogueContext extends HasCaches {
  readonly db: Db;
  readonly log: Logger;
}

/** Upper limit of how long a lost bus message leaves the cache stale. */
const CATALOGUE_TTL_MS = 60_000;
const COUNTS_TTL_MS = 10_000;

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

/** The catalogue; its last value stays available while it is read again. */
class CatalogueCache extends StaleWhileRevalidate<Catalogue> {
  latest: Catalogue | undefined;

  constructor(db: Db) {
    super(async () => (this.latest = await readCatalogue(db)), CATALOGUE_TTL_MS);
  }
}

const catalogueCache = cacheKind('games.catalogue', ({ db }: CatalogueContext) => new CatalogueCache(db), {
  dropOn: [CATALOGUE_CHANNEL],
});

const onSaleCache = cacheKind(
  'games.onSale',
  ({ db }: CatalogueContext) => new StaleWhileRevalidate(async () => await countOnSale(db), COUNTS_TTL_MS),
);

/** The catalogue, cached in memory and dropped by the bus channel 'catalogue'; after that the first reader waits for the new one. */
export async function catalogue(ctx: CatalogueContext): Promise<Catalogue> {
  const value = cacheOf(ctx, catalogueCache);
  const current = await value.get();
  // Otherwise an installation that is being seeded would stay empty for a minute.
  if (current.list().length === 0) value.drop();
  return current;
}

/** The last catalogue that was read, without waiting; it is first read when the subject is bound. */
export function catalogueOf(ctx: CatalogueContext): Catalogue {
  const { latest } = cacheOf(ctx, catalogueCache);
  void catalogue(ctx).catch((error: unknown) => ctx.log.warn({ error: String(error) }, 'catalogue not read'));
  assert(latest, 'the catalogue has not been read yet');
  return latest;
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
  return await cacheOf(ctx, onSaleCache).get();
}

/** The URL of a game's icon; null for a game that no longer exists. */
export function iconOf(all: Catalogue, gameId: number | null): string | null {
  const game = gameId === null ? undefined : all.known(gameId);
  return game ? gameIconUrl({ ...game, icon: game.iconKey }) : null;
}

/** Games with coins, and their unit. */
export function coinGames(all: Catalogue): { gameId: number; name: string; unit: (typeof coinUnits)[number] }[] {
  return all.list().flatMap(({ id, name, coinUnit }) => {
    const unit = coinUnits.find((candidate) => candidate === coinUnit);
    return unit ? [{ gameId: id, name, unit }] : [];
  });
}
