-- Whether a private deal is open or its order is in progress. Called by account_once and seller_offers.
CREATE OR REPLACE FUNCTION public.deal_is_live(m middleman_deal)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select (m.status = 'waiting' and m.expires_at > now())
    or (m.status = 'ordered' and exists (select from orders o where o.id = m.order_id and o.status in (0, 1, 2)))
$function$;
