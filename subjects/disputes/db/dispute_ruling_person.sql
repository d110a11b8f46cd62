-- Trigger of dispute_ruling: an appeal ruling requires an appeal (YS402) and a staff member other than the first one (YS403).
CREATE OR REPLACE FUNCTION public.dispute_ruling_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.stage = 2 and not exists (select from dispute_appeal a where a.dispute_id = new.dispute_id)
  then raise exception 'no appeal exists for this dispute' using errcode = 'YS402'; end if;
  if exists (select from dispute_ruling r where r.dispute_id = new.dispute_id and r.stage <> new.stage and r.staff_id = new.staff_id)
  then raise exception 'the appeal must be decided by a different staff member than the first ruling' using errcode = 'YS403'; end if;
  return new;
end $function$;
