-- A step of an order is a plan made by orders/rules.ts and carried out here in one statement: claim of the idempotency key,
-- guarded status update, goods, postings, process entry, events and timers commit together or not at all. One round trip for
-- a hot step (facts/performance: round trips cost more than work).

-- Claims an asker's key. Returns the stored facts of an earlier run, or null when this run is the first.
-- Error YS206: the same key came with another request.
create function idempotency_claim(p jsonb) returns jsonb language plpgsql as $$
declare
  v idempotency;
begin
  insert into idempotency (scope, endpoint, key, request_hash) values (p->>'scope', p->>'endpoint', p->>'key', p->>'hash')
    on conflict do nothing;
  if found then return null; end if;
  select * into v from idempotency where scope = p->>'scope' and endpoint = p->>'endpoint' and key = p->>'key';
  if v.request_hash is distinct from p->>'hash' then raise exception 'idempotency mismatch' using errcode = 'YS206'; end if;
  return v.facts;
end $$;

-- Takes a piece of goods for an order. Errors: YS201 not on sale, YS202 changed since it was shown, YS207 stock too low.
create function goods_take(p_goods bigint, p_version int, p_num int) returns void language plpgsql as $$
declare
  g goods;
begin
  update goods set
      stock = case when type_id in (1, 8, 50) then stock else stock - p_num end,
      status = case when type_id in (1, 8, 50) or stock = p_num then 4 else 2 end,
      updated_at = now()
    where id = p_goods and status = 2 and version = p_version and stock >= p_num
    returning * into g;
  if not found then
    select * into g from goods where id = p_goods;
    if g.status is distinct from 2 then raise exception 'not on sale' using errcode = 'YS201'; end if;
    if g.version <> p_version then raise exception 'goods changed' using errcode = 'YS202'; end if;
    raise exception 'stock too low' using errcode = 'YS207';
  end if;
  if g.status = 4 then delete from goods_search where goods_id = p_goods; end if;
end $$;

-- Gives a piece back after a cancel, or marks it sold. The search row returns by the event goods.reindex.
create function goods_settle(p_goods bigint, p_num int, p_sold boolean) returns void language plpgsql as $$
begin
  if p_sold then
    update goods set status = 5, updated_at = now() where id = p_goods and status = 4 and (type_id in (1, 8, 50) or stock = 0);
  else
    update goods set
        stock = case when type_id in (1, 8, 50) then stock else stock + p_num end,
        status = case when status in (4, 5) then 2 else status end,
        updated_at = now()
      where id = p_goods;
    insert into outbox (topic, payload) values ('goods.reindex', jsonb_build_object('goodsId', p_goods));
  end if;
end $$;

-- Places an order from a plan {idem?, goodsVersion, maxUnpaid, expireSeconds, explain, actor, order:{…columns}}.
-- Errors: YS201, YS202, YS203 too many unpaid, YS204 coupon gone, YS205 bargain gone, YS206, YS207.
create function order_place(p jsonb) returns jsonb language plpgsql as $$
declare
  v_facts jsonb;
  r orders;
  o orders;
begin
  if p ? 'idem' then
    v_facts := idempotency_claim(p->'idem');
    if v_facts is not null then return v_facts || '{"replay": true}'; end if;
  end if;
  r := jsonb_populate_record(null::orders, p->'order');
  if (select count(*) from (select from orders where buyer_id = r.buyer_id and status = 0 limit (p->>'maxUnpaid')::int) x) >= (p->>'maxUnpaid')::int then
    raise exception 'too many unpaid' using errcode = 'YS203';
  end if;
  -- Services, quick coin, recycling and private deals are orders without goods; their own slice takes what they need in the same transaction.
  if r.goods_id is not null then perform goods_take(r.goods_id, (p->>'goodsVersion')::int, r.goods_num); end if;
  insert into orders (sn, dist_id, type_id, goods_id, goods_sn, game_id, buyer_id, seller_id, goods_num, unit_price_fen, goods_fen, service_fee_fen,
      ensure_fen, fix_ensure_fen, discount_fen, total_fen, commission_fen, dist_share_fen, invite_reward_fen, inviter_id, ensure_id, fix_ensure_id,
      coupon_id, bargain_id, fees, snapshot)
    values (r.sn, r.dist_id, r.type_id, r.goods_id, r.goods_sn, r.game_id, r.buyer_id, r.seller_id, r.goods_num, r.unit_price_fen, r.goods_fen, r.service_fee_fen,
      r.ensure_fen, r.fix_ensure_fen, r.discount_fen, r.total_fen, r.commission_fen, r.dist_share_fen, r.invite_reward_fen, r.inviter_id, r.ensure_id, r.fix_ensure_id,
      r.coupon_id, r.bargain_id, r.fees, r.snapshot)
    returning * into o;
  if r.coupon_id is not null then
    update coupon set order_id = o.id, used_at = now() where id = r.coupon_id and user_id = r.buyer_id and order_id is null and expires_at > now();
    if not found then raise exception 'coupon gone' using errcode = 'YS204'; end if;
  end if;
  if r.bargain_id is not null then
    update bargain set status = 7, order_id = o.id, updated_at = now()
      where id = r.bargain_id and buyer_id = r.buyer_id and goods_id = r.goods_id and status in (1, 3) and expires_at > now();
    if not found then raise exception 'bargain gone' using errcode = 'YS205'; end if;
  end if;
  insert into order_process (order_id, order_status, explain, actor) values (o.id, 0, p->>'explain', p->>'actor');
  insert into timer (kind, ref, due_at) values ('order.expire', o.id::text, now() + make_interval(secs => (p->>'expireSeconds')::int));
  insert into outbox (topic, payload) values ('order.placed', jsonb_build_object('orderId', o.id));
  v_facts := jsonb_build_object('orderId', o.id, 'orderSn', o.sn, 'status', o.status, 'totalFen', o.total_fen, 'createTime', o.created_at);
  if p ? 'idem' then
    update idempotency set facts = v_facts where scope = p->'idem'->>'scope' and endpoint = p->'idem'->>'endpoint' and key = p->'idem'->>'key';
  end if;
  return v_facts;
