-- Uses a coupon for an order. False if it is used, expired or not the user's. Called by order_place.
CREATE OR REPLACE FUNCTION public.coupon_use(p_coupon bigint, p_user bigint, p_order bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update coupon set order_id = p_order, used_at = now()
    where id = p_coupon and user_id = p_user and order_id is null and expires_at > now();
  return found;
end $function$;
