import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { ALL_PRICES, SELL_TIME_EDGES } from './market.ts';

/** Number of newest sales used for the prices of a game and goods type. */
const MAX_SAMPLES = 4000;

/** A goods type of a game that sold in the last 90 days. */
interface Pair {
  gameId: number;
  typeId: number;
}

/** Hours after which a pair without a new sale is computed again, because old sales leave the 90 days. */
const OLD_HOURS = 24;

/**
 * The pairs whose statistics must be recomputed: those with sales within 90 days (from the stored sums) whose statistics are older
 * than their newest sale or from yesterday. Each costs two index look-ups.
 */
async function pairsDue(db: Trx): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    with sold as (select game_id, type_id from deal_figure where day > (now() at time zone 'Asia/Shanghai')::date - 91 and game_id is not null
        group by game_id, type_id having sum(deals) > 0)
    select s.game_id as "gameId", s.type_id as "typeId" from sold s
      cross join lateral (select o.completed_at as newest from orders o where o.status = ${sql.lit(OrderStatus.Completed)} and o.game_id = s.game_id and o.type_id = s.type_id
        order by o.completed_at desc nulls last limit 1) l
      left join price_stat p on p.game_id = s.game_id and p.type_id = s.type_id and p.segment = ''
    where p.made_at is null or l.newest > p.made_at - interval '1 minute' or p.made_at < now() - make_interval(hours => ${OLD_HOURS}::int)`.execute(
    db,
  );
  return rows;
}

/** Removes the statistics of pairs that sold nothing in 90 days. */
async function dropUnsold(db: Trx): Promise<void> {
  const sold = sql`(select game_id, type_id from deal_figure where day > (now() at time zone 'Asia/Shanghai')::date - 91 and game_id is not null
    group by game_id, type_id having sum(deals) > 0)`;
  await sql`delete from price_stat where (game_id, type_id) not in ${sold}`.execute(db);
  await sql`delete from sell_time_stat where (game_id, type_id) not in ${sold}`.execute(db);
  await sql`delete from trade_stat where (game_id, type_id) not in ${sold}`.execute(db);
}

/** The newest sales of one pair in 90 days, at most MAX_SAMPLES; read backwards from one index. */
const newestSales = ({ gameId, typeId }: Pair) => sql`
  select o.unit_price_fen, o.snapshot, o.goods_id, o.paid_at, o.completed_at from orders o
  where o.status = ${sql.lit(OrderStatus.Completed)} and o.game_id = ${gameId} and o.type_id = ${typeId} and o.completed_at > now() - interval '90 days'
  order by o.completed_at desc limit ${MAX_SAMPLES}`;

/** Recomputes the quartiles of a game's goods type from its newest sales of the last 90 days, for the list of market prices. */
async function refreshPrices(trx: Trx, pair: Pair): Promise<void> {
  const { gameId, typeId } = pair;
  const at = (share: number) => sql`percentile_disc(${sql.lit(share)}) within group (order by o.unit_price_fen)`;
  await sql`delete from price_stat where game_id = ${gameId} and type_id = ${typeId}`.execute(trx);
  await sql`insert into price_stat (game_id, type_id, segment, low_fen, typical_fen, high_fen, samples)
    select ${gameId}, ${typeId}, '', ${at(0.25)}, ${at(0.5)}, ${at(0.75)}, count(*) from (${newestSales(pair)}) o having count(*) > 0`.execute(
    trx,
  );
}

/** Recomputes the selling times of a pair's newest sales of the last 90 days, from publication to payment, by price. */
async function refreshSellTimes(trx: Trx, pair: Pair): Promise<void> {
  const { gameId, typeId } = pair;
  const edges = sql.raw(`array[${SELL_TIME_EDGES.map((yuan) => yuan * 100).join(', ')}]::bigint[]`);
  await sql`delete from sell_time_stat where game_id = ${gameId} and type_id = ${typeId}`.execute(trx);
  await sql`
    insert into sell_time_stat (game_id, type_id, price_band, sold, low_hours, median_hours, high_hours, day1_bp, day7_bp)
    select ${gameId}, ${typeId}, coalesce(band, ${sql.lit(ALL_PRICES)}), count(*), round(percentile_cont(0.25) within group (order by hours)),
      round(percentile_cont(0.5) within group (order by hours)), round(percentile_cont(0.75) within group (order by hours)),
      round(10000.0 * count(*) filter (where hours <= 24) / count(*)), round(10000.0 * count(*) filter (where hours <= 168) / count(*))
    from (select width_bucket(o.unit_price_fen, ${edges}) as band,
        greatest(0, extract(epoch from o.paid_at - g.created_at) / 3600) as hours
      from (${newestSales(pair)}) o join goods g on g.id = o.goods_id where o.paid_at is not null) s
    group by grouping sets ((), (band)) having count(*) > 0`.execute(trx);
}

/** Number of newest sales of a day, or of a week, of which the median price is computed. */
const DAY_SAMPLES = 500;
const WEEK_SAMPLES = 2000;
const TRADE_DAYS = 14;

/**
 * Recomputes the median prices of a pair: of each of the last fourteen days with sales, and of this and the last week, from the newest sales
 * of each. The numbers of sales by day come from the stored sums.
 */
async function refreshTrades(trx: Trx, { gameId, typeId }: Pair): Promise<void> {
  const moment = (days: ReturnType<typeof sql>) => sql`((${days})::timestamp at time zone 'Asia/Shanghai')`;
  const sales = (from: ReturnType<typeof sql>, to: ReturnType<typeof sql>, limit: number) => sql`
    (select o.unit_price_fen as fen from orders o where o.status = ${sql.lit(OrderStatus.Completed)} and o.game_id = ${gameId} and o.type_id = ${typeId}
      and o.completed_at >= ${moment(from)} and o.completed_at < ${moment(to)} order by o.completed_at desc limit ${limit})`;
  const today = sql`(now() at time zone 'Asia/Shanghai')::date`;
  const middle = sql`percentile_disc(0.5) within group (order by s.fen)`;
  await sql`
    insert into trade_stat (game_id, type_id, trend, week_fen, before_fen, made_at)
    select ${gameId}, ${typeId},
      coalesce((select jsonb_agg(jsonb_build_object('day', to_char(d.day, 'YYYY-MM-DD'), 'fen', m.fen) order by d.day)
        from generate_series(${today} - ${TRADE_DAYS - 1}::int, ${today}, interval '1 day') d(day)
          cross join lateral (select ${middle} as fen from ${sales(sql`d.day::date`, sql`d.day::date + 1`, DAY_SAMPLES)} s) m where m.fen is not null), '[]'),
      (select ${middle} from ${sales(sql`${today} - 6`, sql`${today} + 1`, WEEK_SAMPLES)} s),
      (select ${middle} from ${sales(sql`${today} - 13`, sql`${today} - 6`, WEEK_SAMPLES)} s), now()
    on conflict (game_id, type_id) do update set trend = excluded.trend, week_fen = excluded.week_fen, before_fen = excluded.before_fen, made_at = excluded.made_at`.execute(
    trx,
  );
}

/** Sellers stored for each game; lists show twenty. */
const TOP_SELLERS = 100;
const TOP_DAYS = 30;

/** Recomputes the best sellers of each game in the last thirty days, from the stored sums. */
async function refreshTopSellers(trx: Trx): Promise<void> {
  await sql`delete from top_seller`.execute(trx);
  await sql`
    insert into top_seller (game_id, seller_id, deals)
    select game_id, seller_id, deals from (
      select game_id, seller_id, sum(deals) as deals, row_number() over (partition by game_id order by sum(deals) desc, seller_id) as place
      from seller_figure where game_id is not null and day > (now() at time zone 'Asia/Shanghai')::date - ${TOP_DAYS}::int group by game_id, seller_id having sum(deals) > 0) s
    where place <= ${TOP_SELLERS}`.execute(trx);
}

/**
 * Recomputes the statistics of completed sales. Each pair with new sales has its own transaction, so that none holds an
 * old snapshot for long; pairs not finished in one run are due in the next.
 */
export async function refreshMarket(db: Db): Promise<void> {
  for (const pair of await pairsDue(db))
    await inTransaction(db, async (trx) => {
      await refreshTrades(trx, pair);
      await refreshSellTimes(trx, pair);
      await refreshPrices(trx, pair);
    });
  await inTransaction(db, async (trx) => {
    await dropUnsold(trx);
    await refreshTopSellers(trx);
  });
}
