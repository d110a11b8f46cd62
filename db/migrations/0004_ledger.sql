-- The ledger. One writer: ledger_post. A transfer moves fen from a debit to a credit account, so the sum over all accounts is
-- zero by construction; entries carry the balance after each move and a gap-free version per account, so every balance can
-- be proved from its own chain. What must not happen, the tables refuse.
-- Account keys are text that can be read in an audit:
--   user:<id>:available | user:<id>:frozen | user:<id>:deposit | order:<id>:escrow | want:<id>:deposit
--   dist:<id>:commission | platform:<fee|guarantee_fund|coupon_expense|rounding>:<shard> | clearing:<channel>:<shard>
-- Platform and clearing accounts are spread over 16 shards so that trade does not queue on one row.
create table ledger_account (
  key text primary key,
  may_overdraw boolean not null default false,  -- money outside (clearing) and what the platform spends (coupons)
  balance bigint not null default 0,
  version bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint balance_not_negative check (may_overdraw or balance >= 0)
);

create table ledger_transfer (
  id bigint generated always as identity primary key,
  code text not null,                           -- why: the posting's name in docs/LEDGER.md
  ref text not null,                            -- what: unique together with code, so that nothing is posted twice
  debit text not null references ledger_account,
  credit text not null references ledger_account,
  amount_fen bigint not null check (amount_fen > 0),
  dist_id int not null,                         -- records the site of the trade
  order_id bigint,
  created_at timestamptz not null default now(),
  unique (code, ref),
  check (debit <> credit)
);
create index ledger_transfer_order on ledger_transfer (order_id) where order_id is not null;

create table ledger_entry (
  account text not null references ledger_account,
  version bigint not null,
  transfer_id bigint not null references ledger_transfer,
  delta bigint not null check (delta <> 0),
  balance_after bigint not null,
  created_at timestamptz not null default now(),
  primary key (account, version)
);
create index ledger_entry_transfer on ledger_entry (transfer_id);

create trigger ledger_transfer_immutable before update or delete or truncate on ledger_transfer for each statement execute function refuse_change();
create trigger ledger_entry_immutable before update or delete or truncate on ledger_entry for each statement execute function refuse_change();

create function ledger_account_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'accounts are not deleted' using errcode = 'YS900'; end if;
  if new.key <> old.key or new.may_overdraw <> old.may_overdraw then raise exception 'accounts are not renamed' using errcode = 'YS900'; end if;
  if new.version <> old.version + 1 or new.balance = old.balance then raise exception 'a balance moves by an entry only' using errcode = 'YS900'; end if;
  return new;
end $$;
create trigger ledger_account_guard before update or delete on ledger_account for each row execute function ledger_account_guard();

-- The accounts that may go below zero: money that is outside, and what the platform gives away.
create function ledger_may_overdraw(p_key text) returns boolean language sql immutable as $$
  select p_key like 'clearing:%' or p_key like 'platform:coupon_expense:%' or p_key like 'platform:rounding:%' or p_key like 'platform:guarantee_fund:%';
$$;

-- Posts transfers: [{code, ref, debit, credit, fen, dist, order?}]. Returns true when posted, false when exactly these were posted before.
-- Errors: check balance_not_negative (balance too low), YS102 same (code, ref) with other contents. Locks the accounts in key order.
create function ledger_post(p_transfers jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  t record;
  a record;
  v_id bigint;
  v_total int := 0;
  v_new int := 0;
begin
  -- Accounts first, in key order, so that two posters that share accounts never wait for each other in a circle.
  insert into ledger_account (key, may_overdraw)
    select k, ledger_may_overdraw(k) from (
      select x->>'debit' k from jsonb_array_elements(p_transfers) x union select x->>'credit' from jsonb_array_elements(p_transfers) x) s
    where not exists (select from ledger_account l where l.key = s.k)
    order by k on conflict do nothing;
  perform 1 from ledger_account where key in (
      select x->>'debit' from jsonb_array_elements(p_transfers) x union all select x->>'credit' from jsonb_array_elements(p_transfers) x)
    order by key for update;
  for t in select * from jsonb_to_recordset(p_transfers) as r(code text, ref text, debit text, credit text, fen bigint, dist int, "order" bigint) loop
    v_total := v_total + 1;
    insert into ledger_transfer (code, ref, debit, credit, amount_fen, dist_id, order_id)
      values (t.code, t.ref, t.debit, t.credit, t.fen, t.dist, t."order")
      on conflict (code, ref) do nothing returning id into v_id;
    if v_id is null then
      perform 1 from ledger_transfer l where l.code = t.code and l.ref = t.ref and l.debit = t.debit and l.credit = t.credit and l.amount_fen = t.fen;
      if not found then raise exception 'transfer % % was posted with other contents', t.code, t.ref using errcode = 'YS102'; end if;
      continue;
    end if;
    v_new := v_new + 1;
    for a in select t.debit as key, -t.fen as delta union all select t.credit, t.fen order by key loop
      with moved as (
        update ledger_account set balance = balance + a.delta, version = version + 1 where key = a.key returning balance, version)
      insert into ledger_entry (account, version, transfer_id, delta, balance_after) select a.key, version, v_id, a.delta, balance from moved;
    end loop;
  end loop;
  if v_new > 0 and v_new < v_total then raise exception 'a set of transfers was posted in part' using errcode = 'YS102'; end if;
  return v_new > 0;
end $$;

revoke insert, update, delete, truncate on ledger_account, ledger_transfer, ledger_entry from youshi_app;
revoke update, delete, truncate on audit_log from youshi_app;
revoke all on function ledger_post(jsonb) from public;
grant execute on function ledger_post(jsonb) to youshi_app;

-- Money that waits for somebody, with its reason and its end. The sum of a user's open holds equals user:<id>:frozen.
create table hold (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  amount_fen bigint not null check (amount_fen > 0),
  code text not null,                            -- sale_protection, withdrawal, dispute …
  reason text not null,                          -- the sentence that its owner reads
  ref text not null,                             -- order or withdrawal
  release_at timestamptz,                        -- null: ends by an act, not by time
  released_at timestamptz,
  release_note text,
  created_at timestamptz not null default now(),
  unique (code, ref)
);
create index hold_open on hold (user_id, id desc) where released_at is null;
