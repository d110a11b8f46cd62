-- Debts: what somebody owes after a trade was undone and had no longer (domain.md 3; docs/decisions/140). A debt is collected where income
-- arrives, inside ledger_post, oldest first, so that no way of earning passes it by. The application reads the table; the two functions write.
create table debt (
  id bigint generated always as identity primary key,
  -- Who owes: a user, or a distributor.
  debtor_user bigint references app_user,
  debtor_dist int references distributor,
  -- The account whose income pays.
  debtor text not null generated always as (case when debtor_dist is null then 'user:' || debtor_user || ':available'
    else 'dist:' || debtor_dist || ':commission' end) stored,
  -- The account that is owed: a user's balance or the guarantee fund.
  creditor text not null check (creditor ~ '^(user:[0-9]+:available|platform:guarantee_fund:[0-9]+)$'),
  amount_fen bigint not null check (amount_fen > 0),
  paid_fen bigint not null default 0 check (paid_fen between 0 and amount_fen),
  parts int not null default 0,                  -- how often something was collected: with the id the ref of its posting
  code text not null check (code in ('settled', 'ruled', 'claim', 'dist_share', 'invite_reward')),
  reason text not null,                          -- the sentence that its debtor reads
  ref text not null unique,                      -- what it came of, so that it is written once
  order_id bigint references orders,
  dist_id int not null,                          -- records the site of the trade
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check (num_nonnulls(debtor_user, debtor_dist) = 1),
  check (debtor <> creditor),
  check ((settled_at is not null) = (paid_fen = amount_fen))
);
comment on table debt is 'What users and distributors owe. dist_id records the site of the trade';
create index debt_open on debt (debtor, id) where settled_at is null;
create index debt_debtor on debt (debtor, id desc);
create index debt_creditor on debt (creditor, id desc);
create index debt_order on debt (order_id) where order_id is not null;
revoke insert, update, delete, truncate on debt from youshi_app;

-- A debt's terms stand; it is paid down, never up, and not deleted.
create function debt_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'debts are not deleted' using errcode = 'YS900'; end if;
  if (new.debtor_user, new.debtor_dist, new.creditor, new.amount_fen, new.code, new.ref, new.order_id, new.created_at)
      is distinct from (old.debtor_user, old.debtor_dist, old.creditor, old.amount_fen, old.code, old.ref, old.order_id, old.created_at)
      or new.paid_fen <= old.paid_fen or new.parts <> old.parts + 1 then
    raise exception 'a debt is only paid down' using errcode = 'YS900';
  end if;
  return new;
end $$;
create trigger debt_guard before update or delete on debt for each row execute function debt_guard();

