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

interface Around {
  db: Db;
  bus: Bus;
  log: Logger;
}

/** A message lost on the bus is repaired after this. */
const CATALOGUE_TTL_MS = 60_000;
const COUNTS_TTL_MS = 10_000;

/** Bus channel that says that games, areas, fields or steps have changed. */
export const CATALOGUE_CHANNEL = 'catalogue';

/** Reads the whole catalogue, without keeping it. */
export async function readCatalogue(db: Trx): Promise<Catalogue> {
  const [games, areas, servers, versions] = await Promise.all([
    queries.games(db),
    queries.areas(db),
    queries.servers(db),
    queries.newestVersions(db),
  ]);
  return assemble({ games, areas, servers, versions });
}

interface Kept {
  catalogue: StaleWhileRevalidate<Catalogue>;
  /** What was read last; stays while it is read again. */
  latest: Catalogue | undefined;
  counts: StaleWhileRevalidate<ReadonlyMap<number, ReadonlyMap<number, number>>>;
}

const kept = new WeakMap<Db, Kept>();

function keptOf(ctx: Around): Kept {
  const known = kept.get(ctx.db);
  if (known) return known;
  const fresh: Kept = {
    catalogue: new StaleWhileRevalidate(async () => (fresh.latest = await readCatalogue(ctx.db)), CATALOGUE_TTL_MS),
    latest: undefined,
    counts: new StaleWhileRevalidate(async () => await countOnSale(ctx.db), COUNTS_TTL_MS),
  };
  kept.set(ctx.db, fresh);
  ctx.bus.subscribe(CATALOGUE_CHANNEL, () => fresh.catalogue.drop());
  return fresh;
}

/** The catalogue, kept in memory and dropped by the bus channel 'catalogue'; after a drop the first reader waits for the new one. */
export async function catalogue(ctx: Around): Promise<Catalogue> {
  const { catalogue: value } = keptOf(ctx);
  const current = await value.get();
  // An installation that is just being filled would otherwise stay empty for a minute.
  if (current.list().length === 0) value.drop();
  return current;
}

/** The catalogue as it was read last, without waiting; binding the slice reads it first. */
export function catalogueOf(ctx: Around): Catalogue {
  const own = keptOf(ctx);
  void catalogue(ctx).catch((error: unknown) => ctx.log.warn({ error: String(error) }, 'catalogue not read'));
  assert(own.latest, 'the catalogue is read before it is asked for');
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

/** How many goods are on sale by game and goods type; up to ten seconds old, counted for everybody at once. */
export async function onSaleCounts(ctx: Around): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>> {
  return await keptOf(ctx).counts.get();
}

/** Games that have coin, with its unit. */
export function coinGames(all: Catalogue): { gameId: number; name: string; unit: (typeof coinUnits)[number] }[] {
  return all.list().flatMap(({ id, name, coinUnit }) => {
    const unit = coinUnits.find((known) => known === coinUnit);
    return unit ? [{ gameId: id, name, unit }] : [];
  });
}
