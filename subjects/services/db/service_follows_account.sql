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
