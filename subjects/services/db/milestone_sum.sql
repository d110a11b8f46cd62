-- The sum of the milestones' shares in basis points. Called by check constraints of boost_request and service_package.
CREATE OR REPLACE FUNCTION public.milestone_sum(p jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(sum((m->>'shareBp')::int), 0)::int from jsonb_array_elements(p) m;
$function$;
