-- Trigger of service_tip: tips of an order are limited to 200 yuan. Raises YS901.
CREATE OR REPLACE FUNCTION public.service_tip_capped()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select coalesce(sum(amount_fen), 0) from service_tip where order_id = new.order_id) > 20000 then
    raise exception 'tips of an order exceed the limit' using errcode = 'YS901';
  end if;
  return null;
end $function$;
