-- Deferred trigger of inspection_task: the escrow balance must equal the fee of an open task and be 0 otherwise. Raises YS903.
CREATE OR REPLACE FUNCTION public.inspection_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when t.status in ('waiting', 'queued', 'claimed', 'review') then t.fee_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'inspection:' || new.id || ':escrow'), 0)
    into v_due, v_balance from inspection_task t where t.id = new.id;
  if v_balance <> v_due then raise exception 'inspection % has an unexpected escrow balance of %', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $function$;
