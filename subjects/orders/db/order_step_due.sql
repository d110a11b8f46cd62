-- When the current hand-over step of an order is due: its minutes after the payment, the shipping or the previous step, whichever was last, plus half
-- an hour if a party of an exchange requested it, but never after the time to ship. The account for a recycler is due with the request's clock,
-- and the buyer's last step, which the receipt completes, when the receipt is confirmed automatically. Null without a current step, in a dispute,
-- and for services, which have separate clocks. Every page, list and clock shows this moment.
CREATE OR REPLACE FUNCTION public.order_step_due(p_order bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select case when (o.snapshot->>'handoverType')::int = 52 then case when h.key <> 'seal' then d.due_at
          else coalesce((select greatest(q.due_at, t.due_at)
            from recycle_request q left join timer t on t.kind = 'recycle.due' and t.ref = q.id::text where q.order_id = o.id), d.due_at) end
      when o.status = 1 then least(d.due_at, o.ship_by)
      when h.actor = 'buyer' and h.required and not h.before_ship and not h.evidence
        and not exists (select from order_handover s where s.order_id = o.id and s.step <> h.step and s.required and s.done_at is null)
        then coalesce(o.auto_confirm_at, d.due_at)
      else d.due_at end
    from orders o
    cross join lateral (select s.step, s.key, s.minutes, s.before_ship, s.actor, s.required, s.evidence from order_handover s
      where s.order_id = o.id and s.done_at is null and (o.status = 2 or s.before_ship) order by s.step limit 1) h
    cross join lateral (select greatest(o.paid_at, case when not h.before_ship then o.shipped_at end,
          (select max(b.done_at) from order_handover b where b.order_id = o.id and b.step < h.step)) + make_interval(mins => h.minutes)
        + case when exists (select from order_exchange e where e.order_id = o.id and e.step = h.step and e.more_at is not null)
          then interval '30 minutes' else interval '0' end as due_at) d
    where o.id = p_order and o.status in (1, 2) and not o.disputed and o.snapshot->>'service' is null
$function$;
