-- What the retention job did last with each table (decision 371), and the tables that it may delete from: what is never read again.
-- Nothing that money, a dispute or a record rests on is among them.
create table retention_run (
  name text primary key,
  ran_at timestamptz not null default now(),
  deleted bigint not null default 0 check (deleted >= 0),      -- in the last run that deleted
  deleted_total bigint not null default 0 check (deleted_total >= deleted),
  deleted_at timestamptz,
  error text check (length(error) <= 300)
);
grant select, insert, update on retention_run to youshi_app;
grant delete on idempotency, goods_view, notice, notice_delivery, import_row to youshi_app;
