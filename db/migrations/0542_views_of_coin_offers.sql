-- How often the offers of a coin shop were looked at, by day; dist_id has no part in it: a shop sells on every site.
create table coin_view_day (
  provider_id bigint not null references provider (id),
  day date not null,
  views int not null check (views > 0),
  primary key (provider_id, day));
grant select, insert, update on coin_view_day to youshi_app;
