-- Trigger of recycle_quote: a bid keeps its request and recycler, cannot be lowered, and is immutable once closed. Raises YS901.
CREATE OR REPLACE FUNCTION public.recycle_quote_rises()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.request_id, new.recycler_id) is distinct from (old.request_id, old.recycler_id) or new.amount_fen < old.amount_fen or new.fee_fen < old.fee_fen
    or (old.status <> 'open' and (new.status, new.amount_fen) is distinct from (old.status, old.amount_fen))
  then raise exception 'a bid cannot be lowered or changed once it is closed' using errcode = 'YS901'; end if;
  return new;
end $function$;
