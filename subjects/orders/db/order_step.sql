-- Applies a transition to an order, with its timers, events, postings and holds, in one call. Called by
-- orders/server/apply-transition.ts.
CREATE OR REPLACE FUNCTION public.order_step(p jsonb)
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
  v_late boolean := p->'only'->>'late' is not null;
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
    -- A hand-over step is changed under a lock of the order's row, so what is read under this lock is still true when the status changes.
    perform from orders where id = v_id and status = any (v_from) for update;
    if not found then raise exception 'order status was changed by another transaction' using errcode = 'YS208'; end if;
    if not order_steps_done(v_id, v_to) then raise exception 'required handover steps are not done' using errcode = 'YS214'; end if;
    -- When the deadline was moved after its timer became due, the order is not confirmed before the new deadline.
    if p->'only'->>'due' is not null
        and not exists (select from timer where kind = 'order.autoConfirm' and ref = v_ref and (attempts > 0 or due_at <= now())) then
      raise exception 'order deadline was changed by another transaction' using errcode = 'YS208';
    end if;
    if p ? 'receiptStep' then
      update order_handover set done_by = p->>'actor', done_at = now() where order_id = v_id and step = (p->>'receiptStep')::int and done_at is null;
    end if;
    -- Who confirms the receipt does without the optional steps that are open.
    if v_to = 3 and p->>'actor' like 'user:%' then
      update order_handover set skipped = true, done_by = p->>'actor', done_at = now() where order_id = v_id and not required and done_at is null;
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
      and (not v_late or (late_end_at <= now() and late_warned_at is not null and order_ends_when_late(id)))
    returning goods_id, goods_num, coupon_id, seller_id, buyer_id, total_fen, credential_opened_at into o;
  if not found then raise exception 'order status was changed by another transaction' using errcode = 'YS208'; end if;
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
    if not ledger_post(p->'transfers') then raise exception 'the transfers of the transition to % were already posted', v_to using errcode = 'YS102'; end if;
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
end $function$;
