-- Deals that begin without a listing: recycling (the platform or a recycler buys), the valuation behind its floor, and the
-- middleman (51), where two people who already agreed let the platform hold the money.

-- Who may bid. dist_id records where it was admitted; recyclers bid on requests of every site.
create table recycler (
  user_id bigint primary key references app_user,
  dist_id int not null references distributor,
  name text not null,
  games int[] not null default '{}',             -- empty = every game
  day_limit_fen bigint not null check (day_limit_fen > 0), -- sum of binding quotes a day
  auto_rules jsonb not null default '[]' check (jsonb_typeof(auto_rules) = 'array'), -- bids that are made without a person: [{gameId, typeId, bp, maxFen}]
  status smallint not null default 0 check (status in (0, 1, 2)), -- 0 reviewing, 1 admitted, 2 stopped
  reviewed_by bigint references staff,
  won_count int not null default 0,
  lowered_count int not null default 0,          -- quotes lowered after inspection: shown to sellers
  created_at timestamptz not null default now()
);

-- The floor is a share of what such an account sells for; data per game and goods type, the newest version counts.
create table recycle_floor (
  game_id int not null references game,
  type_id smallint not null,
  version int not null,
  floor_bp int not null check (floor_bp between 1 and 10000),
  max_fen bigint not null check (max_fen > 0),   -- above this no floor is promised
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (game_id, type_id, version)
);

-- Fields → instant floor quote → blind bids for 10 min → best quote binding 24 h → inspection → paid (order type 52, in which the
-- recycler is the buyer). dist_id filters: an operator sees the requests of its own site.
create table recycle_request (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  user_id bigint not null references app_user,
  game_id int not null references game,
  type_id smallint not null,
  area_id int,
  server_id int,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  fields_version int not null default 1,
  description text not null default '',
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  fingerprint bytea,
  floor_fen bigint check (floor_fen > 0),        -- null = too few sales to promise one
  floor_basis jsonb not null default '{}',       -- samples, typical price, share, date: shown beside the floor
  status text not null default 'bidding' check (status in
    ('bidding', 'quoted', 'accepted', 'inspecting', 'reconfirm', 'paid', 'declined', 'expired', 'withdrawn', 'refused')),
  best_quote_id bigint,
  bids_until timestamptz not null,
  quote_until timestamptz,
  order_id bigint unique references orders,
  staff_id bigint references staff,              -- who inspects
  closed_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (status in ('bidding', 'expired', 'withdrawn', 'refused') or (best_quote_id is not null and quote_until is not null)),
  check (status not in ('inspecting', 'reconfirm', 'paid') or order_id is not null)
);
create index recycle_request_user on recycle_request (user_id, id desc);
create index recycle_request_bidding on recycle_request (game_id, bids_until) where status = 'bidding';
create index recycle_request_due on recycle_request (quote_until) where status = 'quoted';
create unique index recycle_request_live on recycle_request (fingerprint)
  where fingerprint is not null and status in ('bidding', 'quoted', 'accepted', 'inspecting', 'reconfirm');

