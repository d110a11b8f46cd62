-- Shops, boosters and companions (domain.md 6): apply → reviewing → approved or refused, deposit by level, packages (套餐), and
-- what an order of a service needs beside its row in orders. Deposits are ledger accounts (user:<id>:deposit); no balance here.

-- What each level asks for and gives. Data that staff change (audited); it counts for deposits paid from then on.
create table deposit_level (
  role text not null check (role in ('seller', 'shop', 'booster', 'companion', 'recycler')),
  level smallint not null check (level between 1 and 9),
  name text not null,
  amount_fen bigint not null check (amount_fen > 0),
  benefits jsonb not null default '[]' check (jsonb_typeof(benefits) = 'array'), -- sentences
  limits jsonb not null default '{}' check (jsonb_typeof(limits) = 'object'),    -- {listings?, orderFen?, openOrders?}
  release_days smallint not null default 7 check (release_days between 0 and 90),
  primary key (role, level)
);
insert into deposit_level (role, level, name, amount_fen, benefits, limits, release_days) values
  ('seller', 1, '诚信卖家', 50000, '["商品页显示保证金标识","同时发布不限 10 件"]', '{"listings": 50}', 7),
  ('seller', 2, '优选卖家', 200000, '["搜索默认排序加权","同时发布 200 件"]', '{"listings": 200}', 7),
  ('shop', 1, '标准店铺', 100000, '["可发布极速金币","同时 20 个报价"]', '{"listings": 20, "orderFen": 500000}', 7),
  ('shop', 2, '金牌店铺', 500000, '["极速金币优先展示","同时 100 个报价"]', '{"listings": 100, "orderFen": 2000000}', 14),
  ('booster', 1, '标准代练', 20000, '["同时接 2 单"]', '{"openOrders": 2, "orderFen": 50000}', 7),
  ('booster', 2, '高级代练', 100000, '["同时接 5 单"]', '{"openOrders": 5, "orderFen": 300000}', 7),
  ('companion', 1, '标准陪玩', 10000, '["可上架陪玩套餐"]', '{"openOrders": 1}', 7),
  ('recycler', 1, '认证回收商', 1000000, '["可参与账号回收竞价"]', '{"orderFen": 5000000}', 14);

-- A person asks for a deposit back: it stays for release_days and while an order or dispute of that role is open.
create table deposit_release (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,   -- records
  user_id bigint not null references app_user,
  role text not null check (role in ('seller', 'shop', 'booster', 'companion', 'recycler')),
  amount_fen bigint not null check (amount_fen > 0),
  status text not null default 'waiting' check (status in ('waiting', 'done', 'withdrawn', 'refused')),
  release_at timestamptz not null,
  reason text,                                   -- why it waits longer or was refused, as its owner reads it
  created_at timestamptz not null default now(),
  done_at timestamptz,
  check ((status = 'waiting') = (done_at is null))
);
create unique index deposit_release_open on deposit_release (user_id, role) where status = 'waiting';
create index deposit_release_due on deposit_release (release_at) where status = 'waiting';

-- What was taken from a deposit, by which rule. The posting's ref is this id.
create table deposit_penalty (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  order_id bigint references orders,
  dispute_id bigint references dispute,
  rule_no text not null,
  rule_version int not null,
  amount_fen bigint not null check (amount_fen > 0),
  to_user_id bigint references app_user,         -- compensation; null = the guarantee fund
  reason text not null,
  decided_by bigint references staff,            -- null = by the rule itself
  created_at timestamptz not null default now(),
  foreign key (rule_no, rule_version) references platform_rule
);
create index deposit_penalty_user on deposit_penalty (user_id, id desc);
create trigger deposit_penalty_immutable before update or delete or truncate on deposit_penalty for each statement execute function refuse_change();

