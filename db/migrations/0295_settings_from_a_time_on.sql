-- A version of a setting counts from a time on, says why, and can be taken back before it counts. At most one version of a key is yet
-- to come, so the order of the versions is the order of the times from which they count. (filters nothing: the platform's own)
alter table setting
  add column valid_from timestamptz not null default now(),
  add column reason text not null default '' check (length(reason) <= 200),
  add column approved_by bigint references staff,
  add column revoked_at timestamptz,
  add column revoked_by bigint references staff,
  add constraint setting_two_persons check (approved_by is distinct from created_by or approved_by is null);
update setting set valid_from = created_at;
-- What was decided is not rewritten: a version can only be taken back.
revoke update on setting from youshi_app;
grant update (revoked_at, revoked_by) on setting to youshi_app;

-- The value that counts now. Null for a key that does not exist.
create function setting_now(p_key text) returns jsonb language sql stable as $$
  select value from setting where key = p_key and valid_from <= now() and revoked_at is null order by version desc limit 1
$$;

-- Levels of deposit are settings like the others: with versions, a beginning and a history. The table becomes the view of what counts.
insert into setting (key, version, value)
  select 'deposit_levels', 1, jsonb_object_agg(role, levels) from (
    select role, jsonb_agg(jsonb_build_object('name', name, 'amountFen', amount_fen, 'releaseDays', release_days, 'limits', limits,
      'benefits', benefits) order by level) as levels
    from deposit_level group by role) l;
drop table deposit_level;
create view deposit_level as
  select r.role, l.level::smallint as level, l.value->>'name' as name, (l.value->>'amountFen')::bigint as amount_fen,
    l.value->'benefits' as benefits, l.value->'limits' as limits, (l.value->>'releaseDays')::smallint as release_days
  from jsonb_each(setting_now('deposit_levels')) r(role, levels), jsonb_array_elements(r.levels) with ordinality l(value, level);
grant select on deposit_level to youshi_app;

create or replace function fund_release_holds() returns trigger language plpgsql as $$
begin
  if new.approval_id is not null then
    if not exists (select from approval a where a.id = new.approval_id and a.status = 'allowed' and a.decided_by is not null) then
      raise exception 'the guarantee fund pays by two names' using errcode = 'YS105';
    end if;
  elsif not exists (select from guarantee_claim c where c.id = new.claim_id and c.deadline_at <= now() and new.ref = 'claim:' || c.id)
      or new.amount_fen > (setting_now('withdraw')->>'secondPersonFen')::bigint then
    raise exception 'the guarantee fund pays by a deadline under the limit' using errcode = 'YS105';
  end if;
  return null;
end $$;

create or replace function recycler_follows_provider() returns trigger language plpgsql as $$
declare
  state smallint := case new.status when 'reviewing' then 0 when 'approved' then 1 else 2 end;
  day_limit bigint := coalesce((setting_now('recycling')->>'dayLimitFen')::bigint, 2000000);
begin
  -- An application that nobody has decided on makes no recycler yet.
  insert into recycler (user_id, dist_id, name, games, day_limit_fen, status, reviewed_by, won_count)
    select new.user_id, new.dist_id, new.name, new.games, day_limit, state, new.reviewed_by, new.done_count where new.status = 'approved'
  on conflict (user_id) do update set name = excluded.name, games = excluded.games, status = 1, reviewed_by = excluded.reviewed_by;
  if new.status <> 'approved' then update recycler set status = state where user_id = new.user_id; end if;
  if new.status = 'approved' and cardinality(new.games) > 0 then
    update recycle_coin_offer set status = 2, updated_at = now()
      where recycler_id = new.user_id and status = 1 and not game_id = any(new.games);
  end if;
  return null;
end $$;
