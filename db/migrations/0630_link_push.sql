-- Pages that sites tell a search engine of (docs/decisions/430).
create table link_push_site (
  dist_id int primary key references distributor,
  token_enc bytea not null,                          -- given by the search engine for the site
  set_by bigint references staff,
  set_at timestamptz not null default now(),
  day date,                                          -- China's, of the two figures after it
  accepted int not null default 0 check (accepted >= 0),
  remaining int check (remaining >= 0),              -- null = the search engine did not say
  most int check (most >= 1),                        -- submitted at once while today's rest is unknown: what a day took in all; null = unknown
  sent_at timestamptz,                               -- of the last submission that was answered
  failure text check (length(failure) <= 200),       -- of the last one that was not accepted as a whole
  failed_at timestamptz,
  fails int not null default 0 check (fails >= 0),   -- in a row
  held_until timestamptz                             -- nothing is submitted before
);
create index link_push_site_set_by on link_push_site (set_by);
grant select, insert, update, delete on link_push_site to youshi_app;

create table link_push (
  dist_id int not null references link_push_site on delete cascade,
  path text not null check (path like '/%' and length(path) <= 300),
  goods_id bigint references goods on delete cascade, -- the page of a listing, which is submitted only while it is on sale
  queued_at timestamptz not null default now(),
  sent_at timestamptz,
  outcome text check (outcome in ('accepted', 'refused')),
  primary key (dist_id, path),
  check ((sent_at is null) = (outcome is null))
);
create index link_push_waiting on link_push (dist_id, queued_at) where sent_at is null;
create index link_push_old on link_push ((coalesce(sent_at, queued_at)));
create index link_push_goods on link_push (goods_id) where goods_id is not null;
grant select, insert, update, delete on link_push to youshi_app;
