-- The catalogue is data with versions, never code (domain.md 1): staff can add a game without a deploy.
create table game (
  id int primary key,
  code text not null unique,
  name text not null,
  game_type smallint not null check (game_type in (1, 2)),  -- 1 PC, 2 mobile
  initial char(1) not null,
  pinyin text not null,
  initials text not null,
  hue int not null default 221,
  scene text not null default 'hills',
  glyph text not null default '',              -- the one character its drawn icon shows
  hot int not null default 0,                  -- rank among hot games, 0 = not hot
  goods_types jsonb not null,                  -- [{id, name}]
  coin_unit text,
  coin_ratio numeric,                          -- typical units for one yuan
  status smallint not null default 1,
  created_at timestamptz not null default now()
);

create table game_area (
  id int primary key,
  game_id int not null references game,
  name text not null,
  sort int not null default 0,
  unique (game_id, name)
);

create table game_server (
  id int primary key,
  area_id int not null references game_area,
  name text not null,
  sort int not null default 0,
  unique (area_id, name)
);

-- kind 'fields': publishing form and filters; 'handover': steps. The newest version counts; goods and orders keep the one they used.
create table catalogue_version (
  game_id int not null references game,
  kind text not null check (kind in ('fields', 'handover')),
  version int not null,
  body jsonb not null,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (game_id, kind, version)
);

create table picture (
  id bigint generated always as identity primary key,
  key text not null unique,                    -- random, immutable; the file's name in storage
  owner_id bigint references app_user,
  staff_id bigint references staff,
  purpose text not null check (purpose in ('goods', 'chat', 'avatar', 'evidence', 'content')),
  width int not null,
  height int not null,
  bytes int not null,
  sha256 bytea not null,
  created_at timestamptz not null default now()
);
create index picture_owner on picture (owner_id, id desc);