-- The posting itself, as ledger_post was before (0080): nobody calls it but ledger_post and the collection.
create function ledger_move(p_transfers jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  t jsonb;
  v_debit text;
  v_credit text;
  v_fen bigint;
  v_id bigint;
  v_total int := jsonb_array_length(p_transfers);
  v_new int := 0;
  v_first text;
  v_second text;
  v_delta bigint;
  v_balance1 bigint;
  v_version1 bigint;
  v_balance2 bigint;
  v_version2 bigint;
begin
  if v_total > 1 then
    -- Accounts first, in key order, so that two posters that share accounts never wait for each other in a circle.
    insert into ledger_account (key, may_overdraw)
      select k, ledger_may_overdraw(k) from (
        select x->>'debit' k from jsonb_array_elements(p_transfers) x union select x->>'credit' from jsonb_array_elements(p_transfers) x) s
      where not exists (select from ledger_account l where l.key = s.k)
      order by k on conflict do nothing;
    perform 1 from ledger_account where key = any (array(
        select x->>'debit' from jsonb_array_elements(p_transfers) x union select x->>'credit' from jsonb_array_elements(p_transfers) x))
      order by key for update;
  end if;
  for i in 0 .. v_total - 1 loop
    t := p_transfers->i;
    v_debit := t->>'debit';
    v_credit := t->>'credit';
    v_fen := (t->>'fen')::bigint;
    if v_debit < v_credit then
      v_first := v_debit; v_second := v_credit; v_delta := -v_fen;
    else
      v_first := v_credit; v_second := v_debit; v_delta := v_fen;
    end if;
    if v_total = 1 then
      insert into ledger_account (key, may_overdraw)
        select k, ledger_may_overdraw(k) from unnest(array[v_first, v_second]) k
        where not exists (select from ledger_account l where l.key = k)
        on conflict do nothing;
    end if;
    insert into ledger_transfer (code, ref, debit, credit, amount_fen, dist_id, order_id)
      values (t->>'code', t->>'ref', v_debit, v_credit, v_fen, (t->>'dist')::int, (t->>'order')::bigint)
      on conflict (code, ref) do nothing returning id into v_id;
    if v_id is null then
      perform 1 from ledger_transfer l
        where l.code = t->>'code' and l.ref = t->>'ref' and l.debit = v_debit and l.credit = v_credit and l.amount_fen = v_fen;
      if not found then raise exception 'transfer % % was posted with other contents', t->>'code', t->>'ref' using errcode = 'YS102'; end if;
      continue;
    end if;
    v_new := v_new + 1;
    update ledger_account set balance = balance + v_delta, version = version + 1 where key = v_first
      returning balance, version into strict v_balance1, v_version1;
    update ledger_account set balance = balance - v_delta, version = version + 1 where key = v_second
      returning balance, version into strict v_balance2, v_version2;
    insert into ledger_entry (account, version, transfer_id, delta, balance_after)
      values (v_first, v_version1, v_id, v_delta, v_balance1), (v_second, v_version2, v_id, -v_delta, v_balance2);
  end loop;
  if v_new > 0 and v_new < v_total then raise exception 'a set of transfers was posted in part' using errcode = 'YS102'; end if;
  return v_new > 0;
end $$;
revoke all on function ledger_move(jsonb) from public;

-- Takes from the balances of these accounts what they owe, oldest debt first. What a creditor gets pays the creditor's own debts in
-- turn, each account once, so that two who owe each other do not pass a fen to and fro for ever. Answers what was collected, in fen.
create function debt_collect(p_accounts text[]) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_todo text[] := p_accounts;
  v_done text[] := '{}';
  v_key text;
  v_balance bigint;
  v_take bigint;
  v_sum bigint := 0;
  v_reason text;
  d debt;
begin
  while cardinality(v_todo) > 0 and cardinality(v_done) < 20 loop
    v_key := v_todo[1];
    v_todo := v_todo[2:];
    continue when v_key = any (v_done);
    v_done := v_done || v_key;
    continue when not exists (select from debt where debtor = v_key and settled_at is null);
    -- The account's lock comes before its debts', as in debt_record.
    select balance into v_balance from ledger_account where key = v_key for update;
    for d in select * from debt where debtor = v_key and settled_at is null order by id for update loop
      exit when coalesce(v_balance, 0) <= 0;
      v_take := least(v_balance, d.amount_fen - d.paid_fen);
      update debt set paid_fen = paid_fen + v_take, parts = parts + 1,
        settled_at = case when paid_fen + v_take = amount_fen then now() end where id = d.id;
      perform ledger_move(jsonb_build_array(jsonb_build_object('code', 'debt_collected', 'ref', 'debt:' || d.id || ':' || d.parts + 1,
        'debit', v_key, 'credit', d.creditor, 'fen', v_take, 'dist', d.dist_id) || case when d.order_id is null then '{}' else jsonb_build_object('order', d.order_id) end));
      v_balance := v_balance - v_take;
      v_sum := v_sum + v_take;
      insert into outbox (topic, payload) values ('debt.collected', jsonb_build_object('debtId', d.id, 'part', d.parts + 1, 'fen', v_take));
      if d.creditor like 'user:%' then v_todo := v_todo || d.creditor; end if;
    end loop;
  end loop;
  return v_sum;
end $$;
revoke all on function debt_collect(text[]) from public;
grant execute on function debt_collect(text[]) to youshi_app;

-- Posts transfers (0004) and then takes from what arrived what its owners owe. Money that somebody has just put in from outside is not
-- income: it pays what it came for.
create or replace function ledger_post(p_transfers jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_income text[];
begin
  if not ledger_move(p_transfers) then return false; end if;
  select array_agg(distinct x->>'credit') into v_income from jsonb_array_elements(p_transfers) x
    where x->>'code' not in ('topup', 'late_payment') and exists (select from debt d where d.debtor = x->>'credit' and d.settled_at is null);
  if v_income is not null then perform debt_collect(v_income); end if;
  return true;
end $$;

-- Writes down a debt, once a ref, and takes at once what the debtor has. Under the lock of the debtor's account, so that income which
-- arrives at the same moment is either there already or finds the debt. Answers the debt.
-- {debtorUser | debtorDist, creditor, fen, code, reason, ref, order?, dist}
create function debt_record(p jsonb) returns debt
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_debtor text := case when p->>'debtorDist' is null then 'user:' || (p->>'debtorUser') || ':available' else 'dist:' || (p->>'debtorDist') || ':commission' end;
  d debt;
begin
  insert into ledger_account (key, may_overdraw) values (v_debtor, false) on conflict do nothing;
  perform 1 from ledger_account where key = v_debtor for update;
  insert into debt (debtor_user, debtor_dist, creditor, amount_fen, code, reason, ref, order_id, dist_id)
    values ((p->>'debtorUser')::bigint, (p->>'debtorDist')::int, p->>'creditor', (p->>'fen')::bigint, p->>'code', p->>'reason', p->>'ref',
      (p->>'order')::bigint, (p->>'dist')::int)
    on conflict (ref) do nothing returning * into d;
  if d.id is null then
    select * into d from debt where ref = p->>'ref';
    if (d.debtor, d.creditor, d.amount_fen) is distinct from (v_debtor, p->>'creditor', (p->>'fen')::bigint) then
      raise exception 'debt % was written with other contents', p->>'ref' using errcode = 'YS102';
    end if;
    return d;
  end if;
  insert into outbox (topic, payload) values ('debt.recorded', jsonb_build_object('debtId', d.id));
  perform debt_collect(array[v_debtor]);
  select * into d from debt where id = d.id;
  return d;
end $$;
revoke all on function debt_record(jsonb) from public;
grant execute on function debt_record(jsonb) to youshi_app;

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('money.debt', '欠款与偿还', 'money', '{site,wechat}', false, false, 151);
insert into notice_template (kind, channel, version, title, body, link) values
  ('money.debt', 'site', 1, '欠款变动', '{text}', '/center/mywallets');
