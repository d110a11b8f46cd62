-- Deletes the timers of the given kinds and reference. Called by order_step and service_follows_account.
CREATE OR REPLACE FUNCTION public.effect_cancel(p_kinds text[], p_ref text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from timer where ref = p_ref and kind = any (p_kinds);
end $function$;
