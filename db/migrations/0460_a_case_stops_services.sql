-- A case stops the clocks of a service, as a pause does (docs/decisions/320).
alter table service_order
  add column stopped_at timestamptz,                                   -- since when an open case stops its clocks
  add column stopped_clocks jsonb not null default '{}'                -- the seconds that were left of each
    check (jsonb_typeof(stopped_clocks) = 'object'),
  add column stopped_seconds int not null default 0 check (stopped_seconds >= 0);  -- how long cases stopped it together

-- Made from db/functions: effect_go_on, effect_stop, service_follows_case.
CREATE OR REPLACE FUNCTION public.effect_go_on(p_ref text, p_left jsonb, p_from timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_one record;
begin
  for v_one in select key as kind, value::float8 as seconds from jsonb_each_text(p_left) loop
    perform effect_schedule(v_one.kind, p_ref, p_from + make_interval(secs => v_one.seconds));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.effect_stop(p_kinds text[], p_ref text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_left jsonb;
begin
  with stopped as (delete from timer where ref = p_ref and kind = any (p_kinds) returning kind, extract(epoch from due_at - now()) as seconds)
  select coalesce(jsonb_object_agg(kind, seconds), '{}') into v_left from stopped;
  return v_left;
end $function$;

CREATE OR REPLACE FUNCTION public.service_follows_case()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  s service_order;
  v_ref text := new.id;
  v_stopped interval;
  v_later interval;
begin
  select * into s from service_order where order_id = new.id for update;
  if not found then return null; end if;
  if new.disputed then
    if s.state in ('checking', 'done', 'ended') then return null; end if;
    update service_order set stopped_at = now(), stopped_clocks = effect_stop(array['service.accept', 'service.milestone', 'service.resume',
        'service.proof', 'service.cancelAnswer', 'service.noShow', 'service.playEnd', 'service.endFinal'], v_ref) where order_id = new.id;
    return null;
  end if;
  if s.stopped_at is null then return null; end if;
  if s.state in ('done', 'ended') or new.status <> 1 then
    update service_order set stopped_at = null, stopped_clocks = '{}' where order_id = new.id;
    return null;
  end if;
  v_stopped := now() - s.stopped_at;
  v_later := v_stopped;
  if s.state = 'waiting' and s.starts_at > s.stopped_at then
    v_later := greatest(interval '0', now() + least(s.starts_at - s.stopped_at, interval '5 minutes') - s.starts_at);
  end if;
  perform effect_go_on(v_ref, s.stopped_clocks, s.stopped_at + v_later);
  update service_order set stopped_at = null, stopped_clocks = '{}', stopped_seconds = stopped_seconds + extract(epoch from v_stopped)::int,
      accept_by = accept_by + v_later,
      starts_at = case when s.state = 'waiting' then starts_at + v_later else starts_at end,
      due_at = case when s.state in ('waiting', 'working') then due_at + v_later else due_at end,
      proof_due_at = case when s.state = 'working' then proof_due_at + v_later else proof_due_at end
    where order_id = new.id;
  if s.state = 'working' and s.type_id = 61 then
    perform companion_slot_take(new.id, s.provider_id, now(), greatest(now(), s.due_at + v_later));
  end if;
  return null;
end $function$;

create trigger service_follows_case after update of disputed on orders
  for each row when (new.type_id in (60, 61) and old.disputed is distinct from new.disputed) execute function service_follows_case();

-- Orders with a case that is open already: their clocks look again each hour, and the time since it was opened is given back.
update service_order s set stopped_at = d.opened_at from dispute d
  where d.order_id = s.order_id and d.status <> 'closed' and s.state not in ('checking', 'done', 'ended');
