-- What a seller reads of the own listings (docs/decisions/391): looks and follows by week, for one listing and for all of a seller.
-- A week begins on Monday, in China.
create table goods_week (
  goods_id bigint not null references goods,
  week date not null,
  views int not null default 0 check (views >= 0),
  follows int not null default 0 check (follows >= 0),
  primary key (goods_id, week)
);
create index goods_week_week on goods_week (week);
grant select, insert, delete on goods_week to youshi_app;
grant update (views, follows) on goods_week to youshi_app;

create table seller_week (
  seller_id bigint not null references app_user,
  week date not null,
  views int not null default 0 check (views >= 0),
  follows int not null default 0 check (follows >= 0),
  primary key (seller_id, week)
);
grant select, insert on seller_week to youshi_app;
grant update (views, follows) on seller_week to youshi_app;
