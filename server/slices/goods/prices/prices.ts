import { sql } from 'kysely';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { TtlCache, StaleWhileRevalidate } from '#server/kernel/cache.ts';
import type { Catalogue } from '#server/slices/games/service.ts';
import { visibleTitle } from '#contract/rules/contacts.ts';
import { nearest, parseSegment, type Segment, segmentOf } from './segments.ts';

/** Minimum sales for a price band (domain.md 4). */
export const MIN_SAMPLES = 30;
const BANDS_TTL_MS = 60_000;
const SALES_TTL_MS = 60_000;
/** Number of newest sales of a game and goods type to choose comparables from. */
const SALES = 200;
/** Points of a listing's price chart. */
const CHARTED = 40;
const COMPARABLES = 5;

interface Stat {
  segment: Segment | null;
  lowFen: number;
  typicalFen: number;
  highFen: number;
  samples: number;
}

type PriceContext = Pick<Context, 'db' | 'caches'>;

/** Price statistics of sales by game and goods type. */
export type Bands = ReadonlyMap<string, readonly Stat[]>;

/** A sale as a candidate for a comparable; `numbers` are its integer attributes. */
export interface Sale {
  title: string;
  priceFen: number;
  at: Date;
  numbers: Readonly<Record<string, number>>;
}

/** The bus channel that says that the prices were recomputed. */
const PRICES_CHANNEL = 'prices';

const bandsCache = cacheKind(
  'prices.bands',
  ({ db }: PriceContext) => new StaleWhileRevalidate(async () => await readBands(db), BANDS_TTL_MS),
  { dropOn: [PRICES_CHANNEL] },
);

const salesCache = cacheKind('prices.sales', () => new TtlCache<readonly Sale[]>({ ttlMs: SALES_TTL_MS, max: 100 }), {
  dropOn: [PRICES_CHANNEL],
});

const pairOf = (gameId: number, typeId: number): string => `${gameId}:${typeId}`;

async function readBands(db: Db): Promise<Bands> {
  const { rows } = await sql<Omit<Stat, 'segment'> & { gameId: number; typeId: number; segment: string }>`
    select game_id as "gameId", type_id as "typeId", segment, low_fen as "lowFen", typical_fen as "typicalFen", high_fen as "highFen", samples
    from price_stat where samples >= ${MIN_SAMPLES}`.execute(db);
  const bands = new Map<string, Stat[]>();
  for (const { gameId, typeId, segment, ...stat } of rows) {
    const key = pairOf(gameId, typeId);
    bands.set(key, [...(bands.get(key) ?? []), { ...stat, segment: parseSegment(segment) }]);
  }
  return bands;
}

/** Low, typical and high prices of sales, computed by the job `goods.stats`; up to a minute old. */
export async function priceBands(ctx: PriceContext): Promise<Bands> {
  return await cacheOf(ctx, bandsCache).get();
}

/** Drops the caches of all nodes after the prices were recomputed. */
export function dropPrices({ bus }: Pick<Context, 'bus'>): void {
  bus.publish(PRICES_CHANNEL, {});
}

export interface Priced {
  gameId: number;
  typeId: number;
  priceFen: number;
  attrs: Readonly<Record<string, unknown>>;
}

/**
 * The statistics for a listing: of its segment, or of the whole type where the type has no segments; undefined when there were too few
 * similar sales.
 */
function statOf(bands: Bands, goods: Omit<Priced, 'priceFen'>): Stat | undefined {
  const stats = bands.get(pairOf(goods.gameId, goods.typeId)) ?? [];
  const parts = stats.flatMap((s) => s.segment ?? []);
  if (parts.length === 0) return stats[0];
  const own = segmentOf(parts, goods.attrs);
  return own && stats.find((s) => s.segment === own);
}

