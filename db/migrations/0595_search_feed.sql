-- What feeds a search engine beside PostgreSQL (docs/decisions/405). Without one the row says so, and nothing is noted.
create table search_feed (
  one boolean primary key default true check (one),
  engine text check (length(engine) <= 300),   -- kind and place of the engine that is fed; null = none
  since_xid bigint,                            -- transactions up to this one may have changed rows without noting it
  live text,                                   -- the index that is asked
  building text,                               -- the index that is being filled
  copied_to bigint not null default 0,         -- last listing that was copied into it
  old text,                                    -- the index that was asked before, until nobody asks it any more
  is_stale boolean not null default false,     -- another index is to be filled beside the live one
  live_at timestamptz,
  checked_at timestamptz,                      -- when the numbers of documents were last compared
  check (live is distinct from building or live is null)
);
insert into search_feed default values;
grant select, insert, update on search_feed to youshi_app;

-- Listings whose row of goods_search changed since they were last sent to the engine.
create table search_change (
  id bigint generated always as identity primary key,
  goods_id bigint not null,
  at timestamptz not null default now()
);
alter table search_change set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1);
grant select, insert, delete on search_change to youshi_app;
grant usage on search_change_id_seq to youshi_app;

create function search_changed() returns trigger
language plpgsql
as $function$
begin
  if exists (select from search_feed where engine is not null) then
    insert into search_change (goods_id) select r.goods_id from changed r;
  end if;
  return null;
end $function$;

create trigger search_added after insert on goods_search referencing new table as changed for each statement execute function search_changed();
create trigger search_edited after update on goods_search referencing new table as changed for each statement execute function search_changed();
create trigger search_removed after delete on goods_search referencing old table as changed for each statement execute function search_changed();
