-- Records a debt and collects it immediately from the debtor's balance. Idempotent per ref; YS102 if other contents exist. Called by
-- ledger/server/debts.ts.
CREATE OR REPLACE FUNCTION public.debt_record(p jsonb)
 RETURNS debt
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
      raise exception 'debt % already exists with different contents', p->>'ref' using errcode = 'YS102';
    end if;
    return d;
  end if;
  perform effect_emit('debt.recorded', jsonb_build_object('debtId', d.id));
  perform debt_collect(array[v_debtor]);
  select * into d from debt where id = d.id;
  return d;
end $function$;
