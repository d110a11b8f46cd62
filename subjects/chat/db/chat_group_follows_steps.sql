-- The clock of the groups of orders that have just received their hand-over steps.
CREATE OR REPLACE FUNCTION public.chat_group_follows_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update chat_group g set step_by = order_turn_due(g.order_id) from (select distinct order_id from made) m where g.order_id = m.order_id;
  return null;
end $function$;
