import { sql } from 'kysely';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import type { ModelBody } from './model/model.ts';

/** A game's model as it is stored. */
export interface Model {
  gameId: number;
  version: number;
  body: ModelBody;
  samples: number;
  errorBp: number;
  madeAt: Date;
  isStale: boolean;
  /** First and last day of the sales. */
  fromDay: string;
  toDay: string;
}

/** Share of a month's sales within the band, in percent with one decimal. */
export interface MonthRate {
  month: string;
  percent: number;
  sales: number;
}

/** A month with fewer sales has no meaningful rate. */
const MIN_MONTH = 10;
const TTL_MS = 60_000;
const STALE_HOURS = 36;

export type ModelContext = Pick<Context, 'db' | 'caches'>;

/** The bus channel that announces newly fitted models. */
export const MODELS_CHANNEL = 'valuation.models';

const models = cacheKind('valuation.models', () => new TtlCache<Model | undefined>({ ttlMs: TTL_MS, max: 100 }), {
  dropOn: [MODELS_CHANNEL],
});
const rates = cacheKind('valuation.months', () => new TtlCache<MonthRate[]>({ ttlMs: TTL_MS, max: 100 }), {
  dropOn: [MODELS_CHANNEL],
});

/** Drops the models of all processes after some were fitted again; a lost message is repaired within a minute. */
export function dropModels({ bus }: Pick<Context, 'bus'>): void {
  bus.publish(MODELS_CHANNEL, {});
}

/** A game's model, up to a minute old; undefined when there are too few sales. `reader` loads it if it is not cached. */
export async function loadModel(ctx: ModelContext, gameId: number, reader: Trx = ctx.db): Promise<Model | undefined> {
  return await cacheOf(ctx, models).get(String(gameId), async () => {
    const { rows } = await sql<Model>`
      select game_id as "gameId", version, body, samples, error_bp as "errorBp", made_at as "madeAt",
        made_at < now() - make_interval(hours => ${STALE_HOURS}) as "isStale",
        to_char(made_at at time zone 'Asia/Shanghai' - make_interval(secs => 86400 * coalesce((select max((k->>'daysAgo')::float8) from jsonb_array_elements(body->'kept') k), 0)), 'YYYY-MM-DD') as "fromDay",
        to_char(made_at at time zone 'Asia/Shanghai' - make_interval(secs => 86400 * coalesce((select min((k->>'daysAgo')::float8) from jsonb_array_elements(body->'kept') k), 0)), 'YYYY-MM-DD') as "toDay"
      from valuation_model where game_id = ${gameId}`.execute(reader);
    return rows[0];
  });
}

/** The share of each month's sales of a game within the band, oldest first; months with too few sales are omitted. */
export async function monthRates(ctx: ModelContext, gameId: number): Promise<MonthRate[]> {
  return await cacheOf(ctx, rates).get(String(gameId), async () => {
    const { rows } = await sql<MonthRate>`
      select to_char(month, 'YYYY-MM') as month, round(100.0 * hits / sales, 1)::float8 as percent, sales from valuation_month
      where game_id = ${gameId} and sales >= ${MIN_MONTH} order by month desc limit 6`.execute(ctx.db);
    return rows.toReversed();
  });
}
