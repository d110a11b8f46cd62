-- Files by which sellers publish listings, or change prices and stock, themselves (docs/decisions/390).
create table listing_import (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  dist_id int not null references distributor,       -- the site whose games the file is checked against
  kind text not null check (kind in ('publish', 'stock')),
  game_id int,
  type_id smallint,
  file_name text not null check (length(file_name) <= 80),
  bytes int not null check (bytes > 0),
  digest bytea not null check (length(digest) = 32), -- of the file, so that the same one is not imported twice
  columns jsonb not null,                            -- headings of the file
  mapping jsonb not null default '{}',               -- column of each target, by number from 0
  defaults jsonb not null default '{}',              -- text of each target where a row says nothing
  status text not null default 'mapping' check (status in ('mapping', 'checked', 'running', 'done')),
  waits_until timestamptz,                           -- the daily quota is used up; it continues by itself
  failure text check (length(failure) <= 300),       -- why it stopped before its end
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  removed_at timestamptz,
  check ((kind = 'publish') = (game_id is not null)),
  check ((game_id is null) = (type_id is null))
);
create unique index listing_import_once on listing_import (user_id, kind, coalesce(game_id, 0), coalesce(type_id, 0), digest) where removed_at is null;
create index listing_import_user on listing_import (user_id, id desc) where removed_at is null;
create index listing_import_created on listing_import (created_at);
grant select, insert, delete on listing_import to youshi_app;
grant update (mapping, defaults, status, waits_until, failure, finished_at, removed_at) on listing_import to youshi_app;

-- One row of a file. `cells` and `edits` are emptied once the row is published: they name the game account.
create table listing_import_row (
  import_id bigint not null references listing_import on delete cascade,
  line int not null check (line > 0),
  cells jsonb,
  edits jsonb not null default '{}',                 -- what the seller corrected in the page, by target
  state text not null default 'refused' check (state in ('refused', 'ready', 'running', 'done', 'existing')),
  problems jsonb not null default '[]',              -- [{field, text}]
  notes jsonb not null default '[]',                 -- what will be stored otherwise than written
  goods_id bigint references goods,
  primary key (import_id, line),
  check ((state = 'done') <= (goods_id is not null))
);
create index listing_import_row_state on listing_import_row (import_id, state, line);
create index listing_import_row_goods on listing_import_row (goods_id) where goods_id is not null;
grant select, insert, delete on listing_import_row to youshi_app;
grant update (cells, edits, state, problems, notes, goods_id) on listing_import_row to youshi_app;
