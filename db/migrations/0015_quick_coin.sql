-- Quick coin (domain.md 6): shops offer coin by the lot, a buyer orders a number of lots, the stock falls by a conditional UPDATE.
-- The order itself goes through orders (type 53): goods_num = lots, unit_price_fen = price of a lot.

-- One unit of coin is often worth less than a fen, so the price belongs to a lot: lot_units units for lot_price_fen.
-- dist_id records; offers are shown on every site.
create table quick_coin_offer (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  provider_id bigint not null references provider,
  seller_id bigint not null references app_user,
  game_id int not null references game,
  area_id int not null references game_area,
  server_id int references game_server,          -- null = the whole area shares one market
  camp text,                                     -- 部落, 联盟 …
  coin_type smallint not null default 1 check (coin_type between 1 and 99), -- quickCoinType: several currencies of one game
  unit text not null check (unit in ('万金币', '金币', '万基纳', '基纳', '万钻石', '钻石', '万宝票', '宝票')),
  lot_units bigint not null check (lot_units between 1 and 1000000000),
  lot_price_fen bigint not null check (lot_price_fen between 1 and 99999999),
  unit_price_micro bigint not null generated always as (lot_price_fen * 10000 / lot_units) stored, -- 1/10000 fen a unit: only for sorting
  stock int not null check (stock between 0 and 1000000),           -- in lots
  min_lots int not null default 1 check (min_lots >= 1),
  max_lots int not null default 10000 check (max_lots between 1 and 100000),
  delivery smallint[] not null check (delivery <@ '{1,2,3}' and cardinality(delivery) > 0), -- 1 mail, 2 auction, 3 face-to-face
  ship_minutes int not null default 30 check (ship_minutes between 5 and 1440),
  title text not null default '',
  note text not null default '',
  status smallint not null default 1 check (status in (1, 2, 3, 7)), -- 1 on sale, 2 off sale, 3 removed, 7 hidden (seller away 3 days)
  version int not null default 1,                -- moves with price, lot, minimum and delivery
  import_key text,
  sold_lots bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (max_lots >= min_lots)
);
create index quick_coin_shelf on quick_coin_offer (game_id, area_id, unit_price_micro, id) where status = 1 and stock > 0;
create index quick_coin_server on quick_coin_offer (game_id, server_id, unit_price_micro, id) where status = 1 and stock > 0 and server_id is not null;
create index quick_coin_seller on quick_coin_offer (seller_id, status, id desc);
create unique index quick_coin_import on quick_coin_offer (seller_id, import_key) where import_key is not null;

create table quick_coin_order (
  order_id bigint primary key references orders,
  offer_id bigint not null references quick_coin_offer,
  lots int not null check (lots > 0),
  lot_units bigint not null check (lot_units > 0),
  coin_units bigint not null generated always as (lots * lot_units) stored,
  unit text not null,
  delivery smallint not null check (delivery in (1, 2, 3)),
  area_id int not null,
  server_id int,
  role_name text not null,                       -- the buyer's character that receives
  role_level int check (role_level > 0),
  auction_item text,                             -- delivery 2: what the buyer puts up, and for how much coin
  auction_units bigint check (auction_units > 0),
  meet_place text,                               -- delivery 3
  delivered_units bigint not null default 0 check (delivered_units >= 0),
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'), -- proof of delivery, before and after
  delivered_at timestamptz,
  stock_returned boolean not null default false,
  check (delivery <> 2 or auction_item is not null)
);
create index quick_coin_order_offer on quick_coin_order (offer_id, order_id desc);

-- Takes lots for an order, after order_place in the same transaction.
-- Errors: YS201 not on sale, YS202 changed since it was shown, YS207 stock too low, YS211 outside the offer's minimum and maximum.
create function quick_coin_take(p_offer bigint, p_version int, p_lots int) returns quick_coin_offer language plpgsql as $$
declare
  c quick_coin_offer;
begin
  update quick_coin_offer set stock = stock - p_lots, updated_at = now()
    where id = p_offer and status = 1 and version = p_version and stock >= p_lots and p_lots between min_lots and max_lots
    returning * into c;
  if found then return c; end if;
  select * into c from quick_coin_offer where id = p_offer;
  if c.status is distinct from 1 then raise exception 'not on sale' using errcode = 'YS201'; end if;
  if c.version <> p_version then raise exception 'offer changed' using errcode = 'YS202'; end if;
  if p_lots not between c.min_lots and c.max_lots then raise exception 'lots out of bounds' using errcode = 'YS211'; end if;
  raise exception 'stock too low' using errcode = 'YS207';
end $$;

-- Whoever ends an order before it shipped gives the lots back, once, in the same transaction; a completed one counts as sold.
create function quick_coin_follows_order() returns trigger language plpgsql as $$
declare
  d quick_coin_order;
begin
  if old.status in (0, 1) and new.status in (6, 7, 8, 9) then
    update quick_coin_order set stock_returned = true where order_id = new.id and not stock_returned returning * into d;
    if found then update quick_coin_offer set stock = stock + d.lots, updated_at = now() where id = d.offer_id; end if;
  elsif new.status = 3 then
    update quick_coin_offer c set sold_lots = c.sold_lots + q.lots from quick_coin_order q where q.order_id = new.id and c.id = q.offer_id;
  end if;
  return null;
end $$;
create trigger quick_coin_follows_order after update of status on orders for each row
  when (new.type_id = 53 and old.status is distinct from new.status) execute function quick_coin_follows_order();

-- The ratio both ways (1 yuan = N units, N yuan a unit) by area and day, from completed orders and live offers; drawn as the 90-day chart.
-- units_per_yuan is kept as what one yuan buys, in 1/10000 unit, so that no rounding depends on the size of a lot.
create table coin_ratio_day (
  game_id int not null references game,
  area_id int not null references game_area,
  coin_type smallint not null default 1,
  day date not null,
  unit text not null,
  low_e4 bigint not null check (low_e4 > 0),
  typical_e4 bigint not null check (typical_e4 > 0),
  high_e4 bigint not null check (high_e4 > 0),
  last_deal_e4 bigint,
  deals int not null default 0,
  offers int not null default 0,
  made_at timestamptz not null default now(),
  primary key (game_id, area_id, coin_type, day),
  check (low_e4 <= typical_e4 and typical_e4 <= high_e4)
);

revoke delete, truncate on quick_coin_offer, quick_coin_order from youshi_app;
