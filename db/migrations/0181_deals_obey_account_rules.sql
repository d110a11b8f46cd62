-- A private deal obeys the rules of a listing (design sections 4 and 8; docs/decisions/181): it names what is sold, an account's
-- fingerprint stands in one live listing or deal at a time, and a new seller's limits count deals as well.
alter table middleman_deal
  add column type_id smallint not null default 0,   -- goods type; 0 for what is none of the game's
  add column server_id integer references game_server;
create index middleman_deal_account on middleman_deal (fingerprint) where fingerprint is not null and status in ('waiting', 'ordered');
create index middleman_deal_seller on middleman_deal ((case when opener_belong = 0 then opener_id else partner_id end))
  where status in ('waiting', 'ordered');

-- Whether a deal still holds its account: it waits for its answer, or its order runs.
create function deal_is_live(m middleman_deal) returns boolean language sql stable as $$
  select (m.status = 'waiting' and m.expires_at > now())
    or (m.status = 'ordered' and exists (select from orders o where o.id = m.order_id and o.status in (0, 1, 2)))
$$;

-- One live listing or deal for each account, whatever way it comes. The lock makes two who come at once take turns.
create function account_once() returns trigger language plpgsql as $$
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
  elsif exists (select from guarantee_cover c where c.fingerprint = new.fingerprint and c.status = 'claimed') then
    raise exception 'a claim on the account is open' using errcode = 'YS216';
  end if;
  return new;
end $$;
create trigger goods_account_once before insert or update of fingerprint, status on goods for each row
  when (new.fingerprint is not null and new.status in (1, 2)) execute function account_once();
create trigger deal_account_once before insert or update of fingerprint on middleman_deal for each row
  when (new.fingerprint is not null) execute function account_once();

-- What a seller offers at the moment: listings and live deals, each counting against a new seller's limit.
create function seller_offers(p_user bigint) returns integer language sql stable as $$
  select (select count(*) from goods where seller_id = p_user and status in (1, 2, 3, 4, 7))::int
    + (select count(*) from middleman_deal m where (case when m.opener_belong = 0 then m.opener_id else m.partner_id end) = p_user
        and m.status in ('waiting', 'ordered') and deal_is_live(m))::int
$$;

-- Completed sales to people who are not linked to the seller. Whoever has enough different buyers by the nightly count of levels is
-- not counted again; for the others only recent buyers can be many, so 500 are looked at.
create function unrelated_sales(p_user bigint, p_enough integer) returns integer language sql stable as $$
  select case when coalesce((select (s.counted->>'buyers')::int from seller_standing s where s.user_id = p_user), 0) >= p_enough then p_enough
    else u.sold_count - coalesce((
      select sum(b.n)::int from (
        select r.buyer_id, count(*) as n from (select buyer_id from orders where seller_id = p_user and status = 3 order by completed_at desc limit 500) r
        group by r.buyer_id) b
      where cardinality(user_links(b.buyer_id, p_user)) > 0), 0) end
  from app_user u where u.id = p_user
$$;
