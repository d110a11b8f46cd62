-- Trigger of guarantee_claim: the amounts can be set only by the update that pays the claim. Raises YS900.
CREATE OR REPLACE FUNCTION public.claim_money_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.paid_fen, new.recourse_fen, new.penalty_fen, new.debt_fen) is distinct from (old.paid_fen, old.recourse_fen, old.penalty_fen, old.debt_fen)
      and (old.status = 'paid' or new.status <> 'paid') then
    raise exception 'claim amounts can be set only when the claim is paid' using errcode = 'YS900';
  end if;
  return new;
end $function$;
