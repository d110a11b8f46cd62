-- Deletes the identity and payout accounts of a user. Called by erase_person.
CREATE OR REPLACE FUNCTION public.real_name_erase(p_user bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from real_name where user_id = p_user;
  delete from payout_account where user_id = p_user;
end $function$;
