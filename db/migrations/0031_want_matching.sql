-- A want or a saved search is compiled when it is kept, so that new goods look up who waits for them: game, type, place and price by
-- index, words as a tsquery against the goods' own search row, the rest (ranges, 'at least n of') on the few that are left.
alter table want
  add column area_id int,
  add column server_id int,
  add column words tsquery,                       -- null: no words asked for
  add column ranges jsonb not null default '[]',  -- [{slot, min, max}]
  add column at_least jsonb not null default '[]', -- [{count, tokens}]
  add column push boolean not null default true,  -- tell the buyer of goods that fit
  add column met_order_id bigint references orders;
create index want_fit on want (game_id, type_id, budget_fen) where status = 1;

-- What fitted a want, at the lowest price that it fitted at: a cheaper one is told again.
create table want_match (
  want_id bigint not null references want,
  goods_id bigint not null references goods,
  price_fen bigint not null,                      -- all-in
  pushed_at timestamptz,
  matched_at timestamptz not null default now(),
  primary key (want_id, goods_id)
);
create index want_match_new on want_match (want_id, matched_at desc);
create index want_match_goods on want_match (goods_id);

-- Saved searches; what is followed (favourites) has its own switches below.
alter table alert
  add column title text not null default '',
  add column path text not null default '/wares', -- the list that it was saved from
  add column game_id int references game,
  add column type_id smallint,
  add column area_id int,
  add column server_id int,
  add column min_fen bigint,
  add column max_fen bigint,
  add column words tsquery,
  add column ranges jsonb not null default '[]',
  add column at_least jsonb not null default '[]',
  add column seller_id bigint;
create index alert_fit on alert (game_id, type_id) where kind = 'search' and not paused;
create table alert_match (
  alert_id bigint not null references alert on delete cascade,
  goods_id bigint not null references goods,
  price_fen bigint not null,
  pushed_at timestamptz,
  matched_at timestamptz not null default now(),
  primary key (alert_id, goods_id)
);
create index alert_match_new on alert_match (alert_id, matched_at desc);

-- Favourites: told of a price below any told before, and of goods that are back. dist_id is where the person follows from: texts name it.
alter table goods_follow
  add column alert_drop boolean not null default true,
  add column alert_back boolean not null default true,
  add column told_fen bigint,
  add column told_back_at timestamptz;
create index goods_follow_goods on goods_follow (goods_id);
