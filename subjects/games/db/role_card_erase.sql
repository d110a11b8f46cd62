-- Deletes the saved game characters of a user. Called by erase_person.
CREATE OR REPLACE FUNCTION public.role_card_erase(p_user bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from role_card where user_id = p_user;
end $function$;
