-- The statements of an order and its payment, with the same rules and fewer of them: what a step costs is the number of statements that
-- its function begins, more than the rows that they touch (bench/results.md). What a plan says is read into variables once; what is known
-- beforehand is written once; an entry of the books is written with its pair.

-- Exactly as before (0004), and: one transfer moves its two accounts in key order itself, so only a set of transfers locks them all first.
create or replace function ledger_post(p_transfers jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
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
    -- Accounts first, in key order, so that two posters that share accounts never wait for each other in a circle.
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
end $$;

-- As before (0009), in one look.
create or replace function order_escrow_agrees() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_balance bigint;
  v_status smallint;
  v_due bigint;
begin
  select o.status, case when o.status in (1, 2) then o.total_fen + o.discount_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'order:' || new.id || ':escrow'), 0)
    into v_status, v_due, v_balance from orders o where o.id = new.id;
  if v_balance <> v_due then
    raise exception 'order % status % has % in escrow', new.id, v_status, v_balance using errcode = 'YS903';
  end if;
  return null;
end $$;

-- Claims an asker's key together with the facts, where they are known before the work is done. Returns the stored facts of an earlier run,
-- or null when this run is the first; if its work fails, the claim goes with it. Error YS206: the same key came with another request.
create function idempotency_keep(p jsonb, p_facts jsonb) returns jsonb language plpgsql as $$
declare
  v idempotency;
begin
  insert into idempotency (scope, endpoint, key, request_hash, facts) values (p->>'scope', p->>'endpoint', p->>'key', p->>'hash', p_facts)
    on conflict do nothing;
  if found then return null; end if;
  select * into v from idempotency where scope = p->>'scope' and endpoint = p->>'endpoint' and key = p->>'key';
  if v.request_hash is distinct from p->>'hash' then raise exception 'idempotency mismatch' using errcode = 'YS206'; end if;
  return v.facts;
end $$;

-- As before (0010). The order's number is drawn first, so that the answer is known when the key is claimed.
create or replace function order_place(p jsonb) returns jsonb language plpgsql as $$
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
begin
  if p ? 'idem' then
    v_earlier := idempotency_keep(p->'idem', v_facts);
    if v_earlier is not null then return v_earlier || '{"replay": true}'; end if;
  end if;
  select count(*) into v_unpaid from (select from orders where buyer_id = v_buyer and status = 0 limit v_max) x;
  if v_unpaid >= v_max then
    raise exception 'too many unpaid' using errcode = 'YS203';
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
    if v_status = 4 then delete from goods_search where goods_id = v_goods; end if;
  end if;
  insert into orders (id, sn, dist_id, type_id, goods_id, goods_sn, game_id, buyer_id, seller_id, goods_num, unit_price_fen, goods_fen, service_fee_fen,
      ensure_fen, fix_ensure_fen, discount_fen, total_fen, commission_fen, dist_share_fen, invite_reward_fen, inviter_id, ensure_id, fix_ensure_id,
      coupon_id, bargain_id, fees, snapshot)
    overriding system value
    values (v_id, r->>'sn', (r->>'dist_id')::int, (r->>'type_id')::smallint, v_goods, r->>'goods_sn', (r->>'game_id')::int, v_buyer,
      (r->>'seller_id')::bigint, v_num, (r->>'unit_price_fen')::bigint, (r->>'goods_fen')::bigint, (r->>'service_fee_fen')::bigint,
      (r->>'ensure_fen')::bigint, (r->>'fix_ensure_fen')::bigint, (r->>'discount_fen')::bigint, (r->>'total_fen')::bigint,
      (r->>'commission_fen')::bigint, (r->>'dist_share_fen')::bigint, (r->>'invite_reward_fen')::bigint, (r->>'inviter_id')::bigint,
      (r->>'ensure_id')::int, (r->>'fix_ensure_id')::int, (r->>'coupon_id')::bigint, (r->>'bargain_id')::bigint, r->'fees', r->'snapshot');
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
end $$;

-- As before (0010), with the order's number in the plan (sn), so that the answer is known when the key is claimed.
create or replace function order_step(p jsonb) returns jsonb language plpgsql as $$
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
  update orders set
      status = v_to,
      paid_at = case when v_stamp = 'paid' then now() else paid_at end,
      shipped_at = case when v_stamp = 'shipped' then now() else shipped_at end,
      completed_at = case when v_stamp = 'completed' then now() else completed_at end,
      ship_by = case when v_ship is not null then now() + make_interval(secs => v_ship) else ship_by end,
      auto_confirm_at = case when v_confirm is not null then now() + make_interval(secs => v_confirm) else auto_confirm_at end
    where id = v_id and status = any (v_from)
      and (not v_untouched or touched_at is null or ship_by < now())
      and (not v_undisputed or not disputed)
    returning goods_id, goods_num, coupon_id, seller_id, buyer_id, total_fen into o;
  if not found then raise exception 'order moved on' using errcode = 'YS208'; end if;
  if p->>'goods' is not null and o.goods_id is not null then perform goods_settle(o.goods_id, o.goods_num, p->>'goods' = 'sold'); end if;
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
      from jsonb_to_recordset(p->'holds') as h("userId" bigint, fen bigint, code text, reason text, seconds int);
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
end $$;

-- The signs of an order's amounts as one rule: PostgreSQL reads each check of a table anew for every statement that writes to it.
alter table orders
  add constraint order_signs check (
    least(service_fee_fen, ensure_fen, fix_ensure_fen, discount_fen, commission_fen, dist_share_fen, invite_reward_fen) >= 0
    and least(unit_price_fen, goods_fen, total_fen) > 0),
  drop constraint orders_service_fee_fen_check,
  drop constraint orders_ensure_fen_check,
  drop constraint orders_fix_ensure_fen_check,
  drop constraint orders_discount_fen_check,
  drop constraint orders_commission_fen_check,
  drop constraint orders_dist_share_fen_check,
  drop constraint orders_invite_reward_fen_check,
  drop constraint orders_unit_price_fen_check,
  drop constraint orders_goods_fen_check,
  drop constraint orders_total_fen_check;
