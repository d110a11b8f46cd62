-- Trigger of ledger_transfer for debits of the guarantee fund: a premium refund is limited to the order's premium, everything else
-- requires a matching fund_release. Raises YS105.
CREATE OR REPLACE FUNCTION public.fund_debit_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.code = 'premium_back' then
    if new.amount_fen > coalesce((select sum(case code when 'guarantee_premium' then amount_fen else -amount_fen end) from ledger_transfer
        where order_id = new.order_id and code in ('guarantee_premium', 'premium_back')), 0) then
      raise exception 'refund exceeds the guarantee premium of the order' using errcode = 'YS105';
    end if;
  elsif not exists (select from fund_release r where r.code = new.code and r.ref = new.ref and r.amount_fen = new.amount_fen) then
    raise exception 'a guarantee fund debit requires a release approved by two staff members or an expired claim deadline' using errcode = 'YS105';
  end if;
  return new;
end $function$;
