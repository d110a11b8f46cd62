-- A keyword that found nothing is stored once three visitors have searched for it (docs/decisions/322): one person's may be a person's name.
-- Until then there are keyed hashes of it and of who searched, which only say whether somebody new did.
create table search_miss_visitor (
  keyword bytea not null check (length(keyword) = 32),
  visitor bytea not null check (length(visitor) = 32), -- of this keyword: the same visitor has another under another keyword
  last_at timestamptz not null default now(),
  primary key (keyword, visitor)
);
create index search_miss_visitor_last on search_miss_visitor (last_at);
grant select, insert, delete on search_miss_visitor to youshi_app;
grant update (last_at) on search_miss_visitor to youshi_app;

-- Nobody knows how many people searched for what stands there.
delete from search_miss;
