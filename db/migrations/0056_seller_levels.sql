-- Seller levels are counted from finished sales by public rules that cannot be farmed (domain.md 3; docs/decisions/056). app_user.seller_level
-- stays what everybody reads; how it came about stands here. Nothing here filters by dist_id: a seller is the same on every site.

-- Browsers that somebody has logged in on, by a random cookie of their own. Two accounts that met on one browser do not count for each other.
create table user_browser (
  user_id bigint not null references app_user,
  browser_hash bytea not null,                   -- sha256 of the cookie
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (user_id, browser_hash)
);
create index user_browser_shared on user_browser (browser_hash, user_id);
create index payout_account_shared on payout_account (account_hash, user_id);
create index orders_seller_done on orders (seller_id, completed_at desc) where status = 3;

create table seller_standing (
  user_id bigint primary key references app_user,
  level smallint not null check (level between 0 and 5),
  counted jsonb not null,                        -- what was counted and what was left out, as the seller reads it
  level_since timestamptz not null default now(),
  computed_at timestamptz not null default now()
);

-- Each change with the figures of that moment. Insert only.
create table seller_level_change (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  from_level smallint not null,
  to_level smallint not null check (to_level between 0 and 5),
  counted jsonb not null,
  created_at timestamptz not null default now()
);
create index seller_level_change_user on seller_level_change (user_id, id desc);
create trigger seller_level_change_immutable before update or delete or truncate on seller_level_change
  for each statement execute function refuse_change();
revoke update, delete, truncate on seller_level_change from youshi_app;
revoke delete, truncate on seller_standing from youshi_app;

-- windowDays: what is looked at. minFen: smaller sales are left out. perBuyer*: the most that one buyer counts for. A level wants different
-- buyers, turnover, days since the seller was verified, a share of lost disputes and cancelled sales not above badBp (one is always
-- forgiven), and, once ratingCount buyers have rated, an average not below rating.
insert into setting (key, version, value) values
  ('seller_levels', 1, '{"windowDays": 180, "minFen": 1000, "perBuyerOrders": 2, "perBuyerFen": 200000, "ratingCount": 5, "levels": [
      {"buyers": 3, "fen": 50000, "days": 7, "badBp": 2000, "rating": 0},
      {"buyers": 10, "fen": 300000, "days": 30, "badBp": 800, "rating": 4.2},
      {"buyers": 25, "fen": 1000000, "days": 60, "badBp": 500, "rating": 4.4},
      {"buyers": 60, "fen": 3000000, "days": 90, "badBp": 300, "rating": 4.6},
      {"buyers": 150, "fen": 10000000, "days": 180, "badBp": 200, "rating": 4.7}]}');

insert into platform_rule (no, version, title, body, in_force_from) values
  ('7.1', 1, '卖家等级怎么算', '卖家等级按近 180 天保护期已结束的成交计算：看不同买家数、成交额、实名天数、申诉败诉与取消比例、评分。同一买家最多计 2 单、2000 元；10 元以下的订单、担保与线下订单不计；与卖家同设备、同收款账户、有邀请关系或互相买卖的买家不计。等级不能购买。', '2026-01-01 00:00+08')
on conflict do nothing;

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('goods.level', '卖家等级变化', 'goods', '{site,wechat}', true, false, 145);
insert into notice_template (kind, channel, version, title, body, link) values
  ('goods.level', 'site', 1, '卖家等级{what}', '{text}', '/center/myself/depositWithdraw?role=seller');

insert into timer (kind, ref, due_at) values ('level.nightly', '', now());
