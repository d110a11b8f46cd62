-- Whether an order has handover steps and all that block the transition to p_to are done. Called by order_step and
-- orders/server/handover/steps-gate.ts.
CREATE OR REPLACE FUNCTION public.order_steps_done(p_order bigint, p_to smallint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from orders where id = p_order and handover_version is not null)
    and not exists (select from order_handover h where h.order_id = p_order and h.required and h.done_at is null
      and case when p_to = 2 then h.before_ship else order_step_blocks(h.order_id, h.step, h.actor, h.exchange) end)
$function$;
