-- Reserves lots of a coin offer and returns it. Raises YS201 (not on sale), YS202 (changed), YS207 (stock), YS211 (lot count).
-- Called by quick-coin/server/orders.ts.
CREATE OR REPLACE FUNCTION public.quick_coin_take(p_offer bigint, p_version integer, p_lots integer)
 RETURNS quick_coin_offer
 LANGUAGE plpgsql
AS $function$
declare
  c quick_coin_offer;
begin
  update quick_coin_offer set stock = stock - p_lots, updated_at = now()
    where id = p_offer and status = 1 and version = p_version and stock >= p_lots and p_lots between min_lots and max_lots
    returning * into c;
  if found then return c; end if;
  select * into c from quick_coin_offer where id = p_offer;
  if c.status is distinct from 1 then raise exception 'coin offer is not on sale' using errcode = 'YS201'; end if;
  if c.version <> p_version then raise exception 'coin offer was changed by another transaction' using errcode = 'YS202'; end if;
  if p_lots not between c.min_lots and c.max_lots then raise exception 'lot count is outside the offer''s minimum and maximum' using errcode = 'YS211'; end if;
  raise exception 'coin offer stock is too low' using errcode = 'YS207';
end $function$;
