import { chinaDay } from '#contract/rules/time/china-time.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import { visibleTitle } from '#contract/rules/contacts/contacts.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { StaleWhileRevalidate, TtlCache } from '#server/kernel/cache.ts';
import { rounded, salesLike, type SimilarSales } from '#subjects/valuation/server/service.ts';

/** Minimum sales for a price or a time (domain.md 4). */
export const MIN_SAMPLES = 30;
const TYPES_TTL_MS = 60_000;
const SALES_TTL_MS = 60_000;
/** Number of newest sales of a game and goods type from which comparables are chosen when there is no model. */
const SALES = 200;
/** Number of points in a listing's price chart. */
const CHARTED = 40;
const COMPARABLES = 5;

type PriceContext = Pick<Context, 'db' | 'caches'>;

/** A sale as a candidate for a comparable; `numbers` are its integer attributes. */
export interface Sale {
  title: string;
  priceFen: number;
  at: Date;
  numbers: Readonly<Record<string, number>>;
}

/** The bus channel for recomputed prices. */
const PRICES_CHANNEL = 'prices';

/** Quartiles of a whole goods type's sales in 90 days, in fen. */
interface TypePrices {
  gameId: number;
  typeId: number;
  lowFen: number;
  typicalFen: number;
  highFen: number;
  samples: number;
}

const typesCache = cacheKind(
  'prices.types',
  ({ db }: PriceContext) => new StaleWhileRevalidate(async () => await readTypes(db), TYPES_TTL_MS),
  { dropOn: [PRICES_CHANNEL] },
);

const salesCache = cacheKind('prices.sales', () => new TtlCache<readonly Sale[]>({ ttlMs: SALES_TTL_MS, max: 100 }), {
  dropOn: [PRICES_CHANNEL],
});

async function readTypes(db: Db): Promise<readonly TypePrices[]> {
  const { rows } = await sql<TypePrices>`
    select game_id as "gameId", type_id as "typeId", low_fen as "lowFen", typical_fen as "typicalFen", high_fen as "highFen", samples
    from price_stat where samples >= ${MIN_SAMPLES}`.execute(db);
  return rows;
}

/**
 * Quartiles of whole goods types with enough sales, for the list of market prices; up to a minute old. Not a reference
 * for a single listing.
 */
export async function typePrices(ctx: PriceContext): Promise<readonly TypePrices[]> {
  return await cacheOf(ctx, typesCache).get();
}

/** Drops the caches of all nodes after the prices were recomputed. */
export function dropPrices({ bus }: Pick<Context, 'bus'>): void {
  bus.publish(PRICES_CHANNEL, {});
}

/** Newest sales of a game and goods type of the last 90 days, cached for a minute. */
async function recentSales(ctx: PriceContext, gameId: number, typeId: number): Promise<readonly Sale[]> {
  return await cacheOf(ctx, salesCache).get(`${gameId}:${typeId}`, async () => {
    const { rows } = await sql<{ title: string; priceFen: number; at: Date; attrs: Record<string, unknown> | null }>`
      select snapshot->>'title' as title, unit_price_fen as "priceFen", completed_at as at, snapshot->'attrs' as attrs
      from orders where status = ${sql.lit(OrderStatus.Completed)} and game_id = ${gameId} and type_id = ${typeId} and completed_at > now() - interval '90 days'
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

/** The day in China: 2026-11-20. */

const apart = (a: number, b: number): number => Math.abs(Math.log((a + 1) / (b + 1)));

/**
 * The `count` sales whose numbers are most similar, newest first; among equal ones the newest. Prices are not
 * considered.
 */
export function nearest<T extends Pick<Sale, 'numbers' | 'at'>>(
  sales: readonly T[],
  numbers: Readonly<Record<string, number>>,
  count: number,
): T[] {
  const keys = Object.keys(numbers).filter((k) => (numbers[k] ?? 0) >= 0);
  const distance = ({ numbers: other }: T): number => {
    const shared = keys.filter((k) => (other[k] ?? -1) >= 0);
    const sum = shared.reduce((all, k) => all + apart(other[k] ?? 0, numbers[k] ?? 0), 0);
    return shared.length === 0 ? 1 : sum / shared.length;
  };
  const newestFirst = (a: T, b: T): number => b.at.getTime() - a.at.getTime();
  return sales
    .map((sale) => ({ sale, by: distance(sale) }))
    .toSorted((a, b) => a.by - b.by || newestFirst(a.sale, b.sale))
    .slice(0, count)
    .map(({ sale }) => sale)
    .toSorted(newestFirst);
}

/** The properties of a listing that determine its comparables. */
export interface Compared {
  gameId: number;
  typeId: number;
  areaId: number | null;
  attrs: Readonly<Record<string, unknown>>;
}

/**
 * The five most similar sales, newest first, and the sales for its chart, amounts in fen. They are chosen by
 * attributes: for accounts by the model's value, otherwise by numeric attributes.
 */
export async function loadComparables(ctx: PriceContext, goods: Compared): Promise<SimilarSales> {
  const like = await salesLike(ctx, goods, { titles: COMPARABLES, dots: CHARTED });
  if (like) return like;
  const all = await recentSales(ctx, goods.gameId, goods.typeId);
  const charted = all.slice(0, CHARTED).map((s) => ({ day: chinaDay(s.at), price: s.priceFen }));
  return {
    comparables: nearest(all, numbersOf(goods.attrs), COMPARABLES).map((s) => ({
      title: s.title,
      price: s.priceFen,
      dealTime: rounded(s.at),
    })),
    sales: charted.toReversed(),
  };
}
