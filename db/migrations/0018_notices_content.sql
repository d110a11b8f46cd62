-- Notices: what a person is told, on which channels, and when not. An event makes one notice per person (unique with its ref), the
-- notice makes deliveries; a job sends them. Content: what the back office writes. Bodies are blocks of plain text, never markup:
-- [{t: 'p'|'h'|'li'|'quote', text}, {t: 'img', key, alt}, {t: 'link', text, url}].

-- Kinds of notice with their default channels; kinds that are not optional (money, security) cannot be switched off.
create table notice_kind (
  code text primary key check (code ~ '^[a-z_.]{2,40}$'),
  name text not null,
  grp text not null check (grp in ('order', 'money', 'goods', 'chat', 'security', 'service', 'activity')),
  channels text[] not null,
  optional boolean not null default true,
  urgent boolean not null default false,         -- passes the quiet hours
  sort int not null default 0,
  check (channels <@ '{site,wechat,sms,email,push}' and 'site' = any (channels))
);
insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('order.paid', '有新订单待发货', 'order', '{site,wechat,sms}', true, true, 10),
  ('order.shipped', '卖家已发货', 'order', '{site,wechat,sms}', true, true, 20),
  ('order.handover', '轮到你完成换绑步骤', 'order', '{site,wechat}', true, true, 30),
  ('order.late', '发货或收货即将超时', 'order', '{site,wechat,sms}', true, true, 40),
  ('order.done', '交易完成', 'order', '{site,wechat}', true, false, 50),
  ('order.cancelled', '订单已取消', 'order', '{site,wechat}', true, false, 60),
  ('order.dispute', '纠纷有新进展', 'order', '{site,wechat,sms}', false, true, 70),
  ('order.claim', '理赔有新进展', 'order', '{site,wechat}', false, false, 80),
  ('money.topup', '充值到账', 'money', '{site,wechat}', false, false, 100),
  ('money.released', '货款已解冻', 'money', '{site,wechat}', false, false, 110),
  ('money.withdraw', '提现进度', 'money', '{site,wechat,sms}', false, false, 120),
  ('money.refund', '退款到账', 'money', '{site,wechat}', false, false, 130),
  ('goods.review', '商品审核结果', 'goods', '{site,wechat}', true, false, 200),
  ('goods.hidden', '商品因长时间未登录将隐藏', 'goods', '{site,wechat}', true, false, 210),
  ('goods.bargain', '议价有新进展', 'goods', '{site,wechat}', true, false, 220),
  ('goods.alert', '订阅的商品有变化', 'goods', '{site,wechat}', true, false, 230),
  ('goods.want', '有符合求购的新商品', 'goods', '{site,wechat}', true, false, 240),
  ('chat.offline', '有未读的订单消息', 'chat', '{site,wechat,sms}', true, false, 300),
  ('security.login', '新设备登录', 'security', '{site,wechat}', false, true, 400),
  ('security.change', '登录信息或收款账户变更', 'security', '{site,sms}', false, true, 410),
  ('service.review', '入驻审核结果', 'service', '{site,wechat}', false, false, 500),
  ('service.order', '代练陪玩订单进展', 'service', '{site,wechat}', true, true, 510),
  ('recycle.quote', '回收报价结果', 'service', '{site,wechat,sms}', true, true, 520),
  ('activity.coupon', '优惠券到账或即将过期', 'activity', '{site}', true, false, 600);

-- dist_id records: texts name the site on which the person acted.
create table notice (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,
  user_id bigint not null references app_user,
  kind text not null references notice_kind,
  ref text not null,                             -- what it is about; one event tells one person once
  title text not null,
  body text not null,
  link text check (link is null or link ~ '^/($|[^/\\])'), -- inside the site only
  read_at timestamptz,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (user_id, kind, ref)
);
create index notice_user on notice (user_id, id desc) where removed_at is null;
create index notice_unread on notice (user_id) where read_at is null and removed_at is null;

