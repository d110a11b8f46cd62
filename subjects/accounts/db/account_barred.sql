-- Whether an account has an open or paid guarantee claim, or an open case about a completed sale of it. Called by account_once,
-- goods_account_guard and server/import/store.ts.
CREATE OR REPLACE FUNCTION public.account_barred(p_fingerprint bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from guarantee_claim where fingerprint = p_fingerprint and status in ('checking', 'chasing', 'escalated', 'paid'))
    or exists (select from goods g join orders o on o.goods_id = g.id
      where g.fingerprint = p_fingerprint and o.status = 3 and o.type_id in (1, 8, 50) and o.disputed)
    or exists (select from middleman_deal m join orders o on o.id = m.order_id
      where m.fingerprint = p_fingerprint and m.status = 'ordered' and o.status = 3 and o.disputed)
$function$;
