-- When what is due of an order runs out of time: its current step, otherwise the transition that it waits for.
CREATE OR REPLACE FUNCTION public.order_turn_due(p_order bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(order_step_due(o.id), chat_step_by(o.status, o.ship_by, o.auto_confirm_at)) from orders o where o.id = p_order
$function$;
