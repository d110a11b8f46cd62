import { sql } from 'kysely';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import type { Db } from '#server/db/client.ts';
import type { Sale } from './model/features.ts';
import { MAX_SALES } from './model/model.ts';

/** Goods types that are valued together: a consigned account is an account in the platform's custody. */
export const ACCOUNTS: readonly number[] = [1, 50];
/** The number of days from which sales are read. */
export const SALES_DAYS = 180;
/** Maximum number of sales counted between the same two people, so that arranged sales do not affect the price. */
const SAME_PAIR = 2;

/**
 * The maximum share of a game's sales that one seller or one buyer may contribute, and the number that is always allowed. Together they limit
 * accomplices under different names.
 */
const ONE_PERSON = 0.02;
const ONE_PERSON_MIN = 5;

/** Condition on `orders`: completed sales of a game's accounts within the period. */
export const soldAccounts = (gameId: number) =>
  sql`status = ${OrderStatus.Completed} and game_id = ${gameId} and type_id = any(${[...ACCOUNTS]}::smallint[])
    and completed_at > now() - make_interval(days => ${SALES_DAYS})`;

/** Games with enough history to try a fit, by the number of their sales. */
export async function gamesWithSales(db: Db): Promise<{ gameId: number; sales: number }[]> {
  const { rows } = await sql<{ gameId: number; sales: number }>`
    select game_id as "gameId", count(*)::int as sales from orders
    where status = ${OrderStatus.Completed} and game_id is not null and type_id = any(${[...ACCOUNTS]}::smallint[])
      and completed_at > now() - make_interval(days => ${SALES_DAYS})
    group by 1 order by 2 desc`.execute(db);
  return rows;
}

/**
 * A game's completed sales of accounts, newest first: without reversed, private or linked-party sales, and with limits per seller, buyer and
 * pair, so that no one can set the price of accounts.
 */
export async function loadSales(db: Db, gameId: number): Promise<Sale[]> {
  const { rows } = await sql<Sale>`
    select s.id as "orderId", s."priceFen", s."daysAgo", s.hours, s.attrs, s."areaId" from (
      select o.id, o.unit_price_fen as "priceFen", extract(epoch from now() - o.completed_at)::float8 / 86400 as "daysAgo",
        case when g.id is not null then greatest(0, extract(epoch from o.paid_at - g.created_at))::float8 / 3600 end as hours,
        coalesce(o.snapshot->'attrs', '{}') as attrs, g.area_id as "areaId", o.completed_at,
        row_number() over (partition by o.seller_id, o.buyer_id order by o.completed_at desc) as nth,
        row_number() over (partition by o.seller_id order by o.completed_at desc) as of_seller,
        row_number() over (partition by o.buyer_id order by o.completed_at desc) as of_buyer,
        greatest(${ONE_PERSON_MIN}::int, ceil(count(*) over () * ${ONE_PERSON}::float8)) as most
      from orders o left join goods g on g.id = o.goods_id
      where o.status = ${OrderStatus.Completed} and o.game_id = ${gameId} and o.type_id = any(${[...ACCOUNTS]}::smallint[])
        and o.completed_at > now() - make_interval(days => ${SALES_DAYS})) s
    where s.nth <= ${SAME_PAIR} and s.of_seller <= s.most and s.of_buyer <= s.most and review_exclusion(s.id) is null
    order by s.completed_at desc, s.id desc limit ${MAX_SALES}`.execute(db);
  return rows;
}

/** Titles, prices and times of some sales, for comparables. Titles are as they were entered. */
export async function saleTitles(
  db: Db,
  by: { orderIds: readonly number[] } | { gameId: number; limit: number },
): Promise<{ orderId: number; title: string; priceFen: number; hours: number | null; at: Date }[]> {
  const which =
    'orderIds' in by
      ? sql`o.id = any(${[...by.orderIds]}::bigint[])`
      : sql`o.game_id = ${by.gameId} and o.type_id = any(${[...ACCOUNTS]}::smallint[]) and o.completed_at > now() - make_interval(days => ${SALES_DAYS})`;
  const { rows } = await sql<{ orderId: number; title: string; priceFen: number; hours: number | null; at: Date }>`
    select o.id as "orderId", o.snapshot->>'title' as title, o.unit_price_fen as "priceFen", o.completed_at as at,
      case when g.id is not null then greatest(0, extract(epoch from o.paid_at - g.created_at))::float8 / 3600 end as hours
    from orders o left join goods g on g.id = o.goods_id
    where o.status = ${OrderStatus.Completed} and o.completed_at is not null and ${which}
    order by o.completed_at desc limit ${'limit' in by ? by.limit : 50}`.execute(db);
  return rows;
}
