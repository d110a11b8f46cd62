-- The proof of the ledger by increments (docs/decisions/406): what was proved, block by block, and how far it has come.
create table books_block (
  after_id bigint primary key,                 -- of the transfer before the first one
  to_id bigint not null unique check (to_id > after_id),
  transfers int not null check (transfers >= 0),
  fen bigint not null check (fen >= 0),
  hash bytea not null,                         -- of the transfers and their entries as they were proved
  proved_at timestamptz not null default now(),
  checked_at timestamptz not null default now()
);
create index books_block_checked on books_block (checked_at, after_id);
grant select, insert on books_block to youshi_app;
grant update (checked_at) on books_block to youshi_app;

create table books_progress (
  one boolean primary key default true check (one),
  seen_id bigint not null default 0,           -- newest transfer when it was last looked, which is proved once all of then have ended
  seen_xid bigint not null default 0,
  seen_at timestamptz not null default '-infinity',
  account text not null default '',            -- last account of the round over all
  breaches text[] not null default '{}'        -- found since the last night
);
insert into books_progress default values;
grant select, update on books_progress to youshi_app;
