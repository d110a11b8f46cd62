-- Deposits by role (domain.md 6). The balance is the ledger's (user:<id>:deposit); which role it stands for is this journal's, one row
-- a movement, written beside its posting. dist_id of a posting records.
create table deposit_entry (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  role text not null check (role in ('seller', 'shop', 'booster', 'companion', 'recycler')),
  kind smallint not null check (kind in (1, 2, 3)), -- 1 paid in, 2 taken by a rule, 3 given back
  amount_fen bigint not null check (amount_fen > 0),
  ref text not null,                             -- what it belongs to: payment, penalty or release
  reason text not null,
  rule_no text,
  order_id bigint references orders,
  created_at timestamptz not null default now(),
  unique (kind, ref)
);
create index deposit_entry_user on deposit_entry (user_id, id desc);
create trigger deposit_entry_immutable before update or delete or truncate on deposit_entry for each statement execute function refuse_change();
revoke update, delete, truncate on deposit_entry from youshi_app;

alter table deposit_penalty add column role text not null default 'seller' check (role in ('seller', 'shop', 'booster', 'companion', 'recycler'));

-- A payment for a deposit knows which: what arrives goes to the balance and from there to the deposit.
alter table payment
  add column deposit_role text check (deposit_role in ('seller', 'shop', 'booster', 'companion', 'recycler')),
  add column deposit_level smallint check (deposit_level between 1 and 9),
  add constraint payment_deposit check (purpose <> 'deposit' or (deposit_role is not null and deposit_level is not null));

-- What the levels promise is what the server does.
update deposit_level set benefits = '["商品页与卖家卡片显示保证金标识", "新手期可同时发布 50 件商品"]' where role = 'seller' and level = 1;
update deposit_level set benefits = '["含诚信卖家的全部权益", "新手期可同时发布 200 件商品", "售出保护期按高一级卖家计算"]' where role = 'seller' and level = 2;

-- Public rules that a penalty cites.
insert into platform_rule (no, version, title, body, in_force_from) values
  ('8.1', 1, '卖家取消已付款订单', '卖家在买家付款后取消订单的，从其卖家保证金中扣除商品价的 2%（最低 5 元，最高 200 元），补偿给买家；没有保证金或余额不足的，以现有保证金为限。', '2026-01-01 00:00+08'),
  ('8.2', 1, '保证金退还', '保证金可随时申请退还，等待期内无未完结订单、冻结货款或申诉的，到期自动退回可用余额；有未完结事项的，结清后自动退回。', '2026-01-01 00:00+08')
on conflict do nothing;
insert into setting (key, version, value) values
  ('deposit', 1, '{"cancelBp": 200, "cancelMinFen": 500, "cancelMaxFen": 20000, "recheckSeconds": 21600}');
