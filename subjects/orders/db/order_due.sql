-- Moves the time by which an order is to be delivered; the caller holds its lock.
CREATE OR REPLACE FUNCTION public.order_due(p_order bigint, p_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update orders set ship_by = p_until where id = p_order;
end $function$;
