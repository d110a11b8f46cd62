-- Orders. dist_id is the site where it was bought: a distributor sees its own orders only.
create table orders (
  id bigint generated always as identity (start with 100001) primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  type_id smallint not null,                     -- domain.md 1
  goods_id bigint references goods,
  goods_sn text,
  game_id int references game,
  buyer_id bigint not null references app_user,
  seller_id bigint not null references app_user,
  staff_id bigint references staff,
  status smallint not null default 0 check (status in (0, 1, 2, 3, 6, 7, 8, 9)),
  goods_num int not null default 1 check (goods_num between 1 and 100000),
  unit_price_fen bigint not null check (unit_price_fen > 0),
  goods_fen bigint not null check (goods_fen > 0),
  service_fee_fen bigint not null default 0 check (service_fee_fen >= 0),
  ensure_fen bigint not null default 0 check (ensure_fen >= 0),
  fix_ensure_fen bigint not null default 0 check (fix_ensure_fen >= 0),
  discount_fen bigint not null default 0 check (discount_fen >= 0),
  total_fen bigint not null check (total_fen > 0),
  commission_fen bigint not null default 0 check (commission_fen >= 0),
  dist_share_fen bigint not null default 0 check (dist_share_fen >= 0),
  invite_reward_fen bigint not null default 0 check (invite_reward_fen >= 0),
  inviter_id bigint references app_user,
  ensure_id int not null default 0,
  fix_ensure_id int not null default 0,
  coupon_id bigint references coupon,
  bargain_id bigint references bargain,
  is_recovery smallint not null default 0,
  fees jsonb not null,                           -- the fee lines as shown: [{code, label, fen, rule}]
  snapshot jsonb not null,                       -- the goods as it was: title, attrs, picture, area, server, gameName …
  handover_version int,
  touched_at timestamptz,                        -- seller or staff acted: the buyer can no longer cancel alone
  cancel_asked_at timestamptz,                   -- the buyer asks the seller to agree to a cancel
  ship_by timestamptz,
  auto_confirm_at timestamptz,
  disputed boolean not null default false,       -- an open dispute stops the timers
  hidden_buyer boolean not null default false,
  hidden_seller boolean not null default false,
  paid_at timestamptz,
  shipped_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  constraint order_total check (total_fen = goods_fen + service_fee_fen + ensure_fen + fix_ensure_fen - discount_fen),
  constraint order_price check (goods_fen = unit_price_fen * goods_num),
  constraint order_parties check (buyer_id <> seller_id),
  constraint order_shares check (commission_fen + service_fee_fen >= dist_share_fen + invite_reward_fen and commission_fen <= goods_fen)
);
create index orders_buyer on orders (buyer_id, id desc);
create index orders_seller on orders (seller_id, id desc);
create index orders_unpaid on orders (buyer_id) where status = 0;
create index orders_dist on orders (dist_id, id desc);
create index orders_deals on orders (completed_at desc) where status = 3;
create index orders_sold on orders (game_id, type_id, completed_at desc) where status = 3;
-- An account is sold once. Goods with stock (coins, props) are many.
create unique index orders_one_live on orders (goods_id) where status in (0, 1, 2, 3) and type_id in (1, 8, 50) and goods_id is not null;
alter table coupon add foreign key (order_id) references orders;
alter table bargain add foreign key (order_id) references orders;

-- The terms of an order are frozen when it is placed.
create function order_terms_frozen() returns trigger language plpgsql as $$
begin
  if (new.sn, new.dist_id, new.type_id, new.goods_id, new.buyer_id, new.seller_id, new.goods_num, new.unit_price_fen, new.goods_fen, new.service_fee_fen,
      new.ensure_fen, new.fix_ensure_fen, new.discount_fen, new.total_fen, new.commission_fen, new.dist_share_fen, new.invite_reward_fen)
     is distinct from
     (old.sn, old.dist_id, old.type_id, old.goods_id, old.buyer_id, old.seller_id, old.goods_num, old.unit_price_fen, old.goods_fen, old.service_fee_fen,
      old.ensure_fen, old.fix_ensure_fen, old.discount_fen, old.total_fen, old.commission_fen, old.dist_share_fen, old.invite_reward_fen)
  then raise exception 'the terms of an order do not change' using errcode = 'YS901'; end if;
  if old.status <> new.status and not exists (select from order_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'order step % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $$;

-- The legal steps, once more where no code can pass them by (domain.md 2; orders/rules.ts has who and what).
create table order_transition (from_status smallint not null, to_status smallint not null, primary key (from_status, to_status));
insert into order_transition values (0, 1), (0, 6), (0, 7), (1, 2), (1, 7), (1, 8), (1, 9), (2, 3), (2, 8), (2, 9);
create trigger orders_frozen before update on orders for each row execute function order_terms_frozen();

create table order_process (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  order_status smallint not null,
  explain text not null,
  actor text not null,
  created_at timestamptz not null default now()
);
create index order_process_order on order_process (order_id, id);
create trigger order_process_immutable before update or delete or truncate on order_process for each statement execute function refuse_change();

-- An order that is paid or shipped has exactly its money in escrow; any other order has none. Checked when the transaction commits.
create function order_escrow_agrees() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_balance bigint;
  o orders;
begin
  select * into o from orders where id = new.id;
  select balance into v_balance from ledger_account where key = 'order:' || o.id || ':escrow';
  if coalesce(v_balance, 0) <> (case when o.status in (1, 2) then o.total_fen + o.discount_fen else 0 end) then
    raise exception 'order % status % has % in escrow', o.id, o.status, coalesce(v_balance, 0) using errcode = 'YS903';
  end if;
  return null;
end $$;
create constraint trigger order_escrow_agrees after insert or update of status on orders deferrable initially deferred
  for each row execute function order_escrow_agrees();

-- One row per hand-over step of an order, copied from the catalogue when it is paid.
create table order_handover (
  order_id bigint not null references orders,
  step smallint not null,
  key text not null,
  title text not null,
  actor text not null check (actor in ('seller', 'buyer', 'staff')),
  minutes int not null,
  required boolean not null,
  before_ship boolean not null,
  evidence boolean not null,
  secret boolean not null,
  explain text not null,
  pictures jsonb not null default '[]',
  done_by text,
  done_at timestamptz,
  primary key (order_id, step)
);

-- Credentials: sealed at rest, revealed once to the named person, erased after completion.
create table sealed_credential (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  step smallint not null,
  from_user bigint not null references app_user,
  for_actor text not null check (for_actor in ('buyer', 'staff')),
  body_enc bytea,                                -- null once erased
  created_at timestamptz not null default now(),
  revealed_to text,
  revealed_at timestamptz,
  erased_at timestamptz
);
create index sealed_credential_order on sealed_credential (order_id, step);

create table order_review (
  order_id bigint not null references orders,
  belong smallint not null check (belong in (0, 1)), -- 1 = the buyer rates the seller, 0 = the seller rates the buyer (product.md 2)
  user_id bigint not null references app_user,
  target_id bigint not null references app_user,
  score smallint not null check (score between 1 and 5),
  tags text[] not null default '{}',
  content text not null default '',
  created_at timestamptz not null default now(),
  primary key (order_id, belong)
);
create index order_review_target on order_review (target_id, created_at desc);

revoke update, delete, truncate on order_process from youshi_app;
revoke insert, update, delete, truncate on order_transition from youshi_app;
revoke delete on orders from youshi_app;
