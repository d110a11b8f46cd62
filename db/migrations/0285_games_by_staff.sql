-- Games are edited in the back office: one document per game is drafted, published as a version, and rolled back.
-- Nothing that a listing or an order names is ever deleted: areas and servers are disabled or merged, fields and options retired.

alter table game
  add column icon_key text,                              -- an uploaded picture; null = the icon is drawn from hue, scene and glyph
  add column version int not null default 0;             -- newest row of game_version; 0 = never stored through the service

alter table game_area
  add column status smallint not null default 1 check (status in (0, 1)),     -- 0: offered no more, still readable
  drop constraint game_area_game_id_name_key,
  add constraint game_area_game_id_name_key unique (game_id, name) deferrable initially immediate;  -- two names may be swapped

alter table game_server
  add column status smallint not null default 1 check (status in (0, 1)),
  add column merged_into int references game_server,     -- the server that took this one's characters
  drop constraint game_server_area_id_name_key,
  add constraint game_server_area_id_name_key unique (area_id, name) deferrable initially immediate,
  add constraint game_server_merged_is_off check (merged_into is null or (status = 0 and merged_into <> id));

-- The shipped catalogue numbers its games below 1000, their areas by game × 1000 and servers by game × 100000. What staff add is above.
create sequence game_number as int start 1001;
create sequence game_area_number as int start 10000001;
create sequence game_server_number as int start 1000000001;

-- Each publication of a game as a whole, whoever made it. No dist_id: the catalogue belongs to the platform.
create table game_version (
  game_id int not null references game,
  version int not null check (version > 0),
  doc jsonb not null,
  changes jsonb not null,                                -- what differs from the version before, as shown to staff
  source text not null check (source in ('staff', 'file', 'shipped', 'rollback', 'before')),
  reason text not null,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (game_id, version)
);
