-- What an order's steps, cancels and unpaid ends are held to (design sections 2 and 8; docs/decisions/120 to 122).

alter table orders
  -- Since when the auto-confirm clock stands still because a required step of the seller or of staff is open.
  add column confirm_stopped_at timestamptz,
  -- When something was first handed over in the game; from then on a cancel needs the seller's word or a ruling.
  add column delivered_at timestamptz,
  -- The buyer placed it. Orders that others open in the buyer's name count towards none of the buyer's limits.
  add column self_placed boolean not null default true,
  -- When an order that its buyer had placed ended without being paid.
  add column unpaid_end_at timestamptz;
create index orders_unpaid_ends on orders (buyer_id, unpaid_end_at) where unpaid_end_at is not null;
create index orders_clock_stopped on orders (confirm_stopped_at) where confirm_stopped_at is not null and status = 2;

-- Somebody else has seen the credentials: the seller says that the password was changed before it is on sale again.
alter table goods add column password_due_at timestamptz;

-- Why somebody took a step that is another's.
alter table order_handover add column note text;

insert into setting (key, version, value)
  select key, version + 1, value || '{"maxUnpaid": 3, "unpaidPauseSeconds": [60, 300, 900, 3600, 14400], "stepsDoneSeconds": 86400}'
  from setting where key = 'order' order by version desc limit 1;

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('order.steps', '必做步骤未完成', 'order', '{site,wechat,sms}', true, true, 32),
  ('goods.password', '请修改密码后重新上架', 'goods', '{site,wechat,sms}', true, true, 215);
