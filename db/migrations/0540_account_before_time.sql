-- The promised time of a boosting order begins when the account was handed over (docs/decisions/380), and silence pays one stage at a time
-- (docs/decisions/381).
alter table service_order
  add column account_free_at timestamptz,      -- from then on giving up is free for the booster while the account is missing
  add column silence_paid_at timestamptz;      -- when silence last paid a stage; null once the buyer has acted
grant update (account_free_at, silence_paid_at) on service_order to youshi_app;

insert into boost_transition values ('pending', 'waiting'), ('waiting', 'working'), ('waiting', 'ended');
alter table service_order drop constraint service_order_companion;
alter table service_order add constraint service_order_companion check (
  (type_id = 61 or (state <> 'ending' and buyer_start_at is null and seller_start_at is null and end_by is null))
  and (type_id = 60 or state <> 'paused')
  and (type_id <> 61 or state not in ('working', 'ending', 'checking') or (buyer_start_at is not null and seller_start_at is not null))
  and (state <> 'ending' or (end_by is not null and played_minutes is not null and finished_at is not null))
  and (played_minutes is null or (played_minutes >= 0 and played_minutes <= minutes))) not valid;

insert into setting (key, version, value, reason)
  select 'boosting', max(version) + 1, (array_agg(value order by version desc))[1] || '{"accountSeconds": 86400, "accountFreeSeconds": 7200}'::jsonb,
    '约定时间从提交账号起算：两小时未交可免责放弃，一天未交自动退款'
  from setting where key = 'boosting';

-- Moves the time by which an order is to be delivered; the caller holds its lock.
CREATE OR REPLACE FUNCTION public.order_due(p_order bigint, p_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update orders set ship_by = p_until where id = p_order;
end $function$;

-- The promised time of a boosting order begins when its buyer hands the account over, in the same transaction (docs/decisions/380).
CREATE OR REPLACE FUNCTION public.service_follows_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_due timestamptz;
begin
  update service_order set state = 'working', started_at = now(), due_at = now() + make_interval(mins => minutes), account_free_at = null
    where order_id = new.order_id and type_id = 60 and state = 'waiting' returning due_at into v_due;
  if not found then return null; end if;
  perform order_due(new.order_id, v_due);
  perform effect_cancel(array['service.account', 'service.proof'], new.order_id::text);
  return null;
end $function$;

create trigger service_follows_account after insert on sealed_credential for each row when (new.version = 1) execute function service_follows_account();

-- A case stops every clock of a service and gives it back what was left (docs/decisions/320). A pause has its own time, so what is
-- promised moves only when the service goes on; an evening that has not begun waits again for those who come.
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
    update service_order set stopped_at = now(), stopped_clocks = effect_stop(array['service.accept', 'service.account', 'service.milestone', 'service.resume',
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
      account_free_at = case when s.state = 'waiting' then account_free_at + v_later else account_free_at end,
      silence_paid_at = case when not exists (select from dispute d where d.order_id = new.id and d.outcome = 'ruled' and d.closed_at >= s.stopped_at)
        then silence_paid_at end,
      starts_at = case when s.state = 'waiting' then starts_at + v_later else starts_at end,
      due_at = case when s.state in ('waiting', 'working') then due_at + v_later else due_at end,
      proof_due_at = case when s.state = 'working' then proof_due_at + v_later else proof_due_at end
    where order_id = new.id;
  if s.state = 'working' and s.type_id = 61 then
    perform companion_slot_take(new.id, s.provider_id, now(), greatest(now(), s.due_at + v_later));
  end if;
  return null;
end $function$;