create table notice_delivery (
  id bigint generated always as identity primary key,
  notice_id bigint not null references notice,
  channel text not null check (channel in ('wechat', 'sms', 'email', 'push')),
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'dropped')),
  due_at timestamptz not null default now(),     -- later than now in quiet hours and for daily digests
  attempts smallint not null default 0,
  vendor_ref text,
  error text,
  done_at timestamptz,
  unique (notice_id, channel)
);
create index notice_delivery_due on notice_delivery (due_at) where status = 'waiting';

-- Only what differs from the kind's default is kept.
create table notice_preference (
  user_id bigint not null references app_user,
  kind text not null references notice_kind,
  channels text[] not null check (channels <@ '{site,wechat,sms,email,push}'),
  frequency text not null default 'now' check (frequency in ('now', 'daily')),
  updated_at timestamptz not null default now(),
  primary key (user_id, kind)
);
-- Minutes of the day in China; from later than to means over midnight.
create table notice_quiet (
  user_id bigint primary key references app_user,
  from_minute smallint not null check (from_minute between 0 and 1439),
  to_minute smallint not null check (to_minute between 0 and 1439),
  check (from_minute <> to_minute)
);

create table notice_template (
  kind text not null references notice_kind,
  channel text not null check (channel in ('site', 'wechat', 'sms', 'email', 'push')),
  version int not null,
  title text not null,
  body text not null,                            -- {name} marks are filled from the event
  vendor_template text,                          -- number of the text at the SMS or WeChat vendor
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (kind, channel, version)
);

-- A browser that may be pushed to. The endpoint is a capability, so it is sealed and found by its hash.
create table push_subscription (
  endpoint_hash bytea primary key,
  user_id bigint not null references app_user,
  endpoint_enc bytea not null,
  keys_enc bytea not null,
  fails smallint not null default 0,
  created_at timestamptz not null default now()
);
create index push_subscription_user on push_subscription (user_id);

-- News, notices of the site, help. dist_id filters; null = every site.
create table news (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[A-Za-z0-9-]{2,40}$'),
  dist_id int references distributor,
  category text not null check (category in ('notice', 'activity', 'guide', 'safety', 'rule', 'complaint', 'about')),
  game_id int references game,
  title text not null,
  summary text not null default '',
  cover_key text,
  blocks jsonb not null check (jsonb_typeof(blocks) = 'array'),
  pinned boolean not null default false,
  status smallint not null default 0 check (status in (0, 1, 2)), -- 0 draft, 1 published, 2 withdrawn
  version int not null default 1,
  views int not null default 0,
  author_id bigint references staff,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (status <> 1 or published_at is not null)
);
create index news_list on news (category, pinned desc, published_at desc, id desc) where status = 1;

-- Event cases: what happened, how it was decided, what to learn. Anonymised.
create table event_case (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[A-Za-z0-9-]{2,40}$'),
  dist_id int references distributor,            -- filters; null = every site
  kind text not null check (kind in ('recovered', 'fraud', 'fake_service', 'private_trade', 'dispute', 'claim', 'other')),
  game_id int references game,
  title text not null,
  summary text not null,
  amount_fen bigint check (amount_fen > 0),
  result text not null default '',
  cover_key text,
  blocks jsonb not null check (jsonb_typeof(blocks) = 'array'),
  claim_id bigint references guarantee_claim,
  dispute_id bigint references dispute,
  happened_on date,
  status smallint not null default 0 check (status in (0, 1, 2)),
  views int not null default 0,
  author_id bigint references staff,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (status <> 1 or published_at is not null)
);
create index event_case_list on event_case (published_at desc, id desc) where status = 1;