insert into notice_template (kind, channel, version, title, body, link) values
  ('order.steps', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('goods.password', 'site', 1, '请先修改密码，再重新上架', '「{goods}」的订单已取消，账号密码被查看过，商品已下架。请先在游戏里修改密码，再到我的商品勾选“已修改密码”重新上架。', '/center/sellOutGoods');

-- Whether an order's required steps let it go on: shipping needs those before it, completing those of the seller and of staff. An order whose
-- steps are not written down yet has none done.
create function order_steps_done(p_order bigint, p_to smallint) returns boolean language sql stable as $$
  select exists (select from orders where id = p_order and handover_version is not null)
    and not exists (select from order_handover h where h.order_id = p_order and h.required and h.done_at is null
      and case when p_to = 2 then h.before_ship else h.actor <> 'buyer' end)
$$;

-- Until when a buyer waits before the next order: each unpaid end of the last day makes the wait longer. p_pauses: seconds after the first,
-- the second and so on; the last one counts for all that follow. Null when there was none.
create function unpaid_pause_until(p_buyer bigint, p_pauses jsonb) returns timestamptz language sql stable as $$
  select e.last + make_interval(secs => (p_pauses->>(least(e.n, jsonb_array_length(p_pauses))::int - 1))::int)
  from (select count(*) as n, max(unpaid_end_at) as last from orders
    where buyer_id = p_buyer and unpaid_end_at > now() - interval '1 day') e where e.n > 0
$$;

create or replace function order_place(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
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
    update goods set
        stock = case when type_id in (1, 8, 50) then stock else stock - v_num end,
        status = case when type_id in (1, 8, 50) or stock = v_num then 4 else 2 end,
        updated_at = now()
      where id = v_goods and status = 2 and version = (p->>'goodsVersion')::int and stock >= v_num
      returning status into v_status;
    if v_status is null then perform goods_take(v_goods, (p->>'goodsVersion')::int, v_num); end if;
    if v_status = 4 then
      if v_self then
        select max(unpaid_end_at) + interval '1 day' into v_until from orders
          where buyer_id = v_buyer and goods_id = v_goods and unpaid_end_at > now() - interval '1 day';
        if v_until is not null then
          raise exception 'locked by the same buyer before' using errcode = 'YS213', detail = extract(epoch from v_until)::text;
        end if;
      end if;
      delete from goods_search where goods_id = v_goods;
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
  if r->>'coupon_id' is not null then
    update coupon set order_id = v_id, used_at = now()
      where id = (r->>'coupon_id')::bigint and user_id = v_buyer and order_id is null and expires_at > now();
    if not found then raise exception 'coupon gone' using errcode = 'YS204'; end if;
  end if;
  if r->>'bargain_id' is not null then
    update bargain set status = 7, order_id = v_id, updated_at = now()
      where id = (r->>'bargain_id')::bigint and buyer_id = v_buyer and goods_id = v_goods and status in (1, 3) and expires_at > now();
    if not found then raise exception 'bargain gone' using errcode = 'YS205'; end if;
  end if;
  insert into order_process (order_id, order_status, explain, actor) values (v_id, 0, p->>'explain', p->>'actor');
  insert into timer (kind, ref, due_at) values ('order.expire', v_id::text, now() + make_interval(secs => (p->>'expireSeconds')::int));
  insert into outbox (topic, payload) values ('order.placed', jsonb_build_object('orderId', v_id));
  return v_facts;
end $function$;

create or replace function order_step(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
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
  v_hold bigint;
  v_room bigint;
  v_fen bigint;
  v_seq smallint := 0;
  v_part jsonb;
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
      update goods set status = 3, password_due_at = now() where id = o.goods_id and status = 2 and type_id in (1, 8, 50);
      if found then
        insert into outbox (topic, payload) values ('goods.passwordDue', jsonb_build_object('goodsId', o.goods_id, 'orderId', v_id));
      end if;
    end if;
  end if;
  if p->>'coupon' = 'return' and o.coupon_id is not null then update coupon set order_id = null, used_at = null where id = o.coupon_id; end if;
  if p->>'complete' = 'true' then
    update app_user set sold_count = sold_count + 1 where id = o.seller_id;
    update app_user set paid_total_fen = paid_total_fen + o.total_fen where id = o.buyer_id;
  end if;
  if jsonb_array_length(p->'transfers') > 0 then
    if not ledger_post(p->'transfers') then raise exception 'step % posted before', v_to using errcode = 'YS102'; end if;
  end if;
  if p ? 'holds' then
    insert into hold (user_id, amount_fen, code, reason, ref, release_at)
      select h."userId", h.fen, h.code, h.reason, v_ref, now() + make_interval(secs => h.seconds)
      from jsonb_to_recordset(p->'holds') as h("userId" bigint, fen bigint, code text, reason text, seconds int) returning id into v_hold;
    if jsonb_array_length(p->'stages'->'parts') > 0 then
      -- The seller's row is locked by the count of sales above, so that two completions at once share one room.
      v_room := (p->'stages'->>'roomFen')::bigint - coalesce((
        select sum(s.amount_fen) from hold x join hold_stage s on s.hold_id = x.id where x.user_id = o.seller_id and x.released_at is null), 0);
      for v_part in select * from jsonb_array_elements(p->'stages'->'parts') loop
        v_fen := least((v_part->>'fen')::bigint, v_room);
        exit when v_fen <= 0;
        v_seq := v_seq + 1;
        v_room := v_room - v_fen;
        insert into hold_stage (hold_id, seq, amount_fen, before_end) values (v_hold, v_seq, v_fen, (v_part->>'beforeEnd')::int);
      end loop;
    end if;
  end if;
  insert into order_process (order_id, order_status, explain, actor) values (v_id, v_to, p->>'explain', p->>'actor');
  if v_clear <> '{}' then delete from timer where ref = v_ref and kind = any (v_clear); end if;
  for i in 0 .. coalesce(jsonb_array_length(v_set), 0) - 1 loop
    insert into timer (kind, ref, due_at) values (v_set->i->>'kind', v_ref, now() + make_interval(secs => (v_set->i->>'seconds')::int))
      on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0;
  end loop;
  for i in 0 .. coalesce(jsonb_array_length(v_events), 0) - 1 loop
    insert into outbox (topic, payload) values (v_events->>i, jsonb_build_object('orderId', v_id));
  end loop;
  return v_facts;
end $function$;
