-- Low, typical and high price of each listing, by the model of its game. One row for each account that was on sale with a model.
create table goods_reference (
  goods_id bigint primary key references goods (id),
  game_id integer not null references game (id),
  low_fen bigint not null,
  typical_fen bigint not null,
  high_fen bigint not null,
  -- The upper quartile is more than twice the lower one: the figures say too little to be shown.
  wide boolean not null,
  samples integer not null,
  model_version integer not null,
  made_at timestamptz not null default now(),
  constraint goods_reference_order check (0 < low_fen and low_fen <= typical_fen and typical_fen <= high_fen)
);
create index goods_reference_version on goods_reference (game_id, model_version);
grant select, insert, update, delete on goods_reference to youshi_app;

-- Prices of parts of a goods type are replaced by the figures above.
delete from price_stat where segment <> '';
