-- Erases the personal data of a closed account and keeps its keyed identity hash. Returns false unless the account is closed and erased.
-- Called by accounts/server/close.ts.
CREATE OR REPLACE FUNCTION public.erase_person(p_user bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from app_user where id = p_user and status = 3 and erased_at is not null) then return false; end if;
  insert into former_person (user_id, id_hash) select user_id, id_hash from real_name where user_id = p_user on conflict do nothing;
  perform real_name_erase(p_user);
  perform role_card_erase(p_user);
  perform push_subscription_erase(p_user);
  delete from third_party_binding where user_id = p_user;
  return true;
end $function$;