-- One role of one person. dist_id records where it was applied for; providers work for every site, as goods are sold on every site.
create table provider (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,
  user_id bigint not null references app_user,
  kind text not null check (kind in ('shop', 'booster', 'companion')),
  status text not null default 'reviewing' check (status in ('reviewing', 'approved', 'refused', 'suspended', 'left')),
  name text not null,
  avatar text,
  intro text not null default '',
  games int[] not null default '{}',
  contact_enc bytea,                             -- QQ, WeChat; for staff only
  profile jsonb not null default '{}' check (jsonb_typeof(profile) = 'object'), -- shop: hours, notice; booster: rank, heroes; companion: gender, voice, city, tags
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'), -- proofs: rank, licence
  deposit_level smallint not null default 0,
  online boolean not null default false,         -- takes orders now
  review_note text,
  reviewed_by bigint references staff,
  reviewed_at timestamptz,
  pending jsonb,                                 -- a changed profile that waits for review while the old one stays in use
  done_count int not null default 0,
  on_time_count int not null default 0,
  rating_sum int not null default 0,
  rating_count int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, kind),
  check (status in ('reviewing', 'left') or reviewed_at is not null)
);
create index provider_review on provider (updated_at) where status = 'reviewing' or pending is not null;
create index provider_games on provider using gin (games) where status = 'approved';
create index provider_open on provider (kind, done_count desc, id desc) where status = 'approved' and online;

-- The flags that menus and calls ask for (isQuickShop, isBooster, isAccompanyer) follow the records here.
create function provider_flags() returns trigger language plpgsql as $$
begin
  update app_user u set
      is_quick_shop = exists (select from provider p where p.user_id = u.id and p.kind = 'shop' and p.status = 'approved'),
      is_booster = exists (select from provider p where p.user_id = u.id and p.kind = 'booster' and p.status = 'approved'),
      is_accompanyer = exists (select from provider p where p.user_id = u.id and p.kind = 'companion' and p.status = 'approved')
    where u.id = new.user_id;
  return null;
end $$;
create trigger provider_flags after insert or update of status on provider for each row execute function provider_flags();

create table provider_event (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  kind text not null,                            -- applied, approved, refused, changed, suspended, restored, left, level
  actor text not null,
  detail jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index provider_event_provider on provider_event (provider_id, id desc);
create trigger provider_event_immutable before update or delete or truncate on provider_event for each statement execute function refuse_change();

-- Packages: price, scope, time. type_id 60 boosting, 61 companion. A milestone is {title, shareBp}; the shares sum to 10000.
create function milestone_sum(p jsonb) returns int language sql immutable parallel safe as $$
  select coalesce(sum((m->>'shareBp')::int), 0)::int from jsonb_array_elements(p) m;
$$;
create table service_package (
  id bigint generated always as identity primary key,
  sn text not null unique,
  provider_id bigint not null references provider,
  game_id int not null references game,
  type_id smallint not null check (type_id in (60, 61)),
  title text not null,
  scope text not null,                           -- what is done and what is not
  unit text not null default '次' check (unit in ('次', '小时', '局', '天', '星', '段')),
  price_fen bigint not null check (price_fen between 100 and 9999900), -- of one unit
  min_units int not null default 1 check (min_units >= 1),
  max_units int not null default 99 check (max_units between 1 and 10000),
  minutes int not null check (minutes between 1 and 129600), -- time of one unit
  mode text not null default 'account' check (mode in ('account', 'together', 'online')), -- login handed over, played together, voice or online
  safety_fen bigint not null default 0 check (safety_fen >= 0),         -- 安全保证金 of one order
  efficiency_fen bigint not null default 0 check (efficiency_fen >= 0), -- 效率保证金 of one order
  milestones jsonb not null default '[]' check (jsonb_typeof(milestones) = 'array'),
  form jsonb not null default '[]' check (jsonb_typeof(form) = 'array'), -- what the buyer is asked: current rank, wanted rank …
  status smallint not null default 1 check (status in (1, 2, 3)), -- 1 on offer, 2 paused, 3 removed
  version int not null default 1,
  sold_count int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (max_units >= min_units),
  check (milestones = '[]' or milestone_sum(milestones) = 10000)
);
create index service_package_provider on service_package (provider_id, status, id desc);
create index service_package_shelf on service_package (game_id, type_id, price_fen, id) where status = 1;

-- Beside orders (types 60 and 61). The buyer's order can be taken by the chosen provider, or by anyone when provider_id is null.
create table service_order (
  order_id bigint primary key references orders,
  package_id bigint references service_package,
  provider_id bigint references provider,
  type_id smallint not null check (type_id in (60, 61)),
  units int not null check (units > 0),
  minutes int not null check (minutes > 0),      -- grows by additions
  mode text not null check (mode in ('account', 'together', 'online')),
  form jsonb not null default '{}' check (jsonb_typeof(form) = 'object'),
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'working', 'paused', 'checking', 'appeal', 'done', 'ended')),
  safety_fen bigint not null default 0 check (safety_fen >= 0),
  efficiency_fen bigint not null default 0 check (efficiency_fen >= 0),
  starts_at timestamptz,                         -- companion: the agreed start; no-show 10 min later refunds by itself
  accept_by timestamptz,
  accepted_at timestamptz,
  started_at timestamptz,
  due_at timestamptz,                            -- boosting: late costs the efficiency deposit
  paused_at timestamptz,
  finished_at timestamptz,
  check (state in ('waiting', 'ended') or accepted_at is not null)
);
create index service_order_provider on service_order (provider_id, state, order_id desc);
create index service_order_open on service_order (type_id, order_id desc) where provider_id is null and state = 'waiting';

