-- Whether a late order ends by rule: nothing of it was handed over or seen, and the next act is the seller's.
CREATE OR REPLACE FUNCTION public.order_ends_when_late(p_order bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from orders o where o.id = p_order and o.status = 1 and not o.disputed and o.handover_version is not null
      and o.credential_opened_at is null and o.buyer_opened_at is null and o.delivered_at is null)
    and not exists (select from order_handover h where h.order_id = p_order and h.actor <> 'buyer' and h.done_at is not null)
    and coalesce((select h.actor from order_handover h where h.order_id = p_order and h.before_ship and h.done_at is null
      order by h.step limit 1), 'seller') = 'seller'
$function$;
