-- Inspections as a service (decisions 290 to 293): tasks of staff with sealed credentials, readings with proof, re-inspections for a fee in
-- escrow, and what a wrong reading pays. dist_id records the listing's site.
create table inspection_task (
  id bigint generated always as identity primary key,
  dist_id integer not null references distributor (id),
  goods_id bigint not null references goods (id),
  kind text not null check (kind in ('first', 'again')),
  asked_by text not null check (asked_by in ('seller', 'staff', 'buyer')),
  buyer_id bigint references app_user (id),
  fee_fen bigint not null default 0 check (fee_fen >= 0),
  status text not null default 'waiting' check (status in ('waiting', 'queued', 'claimed', 'review', 'done', 'closed')),
  staff_id bigint references staff (id),
  sealed_enc bytea,                       -- the account's credentials, erased when the task ends
  sealed_at timestamptz,
  erased_at timestamptz,
  opened_count integer not null default 0,
  opened_at timestamptz,
  claimed_at timestamptz,
  due_at timestamptz,                     -- end of the clock that runs: the seller's to seal, then staff's to read
  done_at timestamptz,
  differs integer not null default 0 check (differs >= 0),
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  closed_reason text,
  created_at timestamptz not null default now(),
  constraint inspection_task_buyer check ((kind = 'again') = (buyer_id is not null) and (kind = 'again' or fee_fen = 0)),
  constraint inspection_task_staff check (status not in ('claimed', 'review', 'done') or staff_id is not null),
  constraint inspection_task_done check ((status = 'done') = (done_at is not null)),
  constraint inspection_task_sealed check (status <> 'queued' or sealed_enc is not null)
);
create unique index inspection_task_live on inspection_task (goods_id) where status in ('waiting', 'queued', 'claimed', 'review');
create index inspection_task_status on inspection_task (status, due_at);
create index inspection_task_goods on inspection_task (goods_id, id);
create index inspection_task_buyer on inspection_task (buyer_id, created_at) where buyer_id is not null;
comment on table inspection_task is 'Requests that staff read an account. dist_id records the site of the listing';

create table inspection_transition (from_status text not null, to_status text not null, primary key (from_status, to_status));
insert into inspection_transition values ('waiting', 'queued'), ('waiting', 'closed'), ('queued', 'claimed'), ('queued', 'closed'),
  ('claimed', 'queued'), ('claimed', 'review'), ('claimed', 'done'), ('claimed', 'closed'), ('review', 'queued'), ('review', 'done'), ('review', 'closed');
comment on table inspection_transition is 'The legal steps of an inspection';

create table inspection_reading (
  task_id bigint not null references inspection_task (id),
  field text not null,
  label text not null,
  said text not null,
  found text not null,
  value jsonb,
  differs boolean not null,
  created_at timestamptz not null default now(),
  primary key (task_id, field)
);
comment on table inspection_reading is 'Fields of an account as an inspector read them, beside the seller''s words at that time';

create table inspection_claim (
  id bigint generated always as identity primary key,
  dist_id integer not null references distributor (id),
  order_id bigint not null unique references orders (id),
  task_id bigint not null unique references inspection_task (id),
  buyer_id bigint not null references app_user (id),
  field text not null,
  label text not null,
  reading text not null,
  found text not null,
  pictures jsonb not null check (jsonb_typeof(pictures) = 'array'),
  amount_fen bigint not null check (amount_fen > 0),
  status text not null default 'open' check (status in ('open', 'paid', 'refused')),
  note text not null default '',
  staff_id bigint references staff (id),
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  constraint inspection_claim_decided check ((status = 'open') = (decided_at is null))
);
create index inspection_claim_status on inspection_claim (status, id);
comment on table inspection_claim is 'Readings that buyers call wrong, and what the fund pays for them';

revoke update on inspection_task, inspection_reading, inspection_claim from youshi_app;
grant select, insert on inspection_task, inspection_reading, inspection_claim to youshi_app;
grant update (status, staff_id, sealed_enc, sealed_at, erased_at, opened_count, opened_at, claimed_at, due_at, done_at, differs, pictures, closed_reason)
  on inspection_task to youshi_app;
