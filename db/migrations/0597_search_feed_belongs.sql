-- Which indexes are this market's, and whether a worker with another SEARCH_URL still feeds one (docs/decisions/405).
alter table search_feed
  add column family text not null default '',                      -- how the names of its indexes begin
  add column fed_at timestamptz not null default '-infinity';      -- when a worker that has this engine last ran, give or take half a minute

-- The table has one row. Two markets on one engine have different names.
update search_feed set family = 'youshi_goods_' || substr(md5(random()::text || clock_timestamp()::text), 1, 8) || '_';
