-- Trigger of provider (recycler): creates or updates the recycler and stops offers of games it no longer covers.
CREATE OR REPLACE FUNCTION public.recycler_follows_provider()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;
