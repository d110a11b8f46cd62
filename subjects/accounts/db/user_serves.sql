-- Sets the provider flags of a user. Called by provider_flags.
CREATE OR REPLACE FUNCTION public.user_serves(p_user bigint, p_shop boolean, p_booster boolean, p_companion boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update app_user set is_quick_shop = p_shop, is_booster = p_booster, is_accompanyer = p_companion where id = p_user;
end $function$;
