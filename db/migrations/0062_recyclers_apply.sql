-- Who buys coin applies like a shop does (domain.md 6): one record in provider, reviewed by staff. `recycler` stays what offers, sales and
-- bids ask, and follows the record by itself, so that no way of deciding can forget it.
alter table provider drop constraint provider_kind_check;
alter table provider add constraint provider_kind_check check (kind in ('shop', 'booster', 'companion', 'recycler'));

-- How much a recycler may buy a day when it is admitted; staff change it like every setting, and a recycler's own limit afterwards.
insert into setting (key, version, value) values ('recycling', 1, '{"dayLimitFen": 2000000}');

-- Recyclers that were admitted before there were applications.
insert into provider (dist_id, user_id, kind, status, name, games, reviewed_by, reviewed_at, done_count, created_at)
  select dist_id, user_id, 'recycler', case status when 0 then 'reviewing' when 1 then 'approved' else 'suspended' end, name, games,
    reviewed_by, created_at, won_count, created_at
  from recycler;

create function recycler_follows_provider() returns trigger language plpgsql as $$
declare
  state smallint := case new.status when 'reviewing' then 0 when 'approved' then 1 else 2 end;
  day_limit bigint := coalesce((select (value->>'dayLimitFen')::bigint from setting where key = 'recycling' order by version desc limit 1), 2000000);
begin
  -- An application that nobody has decided on makes no recycler yet.
  insert into recycler (user_id, dist_id, name, games, day_limit_fen, status, reviewed_by, won_count)
    select new.user_id, new.dist_id, new.name, new.games, day_limit, state, new.reviewed_by, new.done_count where new.status = 'approved'
  on conflict (user_id) do update set name = excluded.name, games = excluded.games, status = 1, reviewed_by = excluded.reviewed_by;
  if new.status <> 'approved' then update recycler set status = state where user_id = new.user_id; end if;
  return null;
end $$;
create trigger recycler_follows_provider after insert or update of status, name, games on provider for each row
  when (new.kind = 'recycler') execute function recycler_follows_provider();
