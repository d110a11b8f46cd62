-- Trigger of orders (recycled coin): returns the lots of ended orders to the offer and counts the recycler's completed orders.
CREATE OR REPLACE FUNCTION public.recycle_coin_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  d recycle_coin_order;
begin
  if new.status in (6, 7, 8, 9) then
    update recycle_coin_order set wanted_returned = true where order_id = new.id and not wanted_returned returning * into d;
    if found then update recycle_coin_offer set wanted_lots = wanted_lots + d.lots, updated_at = now() where id = d.offer_id; end if;
  elsif new.status = 3 then
    update recycler r set won_count = r.won_count + 1 from recycle_coin_order q where q.order_id = new.id and r.user_id = new.buyer_id;
  end if;
  return null;
end $function$;
