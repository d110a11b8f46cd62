-- Each table is written by its owner's functions: a function of another slice calls them, within the same statement of the server. Nothing that
-- they do changes.

-- jobs: the door of effects for functions of the database (server/jobs/door.ts is the server's).
create function effect_emit(p_topic text, p_payload jsonb) returns void language plpgsql as $$
begin
  insert into outbox (topic, payload) values (p_topic, p_payload);
end $$;
create function effect_schedule(p_kind text, p_ref text, p_due timestamptz) returns void language plpgsql as $$
begin
  insert into timer (kind, ref, due_at) values (p_kind, p_ref, p_due)
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0;
end $$;
create function effect_cancel(p_kinds text[], p_ref text) returns void language plpgsql as $$
begin
  delete from timer where ref = p_ref and kind = any (p_kinds);
end $$;

-- goods: takes units of a listing on sale, as the buyer saw it. Returns its state, 4 when nothing is left; raises YS201, YS202, YS207.
create function goods_reserve(p_goods bigint, p_version int, p_num int) returns smallint language plpgsql as $$
declare
  v_status smallint;
  g goods;
begin
  update goods set
      stock = case when type_id in (1, 8, 50) then stock else stock - p_num end,
      status = case when type_id in (1, 8, 50) or stock = p_num then 4 else 2 end,
      updated_at = now()
    where id = p_goods and status = 2 and version = p_version and stock >= p_num
    returning status into v_status;
  if v_status is null then
    select * into g from goods where id = p_goods;
    if g.status is distinct from 2 then raise exception 'not on sale' using errcode = 'YS201'; end if;
    if g.version <> p_version then raise exception 'goods changed' using errcode = 'YS202'; end if;
    raise exception 'stock too low' using errcode = 'YS207';
  end if;
  if v_status = 4 then delete from goods_search where goods_id = p_goods; end if;
  return v_status;
end $$;
create or replace function goods_take(p_goods bigint, p_version int, p_num int) returns void language plpgsql as $$
begin
  perform goods_reserve(p_goods, p_version, p_num);
end $$;
-- An account whose credentials were opened goes off sale until its seller has changed the password; returns whether it was on sale.
create function goods_password_due(p_goods bigint) returns boolean language plpgsql as $$
begin
  update goods set status = 3, password_due_at = now() where id = p_goods and status = 2 and type_id in (1, 8, 50);
  return found;
end $$;

-- offers: an agreed price is used once, by its buyer, in time; returns whether it could be.
create function bargain_use(p_bargain bigint, p_buyer bigint, p_goods bigint, p_order bigint) returns boolean language plpgsql as $$
begin
  update bargain set status = 7, order_id = p_order, updated_at = now()
    where id = p_bargain and buyer_id = p_buyer and goods_id = p_goods and status in (1, 3) and expires_at > now();
  return found;
end $$;

-- promotions: a coupon is used once, by its owner, in time; returns whether it could be. It comes back with an order that came to nothing.
create function coupon_use(p_coupon bigint, p_user bigint, p_order bigint) returns boolean language plpgsql as $$
begin
  update coupon set order_id = p_order, used_at = now()
    where id = p_coupon and user_id = p_user and order_id is null and expires_at > now();
  return found;
end $$;
create function coupon_return(p_coupon bigint) returns void language plpgsql as $$
begin
  update coupon set order_id = null, used_at = null where id = p_coupon;
end $$;

-- accounts: what a completed order adds to its parties' records. Locks both rows, the seller's first.
create function user_trade_done(p_seller bigint, p_buyer bigint, p_fen bigint) returns void language plpgsql as $$
begin
  update app_user set sold_count = sold_count + 1 where id = p_seller;
  update app_user set paid_total_fen = paid_total_fen + p_fen where id = p_buyer;
end $$;
create function user_serves(p_user bigint, p_shop boolean, p_booster boolean, p_companion boolean) returns void language plpgsql as $$
begin
  update app_user set is_quick_shop = p_shop, is_booster = p_booster, is_accompanyer = p_companion where id = p_user;
end $$;

-- ledger: the holds of a sale, and the stages of the first of them within the room that its seller has left (all in fen).
create function sale_hold(p_ref text, p_seller bigint, p_holds jsonb, p_stages jsonb) returns void language plpgsql as $$
declare
  v_hold bigint;
  v_room bigint;
  v_fen bigint;
  v_seq smallint := 0;
  v_part jsonb;
begin
  insert into hold (user_id, amount_fen, code, reason, ref, release_at)
    select h."userId", h.fen, h.code, h.reason, p_ref, now() + make_interval(secs => h.seconds)
    from jsonb_to_recordset(p_holds) as h("userId" bigint, fen bigint, code text, reason text, seconds int) returning id into v_hold;
  if jsonb_array_length(p_stages->'parts') > 0 then
    -- The seller's row is locked by the count of sales before, so that two completions at once share one room.
    v_room := (p_stages->>'roomFen')::bigint - coalesce((
      select sum(s.amount_fen) from hold x join hold_stage s on s.hold_id = x.id where x.user_id = p_seller and x.released_at is null), 0);
    for v_part in select * from jsonb_array_elements(p_stages->'parts') loop
      v_fen := least((v_part->>'fen')::bigint, v_room);
      exit when v_fen <= 0;
      v_seq := v_seq + 1;
      v_room := v_room - v_fen;
      insert into hold_stage (hold_id, seq, amount_fen, before_end) values (v_hold, v_seq, v_fen, (v_part->>'beforeEnd')::int);
    end loop;
  end if;
end $$;

-- orders: marks an order while a dispute of it is open.
create function order_disputed(p_order bigint, p_open boolean) returns void language plpgsql as $$
begin
  update orders set disputed = p_open where id = p_order and disputed is distinct from p_open;
end $$;

-- providers: one order more that a provider has done.
create function provider_done(p_provider bigint, p_on_time boolean) returns void language plpgsql as $$
begin
  update provider set done_count = done_count + 1, on_time_count = on_time_count + case when p_on_time then 1 else 0 end
    where id = p_provider;
end $$;

-- access: adds to budgets and returns the keys that went over p_max within p_seconds.
create function limit_over(p_keys text[], p_hits int[], p_max int, p_seconds int) returns text[] language plpgsql as $$
declare
  v_over text[];
begin
  if cardinality(p_keys) = 1 then
    insert into limit_counter as c (key, hits, reset_at) values (p_keys[1], p_hits[1], now() + make_interval(secs => p_seconds))
      on conflict (key) do update set
        hits = case when c.reset_at <= now() then excluded.hits else c.hits + excluded.hits end,
        reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
      returning case when c.hits > p_max then array[c.key] end into v_over;
    return v_over;
  end if;
  -- In the order of the keys, so that two batches never wait for each other.
  with hit as (insert into limit_counter as c (key, hits, reset_at)
    select a.key, a.hits, now() + make_interval(secs => p_seconds) from unnest(p_keys, p_hits) as a(key, hits) order by a.key
    on conflict (key) do update set
      hits = case when c.reset_at <= now() then excluded.hits else c.hits + excluded.hits end,
      reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
    returning c.key, c.hits)
  select array_agg(h.key) into v_over from hit h where h.hits > p_max;
  return v_over;
end $$;

-- What each slice forgets of a person that is erased.
create function real_name_erase(p_user bigint) returns void language plpgsql as $$
begin
  delete from real_name where user_id = p_user;
  delete from payout_account where user_id = p_user;
end $$;
create function role_card_erase(p_user bigint) returns void language plpgsql as $$
begin
  delete from role_card where user_id = p_user;
end $$;
create function push_subscription_erase(p_user bigint) returns void language plpgsql as $$
begin
  delete from push_subscription where user_id = p_user;
end $$;

-- The functions of slices, which now call the owners.
create or replace function goods_settle(p_goods bigint, p_num integer, p_sold boolean)
  returns void
 language plpgsql
as $$
begin
  if p_sold then
    update goods set status = 5, updated_at = now() where id = p_goods and status = 4 and (type_id in (1, 8, 50) or stock = 0);
  else
    update goods set
        stock = case when type_id in (1, 8, 50) then stock else stock + p_num end,
        status = case when status in (4, 5) then 2 else status end,
        updated_at = now()
      where id = p_goods;
    perform effect_emit('goods.reindex', jsonb_build_object('goodsId', p_goods));
  end if;
end $$;
create or replace function debt_collect(p_accounts text[])
  returns bigint
 language plpgsql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
declare
  v_todo text[] := p_accounts;
  v_done text[] := '{}';
  v_key text;
  v_balance bigint;
  v_take bigint;
  v_sum bigint := 0;
  v_reason text;
  d debt;
begin
  while cardinality(v_todo) > 0 and cardinality(v_done) < 20 loop
    v_key := v_todo[1];
    v_todo := v_todo[2:];
    continue when v_key = any (v_done);
    v_done := v_done || v_key;
    continue when not exists (select from debt where debtor = v_key and settled_at is null);
    -- The account's lock comes before its debts', as in debt_record.
    select balance into v_balance from ledger_account where key = v_key for update;
    for d in select * from debt where debtor = v_key and settled_at is null order by id for update loop
      exit when coalesce(v_balance, 0) <= 0;
      v_take := least(v_balance, d.amount_fen - d.paid_fen);
      update debt set paid_fen = paid_fen + v_take, parts = parts + 1,
        settled_at = case when paid_fen + v_take = amount_fen then now() end where id = d.id;
      perform ledger_move(jsonb_build_array(jsonb_build_object('code', 'debt_collected', 'ref', 'debt:' || d.id || ':' || d.parts + 1,
        'debit', v_key, 'credit', d.creditor, 'fen', v_take, 'dist', d.dist_id) || case when d.order_id is null then '{}' else jsonb_build_object('order', d.order_id) end));
      v_balance := v_balance - v_take;
      v_sum := v_sum + v_take;
      perform effect_emit('debt.collected', jsonb_build_object('debtId', d.id, 'part', d.parts + 1, 'fen', v_take));
      if d.creditor like 'user:%' then v_todo := v_todo || d.creditor; end if;
    end loop;
  end loop;
  return v_sum;
end $$;
create or replace function debt_record(p jsonb)
  returns debt
 language plpgsql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
declare
  v_debtor text := case when p->>'debtorDist' is null then 'user:' || (p->>'debtorUser') || ':available' else 'dist:' || (p->>'debtorDist') || ':commission' end;
  d debt;
begin
  insert into ledger_account (key, may_overdraw) values (v_debtor, false) on conflict do nothing;
  perform 1 from ledger_account where key = v_debtor for update;
  insert into debt (debtor_user, debtor_dist, creditor, amount_fen, code, reason, ref, order_id, dist_id)
    values ((p->>'debtorUser')::bigint, (p->>'debtorDist')::int, p->>'creditor', (p->>'fen')::bigint, p->>'code', p->>'reason', p->>'ref',
      (p->>'order')::bigint, (p->>'dist')::int)
    on conflict (ref) do nothing returning * into d;
  if d.id is null then
    select * into d from debt where ref = p->>'ref';
    if (d.debtor, d.creditor, d.amount_fen) is distinct from (v_debtor, p->>'creditor', (p->>'fen')::bigint) then
      raise exception 'debt % was written with other contents', p->>'ref' using errcode = 'YS102';
    end if;
    return d;
  end if;
  perform effect_emit('debt.recorded', jsonb_build_object('debtId', d.id));
  perform debt_collect(array[v_debtor]);
  select * into d from debt where id = d.id;
  return d;
end $$;
create or replace function order_place(p jsonb)
  returns jsonb
 language plpgsql
as $$
declare
  r jsonb := p->'order';
  v_id bigint := nextval('orders_id_seq');
  v_earlier jsonb;
  v_facts jsonb := jsonb_build_object('orderId', v_id, 'orderSn', r->>'sn', 'status', 0, 'totalFen', (r->>'total_fen')::bigint, 'createTime', now());
  v_buyer bigint := (r->>'buyer_id')::bigint;
  v_goods bigint := (r->>'goods_id')::bigint;
  v_num int := (r->>'goods_num')::int;
  v_max int := (p->>'maxUnpaid')::int;
  v_unpaid int;
  v_status smallint;
  v_self boolean := p->>'actor' = 'user:' || (r->>'buyer_id');
  v_until timestamptz;
begin
  if p ? 'idem' then
    v_earlier := idempotency_keep(p->'idem', v_facts);
    if v_earlier is not null then return v_earlier || '{"replay": true}'; end if;
  end if;
  if v_self then
    -- One buyer's orders are placed one after the other, so that the counts below hold for each of many at once.
    perform pg_advisory_xact_lock(hashtextextended('order_place', v_buyer));
    select count(*) into v_unpaid from (select from orders where buyer_id = v_buyer and status = 0 and self_placed limit v_max) x;
    if v_unpaid >= v_max then
      raise exception 'too many unpaid' using errcode = 'YS203';
    end if;
    v_until := unpaid_pause_until(v_buyer, p->'pauseSeconds');
    if v_until > now() then
      raise exception 'a pause after unpaid orders' using errcode = 'YS212', detail = extract(epoch from v_until)::text;
    end if;
  end if;
  -- Services, quick coin, recycling and private deals are orders without goods; their own slice takes what they need in the same transaction.
  if v_goods is not null then
    v_status := goods_reserve(v_goods, (p->>'goodsVersion')::int, v_num);
    if v_status = 4 and v_self then
      select max(unpaid_end_at) + interval '1 day' into v_until from orders
        where buyer_id = v_buyer and goods_id = v_goods and unpaid_end_at > now() - interval '1 day';
      if v_until is not null then
        raise exception 'locked by the same buyer before' using errcode = 'YS213', detail = extract(epoch from v_until)::text;
      end if;
    end if;
  end if;
  insert into orders (id, sn, dist_id, type_id, goods_id, goods_sn, game_id, buyer_id, seller_id, goods_num, unit_price_fen, goods_fen, service_fee_fen,
      ensure_fen, fix_ensure_fen, discount_fen, total_fen, commission_fen, dist_share_fen, invite_reward_fen, inviter_id, ensure_id, fix_ensure_id,
      coupon_id, bargain_id, fees, snapshot, self_placed)
    overriding system value
    values (v_id, r->>'sn', (r->>'dist_id')::int, (r->>'type_id')::smallint, v_goods, r->>'goods_sn', (r->>'game_id')::int, v_buyer,
      (r->>'seller_id')::bigint, v_num, (r->>'unit_price_fen')::bigint, (r->>'goods_fen')::bigint, (r->>'service_fee_fen')::bigint,
      (r->>'ensure_fen')::bigint, (r->>'fix_ensure_fen')::bigint, (r->>'discount_fen')::bigint, (r->>'total_fen')::bigint,
      (r->>'commission_fen')::bigint, (r->>'dist_share_fen')::bigint, (r->>'invite_reward_fen')::bigint, (r->>'inviter_id')::bigint,
      (r->>'ensure_id')::int, (r->>'fix_ensure_id')::int, (r->>'coupon_id')::bigint, (r->>'bargain_id')::bigint, r->'fees', r->'snapshot', v_self);
  if r->>'coupon_id' is not null and not coupon_use((r->>'coupon_id')::bigint, v_buyer, v_id) then
    raise exception 'coupon gone' using errcode = 'YS204';
  end if;
  if r->>'bargain_id' is not null and not bargain_use((r->>'bargain_id')::bigint, v_buyer, v_goods, v_id) then
    raise exception 'bargain gone' using errcode = 'YS205';
  end if;
  insert into order_process (order_id, order_status, explain, actor) values (v_id, 0, p->>'explain', p->>'actor');
  perform effect_schedule('order.expire', v_id::text, now() + make_interval(secs => (p->>'expireSeconds')::int));
  perform effect_emit('order.placed', jsonb_build_object('orderId', v_id));
  return v_facts;
end $$;
create or replace function order_step(p jsonb)
  returns jsonb
 language plpgsql
as $$
declare
  v_id bigint := (p->>'orderId')::bigint;
  v_ref text := p->>'orderId';
  v_from smallint[] := translate(p->>'from', '[]', '{}')::smallint[];
  v_to smallint := (p->>'to')::smallint;
  v_stamp text := p->>'stamp';
  v_ship int := (p->>'shipSeconds')::int;
  v_confirm int := (p->>'confirmSeconds')::int;
  v_untouched boolean := p->'only'->>'untouched' is not null;
  v_undisputed boolean := p->'only'->>'undisputed' is not null;
  v_clear text[] := translate(p->'timers'->>'clear', '[]"', '{}')::text[];
  v_set jsonb := p->'timers'->'set';
  v_events jsonb := p->'events';
  v_facts jsonb := jsonb_build_object('orderId', v_id, 'orderSn', p->>'sn', 'status', v_to);
  v_earlier jsonb;
  o record;
begin
  if p ? 'idem' then
    v_earlier := idempotency_keep(p->'idem', v_facts);
    if v_earlier is not null then return v_earlier || '{"replay": true}'; end if;
  end if;
  if v_to in (2, 3) then
    -- Whoever changes a step holds the order's row, so that what is read behind this lock is still so when the status changes.
    perform from orders where id = v_id and status = any (v_from) for update;
    if not found then raise exception 'order moved on' using errcode = 'YS208'; end if;
    if not order_steps_done(v_id, v_to) then raise exception 'steps are open' using errcode = 'YS214'; end if;
    -- A clock that was set again after its timer came due lets nothing through before its new time.
    if p->'only'->>'due' is not null
        and not exists (select from timer where kind = 'order.autoConfirm' and ref = v_ref and (attempts > 0 or due_at <= now())) then
      raise exception 'the clock was set again' using errcode = 'YS208';
    end if;
    if p ? 'receiptStep' then
      update order_handover set done_by = p->>'actor', done_at = now() where order_id = v_id and step = (p->>'receiptStep')::int and done_at is null;
    end if;
  end if;
  update orders set
      status = v_to,
      paid_at = case when v_stamp = 'paid' then now() else paid_at end,
      shipped_at = case when v_stamp = 'shipped' then now() else shipped_at end,
      completed_at = case when v_stamp = 'completed' then now() else completed_at end,
      ship_by = case when v_ship is not null then now() + make_interval(secs => v_ship) else ship_by end,
      auto_confirm_at = case when v_confirm is not null then now() + make_interval(secs => v_confirm) else auto_confirm_at end,
      confirm_stopped_at = null,
      unpaid_end_at = case when v_to in (6, 7) and paid_at is null and self_placed then now() else unpaid_end_at end
    where id = v_id and status = any (v_from)
      and (not v_untouched or ((touched_at is null or ship_by < now()) and buyer_opened_at is null and delivered_at is null))
      and (not v_undisputed or not disputed)
    returning goods_id, goods_num, coupon_id, seller_id, buyer_id, total_fen, credential_opened_at into o;
  if not found then raise exception 'order moved on' using errcode = 'YS208'; end if;
  if p->>'goods' is not null and o.goods_id is not null then
    perform goods_settle(o.goods_id, o.goods_num, p->>'goods' = 'sold');
    if p->>'goods' = 'free' and o.credential_opened_at is not null then
      if goods_password_due(o.goods_id) then
        perform effect_emit('goods.passwordDue', jsonb_build_object('goodsId', o.goods_id, 'orderId', v_id));
      end if;
    end if;
  end if;
  if p->>'coupon' = 'return' and o.coupon_id is not null then perform coupon_return(o.coupon_id); end if;
  if p->>'complete' = 'true' then perform user_trade_done(o.seller_id, o.buyer_id, o.total_fen); end if;
  if jsonb_array_length(p->'transfers') > 0 then
    if not ledger_post(p->'transfers') then raise exception 'step % posted before', v_to using errcode = 'YS102'; end if;
  end if;
  if p ? 'holds' then
    perform sale_hold(v_ref, o.seller_id, p->'holds', p->'stages');
  end if;
  insert into order_process (order_id, order_status, explain, actor) values (v_id, v_to, p->>'explain', p->>'actor');
  if v_clear <> '{}' then perform effect_cancel(v_clear, v_ref); end if;
  for i in 0 .. coalesce(jsonb_array_length(v_set), 0) - 1 loop
    perform effect_schedule(v_set->i->>'kind', v_ref, now() + make_interval(secs => (v_set->i->>'seconds')::int));
  end loop;
  for i in 0 .. coalesce(jsonb_array_length(v_events), 0) - 1 loop
    perform effect_emit(v_events->>i, jsonb_build_object('orderId', v_id));
  end loop;
  return v_facts;
end $$;
create or replace function dispute_marks_order() returns trigger language plpgsql as $$
begin
  perform order_disputed(new.order_id, exists (select from dispute d where d.order_id = new.order_id and d.status <> 'closed'));
  return null;
end $$;
create or replace function provider_flags() returns trigger language plpgsql as $$
begin
  perform user_serves(new.user_id,
    exists (select from provider p where p.user_id = new.user_id and p.kind = 'shop' and p.status = 'approved'),
    exists (select from provider p where p.user_id = new.user_id and p.kind = 'booster' and p.status = 'approved'),
    exists (select from provider p where p.user_id = new.user_id and p.kind = 'companion' and p.status = 'approved'));
  return null;
end $$;
create or replace function quick_coin_follows_order()
  returns trigger
 language plpgsql
as $$
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
    perform provider_done(c.provider_id, new.shipped_at <= new.ship_by)
      from quick_coin_order q join quick_coin_offer c on c.id = q.offer_id where q.order_id = new.id;
  end if;
  return null;
end $$;
create or replace function erase_person(p_user bigint)
  returns boolean
 language plpgsql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
begin
  if not exists (select from app_user where id = p_user and status = 3 and erased_at is not null) then return false; end if;
  insert into former_person (user_id, id_hash) select user_id, id_hash from real_name where user_id = p_user on conflict do nothing;
  perform real_name_erase(p_user);
  perform role_card_erase(p_user);
  perform push_subscription_erase(p_user);
  delete from third_party_binding where user_id = p_user;
  return true;
end $$;
create or replace function chat_store(p_messages jsonb, p_max integer, p_seconds integer)
  returns TABLE(n integer, verdict text, seq bigint, uid text, created_at timestamp with time zone, members text[])
 language plpgsql
as $$
#variable_conflict use_column
declare
  m jsonb;
  target bigint;
  who text;
  client text;
  spent text[];
  places int[] := '{0}';
  place int;
begin
  if jsonb_array_length(p_messages) = 1 then
    spent := limit_over(array['chat:' || (p_messages->0->>'sender')], array[1], p_max, p_seconds);
  else
    places := array(select e.ord - 1 from jsonb_array_elements(p_messages) with ordinality e(v, ord) order by (e.v->>'groupId')::bigint, e.ord);
    select limit_over(array_agg('chat:' || a.sender), array_agg(a.hits), p_max, p_seconds) into spent
      from (select e.v->>'sender' as sender, count(*)::int as hits from jsonb_array_elements(p_messages) e(v) group by 1) a;
  end if;

  foreach place in array places loop
    m := p_messages->place;
    target := m->>'groupId';
    who := m->>'sender';
    client := m->>'clientId';
    n := place + 1; seq := null; uid := m->>'uid'; created_at := null; members := null; verdict := null;
    if 'chat:' || who = any(spent) then
      verdict := 'limited';
      return next;
      continue;
    end if;
    update chat_group g set last_seq = g.last_seq + 1
      where g.id = target and g.status = 1 and exists (
        select from chat_member c where c.group_id = g.id and c.member = who and c.left_at is null)
      returning g.last_seq into seq;
    if found then
      insert into chat_message as x (group_id, seq, uid, sender, client_msg_id, type, content)
        values (target, chat_store.seq, chat_store.uid, who, client, m->>'type', m->'content')
        on conflict (group_id, sender, client_msg_id) do nothing returning x.created_at into created_at;
      if found then
        verdict := 'stored';
        update chat_member c set read_seq = chat_store.seq where c.group_id = target and c.member = who
          returning array(select o.member from chat_member o where o.group_id = target and o.left_at is null) into members;
        return next;
        continue;
      end if;
      -- The number goes back: nobody else has seen it, since the group's row is locked.
      update chat_group g set last_seq = g.last_seq - 1 where g.id = target;
    end if;
    select x.seq, x.uid, x.created_at into seq, uid, created_at
      from chat_message x where x.group_id = target and x.sender = who and x.client_msg_id = client;
    verdict := case when found then 'repeated'
      when exists (select from chat_member c where c.group_id = target and c.member = who and c.left_at is null) then 'YS302'
      else 'YS301' end;
    members := array(select c.member from chat_member c where c.group_id = target and c.left_at is null);
    return next;
  end loop;
end $$;
