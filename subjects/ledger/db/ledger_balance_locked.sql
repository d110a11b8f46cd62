-- The balance of an account, with its row locked until the end of the transaction. Called by ledger/server/post.ts.
CREATE OR REPLACE FUNCTION public.ledger_balance_locked(p_key text)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select balance from ledger_account where key = p_key for update
$function$;
