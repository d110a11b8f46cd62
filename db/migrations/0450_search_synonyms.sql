-- Synonyms of the search by staff (docs/decisions/310): who searches for `term` also finds what `meant` finds. An ended synonym stays as a row.
create table search_synonym (
  id bigint generated always as identity primary key,
  term text not null check (length(term) between 2 and 30),
  plain text not null check (plain <> ''),      -- as it is compared: lower case, letters, digits and Han characters alone
  meant text not null check (length(meant) between 2 and 40),
  note text not null default '' check (length(note) <= 60),
  version int not null default 1 check (version > 0),
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_by bigint references staff,
  ended_reason text check (length(ended_reason) <= 200)
);
create unique index search_synonym_plain on search_synonym (plain) where ended_at is null;
grant select, insert on search_synonym to youshi_app;
grant update (meant, note, version, ended_at, ended_by, ended_reason) on search_synonym to youshi_app;

-- Keywords that found nothing, counted for staff. Nothing says who searched; keywords that look like a contact are never stored. At most two
-- thousand rows; a keyword that nobody searches for any more goes after thirty days.
create table search_miss (
  id bigint generated always as identity primary key,
  plain text not null check (length(plain) between 2 and 40),
  keyword text not null check (length(keyword) between 2 and 40), -- as it was typed first
  game_id int references game,                                     -- the chosen game; null when none was
  times int not null check (times > 0),
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  set_aside_at timestamptz                                         -- staff will not act on it
);
create unique index search_miss_once on search_miss (plain, game_id) nulls not distinct;
create index search_miss_times on search_miss (times desc, id desc) where set_aside_at is null;
grant select, insert, delete on search_miss to youshi_app;
grant update (times, last_at, set_aside_at) on search_miss to youshi_app;
