import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/client.ts';
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

/** A month with fewer sales says nothing of its rate. */
const MIN_MONTH = 10;
const TTL_MS = 60_000;
const STALE_HOURS = 36;

interface Caches {
  models: TtlCache<Model | undefined>;
  months: TtlCache<MonthRate[]>;
}
// oxlint-disable-next-line caches/of-context -- keyed by the database whose models they are, a minute old at most
const caches = new WeakMap<Db, Caches>();

function cachesOf(db: Db): Caches {
  const existing = caches.get(db);
  if (existing) return existing;
  const created = {
    models: new TtlCache<Model | undefined>({ ttlMs: TTL_MS, max: 100 }),
    months: new TtlCache<MonthRate[]>({ ttlMs: TTL_MS, max: 100 }),
  };
  caches.set(db, created);
  return created;
}

/** Drops the models of this process after they were fitted again; others read them within a minute. */
export function dropModels(db: Db): void {
  caches.delete(db);
}

/** A game's model, up to a minute old; undefined where there are too few sales. `reader` reads it if it is not cached. */
export async function modelOf(db: Db, gameId: number, reader: Trx = db): Promise<Model | undefined> {
  return await cachesOf(db).models.get(String(gameId), async () => {
    const { rows } = await sql<Model>`
      select game_id as "gameId", version, body, samples, error_bp as "errorBp", made_at as "madeAt",
        made_at < now() - make_interval(hours => ${STALE_HOURS}) as "isStale",
        to_char(made_at at time zone 'Asia/Shanghai' - make_interval(secs => 86400 * coalesce((select max((k->>'daysAgo')::float8) from jsonb_array_elements(body->'kept') k), 0)), 'YYYY-MM-DD') as "fromDay",
        to_char(made_at at time zone 'Asia/Shanghai' - make_interval(secs => 86400 * coalesce((select min((k->>'daysAgo')::float8) from jsonb_array_elements(body->'kept') k), 0)), 'YYYY-MM-DD') as "toDay"
      from valuation_model where game_id = ${gameId}`.execute(reader);
    return rows[0];
  });
}

/** How many of each month's sales of a game lay in the band, oldest first; months with too few sales are left out. */
export async function monthRates(db: Db, gameId: number): Promise<MonthRate[]> {
  return await cachesOf(db).months.get(String(gameId), async () => {
    const { rows } = await sql<MonthRate>`
      select to_char(month, 'YYYY-MM') as month, round(100.0 * hits / sales, 1)::float8 as percent, sales from valuation_month
      where game_id = ${gameId} and sales >= ${MIN_MONTH} order by month desc limit 6`.execute(db);
    return rows.toReversed();
  });
}
