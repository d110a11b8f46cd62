-- All pairs of adjacent characters of a name, in lower case. Indexed for the user search of the back office.
CREATE OR REPLACE FUNCTION public.name_parts(p_name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select coalesce(array_agg(distinct substr(lower(p_name), i, 2)), '{}') from generate_series(1, greatest(length(p_name) - 1, 1)) i
$function$;