-- Paid by milestone: each closes with a picture of the result and the buyer's yes (or the timer's).
create table service_milestone (
  order_id bigint not null references service_order,
  seq smallint not null check (seq between 1 and 50),
  title text not null,
  share_fen bigint not null check (share_fen >= 0),
  state text not null default 'waiting' check (state in ('waiting', 'submitted', 'accepted', 'refused')),
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  note text not null default '',
  submitted_at timestamptz,
  answered_at timestamptz,
  primary key (order_id, seq),
  check (state <> 'submitted' or (submitted_at is not null and pictures <> '[]')),
  check (state not in ('accepted', 'refused') or answered_at is not null)
);

-- Pictures and words on the way, also check-ins of a companion.
create table service_progress (
  id bigint generated always as identity primary key,
  order_id bigint not null references service_order,
  actor text not null,
  kind text not null check (kind in ('progress', 'login_note', 'pause', 'resume', 'check_in', 'exception')),
  text text not null default '',
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  created_at timestamptz not null default now()
);
create index service_progress_order on service_progress (order_id, id);
create trigger service_progress_immutable before update or delete or truncate on service_progress for each statement execute function refuse_change();

-- More money or more time. The terms of an order never change, so more money is an order of its own (add_order_id), paid the same way.
create table service_addition (
  id bigint generated always as identity primary key,
  order_id bigint not null references service_order,
  asked_by smallint not null check (asked_by in (0, 1)), -- belong of the one who asked
  add_fen bigint not null default 0 check (add_fen >= 0),
  add_minutes int not null default 0 check (add_minutes >= 0),
  reason text not null,
  status text not null default 'asked' check (status in ('asked', 'agreed', 'declined', 'paid', 'withdrawn')),
  add_order_id bigint unique references orders,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  check (add_fen > 0 or add_minutes > 0),
  check (status <> 'paid' or add_order_id is not null)
);
create unique index service_addition_open on service_addition (order_id) where status in ('asked', 'agreed');

-- Negotiated cancel: a split computed from the milestones and the two deposits, agreed by both or handed to arbitration (a dispute).
create table service_cancel (
  id bigint generated always as identity primary key,
  order_id bigint not null references service_order,
  asked_by smallint not null check (asked_by in (0, 1)),
  reason text not null,
  pay_fen bigint not null check (pay_fen >= 0),               -- of the price to the provider
  cost_safety_fen bigint not null default 0 check (cost_safety_fen >= 0),         -- of the safety deposit to the buyer
  cost_efficiency_fen bigint not null default 0 check (cost_efficiency_fen >= 0), -- of the efficiency deposit to the buyer
  computed jsonb not null,                                    -- how the split came about, line by line
  status text not null default 'asked' check (status in ('asked', 'agreed', 'declined', 'withdrawn', 'arbitration')),
  dispute_id bigint references dispute,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  check ((status = 'arbitration') = (dispute_id is not null))
);
create unique index service_cancel_open on service_cancel (order_id) where status = 'asked';

-- Hours in which a companion can be booked; a day is 0 to 6 from Monday, times are minutes of the day in China.
create table provider_hours (
  provider_id bigint not null references provider,
  day smallint not null check (day between 0 and 6),
  from_minute smallint not null check (from_minute between 0 and 1439),
  to_minute smallint not null check (to_minute between 1 and 1440),
  primary key (provider_id, day, from_minute),
  check (to_minute > from_minute)
);

revoke update, delete, truncate on deposit_penalty, provider_event, service_progress from youshi_app;
revoke delete, truncate on provider, service_order, deposit_release from youshi_app;
