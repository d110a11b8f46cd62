-- Trigger of recycle_request: the deduction can change only while the bid is accepted and the inspection runs. Raises YS901.
CREATE OR REPLACE FUNCTION public.recycle_cut_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> 'accepted' then raise exception 'recycle_request.cut_fen can change only while the inspection runs' using errcode = 'YS901'; end if;
  return new;
end $function$;
