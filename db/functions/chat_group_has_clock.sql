-- A group that is created for an order has the order's clock, whichever version of the program creates it.
CREATE OR REPLACE FUNCTION public.chat_group_has_clock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.step_by := (select chat_step_by(o.status, o.ship_by, o.auto_confirm_at) from orders o where o.id = new.order_id);
  return new;
end $function$;
