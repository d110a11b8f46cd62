-- Made from db/functions: service_turn_due, order_turn_due.
-- The clock of what is due in a service, in the order of `serviceDueKind` (contract/rules/service-due.ts): the answer to a request to cancel, the
-- acceptance, the end of a pause, the buyer's confirmation, the answer to an early end, the agreed hour, a submitted stage, the account. Otherwise
-- the promised time of the whole.
CREATE OR REPLACE FUNCTION public.service_turn_due(p_order bigint, p_type smallint, p_state text, p_ship_by timestamp with time zone, p_confirm_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select case when p_state in ('done', 'ended') then null
      when c.at is not null then c.at
      when p_state = 'pending' then v.accept_by
      when p_state = 'paused' then coalesce(t.resume, p_ship_by)
      when p_state = 'checking' then p_confirm_at
      when p_state = 'ending' then t.end_final
      when p_type = 61 and p_state = 'working' then t.play_end
      when p_type = 61 then v.starts_at
      when t.milestone is not null then t.milestone
      when p_state = 'waiting' then coalesce(t.account, p_ship_by)
      else p_ship_by end
    from service_order v
    cross join lateral (select max(due_at) filter (where kind = 'service.resume') as resume, max(due_at) filter (where kind = 'service.endFinal') as end_final,
        max(due_at) filter (where kind = 'service.playEnd') as play_end, max(due_at) filter (where kind = 'service.milestone') as milestone,
        max(due_at) filter (where kind = 'service.account') as account from timer
      where ref = p_order::text and kind in ('service.resume', 'service.endFinal', 'service.playEnd', 'service.milestone', 'service.account')) t
    cross join lateral (select max(due_at) as at from timer where kind = 'service.cancelAnswer' and ref = p_order::text
        and exists (select from service_cancel x where x.order_id = p_order and x.status = 'asked')) c
    where v.order_id = p_order
$function$;

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

-- Conversations of open services and of orders in a case are sorted by the new clock.
update chat_group g set step_by = order_turn_due(g.order_id) from orders o
  where o.id = g.order_id and o.status in (1, 2) and (o.disputed or exists (select from service_order v where v.order_id = o.id));
