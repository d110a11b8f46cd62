-- Goods are shared by all distributors; dist_id records where it was published.
-- Number of a goods from its id: two letters and seven digits that do not tell how many there are.
create function goods_sn(p_id bigint) returns text language sql immutable parallel safe as $$
  select 'Y' || chr(65 + (((p_id / 10000000) + 18) % 26)::int) || lpad(((p_id % 10000000) * 7368787 % 10000000)::text, 7, '0');
$$;

-- status: 0 draft, 1 reviewing, 2 on sale, 3 off sale, 4 locked by an order, 5 sold, 6 rejected, 7 hidden (seller away), 8 removed
create table goods (
  id bigint generated always as identity primary key,
  sn text not null generated always as (goods_sn(id)) stored,
  dist_id int not null references distributor,
  seller_id bigint not null references app_user,
  game_id int not null references game,
  type_id smallint not null,
  area_id int,
  server_id int,
  title text not null,
  description text not null default '',
  price_fen bigint not null check (price_fen between 100 and 999999900),
  stock int not null default 1 check (stock >= 0),
  attrs jsonb not null default '{}',
  fields_version int not null default 1,
  pictures jsonb not null default '[]',          -- [{key, width, height}] or [{art: seed}] drawn for the demo market
  fingerprint bytea,                             -- salted hash of game, server and account id: the account passport's key
  source text,                                   -- where the account came from
  official boolean not null default false,       -- isOfficialSell
  bargain_ok boolean not null default false,
  guarantee_ok boolean not null default true,
  inspected_at timestamptz,
  status smallint not null default 0 check (status between 0 and 8),
  review_note text,
  version int not null default 1,                -- moves with every change that a buyer must see before paying
  import_key text,                               -- seller's own number in a stock list: importing twice imports once
  refreshed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index goods_sn_key on goods (sn);
create index goods_seller on goods (seller_id, status, id desc);
create index goods_review on goods (updated_at) where status = 1;
create unique index goods_fingerprint_live on goods (fingerprint) where fingerprint is not null and status in (1, 2, 3, 4, 7);
create index goods_fingerprint on goods (fingerprint, id) where fingerprint is not null;
create unique index goods_import on goods (seller_id, import_key) where import_key is not null;

-- The narrow table that lists and searches read: on-sale rows only (facts: bigrams and facet tokens in one tsvector, one
-- composite GIN, btrees on price and newest). Counters stay out of it. Maintained by goods_index().
create table goods_search (
  goods_id bigint primary key references goods,
  game_id int not null,
  type_id smallint not null,
  area_id int,
  server_id int,
  seller_id bigint not null,
  price_fen bigint not null,
  refreshed_at timestamptz not null,
  score int not null default 0,
  n1 int, n2 int, n3 int, n4 int,
  tsv tsvector not null
);
create index gs_game_price on goods_search (game_id, price_fen, goods_id);
create index gs_game_new on goods_search (game_id, refreshed_at desc, goods_id desc);
create index gs_game_score on goods_search (game_id, score desc, goods_id desc);
create index gs_price on goods_search (price_fen, goods_id);
create index gs_new on goods_search (refreshed_at desc, goods_id desc);
create index gs_score on goods_search (score desc, goods_id desc);
create index gs_seller on goods_search (seller_id);
create index gs_gin on goods_search using gin (game_id, tsv) with (gin_pending_list_limit = 1024);
alter table goods_search alter tsv set statistics 1000; -- lets the planner choose between a walk (common words) and the GIN (rare words)

create table goods_stat (
  goods_id bigint primary key references goods,
  views int not null default 0,
  follows int not null default 0
);
create index goods_stat_views on goods_stat (views desc, goods_id desc);

create table goods_follow (
  user_id bigint not null references app_user,
  goods_id bigint not null references goods,
  price_fen bigint not null,                     -- when followed: tells a price drop
  created_at timestamptz not null default now(),
  primary key (user_id, goods_id)
);
create index goods_follow_new on goods_follow (user_id, created_at desc);

create table goods_view (
  user_id bigint not null references app_user,
  goods_id bigint not null references goods,
  viewed_at timestamptz not null default now(),
  primary key (user_id, goods_id)
);
create index goods_view_new on goods_view (user_id, viewed_at desc);

-- Every decision and change of a goods, for the reviewer, the seller and the account passport.
create table goods_event (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods,
  kind text not null,                            -- published, approved, rejected, edited, price, on, off, locked, sold, inspected …
  actor text not null,                           -- user:<id>, staff:<id>, system
  detail jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index goods_event_goods on goods_event (goods_id, id);

-- What staff or the game's own page read off the account, with who and when (inspection).
create table inspection (
  goods_id bigint not null references goods,
  field text not null,
  label text not null,
  value text not null,
  reader text not null,                          -- '系统读取' or '验号员 <name>'
  read_at timestamptz not null,
  picture_key text,
  primary key (goods_id, field)
);

-- Low, typical, high of what sold in the last 90 days, by game, goods type and price segment; made by a job from real orders.
create table price_stat (
  game_id int not null references game,
  type_id smallint not null,
  segment text not null default '',
  low_fen bigint not null,
  typical_fen bigint not null,
  high_fen bigint not null,
  samples int not null,
  made_at timestamptz not null default now(),
  primary key (game_id, type_id, segment)
);

create table goods_draft (
  user_id bigint not null references app_user,
  draft_key text not null,                       -- game and goods type, or the goods being edited
  body jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, draft_key)
);

-- Offers. status: domain.md 4 (0 waiting, 1 agreed, 2 countered, 3 counter agreed, 4 and 5 refused, 6 expired, 7 ordered, 8 withdrawn)
create table bargain (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods,
  buyer_id bigint not null references app_user,
  seller_id bigint not null references app_user,
  dist_id int not null references distributor,
  offer_fen bigint not null check (offer_fen > 0),
  counter_fen bigint check (counter_fen > 0),
  goods_version int not null,
  status smallint not null default 0 check (status between 0 and 8),
  expires_at timestamptz not null,
  order_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index bargain_open on bargain (goods_id, buyer_id) where status in (0, 1, 2, 3);
create index bargain_buyer on bargain (buyer_id, id desc);
create index bargain_seller on bargain (seller_id, id desc);

create table want (
  id bigint generated always as identity primary key,
  sn text not null unique,
  user_id bigint not null references app_user,
  dist_id int not null references distributor,
  game_id int not null references game,
  type_id smallint not null,
  title text not null,
  filter jsonb not null default '{}',
  budget_fen bigint not null check (budget_fen > 0),
  deposit_fen bigint not null default 0,
  status smallint not null default 1 check (status in (1, 2, 3)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index want_open on want (game_id, id desc) where status = 1;
create index want_user on want (user_id, id desc);

create table alert (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  dist_id int not null references distributor,
  kind text not null check (kind in ('search', 'price_drop', 'back_on_sale')),
  goods_id bigint references goods,
  filter jsonb not null default '{}',
  channels text[] not null default '{site}',
  frequency text not null default 'now' check (frequency in ('now', 'daily')),
  paused boolean not null default false,
  last_sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index alert_user on alert (user_id, id desc);
