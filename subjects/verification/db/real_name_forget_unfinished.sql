-- Deletes verifications whose face check expired a day ago and returns their number. Called by verification/server/unfinished.ts.
CREATE OR REPLACE FUNCTION public.real_name_forget_unfinished()
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with gone as (delete from real_name where status = 1 and face_until < now() - interval '1 day' returning 1)
  select count(*)::int from gone;
$function$;
