import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { TtlCache } from '#server/kernel/cache.ts';

/** The values of a game's listings on sale, for comparing one listing with them. */
export interface Scale {
  /** Values of each numeric field, ascending. */
  readonly numbers: ReadonlyMap<string, readonly number[]>;
  /** Number of listings that have an option, by `field:option`. */
  readonly options: ReadonlyMap<string, number>;
}

/** Maximum number of newest listings compared: enough for a percentage, and a bounded query. */
const SAMPLE = 1_000;
/** Minimum number of values for a percentile. */
const MIN_VALUES = 30;
const TTL_MS = 6 * 3_600_000;
const MAX_GAMES = 200;

/** Counts numbers and options of attributes. Whole accounts are compared with each other, whatever their type. */
export function scaleFrom(rows: readonly Readonly<Record<string, unknown>>[]): Scale {
  const numbers = new Map<string, number[]>();
  const options = new Map<string, number>();
  const count = (key: string) => options.set(key, (options.get(key) ?? 0) + 1);
  for (const attrs of rows) {
    for (const [key, value] of Object.entries(attrs)) {
      if (typeof value === 'number') {
        const list = numbers.get(key);
        if (list) list.push(value);
        else numbers.set(key, [value]);
      } else if (Array.isArray(value)) for (const v of value) count(`${key}:${String(v)}`);
      else if (value !== null && typeof value === 'object') for (const v of Object.keys(value)) count(`${key}:${v}`);
    }
  }
  for (const list of numbers.values()) list.sort((a, b) => a - b);
  return { numbers, options };
}

const scales = cacheKind('goods.coverScales', () => new TtlCache<Scale>({ ttlMs: TTL_MS, max: MAX_GAMES }));

/** The scale of a game's accounts on sale, up to six hours old. */
export async function accountScale(ctx: Pick<Context, 'db' | 'caches'>, gameId: number): Promise<Scale> {
  return await cacheOf(ctx, scales).get(String(gameId), async () => {
    const { rows } = await sql<{ attrs: Record<string, unknown> }>`
      select attrs from goods where game_id = ${gameId} and type_id = any(${[...accountTypes]}::smallint[]) and status = ${sql.lit(GoodsStatus.OnSale)}
      order by id desc limit ${SAMPLE}`.execute(ctx.db);
    return scaleFrom(rows.map(({ attrs }) => attrs));
  });
}

/**
 * Percentage of the listings with a lower value of the field than `value`, 0 to 99; undefined when there are too few.
 */
export function shareBelow(scale: Scale, key: string, value: number): number | undefined {
  const sorted = scale.numbers.get(key) ?? [];
  if (sorted.length < MIN_VALUES) return undefined;
  const first = sorted.findIndex((v) => v >= value);
  const below = first === -1 ? sorted.length : first;
  return Math.min(99, Math.round((below / sorted.length) * 100));
}
