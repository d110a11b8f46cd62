-- What a guarantee pays needs its release like everything else that leaves the fund (0141): two names, or the claim's own deadline.
create or replace function fund_debit_guard() returns trigger language plpgsql as $$
begin
  if new.code = 'premium_back' then
    if new.amount_fen > coalesce((select sum(case code when 'guarantee_premium' then amount_fen else -amount_fen end) from ledger_transfer
        where order_id = new.order_id and code in ('guarantee_premium', 'premium_back')), 0) then
      raise exception 'more than the premium of the order' using errcode = 'YS105';
    end if;
  elsif not exists (select from fund_release r where r.code = new.code and r.ref = new.ref and r.amount_fen = new.amount_fen) then
    raise exception 'the guarantee fund pays by two names or by a deadline' using errcode = 'YS105';
  end if;
  return new;
end $$;

-- The books ask for a release of what left the fund after this.
insert into setting (key, version, value) select 'fund_release', 2, jsonb_build_object('fromTransfer', coalesce(max(id), 0)) from ledger_transfer;
