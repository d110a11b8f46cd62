import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { CoinOfferStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { coinRatioHistory, getQuickCoinList } from '#subjects/quick-coin/contract/quick-coin.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { ratioText } from '../rules/coin.ts';
import type { Db, Trx } from '#server/db/client.ts';

/** The table stores units per yuan, in ten-thousandths of a unit. */
const E4 = 10_000;

/** Days of the chart (domain.md 4). */
export const CHART_DAYS = 90;

/**
 * Computes today's ratio of every area again, from the live offers and the orders completed today: quartiles of units per yuan. Past days are
 * not recomputed. Run it in a transaction.
 */
export async function refreshRatios(trx: Trx): Promise<void> {
  await sql`
    with today as (select (now() at time zone 'Asia/Shanghai')::date as day),
    seen as (
      select c.game_id, c.area_id, c.coin_type, c.unit, (c.lot_units * 1000000 / c.lot_price_fen)::bigint as e4, false as deal, null::timestamptz as at
        from quick_coin_offer c where c.status = ${sql.lit(CoinOfferStatus.OnSale)} and c.stock > 0
      union all
      select o.game_id, q.area_id, c.coin_type, q.unit, (q.lot_units * 1000000 / o.unit_price_fen)::bigint, true, o.completed_at
        from quick_coin_order q join orders o on o.id = q.order_id join quick_coin_offer c on c.id = q.offer_id, today
        where o.status = ${sql.lit(OrderStatus.Completed)} and o.completed_at >= today.day::timestamp at time zone 'Asia/Shanghai')
    insert into coin_ratio_day (game_id, area_id, coin_type, day, unit, low_e4, typical_e4, high_e4, last_deal_e4, deals, offers)
    select game_id, area_id, coin_type, (select day from today), min(unit), greatest(1, percentile_disc(0.25) within group (order by e4)),
      greatest(1, percentile_disc(0.5) within group (order by e4)), greatest(1, percentile_disc(0.75) within group (order by e4)),
      (array_agg(e4 order by at desc) filter (where deal))[1], count(*) filter (where deal), count(*) filter (where not deal)
    from seen where e4 > 0 group by game_id, area_id, coin_type
    on conflict (game_id, area_id, coin_type, day) do update set unit = excluded.unit, low_e4 = excluded.low_e4, typical_e4 = excluded.typical_e4,
      high_e4 = excluded.high_e4, last_deal_e4 = excluded.last_deal_e4, deals = excluded.deals, offers = excluded.offers, made_at = now()`.execute(
    trx,
  );
}

interface DayRow {
  day: string;
  unit: string;
  low: number;
  typical: number;
  high: number;
  last: number | null;
  deals: number;
}

async function days(
  db: Db,
  where: { gameId: number; areaId: number; coinType: number },
  limit: number,
): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select to_char(day, 'YYYY-MM-DD') as day, unit, low_e4::float8 / ${sql.lit(E4)} as low, typical_e4::float8 / ${sql.lit(E4)} as typical,
      high_e4::float8 / ${sql.lit(E4)} as high, last_deal_e4::float8 / ${sql.lit(E4)} as last, deals
    from coin_ratio_day where game_id = ${where.gameId} and area_id = ${where.areaId} and coin_type = ${where.coinType}
      and day > (now() at time zone 'Asia/Shanghai')::date - ${CHART_DAYS}::int order by day desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** The newest ratio of an area as text; null when nothing was ever offered. */
export async function ratioNow(
  db: Db,
  where: { gameId: number; areaId: number; coinType: number },
): Promise<HandlerResult<typeof getQuickCoinList>['ratio']> {
  const [row] = await days(db, where, 1);
  if (!row) return null;
  return {
    lowText: ratioText(row.low, row.unit),
    typicalText: ratioText(row.typical, row.unit),
    highText: ratioText(row.high, row.unit),
    lastDealText: row.last === null ? null : ratioText(row.last, row.unit),
    day: row.day,
  };
}

/** Units per yuan by day, oldest first. */
export async function ratioHistory(
  db: Db,
  where: { gameId: number; areaId: number; coinType: number },
): Promise<HandlerResult<typeof coinRatioHistory>> {
  const rows = (await days(db, where, CHART_DAYS)).toReversed();
  return {
    unit: rows.at(-1)?.unit ?? '',
    list: rows.map(({ day, low, typical, high, deals }) => ({ day, low, typical, high, deals })),
  };
}
