-- Uses an accepted bargain for an order. False if it is not valid for this buyer and listing. Called by order_place.
CREATE OR REPLACE FUNCTION public.bargain_use(p_bargain bigint, p_buyer bigint, p_goods bigint, p_order bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update bargain set status = 7, order_id = p_order, updated_at = now()
    where id = p_bargain and buyer_id = p_buyer and goods_id = p_goods and status in (1, 3) and expires_at > now();
  return found;
end $function$;
