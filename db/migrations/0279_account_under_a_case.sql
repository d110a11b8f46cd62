-- Made from the files of the functions: account_barred, goods_account_guard, service_follows_case.
CREATE OR REPLACE FUNCTION public.account_barred(p_fingerprint bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from guarantee_claim where fingerprint = p_fingerprint and status in ('checking', 'chasing', 'escalated', 'paid'))
    or exists (select from goods g join orders o on o.goods_id = g.id
      where g.fingerprint = p_fingerprint and o.status = 3 and o.type_id in (1, 8, 50) and o.disputed)
    or exists (select from middleman_deal m join orders o on o.id = m.order_id
      where m.fingerprint = p_fingerprint and m.status = 'ordered' and o.status = 3 and o.disputed)
$function$;

CREATE OR REPLACE FUNCTION public.goods_account_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform account_lock(new.fingerprint, false);
  if not account_barred(new.fingerprint) then return new; end if;
  if tg_op = 'UPDATE' and old.status in (4, 5, 7) then
    new.status := 3;
    return new;
  end if;
  raise exception 'the account has an open claim or case' using errcode = 'YS411';
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
  v_ruled boolean;
  v_own boolean;
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
  -- A buyer who withdraws a case over running play pays for its time as for any other; otherwise a case would make minutes of play free.
  v_own := s.state = 'working' and s.type_id = 61 and exists (select from dispute d
    where d.order_id = new.id and d.outcome = 'withdrawn' and d.opener_id = new.buyer_id and d.closed_at >= s.stopped_at);
  v_later := case when v_own then interval '0' else v_stopped end;
  if s.state = 'waiting' and s.starts_at > s.stopped_at then
    v_later := greatest(interval '0', now() + least(s.starts_at - s.stopped_at, interval '5 minutes') - s.starts_at);
  end if;
  perform effect_go_on(v_ref, s.stopped_clocks, s.stopped_at + v_later);
  update service_order set stopped_at = null, stopped_clocks = '{}', 
      stopped_seconds = stopped_seconds + case when s.started_at is null or v_own then 0 else extract(epoch from v_stopped)::int end,
      accept_by = accept_by + v_later,
      account_free_at = case when s.state in ('waiting', 'working') then account_free_at + v_later else account_free_at end,
      silence_paid_at = case when not v_ruled then silence_paid_at end,
      acted_at = case when s.type_id = 60 then now() end,
      late_told_at = case when not (v_ruled or exists (select from dispute d where d.order_id = new.id and d.opener_id = new.buyer_id and d.closed_at >= s.stopped_at))
        then late_told_at + v_later end,
      starts_at = case when s.state = 'waiting' then starts_at + v_later else starts_at end,
      due_at = case when s.state in ('waiting', 'working') then due_at + v_later else due_at end,
      proof_due_at = case when s.state = 'working' then proof_due_at + v_later else proof_due_at end
    where order_id = new.id;
  if s.state = 'working' and s.type_id = 61 and s.due_at + v_later > now() then
    perform companion_slot_take(new.id, s.provider_id, now(), s.due_at + v_later);
  end if;
  return null;
end $function$;
