-- The first start of an installation: one row. `admin_id` is claimed once, by whoever uses the printed address first.
create table setup_state (
  id boolean primary key default true check (id),
  admin_id bigint references staff(id),
  -- Steps that were gone through or left for later, by name, with their time.
  done jsonb not null default '{}',
  finished_at timestamptz,
  created_at timestamptz not null default now()
);
-- An installation that has staff is set up already.
insert into setup_state (finished_at) select case when exists (select from staff where id > 0) then now() end;
grant select, update on setup_state to youshi_app;

-- One-time addresses printed by a start without an administrator. Only the hash of the token is stored.
create table setup_token (
  token_hash bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  tries smallint not null default 0
);
grant select, insert, update, delete on setup_token to youshi_app;
