-- Takes a transaction-level advisory lock on an account: exclusive if p_whole, otherwise shared. Called by goods_account_guard and by
-- goods/server/selling/barred.ts.
CREATE OR REPLACE FUNCTION public.account_lock(p_fingerprint bytea, p_whole boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if p_whole then perform pg_advisory_xact_lock(hashtextextended('account:' || encode(p_fingerprint, 'hex'), 0));
  else perform pg_advisory_xact_lock_shared(hashtextextended('account:' || encode(p_fingerprint, 'hex'), 0)); end if;
end $function$;
