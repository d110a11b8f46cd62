-- Trigger of hold_stage: a released stage is immutable. Raises YS900.
CREATE OR REPLACE FUNCTION public.hold_stage_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.released_at is not null then raise exception 'hold stage is already released' using errcode = 'YS900'; end if;
  return new;
end $function$;
