-- Posts transfers like ledger_move, then collects the debts of credited accounts. False if they were posted before. Called by
-- order_step, order_pay_part, hold_give and the ledger's service.
CREATE OR REPLACE FUNCTION public.ledger_post(p_transfers jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_income text[];
begin
  if not ledger_move(p_transfers) then return false; end if;
  select array_agg(distinct x->>'credit') into v_income from jsonb_array_elements(p_transfers) x
    where x->>'code' not in ('topup', 'late_payment') and exists (select from debt d where d.debtor = x->>'credit' and d.settled_at is null);
  if v_income is not null then perform debt_collect(v_income); end if;
  return true;
end $function$;
