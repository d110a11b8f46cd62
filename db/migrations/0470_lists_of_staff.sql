-- Lists of the back office (docs/decisions/330): saved views, chosen columns, exports, and the orders of sorting that they offer.

-- A list as somebody wants to open it again: filters, order and columns as the page's query. A shared one is seen by colleagues of the same
-- brand, or of the platform; only its maker changes it.
create table staff_view (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff,
  dist_id int references distributor,           -- the maker's brand; null: the platform
  list text not null check (list ~ '^[a-z]{2,20}$'),
  name text not null check (length(name) between 1 and 20),
  query text not null check (length(query) <= 1000),
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create unique index staff_view_name on staff_view (staff_id, list, name);
create index staff_view_shared on staff_view (list) where shared;
grant select, insert, delete on staff_view to youshi_app;
grant update (name, query, shared, changed_at) on staff_view to youshi_app;

-- The columns that a member of staff last chose for a list, in their order.
create table staff_columns (
  staff_id bigint not null references staff,
  list text not null check (list ~ '^[a-z]{2,20}$'),
  columns text[] not null check (cardinality(columns) between 1 and 40),
  primary key (staff_id, list)
);
grant select, insert on staff_columns to youshi_app;
grant update (columns) on staff_columns to youshi_app;

-- Each export of a list: who took what, and how far it was written. Rows are kept as the record of what left the market.
create table staff_export (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff,
  list text not null check (list ~ '^[a-z]{2,20}$'),
  format text not null check (format in ('csv', 'xlsx')),
  query jsonb not null,
  columns text[] not null,
  total int not null,                           -- rows counted at the start, at most 1,001
  written int not null default 0,
  created_at timestamptz not null default now(),
  opened_at timestamptz,                        -- the file was fetched; it is written once
  ended_at timestamptz
);
grant select, insert on staff_export to youshi_app;
grant update (written, opened_at, ended_at) on staff_export to youshi_app;

create index orders_created on orders (created_at, id);
create index orders_total on orders (total_fen, id);
create index orders_deadline on orders (
  coalesce(case status when 1 then ship_by when 2 then auto_confirm_at end, '9999-12-31 00:00:00+00'::timestamptz), id);
