-- Trigger of orders (services): updates the service order, milestones and counters, and pays out the deposits when the order ends.
CREATE OR REPLACE FUNCTION public.service_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  s service_order;
  v_ruled boolean;
begin
  if new.status = 2 then
    update service_order set state = 'checking', finished_at = coalesce(finished_at, now())
      where order_id = new.id and state in ('working', 'paused', 'ending');
    return null;
  end if;
  if new.status not in (3, 6, 7, 8, 9) then return null; end if;
  update service_order set state = case when new.status = 3 then 'done' else 'ended' end, paused_at = null,
      finished_at = coalesce(finished_at, now())
    where order_id = new.id and state not in ('done', 'ended') returning * into s;
  if not found then return null; end if;
  if new.status = 3 then
    update service_milestone set state = 'accepted', answered_at = now() where order_id = new.id and state <> 'accepted';
    update service_package set sold_count = sold_count + 1 where id = s.package_id;
    perform provider_done(s.provider_id, coalesce(s.finished_at <= s.due_at, true) or s.type_id = 61);
  end if;
  v_ruled := exists (select from dispute d where d.id = s.ruled_dispute_id and d.status in ('ruled', 'appealed'));
  perform hold_give('service_safety', new.id,
    case when case when v_ruled then s.ruled_safety_to_buyer else s.safety_to_buyer end then new.buyer_id else new.seller_id end);
  perform hold_give('service_efficiency', new.id,
    case when case when v_ruled then s.ruled_efficiency_to_buyer else s.efficiency_to_buyer end then new.buyer_id else new.seller_id end);
  return null;
end $function$;
