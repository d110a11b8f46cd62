-- Coin that recyclers buy: beside the order (type 52), as quick_coin_order is beside type 53.
create table recycle_coin_order (
  order_id bigint primary key references orders,
  offer_id bigint not null references recycle_coin_offer,
  lots int not null check (lots > 0),
  lot_units bigint not null check (lot_units > 0),
  unit text not null,
  delivery smallint not null check (delivery in (1, 2, 3)),
  role_name text not null,                       -- the seller's character that delivers
  wanted_returned boolean not null default false
);
create index recycle_coin_order_offer on recycle_coin_order (offer_id, order_id desc);

-- Whoever ends such an order before it is completed makes the recycler want those lots again, once, in the same transaction.
create function recycle_coin_follows_order() returns trigger language plpgsql as $$
declare
  d recycle_coin_order;
begin
  if new.status in (6, 7, 8, 9) then
    update recycle_coin_order set wanted_returned = true where order_id = new.id and not wanted_returned returning * into d;
    if found then update recycle_coin_offer set wanted_lots = wanted_lots + d.lots, updated_at = now() where id = d.offer_id; end if;
  elsif new.status = 3 then
    update recycler r set won_count = r.won_count + 1 from recycle_coin_order q where q.order_id = new.id and r.user_id = new.buyer_id;
  end if;
  return null;
end $$;
create trigger recycle_coin_follows_order after update of status on orders for each row
  when (new.type_id = 52 and old.status is distinct from new.status) execute function recycle_coin_follows_order();

-- A seller's price for a limited time. was_fen is the lowest price at which the goods were offered in the 30 days before: what is struck
-- through is never an invented price. A sale holds for one version of the goods: any change of the goods ends it.
create table time_sale (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods,
  goods_version int not null,
  price_fen bigint not null check (price_fen between 100 and 999999900),
  was_fen bigint not null,
  left_num int not null check (left_num >= 0),   -- pieces at this price that are left
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status smallint not null default 1 check (status in (1, 2)), -- 1 open, 2 stopped by the seller
  created_at timestamptz not null default now(),
  check (ends_at > starts_at),
  check (price_fen < was_fen)
);
create unique index time_sale_open on time_sale (goods_id) where status = 1;

create table time_sale_order (
  order_id bigint primary key references orders,
  sale_id bigint not null references time_sale,
  num int not null check (num > 0),
  returned boolean not null default false
);

-- A cancelled order gives its pieces back to the sale.
create function time_sale_follows_order() returns trigger language plpgsql as $$
declare
  d time_sale_order;
begin
  update time_sale_order set returned = true where order_id = new.id and not returned returning * into d;
  if found then update time_sale set left_num = left_num + d.num where id = d.sale_id; end if;
  return null;
end $$;
create trigger time_sale_follows_order after update of status on orders for each row
  when (new.goods_id is not null and old.status in (0, 1) and new.status in (6, 7, 8, 9)) execute function time_sale_follows_order();

-- Prices that goods had, for the honest reference of a sale; written by the database itself, whoever changes the price.
create table goods_price_day (
  goods_id bigint not null references goods,
  price_fen bigint not null,
  until timestamptz not null default now()       -- the price held until then
);
create index goods_price_day_goods on goods_price_day (goods_id, until desc);
create function goods_price_kept() returns trigger language plpgsql as $$
begin
  insert into goods_price_day (goods_id, price_fen) values (old.id, old.price_fen);
  return null;
end $$;
create trigger goods_price_kept after update of price_fen on goods for each row
  when (old.price_fen is distinct from new.price_fen and old.status in (2, 3, 4)) execute function goods_price_kept();

revoke delete, truncate on recycle_coin_order, recycle_coin_offer, time_sale, time_sale_order, goods_price_day from youshi_app;

-- The middleman's fee: a share of the price with bounds; staff change it like every setting. Who pays has a day, because the other side
-- often answers hours after the deal was opened.
insert into setting (key, version, value) values ('middleman', 1, '{"bp": 300, "minFen": 100, "maxFen": 50000, "answerHours": 72, "unpaidSeconds": 86400}');
