-- What was placed and paid by day of China, site, game and type: the figures of the back office's first page. A job counts the last days again
-- (docs/decisions/342); the page never counts orders itself.
create table trade_day (
  day date not null,
  dist_id int not null references distributor,
  game_id int not null,                              -- 0: an order of no game
  type_id smallint not null,
  placed int not null default 0,                     -- orders placed on the day, and what has become of them since
  placed_paid int not null default 0,
  placed_shipped int not null default 0,
  placed_done int not null default 0,
  placed_unpaid int not null default 0,              -- cancelled before they were paid
  placed_undone int not null default 0,              -- cancelled after they were paid
  paid int not null default 0,                       -- orders paid on the day
  paid_fen bigint not null default 0,
  income_fen bigint not null default 0,              -- commission and service fee of these
  disputed int not null default 0,                   -- of these, with a dispute
  primary key (day, dist_id, game_id, type_id)
);
grant select, insert, delete on trade_day to youshi_app;

-- How often listings of a game were looked at, by day of China.
create table goods_view_day (
  day date not null,
  game_id int not null references game,
  views int not null check (views > 0),
  primary key (day, game_id)
);
grant select, insert on goods_view_day to youshi_app;
grant update (views) on goods_view_day to youshi_app;
