-- Quick coin in trade: what its orders may take, and the figures behind its ratio.

-- Times of the order types that begin without a listing (domain.md 2: coins 2 h to ship, 24 h to accept). A shop's own promise goes
-- before the first.
insert into setting (key, version, value)
  select key, version + 1, value
    || jsonb_build_object('shipSeconds', value->'shipSeconds' || '{"51": 86400, "52": 7200, "53": 7200}')
    || jsonb_build_object('confirmSeconds', value->'confirmSeconds' || '{"51": 259200, "52": 86400, "53": 86400}')
  from setting where key = 'order' order by version desc limit 1;

-- A shipped order counts as delivered in full: partly delivered orders are settled by agreement or in a dispute.
create or replace function quick_coin_follows_order() returns trigger language plpgsql as $$
declare
  d quick_coin_order;
begin
  if old.status in (0, 1) and new.status in (6, 7, 8, 9) then
    update quick_coin_order set stock_returned = true where order_id = new.id and not stock_returned returning * into d;
    if found then update quick_coin_offer set stock = stock + d.lots, updated_at = now() where id = d.offer_id; end if;
  elsif new.status = 2 then
    update quick_coin_order set delivered_units = coin_units, delivered_at = now() where order_id = new.id;
  elsif new.status = 3 then
    update quick_coin_offer c set sold_lots = c.sold_lots + q.lots from quick_coin_order q where q.order_id = new.id and c.id = q.offer_id;
    update provider p set done_count = p.done_count + 1,
        on_time_count = p.on_time_count + case when new.shipped_at <= new.ship_by then 1 else 0 end
      from quick_coin_order q join quick_coin_offer c on c.id = q.offer_id where q.order_id = new.id and p.id = c.provider_id;
  end if;
  return null;
end $$;

-- Other ways through the shelf than the cheapest unit.
create index quick_coin_stock on quick_coin_offer (game_id, stock desc, id desc) where status = 1 and stock > 0;
create index quick_coin_sold on quick_coin_offer (game_id, sold_lots desc, id desc) where status = 1 and stock > 0;

-- Both run for ever: the ratio of the day is made anew every half hour, shops that stay away leave the shelf.
insert into timer (kind, ref, due_at) values ('quickCoin.ratio', 'all', now()), ('quickCoin.away', 'all', now());
