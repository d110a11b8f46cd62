-- Made from db/functions: account_once, chat_store, ledger_move, order_counted, order_place, order_step, sale_hold.
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
end $function$;

CREATE OR REPLACE FUNCTION public.chat_store(p_messages jsonb, p_max integer, p_seconds integer)
 RETURNS TABLE(n integer, verdict text, seq bigint, uid text, created_at timestamp with time zone, members text[])
 LANGUAGE plpgsql
AS $function$
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
      -- The number is given back: no other message can have it, since the group's row is locked.
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
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_move(p_transfers jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  t jsonb;
  v_debit text;
  v_credit text;
  v_fen bigint;
  v_id bigint;
  v_total int := jsonb_array_length(p_transfers);
  v_new int := 0;
  v_first text;
  v_second text;
  v_delta bigint;
  v_balance1 bigint;
  v_version1 bigint;
  v_balance2 bigint;
  v_version2 bigint;
begin
  if v_total > 1 then
    -- Accounts are locked in key order, so that two postings which share accounts cannot deadlock.
    insert into ledger_account (key, may_overdraw)
      select k, ledger_may_overdraw(k) from (
        select x->>'debit' k from jsonb_array_elements(p_transfers) x union select x->>'credit' from jsonb_array_elements(p_transfers) x) s
      where not exists (select from ledger_account l where l.key = s.k)
      order by k on conflict do nothing;
    perform 1 from ledger_account where key = any (array(
        select x->>'debit' from jsonb_array_elements(p_transfers) x union select x->>'credit' from jsonb_array_elements(p_transfers) x))
      order by key for update;
  end if;
  for i in 0 .. v_total - 1 loop
    t := p_transfers->i;
    v_debit := t->>'debit';
    v_credit := t->>'credit';
    v_fen := (t->>'fen')::bigint;
    if v_debit < v_credit then
      v_first := v_debit; v_second := v_credit; v_delta := -v_fen;
    else
      v_first := v_credit; v_second := v_debit; v_delta := v_fen;
    end if;
    if v_total = 1 then
      insert into ledger_account (key, may_overdraw)
        select k, ledger_may_overdraw(k) from unnest(array[v_first, v_second]) k
        where not exists (select from ledger_account l where l.key = k)
        on conflict do nothing;
    end if;
    insert into ledger_transfer (code, ref, debit, credit, amount_fen, dist_id, order_id)
      values (t->>'code', t->>'ref', v_debit, v_credit, v_fen, (t->>'dist')::int, (t->>'order')::bigint)
      on conflict (code, ref) do nothing returning id into v_id;
    if v_id is null then
      perform 1 from ledger_transfer l
        where l.code = t->>'code' and l.ref = t->>'ref' and l.debit = v_debit and l.credit = v_credit and l.amount_fen = v_fen;
      if not found then raise exception 'transfer % % was posted with other contents', t->>'code', t->>'ref' using errcode = 'YS102'; end if;
      continue;
    end if;
    v_new := v_new + 1;
    update ledger_account set balance = balance + v_delta, version = version + 1 where key = v_first
      returning balance, version into strict v_balance1, v_version1;
    update ledger_account set balance = balance - v_delta, version = version + 1 where key = v_second
      returning balance, version into strict v_balance2, v_version2;
    insert into ledger_entry (account, version, transfer_id, delta, balance_after)
      values (v_first, v_version1, v_id, v_delta, v_balance1), (v_second, v_version2, v_id, -v_delta, v_balance2);
  end loop;
  if v_new > 0 and v_new < v_total then raise exception 'a set of transfers was posted in part' using errcode = 'YS102'; end if;
  return v_new > 0;
end $function$;

CREATE OR REPLACE FUNCTION public.order_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Placing and paying are most of what happens: their rows are written without working out the differences of all figures.
  if tg_op = 'INSERT' and new.status = 0 and new.paid_at is null then
    insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
      values ('placed', (new.created_at at time zone 'Asia/Shanghai')::date, new.dist_id, new.game_id, new.type_id, new.seller_id, 1, new.total_fen);
    return null;
  end if;
  if tg_op = 'UPDATE' and old.status = 0 and new.status = 1 and old.paid_at is null and new.paid_at is not null
    and new.shipped_at is null and new.completed_at is null and new.total_fen = old.total_fen then
    insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
      select f.figure, (f.at at time zone 'Asia/Shanghai')::date, new.dist_id, new.game_id, new.type_id, new.seller_id, 1, new.total_fen
      from (values ('paid', new.paid_at), ('bought', new.created_at), ('escrow', new.paid_at)) f (figure, at);
    return null;
  end if;
  insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
    select f.figure, f.day, new.dist_id, new.game_id, new.type_id, new.seller_id, sum(f.n), sum(f.amount)
    from (select * from order_figures(new) union all select x.figure, x.day, -x.n, -x.amount from order_figures(old) x) f
    group by f.figure, f.day having sum(f.n) <> 0 or sum(f.amount) <> 0;
  return null;
end $function$;

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
end $function$;

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
    if not found then raise exception 'order moved on' using errcode = 'YS208'; end if;
    if not order_steps_done(v_id, v_to) then raise exception 'steps are open' using errcode = 'YS214'; end if;
    -- When the deadline was moved after its timer became due, the order is not confirmed before the new deadline.
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
end $function$;

CREATE OR REPLACE FUNCTION public.sale_hold(p_ref text, p_seller bigint, p_holds jsonb, p_stages jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
    -- Counting the sale has locked the seller's row, so two concurrent completions see the same remaining amount.
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
end $function$;
