-- The given user and all former accounts of the same verified person. Called by promotions and services for limits per person.
CREATE OR REPLACE FUNCTION public.accounts_of_person(p_user bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
AS $function$
  select p_user
  union select f.user_id from real_name r join former_person f on f.id_hash = r.id_hash where r.user_id = p_user and r.status = 2
$function$;
