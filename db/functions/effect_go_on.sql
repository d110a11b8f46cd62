-- Schedules stopped timers again with their remaining seconds after p_from. Called by service_follows_case.
CREATE OR REPLACE FUNCTION public.effect_go_on(p_ref text, p_left jsonb, p_from timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_one record;
begin
  for v_one in select key as kind, value::float8 as seconds from jsonb_each_text(p_left) loop
    perform effect_schedule(v_one.kind, p_ref, p_from + make_interval(secs => v_one.seconds));
  end loop;
end $function$;
