-- Trigger of recycle_request: allows only legal transitions. Raises YS902.
CREATE OR REPLACE FUNCTION public.recycle_request_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> new.status and not exists (select from recycle_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'recycling transition from % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;
