-- Trigger of boost_request: only an open request can change its status. Raises YS902.
CREATE OR REPLACE FUNCTION public.boost_request_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> new.status and old.status <> 'open'
  then raise exception 'boost request transition from % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;
