-- Leagues, teams and matches are written in the back office. Until now only the demo filled these tables.
alter table league
  add column dist_id int references distributor, -- filters; null = every site
  add column logo_key text,
  add column sort int not null default 0 check (sort between 0 and 999), -- among the leagues of a page, least first
  add column version int not null default 1,
  add column created_by bigint references staff,  -- null: came with the installation
  add column updated_at timestamptz not null default now();
comment on column league.status is '0 draft, 1 published, 2 withdrawn';

-- A team of the platform plays in every league, one of a brand in the brand's leagues. dist_id filters; null = the platform's.
alter table league_team
  drop constraint league_team_name_key,
  add column dist_id int references distributor,
  add column version int not null default 1;
create unique index league_team_name on league_team (coalesce(dist_id, 0), name);

alter table league_match
  add column version int not null default 1,
  add column updated_at timestamptz not null default now(),
  -- The same is not entered twice by two people, or by one who presses twice.
  add constraint league_match_once unique (league_id, home_id, away_id, starts_at);
create index league_match_league on league_match (league_id, starts_at, id);

-- A match that was entered by mistake goes, and a team that never played; a league stays and is withdrawn.
grant delete on league_team, league_match to youshi_app;
