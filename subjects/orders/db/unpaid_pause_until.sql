-- The end of a buyer's pause after unpaid orders of the last day; null without any. Called by order_place.
CREATE OR REPLACE FUNCTION public.unpaid_pause_until(p_buyer bigint, p_pauses jsonb)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select e.last + make_interval(secs => (p_pauses->>(least(e.n, jsonb_array_length(p_pauses))::int - 1))::int)
  from (select count(*) as n, max(unpaid_end_at) as last from orders
    where buyer_id = p_buyer and unpaid_end_at > now() - interval '1 day') e where e.n > 0
$function$;
