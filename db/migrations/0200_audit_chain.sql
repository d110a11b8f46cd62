-- The audit is a hash chain. Each row gets a seal in the transaction that writes it, at its commit: the seal's hash covers the row's
-- content and the hash before, so that a row changed, removed, moved or put in later breaks every hash behind it. No code path can
-- forget it, and a killed process leaves both or none.
-- The head's row is held from the seal to the commit: seals stand in the order of commit, and nobody waits for longer than one commit.
create table audit_seal (
  seq bigint primary key,                          -- 1, 2, 3 … without a gap
  audit_id bigint not null unique references audit_log,
  sealed_at timestamptz not null,
  hash bytea not null
);
comment on table audit_seal is 'One seal for each row of audit_log. The platform''s own: no dist_id';

create table audit_head (
  one boolean primary key default true check (one),
  seq bigint not null,
  hash bytea not null
);
comment on table audit_head is 'The last seal, so that a tail cut off is missed. The platform''s own: no dist_id';
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

-- What a seal covers, as text that is the same wherever it is built: server/audit-chain.ts builds it again by itself.
create function audit_content(p_seq bigint, p_at timestamptz, p audit_log) returns text language sql stable as $$
  select jsonb_build_array(p_seq, (extract(epoch from p_at) * 1000000)::bigint, p.id, p.staff_id, p.act, p.target, p.detail, p.ip,
    (extract(epoch from p.created_at) * 1000000)::bigint)::text;
$$;

create function audit_seal_row() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  h audit_head;
  v_at timestamptz;
begin
  select * into h from audit_head for update;
  if not found then raise exception 'the chain of the audit has no head' using errcode = 'YS904'; end if;
  v_at := clock_timestamp();
  h.seq := h.seq + 1;
  h.hash := sha256(h.hash || convert_to(audit_content(h.seq, v_at, new), 'UTF8'));
  insert into audit_seal (seq, audit_id, sealed_at, hash) values (h.seq, new.id, v_at, h.hash);
  update audit_head set seq = h.seq, hash = h.hash;
  return null;
end $$;

-- Rows that are there already are sealed in the order of their numbers.
lock table audit_log in share row exclusive mode;
do $$
declare
  a audit_log;
  h audit_head;
  v_at timestamptz;
begin
  select * into h from audit_head;
  for a in select * from audit_log order by id loop
    v_at := clock_timestamp();
    h.seq := h.seq + 1;
    h.hash := sha256(h.hash || convert_to(audit_content(h.seq, v_at, a), 'UTF8'));
    insert into audit_seal (seq, audit_id, sealed_at, hash) values (h.seq, a.id, v_at, h.hash);
  end loop;
  update audit_head set seq = h.seq, hash = h.hash;
end $$;

create constraint trigger audit_log_sealed after insert on audit_log deferrable initially deferred
  for each row execute function audit_seal_row();
create trigger audit_seal_immutable before update or delete or truncate on audit_seal for each statement execute function refuse_change();

create function audit_head_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.seq = old.seq + 1 and new.hash <> old.hash then return new; end if;
  raise exception 'the head of the audit moves by a seal only' using errcode = 'YS900';
end $$;
create trigger audit_head_guard before update or delete on audit_head for each row execute function audit_head_guard();

-- The server adds acts, never a seal; number and time of an act are the database's.
revoke insert, update on audit_seal, audit_head from youshi_app;
revoke insert on audit_log from youshi_app;
grant insert (staff_id, act, target, detail, ip) on audit_log to youshi_app;
revoke usage on sequence audit_log_id_seq from youshi_app;

-- Each night the chain is read whole and compared with the heads that have left the machine. A run without an end was killed.
create table audit_check (
  day date primary key,                            -- of China's calendar
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  seq bigint,                                      -- the head that was found
  hash bytea,
  heads int,                                       -- how many heads of other days were compared
  breaks jsonb,                                    -- [{seq, row, day, text}], the first one first; [] = whole
  mailed_at timestamptz
);
comment on table audit_check is 'What each night has found. The platform''s own: no dist_id';
