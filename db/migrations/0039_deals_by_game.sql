-- The page of completed deals asks for one game's newest ones: without this a quiet game would be looked for among everybody's.
create index orders_deals_game on orders (game_id, completed_at desc, id desc) where status = 3;

-- Selling times: the middle half beside the median, so that a chart shows how wide it is; band -1 is a type at every price.
-- The rows are made anew every hour, so those of the old bands are dropped here.
delete from sell_time_stat;
alter table sell_time_stat
  add column low_hours int not null,
  add column high_hours int not null,
  drop constraint sell_time_stat_price_band_check,
  add constraint sell_time_stat_price_band_check check (price_band between -1 and 9),
  add constraint sell_time_stat_order check (low_hours <= median_hours and median_hours <= high_hours);
