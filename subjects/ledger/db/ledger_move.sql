-- Posts transfers with their entries; idempotent per code and ref. False if all were posted before, YS102 if other contents exist.
-- Called by ledger_post and debt_collect.
CREATE OR REPLACE FUNCTION public.ledger_move(p_transfers jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
    -- Accounts are locked in key order, so that two postings which share accounts cannot deadlock.
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
      if not found then raise exception 'transfer % % already exists with different contents', t->>'code', t->>'ref' using errcode = 'YS102'; end if;
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
  if v_new > 0 and v_new < v_total then raise exception 'transfer set was only partially posted before' using errcode = 'YS102'; end if;
  return v_new > 0;
end $function$;
