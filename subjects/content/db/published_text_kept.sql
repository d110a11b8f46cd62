-- Trigger of legal_text and platform_rule: rejects deletes and updates of a published version with YS900, except revoking one that is
-- not yet in force.
CREATE OR REPLACE FUNCTION public.published_text_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - '{revoked_at,revoked_by}'::text[]) is distinct from (to_jsonb(old) - '{revoked_at,revoked_by}'::text[])
    or old.revoked_at is not null or old.in_force_from <= now()
  then raise exception 'a published text version is immutable; insert a new version' using errcode = 'YS900'; end if;
  return new;
end $function$;
