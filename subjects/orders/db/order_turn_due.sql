-- When what is due of an order runs out of time: its current step, otherwise the transition that it waits for. In boosting and companion play the
-- clock of what service-due.ts names as due. Null while a case has stopped every clock.
CREATE OR REPLACE FUNCTION public.order_turn_due(p_order bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select case when o.status not in (1, 2) or o.disputed then null
      when v.order_id is null then coalesce(order_step_due(o.id), chat_step_by(o.status, o.ship_by, o.auto_confirm_at))
      else service_turn_due(o.id, v.type_id, v.state, o.ship_by, o.auto_confirm_at) end
    from orders o left join service_order v on v.order_id = o.id where o.id = p_order
$function$;
