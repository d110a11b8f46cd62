-- Sellers' stock lists that staff import in the back office: the file until it is read, how far it is, and what became of each row.
-- dist_id filters: the seller's distributor, null until a seller is named.
create table import_job (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff,
  dist_id int references distributor,
  seller_id bigint references app_user,
  file_name text not null,
  bytes int not null,
  body bytea,                                    -- null once the run has ended: it may hold account names
  columns jsonb not null default '[]',           -- the file's own headings, for the list of refused rows
  total_rows int not null,
  done_rows int not null default 0,              -- moved forward in the transaction that stores a batch
  imported int not null default 0,
  corrected int not null default 0,
  existing int not null default 0,
  refused int not null default 0,
  publish boolean not null default false,
  status text not null default 'ready' check (status in ('ready', 'running', 'done', 'failed')),
  failure text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check (done_rows = imported + corrected + existing + refused),
  check (status = 'ready' or seller_id is not null)
);
create index import_job_newest on import_job (dist_id, id desc);

create table import_row (
  job_id bigint not null references import_job,
  line int not null,
  verdict text not null check (verdict in ('imported', 'corrected', 'existing', 'refused')),
  import_key text,
  goods_id bigint references goods,
  note text not null default '',                 -- how it was corrected, or why it was refused
  cells jsonb,                                   -- of a refused row, to be mended and sent again
  primary key (job_id, line)
);
create index import_row_verdict on import_row (job_id, verdict, line);
