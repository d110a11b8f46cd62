-- Makes a used coupon usable again. Called by order_step.
CREATE OR REPLACE FUNCTION public.coupon_return(p_coupon bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update coupon set order_id = null, used_at = null where id = p_coupon;
end $function$;
