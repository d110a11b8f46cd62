-- A brand can stop taking orders: its site says so, and what is under way goes on. Null = open.
alter table distributor
  add column suspended_at timestamptz,
  add column suspend_notice text not null default '' check (length(suspend_notice) <= 200);
grant update (suspended_at, suspend_notice) on distributor to youshi_app;

-- The lock makes a suspension wait for the orders that are being placed, and every later one see it.
create function site_takes_orders() returns trigger language plpgsql as $$
begin
  perform from distributor where id = new.dist_id and suspended_at is null for share;
  if not found then raise exception 'the site takes no orders' using errcode = 'YS217'; end if;
  return new;
end $$;
create trigger orders_site_open before insert on orders for each row execute function site_takes_orders();

-- The version of a brand that goes live at a time, at most one. dist_id filters.
create table brand_plan (
  dist_id int primary key references distributor,
  version int not null,
  starts_at timestamptz not null,
  reason text not null,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  foreign key (dist_id, version) references brand_version
);
grant delete on brand_plan to youshi_app;
