-- The current value of a setting. Called by functions and queries that need a setting in the database.
CREATE OR REPLACE FUNCTION public.setting_now(p_key text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select value from setting where key = p_key and valid_from <= now() and revoked_at is null order by version desc limit 1
$function$;
