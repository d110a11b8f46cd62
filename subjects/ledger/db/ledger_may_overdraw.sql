-- Whether an account of this key may have a negative balance. Called by ledger_move for new accounts.
CREATE OR REPLACE FUNCTION public.ledger_may_overdraw(p_key text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_key like 'clearing:%' or p_key like 'platform:coupon_expense:%' or p_key like 'platform:rounding:%' or p_key like 'platform:guarantee_fund:%'
    or p_key like 'platform:recycling:%';
$function$;
