-- Trigger of service_order (companion play): allows only legal transitions. Raises YS902.
CREATE OR REPLACE FUNCTION public.companion_order_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from companion_transition t where t.from_state = old.state and t.to_state = new.state)
  then raise exception 'companion transition from % to % does not exist', old.state, new.state using errcode = 'YS902'; end if;
  return new;
end $function$;
