import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/client.ts';
import type { RetentionRule } from '#server/jobs/retention.ts';

const DAYS = 182;

/** The Monday of the current week in China. */
export const THIS_WEEK = sql.raw(`date_trunc('week', now() at time zone 'Asia/Shanghai')::date`);

/**
 * Adds views of listings (one id per view) to the weekly counts of the listings and their sellers. Rows are written in
 * the order of their ids.
 */
export async function addViews(db: Db, goodsIds: readonly number[]): Promise<void> {
  await sql`insert into goods_week (goods_id, week, views)
    select v.id, ${THIS_WEEK}, count(*) from unnest(${[...goodsIds]}::bigint[]) v(id) group by v.id order by v.id
    on conflict (goods_id, week) do update set views = goods_week.views + excluded.views`.execute(db);
  await sql`insert into seller_week (seller_id, week, views)
    select g.seller_id, ${THIS_WEEK}, count(*) from unnest(${[...goodsIds]}::bigint[]) v(id) join goods g on g.id = v.id
    group by g.seller_id order by g.seller_id
    on conflict (seller_id, week) do update set views = seller_week.views + excluded.views`.execute(db);
}

/**
 * Adds a follow to the weekly counts of the listing and its seller, or subtracts one (`by` -1); a count never falls
 * below 0.
 */
export async function addFollow(trx: Trx, goodsId: number, by: number): Promise<void> {
  if (by === 0) return;
  await sql`insert into goods_week (goods_id, week, follows) values (${goodsId}, ${THIS_WEEK}, greatest(0, ${by}::int))
    on conflict (goods_id, week) do update set follows = greatest(0, goods_week.follows + ${by}::int)`.execute(trx);
  await sql`insert into seller_week (seller_id, week, follows)
    select seller_id, ${THIS_WEEK}, greatest(0, ${by}::int) from goods where id = ${goodsId}
    on conflict (seller_id, week) do update set follows = greatest(0, seller_week.follows + ${by}::int)`.execute(trx);
}

/** Weekly counts of listings are deleted after half a year; those of sellers stay. */
export const weekRetention: RetentionRule = {
  table: 'goods_week',
  days: DAYS,
  rule: '每件商品每周的浏览和收藏，182 天后删除；店铺的合计保留',
  async sweep(db, limit) {
    const { rows } = await sql<{ n: number }>`
      with gone as (delete from goods_week where (goods_id, week) in (select goods_id, week from goods_week
        where week < ((now() at time zone 'Asia/Shanghai')::date - ${DAYS}::int) order by week limit ${limit}) returning 1)
      select count(*)::int as n from gone`.execute(db);
    return rows[0]?.n ?? 0;
  },
};
