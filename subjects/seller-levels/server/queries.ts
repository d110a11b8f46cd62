import { AuthStatus } from '#contract/rules/statuses.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import type { LevelSetting, SellerDetails } from './rules.ts';

/** Private deals (51) are between people who know each other. */
const PRIVATE_TYPE = 51;

interface Row {
  buyers: number;
  orders: number;
  fen: number;
  days: number;
  lost: number;
  cancelled: number;
  ratings: number;
  average: number | null;
  related: number;
  small: number;
  repeated: number;
  private: number;
}

/**
 * Buyers that may be the seller's own or friends: met on one browser, paid out to one account (also a former one), brought by one
 * another's invitation, or selling to this seller as well.
 */
const RELATED = sql`
  select b.user_id from user_browser a join user_browser b on b.browser_hash = a.browser_hash where a.user_id = s.id
  union select p.user_id from payout_account a join payout_account p on p.account_hash = a.account_hash where a.user_id = s.id
  union select i.id from app_user i where i.inviter_id = s.id
  union select s.inviter_id where s.inviter_id is not null
  union select o.seller_id from orders o where o.buyer_id = s.id and o.status = ${sql.lit(OrderStatus.Completed)}`;

/**
 * Counts a seller's sales of the window: completed ones whose protection is over, minus amounts refunded by a ruling. A sale whose loss was
 * paid by the guarantee fund counts as a lost case instead of a sale, unless the seller was not responsible. Undefined for an unknown user.
 * One statement, so that all figures are consistent.
 */
export async function loadSellerDetails(
  db: Trx,
  sellerId: number,
  setting: LevelSetting,
): Promise<SellerDetails | undefined> {
  const since = sql`now() - make_interval(days => ${setting.windowDays})`;
  const { rows } = await sql<Row>`
    with s as (select id, inviter_id, created_at from app_user where id = ${sellerId}),
    related as materialized (select x.user_id from s, lateral (${RELATED}) x(user_id)),
    done as (
      select o.id, o.buyer_id, o.completed_at, o.goods_fen - coalesce(d.back, 0) as fen,
        case when o.type_id = ${PRIVATE_TYPE} or o.is_recovery <> 0 then 'private' when o.buyer_id in (select user_id from related) then 'related'
          when o.goods_fen - coalesce(d.back, 0) < ${setting.minFen} then 'small' end as why
      from orders o join hold h on h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is not null
        left join lateral (select sum(back_fen) as back from dispute where order_id = o.id and status = 'closed') d on true
      where o.seller_id = ${sellerId} and o.status = ${sql.lit(OrderStatus.Completed)} and o.completed_at > ${since} and not o.disputed
        and not exists (select from guarantee_claim k where k.order_id = o.id and k.status = 'paid' and not k.spares_seller)),
    ranked as (select *, row_number() over (partition by buyer_id order by fen desc, id) as nth from done where why is null),
    counted as (select * from ranked where nth <= ${setting.perBuyerOrders}),
    by_buyer as (select buyer_id, count(*) as orders, least(sum(fen), ${setting.perBuyerFen}) as fen from counted group by buyer_id),
    rated as (select distinct on (r.user_id) r.user_id, r.score from order_review r join counted c on c.id = r.order_id
      where r.belong = 1 and r.target_id = ${sellerId} order by r.user_id, r.created_at desc)
    select (select count(*) from by_buyer)::int as buyers, (select coalesce(sum(orders), 0) from by_buyer)::int as orders,
      (select coalesce(sum(fen), 0) from by_buyer)::bigint as fen,
      greatest(0, extract(day from now() - coalesce((select n.verified_at from real_name n where n.user_id = s.id and n.status = ${sql.lit(AuthStatus.Verified)}), s.created_at)))::int as days,
      (select count(*) from dispute d join orders o on o.id = d.order_id where o.seller_id = ${sellerId} and d.status = 'closed'
        and d.outcome = 'ruled' and d.back_fen > 0 and d.closed_at > ${since})::int
        + (select count(*) from orders o join guarantee_claim k on k.order_id = o.id and k.status = 'paid' and not k.spares_seller
          where o.seller_id = ${sellerId} and k.decided_at > ${since})::int as lost,
      (select count(*) from orders o where o.seller_id = ${sellerId} and o.status = ${sql.lit(OrderStatus.SellerCancelled)} and o.paid_at > ${since})::int as cancelled,
      (select count(*) from rated)::int as ratings, (select round(avg(score), 2) from rated)::float8 as average,
      (select count(*) from done where why = 'related')::int as related, (select count(*) from done where why = 'small')::int as small,
      (select count(*) from ranked where nth > ${setting.perBuyerOrders})::int as repeated,
      (select count(*) from done where why = 'private')::int as private
    from s`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  const { related, small, repeated, private: between, ...details } = row;
  return { ...details, leftOut: { related, small, repeated, private: between } };
}
