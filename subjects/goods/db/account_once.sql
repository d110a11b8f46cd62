-- Trigger of goods, middleman_deal and recycle_request: an account is offered in one place only. Raises YS215, YS216 (deal) and YS411.
CREATE OR REPLACE FUNCTION public.account_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('account:' || encode(new.fingerprint, 'hex'), 0));
  if tg_table_name <> 'recycle_request' and exists (select from recycle_request r where r.fingerprint = new.fingerprint
      and r.status in ('bidding', 'quoted', 'accepted', 'reconfirm')) then
    raise exception 'the account is being recycled' using errcode = 'YS215';
  end if;
  -- A recycled account cannot be offered until its recycler has taken it over and the seller's money is released.
  if exists (select from recycle_request r join hold h on h.code = 'sale_protection' and h.ref = r.order_id::text and h.released_at is null
      where r.fingerprint = new.fingerprint and r.status = 'paid') then
    raise exception 'the account is being taken over' using errcode = 'YS215';
  end if;
  if tg_table_name = 'goods' then
    if exists (select from middleman_deal m where m.fingerprint = new.fingerprint and m.status in ('waiting', 'ordered') and deal_is_live(m)) then
      raise exception 'the account is in a private deal' using errcode = 'YS215';
    end if;
  elsif tg_table_name = 'recycle_request' then
    if exists (select from middleman_deal m where m.fingerprint = new.fingerprint and m.status in ('waiting', 'ordered') and deal_is_live(m))
      or exists (select from goods g where g.fingerprint = new.fingerprint and g.status in (1, 2, 4)) then
      raise exception 'the account is in another listing or deal' using errcode = 'YS215';
    elsif account_barred(new.fingerprint) then
      raise exception 'the account has an open claim' using errcode = 'YS411';
    end if;
  elsif exists (select from middleman_deal m where m.fingerprint = new.fingerprint and m.id <> new.id and m.status in ('waiting', 'ordered')
      and deal_is_live(m))
    or exists (select from goods g where g.fingerprint = new.fingerprint and g.status in (1, 2, 3, 4, 7)) then
    raise exception 'the account is in another listing or deal' using errcode = 'YS215';
  elsif account_barred(new.fingerprint) then
    raise exception 'the account has an open or paid claim' using errcode = 'YS216';
  end if;
  return new;
end $function$;
