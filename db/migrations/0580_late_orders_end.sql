-- An order of boosting that is late ends by rule where both sides are silent (docs/decisions/395).
alter table service_order
  add column acted_at timestamptz,             -- when a party last did something on an order of boosting
  add column late_told_at timestamptz;         -- when both were told that it is late; null while it is not, and after who looked at it
grant update (acted_at, late_told_at) on service_order to youshi_app;

insert into setting (key, version, value, reason)
  select 'boosting', max(version) + 1, (array_agg(value order by version desc))[1] || '{"lateSeconds": 172800, "lateMaxSeconds": 604800}'::jsonb,
    '超过约定时间且双方没有操作：两天后未确认的货款退回，有进度要核对的转客服；最长七天'
  from setting where key = 'boosting';

-- The clock gives this reason; people cannot choose it.
with added as (
  insert into dispute_reason (code, name, goods_types, form, evidence, sort, order_states, status) values
    ('service_late', '超过约定时间，双方未处理', '{60}', '[]', '进度截图与聊天记录', 79, '{1}', 2)
    returning *)
insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status, reason)
  select code, version, name, goods_types, order_states, form, evidence, sort, status, '超过约定时间后双方都没有处理，自动转客服裁决' from added;

-- Orders that run already have the clock as well.
insert into timer (kind, ref, due_at)
  select 'service.late', order_id::text, greatest(due_at, now()) from service_order
  where type_id = 60 and state in ('working', 'paused') and due_at is not null
  on conflict do nothing;

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
  perform effect_schedule('service.late', new.order_id::text, v_due);
  return null;
end $function$;

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
  v_ruled boolean;
begin
  select * into s from service_order where order_id = new.id for update;
  if not found then return null; end if;
  if new.disputed then
    if s.state in ('checking', 'done', 'ended') then return null; end if;
    update service_order set stopped_at = now(), stopped_clocks = effect_stop(array['service.accept', 'service.account', 'service.milestone', 'service.resume',
        'service.proof', 'service.late', 'service.cancelAnswer', 'service.noShow', 'service.playEnd', 'service.endFinal'], v_ref) where order_id = new.id;
    return null;
  end if;
  if s.stopped_at is null then return null; end if;
  if s.state in ('done', 'ended') or new.status <> 1 then
    update service_order set stopped_at = null, stopped_clocks = '{}' where order_id = new.id;
    return null;
  end if;
  v_ruled := exists (select from dispute d where d.order_id = new.id and d.outcome = 'ruled' and d.closed_at >= s.stopped_at);
  v_stopped := now() - s.stopped_at;
  v_later := v_stopped;
  if s.state = 'waiting' and s.starts_at > s.stopped_at then
    v_later := greatest(interval '0', now() + least(s.starts_at - s.stopped_at, interval '5 minutes') - s.starts_at);
  end if;
  perform effect_go_on(v_ref, s.stopped_clocks, s.stopped_at + v_later);
  update service_order set stopped_at = null, stopped_clocks = '{}', stopped_seconds = stopped_seconds + extract(epoch from v_stopped)::int,
      accept_by = accept_by + v_later,
      account_free_at = case when s.state = 'waiting' then account_free_at + v_later else account_free_at end,
      silence_paid_at = case when not v_ruled then silence_paid_at end,
      acted_at = case when s.type_id = 60 then now() end,
      late_told_at = case when not (v_ruled or exists (select from dispute d where d.order_id = new.id and d.opener_id = new.buyer_id and d.closed_at >= s.stopped_at))
        then late_told_at end,
      starts_at = case when s.state = 'waiting' then starts_at + v_later else starts_at end,
      due_at = case when s.state in ('waiting', 'working') then due_at + v_later else due_at end,
      proof_due_at = case when s.state = 'working' then proof_due_at + v_later else proof_due_at end
    where order_id = new.id;
  if s.state = 'working' and s.type_id = 61 then
    perform companion_slot_take(new.id, s.provider_id, now(), greatest(now(), s.due_at + v_later));
  end if;
  return null;
end $function$;