/** The price band of a listing, amounts in fen; null below 30 similar sales. */
export function bandOf(bands: Bands, all: Catalogue, goods: Priced) {
  const stat = statOf(bands, goods);
  if (!stat) return null;
  const { lowFen, typicalFen, highFen, samples, segment } = stat;
  return {
    low: lowFen,
    typical: typicalFen,
    high: highFen,
    samples,
    segment: segment && segmentLabel(all, goods.gameId, segment),
    diffPercent: Math.round((goods.priceFen / typicalFen - 1) * 100),
    position: Math.min(1, Math.max(0, (goods.priceFen - lowFen) / Math.max(1, highFen - lowFen))),
  };
}

/** A segment as text: '皮肤数量 350–420'. */
function segmentLabel(all: Catalogue, gameId: number, segment: Segment): string | null {
  const field = all.game(gameId)?.fields.find((f) => f.key === segment.key);
  if (!field) return null;
  const span = segment.min === segment.max ? String(segment.min) : `${segment.min}–${segment.max}`;
  return `${field.label} ${span}${field.unit ?? ''}`;
}

/** Newest sales of a game and goods type of the last 90 days, cached for a minute. */
async function recentSales(ctx: PriceContext, gameId: number, typeId: number): Promise<readonly Sale[]> {
  return await cacheOf(ctx, salesCache).get(pairOf(gameId, typeId), async () => {
    const { rows } = await sql<{ title: string; priceFen: number; at: Date; attrs: Record<string, unknown> | null }>`
      select snapshot->>'title' as title, unit_price_fen as "priceFen", completed_at as at, snapshot->'attrs' as attrs
      from orders where status = 3 and game_id = ${gameId} and type_id = ${typeId} and completed_at > now() - interval '90 days'
      order by completed_at desc limit ${SALES}`.execute(ctx.db);
    return rows.map(({ attrs, title, ...sale }) => ({
      ...sale,
      title: visibleTitle(title),
      numbers: numbersOf(attrs ?? {}),
    }));
  });
}

const numbersOf = (attrs: Readonly<Record<string, unknown>>): Record<string, number> =>
  Object.fromEntries(Object.entries(attrs).filter((e): e is [string, number] => typeof e[1] === 'number'));

/** Rounds down to ten minutes, so that a sale cannot be matched to a person by its exact time (reliability.md b.46). */
const rounded = (at: Date): Date => new Date(Math.floor(at.getTime() / 600_000) * 600_000);

/** The day in China: 2026-11-20. */
const dayOf = (at: Date): string => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10);

/** The five most similar sales, newest first, and the sales for its chart; from its own segment where there are segments. Fen. */
export async function comparablesOf(
  ctx: PriceContext,
  goods: Priced,
): Promise<{
  comparables: { title: string; price: number; dealTime: Date }[];
  sales: { day: string; price: number }[];
}> {
  const [bands, all] = await Promise.all([priceBands(ctx), recentSales(ctx, goods.gameId, goods.typeId)]);
  const segment = statOf(bands, goods)?.segment;
  const alike = segment ? all.filter((s) => segmentOf([segment], s.numbers) !== undefined) : all;
  const target = { priceFen: goods.priceFen, numbers: numbersOf(goods.attrs) };
  const charted = alike.slice(0, CHARTED).map((s) => ({ day: dayOf(s.at), price: s.priceFen }));
  return {
    comparables: nearest(alike, target, COMPARABLES).map((s) => ({
      title: s.title,
      price: s.priceFen,
      dealTime: rounded(s.at),
    })),
    sales: charted.toReversed(),
  };
}

/** Low, typical and high prices of whole goods types with enough sales. */
export async function typeBands(
  ctx: PriceContext,
): Promise<readonly (Omit<Stat, 'segment'> & { gameId: number; typeId: number })[]> {
  return [...(await priceBands(ctx))].flatMap(([key, stats]) => {
    const [gameId = 0, typeId = 0] = key.split(':').map(Number);
    const wholeType = stats.find((s) => s.segment === null);
    if (!wholeType) return [];
    const { segment: _, ...stat } = wholeType;
    return { gameId, typeId, ...stat };
  });
}
