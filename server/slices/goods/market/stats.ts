import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { ALL_PRICES, SELL_TIME_EDGES } from './market.ts';
import { MIN_SAMPLES } from '../prices/prices.ts';
import { cutSegments, type Sample, segmentOf, segmentText } from '../prices/segments.ts';

/** Number of newest sales used for the prices of a game and goods type. */
const MAX_SAMPLES = 4000;
const MAX_SEGMENTS = 12;

interface Sold extends Sample {
  readonly attrs: Readonly<Record<string, unknown>>;
}

interface PriceStat {
  segment: string;
  low: number;
  typical: number;
  high: number;
  samples: number;
}

function statOf(segment: string, sales: readonly Sold[]): PriceStat {
  const prices = sales.map((s) => s.priceFen).toSorted((a, b) => a - b);
  const at = (share: number): number => prices[Math.min(prices.length - 1, Math.floor(prices.length * share))] ?? 0;
  return { segment, low: at(0.25), typical: at(0.5), high: at(0.75), samples: prices.length };
}

/** Quartiles of the whole type and of each segment. */
function statsOf(sales: readonly Sold[], keys: readonly string[]): PriceStat[] {
  const segments = cutSegments(sales, keys, { minSamples: MIN_SAMPLES, maxSegments: MAX_SEGMENTS });
  return [
    statOf('', sales),
    ...segments.map((segment) =>
      statOf(
        segmentText(segment),
        sales.filter((s) => segmentOf([segment], s.attrs) !== undefined),
      ),
    ),
  ];
}

/**
 * Recomputes low, typical and high price of each game's goods types from the orders completed in the last 90 days. `fieldsOf` returns the
 * fields of a game's goods type. Call it in a transaction, so that readers never see a partial result.
 */
export async function refreshPrices(
  trx: Trx,
  fieldsOf: (gameId: number, typeId: number) => readonly { key: string; kind: string }[],
): Promise<void> {
  const pairs = await sql<{ gameId: number; typeId: number }>`
    select game_id as "gameId", type_id as "typeId" from orders
    where status = 3 and game_id is not null and completed_at > now() - interval '90 days' group by 1, 2`.execute(trx);
  await sql`delete from price_stat`.execute(trx);
  for (const { gameId, typeId } of pairs.rows) {
    const { rows } = await sql<Sold>`
      select unit_price_fen as "priceFen", coalesce(snapshot->'attrs', '{}') as attrs from orders
      where status = 3 and game_id = ${gameId} and type_id = ${typeId} and completed_at > now() - interval '90 days'
      order by completed_at desc limit ${MAX_SAMPLES}`.execute(trx);
    const keys = fieldsOf(gameId, typeId)
      .filter((f) => f.kind === 'range')
      .map((f) => f.key);
    const stats = statsOf(rows, keys);
    const col = <T>(pick: (stat: PriceStat) => T): T[] => stats.map(pick);
    await sql`insert into price_stat (game_id, type_id, segment, low_fen, typical_fen, high_fen, samples)
      select ${gameId}, ${typeId}, * from unnest(${col((l) => l.segment)}::text[], ${col((l) => l.low)}::bigint[],
        ${col((l) => l.typical)}::bigint[], ${col((l) => l.high)}::bigint[], ${col((l) => l.samples)}::int[])`.execute(
      trx,
    );
  }
}

/** Recomputes the selling times of the last 90 days, from publication to payment, by game, goods type and price. */
export async function refreshSellTimes(trx: Trx): Promise<void> {
  const edges = sql.raw(`array[${SELL_TIME_EDGES.map((yuan) => yuan * 100).join(', ')}]::bigint[]`);
  await sql`delete from sell_time_stat`.execute(trx);
  await sql`
    insert into sell_time_stat (game_id, type_id, price_band, sold, low_hours, median_hours, high_hours, day1_bp, day7_bp)
    select game_id, type_id, coalesce(band, ${sql.lit(ALL_PRICES)}), count(*), round(percentile_cont(0.25) within group (order by hours)),
      round(percentile_cont(0.5) within group (order by hours)), round(percentile_cont(0.75) within group (order by hours)),
      round(10000.0 * count(*) filter (where hours <= 24) / count(*)), round(10000.0 * count(*) filter (where hours <= 168) / count(*))
    from (select o.game_id, o.type_id, width_bucket(o.unit_price_fen, ${edges}) as band,
        greatest(0, extract(epoch from o.paid_at - g.created_at) / 3600) as hours
      from orders o join goods g on g.id = o.goods_id
      where o.status = 3 and o.game_id is not null and o.paid_at is not null and o.completed_at > now() - interval '90 days') s
    group by grouping sets ((game_id, type_id), (game_id, type_id, band))`.execute(trx);
}