end $$;

-- Takes one step from a plan
-- {idem?, orderId, from:[…], to, explain, actor, transfers:[…], holds:[{userId, fen, code, reason, seconds}], stamp: 'paid'|'shipped'|'completed'|null,
--  shipSeconds?, confirmSeconds?, goods: 'free'|'sold'|null, coupon: 'return'|null, only: {untouched?, undisputed?, late?, staffId?},
--  timers: {set: [{kind, seconds}], clear: [kind]}, events: [topic], complete: boolean}.
-- Errors: YS208 the order is no longer where the plan expects it, YS206, and those of ledger_post.
create function order_step(p jsonb) returns jsonb language plpgsql as $$
declare
  v_facts jsonb;
  o orders;
begin
  if p ? 'idem' then
    v_facts := idempotency_claim(p->'idem');
    if v_facts is not null then return v_facts || '{"replay": true}'; end if;
  end if;
  update orders set
      status = (p->>'to')::smallint,
      paid_at = case when p->>'stamp' = 'paid' then now() else paid_at end,
      shipped_at = case when p->>'stamp' = 'shipped' then now() else shipped_at end,
      completed_at = case when p->>'stamp' = 'completed' then now() else completed_at end,
      ship_by = case when p ? 'shipSeconds' then now() + make_interval(secs => (p->>'shipSeconds')::int) else ship_by end,
      auto_confirm_at = case when p ? 'confirmSeconds' then now() + make_interval(secs => (p->>'confirmSeconds')::int) else auto_confirm_at end
    where id = (p->>'orderId')::bigint
      and status = any (select jsonb_array_elements_text(p->'from')::smallint)
      and (p->'only'->>'untouched' is null or touched_at is null or ship_by < now())
      and (p->'only'->>'undisputed' is null or not disputed)
    returning * into o;
  if not found then raise exception 'order moved on' using errcode = 'YS208'; end if;
  if p->>'goods' is not null and o.goods_id is not null then perform goods_settle(o.goods_id, o.goods_num, p->>'goods' = 'sold'); end if;
  if p->>'coupon' = 'return' and o.coupon_id is not null then update coupon set order_id = null, used_at = null where id = o.coupon_id; end if;
  if p->>'complete' = 'true' then
    update app_user set sold_count = sold_count + 1 where id = o.seller_id;
    update app_user set paid_total_fen = paid_total_fen + o.total_fen where id = o.buyer_id;
  end if;
  if jsonb_array_length(p->'transfers') > 0 then
    if not ledger_post(p->'transfers') then raise exception 'step % posted before', p->>'to' using errcode = 'YS102'; end if;
  end if;
  insert into hold (user_id, amount_fen, code, reason, ref, release_at)
    select h."userId", h.fen, h.code, h.reason, o.id::text, now() + make_interval(secs => h.seconds)
    from jsonb_to_recordset(coalesce(p->'holds', '[]')) as h("userId" bigint, fen bigint, code text, reason text, seconds int);
  insert into order_process (order_id, order_status, explain, actor) values (o.id, o.status, p->>'explain', p->>'actor');
  delete from timer where ref = o.id::text and kind = any (select jsonb_array_elements_text(p->'timers'->'clear'));
  insert into timer (kind, ref, due_at)
    select t.kind, o.id::text, now() + make_interval(secs => t.seconds) from jsonb_to_recordset(p->'timers'->'set') as t(kind text, seconds int)
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0;
  insert into outbox (topic, payload) select e, jsonb_build_object('orderId', o.id) from jsonb_array_elements_text(p->'events') e;
  v_facts := jsonb_build_object('orderId', o.id, 'orderSn', o.sn, 'status', o.status);
  if p ? 'idem' then
    update idempotency set facts = v_facts where scope = p->'idem'->>'scope' and endpoint = p->'idem'->>'endpoint' and key = p->'idem'->>'key';
  end if;
  return v_facts;
end $$;