grant update (label, said, found, value, differs, created_at) on inspection_reading to youshi_app;
grant update (status, note, staff_id, decided_at) on inspection_claim to youshi_app;
revoke insert, update on inspection_transition from youshi_app;
grant select on inspection_transition to youshi_app;

-- What is read now, on the listing's page: with the seller's words and the task that has the proof.
alter table inspection
  add column task_id bigint references inspection_task (id),
  add column said text not null default '',
  add column differs boolean not null default false;
grant delete on inspection to youshi_app;

-- The legal steps; nothing of an ended task changes, and its credentials are gone.
create function inspection_task_steps() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and not exists (select from inspection_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'inspection step % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  if old.status in ('done', 'closed') then raise exception 'the inspection has ended' using errcode = 'YS902'; end if;
  if new.status in ('done', 'closed') then
    if new.sealed_enc is not null then new.erased_at := now(); end if;
    new.sealed_enc := null;
    new.due_at := null;
  end if;
  return new;
end $$;
create trigger inspection_task_steps before update on inspection_task for each row execute function inspection_task_steps();

-- A re-inspection's fee is in its escrow exactly while the task is open.
create function inspection_escrow_agrees() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when t.status in ('waiting', 'queued', 'claimed', 'review') then t.fee_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'inspection:' || new.id || ':escrow'), 0)
    into v_due, v_balance from inspection_task t where t.id = new.id;
  if v_balance <> v_due then raise exception 'inspection % has % in escrow', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $$;
create constraint trigger inspection_escrow_agrees after insert or update on inspection_task deferrable initially deferred
  for each row execute function inspection_escrow_agrees();

-- A claim pays the reader of its own order, never more than was paid for the account; it is decided once.
create function inspection_claim_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from orders o join inspection_task t on t.goods_id = o.goods_id
        where o.id = new.order_id and t.id = new.task_id and o.buyer_id = new.buyer_id and t.status = 'done' and t.done_at <= o.created_at
          and new.amount_fen <= o.goods_fen) then
      raise exception 'the claim is not of this order' using errcode = 'YS901';
    end if;
  elsif old.status <> 'open' then raise exception 'the claim is decided' using errcode = 'YS902'; end if;
  return new;
end $$;
create trigger inspection_claim_guard before insert or update on inspection_claim for each row execute function inspection_claim_guard();

-- What was read counts no longer once the listing says something else, is of another account, comes back from off sale, or has lost its date.
create function goods_inspection_ends() returns trigger language plpgsql as $$
declare
  v_found boolean;
begin
  if new.inspected_at is not null and new.inspected_at is distinct from old.inspected_at then return new; end if;
  delete from inspection where goods_id = new.id;
  v_found := found;
  if v_found or old.inspected_at is not null then
    insert into goods_event (goods_id, kind, actor, detail) values (new.id, 'uninspected', 'system', '{}');
  end if;
  new.inspected_at := null;
  return new;
end $$;
create trigger goods_inspection_ends before update on goods for each row
  when (old.attrs is distinct from new.attrs or old.fingerprint is distinct from new.fingerprint or (old.status = 3 and new.status = 2)
    or (old.inspected_at is not null and new.inspected_at is null))
  execute function goods_inspection_ends();

-- What the fund paid for a reading is owed by the seller who said the same.
alter table debt drop constraint debt_code_check;
alter table debt add constraint debt_code_check check (code in ('settled', 'ruled', 'claim', 'reading', 'dist_share', 'invite_reward'));

insert into setting (key, version, value) values ('inspection', 1,
  '{"validDays": 30, "againDays": 7, "feeFen": 990, "sealSeconds": 172800, "workSeconds": 86400, "claimSeconds": 7200, "perDay": 3,
    "wrongBp": 500, "wrongMinFen": 5000, "wrongDays": 7}');

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('inspection.seller', '验号', 'goods', '{site}', false, false, 360),
  ('inspection.buyer', '复验与读数理赔', 'order', '{site}', false, false, 361);
insert into notice_template (kind, channel, version, title, body, link) values
  ('inspection.seller', 'site', 1, '{what}', '{text}', '/center/inspections'),
  ('inspection.buyer', 'site', 1, '{what}', '{text}', '/center/inspections');
