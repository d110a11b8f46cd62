-- Collects open debts from the balances of the given accounts, then from creditors who owe money themselves; returns the sum in fen.
-- Called by ledger_post and debt_record.
CREATE OR REPLACE FUNCTION public.debt_collect(p_accounts text[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
      perform effect_emit('debt.collected', jsonb_build_object('debtId', d.id, 'part', d.parts + 1, 'fen', v_take));
      if d.creditor like 'user:%' then v_todo := v_todo || d.creditor; end if;
    end loop;
  end loop;
  return v_sum;
end $function$;
