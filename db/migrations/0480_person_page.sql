-- Notes of staff about a user; they are not edited, a correction is another note.
create table staff_note (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  dist_id int references distributor,              -- the site of an operator who wrote it; null: the platform
  staff_id bigint not null references staff,
  text text not null check (length(text) between 1 and 500),
  created_at timestamptz not null default now()
);
create index staff_note_user on staff_note (user_id, id desc);
grant select, insert on staff_note to youshi_app;

-- A link between two users that staff looked into and found to mean nothing (docs/decisions/340). It changes what staff are shown and no rule.
create table link_mark (
  user_a bigint not null references app_user,
  user_b bigint not null references app_user,
  kind text not null check (kind in ('browser', 'payee', 'network', 'inviter')),
  reason text not null check (length(reason) between 1 and 200),
  staff_id bigint not null references staff,
  created_at timestamptz not null default now(),
  primary key (user_a, user_b, kind),
  constraint link_mark_order check (user_a < user_b)
);
create index link_mark_b on link_mark (user_b);
grant select, insert, update, delete on link_mark to youshi_app;

-- What a seller has in escrow, without a walk over everything that he ever sold.
create index orders_seller_live on orders (seller_id) where status in (1, 2);
