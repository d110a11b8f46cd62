-- Deferred trigger of recycle_quote: the escrow balance must equal amount and fee of an open bid and be 0 otherwise. Raises YS903.
CREATE OR REPLACE FUNCTION public.recycle_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when q.status = 'open' then q.amount_fen + q.fee_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'recycle:' || new.id || ':escrow'), 0)
    into v_due, v_balance from recycle_quote q where q.id = new.id;
  if v_balance <> v_due then raise exception 'bid % has an unexpected escrow balance of %', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $function$;
