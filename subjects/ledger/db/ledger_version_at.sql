-- The version of an account at a time, by binary search over its entries. Called by statements and the risk board.
CREATE OR REPLACE FUNCTION public.ledger_version_at(p_account text, p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_low bigint := 0;
  v_high bigint;
  v_mid bigint;
  v_at timestamptz;
begin
  select version into v_high from ledger_account where key = p_account;
  if v_high is null then return 0; end if;
  while v_low < v_high loop
    v_mid := (v_low + v_high + 1) / 2;
    select created_at into v_at from ledger_entry where account = p_account and version = v_mid;
    if v_at <= p_at then v_low := v_mid; else v_high := v_mid - 1; end if;
  end loop;
  return v_low;
end $function$;
