-- Sets or moves a timer. Called by order_place, order_step, effect_go_on and service_follows_account.
CREATE OR REPLACE FUNCTION public.effect_schedule(p_kind text, p_ref text, p_due timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into timer (kind, ref, due_at) values (p_kind, p_ref, p_due)
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0;
end $function$;