create table league (
  id int generated always as identity primary key,
  game_id int not null references game,
  name text not null,
  stage text not null default '',
  starts_on date not null,
  ends_on date not null,
  status smallint not null default 1 check (status in (0, 1, 2)),
  check (ends_on >= starts_on)
);
create table league_team (
  id int generated always as identity primary key,
  name text not null,
  short_name text not null,
  logo_key text,
  unique (name)
);
create table league_match (
  id bigint generated always as identity primary key,
  league_id int not null references league,
  home_id int not null references league_team,
  away_id int not null references league_team,
  starts_at timestamptz not null,
  best_of smallint not null default 1 check (best_of in (1, 3, 5, 7)),
  home_score smallint not null default 0 check (home_score >= 0),
  away_score smallint not null default 0 check (away_score >= 0),
  status text not null default 'waiting' check (status in ('waiting', 'playing', 'over', 'postponed')),
  watch_url text check (watch_url is null or watch_url ~ '^https?://'),
  check (home_id <> away_id)
);
create index league_match_time on league_match (starts_at, id);

-- Certificates of the footer and of /about: licence, ICP, awards. At most nine are shown (product.md 9). dist_id filters; null = every site.
create table site_certificate (
  id int generated always as identity primary key,
  dist_id int references distributor,
  title text not null,
  picture_key text not null,
  ht_url text check (ht_url is null or ht_url ~ '^https?://'),
  sort int not null default 0,
  status smallint not null default 1 check (status in (1, 2))
);
create index site_certificate_list on site_certificate (dist_id, sort) where status = 1;

-- Adverts by position; on a game's pages with game_id. What is clickable is stored by four eyes. dist_id filters; null = every site.
create table advert (
  id bigint generated always as identity primary key,
  dist_id int references distributor,
  position text not null check (position ~ '^[a-z0-9_]{2,40}$'),
  game_id int references game,
  device smallint not null default 0 check (device in (0, 1)), -- 0 PC, 1 phone
  title text not null,
  small_title text not null default '',
  picture_key text,
  ht_url text not null check (ht_url ~ '^(https?://|/($|[^/\\]))'),
  remind boolean not null default false,         -- opens the reminder dialog with its countdown first
  sort int not null default 0,
  starts_at timestamptz not null default now(),
  ends_at timestamptz,
  status smallint not null default 0 check (status in (0, 1, 2)), -- 0 waits for the second person, 1 shown, 2 off
  created_by bigint references staff,
  approved_by bigint references staff,
  created_at timestamptz not null default now(),
  check (status <> 1 or created_by is null or (approved_by is not null and approved_by <> created_by)), -- null: came with the installation
  check (ends_at is null or ends_at > starts_at)
);
create index advert_shown on advert (position, sort) where status = 1;

create table partner_link (
  id int generated always as identity primary key,
  dist_id int references distributor,            -- filters; null = every site
  title text not null,
  url text not null check (url ~ '^https?://'),
  may_jump boolean not null default true,        -- /jump leads here without asking twice
  sort int not null default 0,
  status smallint not null default 1 check (status in (1, 2)),
  created_by bigint references staff,
  created_at timestamptz not null default now()
);
create index partner_link_list on partner_link (dist_id, sort) where status = 1;

-- Business co-operation and business recycling. dist_id filters.
create table cooperation_request (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  user_id bigint references app_user,
  kind text not null check (kind in ('distributor', 'shop', 'recycling', 'studio', 'media', 'new_game', 'other')),
  company text not null default '',
  name_enc bytea not null,
  phone_enc bytea not null,
  phone_mask text not null,
  contact_enc bytea,
  games int[] not null default '{}',
  text text not null,
  status text not null default 'new' check (status in ('new', 'talking', 'done', 'refused')),
  note text,
  staff_id bigint references staff,
  created_at timestamptz not null default now(),
  handled_at timestamptz
);
create index cooperation_request_open on cooperation_request (dist_id, id) where status in ('new', 'talking');

-- Agreements and policies that consent names by code and version.
create table legal_text (
  code text not null check (code ~ '^[a-z_]{2,40}$'),
  version int not null check (version > 0),
  title text not null,
  blocks jsonb not null check (jsonb_typeof(blocks) = 'array'),
  in_force_from timestamptz not null,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (code, version)
);
create trigger legal_text_immutable before update or delete or truncate on legal_text for each statement execute function refuse_change();

revoke update, delete, truncate on legal_text from youshi_app;
