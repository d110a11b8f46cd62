-- Whether an account has an open or paid guarantee claim. Called by account_once, goods_account_guard and
-- server/import/store.ts.
CREATE OR REPLACE FUNCTION public.account_barred(p_fingerprint bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from guarantee_claim where fingerprint = p_fingerprint and status in ('checking', 'chasing', 'escalated', 'paid'))
$function$;
