-- Deferred trigger of boost_request: the escrow balance must equal the total of an open request and be 0 otherwise. Raises YS903.
CREATE OR REPLACE FUNCTION public.boost_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when r.status = 'open' then r.total_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'boost:' || new.id || ':escrow'), 0)
    into v_due, v_balance from boost_request r where r.id = new.id;
  if v_balance <> v_due then raise exception 'boost request % has an unexpected escrow balance of %', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $function$;
