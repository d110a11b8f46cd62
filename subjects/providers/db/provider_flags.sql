-- Trigger of provider: copies the approved provider roles to the user's flags.
CREATE OR REPLACE FUNCTION public.provider_flags()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform user_serves(new.user_id,
    exists (select from provider p where p.user_id = new.user_id and p.kind = 'shop' and p.status = 'approved'),
    exists (select from provider p where p.user_id = new.user_id and p.kind = 'booster' and p.status = 'approved'),
    exists (select from provider p where p.user_id = new.user_id and p.kind = 'companion' and p.status = 'approved'));
  return null;
end $function$;
