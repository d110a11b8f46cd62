-- Trigger of orders: the deduction can be set once, on a completed recycling order. Raises YS901.
CREATE OR REPLACE FUNCTION public.order_cut_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.cut_fen <> 0 or new.type_id <> 52 or new.status <> 3 then raise exception 'orders.cut_fen can be set only once, on a completed recycling order' using errcode = 'YS901'; end if;
  return new;
end $function$;
