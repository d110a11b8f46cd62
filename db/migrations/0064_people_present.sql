-- Who is present, newest visit first: the way from few people who are there to what they sell (goods_search is found by its seller).
-- A visit is noted once in minutes, so that the index is written rarely.
create index app_user_present on app_user (last_seen_at desc) include (id) where online;
