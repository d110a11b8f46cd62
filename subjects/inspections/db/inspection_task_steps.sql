-- Trigger of inspection_task: allows only legal transitions (YS902) and erases the credentials when the task ends.
CREATE OR REPLACE FUNCTION public.inspection_task_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> new.status and not exists (select from inspection_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'inspection transition from % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  if old.status in ('done', 'closed') then raise exception 'the inspection has ended' using errcode = 'YS902'; end if;
  if new.status in ('done', 'closed') then
    if new.sealed_enc is not null then new.erased_at := now(); end if;
    new.sealed_enc := null;
    new.due_at := null;
  end if;
  return new;
end $function$;
