-- A sale's money is released in stages by the seller's level (docs/decisions/082). A hold keeps what is still held; each stage says how
-- long before the hold's end its part comes free, so that a dispute that stops the hold stops its stages with it.
create table hold_stage (
  hold_id bigint not null references hold (id),
  seq smallint not null check (seq > 0),
  amount_fen bigint not null check (amount_fen > 0),
  -- Seconds before the hold's end.
  before_end int not null check (before_end > 0),
  released_at timestamptz,
  primary key (hold_id, seq)
);
comment on table hold_stage is 'Parts of a hold that come free before its end. dist_id: by the hold''s user; records';
grant select, insert, update on hold_stage to youshi_app;

-- What the guarantee fund had to pay of a ruling because the money had left early. Whoever has one gets no stages.
alter table hold add column short_fen bigint not null default 0 check (short_fen >= 0);
create index hold_short on hold (user_id) where short_fen > 0;

-- By level: when which share (basis points) comes free after completion; the rest waits for the end (hold_hours). openFen: the most that
-- may be out of a seller's running holds at once. quietDays: how long a shortfall takes the stages away.
insert into setting (key, version, value) values
  ('hold_stages', 1, '{"quietDays": 180, "levels": [
    {"openFen": 0, "parts": []},
    {"openFen": 50000, "parts": [{"hours": 24, "bp": 2000}, {"hours": 48, "bp": 3000}]},
    {"openFen": 200000, "parts": [{"hours": 12, "bp": 3000}, {"hours": 24, "bp": 2000}]},
    {"openFen": 500000, "parts": [{"hours": 6, "bp": 5000}]},
    {"openFen": 1000000, "parts": [{"hours": 2, "bp": 6000}]},
    {"openFen": 3000000, "parts": [{"hours": 1, "bp": 8000}]}]}');

-- An account's balance, with its row locked until the transaction ends: who takes no more than there is reads it here. The application
-- may not lock the ledger's rows by itself.
create function ledger_balance_locked(p_key text) returns bigint language sql security definer set search_path = public, pg_temp as $$
  select balance from ledger_account where key = p_key for update
$$;
revoke execute on function ledger_balance_locked(text) from public;
grant execute on function ledger_balance_locked(text) to youshi_app;

-- As before (0067), with the stages of a hold: {roomFen, parts: [{fen, beforeEnd}]}.
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
end $$;

insert into platform_rule (no, version, title, body, in_force_from) values
  ('7.2', 1, '货款分段放出', '确认收货后，1 级及以上卖家的货款可在保护期内按等级分段提前放出，其余到期放出；同时提前放出的总额以等级额度为限。申诉或理赔期间全部停止。裁决退款先从仍冻结的货款退回，不足的从卖家可用余额退回，仍不足的由包赔基金垫付；发生垫付的卖家 180 天内不再分段放款。买家的保护期和可退金额不受分段影响。', '2026-01-01 00:00+08')
on conflict do nothing;
