-- Kernel: what every slice stands on. dist_id appears in none of these as a filter.
-- Needed extensions are limited to those that a managed PostgreSQL grants (architecture: never depend on superuser beyond this).
create extension if not exists btree_gin;
create extension if not exists pg_trgm;

-- The application works as youshi_app: it can use the ledger's functions and read its tables, never write them.
-- A role is global to the server, so another database of the same server may have made it already.
do $$
begin
  create role youshi_app nologin;
exception when duplicate_object then null;
end $$;
do $$
begin
  execute format('grant youshi_app to %I', current_user);
exception when others then null; -- already a member, or a superuser that needs no grant
end $$;
grant usage on schema public to youshi_app;
alter default privileges in schema public grant select, insert, update, delete on tables to youshi_app;
alter default privileges in schema public grant usage on sequences to youshi_app;

-- An effect that must follow a committed change: written in its transaction, turned into jobs and bus messages by one relay.
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null,
  payload jsonb not null,
  created_at timestamptz not null default now()
);
comment on table outbox is 'Rows are deleted once the relay has handed them on; an old row means that the relay is stuck.';

-- Durable timers: one per (kind, ref). Setting it again moves it; removing it cancels it.
create table timer (
  kind text not null,
  ref text not null,
  due_at timestamptz not null,
  payload jsonb not null default '{}',
  attempts int not null default 0,
  primary key (kind, ref)
);
create index timer_due on timer (due_at);

-- The asker's key, the hash of what was asked, and the facts that the effect produced, stored with the effect itself.
create table idempotency (
  scope text not null,          -- who asked: 'u:<user id>' or 's:<staff id>'
  endpoint text not null,
  key text not null,
  request_hash text not null,
  facts jsonb,                  -- null only inside the transaction that is still working
  created_at timestamptz not null default now(),
  primary key (scope, endpoint, key)
);
create index idempotency_age on idempotency (created_at);

-- Acts of staff on money, persons and configuration. Insert only.
create table audit_log (
  id bigint generated always as identity primary key,
  staff_id bigint,
  act text not null,
  target text not null,
  detail jsonb not null default '{}',
  ip text,
  created_at timestamptz not null default now()
);
create index audit_log_target on audit_log (target, id desc);

-- Budgets that must hold across processes and restarts (SMS, log-in, verification).
create table limit_counter (
  key text primary key,
  hits int not null,
  reset_at timestamptz not null
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'history is not changed: %.%', tg_table_name, tg_op using errcode = 'YS900';
end $$;
create trigger audit_log_immutable before update or delete or truncate on audit_log for each statement execute function refuse_change();

-- Takes one hit from a budget. True while at most p_max hits fell into the running window of p_seconds.
create function limit_hit(p_key text, p_max int, p_seconds int) returns boolean language sql as $$
  insert into limit_counter as c (key, hits, reset_at) values (p_key, 1, now() + make_interval(secs => p_seconds))
  on conflict (key) do update set
    hits = case when c.reset_at <= now() then 1 else c.hits + 1 end,
    reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
  returning hits <= p_max;
$$;
