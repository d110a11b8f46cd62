-- Number of a seller's sales to unrelated buyers, capped at p_enough if the stored statistics reach it. Called by deposits, the listing
-- form and server/import for limits of new sellers.
CREATE OR REPLACE FUNCTION public.unrelated_sales(p_user bigint, p_enough integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select case when coalesce((select (s.counted->>'buyers')::int from seller_standing s where s.user_id = p_user), 0) >= p_enough then p_enough
    else u.sold_count - coalesce((
      select sum(b.n)::int from (
        select r.buyer_id, count(*) as n from (select buyer_id from orders where seller_id = p_user and status = 3 order by completed_at desc limit 500) r
        group by r.buyer_id) b
      where cardinality(user_links(b.buyer_id, p_user)) > 0), 0) end
  from app_user u where u.id = p_user
$function$;
