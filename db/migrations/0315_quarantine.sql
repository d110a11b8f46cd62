-- A market that was restored from a copy does nothing outward until staff let it: what is due may have been done already, after the
-- moment of the copy. `npm run restore` inserts the row before any server starts; jobs, events and vendors ask for an open one.
create table quarantine (
  id bigint generated always as identity primary key,
  -- The moment that the data are of.
  restored_to timestamptz not null,
  restored_at timestamptz not null default now(),
  -- The copy, and where it lay.
  source text not null,
  released_at timestamptz,
  staff_id bigint references staff(id),
  reason text,
  check ((released_at is null) = (reason is null))
);
-- One at a time.
create unique index quarantine_open on quarantine ((true)) where released_at is null;
-- The server may let it end, and may not begin or remove one.
grant select, update on quarantine to youshi_app;
revoke insert on quarantine from youshi_app;

-- Base backups that ended well, so that /metrics can say how old the newest is. Written by `npm run backup`.
create table backup_run (
  id bigint generated always as identity primary key,
  name text not null,
  started_at timestamptz not null,
  ended_at timestamptz not null default now(),
  bytes bigint not null,
  pictures int not null
);
create index backup_run_ended on backup_run (ended_at desc);
grant select, insert on backup_run to youshi_app;
revoke update on backup_run from youshi_app;
