-- A check by face that was started and has not ended: the person stands in the row with status 1 until the vendor says how it ended.
alter table real_name add column face_ref text, add column face_until timestamptz;
alter table real_name add constraint real_name_face_check
  check ((face_ref is null) = (face_until is null) and (status <> 1 or face_ref is not null)) not valid;
comment on column real_name.face_ref is 'The number of a check by face at the vendor; null for one by name and number alone.';

CREATE OR REPLACE FUNCTION public.real_name_forget_unfinished()
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with gone as (delete from real_name where status = 1 and face_until < now() - interval '1 day' returning 1)
  select count(*)::int from gone;
$function$;
