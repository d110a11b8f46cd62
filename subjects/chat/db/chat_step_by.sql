-- When the transition that an order is due for runs out of time.
CREATE OR REPLACE FUNCTION public.chat_step_by(p_status smallint, p_ship_by timestamp with time zone, p_confirm_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case p_status when 1 then p_ship_by when 2 then p_confirm_at end
$function$;
