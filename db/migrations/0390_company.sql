-- Company (design section 6): voices of companions, play that both start and either ends, and who did not appear.

-- Voices are stored as they were sent, after their form was read; the key carries the length.
create table voice_clip (
  key text primary key,
  owner_id bigint not null references app_user,
  mime text not null check (mime in ('audio/mpeg', 'audio/mp4', 'audio/wav')),
  seconds smallint not null check (seconds between 1 and 60),
  bytes integer not null check (bytes between 1 and 2097152),
  sha256 bytea not null,
  created_at timestamptz not null default now()
);
grant select, insert on voice_clip to youshi_app;

alter table provider
  add column voice text references voice_clip,
  -- Orders that were paid back because the provider did not appear.
  add column no_show_count integer not null default 0 check (no_show_count >= 0);

alter table service_order
  drop constraint service_order_state_check,
  drop constraint service_order_accepted,
  add constraint service_order_state_check
    check (state in ('pending', 'waiting', 'working', 'paused', 'ending', 'checking', 'done', 'ended')),
  add constraint service_order_accepted check (state in ('pending', 'ended') or accepted_at is not null),
  add column buyer_start_at timestamptz,
  add column seller_start_at timestamptz,
  -- Who pressed the end, and the minutes that count: 0 buyer, 1 seller.
  add column end_by smallint check (end_by in (0, 1)),
  add column played_minutes integer,
  add constraint service_order_company check (
    (type_id = 61 or (state not in ('waiting', 'ending') and buyer_start_at is null and seller_start_at is null and end_by is null))
    and (type_id = 60 or state <> 'paused')
    -- Play means that both are there.
    and (type_id <> 61 or state not in ('working', 'ending', 'checking') or (buyer_start_at is not null and seller_start_at is not null))
    and (state <> 'ending' or (end_by is not null and played_minutes is not null and finished_at is not null))
    and (played_minutes is null or played_minutes between 0 and minutes));
grant update (buyer_start_at, seller_start_at, end_by, played_minutes) on service_order to youshi_app;

create index service_order_busy on service_order (provider_id) where state in ('waiting', 'working', 'paused');

create or replace function service_follows_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s service_order;
begin
  if new.status = 2 then
    update service_order set state = 'checking', finished_at = coalesce(finished_at, now())
      where order_id = new.id and state in ('working', 'paused', 'ending');
    return null;
  end if;
  if new.status not in (3, 6, 7, 8, 9) then return null; end if;
  update service_order set state = case when new.status = 3 then 'done' else 'ended' end, paused_at = null,
      finished_at = coalesce(finished_at, now())
    where order_id = new.id and state not in ('done', 'ended') returning * into s;
  if not found then return null; end if;
  if new.status = 3 then
    update service_milestone set state = 'accepted', answered_at = now() where order_id = new.id and state <> 'accepted';
    update service_package set sold_count = sold_count + 1 where id = s.package_id;
    perform provider_done(s.provider_id, coalesce(s.finished_at <= s.due_at, true) or s.type_id = 61);
  end if;
  perform hold_give('service_safety', new.id, case when s.safety_to_buyer then new.buyer_id else new.seller_id end);
  perform hold_give('service_efficiency', new.id, case when s.efficiency_to_buyer then new.buyer_id else new.seller_id end);
  return null;
end $$;

insert into setting (key, version, value) values
  ('company', 1, '{"acceptSeconds": 600, "readySeconds": 300, "noShowSeconds": 600, "endAnswerSeconds": 1800}');

update notice_kind set name = '服务订单' where code = 'service.order';
update notice_kind set name = '服务进度' where code = 'service.progress';
