/** Data that the restore drill inserts into its temporary market without the services: orders by the hundred, and a proof that lasts as long as it. */
import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** Unpaid orders of a buyer for new listings, 10.10 yuan each; the first seeded listing's seller sells them. Returns their ids. */
export async function addDrillOrders(db: Db, buyerId: number, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with one as (select seller_id, game_id from goods where status = ${sql.lit(GoodsStatus.Reviewing)} order by id limit 1),
    g as (insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, status)
      select ${sql.lit(PLATFORM_DIST_ID)}, seller_id, game_id, ${sql.lit(OrderType.Account)}, '演练账号', 1000, ${sql.lit(GoodsStatus.Locked)} from one, generate_series(1, ${count}) returning id, sn, seller_id, game_id),
    n as (select *, row_number() over (order by id)::int as i from g)
    insert into orders (sn, dist_id, type_id, goods_id, goods_sn, game_id, buyer_id, seller_id, unit_price_fen, goods_fen, service_fee_fen, total_fen, commission_fen, fees, snapshot)
    select 'DR' || i, ${sql.lit(PLATFORM_DIST_ID)}, ${sql.lit(OrderType.Account)}, id, sn, game_id, ${buyerId}::bigint, seller_id, 1000, 1000, 10, 1010, 50, '[]', '{}' from n returning id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Lets the sessions of a user count as just proved for an hour. */
export async function proveForDrill(db: Db, userId: number): Promise<void> {
  await sql`update session set pay_verified_at = now() + interval '1 hour' where user_id = ${userId}`.execute(db);
}
