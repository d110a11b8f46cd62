-- Counts a hit and returns whether it is within the limit of the window. Called by server/access/limits.ts.
CREATE OR REPLACE FUNCTION public.limit_hit(p_key text, p_max integer, p_seconds integer)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  insert into limit_counter as c (key, hits, reset_at) values (p_key, 1, now() + make_interval(secs => p_seconds))
  on conflict (key) do update set
    hits = case when c.reset_at <= now() then 1 else c.hits + 1 end,
    reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
  returning hits <= p_max;
$function$;
