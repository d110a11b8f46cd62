-- Reasons of disputes are written by staff: each save is a version that stays, and a dispute keeps the form that its parties were shown. A reason
-- is switched off, never removed: disputes name it.
alter table dispute_reason
  add column version int not null default 1 check (version > 0),
  add column order_states smallint[] not null default '{1,2,3}' check (order_states <@ '{1,2,3}' and cardinality(order_states) > 0);
update dispute_reason set order_states = '{1,2}' where not after_completion;
alter table dispute_reason drop column after_completion;

create table dispute_reason_version (
  code text not null references dispute_reason,
  version int not null check (version > 0),
  name text not null check (length(name) <= 40),
  goods_types smallint[],
  order_states smallint[] not null,
  form jsonb not null check (jsonb_typeof(form) = 'array'),
  evidence text not null check (length(evidence) <= 200),
  sort int not null,
  status smallint not null check (status in (1, 2)),
  reason text not null default '' check (length(reason) <= 200),
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (code, version)
);
insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status)
  select code, version, name, goods_types, order_states, form, evidence, sort, status from dispute_reason;
create trigger dispute_reason_version_immutable before update or delete or truncate on dispute_reason_version for each statement execute function refuse_change();
grant select, insert on dispute_reason_version to youshi_app;

alter table dispute add column reason_version int not null default 1;
alter table dispute add constraint dispute_reason_version_fkey foreign key (reason_code, reason_version) references dispute_reason_version;
