-- The clock of an order is the clock of its group.
CREATE OR REPLACE FUNCTION public.chat_group_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update chat_group set step_by = order_turn_due(new.id) where order_id = new.id;
  return null;
end $function$;
