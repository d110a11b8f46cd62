-- The calendar of companions (design section 6): an hour is taken by one order, whoever asks at the same moment.
create extension if not exists btree_gist;
create table companion_slot (
  order_id bigint primary key references service_order,
  provider_id bigint not null references provider,
  during tstzrange not null check (not isempty(during) and not lower_inf(during) and not upper_inf(during)),
  constraint companion_slot_once exclude using gist (provider_id with =, during with &&)
);
grant select, insert, update, delete on companion_slot to youshi_app;

alter table service_order
  -- The hour that the buyer chose; null for an order that begins when it is accepted.
  add column booked_at timestamptz,
  -- The evening that this order goes on with.
  add column prolongs_id bigint references service_order,
  add constraint service_order_booked check ((booked_at is null and prolongs_id is null) or type_id = 61);
grant update (booked_at) on service_order to youshi_app;
create index service_order_prolongs on service_order (prolongs_id) where prolongs_id is not null;
-- One prolongation at a time waits or runs.
create unique index service_order_prolonged_once on service_order (prolongs_id)
  where prolongs_id is not null and state in ('pending', 'waiting');

-- Takes time of a companion for an order, or moves it, by whole seconds; false when any of it is another's.
create function companion_slot_take(p_order bigint, p_provider bigint, p_from timestamptz, p_to timestamptz) returns boolean language plpgsql as $$
begin
  insert into companion_slot (order_id, provider_id, during) values (p_order, p_provider, tstzrange(date_trunc('second', p_from), date_trunc('second', p_to)))
    on conflict (order_id) do update set during = excluded.during;
  return true;
exception when exclusion_violation then
  return false;
end $$;

-- An order that ended, or whose time was played, keeps nobody's time.
create function companion_slot_follows_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from companion_slot where order_id = new.id;
  return null;
end $$;
create trigger companion_slot_follows_order after update of status on orders for each row
  when (new.type_id = 61 and new.status in (2, 3, 6, 7, 8, 9)) execute function companion_slot_follows_order();

-- Thanks after an evening: from balance to balance, at most the cap for an order.
create table service_tip (
  id bigint generated always as identity primary key,
  order_id bigint not null references service_order,
  amount_fen bigint not null check (amount_fen between 100 and 20000),
  created_at timestamptz not null default now()
);
create index service_tip_order on service_tip (order_id);
revoke update, delete on service_tip from youshi_app;
grant select, insert on service_tip to youshi_app;
create function service_tip_capped() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(amount_fen), 0) from service_tip where order_id = new.order_id) > 20000 then
    raise exception 'tips of an order are capped' using errcode = 'YS901';
  end if;
  return null;
end $$;
create constraint trigger service_tip_capped after insert on service_tip for each row execute function service_tip_capped();

update setting set value = value || '{"bookAcceptSeconds": 7200}' where key = 'companion';

-- An evening that ended early was an evening: it may be rated once ten minutes beyond the trial were played.
create function order_may_be_rated(p_order bigint) returns boolean language sql stable as $$
  select o.status = 3 or (o.status = 9 and exists (select from service_order s where s.order_id = o.id and s.type_id = 61 and s.state = 'ended'
      and s.played_minutes >= 10 and s.played_minutes > coalesce((s.form->>'trialMinutes')::int, 0)))
  from orders o where o.id = p_order
$$;
create or replace function review_exclusion(p_order bigint) returns text language sql stable as $$
  select case
    when not order_may_be_rated(o.id) or 2 * coalesce((select sum(d.back_fen) from dispute d where d.order_id = o.id and d.status = 'closed'), 0) >= o.goods_fen
      or exists (select from guarantee_claim k where k.order_id = o.id and k.status = 'paid' and not k.spares_seller) then 'undone'
    when o.type_id = 51 or o.is_recovery <> 0 then 'private'
    when cardinality(user_links(o.buyer_id, o.seller_id)) > 0 then 'related' end
  from orders o where o.id = p_order
$$;
