import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';

/** The minimum offer in percent of the asking price: the seller's own setting, else the market's. */
export async function loadFloor(ctx: Context, db: Trx, sellerId: number): Promise<number> {
  const { rows } = await sql<{ percent: number }>`
    select floor_percent as percent from bargain_rule where user_id = ${sellerId}`.execute(db);
  return rows[0]?.percent ?? ctx.dir.setting('bargain').floorPercent;
}

/** Sets a seller's minimum offer, in percent; returns it. */
export async function setFloor(ctx: Context, userId: number, percent: number): Promise<number> {
  await sql`insert into bargain_rule (user_id, floor_percent) values (${userId}, ${percent})
    on conflict (user_id) do update set floor_percent = excluded.floor_percent, updated_at = now()`.execute(ctx.db);
  return percent;
}

/** The number of offers that a buyer made on a listing within the counted days, including ended ones. */
export async function triesUsed(ctx: Context, db: Trx, buyerId: number, goodsId: number): Promise<number> {
  const { days } = ctx.dir.setting('bargain');
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from bargain where goods_id = ${goodsId} and buyer_id = ${buyerId}
      and created_at > now() - make_interval(days => ${days}::int)`.execute(db);
  return rows[0]?.n ?? 0;
}
