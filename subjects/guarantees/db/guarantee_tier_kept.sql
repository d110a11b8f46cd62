-- Trigger of guarantee_tier: rejects deletes and changes of an offered tier's terms with YS900.
CREATE OR REPLACE FUNCTION public.guarantee_tier_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - '{status,sort,revoked_at,revoked_by}'::text[]) is distinct from (to_jsonb(old) - '{status,sort,revoked_at,revoked_by}'::text[])
  then raise exception 'an offered guarantee tier is immutable; insert a new version' using errcode = 'YS900'; end if;
  return new;
end $function$;
