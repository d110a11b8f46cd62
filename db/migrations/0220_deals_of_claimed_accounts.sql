-- An account under a claim, or one that a claim was paid for, goes into no private deal, neither when it is opened nor when it is accepted: the
-- rule of listings (migration 0150, account_barred), which looked at open claims alone here.
create or replace function account_once() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('account:' || encode(new.fingerprint, 'hex'), 0));
  if tg_table_name = 'goods' then
    if exists (select from middleman_deal m where m.fingerprint = new.fingerprint and m.status in ('waiting', 'ordered') and deal_is_live(m)) then
      raise exception 'the account is in a private deal' using errcode = 'YS215';
    end if;
  elsif exists (select from middleman_deal m where m.fingerprint = new.fingerprint and m.id <> new.id and m.status in ('waiting', 'ordered')
      and deal_is_live(m))
    or exists (select from goods g where g.fingerprint = new.fingerprint and g.status in (1, 2, 3, 4, 7)) then
    raise exception 'the account is in another listing or deal' using errcode = 'YS215';
  elsif account_barred(new.fingerprint) then
    raise exception 'a claim on the account is open or was paid' using errcode = 'YS216';
  end if;
  return new;
end $$;

drop trigger deal_account_once on middleman_deal;
create trigger deal_account_inserted before insert on middleman_deal for each row
  when (new.fingerprint is not null) execute function account_once();
create trigger deal_account_traded before update of fingerprint, status on middleman_deal for each row
  when (new.fingerprint is not null and new.status in ('waiting', 'ordered')
    and (old.fingerprint is distinct from new.fingerprint or old.status is distinct from new.status))
  execute function account_once();
