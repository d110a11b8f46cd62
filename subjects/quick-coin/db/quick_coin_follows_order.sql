-- Trigger of orders (coin): returns stock of cancelled orders, records the delivery and counts the sale.
CREATE OR REPLACE FUNCTION public.quick_coin_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  d quick_coin_order;
begin
  if old.status in (0, 1) and new.status in (6, 7, 8, 9) then
    update quick_coin_order set stock_returned = true where order_id = new.id and not stock_returned returning * into d;
    if found then update quick_coin_offer set stock = stock + d.lots, updated_at = now() where id = d.offer_id; end if;
  elsif new.status = 2 then
    update quick_coin_order set delivered_units = coin_units, delivered_at = now() where order_id = new.id;
  elsif new.status = 3 then
    update quick_coin_offer c set sold_lots = c.sold_lots + q.lots from quick_coin_order q where q.order_id = new.id and c.id = q.offer_id;
    perform provider_done(c.provider_id, new.shipped_at <= new.ship_by)
      from quick_coin_order q join quick_coin_offer c on c.id = q.offer_id where q.order_id = new.id;
  end if;
  return null;
end $function$;