-- Bids are blind: until bids_until a recycler reads only its own. A recycler may raise its bid, never lower it.
create table recycle_quote (
  id bigint generated always as identity primary key,
  request_id bigint not null references recycle_request,
  recycler_id bigint references recycler,        -- null = the platform's floor
  amount_fen bigint not null check (amount_fen > 0),
  note text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index recycle_quote_one on recycle_quote (request_id, recycler_id) nulls not distinct;
create index recycle_quote_recycler on recycle_quote (recycler_id, id desc);
alter table recycle_request add foreign key (best_quote_id) references recycle_quote;

create function recycle_quote_rises() returns trigger language plpgsql as $$
begin
  if (new.request_id, new.recycler_id) is distinct from (old.request_id, old.recycler_id) or new.amount_fen < old.amount_fen
  then raise exception 'a bid is not lowered' using errcode = 'YS901'; end if;
  return new;
end $$;
create trigger recycle_quote_rises before update on recycle_quote for each row execute function recycle_quote_rises();

-- A binding quote falls only where the inspection shows that a named field differs; the seller then decides anew.
create table recycle_difference (
  request_id bigint not null references recycle_request,
  field text not null,
  label text not null,
  said text not null,
  found text not null,
  cut_fen bigint not null check (cut_fen >= 0),
  picture_key text,
  staff_id bigint not null references staff,
  created_at timestamptz not null default now(),
  primary key (request_id, field)
);

-- Standing offers for coin (page /wares/goldRecycling): unit price by lot as in quick_coin_offer, wanted lots, minimum.
create table recycle_coin_offer (
  id bigint generated always as identity primary key,
  sn text not null unique,
  recycler_id bigint not null references recycler,
  game_id int not null references game,
  area_id int not null references game_area,
  server_id int references game_server,
  coin_type smallint not null default 1,
  unit text not null,
  lot_units bigint not null check (lot_units between 1 and 1000000000),
  lot_price_fen bigint not null check (lot_price_fen > 0),
  wanted_lots int not null check (wanted_lots >= 0),
  min_lots int not null default 1 check (min_lots >= 1),
  delivery smallint[] not null check (delivery <@ '{1,2,3}' and cardinality(delivery) > 0),
  status smallint not null default 1 check (status in (1, 2, 3)),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index recycle_coin_shelf on recycle_coin_offer (game_id, area_id, id) where status = 1 and wanted_lots > 0;

-- Valuation: per-item weights as data. A model is made from sold goods by a job or entered by staff, and says how good it is.
create table valuation_model (
  game_id int not null references game,
  version int not null,
  body jsonb not null check (jsonb_typeof(body) = 'object'), -- {baseFen, fields: {key: {perUnitFen?, options?: {v: fen}, items?: {v: fen}}}, factors: {key: {v: bp}}}
  low_bp int not null check (low_bp between 1 and 10000),      -- of the point value: the band that covered 8 of 10 sales
  high_bp int not null check (high_bp between 10000 and 50000),
  samples int not null check (samples >= 0),
  error_bp int not null check (error_bp >= 0),   -- median distance from what sold
  status smallint not null default 1 check (status in (1, 2)),
  created_by bigint references staff,
  made_at timestamptz not null default now(),
  primary key (game_id, version)
);

create table valuation (
  id bigint generated always as identity primary key,
  sn text not null unique,                       -- address of the result, to share
  dist_id int not null references distributor,   -- records
  user_id bigint references app_user,
  game_id int not null,
  model_version int not null,
  details jsonb not null check (jsonb_typeof(details) = 'object'),
  low_fen bigint not null check (low_fen >= 0),
  typical_fen bigint not null,
  high_fen bigint not null,
  lines jsonb not null default '[]',             -- what each item added
  samples int not null,
  created_at timestamptz not null default now(),
  foreign key (game_id, model_version) references valuation_model,
  check (low_fen <= typical_fen and typical_fen <= high_fen)
);
create index valuation_user on valuation (user_id, id desc) where user_id is not null;

-- Middleman: either side opens with what, how much and who pays the fee; the other accepts by link. Accepting places order type 51.
-- dist_id records.
create table middleman_deal (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  opener_id bigint not null references app_user,
  opener_belong smallint not null check (opener_belong in (0, 1)), -- 1 = the opener buys
  partner_id bigint references app_user,
  game_id int references game,
  title text not null,
  description text not null default '',
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  price_fen bigint not null check (price_fen between 100 and 999999900),
  fee_side text not null check (fee_side in ('buyer', 'seller', 'half')),
  fee_fen bigint not null check (fee_fen >= 0),  -- as shown to both when it was opened
  fingerprint bytea,
  link_hash bytea not null unique,               -- sha256 of the link's secret; the secret itself is nowhere
  status text not null default 'waiting' check (status in ('waiting', 'ordered', 'withdrawn', 'refused', 'expired')),
  order_id bigint unique references orders,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  check (partner_id is null or partner_id <> opener_id),
  check ((status = 'ordered') = (order_id is not null)),
  check (status <> 'ordered' or partner_id is not null)
);
create index middleman_deal_opener on middleman_deal (opener_id, id desc);
create index middleman_deal_partner on middleman_deal (partner_id, id desc) where partner_id is not null;
create index middleman_deal_due on middleman_deal (expires_at) where status = 'waiting';

revoke delete, truncate on recycle_request, recycle_quote, middleman_deal from youshi_app;
