-- Trigger of dispute: the amounts can be set only by the update that closes the dispute. Raises YS900.
CREATE OR REPLACE FUNCTION public.dispute_money_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.back_fen, new.refunded_fen, new.to_seller_fen, new.owed_fen) is distinct from (old.back_fen, old.refunded_fen, old.to_seller_fen, old.owed_fen)
      and (old.status = 'closed' or new.status <> 'closed') then
    raise exception 'dispute amounts can be set only when the dispute closes' using errcode = 'YS900';
  end if;
  return new;
end $function$;
