-- How two users are linked: shared browser, payout account or network, or an invitation. Called by reviews, guarantees, unrelated_sales
-- and the back office.
CREATE OR REPLACE FUNCTION public.user_links(p_a bigint, p_b bigint)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select array_remove(array[
    case when exists (select from user_browser x join user_browser y on y.browser_hash = x.browser_hash
      where x.user_id = p_a and y.user_id = p_b) then 'browser' end,
    case when exists (select from payout_account x join payout_account y on y.account_hash = x.account_hash
      where x.user_id = p_a and y.user_id = p_b) then 'payee' end,
    case when exists (select from user_network x join user_network y on y.network_hash = x.network_hash
      where x.user_id = p_a and y.user_id = p_b and x.last_at > now() - interval '30 days' and y.last_at > now() - interval '30 days'
        and (select count(*) from user_network n where n.network_hash = x.network_hash and n.last_at > now() - interval '30 days') <= 8)
      then 'network' end,
    case when exists (select from app_user u where (u.id = p_a and u.inviter_id = p_b) or (u.id = p_b and u.inviter_id = p_a)) then 'inviter' end
  ], null)
$function$;
