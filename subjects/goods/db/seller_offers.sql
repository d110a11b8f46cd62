-- Number of a seller's current listings and private deals. Called by deposits, the listing form and
-- server/import for limits of new sellers.
CREATE OR REPLACE FUNCTION public.seller_offers(p_user bigint)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select (select count(*) from goods where seller_id = p_user and status in (1, 2, 3, 4, 7))::int
    + (select count(*) from middleman_deal m where (case when m.opener_belong = 0 then m.opener_id else m.partner_id end) = p_user
        and m.status in ('waiting', 'ordered') and deal_is_live(m))::int
$function$;
