-- Deferred trigger of orders: the escrow balance must equal what is not paid out yet of a paid or shipped order, and be 0
-- otherwise. Raises YS903.
CREATE OR REPLACE FUNCTION public.order_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_status smallint;
  v_due bigint;
begin
  select o.status, case when o.status in (1, 2) then o.total_fen + o.discount_fen - o.advance_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'order:' || new.id || ':escrow'), 0)
    into v_status, v_due, v_balance from orders o where o.id = new.id;
  if v_balance <> v_due then
    raise exception 'order % with status % has an unexpected escrow balance of %', new.id, v_status, v_balance using errcode = 'YS903';
  end if;
  return null;
end $function$;
