-- Trigger of bargain: the counter-offer can be set only when the seller makes it. Raises YS900.
CREATE OR REPLACE FUNCTION public.bargain_price_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.counter_fen is distinct from old.counter_fen and not (old.status = 0 and new.status = 2) then
    raise exception 'bargain.counter_fen can be set only when the seller makes a counter-offer' using errcode = 'YS900';
  end if;
  return new;
end $function$;
