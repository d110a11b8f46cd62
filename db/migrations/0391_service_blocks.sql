-- Whom somebody does not want to play with again: neither side can order from the other.
create table service_block (
  user_id bigint not null references app_user,
  blocked_id bigint not null references app_user,
  created_at timestamptz not null default now(),
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
);
create index service_block_blocked on service_block (blocked_id);
grant select, insert, delete on service_block to youshi_app;
