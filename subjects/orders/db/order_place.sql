-- Creates an order: limits, stock, coupon, bargain, timers and events, in one call. Called by orders/server/placing/placing.ts.
CREATE OR REPLACE FUNCTION public.order_place(p jsonb)
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
    -- Concurrent orders of one buyer are placed one after the other, so that the counts below are right for each.
    perform pg_advisory_xact_lock(hashtextextended('order_place', v_buyer));
    select count(*) into v_unpaid from (select from orders where buyer_id = v_buyer and status = 0 and self_placed limit v_max) x;
    if v_unpaid >= v_max then
      raise exception 'buyer has too many unpaid orders' using errcode = 'YS203';
    end if;
    v_until := unpaid_pause_until(v_buyer, p->'pauseSeconds');
    if v_until > now() then
      raise exception 'buyer is paused after unpaid orders' using errcode = 'YS212', detail = extract(epoch from v_until)::text;
    end if;
  end if;
  -- Services, quick coin, recycling and private deals are orders without goods; their own slice takes what they need in the same transaction.
  if v_goods is not null then
    v_status := goods_reserve(v_goods, (p->>'goodsVersion')::int, v_num);
    if v_status = 4 and v_self then
      select max(unpaid_end_at) + interval '1 day' into v_until from orders
        where buyer_id = v_buyer and goods_id = v_goods and unpaid_end_at > now() - interval '1 day';
      if v_until is not null then
        raise exception 'listing was already reserved by this buyer' using errcode = 'YS213', detail = extract(epoch from v_until)::text;
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
    raise exception 'coupon is no longer usable' using errcode = 'YS204';
  end if;
  if r->>'bargain_id' is not null and not bargain_use((r->>'bargain_id')::bigint, v_buyer, v_goods, v_id) then
    raise exception 'bargain is no longer valid' using errcode = 'YS205';
  end if;
  insert into order_process (order_id, order_status, explain, actor) values (v_id, 0, p->>'explain', p->>'actor');
  perform effect_schedule('order.expire', v_id::text, now() + make_interval(secs => (p->>'expireSeconds')::int));
  perform effect_emit('order.placed', jsonb_build_object('orderId', v_id));
  return v_facts;
end $function$;
