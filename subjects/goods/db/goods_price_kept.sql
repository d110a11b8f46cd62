-- Trigger of goods: records the previous price in goods_price_day.
CREATE OR REPLACE FUNCTION public.goods_price_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into goods_price_day (goods_id, price_fen) values (old.id, old.price_fen);
  return null;
end $function$;
