-- The clock of an order's group follows its hand-over steps.
CREATE OR REPLACE FUNCTION public.chat_group_follows_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update chat_group set step_by = order_turn_due(new.order_id) where order_id = new.order_id;
  return null;
end $function$;
