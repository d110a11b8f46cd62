-- Trigger of black_appeal: the staff member who reviewed the entry cannot decide its appeal. Raises YS403.
CREATE OR REPLACE FUNCTION public.black_appeal_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.decided_by is not null and exists (select from black_entry e where e.id = new.entry_id and e.reviewed_by = new.decided_by)
  then raise exception 'the appeal must be decided by a different staff member than the reviewer of the entry' using errcode = 'YS403'; end if;
  return new;
end $function$;
