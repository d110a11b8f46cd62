-- Whoever closed an account and comes back is the same person to everything that is given once a person (docs/decisions/182).
-- The number itself is erased with the account; its keyed hash stays. dist_id: people belong to the platform; neither filters nor records.
create table former_person (
  user_id bigint primary key references app_user,
  id_hash bytea not null,                        -- blind index of the identity number, as real_name.id_hash
  closed_at timestamptz not null default now()
);
create index former_person_hash on former_person (id_hash);

-- The hash stays from the moment that an account closes, before its real name can be erased.
insert into former_person (user_id, id_hash)
select r.user_id, r.id_hash from real_name r join app_user u on u.id = r.user_id where u.status = 3 on conflict do nothing;

-- All accounts of a user's person: the own one and the closed ones of the same identity number.
create function accounts_of_person(p_user bigint) returns setof bigint language sql stable as $$
  select p_user
  union select f.user_id from real_name r join former_person f on f.id_hash = r.id_hash where r.user_id = p_user and r.status = 2
$$;

-- Erases what says who a closed account's user was, once its time has come. The server may remove none of it otherwise: the function runs
-- with the owner's rights and looks at the account itself. False when it is not closed or was erased before.
create function erase_person(p_user bigint) returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from app_user where id = p_user and status = 3 and erased_at is not null) then return false; end if;
  insert into former_person (user_id, id_hash) select user_id, id_hash from real_name where user_id = p_user on conflict do nothing;
  delete from real_name where user_id = p_user;
  delete from payout_account where user_id = p_user;
  delete from role_card where user_id = p_user;
  delete from push_subscription where user_id = p_user;
  delete from third_party_binding where user_id = p_user;
  return true;
end $$;
revoke execute on function erase_person(bigint) from public;
grant execute on function erase_person(bigint) to youshi_app;
