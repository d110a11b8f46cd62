-- Why a review does not count towards the score (undone, private or related); null if it counts. Called by reviews and valuation.
CREATE OR REPLACE FUNCTION public.review_exclusion(p_order bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when not order_may_be_rated(o.id) or 2 * coalesce((select sum(d.back_fen) from dispute d where d.order_id = o.id and d.status = 'closed'), 0) >= o.goods_fen
      or exists (select from guarantee_claim k where k.order_id = o.id and k.status = 'paid' and not k.spares_seller) then 'undone'
    when o.type_id = 51 or o.is_recovery <> 0 then 'private'
    when cardinality(user_links(o.buyer_id, o.seller_id)) > 0 then 'related' end
  from orders o where o.id = p_order
$function$;
