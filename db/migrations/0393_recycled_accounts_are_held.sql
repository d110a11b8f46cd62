-- An account that was inspected is paid into a hold of a day, which the recycler ends as soon as he has taken it over: until then its first
-- owner still knows its password (decision 274). What the inspection took off is returned at once and cannot be returned a second time.
alter table orders
  add column cut_fen bigint not null default 0,
  add constraint order_cut check (cut_fen between 0 and goods_fen) not valid;
grant update (cut_fen) on orders to youshi_app;
-- Set once, when the account was paid.
create function order_cut_once() returns trigger language plpgsql as $$
begin
  if old.cut_fen <> 0 or new.type_id <> 52 or new.status <> 3 then raise exception 'what was taken off stays' using errcode = 'YS901'; end if;
  return new;
end $$;
create trigger order_cut_once before update of cut_fen on orders for each row when (old.cut_fen is distinct from new.cut_fen) execute function order_cut_once();
-- The inspection says what is taken off; the seller agrees to that or to nothing.
create function recycle_cut_guard() returns trigger language plpgsql as $$
begin
  if old.status <> 'accepted' then raise exception 'the inspection is over' using errcode = 'YS901'; end if;
  return new;
end $$;
create trigger recycle_cut_guard before update of cut_fen on recycle_request for each row when (old.cut_fen is distinct from new.cut_fen) execute function recycle_cut_guard();
insert into setting (key, version, value)
  select key, version + 1, value || '{"takeOverSeconds": 86400}' from setting where key = 'recycling' order by version desc limit 1;

-- An account is sold in one way at a time: on the shelf, between two people, or to a recycler.
create or replace function account_once() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('account:' || encode(new.fingerprint, 'hex'), 0));
  if tg_table_name <> 'recycle_request' and exists (select from recycle_request r where r.fingerprint = new.fingerprint
      and r.status in ('bidding', 'quoted', 'accepted', 'reconfirm')) then
    raise exception 'the account is being recycled' using errcode = 'YS215';
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
      raise exception 'the account is under a claim' using errcode = 'YS411';
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
drop trigger recycle_account_inserted on recycle_request;
drop function recycle_account_guard();
create trigger recycle_account_once before insert on recycle_request for each row when (new.fingerprint is not null) execute function account_once();
