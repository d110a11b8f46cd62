-- Boosting (design section 6): packages are listings, milestones are paid out of escrow, the booster's deposits are held with the order.

-- A package is a listing of type 60 or 61 of its own, which lists, search and orders use.
alter table service_package
  add column goods_id bigint unique references goods,
  add column kind smallint;                      -- option of the game's field boost_kind or play_kind

-- What milestones have paid to the seller out of an order's escrow, and the part of the price that they were.
alter table orders
  add column advance_fen bigint not null default 0,
  add column advance_goods_fen bigint not null default 0,
  add constraint order_advance check (advance_fen between 0 and advance_goods_fen and advance_goods_fen < goods_fen) not valid;
alter table orders validate constraint order_advance;

create or replace function order_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_status smallint;
  v_due bigint;
begin
  select o.status, case when o.status in (1, 2) then o.total_fen + o.discount_fen - o.advance_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'order:' || new.id || ':escrow'), 0)
    into v_status, v_due, v_balance from orders o where o.id = new.id;
  if v_balance <> v_due then
    raise exception 'order % status % has % in escrow', new.id, v_status, v_balance using errcode = 'YS903';
  end if;
  return null;
end $function$;
drop trigger order_escrow_agrees on orders;
create constraint trigger order_escrow_agrees after insert or update of status, advance_fen on orders
  deferrable initially deferred for each row execute function order_escrow_agrees();

alter table service_order
  drop constraint service_order_state_check,
  drop constraint service_order_check,
  add constraint service_order_state_check check (state in ('pending', 'working', 'paused', 'checking', 'done', 'ended')),
  add constraint service_order_accepted check (state in ('pending', 'ended') or accepted_at is not null),
  -- Who gets the deposits when the order ends.
  add column efficiency_to_buyer boolean not null default false,
  add column safety_to_buyer boolean not null default false,
  -- Seconds that the order was paused; they do not count towards the promised time.
  add column paused_seconds integer not null default 0 check (paused_seconds >= 0);
alter table service_order alter column state set default 'pending';
grant update (efficiency_to_buyer, safety_to_buyer, paused_seconds) on service_order to youshi_app;

alter table service_milestone drop constraint service_milestone_state_check;
update service_milestone set state = 'pending' where state = 'waiting';
alter table service_milestone
  alter column state set default 'pending',
  add constraint service_milestone_state_check check (state in ('pending', 'submitted', 'accepted', 'refused')),
  add column progress_percent smallint not null default 0 check (progress_percent between 0 and 100),
  add column refused_count smallint not null default 0,
  add column refuse_reason text,
  add column paid_fen bigint;                    -- what reached the booster when it was accepted before the order's end
revoke update on service_milestone from youshi_app;
grant update (state, pictures, note, submitted_at, answered_at, progress_percent, refused_count, refuse_reason, paid_fen) on service_milestone to youshi_app;

-- Pays a part of the price to the seller out of the escrow of a paid order: the part less its commission, to the fen that the whole adds up
-- to. One fen stays, so that every end of the order has something to protect. Answers what was paid.
create function order_pay_part(p_order bigint, p_goods bigint, p_ref text) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  o orders;
  v_goods bigint;
  v_fen bigint;
begin
  select * into o from orders where id = p_order for update;
  if o.status is distinct from 1 or o.disputed or p_goods <= 0 then raise exception 'order moved on' using errcode = 'YS208'; end if;
  v_goods := o.advance_goods_fen + p_goods;
  v_fen := greatest(v_goods - ceil(o.commission_fen::numeric * v_goods / o.goods_fen)::bigint - 1 - o.advance_fen, 0);
  update orders set advance_fen = advance_fen + v_fen, advance_goods_fen = v_goods where id = p_order;
  if v_fen > 0 then
    perform ledger_post(jsonb_build_array(jsonb_build_object('code', 'milestone_paid', 'ref', p_ref, 'debit', 'order:' || p_order || ':escrow',
      'credit', 'user:' || o.seller_id || ':available', 'fen', v_fen, 'dist', o.dist_id, 'order', p_order)));
  end if;
  return v_fen;
end $$;
revoke execute on function order_pay_part(bigint, bigint, text) from public;
grant execute on function order_pay_part(bigint, bigint, text) to youshi_app;

-- Ends the hold of a deposit and gives its money to a user: back to its owner, or to the other party. Answers whether it was open.
create function hold_give(p_code text, p_order bigint, p_to bigint) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  h hold;
begin
  update hold set released_at = now(), release_note = '订单已结束' where code = p_code and ref = p_order::text and released_at is null
    returning * into h;
  if not found then return false; end if;
  perform ledger_post(jsonb_build_array(jsonb_build_object(
    'code', case when h.user_id = p_to then 'service_deposit_out' else 'service_deposit_paid' end, 'ref', 'hold:' || h.id,
    'debit', 'user:' || h.user_id || ':frozen', 'credit', 'user:' || p_to || ':available', 'fen', h.amount_fen,
    'dist', (select dist_id from orders where id = p_order), 'order', p_order)));
  return true;
end $$;
revoke execute on function hold_give(text, bigint, bigint) from public;

-- The service follows its order: when the order ends, the deposits go to whom they belong, in the same transaction.
create function service_follows_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s service_order;
begin
  if new.status = 2 then
    update service_order set state = 'checking', finished_at = now() where order_id = new.id and state in ('working', 'paused');
    return null;
  end if;
  if new.status not in (3, 6, 7, 8, 9) then return null; end if;
  update service_order set state = case when new.status = 3 then 'done' else 'ended' end, paused_at = null,
      finished_at = coalesce(finished_at, now())
    where order_id = new.id and state not in ('done', 'ended') returning * into s;
  if not found then return null; end if;
  if new.status = 3 then
    update service_milestone set state = 'accepted', answered_at = now() where order_id = new.id and state <> 'accepted';
    update service_package set sold_count = sold_count + 1 where id = s.package_id;
    perform provider_done(s.provider_id, coalesce(s.finished_at <= s.due_at, true));
  end if;
  perform hold_give('service_safety', new.id, case when s.safety_to_buyer then new.buyer_id else new.seller_id end);
  perform hold_give('service_efficiency', new.id, case when s.efficiency_to_buyer then new.buyer_id else new.seller_id end);
  return null;
end $$;
create trigger service_follows_order after update of status on orders
  for each row when (new.type_id in (60, 61) and old.status is distinct from new.status) execute function service_follows_order();

insert into setting (key, version, value) values
  ('boosting', 1, '{"acceptSeconds": 1800, "milestoneSeconds": 43200, "cancelAnswerSeconds": 21600, "maxPauseSeconds": 259200}');

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('service.order', '代练订单', 'order', '{site,wechat,sms}', true, true, 34),
  ('service.progress', '代练进度', 'order', '{site,wechat}', true, false, 35);
insert into notice_template (kind, channel, version, title, body, link) values
  ('service.order', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('service.progress', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}');
