-- Trigger of orders: returns the stock of an ended order to its limited-time sale, once.
CREATE OR REPLACE FUNCTION public.time_sale_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  d time_sale_order;
begin
  update time_sale_order set returned = true where order_id = new.id and not returned returning * into d;
  if found then update time_sale set left_num = left_num + d.num where id = d.sale_id; end if;
  return null;
end $function$;
