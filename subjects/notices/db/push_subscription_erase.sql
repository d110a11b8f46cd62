-- Deletes the push subscriptions of a user. Called by erase_person.
CREATE OR REPLACE FUNCTION public.push_subscription_erase(p_user bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from push_subscription where user_id = p_user;
end $function$;
