-- A group that is created for an order has the order's clock, whichever version of the program creates it.
CREATE OR REPLACE FUNCTION public.chat_group_has_clock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.step_by := order_turn_due(new.order_id);
  return new;
end $function$;
