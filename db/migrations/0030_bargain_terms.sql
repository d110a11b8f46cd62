-- What an offer needs besides its prices: the buyer's words, the price it was made against, and why it ended when nobody ended it.
alter table bargain
  add column message text not null default '',
  add column price_fen bigint not null check (price_fen > offer_fen),
  add column ended_why text check (ended_why in ('timeout', 'sold', 'removed'));
-- Open offers on a goods: ended together when it is sold.
create index bargain_goods on bargain (goods_id, id desc);

-- The least that a seller looks at, as a part of the asked price; sellers without a row have the market's own (setting 'bargain').
-- dist_id plays no part: a seller's rule holds wherever the goods are shown.
create table bargain_rule (
  user_id bigint primary key references app_user,
  floor_percent smallint not null check (floor_percent between 30 and 95),
  updated_at timestamptz not null default now()
);

-- floorPercent: least offer in percent of the asked price. tries: offers of one buyer on one goods within `days`. perDay: offers of one buyer.
insert into setting (key, version, value) values ('bargain', 1, '{"floorPercent": 50, "tries": 3, "days": 7, "perDay": 30}');
