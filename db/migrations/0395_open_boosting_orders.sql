-- Open orders of boosting (decision 286): a buyer says what is to be done, the money is in escrow from that moment, and the first approved
-- booster who claims it has the order. And what happens on the way: proof every two hours, a shut form while it is paused, a reported ban.

create table boost_request (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  buyer_id bigint not null references app_user,
  game_id int not null references game,
  kind smallint,                                 -- option of the game's field boost_kind
  scope_kind text not null check (scope_kind in ('rank', 'hours', 'matches')),
  from_rank text not null default '',
  to_rank text not null default '',
  num int not null default 1 check (num between 1 and 10000),
  area text not null,
  note text not null default '',
  mode text not null check (mode in ('account', 'together', 'online')),
  minutes int not null check (minutes between 30 and 129600),
  milestones jsonb not null check (jsonb_typeof(milestones) = 'array' and milestone_sum(milestones) = 10000),
  goods_fen bigint not null check (goods_fen between 100 and 9999900),
  total_fen bigint not null check (total_fen >= goods_fen),
  safety_fen bigint not null default 0 check (safety_fen >= 0),
  efficiency_fen bigint not null default 0 check (efficiency_fen >= 0),
  price jsonb not null,                          -- every amount of the order as it was computed when it was posted
  status text not null default 'open' check (status in ('open', 'taken', 'withdrawn', 'expired')),
  order_id bigint unique references orders,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((status = 'taken') = (order_id is not null)),
  check ((status = 'open') = (ended_at is null)),
  check (scope_kind <> 'rank' or (from_rank <> '' and to_rank <> ''))
);
create index boost_request_board on boost_request (dist_id, game_id, id desc) where status = 'open';
create index boost_request_buyer on boost_request (buyer_id, id desc);
revoke update, delete on boost_request from youshi_app;
grant select, insert on boost_request to youshi_app;
grant update (status, order_id, ended_at) on boost_request to youshi_app;

create function boost_request_steps() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and old.status <> 'open'
  then raise exception 'open order step % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $$;
create trigger boost_request_steps before update on boost_request for each row execute function boost_request_steps();

create function boost_escrow_agrees() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when r.status = 'open' then r.total_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'boost:' || new.id || ':escrow'), 0)
    into v_due, v_balance from boost_request r where r.id = new.id;
  if v_balance <> v_due then raise exception 'open order % has % in escrow', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $$;
create constraint trigger boost_escrow_agrees after insert or update on boost_request deferrable initially deferred
  for each row execute function boost_escrow_agrees();

-- The legal steps of a boosting order, once more where no code can pass them by (contract/rules/service.ts has who and what).
create table boost_transition (from_state text not null, to_state text not null, primary key (from_state, to_state));
insert into boost_transition values ('pending', 'working'), ('pending', 'ended'), ('working', 'paused'), ('working', 'checking'),
  ('working', 'ended'), ('paused', 'working'), ('paused', 'ended'), ('checking', 'done'), ('checking', 'ended');
revoke insert, update, delete on boost_transition from youshi_app;
grant select on boost_transition to youshi_app;
create function boost_order_steps() returns trigger language plpgsql as $$
begin
  if not exists (select from boost_transition t where t.from_state = old.state and t.to_state = new.state)
  then raise exception 'boosting step % to % does not exist', old.state, new.state using errcode = 'YS902'; end if;
  return new;
end $$;
create trigger boost_order_steps before update of state on service_order
  for each row when (new.type_id = 60 and old.state is distinct from new.state) execute function boost_order_steps();

alter table service_order
  add column proof_due_at timestamptz,           -- when the next picture is due; a pause moves it
  add column ban_reported_at timestamptz,        -- the account was punished: the safety deposit waits for the case
  add column ban_reported_by smallint check (ban_reported_by in (0, 1)),
  -- What customer service decided about the deposits; it counts when the ruling of that dispute ends the order.
  add column ruled_dispute_id bigint references dispute,
  add column ruled_safety_to_buyer boolean not null default false,
  add column ruled_efficiency_to_buyer boolean not null default false;
grant update (proof_due_at, ban_reported_at, ban_reported_by, ruled_dispute_id, ruled_safety_to_buyer, ruled_efficiency_to_buyer) on service_order to youshi_app;

create or replace function service_follows_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s service_order;
  v_ruled boolean;
begin
  if new.status = 2 then
    update service_order set state = 'checking', finished_at = coalesce(finished_at, now())
      where order_id = new.id and state in ('working', 'paused', 'ending');
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
    perform provider_done(s.provider_id, coalesce(s.finished_at <= s.due_at, true) or s.type_id = 61);
  end if;
  v_ruled := exists (select from dispute d where d.id = s.ruled_dispute_id and d.status in ('ruled', 'appealed'));
  perform hold_give('service_safety', new.id,
    case when case when v_ruled then s.ruled_safety_to_buyer else s.safety_to_buyer end then new.buyer_id else new.seller_id end);
  perform hold_give('service_efficiency', new.id,
    case when case when v_ruled then s.ruled_efficiency_to_buyer else s.efficiency_to_buyer end then new.buyer_id else new.seller_id end);
  return null;
end $$;

-- More work on an order that runs is an order of its own, which is named by the addition.
alter table service_addition add constraint service_addition_reason check (reason <> '');
create unique index service_addition_one on service_addition (order_id) where status = 'asked' or (status = 'agreed' and add_fen > 0);

-- While a service is paused its booster opens no sealed form.
alter table orders add column shut_at timestamptz;
grant update (shut_at) on orders to youshi_app;

insert into setting (key, version, value, reason)
  select 'boosting', max(version) + 1, (array_agg(value order by version desc))[1] || '{"proofSeconds": 7200}'::jsonb, '代练每两小时提醒上传进度截图'
  from setting where key = 'boosting';

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('boost.request', '代练发单', 'order', '{site,wechat,sms}', true, true, 36),
  ('boost.proof', '代练进度截图', 'order', '{site,wechat}', true, false, 37),
  ('boost.addition', '代练加价加时', 'order', '{site,wechat}', true, false, 38),
  ('boost.ban', '代练封号上报', 'order', '{site,wechat,sms}', false, true, 39);
insert into notice_template (kind, channel, version, title, body, link) values
  ('boost.request', 'site', 1, '{what}', '「{goods}」{text}', '/center/boosting/requests'),
  ('boost.proof', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('boost.addition', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('boost.ban', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}');

with added as (
  insert into dispute_reason (code, name, goods_types, form, evidence, sort, order_states) values
    ('account_punished', '代练期间账号被处罚', '{60}', '[{"key":"seen_at","label":"什么时候发现的","kind":"time","side":"both","required":false},{"key":"punishment","label":"处罚内容与期限","kind":"text","side":"both","required":true}]', '处罚通知的完整截图', 75, '{1,2,3}')
    returning *)
insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status, reason)
  select code, version, name, goods_types, order_states, form, evidence, sort, status, '代练上报封号' from added;
