-- Deletes timers and returns their remaining seconds by kind, for effect_go_on. Called by service_follows_case.
CREATE OR REPLACE FUNCTION public.effect_stop(p_kinds text[], p_ref text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_left jsonb;
begin
  with stopped as (delete from timer where ref = p_ref and kind = any (p_kinds) returning kind, extract(epoch from due_at - now()) as seconds)
  select coalesce(jsonb_object_agg(kind, seconds), '{}') into v_left from stopped;
  return v_left;
end $function$;
