-- The schema of a new market and its first rows. Later changes are files of their own, from 0002 on; this one is never edited (docs/decisions/491).
--
-- Order: tables, each with its indexes, after the tables that it refers to; foreign keys that point forward; views; functions (their current
-- text is in db/functions); privileges of the application; rows; triggers. dist_id records the site of a row and filters nothing, unless a
-- comment says that it does.

-- Extensions that a managed PostgreSQL grants: nothing here needs a superuser.
create extension if not exists btree_gin;
create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- The application works as youshi_app: it can use the ledger's functions and read its tables, never write them.
-- A role is global to the server, so another database of the same server may have made it already.
do $$
begin
  create role youshi_app nologin;
exception when duplicate_object then null;
end $$;
do $$
begin
  execute format('grant youshi_app to %I', current_user);
exception when others then null; -- already a member, or a superuser that needs no grant
end $$;
grant usage on schema public to youshi_app;
alter default privileges in schema public grant select, insert, update on tables to youshi_app;
alter default privileges in schema public grant usage on sequences to youshi_app;

-- Functions that columns, constraints and indexes use.

CREATE OR REPLACE FUNCTION public.chat_urgency(p_reply_by timestamp with time zone, p_step_by timestamp with time zone, p_last_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce((extract(epoch from least(p_reply_by, p_step_by) at time zone 'UTC') * 1000000)::bigint,
    6000000000000000 - (extract(epoch from p_last_at at time zone 'UTC') * 1000000)::bigint)
$function$;

CREATE OR REPLACE FUNCTION public.goods_sn(p_id bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 'Y' || chr(65 + (((p_id / 10000000) + 18) % 26)::int) || lpad(((p_id % 10000000) * 7368787 % 10000000)::text, 7, '0');
$function$;

CREATE OR REPLACE FUNCTION public.milestone_sum(p jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(sum((m->>'shareBp')::int), 0)::int from jsonb_array_elements(p) m;
$function$;

CREATE OR REPLACE FUNCTION public.name_parts(p_name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select coalesce(array_agg(distinct substr(lower(p_name), i, 2)), '{}') from generate_series(1, greatest(length(p_name) - 1, 1)) i
$function$;

create sequence game_number as int start with 1001;
create sequence game_area_number as int start with 10000001;
create sequence game_server_number as int start with 1000000001;

-- ---- Kernel ----

-- An effect that must follow a committed change: written in its transaction, turned into jobs and bus messages by one relay.
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null,
  payload jsonb not null,
  created_at timestamptz not null default now()
);
-- Every lane asks ten times a second for the first event of its topics.
create index outbox_topic on outbox (topic, id);
comment on table outbox is 'Rows are deleted once the relay has handed them on; an old row means that the relay is stuck.';

-- Durable timers: one per (kind, ref). Setting it again moves it; removing it cancels it.
create table timer (
  kind text,
  ref text,
  due_at timestamptz not null,
  payload jsonb not null default '{}',
  attempts int not null default 0,
  -- How the runs of a job have failed since it was set: `attempts` counts claims, `faults` those that ended with a fault of ours.
  faults int not null default 0,
  first_failed_at timestamptz,
  last_error text,
  primary key (kind, ref)
);
create index timer_due on timer (due_at);

-- The asker's key, the hash of what was asked, and the facts that the effect produced, stored with the effect itself.
create table idempotency (
  scope text,                                   -- who asked: 'u:<user id>' or 's:<staff id>'
  endpoint text,
  key text,
  request_hash text not null,
  facts jsonb,                                  -- null only inside the transaction that is still working
  created_at timestamptz not null default now(),
  primary key (scope, endpoint, key)
);
create index idempotency_age on idempotency (created_at);

-- Acts of staff on money, persons and configuration. Insert only.
create table audit_log (
  id bigint generated always as identity primary key,
  staff_id bigint,
  act text not null,
  target text not null,
  detail jsonb not null default '{}',
  ip text,
  created_at timestamptz not null default now()
);
create index audit_log_target on audit_log (target, id desc);
create index audit_log_created on audit_log (created_at, id);

-- Budgets that must hold across processes and restarts (SMS, log-in, verification).
create table limit_counter (key text primary key, hits int not null, reset_at timestamptz not null);

-- ---- Distributors ----

-- Distributors (tenants). Branding and attribution over shared goods (domain.md 1).
create table distributor (
  id int generated always as identity primary key,
  code text not null unique,
  name text not null,
  conf jsonb not null default '{}',             -- distBaseConf, pictArea, adverPosMap, botQuals, bottomVerInfo … (product.md 3)
  theme jsonb not null default '{}',            -- brand hue and chroma, index layout
  games int[],                                  -- the games it shows; null = all
  mark_up_bp int not null default 0 check (mark_up_bp between 0 and 3000),
  commission_bp int not null default 2000 check (commission_bp between 0 and 10000), -- its share of the platform's fees
  status smallint not null default 1,
  created_at timestamptz not null default now(),
  version int not null default 0,               -- the live version; 0 = what the installation came with
  suspended_at timestamptz,
  suspend_notice text not null default '' check (length(suspend_notice) <= 200)
);
comment on column distributor.mark_up_bp is 'Mark-up before the first row of brand_terms';
comment on column distributor.commission_bp is 'Share of the fees before the first row of brand_terms';

create table dist_host (
  host text primary key check (host = lower(host)),
  dist_id int not null references distributor,
  -- Hosts: one of a brand's is its own address, the others may lead there. A name that is given up can be taken by another brand.
  is_primary boolean not null default false,
  redirects boolean not null default false,     -- pages of this host lead to the primary one
  created_by bigint,
  created_at timestamptz not null default now(),
  constraint dist_host_not_to_itself check (not (is_primary and redirects))
);
create unique index dist_host_primary on dist_host (dist_id) where is_primary;

-- Fee rates and limits that domain.md gives as defaults; staff change them here. Newest row of a key counts.
create table setting (
  key text,
  version int,
  value jsonb not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  valid_from timestamptz not null default now(),
  reason text not null default '' check (length(reason) <= 200),
  approved_by bigint,
  revoked_at timestamptz,
  revoked_by bigint,
  primary key (key, version),
  constraint setting_two_persons check (approved_by is distinct from created_by or approved_by is null)
);

-- ---- Accounts ----

-- Users belong to the platform; dist_id records on which site they registered.
create table app_user (
  id bigint generated always as identity (start with 10001) primary key,
  dist_id int not null references distributor,
  phone_hash bytea not null unique,             -- HMAC blind index: look-up without the number
  phone_enc bytea not null,                     -- AES-256-GCM, bound to the row
  phone_mask text not null,                     -- 138****1234
  nick_name text not null,
  avatar text,                                  -- picture key; null = drawn from the nickname
  password_hash text,
  pay_password_hash text,
  pay_password_fails smallint not null default 0,
  pay_password_locked_until timestamptz,
  email_enc bytea,
  email_hash bytea unique,
  union_num text not null unique,
  invite_code text not null unique,
  inviter_id bigint references app_user,
  auth_status smallint not null default 0 check (auth_status in (0, 1, 2, 3)), -- 2 = verified (product.md 3)
  is_quick_shop boolean not null default false,
  is_booster boolean not null default false,
  is_accompanyer boolean not null default false,
  seller_level smallint not null default 0 check (seller_level between 0 and 5),
  sold_count int not null default 0,
  rating_sum int not null default 0,
  rating_count int not null default 0,
  paid_total_fen bigint not null default 0,     -- for the VIP level
  online boolean not null default true,         -- the seller's own switch
  last_seen_at timestamptz not null default now(),
  status smallint not null default 1,           -- 1 active, 2 restricted, 3 deleted
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  erase_at timestamptz,
  erased_at timestamptz,
  payout_wait_until timestamptz,
  payout_wait_reason text check (payout_wait_reason in ('phone', 'payPassword')),
  rating_good int not null default 0,           -- The score as people read it: how many of the reviews that count give four stars or five.
  contact_enc bytea,
  contact_mask text not null default '' check (length(contact_mask) <= 40),
  check ((closed_at is null) = (erase_at is null)),
  constraint app_user_contact check ((contact_enc is null) = (contact_mask = ''))
);
create index app_user_inviter on app_user (inviter_id, id desc) where inviter_id is not null;
-- Who is present, newest visit first: the way from few people who are there to what they sell (goods_search is found by its seller).
-- A visit is noted once in minutes, so that the index is written rarely.
create index app_user_present on app_user (last_seen_at desc) include (id) where online;
create index app_user_created on app_user (created_at, id);
create index app_user_sold on app_user (sold_count, id);
-- The search of the back office finds people by how their name begins.
create index app_user_nick on app_user (lower(nick_name) text_pattern_ops);
create index app_user_seen on app_user (last_seen_at, id);
create index app_user_name_parts on app_user using gin (name_parts(nick_name));

create table session (
  id_hash bytea primary key,                    -- sha256 of the cookie; the cookie itself is nowhere
  user_id bigint references app_user,
  staff_id bigint,
  kind text not null check (kind in ('web', 'app', 'staff')),
  dist_id int not null references distributor,
  ip text,
  agent text,
  pay_verified_at timestamptz,                  -- step-up by pay password or SMS; good for 5 min
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_seen_at timestamptz not null default now(), -- When a session was last used, to five minutes.
  factor_verified_at timestamptz,               -- When the second factor was given again in this session, for decisions on money and on people.
  check ((user_id is null) <> (staff_id is null))
);
create index session_of_user on session (user_id);
create index session_age on session (expires_at);
create index session_staff on session (staff_id) where staff_id is not null;

create table sms_code (
  phone_hash bytea,
  purpose text,
  dist_id int not null references distributor,
  code_hash bytea not null,
  tries smallint not null default 0,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (phone_hash, purpose)
);

create table real_name (
  user_id bigint primary key references app_user,
  name_enc bytea not null,
  id_no_enc bytea not null,
  id_hash bytea not null,
  name_mask text not null,
  id_mask text not null,
  birth_date date not null,
  status smallint not null check (status in (1, 2, 3)),
  provider_ref text,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  -- A check by face that was started and has not ended: the person stands in the row with status 1 until the vendor says how it ended.
  face_ref text,
  face_until timestamptz,
  constraint real_name_face_check check ((face_ref is null) = (face_until is null) and (status <> 1 or face_ref is not null))
);
create unique index real_name_once on real_name (id_hash) where status = 2;
comment on column real_name.face_ref is 'The number of a check by face at the vendor; null for one by name and number alone.';

create table payout_account (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  kind text not null check (kind in ('alipay', 'wechat', 'bank')),
  account_enc bytea not null,
  account_hash bytea not null,
  account_mask text not null,
  name_enc bytea not null,
  usable_from timestamptz not null default now(),
  removed_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index payout_account_one on payout_account (user_id, kind) where removed_at is null;
create index payout_account_shared on payout_account (account_hash, user_id);

create table role_card (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  game_id int not null,
  area_id int,
  server_id int,
  role_name text not null,
  role_level int,
  note text,
  created_at timestamptz not null default now()
);
create index role_card_user on role_card (user_id, id desc);

create table third_party_binding (
  user_id bigint references app_user,
  provider text check (provider in ('wechat', 'qq', 'wechat_push')),
  open_id text not null,
  union_id text,
  created_at timestamptz not null default now(),
  primary key (user_id, provider)
);
create unique index third_party_open on third_party_binding (provider, open_id);

create table wechat_login (
  code text primary key,
  browser_hash bytea not null,
  dist_id int not null references distributor,
  user_id bigint references app_user,
  status text not null default 'pending' check (status in ('pending', 'scanned', 'confirmed', 'used')),
  expires_at timestamptz not null,
  act text not null default 'login' check (act in ('login', 'bind')),
  open_id text,
  union_id text,
  phone_hash bytea,
  agent text not null default '',
  created_at timestamptz not null default now(),
  ip text not null default '',                  -- The address that asked for a QR log-in, told to the phone before it confirms; rows are swept within the hour.
  check (status = 'pending' or open_id is not null and phone_hash is not null),
  constraint wechat_login_check1 check (act = 'login' or user_id is not null)
);
create index wechat_login_age on wechat_login (expires_at);

create table staff (
  id bigint generated always as identity (start with 101) primary key,
  login text not null unique,
  name text not null,
  role text not null,
  dist_id int references distributor,           -- operators act for one distributor only
  password_hash text,
  totp_secret_enc bytea,
  totp_last_step bigint not null default 0,     -- a code is good once
  im_uid text not null unique,
  on_duty boolean not null default true,
  max_chats int not null default 200,
  status smallint not null default 1 check (status in (1, 2, 9)),
  created_at timestamptz not null default now(),
  permissions text[] not null default '{}',     -- Permissions beside those of the role.
  disabled_at timestamptz,
  email text                                    -- Where a one-time address goes when mail is on.
);

create table consent (
  user_id bigint references app_user,
  text_code text,
  text_version int,
  ip text,
  created_at timestamptz not null default now(),
  primary key (user_id, text_code, text_version)
);

-- ---- Ledger ----

-- The ledger. One writer: ledger_post. A transfer moves fen from a debit to a credit account, so the sum over all accounts is
-- zero by construction; entries carry the balance after each move and a gap-free version per account, so every balance can
-- be proved from its own chain. What must not happen, the tables refuse.
-- Account keys are text that can be read in an audit:
--   user:<id>:available | user:<id>:frozen | user:<id>:deposit | order:<id>:escrow | want:<id>:deposit
--   dist:<id>:commission | platform:<fee|guarantee_fund|coupon_expense|rounding>:<shard> | clearing:<channel>:<shard>
-- Platform and clearing accounts are spread over 16 shards so that trade does not queue on one row.
create table ledger_account (
  key text primary key,
  may_overdraw boolean not null default false,  -- money outside (clearing) and what the platform spends (coupons)
  balance bigint not null default 0,
  version bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint balance_not_negative check (may_overdraw or balance >= 0)
);

create table ledger_transfer (
  id bigint generated always as identity primary key,
  code text not null,                           -- why: the posting's name in docs/LEDGER.md
  ref text not null,                            -- what: unique together with code, so that nothing is posted twice
  debit text not null references ledger_account,
  credit text not null references ledger_account,
  amount_fen bigint not null check (amount_fen > 0),
  dist_id int not null,                         -- records the site of the trade
  order_id bigint,
  created_at timestamptz not null default now(),
  unique (code, ref),
  check (debit <> credit)
);
create index ledger_transfer_order on ledger_transfer (order_id) where order_id is not null;
-- What somebody was rewarded with, and what a distributor earned, without walking the whole account.
create index ledger_transfer_invite on ledger_transfer (credit, id) where code = 'invite_reward';
create index ledger_transfer_share on ledger_transfer (dist_id, created_at) where code in ('dist_share', 'dist_settle');
create index ledger_transfer_created on ledger_transfer (created_at, id);

create table ledger_entry (
  account text references ledger_account,
  version bigint,
  transfer_id bigint not null references ledger_transfer,
  delta bigint not null check (delta <> 0),
  balance_after bigint not null,
  created_at timestamptz not null default now(),
  primary key (account, version)
);
create index ledger_entry_transfer on ledger_entry (transfer_id);

-- Money that waits for somebody, with its reason and its end. The sum of a user's open holds equals user:<id>:frozen.
create table hold (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  amount_fen bigint not null check (amount_fen > 0),
  code text not null,                           -- sale_protection, withdrawal, dispute …
  reason text not null,                         -- the sentence that its owner reads
  ref text not null,                            -- order or withdrawal
  release_at timestamptz,                       -- null: ends by an act, not by time
  released_at timestamptz,
  release_note text,
  created_at timestamptz not null default now(),
  -- What the guarantee fund had to pay of a ruling because the money had left early. Whoever has one gets no stages.
  short_fen bigint not null default 0 check (short_fen >= 0),
  unique (code, ref)
);
create index hold_open on hold (user_id, id desc) where released_at is null;
create index hold_short on hold (user_id) where short_fen > 0;
create index hold_open_created on hold (created_at, id) where released_at is null;

-- ---- Games ----

-- The catalogue is data with versions, never code (domain.md 1): staff can add a game without a deploy.
create table game (
  id int primary key,
  code text not null unique,
  name text not null,
  game_type smallint not null check (game_type in (1, 2)), -- 1 PC, 2 mobile
  initial character(1) not null,
  pinyin text not null,
  initials text not null,
  hue int not null default 221,
  scene text not null default 'hills',
  glyph text not null default '',               -- the one character its drawn icon shows
  hot int not null default 0,                   -- rank among hot games, 0 = not hot
  goods_types jsonb not null,                   -- [{id, name}]
  coin_unit text,
  coin_ratio numeric,                           -- typical units for one yuan
  status smallint not null default 1,
  created_at timestamptz not null default now(),
  aliases text[] not null default '{}',         -- Catalogue: what the search needs beyond a game's name.
  default_type smallint not null default 1,
  icon_key text,                                -- an uploaded picture; null = the icon is drawn from hue, scene and glyph
  version int not null default 0                -- newest row of game_version; 0 = never stored through the service
);
comment on column game.aliases is 'Other names that people search a game by.';
comment on column game.default_type is 'Goods type that a search in this game starts with (product.md 9).';

create table game_area (
  id int primary key,
  game_id int not null references game,
  name text not null,
  sort int not null default 0,
  status smallint not null default 1 check (status in (0, 1)), -- 0: offered no more, still readable
  unique (game_id, name) deferrable             -- two names may be swapped
);

create table game_server (
  id int primary key,
  area_id int not null references game_area,
  name text not null,
  sort int not null default 0,
  status smallint not null default 1 check (status in (0, 1)),
  merged_into int references game_server,       -- the server that took this one's characters
  unique (area_id, name) deferrable,
  constraint game_server_merged_is_off check (merged_into is null or status = 0 and merged_into <> id)
);

-- kind 'fields': publishing form and filters; 'handover': steps. The newest version counts; goods and orders keep the one they used.
create table catalogue_version (
  game_id int references game,
  kind text check (kind in ('fields', 'handover')),
  version int,
  body jsonb not null,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (game_id, kind, version)
);

create table picture (
  id bigint generated always as identity primary key,
  key text not null unique,                     -- random, immutable; the file's name in storage
  owner_id bigint references app_user,
  staff_id bigint references staff,
  purpose text not null check (purpose in ('goods', 'chat', 'avatar', 'evidence', 'content')),
  width int not null,
  height int not null,
  bytes int not null,
  sha256 bytea not null,
  created_at timestamptz not null default now(),
  source_key text                               -- Where a direct upload lay before it became this picture: asked again, or twice at once, it is the same picture.
);
create index picture_owner on picture (owner_id, id desc);
create unique index picture_source on picture (source_key) where source_key is not null;

-- ---- Goods ----
-- Goods are shared by all distributors; dist_id records where it was published.

-- status: 0 draft, 1 reviewing, 2 on sale, 3 off sale, 4 locked by an order, 5 sold, 6 rejected, 7 hidden (seller away), 8 removed
create table goods (
  id bigint generated always as identity primary key,
  sn text generated always as (goods_sn(id)) stored not null,
  dist_id int not null references distributor,
  seller_id bigint not null references app_user,
  game_id int not null references game,
  type_id smallint not null,
  area_id int,
  server_id int,
  title text not null,
  description text not null default '',
  price_fen bigint not null check (price_fen between 100 and 999999900),
  stock int not null default 1 check (stock >= 0),
  attrs jsonb not null default '{}',
  fields_version int not null default 1,
  pictures jsonb not null default '[]',         -- [{key, width, height}] or [{art: seed}] drawn for the demo market
  fingerprint bytea,                            -- salted hash of game, server and account id: the account passport's key
  source text,                                  -- where the account came from
  official boolean not null default false,      -- isOfficialSell
  bargain_ok boolean not null default false,
  guarantee_ok boolean not null default true,
  inspected_at timestamptz,
  status smallint not null default 0 check (status between 0 and 8),
  review_note text,
  version int not null default 1,               -- moves with every change that a buyer must see before paying
  import_key text,                              -- seller's own number in a stock list: importing twice imports once
  refreshed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Somebody else has seen the credentials: the seller must confirm a changed password before it is on sale again.
  password_due_at timestamptz
);
create unique index goods_sn_key on goods (sn);
create index goods_seller on goods (seller_id, status, id desc);
create index goods_review on goods (updated_at) where status = 1;
create unique index goods_fingerprint_live on goods (fingerprint) where fingerprint is not null and (status in (1, 2, 3, 4, 7));
create index goods_fingerprint on goods (fingerprint, id) where fingerprint is not null;
create unique index goods_import on goods (seller_id, import_key) where import_key is not null;
create index goods_created on goods (created_at, id);
create index goods_price on goods (price_fen, id);

-- The narrow table that lists and searches read: on-sale rows only (facts: bigrams and facet tokens in one tsvector, one
-- composite GIN, btrees on price and newest). Counters stay out of it. Maintained by goods_index().
create table goods_search (
  goods_id bigint primary key references goods,
  game_id int not null,
  type_id smallint not null,
  area_id int,
  server_id int,
  seller_id bigint not null,
  price_fen bigint not null,
  refreshed_at timestamptz not null,
  score int not null default 0,
  n1 int,
  n2 int,
  n3 int,
  n4 int,
  tsv tsvector not null
);
create index gs_game_price on goods_search (game_id, price_fen, goods_id);
create index gs_game_new on goods_search (game_id, refreshed_at desc, goods_id desc);
create index gs_game_score on goods_search (game_id, score desc, goods_id desc);
create index gs_price on goods_search (price_fen, goods_id);
create index gs_new on goods_search (refreshed_at desc, goods_id desc);
create index gs_score on goods_search (score desc, goods_id desc);
create index gs_seller on goods_search (seller_id);
create index gs_gin on goods_search using gin (game_id, tsv) with (gin_pending_list_limit='1024');
-- A list of a game is nearly always one goods type (product.md 9: the type has a default), and types differ in price and score by
-- themselves: a walk along the game's cheapest goods would meet thousands of items before the first account. Each order of a
-- game's type therefore has its own index; gs_game_* stay for lists of all types.
create index gs_type_price on goods_search (game_id, type_id, price_fen, goods_id);
create index gs_type_new on goods_search (game_id, type_id, refreshed_at desc, goods_id desc);
create index gs_type_score on goods_search (game_id, type_id, score desc, goods_id desc);
-- Every node reads a sample of the listings on sale, one in sixteen at most (server/slices/goods/search/sampling.ts).
create index goods_search_sample on goods_search (hashint8(goods_id), goods_id) where hashint8(goods_id) < '-1879048192'::integer;
alter table goods_search alter column tsv set statistics 1000;

create table goods_stat (
  goods_id bigint primary key references goods,
  views int not null default 0,
  follows int not null default 0,
  -- Most viewed, by game. The counter stays out of goods_search, whose ten indexes would all be written for each batch of views;
  -- game_id is set only while the goods are on sale, so that a walk meets nothing that cannot be shown.
  game_id int
);
create index goods_stat_views on goods_stat (views desc, goods_id desc) where game_id is not null;
create index goods_stat_game_views on goods_stat (game_id, views desc, goods_id desc) where game_id is not null;

create table goods_follow (
  user_id bigint references app_user,
  goods_id bigint references goods,
  price_fen bigint not null,                    -- when followed: tells a price drop
  created_at timestamptz not null default now(),
  alert_drop boolean not null default true,
  alert_back boolean not null default true,
  told_fen bigint,
  told_back_at timestamptz,
  primary key (user_id, goods_id)
);
create index goods_follow_new on goods_follow (user_id, created_at desc);
create index goods_follow_goods on goods_follow (goods_id);

create table goods_view (
  user_id bigint references app_user,
  goods_id bigint references goods,
  viewed_at timestamptz not null default now(),
  primary key (user_id, goods_id)
);
create index goods_view_new on goods_view (user_id, viewed_at desc);
create index goods_view_age on goods_view (viewed_at);

-- Every decision and change of a goods, for the reviewer, the seller and the account passport.
create table goods_event (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods,
  kind text not null,                           -- published, approved, rejected, edited, price, on, off, locked, sold, inspected …
  actor text not null,                          -- user:<id>, staff:<id>, system
  detail jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index goods_event_goods on goods_event (goods_id, id);

-- What staff or the game's own page read off the account, with who and when (inspection).
create table inspection (
  goods_id bigint references goods,
  field text,
  label text not null,
  value text not null,
  reader text not null,                         -- '系统读取' or '验号员 <name>'
  read_at timestamptz not null,
  picture_key text,
  task_id bigint,
  said text not null default '',
  differs boolean not null default false,
  primary key (goods_id, field)
);

-- Low, typical, high of what sold in the last 90 days, by game, goods type and price segment; made by a job from real orders.
create table price_stat (
  game_id int references game,
  type_id smallint,
  segment text default '',
  low_fen bigint not null,
  typical_fen bigint not null,
  high_fen bigint not null,
  samples int not null,
  made_at timestamptz not null default now(),
  primary key (game_id, type_id, segment)
);
comment on column price_stat.segment is 'Empty for the whole goods type, else key:min..max of the number that prices follow best.';

create table goods_draft (
  user_id bigint references app_user,
  draft_key text,                               -- game and goods type, or the goods being edited
  body jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, draft_key)
);

-- Offers. status: domain.md 4 (0 waiting, 1 agreed, 2 countered, 3 counter agreed, 4 and 5 refused, 6 expired, 7 ordered, 8 withdrawn)
create table bargain (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods,
  buyer_id bigint not null references app_user,
  seller_id bigint not null references app_user,
  dist_id int not null references distributor,
  offer_fen bigint not null check (offer_fen > 0),
  counter_fen bigint check (counter_fen > 0),
  goods_version int not null,
  status smallint not null default 0 check (status between 0 and 8),
  expires_at timestamptz not null,
  order_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  message text not null default '',
  price_fen bigint not null,
  ended_why text check (ended_why in ('timeout', 'sold', 'removed')),
  check (price_fen > offer_fen)
);
create unique index bargain_open on bargain (goods_id, buyer_id) where status in (0, 1, 2, 3);
create index bargain_buyer on bargain (buyer_id, id desc);
create index bargain_seller on bargain (seller_id, id desc);
-- Open offers on a goods: ended together when it is sold.
create index bargain_goods on bargain (goods_id, id desc);

create table want (
  id bigint generated always as identity primary key,
  sn text not null unique,
  user_id bigint not null references app_user,
  dist_id int not null references distributor,
  game_id int not null references game,
  type_id smallint not null,
  title text not null,
  filter jsonb not null default '{}',
  budget_fen bigint not null check (budget_fen > 0),
  deposit_fen bigint not null default 0,
  status smallint not null default 1 check (status in (1, 2, 3)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  area_id int,
  server_id int,
  words tsquery,                                -- null: no words asked for
  ranges jsonb not null default '[]',           -- [{slot, min, max}]
  at_least jsonb not null default '[]',         -- [{count, tokens}]
  push boolean not null default true,           -- tell the buyer of goods that fit
  met_order_id bigint
);
create index want_open on want (game_id, id desc) where status = 1;
create index want_user on want (user_id, id desc);
create index want_fit on want (game_id, type_id, budget_fen) where status = 1;

create table alert (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  dist_id int not null references distributor,
  kind text not null check (kind in ('search', 'price_drop', 'back_on_sale')),
  goods_id bigint references goods,
  filter jsonb not null default '{}',
  channels text[] not null default '{site}',
  frequency text not null default 'now' check (frequency in ('now', 'daily')),
  paused boolean not null default false,
  last_sent_at timestamptz,
  created_at timestamptz not null default now(),
  title text not null default '',
  path text not null default '/wares',          -- the list that it was saved from
  game_id int references game,
  type_id smallint,
  area_id int,
  server_id int,
  min_fen bigint,
  max_fen bigint,
  words tsquery,
  ranges jsonb not null default '[]',
  at_least jsonb not null default '[]',
  seller_id bigint
);
create index alert_user on alert (user_id, id desc);
create index alert_fit on alert (game_id, type_id) where kind = 'search' and not paused;

-- ---- Payments ----

-- Ways in and out. dist_id records; each distributor's finance sees its own (filter in queries).
create table payment (
  id bigint generated always as identity primary key,
  pay_rand text not null unique,                -- unguessable: the address of the page behind the QR
  inter_sn text not null unique,                -- our number at the channel
  dist_id int not null references distributor,
  user_id bigint not null references app_user,
  purpose text not null check (purpose in ('topup', 'order', 'deposit')),
  order_id bigint,
  channel text not null,                        -- sandbox, alipay, wechat
  pay_mode int not null,
  amount_fen bigint not null check (amount_fen > 0),
  balance_part_fen bigint not null default 0 check (balance_part_fen >= 0),
  status smallint not null default 0 check (status in (0, 1, 2, 3)), -- 0 waiting, 1 paid, 2 closed, 3 paid too late and refunded
  channel_trade_no text,
  qr_text text,
  return_url text,
  expires_at timestamptz not null,
  paid_at timestamptz,
  created_at timestamptz not null default now(),
  way text not null default 'qr' check (way in ('qr', 'page', 'h5', 'jsapi')),
  lead jsonb,                                   -- what a repeated request is answered with: address of a page, fields for WeChat
  asked_at timestamptz,                         -- the channel was asked where it stands
  deposit_role text check (deposit_role in ('seller', 'shop', 'booster', 'companion', 'recycler')),
  deposit_level smallint check (deposit_level between 1 and 9),
  attempt_of bigint references payment,
  dropped_at timestamptz,                       -- The payer chose another way: closed at the channel as soon as it answers.
  unique (channel, channel_trade_no),
  constraint payment_deposit check (purpose <> 'deposit' or deposit_role is not null and deposit_level is not null)
);
create index payment_user on payment (user_id, id desc);
create index payment_order on payment (order_id) where order_id is not null;
create index payment_waiting on payment (expires_at) where status = 0;
-- Money that a channel moved as our books tell it: one row per posting, named by the number that the channel knows.
create index payment_arrived on payment (channel, paid_at) where paid_at is not null;
create index payment_attempt_of on payment (attempt_of) where attempt_of is not null;
create index payment_topups on payment (coalesce(paid_at, created_at), id) where status = 1 and (purpose in ('topup', 'deposit'));

-- What a channel told us, before anything is decided. A genuine notification is recorded once; its repeats are acknowledged.
create table payment_notify (
  id bigint generated always as identity primary key,
  channel text not null,
  notify_key text not null,                     -- trade number and state
  payload jsonb not null,
  verdict text,                                 -- null = not decided yet
  received_at timestamptz not null default now(),
  decided_at timestamptz,
  unique (channel, notify_key)
);
create index payment_notify_open on payment_notify (id) where verdict is null;

-- status: 0 asked (money held), 1 approved and being paid, 2 paid, 3 refused or failed (money returned)
create table withdrawal (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  user_id bigint not null references app_user,
  payout_account_id bigint not null references payout_account,
  amount_fen bigint not null check (amount_fen > 0),
  fee_fen bigint not null default 0,
  status smallint not null default 0 check (status in (0, 1, 2, 3)),
  note text,
  approved_by bigint references staff,
  second_by bigint references staff,
  channel text,
  channel_no text,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  paid_at timestamptz,
  sent_at timestamptz,                          -- the channel was asked at least once: from then on it is asked where it stands first
  leased_until timestamptz,
  channel_reason text,                          -- the channel's own code while it waits or failed; for staff
  -- A transfer that the channel called done may still come back: the payee's account was closed or refused it. So a paid withdrawal is asked
  -- about again some days later, and what came back returns to the balance.
  bounced_at timestamptz,
  list_id bigint,
  accept_token text,                            -- Opens the channel's question to the payee who must accept the money first.
  constraint withdrawal_bounced check (bounced_at is null or status = 3)
);
create index withdrawal_user on withdrawal (user_id, id desc);
create index withdrawal_open on withdrawal (id) where status in (0, 1);
create index withdrawal_paid on withdrawal (channel, paid_at) where status = 2;
create index withdrawal_bounced_at on withdrawal (channel, bounced_at) where bounced_at is not null;
create index withdrawal_unlisted on withdrawal (id) where status = 1 and channel = 'bank' and list_id is null;
create index withdrawal_created on withdrawal (created_at, id);

-- Money sent back to where it came from. One row per (payment, number): the channel sees our number once.
create table refund (
  id bigint generated always as identity primary key,
  refund_no text not null unique,
  payment_id bigint not null references payment,
  order_id bigint,
  amount_fen bigint not null check (amount_fen > 0),
  reason text not null,
  status smallint not null default 0 check (status in (0, 1, 2)), -- 0 under way, 1 done, 2 failed
  created_at timestamptz not null default now(),
  done_at timestamptz,
  dist_id int not null references distributor,
  user_id bigint not null references app_user,
  channel text not null,
  cause text not null check (cause in ('late', 'asked', 'staff')),
  sent_at timestamptz,
  leased_until timestamptz,
  channel_reason text
);
create index refund_open on refund (id) where status = 0;
create index refund_payment on refund (payment_id);
create index refund_order on refund (order_id) where order_id is not null;
create index refund_user on refund (user_id, id desc);
create index refund_done on refund (channel, done_at) where status = 1;

-- Reconciliation with the channels' daily statements.
create table channel_statement (
  id bigint generated always as identity primary key,
  channel text not null,
  day date not null,
  imported_by bigint references staff,
  lines int not null default 0,
  created_at timestamptz not null default now(),
  source text not null default 'upload' check (source in ('upload', 'fetch')),
  file_name text,
  sha256 bytea,                                 -- the same file twice is one import
  pay_fen bigint not null default 0,
  refund_fen bigint not null default 0,
  transfer_fen bigint not null default 0,
  fee_fen bigint not null default 0,
  unique (channel, day)
);

create table channel_statement_line (
  statement_id bigint references channel_statement,
  line_no int,
  trade_no text not null,
  inter_sn text,
  kind text not null check (kind in ('pay', 'refund', 'transfer', 'back', 'fee')),
  amount_fen bigint not null,
  transfer_id bigint references ledger_transfer,
  difference text,
  at timestamptz,
  origin_sn text,                               -- of a refund: the number of the payment that it belongs to, where the channel tells it
  primary key (statement_id, line_no),
  constraint channel_statement_line_difference check (difference in ('unknown', 'amount', 'twice'))
);
create index channel_statement_line_transfer on channel_statement_line (transfer_id) where transfer_id is not null;
create index channel_statement_line_open on channel_statement_line (inter_sn) where transfer_id is null and kind <> 'fee';

-- ---- Promotions ----

-- Coupons of three kinds and invitations (domain.md 7).
create table coupon_campaign (
  id bigint generated always as identity primary key,
  code text not null unique,
  name text not null,
  dist_id int references distributor,           -- null = every site
  kind text not null check (kind in ('goods', 'service', 'guarantee')),
  amount_fen bigint not null check (amount_fen > 0),
  minimum_fen bigint not null default 0,
  stock int not null check (stock >= 0),
  per_person int not null default 1,
  valid_days int not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  odds_bp int,                                  -- set for lottery prizes
  created_at timestamptz not null default now(),
  total int not null,
  -- 0 waits for a second person, 1 runs within its dates, 2 stopped; coupons that are out stay good
  status smallint not null default 1 check (status in (0, 1, 2)),
  note text not null default '',                -- whom it is for, as staff read it
  created_by bigint references staff,
  opened_by bigint references staff,
  stopped_by bigint references staff,
  stopped_at timestamptz,
  stop_reason text,
  constraint coupon_campaign_stock check (stock <= total),
  constraint coupon_campaign_dates check (ends_at > starts_at),
  constraint coupon_campaign_odds check (odds_bp between 1 and 10000),
  constraint coupon_campaign_valid check (valid_days between 1 and 365),
  constraint coupon_campaign_person check (per_person between 1 and 1000),
  constraint coupon_campaign_second check (opened_by is distinct from created_by or opened_by is null)
);
create index coupon_campaign_open on coupon_campaign (ends_at) where status = 1;

create table coupon (
  id bigint generated always as identity primary key,
  campaign_id bigint not null references coupon_campaign,
  user_id bigint not null references app_user,
  serial int not null,                          -- 1..per_person
  order_id bigint,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  unique (campaign_id, user_id, serial)
);
create unique index coupon_once on coupon (order_id) where order_id is not null;
create index coupon_user on coupon (user_id, id desc);
create index coupon_of_campaign on coupon (campaign_id, id desc);
create index coupon_expiring on coupon (expires_at) where order_id is null;

create table lottery_draw (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  campaign_id bigint references coupon_campaign, -- null = nothing won
  roll int not null,                            -- 0..9999, drawn on the server
  created_at timestamptz not null default now()
);
create index lottery_draw_user on lottery_draw (user_id, created_at desc);
create index lottery_draw_won on lottery_draw (id desc) where campaign_id is not null;

-- ---- Orders ----

-- Orders. dist_id is the site where it was bought: a distributor sees its own orders only.
create table orders (
  id bigint generated always as identity (start with 100001) primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  type_id smallint not null,                    -- domain.md 1
  goods_id bigint references goods,
  goods_sn text,
  game_id int references game,
  buyer_id bigint not null references app_user,
  seller_id bigint not null references app_user,
  staff_id bigint references staff,
  status smallint not null default 0 check (status in (0, 1, 2, 3, 6, 7, 8, 9)),
  goods_num int not null default 1 check (goods_num between 1 and 100000),
  unit_price_fen bigint not null,
  goods_fen bigint not null,
  service_fee_fen bigint not null default 0,
  ensure_fen bigint not null default 0,
  fix_ensure_fen bigint not null default 0,
  discount_fen bigint not null default 0,
  total_fen bigint not null,
  commission_fen bigint not null default 0,
  dist_share_fen bigint not null default 0,
  invite_reward_fen bigint not null default 0,
  inviter_id bigint references app_user,
  ensure_id int not null default 0,
  fix_ensure_id int not null default 0,
  coupon_id bigint references coupon,
  bargain_id bigint references bargain,
  is_recovery smallint not null default 0,
  fees jsonb not null,                          -- the fee lines as shown: [{code, label, fen, rule}]
  snapshot jsonb not null,                      -- the goods as it was: title, attrs, picture, area, server, gameName …
  handover_version int,
  touched_at timestamptz,                       -- seller or staff acted: the buyer can no longer cancel alone
  cancel_asked_at timestamptz,                  -- the buyer asks the seller to agree to a cancel
  ship_by timestamptz,
  auto_confirm_at timestamptz,
  disputed boolean not null default false,      -- an open dispute stops the timers
  hidden_buyer boolean not null default false,
  hidden_seller boolean not null default false,
  paid_at timestamptz,
  shipped_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  credential_opened_at timestamptz,
  buyer_opened_at timestamptz,
  confirm_stopped_at timestamptz,               -- Since when the auto-confirm clock stands still because a required step of the seller or of staff is open.
  delivered_at timestamptz,                     -- When something was first handed over in the game; from then on a cancel needs the seller's word or a ruling.
  -- The buyer placed it. Orders that others open in the buyer's name count towards none of the buyer's limits.
  self_placed boolean not null default true,
  unpaid_end_at timestamptz,                    -- When an order that its buyer had placed ended without being paid.
  advance_fen bigint not null default 0,
  advance_goods_fen bigint not null default 0,
  cut_fen bigint not null default 0,
  shut_at timestamptz,                          -- While a service is paused its booster opens no sealed form.
  offline_mark smallint check (offline_mark between 1 and 3),
  offline_agreed boolean,
  late_end_at timestamptz,                      -- when a late order ends, as both were told; null while it is not late
  late_warned_at timestamptz,                   -- when both were told for the last time
  constraint order_total check (total_fen = (goods_fen + service_fee_fen + ensure_fen + fix_ensure_fen - discount_fen)),
  constraint order_price check (goods_fen = (unit_price_fen * goods_num)),
  constraint order_parties check (buyer_id <> seller_id),
  constraint order_shares check ((commission_fen + service_fee_fen) >= (dist_share_fen + invite_reward_fen) and commission_fen <= goods_fen),
  constraint order_signs check (least(service_fee_fen, ensure_fen, fix_ensure_fen, discount_fen, commission_fen, dist_share_fen, invite_reward_fen) >=
    0 and least(unit_price_fen, goods_fen, total_fen) > 0),
  constraint order_advance check (advance_fen between 0 and advance_goods_fen and advance_goods_fen < goods_fen),
  constraint order_cut check (cut_fen between 0 and goods_fen),
  constraint orders_offline_answer check (offline_agreed is null or offline_mark is not null),
  constraint orders_offline_agreed check (is_recovery =
case
    when offline_agreed then offline_mark::integer
    else 0
end)
);
create index orders_buyer on orders (buyer_id, id desc);
create index orders_seller on orders (seller_id, id desc);
create index orders_unpaid on orders (buyer_id) where status = 0;
create index orders_dist on orders (dist_id, id desc);
create index orders_deals on orders (completed_at desc) where status = 3;
create index orders_sold on orders (game_id, type_id, completed_at desc) where status = 3;
-- An account is sold once. Goods with stock (coins, props) are many.
create unique index orders_one_live on orders (goods_id) where (status in (0, 1, 2, 3)) and (type_id in (1, 8, 50)) and goods_id is not null;
-- The page of completed deals asks for one game's newest ones: without this a quiet game would be looked for among everybody's.
create index orders_deals_game on orders (game_id, completed_at desc, id desc) where status = 3;
create index orders_seller_done on orders (seller_id, completed_at desc) where status = 3;
create index orders_unpaid_ends on orders (buyer_id, unpaid_end_at) where unpaid_end_at is not null;
create index orders_clock_stopped on orders (confirm_stopped_at) where confirm_stopped_at is not null and status = 2;
create index orders_created on orders (created_at, id);
create index orders_total on orders (total_fen, id);
create index orders_deadline on orders (coalesce(
case status
    when 1 then ship_by
    when 2 then auto_confirm_at
    else null::timestamp with
  time zone
end, '9999-12-31 08:00:00+08'::timestamp with time zone), id);
-- What a seller has in escrow, without a walk over everything that he ever sold.
create index orders_seller_live on orders (seller_id) where status in (1, 2);
create index orders_moments on orders using brin (created_at timestamptz_minmax_multi_ops, paid_at timestamptz_minmax_multi_ops, shipped_at
  timestamptz_minmax_multi_ops, completed_at timestamptz_minmax_multi_ops) with (pages_per_range='32', autosummarize='on');
create index orders_staff on orders (staff_id, id desc) where staff_id is not null;
create index orders_staff_open on orders (staff_id, id desc) where (status in (1, 2)) and staff_id is not null;
create index orders_ship_by on orders (ship_by) where status = 1;
create index orders_cancel_asked on orders (cancel_asked_at) where status = 1 and cancel_asked_at is not null;
create index orders_goods_sn on orders (goods_sn) where goods_sn is not null;
create index orders_open_moment on orders (status, created_at, id) where status in (0, 1, 2);
comment on column orders.offline_mark is 'How the seller says it was handed over: 1 in person, 2 face to face in the game, 3 guided by voice or remotely. Null = on the site.';
comment on column orders.offline_agreed is 'The buyer''s word on the mark; null while there is none.';

-- The legal steps, once more where no code can pass them by (domain.md 2; orders/rules.ts has who and what).
create table order_transition (from_status smallint, to_status smallint, primary key (from_status, to_status));

create table order_process (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  order_status smallint not null,
  explain text not null,
  actor text not null,
  created_at timestamptz not null default now()
);
create index order_process_order on order_process (order_id, id);

-- One row per hand-over step of an order, copied from the catalogue when it is paid.
create table order_handover (
  order_id bigint references orders,
  step smallint,
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
  note text,                                    -- Why somebody took a step that is another's.
  fields jsonb not null default '[]' check (jsonb_typeof(fields) = 'array'), -- What a step's sealed form asks for; empty = the usual fields.
  primary key (order_id, step)
);

-- Credentials: sealed at rest, revealed once to the named person, erased after completion.
create table sealed_credential (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  step smallint not null,
  from_user bigint not null references app_user,
  body_enc bytea,                               -- null once erased
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  version int not null,
  scheme smallint not null default 2 check (scheme in (1, 2)),
  unique (order_id, step, version)
);
create index sealed_credential_order on sealed_credential (order_id, step);
create index sealed_credential_kept on sealed_credential (order_id) where erased_at is null;

create table order_review (
  order_id bigint references orders,
  belong smallint check (belong in (0, 1)),     -- 1 = the buyer rates the seller, 0 = the seller rates the buyer (product.md 2)
  user_id bigint not null references app_user,
  target_id bigint not null references app_user,
  score smallint not null check (score between 1 and 5),
  tags text[] not null default '{}',
  content text not null default '',
  created_at timestamptz not null default now(),
  id bigint generated always as identity,
  dist_id int not null references distributor,  -- of the order: records, and filters what a distributor's staff see
  type_id smallint not null,
  game_id int,
  goods_id bigint references goods,
  excluded text check (excluded in ('undone', 'private', 'related')), -- why it is not public and not in the score; null = it is
  hidden_at timestamptz,
  hidden_reason text,
  answer text,
  answered_at timestamptz,
  answer_hidden_at timestamptz,
  answer_hidden_reason text,
  primary key (order_id, belong),
  constraint order_review_answer check ((answer is null) = (answered_at is null))
);
create unique index order_review_id on order_review (id);
create index order_review_by_user on order_review (user_id, id desc);
create index order_review_to_user on order_review (target_id, created_at desc);
create index order_review_public on order_review (target_id, created_at desc, id desc) include (type_id, score) where belong = 1 and excluded is null
  and hidden_at is null;
create index order_review_goods on order_review (goods_id, created_at desc, id desc) where belong = 1 and excluded is null and hidden_at is null;

-- ---- Chat ----

-- Order chat. A message has a gap-free number in its group; a client's own id makes a retry harmless (domain.md 5).
create table chat_group (
  id bigint generated always as identity (start with 1001) primary key,
  group_type smallint not null check (group_type in (1, 2)), -- 1 trade group, 2 one user with customer service
  order_id bigint unique references orders,
  user_id bigint references app_user,
  dist_id int not null references distributor,
  last_seq bigint not null default 0,
  status smallint not null default 1,           -- 1 open, 2 closed
  created_at timestamptz not null default now(),
  goods_id bigint references goods,             -- the listing that the user asks about
  reply_by timestamptz,                         -- when an answer to the last message is due; null when service had the last word
  step_by timestamptz,                          -- when the order's transition runs out of time, as the order has it
  last_at timestamptz not null default now(),   -- when the last message was written; before the first, when the group was created
  check ((group_type = 1) = (order_id is not null) and (group_type = 2 or user_id is null))
);
-- A user has one open conversation at a distributor; two requests at once open one.
create unique index chat_group_service on chat_group (user_id, dist_id) where group_type = 2 and status = 1;
create index chat_group_user on chat_group (user_id, id) where group_type = 2;
-- A page of the open conversations of a brand is read in the order of their clocks.
create index chat_group_urgency on chat_group (dist_id, chat_urgency(reply_by, step_by, last_at), id desc) where status = 1;
-- Ended conversations follow the open ones, the newest first.
create index chat_group_ended on chat_group (dist_id, id desc) where status <> 1;

-- member: '<user id>' or the staff's im_uid; the same text is senderUserId on the wire.
create table chat_member (
  group_id bigint references chat_group,
  member text,
  role text not null check (role in ('buyer', 'seller', 'staff', 'owner')),
  is_current boolean not null default false,    -- the customer service that has the order now
  read_seq bigint not null default 0,
  muted boolean not null default false,
  joined_at timestamptz not null default now(),
  left_at timestamptz,
  -- Up to which message the member was reminded while away: the next reminder waits until they have read past it.
  reminded_seq bigint not null default 0,
  primary key (group_id, member)
);
create index chat_member_of on chat_member (member, group_id desc) where left_at is null;
-- The load of a member of staff is counted at each assignment; closed groups are no longer current, so the index stays small.
create index chat_member_current on chat_member (member) where is_current and left_at is null;

create table chat_message (
  group_id bigint references chat_group,
  seq bigint,
  uid text not null unique,
  sender text not null,                         -- a member, or 'system'
  client_msg_id text not null,
  type text not null check (type in ('text', 'image', 'recall', 'card')),
  content jsonb not null,
  expansion jsonb,
  recalled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (group_id, seq),
  unique (group_id, sender, client_msg_id)
);

-- One-time entry to the socket: made by a signed-in call, used once within a minute.
create table chat_ticket (
  id_hash bytea primary key,
  member text not null,
  session_hash bytea not null,
  dist_id int not null references distributor,
  expires_at timestamptz not null
);

-- ---- Guarantees ----
-- Guarantees (domain.md 3): what is on offer, who is covered now, and the public clock of a claim. Premiums and pay-outs are
-- ledger postings (guarantee_fund); no table here holds a balance.

-- What is on offer. orders.ensure_id names a tier of kind 'ensure', orders.fix_ensure_id one of kind 'fixEnsure'; 0 there = none.
-- Tiers are the platform's, the same on every site. A change of terms is a new row: covers already sold keep what they were sold as.
create table guarantee_tier (
  id int primary key,
  kind text not null check (kind in ('ensure', 'fixEnsure')),
  code text not null,
  name text not null,
  rate_bp int not null check (rate_bp between 0 and 5000),
  min_fen bigint not null default 500 check (min_fen >= 0),
  payout_bp int not null default 10000 check (payout_bp between 1 and 30000), -- most that is paid, in parts of the account's price
  chase_days smallint not null default 7 check (chase_days between 1 and 60),
  cover_days int check (cover_days > 0),        -- null = as long as the holder keeps the account
  cover_text text not null,
  exclusions jsonb not null default '[]' check (jsonb_typeof(exclusions) = 'array'), -- sentences, shown as ticks before paying
  goods_types smallint[] not null default '{1,8,50}',
  games int[],                                  -- null = every game
  sort int not null default 0,
  status smallint not null default 1 check (status in (1, 2)), -- 1 on offer, 2 no longer sold
  created_at timestamptz not null default now(),
  version int not null default 1 check (version > 0),
  -- By reason: {"most": "price" | "receipts", "byItself": whether the deadline may pay it, "fall"?: {"afterDays", "everyDays", "stepBp", "floorBp"}}.
  -- A reason that is absent is not covered.
  reasons jsonb not null default '{}' check (jsonb_typeof(reasons) = 'object'),
  valid_from timestamptz not null default now(),
  created_by bigint references staff,
  approved_by bigint references staff,
  reason text not null default '' check (length(reason) <= 200),
  revoked_at timestamptz,
  revoked_by bigint references staff,
  constraint guarantee_tier_version unique (code, version),
  constraint guarantee_tier_two_persons check (approved_by is distinct from created_by or approved_by is null)
);

-- One cover of one account. It follows the account: when the account is resold on the site, holder_id moves to the new owner.
-- dist_id records the site that sold it.
create table guarantee_cover (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,
  tier_id int not null references guarantee_tier,
  kind text not null check (kind in ('ensure', 'fixEnsure')),
  order_id bigint not null references orders,   -- the order that bought it
  goods_id bigint references goods,
  fingerprint bytea,                            -- the account passport's key: how a resale finds its cover
  holder_id bigint not null references app_user,
  price_fen bigint not null check (price_fen > 0),
  premium_fen bigint not null check (premium_fen >= 0),
  payout_max_fen bigint not null check (payout_max_fen > 0),
  terms jsonb not null,                         -- the tier as it was sold: text, exclusions, chase days
  status text not null default 'waiting' check (status in ('waiting', 'active', 'claimed', 'paid', 'ended', 'void')),
  starts_at timestamptz,                        -- the moment the order completed; null while waiting
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  unique (order_id, kind),
  check ((status in ('waiting', 'void')) or starts_at is not null)
);
create unique index guarantee_cover_live on guarantee_cover (fingerprint, kind) where fingerprint is not null and (status in ('active', 'claimed'));
create index guarantee_cover_holder on guarantee_cover (holder_id, id desc);
create index guarantee_cover_end on guarantee_cover (ends_at) where status = 'active' and ends_at is not null;

-- The chain of owners that a certificate lists. One row is open at a time.
create table guarantee_holder (
  cover_id bigint references guarantee_cover,
  seq smallint check (seq > 0),
  user_id bigint not null references app_user,
  order_id bigint not null references orders,   -- by which this owner came to the account
  from_at timestamptz not null default now(),
  to_at timestamptz,
  primary key (cover_id, seq),
  unique (cover_id, order_id),
  check (to_at is null or to_at >= from_at)
);
create unique index guarantee_holder_now on guarantee_holder (cover_id) where to_at is null;
create index guarantee_holder_user on guarantee_holder (user_id, cover_id desc);

-- The paper that the holder opens or downloads; a new owner gets a new one and the old one says so.
create table guarantee_certificate (
  no text primary key check (no ~ '^[A-Z0-9]{8,24}$'),
  cover_id bigint not null references guarantee_cover,
  holder_seq smallint not null,
  body jsonb not null,                          -- what it says, frozen
  body_hash bytea not null,
  issued_at timestamptz not null default now(),
  replaced_by text references guarantee_certificate,
  unique (cover_id, holder_seq),
  foreign key (cover_id, holder_seq) references guarantee_holder
);

-- A claim opens a public clock (chase day n of 7, last action); at deadline_at the pay-out runs by itself (timer 'guarantee.pay').
-- dist_id filters: an operator sees only claims of their site.
create table guarantee_claim (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  cover_id bigint not null references guarantee_cover,
  user_id bigint not null references app_user,
  order_id bigint not null references orders,
  reason text not null check (reason in ('recovered', 'face_refused', 'banned', 'not_as_described', 'topup_lost', 'other')),
  explain text not null,
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  asked_fen bigint not null check (asked_fen > 0),
  paid_fen bigint not null default 0 check (paid_fen >= 0),
  status text not null default 'checking' check (status in ('checking', 'chasing', 'escalated', 'paid', 'refused', 'recovered', 'withdrawn')),
  staff_id bigint references staff,
  refusal text,                                 -- the numbered rule and the sentence; required when refused
  chase_days smallint not null check (chase_days > 0),
  first_look_by timestamptz not null,
  chase_from timestamptz,
  deadline_at timestamptz,
  opened_at timestamptz not null default now(),
  decided_at timestamptz,
  paid_note text,
  stopped jsonb not null default '{}' check (jsonb_typeof(stopped) = 'object'), -- {holdSeconds?}: what was left
  recourse_fen bigint not null default 0,
  fingerprint bytea,                            -- the account that is claimed for: barred from sale while the claim runs and once it is paid
  escalated_for text[] not null default '{}',   -- why the deadline did not pay: limit, cover, reason, related, moved, debt, loss
  decide_by timestamptz,                        -- until when two persons decide on an escalated claim
  spares_seller boolean not null default false, -- paid, and the loss is not the seller's
  penalty_fen bigint not null default 0 check (penalty_fen >= 0), -- taken from the seller's deposit
  debt_fen bigint not null default 0 check (debt_fen >= 0), -- written down as the seller's debt to the fund
  check (status <> 'chasing' or chase_from is not null and deadline_at is not null),
  constraint guarantee_claim_check1 check ((status = 'paid') = (paid_fen > 0)),
  constraint guarantee_claim_check2 check (status <> 'refused' or refusal is not null),
  constraint guarantee_claim_check4 check (recourse_fen between 0 and paid_fen),
  constraint guarantee_claim_open_undecided check ((status in ('checking', 'chasing', 'escalated')) = (decided_at is null)),
  constraint guarantee_claim_escalated check (status <> 'escalated' or decide_by is not null),
  constraint guarantee_claim_shares check ((recourse_fen + penalty_fen + debt_fen) <= paid_fen)
);
create index guarantee_claim_user on guarantee_claim (user_id, id desc);
create index guarantee_claim_due on guarantee_claim (deadline_at) where status = 'chasing';
create index guarantee_claim_look on guarantee_claim (first_look_by) where status = 'checking';
create index guarantee_claim_paid on guarantee_claim (decided_at desc) where status in ('paid', 'refused', 'recovered');
create unique index guarantee_claim_open on guarantee_claim (cover_id) where status in ('checking', 'chasing', 'escalated');
create index guarantee_claim_decide on guarantee_claim (decide_by) where status = 'escalated';
create index guarantee_claim_account on guarantee_claim (fingerprint) where fingerprint is not null and (status in ('checking', 'chasing',
  'escalated', 'paid'));
create index guarantee_claim_order on guarantee_claim (order_id);
create index guarantee_claim_opened on guarantee_claim (opened_at, id);

-- Each act on the clock, as the claimant and the public page read it. Insert only.
create table guarantee_claim_step (
  claim_id bigint references guarantee_claim,
  seq smallint,
  day smallint not null default 0,              -- chase day, 0 before the chase
  text text not null,
  actor text not null,                          -- user:<id>, staff:<id>, system
  pictures jsonb not null default '[]',
  created_at timestamptz not null default now(),
  primary key (claim_id, seq)
);

-- The public account of the fund by month and game (page /black/zhgs), made by a job from covers, claims and postings.
create table guarantee_month (
  month date check (extract(day from month) = 1::numeric),
  game_id int references game,
  covers int not null,
  premium_fen bigint not null,
  claims int not null,
  paid int not null,
  paid_fen bigint not null,
  refused int not null,
  recovered int not null,
  median_hours int,                             -- from opening to the decision
  refusals jsonb not null default '{}',         -- reason to number
  made_at timestamptz not null default now(),
  primary key (month, game_id)
);

-- ---- Disputes ----
-- A dispute is a record on an order, not a status (domain.md 2): while one is open the order's timers stand still. First look
-- 15 min, the seller answers in 24 h (coins 2 h), ruling 48 h, one appeal to another person. A ruling cites numbered public rules.

-- The public rules. A version is never changed; the newest one in force counts for new orders, a ruling names the one it used.
create table platform_rule (
  no text check (no ~ '^\d{1,2}(\.\d{1,2}){0,2}$'),
  version int check (version > 0),
  title text not null,
  body text not null,
  in_force_from timestamptz not null,
  retired boolean not null default false,       -- this version says that the rule no longer applies
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  reason text not null default '' check (length(reason) <= 200),
  revoked_at timestamptz,
  revoked_by bigint references staff,
  primary key (no, version)
);

-- Typed reasons with the short form that both sides fill in; data, so that a new reason needs no deploy.
create table dispute_reason (
  code text primary key check (code ~ '^[a-z_]{2,40}$'),
  name text not null,
  goods_types smallint[],                       -- null = every type
  -- [{key, label, kind: text|choice|yes_no|amount|time, options?, side: buyer|seller|both, required}]
  form jsonb not null default '[]' check (jsonb_typeof(form) = 'array'),
  evidence text not null default '',            -- what is asked for
  sort int not null default 0,
  status smallint not null default 1 check (status in (1, 2)),
  version int not null default 1 check (version > 0),
  order_states smallint[] not null default '{1,2,3}' check (order_states <@ '{0,1,2,3}'::smallint[] and cardinality(order_states) > 0)
);

-- dist_id filters: an operator sees only disputes of their site.
create table dispute (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  order_id bigint not null references orders,
  opener_id bigint not null references app_user,
  opener_belong smallint not null check (opener_belong in (0, 1)), -- 1 the buyer opened it, 0 the seller (product.md 2)
  reason_code text not null references dispute_reason,
  want text not null check (want in ('refund', 'part_refund', 'continue', 'redo', 'release', 'other')),
  want_fen bigint not null default 0 check (want_fen >= 0),
  status text not null default 'open' check (status in ('open', 'answering', 'evidence', 'ruled', 'appealed', 'closed')),
  outcome text check (outcome in ('withdrawn', 'settled', 'ruled')), -- set when closed
  staff_id bigint references staff,             -- the named case owner
  appeal_staff_id bigint references staff,
  first_look_by timestamptz not null,
  first_look_at timestamptz,
  answer_by timestamptz,
  rule_by timestamptz,
  appeal_until timestamptz,                     -- after a ruling; money moves when this passes or the appeal is ruled
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  -- {holdSeconds?, confirmSeconds?, shipSeconds?}: what was left of each
  stopped jsonb not null default '{}' check (jsonb_typeof(stopped) = 'object'),
  escalated boolean not null default false,     -- a clock of the platform's own ran out
  buyer_accepted_at timestamptz,
  seller_accepted_at timestamptz,
  back_fen bigint check (back_fen >= 0),        -- of the goods' price, once carried out
  refunded_fen bigint check (refunded_fen >= 0), -- what the buyer got in all
  to_seller_fen bigint check (to_seller_fen >= 0),
  owed_fen bigint not null default 0 check (owed_fen >= 0), -- What of a decision is not moved yet, because it is owed.
  reason_version int not null default 1,
  check ((status = 'closed') = (closed_at is not null)),
  constraint dispute_check1 check ((status = 'closed') = (outcome is not null)),
  constraint dispute_check2 check (appeal_staff_id is null or appeal_staff_id is distinct from staff_id)
);
create unique index dispute_open on dispute (order_id) where status <> 'closed';
create index dispute_order on dispute (order_id, id);
create index dispute_opener on dispute (opener_id, id desc);
create index dispute_queue on dispute (status, first_look_by) where status <> 'closed';
create index dispute_staff on dispute (staff_id) where status <> 'closed';
create index dispute_opened on dispute (opened_at, id);

-- What each side said: the reason's form, words and pictures. One form per side; more evidence is more rows. Insert only.
create table dispute_statement (
  id bigint generated always as identity primary key,
  dispute_id bigint not null references dispute,
  belong smallint not null check (belong in (0, 1)),
  user_id bigint not null references app_user,
  kind text not null check (kind in ('form', 'evidence')),
  answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object'),
  text text not null default '',
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  created_at timestamptz not null default now()
);
create unique index dispute_statement_form on dispute_statement (dispute_id, belong) where kind = 'form';
create index dispute_statement_dispute on dispute_statement (dispute_id, id);

-- The record's own timeline, in addition to orders, chat, reveals and payments.
create table dispute_event (
  id bigint generated always as identity primary key,
  dispute_id bigint not null references dispute,
  kind text not null,                           -- opened, looked, asked, answered, evidence, late, ruled, appealed, settled, withdrawn, closed
  actor text not null,
  explain text not null,
  created_at timestamptz not null default now()
);
create index dispute_event_dispute on dispute_event (dispute_id, id);

-- stage 1 the first ruling, 2 the ruling on the appeal. What it orders is executed once, by a posting with this id as its ref.
create table dispute_ruling (
  id bigint generated always as identity primary key,
  dispute_id bigint not null references dispute,
  stage smallint not null check (stage in (1, 2)),
  staff_id bigint not null references staff,
  refund_fen bigint not null check (refund_fen >= 0), -- to the buyer
  release_fen bigint not null check (release_fen >= 0), -- to the seller
  penalty_fen bigint not null default 0 check (penalty_fen >= 0), -- from the loser's deposit
  penalty_user bigint references app_user,
  reason text not null,
  public_text text,                             -- anonymised, for the searchable list of rulings
  created_at timestamptz not null default now(),
  -- A ruling says the part of the goods' price; refund_fen and release_fen say what that means for the two.
  back_fen bigint not null default 0 check (back_fen >= 0),
  approval_id bigint,                           -- The approval of a ruling for which the fund may advance what is missing.
  unique (dispute_id, stage),
  check ((penalty_fen > 0) = (penalty_user is not null))
);

create table dispute_ruling_rule (
  ruling_id bigint references dispute_ruling,
  rule_no text,
  rule_version int not null,
  primary key (ruling_id, rule_no),
  foreign key (rule_no, rule_version) references platform_rule
);
create index dispute_ruling_rule_of on dispute_ruling_rule (rule_no, ruling_id desc);

-- One appeal: the key is the dispute itself.
create table dispute_appeal (
  dispute_id bigint primary key references dispute,
  user_id bigint not null references app_user,
  reason text not null,
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  created_at timestamptz not null default now()
);

-- ---- Providers ----
-- Shops, boosters and companions (domain.md 6): apply → reviewing → approved or refused, deposit by level, packages (套餐), and
-- what an order of a service needs in addition to its row in orders. Deposits are ledger accounts (user:<id>:deposit); no balance here.

-- A person asks for a deposit back: it stays for release_days and while an order or dispute of that role is open.
create table deposit_release (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,  -- records
  user_id bigint not null references app_user,
  role text not null check (role in ('seller', 'shop', 'booster', 'companion', 'recycler')),
  amount_fen bigint not null check (amount_fen > 0),
  status text not null default 'waiting' check (status in ('waiting', 'done', 'withdrawn', 'refused')),
  release_at timestamptz not null,
  reason text,                                  -- why it waits longer or was refused, as its owner reads it
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
  to_user_id bigint references app_user,        -- compensation; null = the guarantee fund
  reason text not null,
  decided_by bigint references staff,           -- null = by the rule itself
  created_at timestamptz not null default now(),
  role text not null default 'seller' check (role in ('seller', 'shop', 'booster', 'companion', 'recycler')),
  foreign key (rule_no, rule_version) references platform_rule
);
create index deposit_penalty_user on deposit_penalty (user_id, id desc);
create index deposit_penalty_dispute on deposit_penalty (dispute_id) where dispute_id is not null;

-- One role of one person. dist_id records where it was applied for; providers work for every site, as goods are sold on every site.
create table provider (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,
  user_id bigint not null references app_user,
  kind text not null check (kind in ('shop', 'booster', 'companion', 'recycler')),
  status text not null default 'reviewing' check (status in ('reviewing', 'approved', 'refused', 'suspended', 'left')),
  name text not null,
  avatar text,
  intro text not null default '',
  games int[] not null default '{}',
  contact_enc bytea,                            -- QQ, WeChat; for staff only
  -- shop: hours, notice; booster: rank, heroes; companion: gender, voice, city, tags
  profile jsonb not null default '{}' check (jsonb_typeof(profile) = 'object'),
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'), -- proofs: rank, licence
  deposit_level smallint not null default 0,
  online boolean not null default false,        -- takes orders now
  review_note text,
  reviewed_by bigint references staff,
  reviewed_at timestamptz,
  pending jsonb,                                -- a changed profile that waits for review while the old one stays in use
  done_count int not null default 0,
  on_time_count int not null default 0,
  rating_sum int not null default 0,
  rating_count int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  voice text,
  no_show_count int not null default 0 check (no_show_count >= 0), -- Orders that were paid back because the provider did not appear.
  unique (user_id, kind),
  check ((status in ('reviewing', 'left')) or reviewed_at is not null)
);
create index provider_review on provider (updated_at) where status = 'reviewing' or pending is not null;
create index provider_games on provider using gin (games) where status = 'approved';
create index provider_open on provider (kind, done_count desc, id desc) where status = 'approved' and online;

create table provider_event (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  kind text not null,                           -- applied, approved, refused, changed, suspended, restored, left, level
  actor text not null,
  detail jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index provider_event_provider on provider_event (provider_id, id desc);

create table service_package (
  id bigint generated always as identity primary key,
  sn text not null unique,
  provider_id bigint not null references provider,
  game_id int not null references game,
  type_id smallint not null check (type_id in (60, 61)),
  title text not null,
  scope text not null,                          -- what is done and what is not
  unit text not null default '次' check (unit in ('次', '小时', '局', '天', '星', '段')),
  price_fen bigint not null check (price_fen between 100 and 9999900), -- of one unit
  min_units int not null default 1 check (min_units >= 1),
  max_units int not null default 99 check (max_units between 1 and 10000),
  minutes int not null check (minutes between 1 and 129600), -- time of one unit
  mode text not null default 'account' check (mode in ('account', 'together', 'online')), -- login handed over, played together, voice or online
  safety_fen bigint not null default 0 check (safety_fen >= 0), -- 安全保证金 of one order
  efficiency_fen bigint not null default 0 check (efficiency_fen >= 0), -- 效率保证金 of one order
  milestones jsonb not null default '[]' check (jsonb_typeof(milestones) = 'array'),
  form jsonb not null default '[]' check (jsonb_typeof(form) = 'array'), -- what the buyer is asked: current rank, wanted rank …
  status smallint not null default 1 check (status in (1, 2, 3)), -- 1 on offer, 2 paused, 3 removed
  version int not null default 1,
  sold_count int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  goods_id bigint unique references goods,
  kind smallint,                                -- option of the game's field boost_kind or play_kind
  rank_from smallint,
  rank_to smallint,
  check (max_units >= min_units),
  constraint service_package_milestones_check1 check (milestones = '[]'::jsonb or milestone_sum(milestones) = 10000),
  constraint service_package_route check ((rank_from is null) = (rank_to is null) and (rank_from is null or type_id = 60 and rank_from <> rank_to))
);
create index service_package_provider on service_package (provider_id, status, id desc);
create index service_package_shelf on service_package (game_id, type_id, price_fen, id) where status = 1;

-- In addition to orders (types 60 and 61). The buyer's order can be taken by the chosen provider, or by anyone when provider_id is null.
create table service_order (
  order_id bigint primary key references orders,
  package_id bigint references service_package,
  provider_id bigint references provider,
  type_id smallint not null check (type_id in (60, 61)),
  units int not null check (units > 0),
  minutes int not null check (minutes > 0),     -- grows by additions
  mode text not null check (mode in ('account', 'together', 'online')),
  form jsonb not null default '{}' check (jsonb_typeof(form) = 'object'),
  state text not null default 'pending' check (state in ('pending', 'waiting', 'working', 'paused', 'ending', 'checking', 'done', 'ended')),
  safety_fen bigint not null default 0 check (safety_fen >= 0),
  efficiency_fen bigint not null default 0 check (efficiency_fen >= 0),
  starts_at timestamptz,                        -- companion: the agreed start; no-show 10 min later refunds by itself
  accept_by timestamptz,
  accepted_at timestamptz,
  started_at timestamptz,
  due_at timestamptz,                           -- boosting: late costs the efficiency deposit
  paused_at timestamptz,
  finished_at timestamptz,
  efficiency_to_buyer boolean not null default false, -- Who gets the deposits when the order ends.
  safety_to_buyer boolean not null default false,
  -- Seconds that the order was paused; they do not count towards the promised time.
  paused_seconds int not null default 0 check (paused_seconds >= 0),
  buyer_start_at timestamptz,
  seller_start_at timestamptz,
  end_by smallint check (end_by in (0, 1)),     -- Who pressed the end, and the minutes that count: 0 buyer, 1 seller.
  played_minutes int,
  proof_due_at timestamptz,                     -- when the next picture is due; a pause moves it
  ban_reported_at timestamptz,                  -- the account was punished: the safety deposit waits for the case
  ban_reported_by smallint check (ban_reported_by in (0, 1)),
  -- What customer service decided about the deposits; it counts when the ruling of that dispute ends the order.
  ruled_dispute_id bigint references dispute,
  ruled_safety_to_buyer boolean not null default false,
  ruled_efficiency_to_buyer boolean not null default false,
  booked_at timestamptz,                        -- The hour that the buyer chose; null for an order that begins when it is accepted.
  prolongs_id bigint references service_order,  -- The evening that this order goes on with.
  stopped_at timestamptz,                       -- since when an open case stops its clocks
  stopped_clocks jsonb not null default '{}' check (jsonb_typeof(stopped_clocks) = 'object'), -- the seconds that were left of each
  stopped_seconds int not null default 0 check (stopped_seconds >= 0), -- how long cases stopped it together
  account_free_at timestamptz,                  -- from then on giving up is free for the booster while the account is missing
  silence_paid_at timestamptz,                  -- when silence last paid a stage; null once the buyer has acted
  acted_at timestamptz,                         -- when a party last did something on an order of boosting
  late_told_at timestamptz,                     -- when both were told that it is late; null while it is not, and after who looked at it
  login_failed_at timestamptz,                  -- when the booster last said that the submitted account does not open
  constraint service_order_accepted check ((state in ('pending', 'ended')) or accepted_at is not null),
  constraint service_order_booked check (booked_at is null and prolongs_id is null or type_id = 61),
  constraint service_order_companion check ((type_id = 61 or state <> 'ending' and buyer_start_at is null and seller_start_at is null and end_by is
    null) and (type_id = 60 or state <> 'paused') and (type_id <> 61 or (state not in ('working', 'ending', 'checking')) or buyer_start_at is not null
    and seller_start_at is not null) and (state <> 'ending' or end_by is not null and played_minutes is not null and finished_at is not null) and
    (played_minutes is null or played_minutes between 0 and minutes))
);
create index service_order_provider on service_order (provider_id, state, order_id desc);
create index service_order_open on service_order (type_id, order_id desc) where provider_id is null and state = 'waiting';
create index service_order_busy on service_order (provider_id) where state in ('waiting', 'working', 'paused');
create index service_order_prolongs on service_order (prolongs_id) where prolongs_id is not null;
-- One prolongation at a time waits or runs.
create unique index service_order_prolonged_once on service_order (prolongs_id) where prolongs_id is not null and (state in ('pending', 'waiting'));

-- Paid by milestone: each closes with a picture of the result and the buyer's yes (or the timer's).
create table service_milestone (
  order_id bigint references service_order,
  seq smallint check (seq between 1 and 50),
  title text not null,
  share_fen bigint not null check (share_fen >= 0),
  state text not null default 'pending' check (state in ('pending', 'submitted', 'accepted', 'refused')),
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  note text not null default '',
  submitted_at timestamptz,
  answered_at timestamptz,
  progress_percent smallint not null default 0 check (progress_percent between 0 and 100),
  refused_count smallint not null default 0,
  refuse_reason text,
  paid_fen bigint,                              -- what reached the booster when it was accepted before the order's end
  primary key (order_id, seq),
  check (state <> 'submitted' or submitted_at is not null and pictures <> '[]'::jsonb),
  constraint service_milestone_check1 check ((state not in ('accepted', 'refused')) or answered_at is not null)
);

-- Pictures and words on the way, also check-ins of a companion.
create table service_progress (
  id bigint generated always as identity primary key,
  order_id bigint not null references service_order,
  actor text not null,
  kind text not null check (kind in ('progress', 'login_note', 'pause', 'resume', 'check_in', 'exception')),
  text text not null default '',
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  created_at timestamptz not null default now(),
  seq smallint,
  percent smallint,
  constraint service_progress_percent check (percent between 1 and 100 and seq between 1 and 50)
);
create index service_progress_order on service_progress (order_id, id);

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
  constraint service_addition_check1 check (status <> 'paid' or add_order_id is not null),
  -- More work on an order that runs is an order of its own, which is named by the addition.
  constraint service_addition_reason check (reason <> '')
);
create unique index service_addition_open on service_addition (order_id) where status in ('asked', 'agreed');
create unique index service_addition_one on service_addition (order_id) where status = 'asked' or status = 'agreed' and add_fen > 0;

-- Negotiated cancel: a split computed from the milestones and the two deposits, agreed by both or handed to arbitration (a dispute).
create table service_cancel (
  id bigint generated always as identity primary key,
  order_id bigint not null references service_order,
  asked_by smallint not null check (asked_by in (0, 1)),
  reason text not null,
  pay_fen bigint not null check (pay_fen >= 0), -- of the price to the provider
  cost_safety_fen bigint not null default 0 check (cost_safety_fen >= 0), -- of the safety deposit to the buyer
  cost_efficiency_fen bigint not null default 0 check (cost_efficiency_fen >= 0), -- of the efficiency deposit to the buyer
  computed jsonb not null,                      -- how the split came about, line by line
  status text not null default 'asked' check (status in ('asked', 'agreed', 'declined', 'withdrawn', 'arbitration')),
  dispute_id bigint references dispute,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  check ((status = 'arbitration') = (dispute_id is not null))
);
create unique index service_cancel_open on service_cancel (order_id) where status = 'asked';

-- Hours in which a companion can be booked; a day is 0 to 6 from Monday, times are minutes of the day in China.
create table provider_hours (
  provider_id bigint references provider,
  day smallint check (day between 0 and 6),
  from_minute smallint check (from_minute between 0 and 1439),
  to_minute smallint not null check (to_minute between 1 and 1440),
  primary key (provider_id, day, from_minute),
  check (to_minute > from_minute)
);

-- ---- Quick coin ----
-- Quick coin (domain.md 6): shops offer coin by the lot, a buyer orders a number of lots, the stock falls by a conditional UPDATE.
-- The order itself goes through orders (type 53): goods_num = lots, unit_price_fen = price of a lot.

-- One unit of coin is often worth less than a fen, so the price belongs to a lot: lot_units units for lot_price_fen.
-- dist_id records; offers are shown on every site.
create table quick_coin_offer (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  provider_id bigint not null references provider,
  seller_id bigint not null references app_user,
  game_id int not null references game,
  area_id int not null references game_area,
  server_id int references game_server,         -- null = the whole area shares one market
  camp text,                                    -- 部落, 联盟 …
  coin_type smallint not null default 1 check (coin_type between 1 and 99), -- quickCoinType: several currencies of one game
  unit text not null check (unit in ('万金币', '金币', '万基纳', '基纳', '万钻石', '钻石', '万宝票', '宝票')),
  lot_units bigint not null check (lot_units between 1 and 1000000000),
  lot_price_fen bigint not null check (lot_price_fen between 1 and 99999999),
  unit_price_micro bigint generated always as (lot_price_fen * 10000 / lot_units) stored not null, -- 1/10000 fen a unit: only for sorting
  stock int not null check (stock between 0 and 1000000), -- in lots
  min_lots int not null default 1 check (min_lots >= 1),
  max_lots int not null default 10000 check (max_lots between 1 and 100000),
  delivery smallint[] not null check (delivery <@ '{1,2,3}'::smallint[] and cardinality(delivery) > 0), -- 1 mail, 2 auction, 3 face-to-face
  ship_minutes int not null default 30 check (ship_minutes between 5 and 1440),
  title text not null default '',
  note text not null default '',
  status smallint not null default 1 check (status in (1, 2, 3, 7)), -- 1 on sale, 2 off sale, 3 removed, 7 hidden (seller away 3 days)
  version int not null default 1,               -- moves with price, lot, minimum and delivery
  import_key text,
  sold_lots bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (max_lots >= min_lots)
);
create index quick_coin_shelf on quick_coin_offer (game_id, area_id, unit_price_micro, id) where status = 1 and stock > 0;
create index quick_coin_server on quick_coin_offer (game_id, server_id, unit_price_micro, id) where status = 1 and stock > 0 and server_id is not
  null;
create index quick_coin_seller on quick_coin_offer (seller_id, status, id desc);
create unique index quick_coin_import on quick_coin_offer (seller_id, import_key) where import_key is not null;
-- Other ways through the shelf than the cheapest unit.
create index quick_coin_stock on quick_coin_offer (game_id, stock desc, id desc) where status = 1 and stock > 0;
create index quick_coin_sold on quick_coin_offer (game_id, sold_lots desc, id desc) where status = 1 and stock > 0;

create table quick_coin_order (
  order_id bigint primary key references orders,
  offer_id bigint not null references quick_coin_offer,
  lots int not null check (lots > 0),
  lot_units bigint not null check (lot_units > 0),
  coin_units bigint generated always as (lots * lot_units) stored not null,
  unit text not null,
  delivery smallint not null check (delivery in (1, 2, 3)),
  area_id int not null,
  server_id int,
  role_name text not null,                      -- the buyer's character that receives
  role_level int check (role_level > 0),
  auction_item text,                            -- delivery 2: what the buyer puts up, and for how much coin
  auction_units bigint check (auction_units > 0),
  meet_place text,                              -- delivery 3
  delivered_units bigint not null default 0 check (delivered_units >= 0),
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'), -- proof of delivery, before and after
  delivered_at timestamptz,
  stock_returned boolean not null default false,
  check (delivery <> 2 or auction_item is not null)
);
create index quick_coin_order_offer on quick_coin_order (offer_id, order_id desc);

-- The ratio both ways (1 yuan = N units, N yuan a unit) by area and day, from completed orders and live offers; drawn as the 90-day chart.
-- units_per_yuan is kept as what one yuan buys, in 1/10000 unit, so that no rounding depends on the size of a lot.
create table coin_ratio_day (
  game_id int references game,
  area_id int references game_area,
  coin_type smallint default 1,
  day date,
  unit text not null,
  low_e4 bigint not null check (low_e4 > 0),
  typical_e4 bigint not null check (typical_e4 > 0),
  high_e4 bigint not null check (high_e4 > 0),
  last_deal_e4 bigint,
  deals int not null default 0,
  offers int not null default 0,
  made_at timestamptz not null default now(),
  primary key (game_id, area_id, coin_type, day),
  check (low_e4 <= typical_e4 and typical_e4 <= high_e4)
);

-- ---- Recycling and private deals ----
-- Deals that begin without a listing: recycling (the platform or a recycler buys), the valuation behind its floor, and the
-- middleman (51), where two people who already agreed let the platform hold the money.

-- Who may bid. dist_id records where it was admitted; recyclers bid on requests of every site.
create table recycler (
  user_id bigint primary key references app_user,
  dist_id int not null references distributor,
  name text not null,
  games int[] not null default '{}',            -- empty = every game
  day_limit_fen bigint not null check (day_limit_fen > 0), -- sum of binding quotes a day
  -- bids that are made without a person: [{gameId, typeId, bp, maxFen}]
  auto_rules jsonb not null default '[]' check (jsonb_typeof(auto_rules) = 'array'),
  status smallint not null default 0 check (status in (0, 1, 2)), -- 0 reviewing, 1 admitted, 2 stopped
  reviewed_by bigint references staff,
  won_count int not null default 0,
  lowered_count int not null default 0,         -- quotes lowered after inspection: shown to sellers
  created_at timestamptz not null default now(),
  -- The platform bids like everybody, by a user that nobody can log in as. Its money comes from the platform when it bids (setting recycling.budgetFen).
  is_platform boolean not null default false
);
create unique index recycler_platform on recycler (is_platform) where is_platform;

-- Fields → instant floor quote → blind bids for 10 min → best quote binding 24 h → inspection → paid (order type 52, in which the
-- recycler is the buyer). dist_id filters: an operator sees the requests of its own site.
create table recycle_request (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  user_id bigint not null references app_user,
  game_id int not null references game,
  type_id smallint not null,
  area_id int,
  server_id int,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  fields_version int not null default 1,
  fingerprint bytea,
  floor_fen bigint check (floor_fen > 0),       -- null = too few sales to promise one
  floor_basis jsonb not null default '{}',      -- samples, typical price, share, date: shown beside the floor
  status text not null default 'bidding',
  best_quote_id bigint,
  bids_until timestamptz not null,
  quote_until timestamptz,
  order_id bigint unique references orders,
  closed_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  cuts jsonb not null default '[]' check (jsonb_typeof(cuts) = 'array'), -- the published amounts: what each difference takes off
  cut_fen bigint not null default 0 check (cut_fen >= 0),
  due_at timestamptz,                           -- end of the clock that runs: bids, offer, hand-over, answer
  -- Who read a recycled account first. The readings alone do not say it: a game may have no field that is read (docs/decisions/321).
  read_by bigint references staff,
  constraint recycle_request_status check (status in ('bidding', 'quoted', 'accepted', 'reconfirm', 'paid', 'declined', 'expired', 'withdrawn',
    'closed')),
  constraint recycle_request_order check ((status in ('accepted', 'reconfirm', 'paid', 'declined', 'closed')) = (order_id is not null)),
  constraint recycle_request_quoted check ((status not in ('quoted', 'accepted', 'reconfirm', 'paid', 'declined')) or best_quote_id is not null)
);
create index recycle_request_user on recycle_request (user_id, id desc);
create index recycle_request_bidding on recycle_request (game_id, bids_until) where status = 'bidding';
create index recycle_request_due on recycle_request (quote_until) where status = 'quoted';
create unique index recycle_request_live on recycle_request (fingerprint) where fingerprint is not null and (status in ('bidding', 'quoted',
  'accepted', 'reconfirm'));
create index recycle_request_status on recycle_request (status, due_at);
-- Whether an account was recycled is asked whenever one is offered (db/functions/account_once.sql).
create index recycle_request_recycled on recycle_request (fingerprint) where status = 'paid';

-- Bids are blind: until bids_until a recycler reads only its own. A recycler may raise its bid, never lower it.
create table recycle_quote (
  id bigint generated always as identity primary key,
  request_id bigint not null references recycle_request,
  recycler_id bigint not null references recycler, -- null = the platform's floor
  amount_fen bigint not null check (amount_fen > 0),
  note text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  fee_fen bigint not null default 0 check (fee_fen >= 0),
  status text not null default 'open' check (status in ('open', 'returned', 'paid'))
);
create unique index recycle_quote_one on recycle_quote (request_id, recycler_id) nulls not distinct;
create index recycle_quote_recycler on recycle_quote (recycler_id, id desc);

-- A binding quote falls only where the inspection shows that a named field differs; the seller then decides anew.
create table recycle_reading (
  request_id bigint,
  field text,
  label text not null,
  said text not null,
  found text not null,
  cut_fen bigint not null,
  staff_id bigint not null,
  created_at timestamptz not null default now(),
  pictures jsonb not null default '[]',
  constraint recycle_difference_pkey primary key (request_id, field),
  constraint recycle_difference_cut_fen_check check (cut_fen >= 0),
  constraint recycle_difference_request_id_fkey foreign key (request_id) references recycle_request,
  constraint recycle_difference_staff_id_fkey foreign key (staff_id) references staff
);

-- Standing offers for coin (page /wares/goldRecycling): unit price by lot as in quick_coin_offer, wanted lots, minimum.
create table recycle_coin_offer (
  id bigint generated always as identity primary key,
  sn text not null unique,
  recycler_id bigint not null references recycler,
  game_id int not null references game,
  area_id int not null references game_area,
  server_id int references game_server,
  coin_type smallint not null default 1,
  unit text not null,
  lot_units bigint not null check (lot_units between 1 and 1000000000),
  lot_price_fen bigint not null check (lot_price_fen > 0),
  wanted_lots int not null check (wanted_lots >= 0),
  min_lots int not null default 1 check (min_lots >= 1),
  delivery smallint[] not null check (delivery <@ '{1,2,3}'::smallint[] and cardinality(delivery) > 0),
  status smallint not null default 1 check (status in (1, 2, 3)),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index recycle_coin_shelf on recycle_coin_offer (game_id, area_id, id) where status = 1 and wanted_lots > 0;

-- Valuation: per-item weights as data. A model is made from sold goods by a job or entered by staff, and says how good it is.
create table valuation_model (
  game_id int primary key references game,
  version int not null,
  -- {baseFen, fields: {key: {perUnitFen?, options?: {v: fen}, items?: {v: fen}}}, factors: {key: {v: bp}}}
  body jsonb not null check (jsonb_typeof(body) = 'object'),
  samples int not null check (samples >= 0),
  error_bp int not null check (error_bp >= 0),  -- median distance from what sold
  made_at timestamptz not null default now()
);
comment on column valuation_model.error_bp is 'half of the sales were priced within this distance of the model, in basis points';

create table valuation (
  id bigint generated always as identity primary key,
  sn text not null unique,                      -- address of the result, to share
  dist_id int not null references distributor,  -- records
  user_id bigint references app_user,
  game_id int not null,
  model_version int,
  details jsonb not null check (jsonb_typeof(details) = 'object'),
  low_fen bigint check (low_fen >= 0),
  typical_fen bigint,
  high_fen bigint,
  samples int not null,
  created_at timestamptz not null default now(),
  area_id int references game_area,
  constraint valuation_band check (typical_fen is null and low_fen is null and high_fen is null and model_version is null or low_fen <= typical_fen
    and typical_fen <= high_fen and model_version is not null)
);
create index valuation_user on valuation (user_id, id desc) where user_id is not null;
create index valuation_game on valuation (game_id, id desc);
create index valuation_age on valuation (created_at);

-- Middleman: either side opens with what, how much and who pays the fee; the other accepts by link. Accepting places order type 51.
-- dist_id records.
create table middleman_deal (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  opener_id bigint not null references app_user,
  opener_belong smallint not null check (opener_belong in (0, 1)), -- 1 = the opener buys
  partner_id bigint references app_user,
  game_id int references game,
  title text not null,
  description text not null default '',
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  price_fen bigint not null check (price_fen between 100 and 999999900),
  fee_side text not null check (fee_side in ('buyer', 'seller', 'half')),
  fee_fen bigint not null check (fee_fen >= 0), -- as shown to both when it was opened
  fingerprint bytea,
  link_hash bytea not null unique,              -- sha256 of the link's secret; the secret itself is nowhere
  status text not null default 'waiting' check (status in ('waiting', 'ordered', 'withdrawn', 'refused', 'expired')),
  order_id bigint unique references orders,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  type_id smallint not null default 0,          -- goods type; 0 for what is none of the game's
  server_id int references game_server,
  check (partner_id is null or partner_id <> opener_id),
  constraint middleman_deal_check1 check ((status = 'ordered') = (order_id is not null)),
  constraint middleman_deal_check2 check (status <> 'ordered' or partner_id is not null)
);
create index middleman_deal_opener on middleman_deal (opener_id, id desc);
create index middleman_deal_partner on middleman_deal (partner_id, id desc) where partner_id is not null;
create index middleman_deal_due on middleman_deal (expires_at) where status = 'waiting';
create index middleman_deal_account on middleman_deal (fingerprint) where fingerprint is not null and (status in ('waiting', 'ordered'));
create index middleman_deal_seller on middleman_deal ((
case
    when opener_belong = 0 then opener_id
    else partner_id
end)) where status in
  ('waiting', 'ordered');

-- ---- Verification ----
-- Trust: is this a real customer-service number, and is this a bad account. Numbers are looked up by a keyed hash (HMAC blind
-- index), so that neither the tables nor a leak of them give a list of people's numbers.

-- Numbers that are ours: what staff use, where money goes, which groups exist. value_enc lets the back office read it back.
-- dist_id filters: a number of one site is not confirmed on another; null = of the platform, true everywhere.
create table official_number (
  id bigint generated always as identity primary key,
  dist_id int references distributor,
  kind text not null check (kind in ('qq', 'wechat', 'phone', 'payee', 'group', 'link')),
  value_hash bytea not null,
  value_enc bytea not null,
  value_mask text not null,
  show_value text,                              -- shown on pages (serQqList); null = only confirmed, never listed
  name text not null,                           -- 售前客服 小林, 官方收款账户 …
  staff_id bigint references staff,
  valid_from timestamptz not null default now(),
  valid_until timestamptz,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  -- What a person's question is answered with beside yes or no, and how to ask who reported a false customer service.
  duty text not null default '',
  check (valid_until is null or valid_until > valid_from)
);
create unique index official_number_once on official_number (kind, value_hash, dist_id) nulls not distinct where valid_until is null;
create index official_number_list on official_number (dist_id, kind) where show_value is not null and valid_until is null;

-- Each question, for the public statistics and for alarms (one false number asked by many people). Kept 180 days.
create table verify_query (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,  -- records
  kind text not null,
  value_hash bytea not null,
  verdict smallint not null check (verdict in (0, 1, 2)), -- official numbers: 1 ours, 2 not ours; blacklist: 1 listed, 2 clean, 0 unknown
  purpose text not null check (purpose in ('service', 'black')),
  user_id bigint references app_user,
  ip_hash bytea,
  created_at timestamptz not null default now()
);
create index verify_query_value on verify_query (value_hash, created_at desc);
create index verify_query_age on verify_query (created_at);

-- A false customer service that somebody met: evidence for an entry on the blacklist. dist_id filters (the site it imitated).
create table fake_service_report (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,
  user_id bigint references app_user,
  kind text not null check (kind in ('qq', 'wechat', 'phone', 'payee', 'group', 'link')),
  value_hash bytea not null,
  value_enc bytea not null,
  value_mask text not null,
  text text not null,
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  status text not null default 'reviewing' check (status in ('reviewing', 'listed', 'rejected')),
  black_id bigint,
  handled_by bigint references staff,
  created_at timestamptz not null default now(),
  contact_enc bytea,                            -- how the reporter can be asked; for staff only
  note text,
  handled_at timestamptz,
  check ((status = 'reviewing') = (handled_at is null))
);
create index fake_service_report_open on fake_service_report (id) where status = 'reviewing';
create index fake_service_report_value on fake_service_report (value_hash, created_at desc);

-- The blacklist: an entry has evidence, an expiry and an appeal. It is shared by all sites; dist_id records where it was reported.
create table black_entry (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  game_id int references game,
  reason text not null check (reason in ('recovered', 'fraud', 'fake_service', 'malicious_refund', 'stolen', 'cheating', 'other')),
  title text not null,
  text text not null,                           -- as reported, for staff and the reporter
  public_text text,                             -- as published, without names
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  amount_fen bigint check (amount_fen > 0),
  happened_on date,
  reporter_id bigint references app_user,       -- null = from a ruling or the platform
  order_id bigint references orders,
  dispute_id bigint references dispute,
  source text not null default 'report' check (source in ('report', 'ruling', 'staff', 'external')),
  status text not null default 'reviewing' check (status in ('reviewing', 'listed', 'rejected', 'removed', 'expired', 'withdrawn')),
  review_note text,
  reviewed_by bigint references staff,
  listed_at timestamptz,
  expires_at timestamptz,
  views int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (status <> 'listed' or listed_at is not null and expires_at is not null and public_text is not null),
  constraint black_entry_check1 check (source <> 'ruling' or dispute_id is not null),
  constraint black_entry_check2 check (expires_at is null or listed_at is null or expires_at > listed_at)
);
create index black_entry_listed on black_entry (listed_at desc, id desc) where status = 'listed';
create index black_entry_reporter on black_entry (reporter_id, id desc);
create index black_entry_review on black_entry (id) where status = 'reviewing';
create index black_entry_expiry on black_entry (expires_at) where status = 'listed';
create index black_entry_waiting on black_entry (created_at) where status = 'reviewing';

-- The numbers an entry names. Looked up by hash alone.
create table black_key (
  entry_id bigint references black_entry,
  kind text check (kind in ('qq', 'wechat', 'phone', 'alipay', 'game', 'bank', 'group')),
  value_hash bytea,
  value_mask text not null,
  primary key (entry_id, kind, value_hash)
);
create index black_key_lookup on black_key (value_hash, kind);

-- One appeal at a time; the person who listed an entry does not decide on its appeal.
create table black_appeal (
  id bigint generated always as identity primary key,
  entry_id bigint not null references black_entry,
  user_id bigint not null references app_user,
  text text not null,
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  status text not null default 'reviewing' check (status in ('reviewing', 'granted', 'refused')),
  answer text,
  decided_by bigint references staff,
  answer_by timestamptz not null,               -- the clock that the appellant reads
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  check ((status = 'reviewing') = (decided_at is null)),
  constraint black_appeal_check1 check (status = 'reviewing' or answer is not null)
);
create unique index black_appeal_open on black_appeal (entry_id, user_id) where status = 'reviewing';
create index black_appeal_queue on black_appeal (answer_by) where status = 'reviewing';

create table black_event (
  id bigint generated always as identity primary key,
  entry_id bigint not null references black_entry,
  kind text not null,                           -- reported, listed, rejected, appealed, removed, extended, expired
  actor text not null,
  explain text not null default '',
  created_at timestamptz not null default now()
);
create index black_event_entry on black_event (entry_id, id);

-- What the external service said, so that it is asked once a day for one number. 0 unknown is kept for an hour only.
create table black_external (
  kind text,
  value_hash bytea,
  verdict smallint not null check (verdict in (0, 1, 2)),
  detail jsonb not null default '{}',
  asked_at timestamptz not null default now(),
  good_until timestamptz not null,
  primary key (kind, value_hash)
);

-- ---- Notices and content ----
-- Notices: what a person is told, on which channels, and when not. An event makes one notice per person (unique with its ref), the
-- notice makes deliveries; a job sends them. Content: what the back office writes. Bodies are blocks of plain text, never markup:
-- [{t: 'p'|'h'|'li'|'quote', text}, {t: 'img', key, alt}, {t: 'link', text, url}].

-- Kinds of notice with their default channels; kinds that are not optional (money, security) cannot be switched off.
create table notice_kind (
  code text primary key check (code ~ '^[a-z_.]{2,40}$'),
  name text not null,
  grp text not null check (grp in ('order', 'money', 'goods', 'chat', 'security', 'service', 'activity')),
  channels text[] not null check (channels <@ '{site,wechat,sms,email,push}'::text[] and ('site' = any (channels))),
  optional boolean not null default true,
  urgent boolean not null default false,        -- passes the quiet hours
  sort int not null default 0,
  version int not null default 1
);

-- dist_id records: texts name the site on which the person acted.
create table notice (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,
  user_id bigint not null references app_user,
  kind text not null references notice_kind,
  ref text not null,                            -- what it is about; one event tells one person once
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
  status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'unknown', 'failed', 'dropped')),
  due_at timestamptz not null default now(),    -- later than now in quiet hours and for daily digests
  attempts smallint not null default 0,
  vendor_ref text,
  error text,
  done_at timestamptz,
  user_id bigint not null references app_user,
  digest boolean not null default false,
  claimed_at timestamptz,
  title text,                                   -- What a delivery says where its channel has a text of its own.
  body text,
  unique (notice_id, channel)
);
create index notice_delivery_due on notice_delivery (due_at) where status = 'waiting';
create index notice_delivery_claimed on notice_delivery (claimed_at) where status = 'sending';
create index notice_delivery_digest on notice_delivery (user_id, channel) where status = 'waiting' and digest;
comment on column notice_delivery.digest is 'Goes out with the others of its person and channel, as one message a day.';

-- Only what differs from the kind's default is kept.
create table notice_preference (
  user_id bigint references app_user,
  kind text references notice_kind,
  channels text[] not null check (channels <@ '{site,wechat,sms,email,push}'::text[]),
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
  kind text references notice_kind,
  channel text check (channel in ('site', 'wechat', 'sms', 'email', 'push')),
  version int,
  title text not null,
  body text not null,                           -- {name} marks are filled from the event
  vendor_template text,                         -- number of the text at the SMS or WeChat vendor
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  link text check (link is null or link ~ '^/($|[^/\\])'),
  removed boolean not null default false,
  reason text not null default '',
  primary key (kind, channel, version),
  constraint notice_template_vendor check (vendor_template is null or vendor_template ~ '^[A-Za-z0-9_-]{3,40}$'),
  constraint notice_template_lengths check (length(title) <= 60 and length(body) <= 300)
);
comment on column notice_template.link is 'Inside the site; {name} marks are filled and percent-encoded.';

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
  published_until timestamptz,
  check (status <> 1 or published_at is not null),
  constraint news_times check (published_until is null or published_at is null or published_until > published_at)
);
create index news_list on news (category, pinned desc, published_at desc, id desc) where status = 1;
comment on column news.version is 'The version of what stands here; newer ones in news_version are drafts';
comment on column news.published_at is 'From when it is shown once it is published; planned while it is a draft';

-- Event cases: what happened, how it was decided, what to learn. Anonymised.
create table event_case (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[A-Za-z0-9-]{2,40}$'),
  dist_id int references distributor,           -- filters; null = every site
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
  dist_id int references distributor,           -- filters; null = every site
  logo_key text,
  sort int not null default 0 check (sort between 0 and 999), -- among the leagues of a page, least first
  version int not null default 1,
  created_by bigint references staff,           -- null: came with the installation
  updated_at timestamptz not null default now(),
  check (ends_on >= starts_on)
);
comment on column league.status is '0 draft, 1 published, 2 withdrawn';

create table league_team (
  id int generated always as identity primary key,
  name text not null,
  short_name text not null,
  logo_key text,
  dist_id int references distributor,
  version int not null default 1
);
create unique index league_team_name on league_team (coalesce(dist_id, 0), name);

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
  version int not null default 1,
  updated_at timestamptz not null default now(),
  -- The same is not entered twice by two people, or by one who presses twice.
  constraint league_match_once unique (league_id, home_id, away_id, starts_at),
  check (home_id <> away_id)
);
create index league_match_time on league_match (starts_at, id);
create index league_match_league on league_match (league_id, starts_at, id);

-- Adverts by position; on a game's pages with game_id. What is clickable is stored by four eyes. dist_id filters; null = every site.
create table advert (
  id bigint generated always as identity primary key,
  dist_id int references distributor,
  "position" text not null check ("position" ~ '^[a-z0-9_]{2,40}$'),
  game_id int references game,
  device smallint not null default 0 check (device in (0, 1)), -- 0 PC, 1 phone
  title text not null,
  small_title text not null default '',
  picture_key text,
  ht_url text not null check (ht_url ~ '^(https?://|/($|[^/\\]))'),
  remind boolean not null default false,        -- opens the reminder dialog with its countdown first
  sort int not null default 0,
  starts_at timestamptz not null default now(),
  ends_at timestamptz,
  status smallint not null default 0 check (status in (0, 1, 2)), -- 0 waits for the second person, 1 shown, 2 off
  created_by bigint references staff,
  approved_by bigint references staff,
  created_at timestamptz not null default now(),
  check (status <> 1 or created_by is null or approved_by is not null and approved_by <> created_by),
  constraint advert_check1 check (ends_at is null or ends_at > starts_at)
);
create index advert_shown on advert ("position", sort) where status = 1;

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
  code text check (code ~ '^[a-z_]{2,40}$'),
  version int check (version > 0),
  title text not null,
  blocks jsonb not null check (jsonb_typeof(blocks) = 'array'),
  in_force_from timestamptz not null,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  reason text not null default '' check (length(reason) <= 200),
  needs_consent boolean not null default false, -- whoever agreed to an earlier version is asked again
  revoked_at timestamptz,
  revoked_by bigint references staff,
  primary key (code, version)
);

-- ---- Back office ----
-- The back office's own records: who serves whom, what is said often, what needs a second person, and the daily numbers.

-- Which customer service takes a new group. The first rule that fits wins, by sort; among its people the least loaded on duty.
-- dist_id filters: null = every site.
create table assignment_rule (
  id int generated always as identity primary key,
  name text not null,
  dist_id int references distributor,
  game_id int references game,
  order_types smallint[],                       -- null = all
  min_fen bigint not null default 0 check (min_fen >= 0),
  max_fen bigint,
  duty text not null default 'trade' check (duty in ('presale', 'trade', 'inspection', 'handover', 'after_sale', 'dispute')),
  staff_ids bigint[] not null default '{}',     -- empty = everyone of role service
  keep_same boolean not null default true,      -- a person who had this buyer before comes first
  sort int not null default 0,
  status smallint not null default 1 check (status in (1, 2)),
  created_at timestamptz not null default now(),
  check (max_fen > min_fen)
);
create index assignment_rule_order on assignment_rule (duty, sort) where status = 1;

create table staff_shift (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  check (ends_at > starts_at)
);
create index staff_shift_staff on staff_shift (staff_id, starts_at);

-- Who had a group, from when to when and why it went on: behind 'who is this, on which order' and the service statistics.
create table chat_assignment (
  id bigint generated always as identity primary key,
  group_id bigint not null references chat_group,
  staff_id bigint not null references staff,
  reason text not null,                         -- rule:<id>, transfer, takeover, off duty
  by_staff_id bigint references staff,
  from_at timestamptz not null default now(),
  first_reply_at timestamptz,
  to_at timestamptz,
  solved_at timestamptz                         -- The workbench of customer service: when the one who had a group called its matter settled.
);
create unique index chat_assignment_now on chat_assignment (group_id) where to_at is null;
create index chat_assignment_staff on chat_assignment (staff_id, from_at desc);

-- Visitors and groups that wait for a person, oldest first.
create table service_queue (
  group_id bigint primary key references chat_group,
  dist_id int not null references distributor,  -- filters
  duty text not null,
  since timestamptz not null default now(),
  promised_at timestamptz                       -- when the waiting person was told to expect an answer
);
create index service_queue_order on service_queue (duty, since);

-- dist_id filters, null = every site; staff_id set = one person's own.
create table canned_answer (
  id bigint generated always as identity primary key,
  dist_id int references distributor,
  staff_id bigint references staff,
  game_id int references game,
  grp text not null default '常用',
  title text not null,
  text text not null check (length(text) between 1 and 2000),
  shortcut text,
  uses int not null default 0,
  sort int not null default 0,
  status smallint not null default 1 check (status in (1, 2)),
  updated_at timestamptz not null default now()
);
create index canned_answer_list on canned_answer (grp, sort) where status = 1;

-- Service satisfaction: one answer of one person for one group.
create table service_satisfaction (
  group_id bigint references chat_group,
  user_id bigint references app_user,
  staff_id bigint references staff,
  order_id bigint references orders,
  dist_id int not null references distributor,  -- filters
  score smallint not null check (score between 1 and 5),
  solved boolean,
  tags text[] not null default '{}',
  content text not null default '',
  created_at timestamptz not null default now(),
  primary key (group_id, user_id)
);
create index service_satisfaction_staff on service_satisfaction (staff_id, created_at desc);

-- Contact that a party leaves for one transaction, for the assigned staff alone; erased after completion.
create table order_contact (
  order_id bigint references orders,
  user_id bigint references app_user,
  body_enc bytea,                               -- null once erased
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  erased_at timestamptz,
  primary key (order_id, user_id),
  check ((body_enc is null) = (erased_at is not null))
);

-- An act that one person asks for and another allows (money above a limit, identity reveal, configuration of a site, adverts).
-- Executed in the transaction that allows it. dist_id filters; null = of the platform.
create table approval (
  id bigint generated always as identity primary key,
  dist_id int references distributor,
  act text not null,                            -- withdrawal.pay, refund, ledger.adjust, kyc.reveal, dist.conf, export …
  target text not null,
  payload jsonb not null,
  amount_fen bigint check (amount_fen > 0),
  reason text not null,
  asked_by bigint not null references staff,
  status text not null default 'waiting' check (status in ('waiting', 'allowed', 'refused', 'expired', 'withdrawn')),
  decided_by bigint references staff,
  note text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  constraint approval_second_person check (decided_by is distinct from asked_by),
  check ((status in ('allowed', 'refused')) = (decided_by is not null))
);
create unique index approval_open on approval (act, target) where status = 'waiting';
-- The queues of the back office are counted by indexes that hold the waiting rows alone; those of orders are made in 0525 and 0526.
create index approval_waiting on approval (expires_at) where status = 'waiting';

-- How long goods take to sell, by game and goods type (page /dealshow/selltime), made daily from real sales of 30 days.
create table sell_time_stat (
  game_id int references game,
  type_id smallint,
  price_band smallint check (price_band >= '-1'::integer and price_band <= 9), -- see the job: bands of the price
  sold int not null,
  median_hours int not null,
  day1_bp int not null check (day1_bp between 0 and 10000), -- share sold within a day
  day7_bp int not null check (day7_bp between 0 and 10000),
  made_at timestamptz not null default now(),
  low_hours int not null,
  high_hours int not null,
  primary key (game_id, type_id, price_band),
  constraint sell_time_stat_order check (low_hours <= median_hours and median_hours <= high_hours)
);

-- ---- Chat presence ----

-- Who is connected to the chat, over all gateways. Unlogged: after a crash nobody is connected, and an empty table says so.
-- A gateway beats once for all its members; a silent one (killed) counts as gone, so that presence costs no write per member.
create unlogged table chat_gateway (node text primary key, seen_at timestamptz not null default now());

create unlogged table chat_presence (member text, node text, primary key (member, node));
create index chat_presence_node on chat_presence (node);

-- ---- Stock import ----

-- Sellers' stock lists that staff import in the back office: the file until it is read, how far it is, and what became of each row.
-- dist_id filters: the seller's distributor, null until a seller is named.
create table import_job (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff,
  dist_id int references distributor,
  seller_id bigint references app_user,
  file_name text not null,
  bytes int not null,
  body bytea,                                   -- null once the run has ended: it may hold account names
  columns jsonb not null default '[]',          -- the file's own headings, for the list of refused rows
  total_rows int not null,
  done_rows int not null default 0,             -- moved forward in the transaction that stores a batch
  imported int not null default 0,
  corrected int not null default 0,
  existing int not null default 0,
  refused int not null default 0,
  publish boolean not null default false,
  status text not null default 'ready' check (status in ('ready', 'running', 'done', 'failed')),
  failure text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check (done_rows = (imported + corrected + existing + refused)),
  constraint import_job_check1 check (status = 'ready' or seller_id is not null)
);
create index import_job_newest on import_job (dist_id, id desc);

create table import_row (
  job_id bigint references import_job,
  line int,
  verdict text not null check (verdict in ('imported', 'corrected', 'existing', 'refused')),
  import_key text,
  goods_id bigint references goods,
  note text not null default '',                -- how it was corrected, or why it was refused
  cells jsonb,                                  -- of a refused row, to be mended and sent again
  primary key (job_id, line)
);
create index import_row_verdict on import_row (job_id, verdict, line);

-- ---- Bargain terms ----
-- What an offer needs besides its prices: the buyer's words, the price it was made against, and why it ended when nobody ended it.

-- The least that a seller looks at, as a part of the asked price; sellers without a row have the market's own (setting 'bargain').
-- dist_id plays no part: a seller's rule holds wherever the goods are shown.
create table bargain_rule (
  user_id bigint primary key references app_user,
  floor_percent smallint not null check (floor_percent between 30 and 95),
  updated_at timestamptz not null default now()
);

-- ---- Want matching ----
-- A want or a saved search is compiled when it is kept, so that new goods look up who waits for them: game, type, place and price by
-- index, words as a tsquery against the goods' own search row, the rest (ranges, 'at least n of') on the few that are left.

-- What fitted a want, at the lowest price that it fitted at: a cheaper one is told again.
create table want_match (
  want_id bigint references want,
  goods_id bigint references goods,
  price_fen bigint not null,                    -- all-in
  pushed_at timestamptz,
  matched_at timestamptz not null default now(),
  primary key (want_id, goods_id)
);
create index want_match_new on want_match (want_id, matched_at desc);
create index want_match_goods on want_match (goods_id);

create table alert_match (
  alert_id bigint references alert on delete cascade,
  goods_id bigint references goods,
  price_fen bigint not null,
  pushed_at timestamptz,
  matched_at timestamptz not null default now(),
  primary key (alert_id, goods_id)
);
create index alert_match_new on alert_match (alert_id, matched_at desc);

-- ---- Digests and push tickets ----
-- What a notice says, where it leads, and how its deliveries are sent once each. A new kind of notice is one row of notice_kind and
-- one of notice_template; whoever has something to tell writes an outbox row of topic 'notice' (docs/ARCHITECTURE.md, Notices).

-- A QR of the official account that binds whoever follows it to the user who asked. Good once and for ten minutes.
create table wechat_push_ticket (
  scene_hash bytea primary key,
  user_id bigint not null references app_user,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index wechat_push_ticket_age on wechat_push_ticket (expires_at);

-- ---- Known devices ----

-- Devices that somebody has logged in on before, so that a new one is told to its owner. A device is its browser's own words without
-- the numbers of versions, hashed: an update is no new device.
create table known_device (
  user_id bigint references app_user,
  agent_hash bytea,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (user_id, agent_hash)
);

-- ---- Log-in by third parties ----
-- Log-in by a third party's app (domain.md 7). The code of a log-in is shown to everybody who sees the QR, so it opens nothing alone:
-- the browser that asked holds a cookie (browser_hash), and the phone that scanned holds a key (phone_hash).

-- Somebody who has proved a third party's account that no user has yet. Good once, in the browser that proved it, until it expires.
create table third_party_ticket (
  ticket_hash bytea primary key,
  provider text not null check (provider in ('wechat', 'qq')),
  open_id text not null,
  union_id text,
  browser_hash bytea not null,
  dist_id int not null references distributor,  -- records
  expires_at timestamptz not null
);
create index third_party_ticket_age on third_party_ticket (expires_at);

-- ---- Recycling of coins, time sales ----

-- Coin that recyclers buy: beside the order (type 52), as quick_coin_order is beside type 53.
create table recycle_coin_order (
  order_id bigint primary key references orders,
  offer_id bigint not null references recycle_coin_offer,
  lots int not null check (lots > 0),
  lot_units bigint not null check (lot_units > 0),
  unit text not null,
  delivery smallint not null check (delivery in (1, 2, 3)),
  role_name text not null,                      -- the seller's character that delivers
  wanted_returned boolean not null default false
);
create index recycle_coin_order_offer on recycle_coin_order (offer_id, order_id desc);

-- A seller's price for a limited time. was_fen is the lowest price at which the goods were offered in the 30 days before: what is struck
-- through is never an invented price. A sale holds for one version of the goods: any change of the goods ends it.
create table time_sale (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods,
  goods_version int not null,
  price_fen bigint not null check (price_fen between 100 and 999999900),
  was_fen bigint not null,
  left_num int not null check (left_num >= 0),  -- pieces at this price that are left
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status smallint not null default 1 check (status in (1, 2)), -- 1 open, 2 stopped by the seller
  created_at timestamptz not null default now(),
  check (ends_at > starts_at),
  constraint time_sale_check1 check (price_fen < was_fen)
);
create unique index time_sale_open on time_sale (goods_id) where status = 1;

create table time_sale_order (
  order_id bigint primary key references orders,
  sale_id bigint not null references time_sale,
  num int not null check (num > 0),
  returned boolean not null default false
);

-- Prices that goods had, for the honest reference of a sale; written by the database itself, whoever changes the price.
create table goods_price_day (
  goods_id bigint not null references goods,
  price_fen bigint not null,
  until timestamptz not null default now()      -- the price held until then
);
create index goods_price_day_goods on goods_price_day (goods_id, until desc);

-- ---- Reconciliation with payment channels ----
-- Reconciliation with the channels' daily statements. Belongs to the platform as a whole: no dist_id.

-- What does not fit, until somebody or a later statement explains it. side: 'theirs' stands in the statement alone, 'ours' in our books
-- alone, 'amount' in both with other amounts, 'twice' in the statement more than once.
create table reconcile_difference (
  id bigint generated always as identity primary key,
  channel text not null,
  day date not null,
  side text not null check (side in ('theirs', 'ours', 'amount', 'twice')),
  kind text not null check (kind in ('pay', 'refund', 'transfer', 'back')),
  number text not null,
  trade_no text,
  line_no int not null default 0,               -- 0 where no line is
  transfer_id bigint references ledger_transfer,
  theirs_fen bigint,
  ours_fen bigint,
  reason text not null,
  opened_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by bigint references staff,          -- null: a later statement or posting explained it
  note text,
  unique (channel, day, side, kind, number, line_no)
);
create index reconcile_difference_open on reconcile_difference (id) where resolved_at is null;
create index reconcile_difference_number on reconcile_difference (channel, number) where resolved_at is null;

-- ---- Deposits ----

-- Deposits by role (domain.md 6). The balance is the ledger's (user:<id>:deposit); which role it stands for is this journal's, one row
-- a movement, written beside its posting. dist_id of a posting records.
create table deposit_entry (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  role text not null check (role in ('seller', 'shop', 'booster', 'companion', 'recycler')),
  kind smallint not null check (kind in (1, 2, 3)), -- 1 paid in, 2 taken by a rule, 3 given back
  amount_fen bigint not null check (amount_fen > 0),
  ref text not null,                            -- what it belongs to: payment, penalty or release
  reason text not null,
  rule_no text,
  order_id bigint references orders,
  created_at timestamptz not null default now(),
  unique (kind, ref)
);
create index deposit_entry_user on deposit_entry (user_id, id desc);

-- ---- Settlement with distributors ----
-- Statements: a user's bill by time and kind, what an inviter earned by day, what a distributor earned by day, and its settlement.

-- A distributor's commission is settled: its operator asks, finance pays to the contract's account and writes down the number of the
-- bank's receipt; above the limit a second person approves. dist_id filters.
create table dist_settlement (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  amount_fen bigint not null check (amount_fen > 0),
  status smallint not null default 0 check (status in (0, 1, 2)), -- 0 asked, 1 paid, 2 refused
  note text,
  receipt_no text,
  asked_by bigint not null references staff,
  first_by bigint references staff,
  decided_by bigint references staff,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  check ((status = 0) = (decided_at is null)),
  constraint dist_settlement_check1 check (first_by is distinct from decided_by or first_by is null)
);
create unique index dist_settlement_open on dist_settlement (dist_id) where status = 0;
create index dist_settlement_dist on dist_settlement (dist_id, id desc);

-- ---- Checks of the books ----

-- Each night every rule of the books is checked on one snapshot (docs/LEDGER.md). A run without an end was killed and is taken up again.
create table books_check (
  id bigint generated always as identity primary key,
  day date not null unique,                     -- of China's calendar
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  transfers bigint,                             -- how many the books held then
  breaches text[]                               -- up to 100; empty = all is right
);

-- ---- Seller levels ----
-- Seller levels are counted from finished sales by public rules that cannot be farmed (domain.md 3; docs/decisions/056). app_user.seller_level
-- stays what everybody reads; how it came about stands here. Nothing here filters by dist_id: a seller is the same on every site.

-- Browsers that somebody has logged in on, by a random cookie of their own. Two accounts that met on one browser do not count for each other.
create table user_browser (
  user_id bigint references app_user,
  browser_hash bytea,                           -- sha256 of the cookie
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (user_id, browser_hash)
);
create index user_browser_shared on user_browser (browser_hash, user_id);

create table seller_standing (
  user_id bigint primary key references app_user,
  level smallint not null check (level between 0 and 5),
  counted jsonb not null,                       -- what was counted and what was left out, as the seller reads it
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

-- ---- Release of held money by stages ----

-- A sale's money is released in stages by the seller's level (docs/decisions/082). A hold keeps what is still held; each stage says how
-- long before the hold's end its part comes free, so that a dispute that stops the hold stops its stages with it.
create table hold_stage (
  hold_id bigint references hold,
  seq smallint check (seq > 0),
  amount_fen bigint not null check (amount_fen > 0),
  before_end int not null check (before_end > 0), -- Seconds before the hold's end.
  released_at timestamptz,
  primary key (hold_id, seq)
);
comment on table hold_stage is 'Parts of a hold that come free before its end. dist_id: by the hold''s user; records';

-- ---- People who are linked ----
-- What an order's guards and the searches for linked people rest on (design section 8; docs/decisions/110).

-- Networks that somebody has logged in from, as a keyed hash. dist_id: people belong to the platform; neither filters nor records.
create table user_network (
  user_id bigint references app_user,
  network_hash bytea,                           -- blind index of the IPv4 address or the IPv6 /64
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);
create index user_network_shared on user_network (network_hash, user_id);

-- ---- Credentials of accounts ----
-- Sealed credentials: versions under one data key per order, each opening on record, kept until hold, dispute and cover have ended
-- (design section 2; docs/decisions/130). dist_id: none of these tables has one, they follow their order.

-- The data key of an order's sealed forms, wrapped by the server's keys. Erasing it leaves nothing that could be read, in a backup either.
create table order_key (
  order_id bigint primary key references orders,
  wrapped bytea,
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  check ((wrapped is null) = (erased_at is not null))
);

-- Each opening of a sealed form. Rows are never changed.
create table credential_opening (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  step smallint not null,
  version int not null,
  opener text not null,                         -- 'user:5', 'staff:101'
  party text not null check (party in ('buyer', 'seller', 'staff')),
  purpose text not null,
  opened_at timestamptz not null default now()
);
create index credential_opening_order on credential_opening (order_id, id);

-- Steps of the catalogue that the goods' own facts rule out: shown with their reason, behind step `after_step`, and never done.
create table order_step_ruled_out (
  order_id bigint references orders,
  key text,
  after_step smallint not null,
  title text not null,
  reason text not null,
  primary key (order_id, key)
);

-- ---- Debts ----

-- Debts: what somebody owes after a trade was undone and had no longer (domain.md 3; docs/decisions/140). A debt is collected where income
-- arrives, inside ledger_post, oldest first, so that no way of earning passes it by. The application reads the table; the two functions write.
create table debt (
  id bigint generated always as identity primary key,
  debtor_user bigint references app_user,       -- Who owes: a user, or a distributor.
  debtor_dist int references distributor,
  -- The account whose income pays.
  debtor text generated always as (
case
    when debtor_dist is null then ('user:' || debtor_user) || ':available'
    else ('dist:' || debtor_dist)
    || ':commission'
end) stored not null,
  -- The account that is owed: a user's balance or the guarantee fund.
  creditor text not null check (creditor ~ '^(user:[0-9]+:available|platform:guarantee_fund:[0-9]+)$'),
  amount_fen bigint not null check (amount_fen > 0),
  paid_fen bigint not null default 0,
  parts int not null default 0,                 -- how often something was collected: with the id the ref of its posting
  code text not null check (code in ('settled', 'ruled', 'claim', 'reading', 'dist_share', 'invite_reward')),
  reason text not null,                         -- the sentence that its debtor reads
  ref text not null unique,                     -- what it came of, so that it is written once
  order_id bigint references orders,
  dist_id int not null,                         -- records the site of the trade
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check (paid_fen between 0 and amount_fen),
  constraint debt_check1 check (num_nonnulls(debtor_user, debtor_dist) = 1),
  constraint debt_check2 check (debtor <> creditor),
  constraint debt_check3 check ((settled_at is not null) = (paid_fen = amount_fen))
);
create index debt_open on debt (debtor, id) where settled_at is null;
create index debt_debtor on debt (debtor, id desc);
create index debt_creditor on debt (creditor, id desc);
create index debt_order on debt (order_id) where order_id is not null;
create index debt_user on debt (debtor_user) where settled_at is null;
comment on table debt is 'What users and distributors owe. dist_id records the site of the trade';

-- ---- Releases from the guarantee fund ----
-- Who pays for a trade that is undone (docs/decisions/141, 142): the parties' own money and debts; the guarantee fund by two names or by a
-- claim's deadline under the limit; shares only once protection has ended.

-- What lets a debit of the guarantee fund pass: an approval, which names two members of staff, or a claim whose deadline is over.
create table fund_release (
  id bigint generated always as identity primary key,
  code text not null,                           -- with the ref: the posting that it lets pass, once
  ref text not null,
  amount_fen bigint not null check (amount_fen > 0),
  approval_id bigint references approval,
  claim_id bigint references guarantee_claim,
  created_at timestamptz not null default now(),
  unique (code, ref),
  check (num_nonnulls(approval_id, claim_id) = 1)
);
comment on table fund_release is 'Why money may leave the guarantee fund. The fund is the platform''s: no dist_id';

-- ---- Receipts of claims ----
-- What a guarantee promises stands in one table (guarantee_tier): the price and the cover both read it, and a row that was sold does not
-- change. A change of terms is a new row of the same code with the next version and an id of its own; orders name the id, so that each
-- order keeps the terms it bought.

-- What proves a loss beyond the price: receipts of top-ups, entered by staff who saw them. Insert only; a wrong one is struck out.
create table guarantee_receipt (
  id bigint generated always as identity primary key,
  claim_id bigint not null references guarantee_claim,
  amount_fen bigint not null check (amount_fen > 0),
  paid_on date not null,
  note text not null,
  pictures jsonb not null check (jsonb_typeof(pictures) = 'array' and jsonb_array_length(pictures) > 0),
  staff_id bigint not null references staff,
  created_at timestamptz not null default now(),
  struck_by bigint references staff,
  struck_at timestamptz,
  check ((struck_by is null) = (struck_at is null))
);
create index guarantee_receipt_claim on guarantee_receipt (claim_id, id);

-- ---- Step-up ----
-- What a session has proved beyond its log-in, per purpose, and how long payouts wait (design section 3, Step-up; docs/decisions/160).

-- A code that went to the owner's phone for one purpose, shown in this session. session.pay_verified_at is written by the pay password alone.
-- dist_id: belongs to the session; neither filters nor records.
create table step_up (
  session_hash bytea references session on delete cascade,
  purpose text,
  verified_at timestamptz not null default now(),
  primary key (session_hash, purpose)
);

-- ---- Known browsers of staff ----

-- Browsers that a member of staff has logged in from, so that strangers' wrong tries lock nobody out (design section 8; docs/decisions/161).
-- dist_id: follows the member of staff; neither filters nor records.
create table staff_browser (
  staff_id bigint references staff,
  browser_hash bytea,                           -- of a random cookie
  last_at timestamptz not null default now(),
  primary key (staff_id, browser_hash)
);

-- ---- Contacts found in texts ----

-- What the contact filter cut from a listing, for the reviewer alone (docs/decisions/180). Sealed with the goods' id as its place, and
-- deleted with the decision. dist_id stands in goods; neither filters nor records here.
create table goods_finding (
  goods_id bigint primary key references goods,
  sealed bytea not null,                        -- JSON: label, original and cut sentences of each text
  created_at timestamptz not null default now()
);

-- ---- One person ----

-- Whoever closed an account and comes back is the same person to everything that is given once a person (docs/decisions/182).
-- The number itself is erased with the account; its keyed hash stays. dist_id: people belong to the platform; neither filters nor records.
create table former_person (
  user_id bigint primary key references app_user,
  id_hash bytea not null,                       -- blind index of the identity number, as real_name.id_hash
  closed_at timestamptz not null default now()
);
create index former_person_hash on former_person (id_hash);

-- ---- Seals of the audit record ----

-- The audit is a hash chain. Each row gets a seal in the transaction that writes it, at its commit: the seal's hash covers the row's
-- content and the hash before, so that a row changed, removed, moved or put in later breaks every hash behind it. No code path can
-- forget it, and a killed process leaves both or none.
-- The head's row is held from the seal to the commit: seals stand in the order of commit, and nobody waits for longer than one commit.
create table audit_seal (
  seq bigint primary key,                       -- 1, 2, 3 … without a gap
  audit_id bigint not null unique references audit_log,
  sealed_at timestamptz not null,
  hash bytea not null
);
comment on table audit_seal is 'One seal for each row of audit_log. The platform''s own: no dist_id';

create table audit_head (one boolean default true primary key check (one), seq bigint not null, hash bytea not null);
comment on table audit_head is 'The last seal, so that a tail cut off is missed. The platform''s own: no dist_id';

-- Each night the chain is read whole and compared with the heads that have left the machine. A run without an end was killed.
create table audit_check (
  day date primary key,                         -- of China's calendar
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  seq bigint,                                   -- the head that was found
  hash bytea,
  heads int,                                    -- how many heads of other days were compared
  breaks jsonb,                                 -- [{seq, row, day, text}], the first one first; [] = whole
  mailed_at timestamptz
);
comment on table audit_check is 'What each night has found. The platform''s own: no dist_id';

-- ---- Reviews ----
-- Reviews are read: on the order by both sides, on the seller's page and beside goods by everybody; answered once, reported, kept or hidden
-- (docs/decisions/210).

-- What people report of a review or of the answer to it. All that wait on one part are decided together. dist_id filters: staff of a
-- distributor see the reports on reviews of its own orders.
create table review_report (
  id bigint generated always as identity primary key,
  review_id bigint not null references order_review (id),
  dist_id int not null references distributor,
  part text not null check (part in ('review', 'answer')),
  user_id bigint not null references app_user,
  reason text not null check (reason in ('contact', 'abuse', 'false', 'privacy', 'other')),
  note text not null default '',
  status text not null default 'waiting' check (status in ('waiting', 'kept', 'hidden')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by bigint references staff,
  decision text,
  unique (review_id, part, user_id)
);
create index review_report_waiting on review_report (review_id, part) where status = 'waiting';
create index review_report_status on review_report (status, id desc);
create index review_report_user on review_report (user_id, created_at);

-- ---- Data export ----

-- A person's own data as a file (docs/decisions/212): asked for with a proof of the owner, made by a timer, sealed at rest, removed after
-- seven days. dist_id records where it was asked for; a file belongs to its person alone.
create table data_export (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  dist_id int not null references distributor,
  status text not null default 'waiting' check (status in ('waiting', 'ready', 'removed')),
  body_enc bytea,                               -- gzip and sealed; null before it is made and after it is removed
  bytes int,                                    -- of the file as it is downloaded
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  expires_at timestamptz,
  removed_at timestamptz,
  check ((status = 'ready') = (body_enc is not null))
);
create index data_export_user on data_export (user_id, created_at desc);
create unique index data_export_one_waits on data_export (user_id) where status = 'waiting';

-- ---- Events that could not be delivered ----

-- Jobs that fail for good, and events whose listener does, wait here for staff: nothing is lost, and nothing is tried for ever.
create table dead_letter (
  id bigint generated always as identity primary key,
  -- 'job': kind and key of a timer; 'event': a topic, whose ref is the number that the event had in the outbox.
  what text not null check (what in ('job', 'event')),
  name text not null,
  ref text not null,
  payload jsonb not null default '{}',
  error text not null,
  attempts int not null,
  first_failed_at timestamptz not null,
  last_failed_at timestamptz not null default now(),
  status text not null default 'open' check (status in ('open', 'again', 'discarded')),
  staff_id bigint references staff,
  note text,
  decided_at timestamptz,
  check ((status = 'open') = (decided_at is null))
);
-- One open letter of each: what dies again while it is there is the same letter.
create unique index dead_letter_open on dead_letter (what, name, ref) where status = 'open';
create index dead_letter_decided on dead_letter (decided_at desc, id desc) where status <> 'open';

-- ---- Tokens of vendors ----

-- Access tokens that a vendor lends to the whole installation: WeChat voids the one before when a new one is asked for, so one process
-- at a time renews it (`refreshing_until`) and all others read it here. The value is encrypted.
create table vendor_token (
  name text primary key,
  value_enc bytea,
  expires_at timestamptz,
  refreshing_until timestamptz,
  check ((value_enc is null) = (expires_at is null))
);

-- ---- Data keys ----

-- The keys that encrypt, index and sign, each wrapped by the installation's secret. The secret can change without changing them: they are
-- wrapped again. `secret_mark` is a keyed hash that names the secret, so that a start with another one is refused.
create table data_key (
  purpose text check (purpose in ('encrypt', 'blind', 'token', 'fingerprint', 'sandbox', 'push')),
  id smallint check (id between 1 and 255),     -- The first byte of each value that the key encrypted.
  wrapped bytea not null,
  secret_mark bytea not null,
  created_at timestamptz not null default now(),
  active_at timestamptz not null default now(), -- New values are written under it from here on; every process has read it by then.
  drained_at timestamptz,                       -- Since when no value that can be opened is under an older key.
  primary key (purpose, id)
);

-- ---- Staff roles ----

-- A role is a named set of permissions that staff may edit. The permissions themselves are constants of the program
-- (contract/rules/staff.ts); a role whose set is null has the one that the program ships for it, so that a new permission reaches it
-- with the program that knows it.
create table staff_role (
  code text primary key check (code ~ '^[a-z][a-z0-9-]{1,31}$'),
  name text not null check (char_length(name) between 1 and 20),
  permissions text[],
  is_system boolean not null default false,     -- Shipped with the program: never deleted.
  site_only boolean not null default false,     -- Staff with this role must be bound to one distributor.
  dist_id int references distributor,           -- A distributor's own role; null for roles of the platform.
  updated_at timestamptz not null default now(),
  constraint staff_role_check1 check (is_system or permissions is not null)
);
create unique index staff_role_name on staff_role (coalesce(dist_id, 0), name);

-- One-time addresses by which staff set a password, a second factor, or both. Only the hash of the token is stored.
create table staff_invite (
  token_hash bytea primary key,
  staff_id bigint not null references staff,
  sets_password boolean not null,
  sets_factor boolean not null,
  totp_secret_enc bytea,                        -- The second factor that the page offers; it counts only once a code of it was given.
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  tries smallint not null default 0,
  check (sets_password or sets_factor),
  constraint staff_invite_secret check (used_at is not null or sets_factor = (totp_secret_enc is not null))
);
-- A newer address replaces the older one.
create unique index staff_invite_open on staff_invite (staff_id) where used_at is null;

-- ---- First start ----

-- The first start of an installation: one row. `admin_id` is claimed once, by whoever uses the printed address first.
create table setup_state (
  id boolean default true primary key check (id),
  admin_id bigint references staff,
  done jsonb not null default '{}',             -- Steps that were gone through or left for later, by name, with their time.
  finished_at timestamptz,
  created_at timestamptz not null default now()
);

-- One-time addresses printed by a start without an administrator. Only the hash of the token is stored.
create table setup_token (
  token_hash bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  tries smallint not null default 0
);

-- ---- Versions of brands ----
-- Brands are written in the back office (docs/decisions/243). What is live stands in distributor; these tables hold how it came to be.

-- Each save of a brand. dist_id filters: an operator sees the versions of the own brand only.
create table brand_version (
  dist_id int references distributor,
  version int check (version >= 0),
  content jsonb not null,                       -- contract/rules/brand.ts, whole
  reason text not null,
  restored_from int,                            -- the version that this one brings back
  created_by bigint references staff,           -- null: command line, first start, installation
  created_at timestamptz not null default now(),
  primary key (dist_id, version)
);

-- Each time that a version went live. dist_id filters.
create table brand_publication (
  id bigint generated always as identity primary key,
  dist_id int not null,
  version int not null,
  published_by bigint references staff,
  published_at timestamptz not null default now(),
  foreign key (dist_id, version) references brand_version
);
create index brand_publication_dist on brand_publication (dist_id, id desc);

-- One working copy for each brand and member of staff: what the preview shows. dist_id filters.
create table brand_draft (
  dist_id int references distributor,
  staff_id bigint references staff,
  base_version int not null,                    -- the version that it was begun from
  content jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (dist_id, staff_id)
);

-- What a brand adds to the price and gets of the fees, from a time on. In force is the newest row that has started; orders freeze their
-- fee lines when they are placed and never read this again. dist_id filters.
create table brand_terms (
  dist_id int references distributor,
  version int check (version > 0),
  mark_up_bp int not null check (mark_up_bp between 0 and 3000),
  commission_bp int not null check (commission_bp between 0 and 10000),
  starts_at timestamptz not null,
  reason text not null,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (dist_id, version)
);

-- ---- Versions of games ----
-- Games are edited in the back office: one document per game is drafted, published as a version, and rolled back.
-- Nothing that a listing or an order names is ever deleted: areas and servers are disabled or merged, fields and options retired.

-- Each publication of a game as a whole, whoever made it. No dist_id: the catalogue belongs to the platform.
create table game_version (
  game_id int references game,
  version int check (version > 0),
  doc jsonb not null,
  changes jsonb not null,                       -- what differs from the version before, as shown to staff
  source text not null check (source in ('staff', 'file', 'shipped', 'rollback', 'before')),
  reason text not null,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (game_id, version)
);

-- ---- Drafts of games ----

-- The draft of a game's next version: one for all editors, so that two of them cannot prepare different ones unseen.
create table game_draft (
  game_id int primary key,                      -- no reference: a new game has its number before it is published
  rev int not null check (rev > 0),             -- counts the saves; an editor saves over the one it has seen
  base_version int not null check (base_version >= 0), -- the version it was begun from; 0 = a new game
  doc jsonb not null,
  updated_by bigint references staff,
  updated_at timestamptz not null default now()
);

-- ---- Drafts of rules ----
-- Public rules and agreements are versions that staff publish (docs/decisions/263): each counts from a time on, says who wrote it and why, and
-- can be taken back until then. What was published is never rewritten.

-- One unpublished text of each rule and agreement, which several editors may work on in turn.
create table rule_draft (
  key text primary key check (key ~ '^(rule|legal):[a-z0-9_.]{1,40}$'),
  version int not null default 1 check (version > 0),
  title text not null check (length(title) <= 60),
  body text not null check (length(body) <= 20000),
  staff_id bigint not null references staff,
  updated_at timestamptz not null default now()
);

-- ---- Versions of dispute reasons ----
-- Reasons of disputes are written by staff: each save is a version that stays, and a dispute keeps the form that its parties were shown. A reason
-- is switched off, never removed: disputes name it.

create table dispute_reason_version (
  code text references dispute_reason,
  version int check (version > 0),
  name text not null check (length(name) <= 40),
  goods_types smallint[],
  order_states smallint[] not null,
  form jsonb not null check (jsonb_typeof(form) = 'array'),
  evidence text not null check (length(evidence) <= 200),
  sort int not null,
  status smallint not null check (status in (1, 2)),
  reason text not null default '' check (length(reason) <= 200),
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (code, version)
);

-- ---- Blocked words ----

-- Words that staff keep out of what users publish and send (docs/OPERATIONS.md): masked, shown to the reviewer, or refused. An ended word stays
-- as a row; hits are counted in batches.
create table blocked_word (
  id bigint generated always as identity primary key,
  word text not null check (length(word) between 2 and 30),
  plain text not null check (plain <> ''),      -- as it is compared: one form for look-alikes, without gaps
  level text not null check (level in ('mask', 'review', 'refuse')),
  note text not null default '' check (length(note) <= 60),
  version int not null default 1,
  hits bigint not null default 0 check (hits >= 0),
  last_hit_at timestamptz,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_by bigint references staff,
  ended_reason text check (length(ended_reason) <= 200)
);
create unique index blocked_word_plain on blocked_word (plain) where ended_at is null;

-- ---- Quarantine and backups ----

-- A market that was restored from a copy does nothing outward until staff let it: what is due may have been done already, after the
-- moment of the copy. `npm run restore` inserts the row before any server starts; jobs, events and vendors ask for an open one.
create table quarantine (
  id bigint generated always as identity primary key,
  restored_to timestamptz not null,             -- The moment that the data are of.
  restored_at timestamptz not null default now(),
  source text not null,                         -- The copy, and where it lay.
  released_at timestamptz,
  staff_id bigint references staff,
  reason text,
  check ((released_at is null) = (reason is null))
);
-- One at a time.
create unique index quarantine_open on quarantine ((true)) where released_at is null;

-- Base backups that ended well, so that /metrics can say how old the newest is. Written by `npm run backup`.
create table backup_run (
  id bigint generated always as identity primary key,
  name text not null,
  started_at timestamptz not null,
  ended_at timestamptz not null default now(),
  bytes bigint not null,
  pictures int not null
);
create index backup_run_ended on backup_run (ended_at desc);

-- ---- Payout lists ----

-- Payouts that no channel makes: finance exports approved withdrawals as a list for the bank, and books what came of each line. A
-- withdrawal is in one list at a time, which its own column says and the index below keeps.
create table payout_list (
  id bigint generated always as identity primary key,
  sn text not null unique,
  format smallint not null default 1,           -- Version of the file's columns, so that a list is written again as it was.
  line_count int not null check (line_count > 0),
  total_fen bigint not null check (total_fen > 0),
  file_hash bytea not null,                     -- SHA-256 of the file; a later download must be the same bytes.
  created_by bigint not null references staff,
  created_at timestamptz not null default now()
);

create table payout_line (
  id bigint generated always as identity primary key,
  list_id bigint not null references payout_list,
  line_no int not null,
  withdrawal_id bigint not null references withdrawal,
  amount_fen bigint not null check (amount_fen > 0), -- What the payee gets: the amount less the fee.
  -- What one person entered and another has not confirmed. The number grows with each entry, so that nobody confirms an unread one.
  draft_result text check (draft_result in ('paid', 'refused', 'requeued', 'bounced')),
  draft_detail text,
  draft_by bigint references staff,
  draft_at timestamptz,
  draft_no int not null default 0,
  result text check (result in ('paid', 'refused', 'requeued', 'bounced')), -- What was booked: the bank's reference, or the reason.
  detail text,
  entered_by bigint references staff,
  booked_by bigint references staff,
  booked_at timestamptz,
  unique (list_id, line_no),
  check ((draft_result is null) = (draft_by is null)),
  constraint payout_line_check1 check ((result is null) = (booked_by is null)),
  constraint payout_line_check2 check (booked_by is null or entered_by is not null and entered_by <> booked_by)
);
-- Dist: withdrawals record theirs; lists are the platform's.
create unique index payout_line_once on payout_line (withdrawal_id) where result is distinct from 'requeued';
create index payout_line_draft on payout_line (list_id) where draft_result is not null;

-- ---- Versions of news ----
-- News have versions and a time from which and until which they are shown.

-- Each save of an article with who and when. The article's dist_id filters.
create table news_version (
  news_id bigint references news,
  version int check (version > 0),
  content jsonb not null check (jsonb_typeof(content -> 'blocks') = 'array'),
  restored_from int,                            -- the version that this one brings back
  created_by bigint references staff,           -- null: came with the installation
  created_at timestamptz not null default now(),
  primary key (news_id, version)
);

-- ---- Plans of brands ----
-- A brand can stop taking orders: its site says so, and what is under way goes on. Null = open.

-- The version of a brand that goes live at a time, at most one. dist_id filters.
create table brand_plan (
  dist_id int primary key references distributor,
  version int not null,
  starts_at timestamptz not null,
  reason text not null,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  foreign key (dist_id, version) references brand_version
);

-- ---- Accuracy of the valuation ----
-- Valuations: one model for each game, fitted at night from completed sales (decision 272), and how the models did month by month.
-- The model is one document, so that what is read is what was fitted. (filters nothing: the platform's own)

-- Of each month's sales, how many lay in the 80 % band of a model that knew only what was sold before the month; and how far the model
-- and plain quartiles missed (pinball loss). Public. (filters nothing: the platform's own)
create table valuation_month (
  game_id int references game,
  month date check (extract(day from month) = 1::numeric),
  sales int not null check (sales > 0),
  hits int not null,
  loss_fen bigint not null check (loss_fen >= 0),
  plain_loss_fen bigint not null check (plain_loss_fen >= 0),
  made_at timestamptz not null default now(),
  primary key (game_id, month),
  check (hits between 0 and sales)
);

-- ---- Voice clips ----
-- Voices are stored as they were sent, after their form was read; the key carries the length.
create table voice_clip (
  key text primary key,
  owner_id bigint not null references app_user,
  mime text not null check (mime in ('audio/mpeg', 'audio/mp4', 'audio/wav')),
  seconds smallint not null check (seconds between 1 and 60),
  bytes int not null check (bytes between 1 and 2097152),
  sha256 bytea not null,
  created_at timestamptz not null default now()
);

-- ---- Blocks between customers and providers ----

-- Whom somebody does not want to play with again: neither side can order from the other.
create table service_block (
  user_id bigint references app_user,
  blocked_id bigint references app_user,
  created_at timestamptz not null default now(),
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
);
create index service_block_blocked on service_block (blocked_id);

-- ---- Steps of recycling ----
-- Accounts sold to recyclers: blind bids whose money lies in escrow from the bid on, a binding offer, an inspection by named fields, paid at
-- once (decisions 273 to 275). Every bid's money is on an account of its own.

-- The legal steps, once more where no code can pass them by (server/slices/recycling/states.ts has who and what).
create table recycle_transition (from_status text, to_status text, primary key (from_status, to_status));

-- ---- Open boosting orders ----
-- Open orders of boosting (decision 286): a buyer says what is to be done, the money is in escrow from that moment, and the first approved
-- booster who claims it has the order. And what happens on the way: proof every two hours, a shut form while it is paused, a reported ban.

create table boost_request (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  buyer_id bigint not null references app_user,
  game_id int not null references game,
  kind smallint,                                -- option of the game's field boost_kind
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
  total_fen bigint not null,
  safety_fen bigint not null default 0 check (safety_fen >= 0),
  efficiency_fen bigint not null default 0 check (efficiency_fen >= 0),
  price jsonb not null,                         -- every amount of the order as it was computed when it was posted
  status text not null default 'open' check (status in ('open', 'taken', 'withdrawn', 'expired')),
  order_id bigint unique references orders,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check (total_fen >= goods_fen),
  constraint boost_request_check1 check ((status = 'taken') = (order_id is not null)),
  constraint boost_request_check2 check ((status = 'open') = (ended_at is null)),
  constraint boost_request_check3 check (scope_kind <> 'rank' or from_rank <> '' and to_rank <> '')
);
create index boost_request_board on boost_request (dist_id, game_id, id desc) where status = 'open';
create index boost_request_buyer on boost_request (buyer_id, id desc);

-- The legal steps of a boosting order, once more where no code can pass them by (contract/rules/service.ts has who and what).
create table boost_transition (from_state text, to_state text, primary key (from_state, to_state));

-- ---- Inspections ----

-- Inspections as a service (decisions 290 to 293): tasks of staff with sealed credentials, readings with proof, re-inspections for a fee in
-- escrow, and what a wrong reading pays. dist_id records the listing's site.
create table inspection_task (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,
  goods_id bigint not null references goods,
  kind text not null check (kind in ('first', 'again')),
  asked_by text not null check (asked_by in ('seller', 'staff', 'buyer')),
  buyer_id bigint references app_user,
  fee_fen bigint not null default 0 check (fee_fen >= 0),
  status text not null default 'waiting' check (status in ('waiting', 'queued', 'claimed', 'review', 'done', 'closed')),
  staff_id bigint references staff,
  sealed_enc bytea,                             -- the account's credentials, erased when the task ends
  sealed_at timestamptz,
  erased_at timestamptz,
  opened_count int not null default 0,
  opened_at timestamptz,
  claimed_at timestamptz,
  due_at timestamptz,                           -- end of the clock that runs: the seller's to seal, then staff's to read
  done_at timestamptz,
  differs int not null default 0 check (differs >= 0),
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  closed_reason text,
  created_at timestamptz not null default now(),
  constraint inspection_task_buyer check ((kind = 'again') = (buyer_id is not null) and (kind = 'again' or fee_fen = 0)),
  constraint inspection_task_staff check ((status not in ('claimed', 'review', 'done')) or staff_id is not null),
  constraint inspection_task_done check ((status = 'done') = (done_at is not null)),
  constraint inspection_task_sealed check (status <> 'queued' or sealed_enc is not null)
);
create unique index inspection_task_live on inspection_task (goods_id) where status in ('waiting', 'queued', 'claimed', 'review');
create index inspection_task_status on inspection_task (status, due_at);
create index inspection_task_goods on inspection_task (goods_id, id);
create index inspection_task_buyer on inspection_task (buyer_id, created_at) where buyer_id is not null;
comment on table inspection_task is 'Requests that staff read an account. dist_id records the site of the listing';

create table inspection_transition (from_status text, to_status text, primary key (from_status, to_status));
comment on table inspection_transition is 'The legal steps of an inspection';

create table inspection_reading (
  task_id bigint references inspection_task,
  field text,
  label text not null,
  said text not null,
  found text not null,
  value jsonb,
  differs boolean not null,
  created_at timestamptz not null default now(),
  primary key (task_id, field)
);
comment on table inspection_reading is 'Fields of an account as an inspector read them, beside the seller''s words at that time';

create table inspection_claim (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,
  order_id bigint not null unique references orders,
  task_id bigint not null unique references inspection_task,
  buyer_id bigint not null references app_user,
  field text not null,
  label text not null,
  reading text not null,
  found text not null,
  pictures jsonb not null check (jsonb_typeof(pictures) = 'array'),
  amount_fen bigint not null check (amount_fen > 0),
  status text not null default 'open' check (status in ('open', 'paid', 'refused')),
  note text not null default '',
  staff_id bigint references staff,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  constraint inspection_claim_decided check ((status = 'open') = (decided_at is null))
);
create index inspection_claim_status on inspection_claim (status, id);
comment on table inspection_claim is 'Readings that buyers call wrong, and what the fund pays for them';

-- ---- Questions and reports ----
-- Public questions under a listing, and what people report of a listing, a question or an answer (docs/decisions/294).

create table goods_question (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods,
  dist_id int not null references distributor,  -- records, and filters what a distributor's staff see
  seller_id bigint not null references app_user,
  user_id bigint not null references app_user,
  content text not null check (length(content) between 1 and 100),
  created_at timestamptz not null default now(),
  answer text check (length(answer) between 1 and 300),
  answered_at timestamptz,
  merged_at timestamptz,                        -- when the seller put the answer into the description
  hidden_at timestamptz,
  hidden_reason text,
  answer_hidden_at timestamptz,
  answer_hidden_reason text,
  check (user_id <> seller_id),
  constraint goods_question_check1 check ((answer is null) = (answered_at is null)),
  constraint goods_question_check2 check (merged_at is null or answered_at is not null)
);
create index goods_question_public on goods_question (goods_id, id desc) where hidden_at is null;
create index goods_question_waiting on goods_question (seller_id, id) where answered_at is null and hidden_at is null;
create index goods_question_seller on goods_question (seller_id, id desc);
create index goods_question_user on goods_question (user_id, created_at);

create table goods_report (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods,
  question_id bigint references goods_question,
  dist_id int not null references distributor,
  part text not null check (part in ('goods', 'question', 'answer')),
  user_id bigint not null references app_user,
  reason_code text not null,
  reason_version int not null,
  note text not null default '' check (length(note) <= 200),
  pictures jsonb not null default '[]',
  status text not null default 'waiting' check (status in ('waiting', 'kept', 'hidden')),
  is_false boolean not null default false,      -- staff found that the reporter made it up
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by bigint references staff,
  decision text,
  check ((part = 'goods') = (question_id is null)),
  constraint goods_report_check1 check ((status = 'waiting') = (decided_at is null)),
  foreign key (reason_code, reason_version) references dispute_reason_version
);
-- One open report of a person on a thing.
create unique index goods_report_open on goods_report (user_id, goods_id, part, coalesce(question_id, 0::bigint)) where status = 'waiting';
create index goods_report_waiting on goods_report (goods_id, part, question_id) where status = 'waiting';
create index goods_report_status on goods_report (status, id desc);
create index goods_report_user on goods_report (user_id, created_at);

-- ---- Calendar of companions ----
-- The calendar of companions (design section 6): an hour is taken by one order, whoever asks at the same moment.

create table companion_slot (
  order_id bigint primary key references service_order,
  provider_id bigint not null references provider,
  during tstzrange not null check (not isempty(during) and not lower_inf(during) and not upper_inf(during)),
  constraint companion_slot_once exclude using gist (provider_id with =, during with &&)
);

-- Thanks after an evening: from balance to balance, at most the cap for an order.
create table service_tip (
  id bigint generated always as identity primary key,
  order_id bigint not null references service_order,
  amount_fen bigint not null check (amount_fen between 100 and 20000),
  created_at timestamptz not null default now()
);
create index service_tip_order on service_tip (order_id);

-- ---- Synonyms of the search ----

-- Synonyms of the search by staff (docs/decisions/310): who searches for `term` also finds what `meant` finds. An ended synonym stays as a row.
create table search_synonym (
  id bigint generated always as identity primary key,
  term text not null check (length(term) between 2 and 30),
  plain text not null check (plain <> ''),      -- as it is compared: lower case, letters, digits and Han characters alone
  meant text not null check (length(meant) between 2 and 40),
  note text not null default '' check (length(note) <= 60),
  version int not null default 1 check (version > 0),
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_by bigint references staff,
  ended_reason text check (length(ended_reason) <= 200)
);
create unique index search_synonym_plain on search_synonym (plain) where ended_at is null;

-- Keywords that found nothing, counted for staff. Nothing says who searched; keywords that look like a contact are never stored. At most two
-- thousand rows; a keyword that nobody searches for any more goes after thirty days.
create table search_miss (
  id bigint generated always as identity primary key,
  plain text not null check (length(plain) between 2 and 40),
  keyword text not null check (length(keyword) between 2 and 40), -- as it was typed first
  game_id int references game,                  -- the chosen game; null when none was
  times int not null check (times > 0),
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  set_aside_at timestamptz                      -- staff will not act on it
);
create unique index search_miss_once on search_miss (plain, game_id) nulls not distinct;
create index search_miss_times on search_miss (times desc, id desc) where set_aside_at is null;

-- ---- Keywords that found nothing ----

-- A keyword that found nothing is stored once three visitors have searched for it (docs/decisions/322): one person's may be a person's name.
-- Until then there are keyed hashes of it and of who searched, which only say whether somebody new did.
create table search_miss_visitor (
  keyword bytea check (length(keyword) = 32),
  visitor bytea check (length(visitor) = 32),   -- of this keyword: the same visitor has another under another keyword
  last_at timestamptz not null default now(),
  primary key (keyword, visitor)
);
create index search_miss_visitor_last on search_miss_visitor (last_at);

-- ---- Steps of companion play ----

-- The legal steps of companion play, once more where no code can pass them by (contract/rules/service.ts has who and what).
create table companion_transition (from_state text, to_state text, primary key (from_state, to_state));

-- ---- Lists of staff ----
-- Lists of the back office (docs/decisions/330): saved views, chosen columns, exports, and the orders of sorting that they offer.

-- A list as somebody wants to open it again: filters, order and columns as the page's query. A shared one is seen by colleagues of the same
-- brand, or of the platform; only its maker changes it.
create table staff_view (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff,
  dist_id int references distributor,           -- the maker's brand; null: the platform
  list text not null check (list ~ '^[a-z]{2,20}$'),
  name text not null check (length(name) between 1 and 20),
  query text not null check (length(query) <= 1000),
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create unique index staff_view_name on staff_view (staff_id, list, name);
create index staff_view_shared on staff_view (list) where shared;

-- The columns that a member of staff last chose for a list, in their order.
create table staff_columns (
  staff_id bigint references staff,
  list text check (list ~ '^[a-z]{2,20}$'),
  columns text[] not null check (cardinality(columns) between 1 and 40),
  primary key (staff_id, list)
);

-- Each export of a list: who took what, and how far it was written. Rows are kept as the record of what left the market.
create table staff_export (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff,
  list text not null check (list ~ '^[a-z]{2,20}$'),
  format text not null check (format in ('csv', 'xlsx')),
  query jsonb not null,
  columns text[] not null,
  total int not null,                           -- rows counted at the start, at most 1,001
  written int not null default 0,
  created_at timestamptz not null default now(),
  opened_at timestamptz,                        -- the file was fetched; it is written once
  ended_at timestamptz
);

-- ---- Notes about people ----

-- Notes of staff about a user; they are not edited, a correction is another note.
create table staff_note (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  dist_id int references distributor,           -- the site of an operator who wrote it; null: the platform
  staff_id bigint not null references staff,
  text text not null check (length(text) between 1 and 500),
  created_at timestamptz not null default now()
);
create index staff_note_user on staff_note (user_id, id desc);

-- A link between two users that staff looked into and found to mean nothing (docs/decisions/340). It changes what staff are shown and no rule.
create table link_mark (
  user_a bigint references app_user,
  user_b bigint references app_user,
  kind text check (kind in ('browser', 'payee', 'network', 'inviter')),
  reason text not null check (length(reason) between 1 and 200),
  staff_id bigint not null references staff,
  created_at timestamptz not null default now(),
  primary key (user_a, user_b, kind),
  constraint link_mark_order check (user_a < user_b)
);
create index link_mark_b on link_mark (user_b);

-- ---- Days of trade ----

-- What was placed and paid by day of China, site, game and type: the figures of the back office's first page. A job counts the last days again
-- (docs/decisions/342); the page never counts orders itself.
create table trade_day (
  day date,
  dist_id int references distributor,
  game_id int,                                  -- 0: an order of no game
  type_id smallint,
  placed int not null default 0,                -- orders placed on the day, and what has become of them since
  placed_paid int not null default 0,
  placed_shipped int not null default 0,
  placed_done int not null default 0,
  placed_unpaid int not null default 0,         -- cancelled before they were paid
  placed_undone int not null default 0,         -- cancelled after they were paid
  paid int not null default 0,                  -- orders paid on the day
  paid_fen bigint not null default 0,
  income_fen bigint not null default 0,         -- commission and service fee of these
  disputed int not null default 0,              -- of these, with a dispute
  primary key (day, dist_id, game_id, type_id)
);

-- How often listings of a game were looked at, by day of China.
create table goods_view_day (day date, game_id int references game, views int not null check (views > 0), primary key (day, game_id));

-- ---- Open interface ----

-- Keys of sellers for their own programs (docs/decisions/350). A key belongs to its seller alone, whatever the site of a call.
create table api_key (
  id bigint generated always as identity primary key,
  public_id text not null unique check (public_id ~ '^yk_[a-z0-9]{20}$'),
  user_id bigint not null references app_user,
  name text not null check (length(name) between 1 and 30),
  scopes text[] not null check (cardinality(scopes) > 0),
  networks text[] not null default '{}' check (cardinality(networks) <= 10), -- addresses that may use it; empty = any
  max_drop smallint not null check (max_drop between 0 and 90), -- the most percent that it may lower a price within a day
  secret_enc bytea not null,
  previous_enc bytea,                           -- the secret before the last rotation, good until previous_until
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_network text,                            -- masked
  check ((previous_enc is null) = (previous_until is null))
);
create index api_key_user on api_key (user_id, id desc);

-- Numbers of signed requests, kept as long as their time stamps are accepted, so that none is accepted twice.
create table api_nonce (
  key_id bigint references api_key,
  nonce text check (length(nonce) between 16 and 64),
  expires_at timestamptz not null,
  primary key (key_id, nonce)
);
create index api_nonce_expires on api_nonce (expires_at);

-- What each key asked for, for its owner; kept for thirty days.
create table api_call (
  id bigint generated always as identity primary key,
  key_id bigint not null references api_key,
  at timestamptz not null default now(),
  method text not null,
  path text not null check (length(path) <= 120),
  code int not null,                            -- of the answer; 0 = success
  ms int not null,
  network text not null                         -- masked
);
create index api_call_key on api_call (key_id, id desc);
create index api_call_at on api_call (at);

-- ---- Webhooks ----

-- Where sellers' own programs are told what happened (docs/decisions/351). An endpoint belongs to its seller alone, whatever the site.
create table webhook_endpoint (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  url text not null check (length(url) <= 300),
  events text[] not null check (cardinality(events) > 0),
  secret_enc bytea not null,
  status text not null default 'on' check (status in ('on', 'off', 'disabled')), -- off by its owner, disabled after a long failure
  fails int not null default 0 check (fails >= 0), -- in a row
  failing_since timestamptz,
  paused_until timestamptz,                     -- the circuit: nothing is sent before
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  check ((fails = 0) = (failing_since is null))
);
create index webhook_endpoint_user on webhook_endpoint (user_id, id) where removed_at is null;

-- One event for one endpoint. Kept for thirty days.
create table webhook_delivery (
  id bigint generated always as identity primary key,
  public_id text not null default 'evt_' || replace(gen_random_uuid()::text, '-', '') unique,
  endpoint_id bigint not null references webhook_endpoint,
  event text not null,
  subject text not null,                        -- what makes the event one; told twice by us, it is stored once
  body text not null check (length(body) <= 4000),
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'stopped')),
  attempts int not null default 0 check (attempts >= 0),
  next_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (endpoint_id, subject),
  check ((status = 'sent') = (sent_at is not null))
);
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id desc);
create index webhook_delivery_created on webhook_delivery (created_at);

create table webhook_attempt (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_delivery on delete cascade,
  at timestamptz not null default now(),
  ms int not null,
  status int,                                   -- of HTTP; null when no answer came
  failure text,                                 -- why it counts as failed; null when it succeeded
  request_head text not null,
  response_head text not null check (length(response_head) <= 2000)
);
create index webhook_attempt_delivery on webhook_attempt (delivery_id, id);

-- ---- Figures that are kept ----
-- Figures of orders and of listings on sale that are kept as they change, so that no page counts a table (decision 370). A change adds rows to
-- a table of changes, which no one updates, so that no two orders wait for each other; a job folds them into the sums. Whoever reads adds both.

-- What orders count for on a day of China: `day` is the day on which the figure's own moment lies.
create table order_day (
  figure text check (figure in ('placed', 'paid', 'bought', 'shipped', 'done', 'escrow', 'disputed')),
  day date,
  dist_id int references distributor,
  n bigint not null,
  amount bigint not null,                       -- fen; seconds for 'shipped'
  primary key (figure, day, dist_id)
);
create index order_day_escrow on order_day (day) where figure = 'escrow' and n <> 0;

-- Completed orders of a game by goods type.
create table deal_day (
  day date,
  game_id int references game,
  type_id smallint,
  deals bigint not null,
  primary key (day, game_id, type_id)
);

-- Completed orders of a seller by game.
create table seller_day (
  day date,
  game_id int references game,
  seller_id bigint references app_user,
  deals bigint not null,
  primary key (day, game_id, seller_id)
);

create table order_delta (
  id bigint generated always as identity primary key,
  figure text not null,
  day date not null,
  dist_id int not null,
  game_id int,
  type_id smallint not null,
  seller_id bigint not null,
  n int not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_insert_threshold=-1);

-- Days whose figures were counted anew and compared.
create table order_recount (
  day date primary key,
  counted_at timestamptz not null default now(),
  differences int not null default 0 check (differences >= 0)
);

-- Listings on sale by game and goods type.
create table on_sale (game_id int references game, type_id smallint, n bigint not null, primary key (game_id, type_id));

create table on_sale_delta (
  id bigint generated always as identity primary key,
  game_id int not null,
  type_id smallint not null,
  n int not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_insert_threshold=-1);

-- Middle prices of a game's goods type by day and week, and its best sellers, as the hourly job left them.
create table trade_stat (
  game_id int references game,
  type_id smallint,
  trend jsonb not null,                         -- [{day, fen}], oldest first
  week_fen bigint,
  before_fen bigint,
  made_at timestamptz not null default now(),
  primary key (game_id, type_id)
);

create table top_seller (
  game_id int references game,
  seller_id bigint references app_user,
  deals bigint not null,
  primary key (game_id, seller_id)
);

-- How far a job has come that works through a table in parts.
create table job_mark (
  name text primary key check (name ~ '^[a-z]+(\.[a-zA-Z]+)+$'),
  at timestamptz not null default '-infinity',
  id bigint not null default 0
);

-- ---- Retention ----

-- What the retention job did last with each table (decision 371), and the tables that it may delete from: what is never read again.
-- Nothing that money, a dispute or a record rests on is among them.
create table retention_run (
  name text primary key,
  ran_at timestamptz not null default now(),
  deleted bigint not null default 0 check (deleted >= 0), -- in the last run that deleted
  deleted_total bigint not null default 0,
  deleted_at timestamptz,
  error text check (length(error) <= 300),
  check (deleted_total >= deleted)
);

-- ---- Views of coin offers ----

-- How often the offers of a coin shop were looked at, by day; dist_id has no part in it: a shop sells on every site.
create table coin_view_day (
  provider_id bigint references provider,
  day date,
  views int not null check (views > 0),
  primary key (provider_id, day)
);

-- ---- Listing import ----

-- Files by which sellers publish listings, or change prices and stock, themselves (docs/decisions/390).
create table listing_import (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  dist_id int not null references distributor,  -- the site whose games the file is checked against
  kind text not null check (kind in ('publish', 'stock')),
  game_id int,
  type_id smallint,
  file_name text not null check (length(file_name) <= 80),
  bytes int not null check (bytes > 0),
  digest bytea not null check (length(digest) = 32), -- of the file, so that the same one is not imported twice
  columns jsonb not null,                       -- headings of the file
  mapping jsonb not null default '{}',          -- column of each target, by number from 0
  defaults jsonb not null default '{}',         -- text of each target where a row says nothing
  status text not null default 'mapping' check (status in ('mapping', 'checked', 'running', 'done')),
  waits_until timestamptz,                      -- the daily quota is used up; it continues by itself
  failure text check (length(failure) <= 300),  -- why it stopped before its end
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  removed_at timestamptz,
  check ((kind = 'publish') = (game_id is not null)),
  constraint listing_import_check1 check ((game_id is null) = (type_id is null))
);
create unique index listing_import_once on listing_import (user_id, kind, coalesce(game_id, 0), coalesce(type_id::integer, 0), digest) where
  removed_at is null;
create index listing_import_user on listing_import (user_id, id desc) where removed_at is null;
create index listing_import_created on listing_import (created_at);

-- One row of a file. `cells` and `edits` are emptied once the row is published: they name the game account.
create table listing_import_row (
  import_id bigint references listing_import on delete cascade,
  line int check (line > 0),
  cells jsonb,
  edits jsonb not null default '{}',            -- what the seller corrected in the page, by target
  state text not null default 'refused' check (state in ('refused', 'ready', 'running', 'done', 'existing')),
  problems jsonb not null default '[]',         -- [{field, text}]
  notes jsonb not null default '[]',            -- what will be stored otherwise than written
  goods_id bigint references goods,
  primary key (import_id, line),
  check ((state = 'done') <= (goods_id is not null))
);
create index listing_import_row_state on listing_import_row (import_id, state, line);
create index listing_import_row_goods on listing_import_row (goods_id) where goods_id is not null;

-- ---- Views by week ----

-- What a seller reads of the own listings (docs/decisions/391): looks and follows by week, for one listing and for all of a seller.
-- A week begins on Monday, in China.
create table goods_week (
  goods_id bigint references goods,
  week date,
  views int not null default 0 check (views >= 0),
  follows int not null default 0 check (follows >= 0),
  primary key (goods_id, week)
);
create index goods_week_week on goods_week (week);

create table seller_week (
  seller_id bigint references app_user,
  week date,
  views int not null default 0 check (views >= 0),
  follows int not null default 0 check (follows >= 0),
  primary key (seller_id, week)
);

-- ---- Feed of a search engine ----

-- What feeds a search engine beside PostgreSQL (docs/decisions/405). Without one the row says so, and nothing is noted.
create table search_feed (
  one boolean default true primary key check (one),
  engine text check (length(engine) <= 300),    -- kind and place of the engine that is fed; null = none
  since_xid bigint,                             -- transactions up to this one may have changed rows without noting it
  live text,                                    -- the index that is asked
  building text,                                -- the index that is being filled
  copied_to bigint not null default 0,          -- last listing that was copied into it
  old text,                                     -- the index that was asked before, until nobody asks it any more
  is_stale boolean not null default false,      -- another index is to be filled beside the live one
  live_at timestamptz,
  checked_at timestamptz,                       -- when the numbers of documents were last compared
  family text not null default '',              -- how the names of its indexes begin
  fed_at timestamptz not null default '-infinity', -- when a worker that has this engine last ran, give or take half a minute
  check (live is distinct from building or live is null)
);

-- Listings whose row of goods_search changed since they were last sent to the engine.
create table search_change (
  id bigint generated always as identity primary key,
  goods_id bigint not null,
  at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_insert_threshold=-1);

-- ---- Proof of the books ----

-- The proof of the ledger by increments (docs/decisions/406): what was proved, block by block, and how far it has come.
create table books_block (
  after_id bigint primary key,                  -- of the transfer before the first one
  to_id bigint not null unique,
  transfers int not null check (transfers >= 0),
  fen bigint not null check (fen >= 0),
  hash bytea,                                   -- of the transfers and their entries as they were proved
  proved_at timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  is_broken boolean not null default false,
  check (to_id > after_id),
  constraint books_block_has_hash check (hash is not null or is_broken),
  constraint books_block_begins check (after_id >= 0),
  constraint books_block_size check ((to_id - after_id) <= 5000) -- the size of a block in server/slices/ledger/proof.ts
);
create index books_block_checked on books_block (checked_at, after_id);

create table books_progress (
  one boolean default true primary key check (one),
  seen_id bigint not null default 0,            -- newest transfer when it was last looked, which is proved once all of then have ended
  seen_xid bigint not null default 0,
  seen_at timestamptz not null default '-infinity',
  account text not null default '',             -- last account of the round over all
  breaches text[] not null default '{}'         -- found since the last night
);

-- ---- Links pushed to search engines ----

-- Pages that sites tell a search engine of (docs/decisions/430).
create table link_push_site (
  dist_id int primary key references distributor,
  token_enc bytea not null,                     -- given by the search engine for the site
  set_by bigint references staff,
  set_at timestamptz not null default now(),
  day date,                                     -- China's, of the two figures after it
  accepted int not null default 0 check (accepted >= 0),
  remaining int check (remaining >= 0),         -- null = the search engine did not say
  most int check (most >= 1),                   -- submitted at once while today's rest is unknown: what a day took in all; null = unknown
  sent_at timestamptz,                          -- of the last submission that was answered
  failure text check (length(failure) <= 200),  -- of the last one that was not accepted as a whole
  failed_at timestamptz,
  fails int not null default 0 check (fails >= 0), -- in a row
  held_until timestamptz                        -- nothing is submitted before
);
create index link_push_site_set_by on link_push_site (set_by);

create table link_push (
  dist_id int references link_push_site on delete cascade,
  path text check (path ~~ '/%' and length(path) <= 300),
  goods_id bigint references goods on delete cascade, -- the page of a listing, which is submitted only while it is on sale
  queued_at timestamptz not null default now(),
  sent_at timestamptz,
  outcome text check (outcome in ('accepted', 'refused')),
  primary key (dist_id, path),
  check ((sent_at is null) = (outcome is null))
);
create index link_push_waiting on link_push (dist_id, queued_at) where sent_at is null;
create index link_push_old on link_push (coalesce(sent_at, queued_at));
create index link_push_goods on link_push (goods_id) where goods_id is not null;

-- ---- Pictures of listing imports ----

-- Pictures of a seller's file: those uploaded beside it, by their name, and those fetched from addresses in it (docs/decisions/431).
create table listing_import_picture (
  import_id bigint references listing_import on delete cascade,
  -- The address, or the name of the file in lower case. In bytes: an entry of the key's index has room for 2,704.
  source text check (source <> '' and octet_length(source) <= 1000),
  stem text check (octet_length(stem) <= 1000), -- the file's name without its ending
  is_url boolean not null,
  picture_key text references picture (key) on delete cascade,
  failure text check (length(failure) <= 200),  -- why an address gave no picture
  created_at timestamptz not null default now(),
  primary key (import_id, source),
  check (picture_key is null or failure is null),
  constraint listing_import_picture_check1 check (is_url or picture_key is not null),
  constraint listing_import_picture_check2 check ((stem is null) = is_url)
);
create index listing_import_picture_key on listing_import_picture (picture_key) where picture_key is not null;
create index listing_import_picture_stem on listing_import_picture (import_id, stem) where stem is not null;
create index listing_import_picture_waiting on listing_import_picture (import_id) where picture_key is null and failure is null;

-- ---- Foreign keys to tables further down ----

alter table dist_host add foreign key (created_by) references staff;
alter table setting add foreign key (approved_by) references staff;
alter table setting add foreign key (revoked_by) references staff;
alter table session add foreign key (staff_id) references staff;
alter table staff add foreign key (role) references staff_role;
alter table inspection add foreign key (task_id) references inspection_task;
alter table bargain add foreign key (order_id) references orders;
alter table want add foreign key (met_order_id) references orders;
alter table withdrawal add foreign key (list_id) references payout_list;
alter table coupon add foreign key (order_id) references orders;
alter table dispute add constraint dispute_reason_version_fkey foreign key (reason_code, reason_version) references dispute_reason_version;
alter table dispute_ruling add foreign key (approval_id) references approval;
alter table provider add foreign key (voice) references voice_clip;
alter table recycle_request add foreign key (best_quote_id) references recycle_quote;
alter table fake_service_report add foreign key (black_id) references black_entry;

-- ---- Views ----

create view channel_movement as
SELECT p.channel,
    'pay'::text AS kind,
    p.inter_sn AS number,
    p.amount_fen AS fen,
    p.paid_at AS at,
    p.user_id,
    p.order_id,
    NULL::text AS origin_sn,
    ( SELECT t.id
           FROM ledger_transfer t
          WHERE t.ref = ('payment:'::text || p.id) AND (t.code = ANY (ARRAY['topup'::text, 'order_pay_channel'::text, 'late_payment'::text, 'late_refund'::text]))) AS transfer_id
   FROM payment p
  WHERE p.paid_at IS NOT NULL
UNION ALL
 SELECT r.channel,
    'refund'::text AS kind,
    r.refund_no AS number,
    r.amount_fen AS fen,
    r.done_at AS at,
    r.user_id,
    r.order_id,
    p.inter_sn AS origin_sn,
    ( SELECT t.id
           FROM ledger_transfer t
          WHERE t.ref = ('refund:'::text || r.id) AND t.code = 'refund_paid'::text) AS transfer_id
   FROM refund r
     JOIN payment p ON p.id = r.payment_id
  WHERE r.status = 1
UNION ALL
 SELECT w.channel,
    'transfer'::text AS kind,
    w.channel_no AS number,
    w.amount_fen - w.fee_fen AS fen,
    w.paid_at AS at,
    w.user_id,
    NULL::bigint AS order_id,
    NULL::text AS origin_sn,
    ( SELECT t.id
           FROM ledger_transfer t
          WHERE t.ref = ('withdrawal:'::text || w.id) AND t.code = 'withdraw_paid'::text) AS transfer_id
   FROM withdrawal w
  WHERE w.status = 2 OR w.bounced_at IS NOT NULL
UNION ALL
 SELECT w.channel,
    'back'::text AS kind,
    w.channel_no AS number,
    w.amount_fen - w.fee_fen AS fen,
    w.bounced_at AS at,
    w.user_id,
    NULL::bigint AS order_id,
    NULL::text AS origin_sn,
    ( SELECT t.id
           FROM ledger_transfer t
          WHERE t.ref = ('withdrawal:'::text || w.id) AND t.code = 'withdraw_bounce'::text) AS transfer_id
   FROM withdrawal w
  WHERE w.bounced_at IS NOT NULL;

create view order_figure as
SELECT order_day.figure,
    order_day.day,
    order_day.dist_id,
    order_day.n,
    order_day.amount
   FROM order_day
UNION ALL
 SELECT order_delta.figure,
    order_delta.day,
    order_delta.dist_id,
    order_delta.n,
    order_delta.amount
   FROM order_delta;

create view deal_figure as
SELECT deal_day.day,
    deal_day.game_id,
    deal_day.type_id,
    deal_day.deals
   FROM deal_day
UNION ALL
 SELECT order_delta.day,
    order_delta.game_id,
    order_delta.type_id,
    order_delta.n AS deals
   FROM order_delta
  WHERE order_delta.figure = 'done'::text AND order_delta.game_id IS NOT NULL;

create view seller_figure as
SELECT seller_day.day,
    seller_day.game_id,
    seller_day.seller_id,
    seller_day.deals
   FROM seller_day
UNION ALL
 SELECT order_delta.day,
    order_delta.game_id,
    order_delta.seller_id,
    order_delta.n AS deals
   FROM order_delta
  WHERE order_delta.figure = 'done'::text AND order_delta.game_id IS NOT NULL;

create view on_sale_figure as
SELECT on_sale.game_id,
    on_sale.type_id,
    on_sale.n
   FROM on_sale
UNION ALL
 SELECT on_sale_delta.game_id,
    on_sale_delta.type_id,
    on_sale_delta.n
   FROM on_sale_delta;

-- ---- Functions: db/functions has their current text, one file each ----

-- They name tables, views and each other in no particular order.
set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.account_barred(p_fingerprint bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from guarantee_claim where fingerprint = p_fingerprint and status in ('checking', 'chasing', 'escalated', 'paid'))
$function$;

CREATE OR REPLACE FUNCTION public.account_lock(p_fingerprint bytea, p_whole boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if p_whole then perform pg_advisory_xact_lock(hashtextextended('account:' || encode(p_fingerprint, 'hex'), 0));
  else perform pg_advisory_xact_lock_shared(hashtextextended('account:' || encode(p_fingerprint, 'hex'), 0)); end if;
end $function$;

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

CREATE OR REPLACE FUNCTION public.accounts_of_person(p_user bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
AS $function$
  select p_user
  union select f.user_id from real_name r join former_person f on f.id_hash = r.id_hash where r.user_id = p_user and r.status = 2
$function$;

CREATE OR REPLACE FUNCTION public.audit_content(p_seq bigint, p_at timestamp with time zone, p audit_log)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_array(p_seq, (extract(epoch from p_at) * 1000000)::bigint, p.id, p.staff_id, p.act, p.target, p.detail, p.ip,
    (extract(epoch from p.created_at) * 1000000)::bigint)::text;
$function$;

CREATE OR REPLACE FUNCTION public.audit_head_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.seq = old.seq + 1 and new.hash <> old.hash then return new; end if;
  raise exception 'the head of the audit moves by a seal only' using errcode = 'YS900';
end $function$;

CREATE OR REPLACE FUNCTION public.audit_seal_row()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  h audit_head;
  v_at timestamptz;
begin
  select * into h from audit_head for update;
  if not found then raise exception 'the chain of the audit has no head' using errcode = 'YS904'; end if;
  v_at := clock_timestamp();
  h.seq := h.seq + 1;
  h.hash := sha256(h.hash || convert_to(audit_content(h.seq, v_at, new), 'UTF8'));
  insert into audit_seal (seq, audit_id, sealed_at, hash) values (h.seq, new.id, v_at, h.hash);
  update audit_head set seq = h.seq, hash = h.hash;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.bargain_price_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.counter_fen is distinct from old.counter_fen and not (old.status = 0 and new.status = 2) then
    raise exception 'a price that was agreed on does not change' using errcode = 'YS900';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.bargain_use(p_bargain bigint, p_buyer bigint, p_goods bigint, p_order bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update bargain set status = 7, order_id = p_order, updated_at = now()
    where id = p_bargain and buyer_id = p_buyer and goods_id = p_goods and status in (1, 3) and expires_at > now();
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.black_appeal_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.decided_by is not null and exists (select from black_entry e where e.id = new.entry_id and e.reviewed_by = new.decided_by)
  then raise exception 'another person decides on an appeal' using errcode = 'YS403'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.books_hash_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.hash is distinct from new.hash and old.hash is not null then
    raise exception 'the hash of a block that was whole stays';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.books_look(p_settle_seconds integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update books_progress set seen_id = coalesce((select max(id) from ledger_transfer), 0), seen_at = clock_timestamp(),
      seen_xid = pg_current_xact_id()::text::bigint
    where seen_xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      or (pg_snapshot_xmin(pg_current_snapshot())::text::bigint > seen_xid
        and seen_at <= clock_timestamp() - make_interval(secs => p_settle_seconds)
        and seen_id <= coalesce((select to_id from books_block order by to_id desc limit 1), 0));
end $function$;

CREATE OR REPLACE FUNCTION public.books_progress_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'MEMBER') then
    new.seen_id := old.seen_id;
    new.seen_xid := old.seen_xid;
    new.seen_at := old.seen_at;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.boost_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when r.status = 'open' then r.total_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'boost:' || new.id || ':escrow'), 0)
    into v_due, v_balance from boost_request r where r.id = new.id;
  if v_balance <> v_due then raise exception 'open order % has % in escrow', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.boost_order_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from boost_transition t where t.from_state = old.state and t.to_state = new.state)
  then raise exception 'boosting step % to % does not exist', old.state, new.state using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.boost_request_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> new.status and old.status <> 'open'
  then raise exception 'open order step % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.chat_group_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update chat_group set step_by = chat_step_by(new.status, new.ship_by, new.auto_confirm_at) where order_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.chat_group_has_clock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.step_by := (select chat_step_by(o.status, o.ship_by, o.auto_confirm_at) from orders o where o.id = new.order_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.chat_reply_by(p_sender text, p_type text, p_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when p_type <> 'card' and p_sender ~ '^[0-9]+$' then p_at + interval '120 seconds' end
$function$;

CREATE OR REPLACE FUNCTION public.chat_send(p_group bigint, p_sender text, p_client_id text, p_uid text, p_type text, p_content jsonb, p_expansion jsonb, OUT seq bigint, OUT uid text, OUT created_at timestamp with time zone, OUT repeated boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  g chat_group;
begin
  select * into g from chat_group where id = p_group for update;
  if not found then raise exception 'no such group' using errcode = 'YS301'; end if;
  select m.seq, m.uid, m.created_at, true into seq, uid, created_at, repeated
    from chat_message m where m.group_id = p_group and m.sender = p_sender and m.client_msg_id = p_client_id;
  if found then return; end if;
  if p_sender <> 'system' and not exists (select from chat_member c where c.group_id = p_group and c.member = p_sender and c.left_at is null) then
    raise exception 'not a member' using errcode = 'YS301';
  end if;
  if p_sender <> 'system' and g.status <> 1 then raise exception 'group closed' using errcode = 'YS302'; end if;
  -- A group that was opened while its order moved on has an earlier clock until the card of that transition.
  update chat_group u set last_seq = u.last_seq + 1, last_at = now(), reply_by = chat_reply_by(p_sender, p_type, now()),
      step_by = case when p_sender = 'system' then
        (select chat_step_by(o.status, o.ship_by, o.auto_confirm_at) from orders o where o.id = u.order_id) else u.step_by end
    where u.id = p_group returning u.last_seq into seq;
  insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content, expansion)
    values (p_group, chat_send.seq, p_uid, p_sender, p_client_id, p_type, p_content, p_expansion)
    returning chat_message.uid, chat_message.created_at into uid, created_at;
  repeated := false;
end $function$;

CREATE OR REPLACE FUNCTION public.chat_step_by(p_status smallint, p_ship_by timestamp with time zone, p_confirm_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case p_status when 1 then p_ship_by when 2 then p_confirm_at end
$function$;

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
  due timestamptz;
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
    due := chat_reply_by(who, m->>'type', now());
    -- Of messages that follow each other the first has the clock: the row of a lively group stays on its page.
    update chat_group g set last_seq = g.last_seq + 1,
        last_at = case when (g.last_at > now() - interval '5 seconds' and (g.reply_by is null) = (due is null)) then g.last_at else now() end,
        reply_by = case when (g.last_at > now() - interval '5 seconds' and (g.reply_by is null) = (due is null)) then g.reply_by else due end
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
      -- The number and the clock are given back: no other message can have it, since the group's row is locked.
      update chat_group g set last_seq = g.last_seq - 1,
          last_at = coalesce((select x.created_at from chat_message x where x.group_id = target and x.seq = g.last_seq - 1), g.created_at),
          reply_by = (select chat_reply_by(x.sender, x.type, x.created_at) from chat_message x where x.group_id = target and x.seq = g.last_seq - 1)
        where g.id = target;
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

CREATE OR REPLACE FUNCTION public.claim_money_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.paid_fen, new.recourse_fen, new.penalty_fen, new.debt_fen) is distinct from (old.paid_fen, old.recourse_fen, old.penalty_fen, old.debt_fen)
      and (old.status = 'paid' or new.status <> 'paid') then
    raise exception 'a claim''s figures are written when it is paid' using errcode = 'YS900';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.companion_order_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from companion_transition t where t.from_state = old.state and t.to_state = new.state)
  then raise exception 'companion step % to % does not exist', old.state, new.state using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.companion_slot_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from companion_slot where order_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.companion_slot_take(p_order bigint, p_provider bigint, p_from timestamp with time zone, p_to timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  insert into companion_slot (order_id, provider_id, during) values (p_order, p_provider, tstzrange(date_trunc('second', p_from), date_trunc('second', p_to)))
    on conflict (order_id) do update set during = excluded.during;
  return true;
exception when exclusion_violation then
  return false;
end $function$;

CREATE OR REPLACE FUNCTION public.coupon_return(p_coupon bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update coupon set order_id = null, used_at = null where id = p_coupon;
end $function$;

CREATE OR REPLACE FUNCTION public.coupon_use(p_coupon bigint, p_user bigint, p_order bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update coupon set order_id = p_order, used_at = now()
    where id = p_coupon and user_id = p_user and order_id is null and expires_at > now();
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.deal_is_live(m middleman_deal)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select (m.status = 'waiting' and m.expires_at > now())
    or (m.status = 'ordered' and exists (select from orders o where o.id = m.order_id and o.status in (0, 1, 2)))
$function$;

CREATE OR REPLACE FUNCTION public.debt_collect(p_accounts text[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_todo text[] := p_accounts;
  v_done text[] := '{}';
  v_key text;
  v_balance bigint;
  v_take bigint;
  v_sum bigint := 0;
  v_reason text;
  d debt;
begin
  while cardinality(v_todo) > 0 and cardinality(v_done) < 20 loop
    v_key := v_todo[1];
    v_todo := v_todo[2:];
    continue when v_key = any (v_done);
    v_done := v_done || v_key;
    continue when not exists (select from debt where debtor = v_key and settled_at is null);
    -- The account's lock comes before its debts', as in debt_record.
    select balance into v_balance from ledger_account where key = v_key for update;
    for d in select * from debt where debtor = v_key and settled_at is null order by id for update loop
      exit when coalesce(v_balance, 0) <= 0;
      v_take := least(v_balance, d.amount_fen - d.paid_fen);
      update debt set paid_fen = paid_fen + v_take, parts = parts + 1,
        settled_at = case when paid_fen + v_take = amount_fen then now() end where id = d.id;
      perform ledger_move(jsonb_build_array(jsonb_build_object('code', 'debt_collected', 'ref', 'debt:' || d.id || ':' || d.parts + 1,
        'debit', v_key, 'credit', d.creditor, 'fen', v_take, 'dist', d.dist_id) || case when d.order_id is null then '{}' else jsonb_build_object('order', d.order_id) end));
      v_balance := v_balance - v_take;
      v_sum := v_sum + v_take;
      perform effect_emit('debt.collected', jsonb_build_object('debtId', d.id, 'part', d.parts + 1, 'fen', v_take));
      if d.creditor like 'user:%' then v_todo := v_todo || d.creditor; end if;
    end loop;
  end loop;
  return v_sum;
end $function$;

CREATE OR REPLACE FUNCTION public.debt_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then raise exception 'debts are not deleted' using errcode = 'YS900'; end if;
  if (new.debtor_user, new.debtor_dist, new.creditor, new.amount_fen, new.code, new.ref, new.order_id, new.created_at)
      is distinct from (old.debtor_user, old.debtor_dist, old.creditor, old.amount_fen, old.code, old.ref, old.order_id, old.created_at)
      or new.paid_fen <= old.paid_fen or new.parts <> old.parts + 1 then
    raise exception 'a debt is only paid down' using errcode = 'YS900';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.debt_record(p jsonb)
 RETURNS debt
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_debtor text := case when p->>'debtorDist' is null then 'user:' || (p->>'debtorUser') || ':available' else 'dist:' || (p->>'debtorDist') || ':commission' end;
  d debt;
begin
  insert into ledger_account (key, may_overdraw) values (v_debtor, false) on conflict do nothing;
  perform 1 from ledger_account where key = v_debtor for update;
  insert into debt (debtor_user, debtor_dist, creditor, amount_fen, code, reason, ref, order_id, dist_id)
    values ((p->>'debtorUser')::bigint, (p->>'debtorDist')::int, p->>'creditor', (p->>'fen')::bigint, p->>'code', p->>'reason', p->>'ref',
      (p->>'order')::bigint, (p->>'dist')::int)
    on conflict (ref) do nothing returning * into d;
  if d.id is null then
    select * into d from debt where ref = p->>'ref';
    if (d.debtor, d.creditor, d.amount_fen) is distinct from (v_debtor, p->>'creditor', (p->>'fen')::bigint) then
      raise exception 'debt % was written with other contents', p->>'ref' using errcode = 'YS102';
    end if;
    return d;
  end if;
  perform effect_emit('debt.recorded', jsonb_build_object('debtId', d.id));
  perform debt_collect(array[v_debtor]);
  select * into d from debt where id = d.id;
  return d;
end $function$;

CREATE OR REPLACE FUNCTION public.dispute_marks_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform order_disputed(new.order_id, exists (select from dispute d where d.order_id = new.order_id and d.status <> 'closed'));
  if tg_op = 'INSERT' and not exists (select from dispute d where d.order_id = new.order_id and d.id <> new.id) then
    perform order_dispute_counted(new.order_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.dispute_money_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.back_fen, new.refunded_fen, new.to_seller_fen, new.owed_fen) is distinct from (old.back_fen, old.refunded_fen, old.to_seller_fen, old.owed_fen)
      and (old.status = 'closed' or new.status <> 'closed') then
    raise exception 'a case''s figures are written when it closes' using errcode = 'YS900';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.dispute_ruling_cites()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from dispute_ruling_rule r where r.ruling_id = new.id)
  then raise exception 'a ruling cites a rule' using errcode = 'YS404'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.dispute_ruling_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.stage = 2 and not exists (select from dispute_appeal a where a.dispute_id = new.dispute_id)
  then raise exception 'nobody appealed' using errcode = 'YS402'; end if;
  if exists (select from dispute_ruling r where r.dispute_id = new.dispute_id and r.stage <> new.stage and r.staff_id = new.staff_id)
  then raise exception 'another person rules on an appeal' using errcode = 'YS403'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.dispute_step_legal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.order_id, new.opener_id, new.reason_code, new.sn) is distinct from (old.order_id, old.opener_id, old.reason_code, old.sn)
  then raise exception 'what a dispute is about does not change' using errcode = 'YS901'; end if;
  if old.status <> new.status and (old.status, new.status) not in (
      ('open', 'answering'), ('open', 'evidence'), ('answering', 'evidence'), ('evidence', 'ruled'), ('ruled', 'appealed'), ('appealed', 'ruled'),
      ('open', 'closed'), ('answering', 'closed'), ('evidence', 'closed'), ('ruled', 'closed'))
  then raise exception 'dispute step % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.effect_cancel(p_kinds text[], p_ref text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from timer where ref = p_ref and kind = any (p_kinds);
end $function$;

CREATE OR REPLACE FUNCTION public.effect_emit(p_topic text, p_payload jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into outbox (topic, payload) values (p_topic, p_payload);
end $function$;

CREATE OR REPLACE FUNCTION public.effect_go_on(p_ref text, p_left jsonb, p_from timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_one record;
begin
  for v_one in select key as kind, value::float8 as seconds from jsonb_each_text(p_left) loop
    perform effect_schedule(v_one.kind, p_ref, p_from + make_interval(secs => v_one.seconds));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.effect_schedule(p_kind text, p_ref text, p_due timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into timer (kind, ref, due_at) values (p_kind, p_ref, p_due)
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0;
end $function$;

CREATE OR REPLACE FUNCTION public.effect_stop(p_kinds text[], p_ref text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_left jsonb;
begin
  with stopped as (delete from timer where ref = p_ref and kind = any (p_kinds) returning kind, extract(epoch from due_at - now()) as seconds)
  select coalesce(jsonb_object_agg(kind, seconds), '{}') into v_left from stopped;
  return v_left;
end $function$;

CREATE OR REPLACE FUNCTION public.erase_person(p_user bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from app_user where id = p_user and status = 3 and erased_at is not null) then return false; end if;
  insert into former_person (user_id, id_hash) select user_id, id_hash from real_name where user_id = p_user on conflict do nothing;
  perform real_name_erase(p_user);
  perform role_card_erase(p_user);
  perform push_subscription_erase(p_user);
  delete from third_party_binding where user_id = p_user;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.fund_debit_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.code = 'premium_back' then
    if new.amount_fen > coalesce((select sum(case code when 'guarantee_premium' then amount_fen else -amount_fen end) from ledger_transfer
        where order_id = new.order_id and code in ('guarantee_premium', 'premium_back')), 0) then
      raise exception 'more than the premium of the order' using errcode = 'YS105';
    end if;
  elsif not exists (select from fund_release r where r.code = new.code and r.ref = new.ref and r.amount_fen = new.amount_fen) then
    raise exception 'the guarantee fund pays by two names or by a deadline' using errcode = 'YS105';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.fund_release_holds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.approval_id is not null then
    if not exists (select from approval a where a.id = new.approval_id and a.status = 'allowed' and a.decided_by is not null) then
      raise exception 'the guarantee fund pays by two names' using errcode = 'YS105';
    end if;
  elsif not exists (select from guarantee_claim c where c.id = new.claim_id and c.deadline_at <= now() and new.ref = 'claim:' || c.id)
      or new.amount_fen > (setting_now('withdraw')->>'secondPersonFen')::bigint then
    raise exception 'the guarantee fund pays by a deadline under the limit' using errcode = 'YS105';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.goods_account_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform account_lock(new.fingerprint, false);
  if not account_barred(new.fingerprint) then return new; end if;
  if tg_op = 'UPDATE' and old.status in (4, 5, 7) then
    new.status := 3;
    return new;
  end if;
  raise exception 'the account is under a claim' using errcode = 'YS411';
end $function$;

CREATE OR REPLACE FUNCTION public.goods_inspection_ends()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_found boolean;
begin
  if new.inspected_at is not null and new.inspected_at is distinct from old.inspected_at then return new; end if;
  delete from inspection where goods_id = new.id;
  v_found := found;
  if v_found or old.inspected_at is not null then
    insert into goods_event (goods_id, kind, actor, detail) values (new.id, 'uninspected', 'system', '{}');
  end if;
  new.inspected_at := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.goods_password_due(p_goods bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update goods set status = 3, password_due_at = now() where id = p_goods and status = 2 and type_id in (1, 8, 50);
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.goods_price_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into goods_price_day (goods_id, price_fen) values (old.id, old.price_fen);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.goods_reserve(p_goods bigint, p_version integer, p_num integer)
 RETURNS smallint
 LANGUAGE plpgsql
AS $function$
declare
  v_status smallint;
  g goods;
begin
  update goods set
      stock = case when type_id in (1, 8, 50) then stock else stock - p_num end,
      status = case when type_id in (1, 8, 50) or stock = p_num then 4 else 2 end,
      updated_at = now()
    where id = p_goods and status = 2 and version = p_version and stock >= p_num
    returning status into v_status;
  if v_status is null then
    select * into g from goods where id = p_goods;
    if g.status is distinct from 2 then raise exception 'not on sale' using errcode = 'YS201'; end if;
    if g.version <> p_version then raise exception 'goods changed' using errcode = 'YS202'; end if;
    raise exception 'stock too low' using errcode = 'YS207';
  end if;
  if v_status = 4 then delete from goods_search where goods_id = p_goods; end if;
  return v_status;
end $function$;

CREATE OR REPLACE FUNCTION public.goods_settle(p_goods bigint, p_num integer, p_sold boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if p_sold then
    update goods set status = 5, updated_at = now() where id = p_goods and status = 4 and (type_id in (1, 8, 50) or stock = 0);
  else
    update goods set
        stock = case when type_id in (1, 8, 50) then stock else stock + p_num end,
        status = case when status in (4, 5) then 2 else status end,
        updated_at = now()
      where id = p_goods;
    perform effect_emit('goods.reindex', jsonb_build_object('goodsId', p_goods));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.goods_take(p_goods bigint, p_version integer, p_num integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform goods_reserve(p_goods, p_version, p_num);
end $function$;

CREATE OR REPLACE FUNCTION public.guarantee_move(p_fingerprint bytea, p_kind text, p_user bigint, p_order bigint)
 RETURNS smallint
 LANGUAGE plpgsql
AS $function$
declare
  c guarantee_cover;
  v_seq smallint;
begin
  select * into c from guarantee_cover where fingerprint = p_fingerprint and kind = p_kind and status in ('active', 'claimed') for update;
  if not found then return null; end if;
  select seq into v_seq from guarantee_holder where cover_id = c.id and order_id = p_order;
  if found then return v_seq; end if;
  if c.status = 'claimed' then raise exception 'a claim is open' using errcode = 'YS401'; end if;
  update guarantee_holder set to_at = now() where cover_id = c.id and to_at is null returning seq into v_seq;
  v_seq := coalesce(v_seq, 0) + 1;
  insert into guarantee_holder (cover_id, seq, user_id, order_id) values (c.id, v_seq, p_user, p_order);
  update guarantee_cover set holder_id = p_user where id = c.id;
  return v_seq;
end $function$;

CREATE OR REPLACE FUNCTION public.guarantee_tier_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - '{status,sort,revoked_at,revoked_by}'::text[]) is distinct from (to_jsonb(old) - '{status,sort,revoked_at,revoked_by}'::text[])
  then raise exception 'terms that were offered do not change: write a new version' using errcode = 'YS900'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.hold_give(p_code text, p_order bigint, p_to bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.hold_money_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.released_at is not null and new.released_at is distinct from old.released_at then
    raise exception 'a hold ends once' using errcode = 'YS900';
  end if;
  if new.amount_fen <> old.amount_fen and (old.released_at is not null or old.amount_fen - new.amount_fen is distinct from
      (select sum(s.amount_fen) from hold_stage s where s.hold_id = old.id and s.released_at = now())) then
    raise exception 'a hold is lessened by its stages only' using errcode = 'YS900';
  end if;
  if new.short_fen <> old.short_fen and old.short_fen <> 0 then
    raise exception 'what lacked is written down once' using errcode = 'YS900';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.hold_stage_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.released_at is not null then raise exception 'a stage comes free once' using errcode = 'YS900'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.idempotency_claim(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v idempotency;
begin
  insert into idempotency (scope, endpoint, key, request_hash) values (p->>'scope', p->>'endpoint', p->>'key', p->>'hash')
    on conflict do nothing;
  if found then return null; end if;
  select * into v from idempotency where scope = p->>'scope' and endpoint = p->>'endpoint' and key = p->>'key';
  if v.request_hash is distinct from p->>'hash' then raise exception 'idempotency mismatch' using errcode = 'YS206'; end if;
  return v.facts;
end $function$;

CREATE OR REPLACE FUNCTION public.idempotency_keep(p jsonb, p_facts jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v idempotency;
begin
  insert into idempotency (scope, endpoint, key, request_hash, facts) values (p->>'scope', p->>'endpoint', p->>'key', p->>'hash', p_facts)
    on conflict do nothing;
  if found then return null; end if;
  select * into v from idempotency where scope = p->>'scope' and endpoint = p->>'endpoint' and key = p->>'key';
  if v.request_hash is distinct from p->>'hash' then raise exception 'idempotency mismatch' using errcode = 'YS206'; end if;
  return v.facts;
end $function$;

CREATE OR REPLACE FUNCTION public.inspection_claim_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if not exists (select from orders o join inspection_task t on t.goods_id = o.goods_id
        where o.id = new.order_id and t.id = new.task_id and o.buyer_id = new.buyer_id and t.status = 'done' and t.done_at <= o.created_at
          and new.amount_fen <= o.goods_fen) then
      raise exception 'the claim is not of this order' using errcode = 'YS901';
    end if;
  elsif old.status <> 'open' then raise exception 'the claim is decided' using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.inspection_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when t.status in ('waiting', 'queued', 'claimed', 'review') then t.fee_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'inspection:' || new.id || ':escrow'), 0)
    into v_due, v_balance from inspection_task t where t.id = new.id;
  if v_balance <> v_due then raise exception 'inspection % has % in escrow', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.inspection_task_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> new.status and not exists (select from inspection_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'inspection step % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  if old.status in ('done', 'closed') then raise exception 'the inspection has ended' using errcode = 'YS902'; end if;
  if new.status in ('done', 'closed') then
    if new.sealed_enc is not null then new.erased_at := now(); end if;
    new.sealed_enc := null;
    new.due_at := null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_account_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then raise exception 'accounts are not deleted' using errcode = 'YS900'; end if;
  if new.key <> old.key or new.may_overdraw <> old.may_overdraw then raise exception 'accounts are not renamed' using errcode = 'YS900'; end if;
  if new.version <> old.version + 1 or new.balance = old.balance then raise exception 'a balance moves by an entry only' using errcode = 'YS900'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_balance_locked(p_key text)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select balance from ledger_account where key = p_key for update
$function$;

CREATE OR REPLACE FUNCTION public.ledger_may_overdraw(p_key text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_key like 'clearing:%' or p_key like 'platform:coupon_expense:%' or p_key like 'platform:rounding:%' or p_key like 'platform:guarantee_fund:%'
    or p_key like 'platform:recycling:%';
$function$;

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

CREATE OR REPLACE FUNCTION public.ledger_post(p_transfers jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_income text[];
begin
  if not ledger_move(p_transfers) then return false; end if;
  select array_agg(distinct x->>'credit') into v_income from jsonb_array_elements(p_transfers) x
    where x->>'code' not in ('topup', 'late_payment') and exists (select from debt d where d.debtor = x->>'credit' and d.settled_at is null);
  if v_income is not null then perform debt_collect(v_income); end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_version_at(p_account text, p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_low bigint := 0;
  v_high bigint;
  v_mid bigint;
  v_at timestamptz;
begin
  select version into v_high from ledger_account where key = p_account;
  if v_high is null then return 0; end if;
  while v_low < v_high loop
    v_mid := (v_low + v_high + 1) / 2;
    select created_at into v_at from ledger_entry where account = p_account and version = v_mid;
    if v_at <= p_at then v_low := v_mid; else v_high := v_mid - 1; end if;
  end loop;
  return v_low;
end $function$;

CREATE OR REPLACE FUNCTION public.limit_hit(p_key text, p_max integer, p_seconds integer)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  insert into limit_counter as c (key, hits, reset_at) values (p_key, 1, now() + make_interval(secs => p_seconds))
  on conflict (key) do update set
    hits = case when c.reset_at <= now() then 1 else c.hits + 1 end,
    reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
  returning hits <= p_max;
$function$;

CREATE OR REPLACE FUNCTION public.limit_over(p_keys text[], p_hits integer[], p_max integer, p_seconds integer)
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
declare
  v_over text[];
begin
  if cardinality(p_keys) = 1 then
    insert into limit_counter as c (key, hits, reset_at) values (p_keys[1], p_hits[1], now() + make_interval(secs => p_seconds))
      on conflict (key) do update set
        hits = case when c.reset_at <= now() then excluded.hits else c.hits + excluded.hits end,
        reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
      returning case when c.hits > p_max then array[c.key] end into v_over;
    return v_over;
  end if;
  -- In the order of the keys, so that two batches never wait for each other.
  with hit as (insert into limit_counter as c (key, hits, reset_at)
    select a.key, a.hits, now() + make_interval(secs => p_seconds) from unnest(p_keys, p_hits) as a(key, hits) order by a.key
    on conflict (key) do update set
      hits = case when c.reset_at <= now() then excluded.hits else c.hits + excluded.hits end,
      reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
    returning c.key, c.hits)
  select array_agg(h.key) into v_over from hit h where h.hits > p_max;
  return v_over;
end $function$;

CREATE OR REPLACE FUNCTION public.on_sale_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    insert into on_sale_delta (game_id, type_id, n) values (old.game_id, old.type_id, -1), (new.game_id, new.type_id, 1);
  else
    insert into on_sale_delta (game_id, type_id, n)
      select r.game_id, r.type_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed r group by r.game_id, r.type_id;
  end if;
  return null;
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

CREATE OR REPLACE FUNCTION public.order_cut_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.cut_fen <> 0 or new.type_id <> 52 or new.status <> 3 then raise exception 'what was taken off stays' using errcode = 'YS901'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.order_dispute_counted(p_order bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
    select 'disputed', (o.created_at at time zone 'Asia/Shanghai')::date, o.dist_id, o.game_id, o.type_id, o.seller_id, 1, o.total_fen
    from orders o where o.id = p_order
$function$;

CREATE OR REPLACE FUNCTION public.order_disputed(p_order bigint, p_open boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update orders set disputed = p_open where id = p_order and disputed is distinct from p_open;
end $function$;

CREATE OR REPLACE FUNCTION public.order_due(p_order bigint, p_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update orders set ship_by = p_until where id = p_order;
end $function$;

CREATE OR REPLACE FUNCTION public.order_ends_when_late(p_order bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from orders o where o.id = p_order and o.status = 1 and not o.disputed and o.handover_version is not null
      and o.credential_opened_at is null and o.buyer_opened_at is null and o.delivered_at is null)
    and not exists (select from order_handover h where h.order_id = p_order and h.actor <> 'buyer' and h.done_at is not null)
    and coalesce((select h.actor from order_handover h where h.order_id = p_order and h.before_ship and h.done_at is null
      order by h.step limit 1), 'seller') = 'seller'
$function$;

CREATE OR REPLACE FUNCTION public.order_escrow_agrees()
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

CREATE OR REPLACE FUNCTION public.order_figures(o orders)
 RETURNS TABLE(figure text, day date, n integer, amount bigint)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select f.figure, (f.at at time zone 'Asia/Shanghai')::date, 1, f.amount
  from (values
    ('placed', o.created_at, o.total_fen),
    ('paid', o.paid_at, o.total_fen),
    ('bought', case when o.paid_at is not null then o.created_at end, o.total_fen),
    ('shipped', case when o.paid_at is not null then o.shipped_at end, extract(epoch from o.shipped_at - o.paid_at)::bigint),
    ('done', case when o.status = 3 then o.completed_at end, o.total_fen),
    ('escrow', case when o.status in (1, 2) then coalesce(o.paid_at, o.created_at) end, o.total_fen)
  ) f (figure, at, amount)
  where f.at is not null
$function$;

CREATE OR REPLACE FUNCTION public.order_may_be_rated(p_order bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select o.status = 3 or (o.status = 9 and exists (select from service_order s where s.order_id = o.id and s.type_id = 61 and s.state = 'ended'
      and s.played_minutes >= 10 and s.played_minutes > coalesce((s.form->>'trialMinutes')::int, 0)))
  from orders o where o.id = p_order
$function$;

CREATE OR REPLACE FUNCTION public.order_pay_part(p_order bigint, p_goods bigint, p_ref text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
  v_late boolean := p->'only'->>'late' is not null;
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
      and (not v_late or (late_end_at <= now() and late_warned_at is not null and order_ends_when_late(id)))
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

CREATE OR REPLACE FUNCTION public.order_steps_done(p_order bigint, p_to smallint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from orders where id = p_order and handover_version is not null)
    and not exists (select from order_handover h where h.order_id = p_order and h.required and h.done_at is null
      and case when p_to = 2 then h.before_ship else h.actor <> 'buyer' end)
$function$;

CREATE OR REPLACE FUNCTION public.order_terms_frozen()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.provider_done(p_provider bigint, p_on_time boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update provider set done_count = done_count + 1, on_time_count = on_time_count + case when p_on_time then 1 else 0 end
    where id = p_provider;
end $function$;

CREATE OR REPLACE FUNCTION public.provider_flags()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform user_serves(new.user_id,
    exists (select from provider p where p.user_id = new.user_id and p.kind = 'shop' and p.status = 'approved'),
    exists (select from provider p where p.user_id = new.user_id and p.kind = 'booster' and p.status = 'approved'),
    exists (select from provider p where p.user_id = new.user_id and p.kind = 'companion' and p.status = 'approved'));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.provider_open(profile jsonb, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(jsonb_array_length(profile->'hours'), 0) = 0 or exists (
    select from jsonb_to_recordset(profile->'hours') as h(day int, "fromMinute" int, "toMinute" int),
      (select at at time zone 'Asia/Shanghai' as here) n
    where h.day = extract(isodow from n.here)::int - 1
      and h."fromMinute" <= extract(hour from n.here) * 60 + extract(minute from n.here)
      and h."toMinute" > extract(hour from n.here) * 60 + extract(minute from n.here))
$function$;

CREATE OR REPLACE FUNCTION public.published_text_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - '{revoked_at,revoked_by}'::text[]) is distinct from (to_jsonb(old) - '{revoked_at,revoked_by}'::text[])
    or old.revoked_at is not null or old.in_force_from <= now()
  then raise exception 'what was published does not change: write a new version' using errcode = 'YS900'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.push_subscription_erase(p_user bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from push_subscription where user_id = p_user;
end $function$;

CREATE OR REPLACE FUNCTION public.quick_coin_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  d quick_coin_order;
begin
  if old.status in (0, 1) and new.status in (6, 7, 8, 9) then
    update quick_coin_order set stock_returned = true where order_id = new.id and not stock_returned returning * into d;
    if found then update quick_coin_offer set stock = stock + d.lots, updated_at = now() where id = d.offer_id; end if;
  elsif new.status = 2 then
    update quick_coin_order set delivered_units = coin_units, delivered_at = now() where order_id = new.id;
  elsif new.status = 3 then
    update quick_coin_offer c set sold_lots = c.sold_lots + q.lots from quick_coin_order q where q.order_id = new.id and c.id = q.offer_id;
    perform provider_done(c.provider_id, new.shipped_at <= new.ship_by)
      from quick_coin_order q join quick_coin_offer c on c.id = q.offer_id where q.order_id = new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.quick_coin_take(p_offer bigint, p_version integer, p_lots integer)
 RETURNS quick_coin_offer
 LANGUAGE plpgsql
AS $function$
declare
  c quick_coin_offer;
begin
  update quick_coin_offer set stock = stock - p_lots, updated_at = now()
    where id = p_offer and status = 1 and version = p_version and stock >= p_lots and p_lots between min_lots and max_lots
    returning * into c;
  if found then return c; end if;
  select * into c from quick_coin_offer where id = p_offer;
  if c.status is distinct from 1 then raise exception 'not on sale' using errcode = 'YS201'; end if;
  if c.version <> p_version then raise exception 'offer changed' using errcode = 'YS202'; end if;
  if p_lots not between c.min_lots and c.max_lots then raise exception 'lots out of bounds' using errcode = 'YS211'; end if;
  raise exception 'stock too low' using errcode = 'YS207';
end $function$;

CREATE OR REPLACE FUNCTION public.real_name_erase(p_user bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from real_name where user_id = p_user;
  delete from payout_account where user_id = p_user;
end $function$;

CREATE OR REPLACE FUNCTION public.real_name_forget_unfinished()
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with gone as (delete from real_name where status = 1 and face_until < now() - interval '1 day' returning 1)
  select count(*)::int from gone;
$function$;

CREATE OR REPLACE FUNCTION public.recycle_coin_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  d recycle_coin_order;
begin
  if new.status in (6, 7, 8, 9) then
    update recycle_coin_order set wanted_returned = true where order_id = new.id and not wanted_returned returning * into d;
    if found then update recycle_coin_offer set wanted_lots = wanted_lots + d.lots, updated_at = now() where id = d.offer_id; end if;
  elsif new.status = 3 then
    update recycler r set won_count = r.won_count + 1 from recycle_coin_order q where q.order_id = new.id and r.user_id = new.buyer_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.recycle_cut_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> 'accepted' then raise exception 'the inspection is over' using errcode = 'YS901'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.recycle_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when q.status = 'open' then q.amount_fen + q.fee_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'recycle:' || new.id || ':escrow'), 0)
    into v_due, v_balance from recycle_quote q where q.id = new.id;
  if v_balance <> v_due then raise exception 'bid % has % in escrow', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.recycle_quote_rises()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.request_id, new.recycler_id) is distinct from (old.request_id, old.recycler_id) or new.amount_fen < old.amount_fen or new.fee_fen < old.fee_fen
    or (old.status <> 'open' and (new.status, new.amount_fen) is distinct from (old.status, old.amount_fen))
  then raise exception 'a bid is not lowered' using errcode = 'YS901'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.recycle_request_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status = 2 and exists (select from recycle_request r where r.order_id = new.id and r.status <> 'paid') then
    raise exception 'not inspected' using errcode = 'YS208';
  end if;
  if new.status in (7, 8, 9) then
    update recycle_request set status = 'closed', due_at = null, updated_at = now() where order_id = new.id and status in ('accepted', 'reconfirm');
  elsif new.status = 3 then
    update recycler r set won_count = r.won_count + 1, lowered_count = r.lowered_count + case when q.cut_fen > 0 then 1 else 0 end
      from recycle_request q where q.order_id = new.id and r.user_id = new.buyer_id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.recycle_request_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> new.status and not exists (select from recycle_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'recycling step % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.recycler_follows_provider()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  state smallint := case new.status when 'reviewing' then 0 when 'approved' then 1 else 2 end;
  day_limit bigint := coalesce((setting_now('recycling')->>'dayLimitFen')::bigint, 2000000);
begin
  -- An application that nobody has decided on makes no recycler yet.
  insert into recycler (user_id, dist_id, name, games, day_limit_fen, status, reviewed_by, won_count)
    select new.user_id, new.dist_id, new.name, new.games, day_limit, state, new.reviewed_by, new.done_count where new.status = 'approved'
  on conflict (user_id) do update set name = excluded.name, games = excluded.games, status = 1, reviewed_by = excluded.reviewed_by;
  if new.status <> 'approved' then update recycler set status = state where user_id = new.user_id; end if;
  if new.status = 'approved' and cardinality(new.games) > 0 then
    update recycle_coin_offer set status = 2, updated_at = now()
      where recycler_id = new.user_id and status = 1 and not game_id = any(new.games);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'history is not changed: %.%', tg_table_name, tg_op using errcode = 'YS900';
end $function$;

CREATE OR REPLACE FUNCTION public.review_exclusion(p_order bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when not order_may_be_rated(o.id) or 2 * coalesce((select sum(d.back_fen) from dispute d where d.order_id = o.id and d.status = 'closed'), 0) >= o.goods_fen
      or exists (select from guarantee_claim k where k.order_id = o.id and k.status = 'paid' and not k.spares_seller) then 'undone'
    when o.type_id = 51 or o.is_recovery <> 0 then 'private'
    when cardinality(user_links(o.buyer_id, o.seller_id)) > 0 then 'related' end
  from orders o where o.id = p_order
$function$;

CREATE OR REPLACE FUNCTION public.role_card_erase(p_user bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from role_card where user_id = p_user;
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

CREATE OR REPLACE FUNCTION public.search_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from search_feed where engine is not null) then
    insert into search_change (goods_id) select r.goods_id from changed r;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.seller_offers(p_user bigint)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select (select count(*) from goods where seller_id = p_user and status in (1, 2, 3, 4, 7))::int
    + (select count(*) from middleman_deal m where (case when m.opener_belong = 0 then m.opener_id else m.partner_id end) = p_user
        and m.status in ('waiting', 'ordered') and deal_is_live(m))::int
$function$;

CREATE OR REPLACE FUNCTION public.service_follows_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_due timestamptz;
begin
  update service_order set state = 'working', started_at = now(), due_at = now() + make_interval(mins => minutes), account_free_at = null
    where order_id = new.order_id and type_id = 60 and state = 'waiting' returning due_at into v_due;
  if not found then return null; end if;
  perform order_due(new.order_id, v_due);
  perform effect_cancel(array['service.account', 'service.proof'], new.order_id::text);
  perform effect_schedule('service.late', new.order_id::text, v_due);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.service_follows_case()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  s service_order;
  v_ref text := new.id;
  v_stopped interval;
  v_later interval;
  v_ruled boolean;
begin
  select * into s from service_order where order_id = new.id for update;
  if not found then return null; end if;
  if new.disputed then
    if s.state in ('checking', 'done', 'ended') then return null; end if;
    update service_order set stopped_at = now(), stopped_clocks = effect_stop(array['service.accept', 'service.account', 'service.milestone', 'service.resume',
        'service.proof', 'service.late', 'service.cancelAnswer', 'service.noShow', 'service.playEnd', 'service.endFinal'], v_ref) where order_id = new.id;
    return null;
  end if;
  if s.stopped_at is null then return null; end if;
  if s.state in ('done', 'ended') or new.status <> 1 then
    update service_order set stopped_at = null, stopped_clocks = '{}' where order_id = new.id;
    return null;
  end if;
  v_ruled := exists (select from dispute d where d.order_id = new.id and d.outcome = 'ruled' and d.closed_at >= s.stopped_at);
  v_stopped := now() - s.stopped_at;
  v_later := v_stopped;
  if s.state = 'waiting' and s.starts_at > s.stopped_at then
    v_later := greatest(interval '0', now() + least(s.starts_at - s.stopped_at, interval '5 minutes') - s.starts_at);
  end if;
  perform effect_go_on(v_ref, s.stopped_clocks, s.stopped_at + v_later);
  update service_order set stopped_at = null, stopped_clocks = '{}', stopped_seconds = stopped_seconds + extract(epoch from v_stopped)::int,
      accept_by = accept_by + v_later,
      account_free_at = case when s.state = 'waiting' then account_free_at + v_later else account_free_at end,
      silence_paid_at = case when not v_ruled then silence_paid_at end,
      acted_at = case when s.type_id = 60 then now() end,
      late_told_at = case when not (v_ruled or exists (select from dispute d where d.order_id = new.id and d.opener_id = new.buyer_id and d.closed_at >= s.stopped_at))
        then late_told_at + v_later end,
      starts_at = case when s.state = 'waiting' then starts_at + v_later else starts_at end,
      due_at = case when s.state in ('waiting', 'working') then due_at + v_later else due_at end,
      proof_due_at = case when s.state = 'working' then proof_due_at + v_later else proof_due_at end
    where order_id = new.id;
  if s.state = 'working' and s.type_id = 61 then
    perform companion_slot_take(new.id, s.provider_id, now(), greatest(now(), s.due_at + v_later));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.service_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.service_tip_capped()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select coalesce(sum(amount_fen), 0) from service_tip where order_id = new.order_id) > 20000 then
    raise exception 'tips of an order are capped' using errcode = 'YS901';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.setting_now(p_key text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select value from setting where key = p_key and valid_from <= now() and revoked_at is null order by version desc limit 1
$function$;

CREATE OR REPLACE FUNCTION public.site_takes_orders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from distributor where id = new.dist_id and suspended_at is null for share;
  if not found then raise exception 'the site takes no orders' using errcode = 'YS217'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.time_sale_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  d time_sale_order;
begin
  update time_sale_order set returned = true where order_id = new.id and not returned returning * into d;
  if found then update time_sale set left_num = left_num + d.num where id = d.sale_id; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.unpaid_pause_until(p_buyer bigint, p_pauses jsonb)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select e.last + make_interval(secs => (p_pauses->>(least(e.n, jsonb_array_length(p_pauses))::int - 1))::int)
  from (select count(*) as n, max(unpaid_end_at) as last from orders
    where buyer_id = p_buyer and unpaid_end_at > now() - interval '1 day') e where e.n > 0
$function$;

CREATE OR REPLACE FUNCTION public.unrelated_sales(p_user bigint, p_enough integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select case when coalesce((select (s.counted->>'buyers')::int from seller_standing s where s.user_id = p_user), 0) >= p_enough then p_enough
    else u.sold_count - coalesce((
      select sum(b.n)::int from (
        select r.buyer_id, count(*) as n from (select buyer_id from orders where seller_id = p_user and status = 3 order by completed_at desc limit 500) r
        group by r.buyer_id) b
      where cardinality(user_links(b.buyer_id, p_user)) > 0), 0) end
  from app_user u where u.id = p_user
$function$;

CREATE OR REPLACE FUNCTION public.user_links(p_a bigint, p_b bigint)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select array_remove(array[
    case when exists (select from user_browser x join user_browser y on y.browser_hash = x.browser_hash
      where x.user_id = p_a and y.user_id = p_b) then 'browser' end,
    case when exists (select from payout_account x join payout_account y on y.account_hash = x.account_hash
      where x.user_id = p_a and y.user_id = p_b) then 'payee' end,
    case when exists (select from user_network x join user_network y on y.network_hash = x.network_hash
      where x.user_id = p_a and y.user_id = p_b and x.last_at > now() - interval '30 days' and y.last_at > now() - interval '30 days'
        and (select count(*) from user_network n where n.network_hash = x.network_hash and n.last_at > now() - interval '30 days') <= 8)
      then 'network' end,
    case when exists (select from app_user u where (u.id = p_a and u.inviter_id = p_b) or (u.id = p_b and u.inviter_id = p_a)) then 'inviter' end
  ], null)
$function$;

CREATE OR REPLACE FUNCTION public.user_serves(p_user bigint, p_shop boolean, p_booster boolean, p_companion boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update app_user set is_quick_shop = p_shop, is_booster = p_booster, is_accompanyer = p_companion where id = p_user;
end $function$;

CREATE OR REPLACE FUNCTION public.user_trade_done(p_seller bigint, p_buyer bigint, p_fen bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update app_user set sold_count = sold_count + 1 where id = p_seller;
  update app_user set paid_total_fen = paid_total_fen + p_fen where id = p_buyer;
end $function$;

CREATE OR REPLACE FUNCTION public.want_deposit_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.deposit_fen <> old.deposit_fen and new.deposit_fen <> 0 then raise exception 'a deposit goes back whole' using errcode = 'YS900'; end if;
  return new;
end $function$;

set local check_function_bodies = on;

create view deposit_level as
SELECT r.role,
    l.level::smallint AS level,
    l.value ->> 'name'::text AS name,
    (l.value ->> 'amountFen'::text)::bigint AS amount_fen,
    l.value -> 'benefits'::text AS benefits,
    l.value -> 'limits'::text AS limits,
    (l.value ->> 'releaseDays'::text)::smallint AS release_days
   FROM jsonb_each(setting_now('deposit_levels'::text)) r(role, levels),
    LATERAL jsonb_array_elements(r.levels) WITH ORDINALITY l(value, level);

-- ---- What the application may do ----
-- By default it may select, insert and update (the default privileges above). Listed here are the tables from which it may delete, those that it
-- may only read or only add to, and the columns that it may change of the latter.

grant delete on outbox, timer, idempotency, limit_counter, dist_host, session, sms_code, role_card, third_party_binding, wechat_login, goods_search,
  goods_follow, goods_view, inspection, price_stat, goods_draft, alert, channel_statement_line, chat_ticket, valuation_model, valuation, verify_query,
  black_external, notice, notice_delivery, notice_quiet, push_subscription, league_team, league_match, staff_shift, service_queue, sell_time_stat,
  chat_gateway, chat_presence, import_row, want_match, wechat_push_ticket, third_party_ticket, reconcile_difference, step_up, staff_browser,
  goods_finding, staff_role, staff_invite, setup_token, brand_draft, game_draft, rule_draft, brand_plan, service_block, companion_slot, search_miss,
  search_miss_visitor, staff_view, link_mark, trade_day, api_nonce, api_call, webhook_delivery, webhook_attempt, trade_stat, listing_import,
  listing_import_row, goods_week, search_change, link_push_site, link_push, listing_import_picture to youshi_app;
revoke insert, update on audit_log, ledger_account, ledger_transfer, ledger_entry, order_transition, notice_kind, debt, audit_seal, audit_head,
  boost_transition, inspection_transition, companion_transition from youshi_app;
revoke update on distributor, setting, payout_account, consent, hold, goods_event, bargain, payment, withdrawal, refund, coupon_campaign, coupon,
  lottery_draw, orders, order_process, guarantee_tier, guarantee_cover, guarantee_claim, guarantee_claim_step, platform_rule, dispute,
  dispute_statement, dispute_event, dispute_ruling, dispute_ruling_rule, dispute_appeal, deposit_release, deposit_penalty, provider_event,
  service_order, service_milestone, service_progress, service_addition, service_cancel, recycle_request, recycle_reading, middleman_deal, black_event,
  notice_template, legal_text, approval, time_sale, goods_price_day, deposit_entry, dist_settlement, seller_level_change, hold_stage,
  credential_opening, fund_release, guarantee_receipt, brand_version, brand_publication, brand_terms, backup_run, payout_list, news_version,
  boost_request, inspection_task, inspection_reading, inspection_claim, service_tip, books_block from youshi_app;
revoke insert on quarantine from youshi_app;
revoke update on order_delta, on_sale_delta, top_seller from youshi_app;
grant delete on order_delta, on_sale_delta, top_seller to youshi_app;
revoke insert, update on channel_movement from youshi_app;
revoke insert, update on deposit_level from youshi_app;
revoke insert, update on order_figure from youshi_app;
revoke insert, update on deal_figure from youshi_app;
revoke insert, update on seller_figure from youshi_app;
revoke insert, update on on_sale_figure from youshi_app;
grant select on schema_migrations to youshi_app;
revoke usage on sequence audit_log_id_seq from youshi_app;

grant update (secret_enc, previous_enc, previous_until, revoked_at, last_used_at, last_network) on api_key to youshi_app;
grant update (reason, status, decided_by, note, expires_at, created_at, decided_at) on approval to youshi_app;
grant insert (staff_id, act, target, detail, ip) on audit_log to youshi_app;
grant update (counter_fen, goods_version, status, expires_at, order_id, created_at, updated_at, message, ended_why) on bargain to youshi_app;
grant update (level, note, version, hits, last_hit_at, ended_at, ended_by, ended_reason) on blocked_word to youshi_app;
grant update (hash, checked_at, is_broken) on books_block to youshi_app;
grant update (status, order_id, ended_at) on boost_request to youshi_app;
grant update (order_id, expires_at, used_at, created_at) on coupon to youshi_app;
grant update (name, stock, valid_days, starts_at, ends_at, created_at, status, note, opened_by, stopped_by, stopped_at, stop_reason) on
  coupon_campaign to youshi_app;
grant update (status, release_at, reason, created_at, done_at) on deposit_release to youshi_app;
grant update (dist_id, order_id, reason_code, want, status, outcome, staff_id, appeal_staff_id, first_look_by, first_look_at, answer_by, rule_by,
  appeal_until, opened_at, closed_at, stopped, escalated, buyer_accepted_at, seller_accepted_at, back_fen, refunded_fen, to_seller_fen, owed_fen) on
  dispute to youshi_app;
grant update (status, note, receipt_no, first_by, decided_by, created_at, decided_at) on dist_settlement to youshi_app;
grant update (name, conf, theme, games, status, created_at, version, suspended_at, suspend_notice) on distributor to youshi_app;
grant update (until) on goods_price_day to youshi_app;
grant update (views) on goods_view_day to youshi_app;
grant update (views, follows) on goods_week to youshi_app;
grant update (explain, pictures, paid_fen, status, staff_id, refusal, chase_days, first_look_by, chase_from, deadline_at, opened_at, decided_at,
  paid_note, stopped, recourse_fen, fingerprint, escalated_for, decide_by, spares_seller, penalty_fen, debt_fen) on guarantee_claim to youshi_app;
grant update (fingerprint, holder_id, status, starts_at, ends_at, created_at) on guarantee_cover to youshi_app;
grant update (created_at, struck_by, struck_at) on guarantee_receipt to youshi_app;
grant update (revoked_at, revoked_by) on guarantee_tier to youshi_app;
grant update (amount_fen, reason, release_at, released_at, release_note, created_at, short_fen) on hold to youshi_app;
grant update (released_at) on hold_stage to youshi_app;
grant update (cells) on import_row to youshi_app;
grant update (status, note, staff_id, decided_at) on inspection_claim to youshi_app;
grant update (label, said, found, value, differs, created_at) on inspection_reading to youshi_app;
grant update (status, staff_id, sealed_enc, sealed_at, erased_at, opened_count, opened_at, claimed_at, due_at, done_at, differs, pictures,
  closed_reason) on inspection_task to youshi_app;
grant update (revoked_at, revoked_by) on legal_text to youshi_app;
grant update (mapping, defaults, status, waits_until, failure, finished_at, removed_at) on listing_import to youshi_app;
grant update (cells, edits, state, problems, notes, goods_id) on listing_import_row to youshi_app;
grant update (created_at) on lottery_draw to youshi_app;
grant update (partner_id, game_id, title, description, pictures, fingerprint, link_hash, status, order_id, expires_at, created_at, answered_at,
  type_id, server_id) on middleman_deal to youshi_app;
grant insert (title, body) on notice_delivery to youshi_app;
grant select (title, body) on notice_delivery to youshi_app;
grant update (channels, urgent, version) on notice_kind to youshi_app;
grant update (goods_sn, game_id, staff_id, status, coupon_id, bargain_id, is_recovery, snapshot, handover_version, touched_at, cancel_asked_at,
  ship_by, auto_confirm_at, disputed, hidden_buyer, hidden_seller, paid_at, shipped_at, completed_at, created_at, credential_opened_at,
  buyer_opened_at, confirm_stopped_at, delivered_at, self_placed, unpaid_end_at, cut_fen, shut_at, offline_mark, offline_agreed, late_end_at,
  late_warned_at) on orders to youshi_app;
grant update (pay_mode, status, channel_trade_no, qr_text, return_url, expires_at, paid_at, created_at, way, lead, asked_at, dropped_at) on payment to
  youshi_app;
grant update (removed_at, created_at) on payout_account to youshi_app;
grant update (revoked_at, revoked_by) on platform_rule to youshi_app;
grant update (label, said, found, cut_fen, staff_id, created_at, pictures) on recycle_reading to youshi_app;
grant update (game_id, type_id, area_id, server_id, details, fields_version, fingerprint, floor_basis, status, best_quote_id, bids_until, quote_until,
  order_id, closed_reason, created_at, updated_at, cuts, cut_fen, due_at, read_by) on recycle_request to youshi_app;
grant update (reason, status, created_at, done_at, sent_at, leased_until, channel_reason) on refund to youshi_app;
grant update (times, last_at, set_aside_at) on search_miss to youshi_app;
grant update (last_at) on search_miss_visitor to youshi_app;
grant update (meant, note, version, ended_at, ended_by, ended_reason) on search_synonym to youshi_app;
grant update (views, follows) on seller_week to youshi_app;
grant update (add_minutes, reason, status, add_order_id, created_at, answered_at) on service_addition to youshi_app;
grant update (reason, computed, status, dispute_id, created_at, answered_at) on service_cancel to youshi_app;
grant update (state, pictures, note, submitted_at, answered_at, progress_percent, refused_count, refuse_reason, paid_fen) on service_milestone to
  youshi_app;
grant update (type_id, minutes, mode, form, state, starts_at, accept_by, accepted_at, started_at, due_at, paused_at, finished_at, efficiency_to_buyer,
  safety_to_buyer, paused_seconds, buyer_start_at, seller_start_at, end_by, played_minutes, proof_due_at, ban_reported_at, ban_reported_by,
  ruled_dispute_id, ruled_safety_to_buyer, ruled_efficiency_to_buyer, booked_at, account_free_at, silence_paid_at, acted_at, late_told_at,
  login_failed_at) on service_order to youshi_app;
grant update (revoked_at, revoked_by) on setting to youshi_app;
grant update (columns) on staff_columns to youshi_app;
grant update (written, opened_at, ended_at) on staff_export to youshi_app;
grant update (name, query, shared, changed_at) on staff_view to youshi_app;
grant update (left_num, starts_at, ends_at, status, created_at) on time_sale to youshi_app;
grant update (status, attempts, next_at, sent_at) on webhook_delivery to youshi_app;
grant update (url, events, secret_enc, status, fails, failing_since, paused_until, removed_at) on webhook_endpoint to youshi_app;
grant update (status, note, approved_by, second_by, channel, channel_no, created_at, decided_at, paid_at, sent_at, leased_until, channel_reason,
  bounced_at, list_id, accept_token) on withdrawal to youshi_app;

revoke all on function debt_collect(text[]) from public;
grant execute on function debt_collect(text[]) to youshi_app;
revoke all on function debt_record(jsonb) from public;
grant execute on function debt_record(jsonb) to youshi_app;
revoke all on function erase_person(bigint) from public;
grant execute on function erase_person(bigint) to youshi_app;
revoke all on function hold_give(text,bigint,bigint) from public;
revoke all on function ledger_balance_locked(text) from public;
grant execute on function ledger_balance_locked(text) to youshi_app;
revoke all on function ledger_move(jsonb) from public;
revoke all on function ledger_post(jsonb) from public;
grant execute on function ledger_post(jsonb) to youshi_app;
revoke all on function order_pay_part(bigint,bigint,text) from public;
grant execute on function order_pay_part(bigint,bigint,text) to youshi_app;

-- ---- Rows that a new market begins with ----

insert into setting (key, version, value, reason) values
  ('fees', 1, '{"buyerBp": 100, "inviteBp": 500, "sellerBp": 500, "sellerMaxFen": 50000}', ''),
  ('hold_hours', 1, '[168, 72, 48, 24, 24, 24]', ''),
  ('new_seller', 1, '{"count": 10, "sales": 5, "maxFen": 300000}', ''),
  ('order', 1, '{
      "maxUnpaid": 20,
      "shipSeconds": {"1":86400,"2":7200,"8":7200,"22":7200,"27":7200,"50":86400},
      "unpaidSeconds": 1800,
      "confirmSeconds": {"1":259200,"2":86400,"8":86400,"22":86400,"27":86400,"50":259200}}', ''),
  ('order', 2, '{
      "maxUnpaid": 20,
      "shipSeconds": {"1":86400,"2":7200,"8":7200,"22":7200,"27":7200,"50":86400,"51":86400,"52":7200,"53":7200},
      "unpaidSeconds": 1800,
      "confirmSeconds": {"1":259200,"2":86400,"8":86400,"22":86400,"27":86400,"50":259200,"51":259200,"52":86400,"53":86400}}', ''),
  ('order', 3, '{
      "maxUnpaid": 3,
      "shipSeconds": {"1":86400,"2":7200,"8":7200,"22":7200,"27":7200,"50":86400,"51":86400,"52":7200,"53":7200},
      "unpaidSeconds": 1800,
      "confirmSeconds": {"1":259200,"2":86400,"8":86400,"22":86400,"27":86400,"50":259200,"51":259200,"52":86400,"53":86400},
      "stepsDoneSeconds": 86400,
      "unpaidPauseSeconds": [60,300,900,3600,14400]}', ''),
  ('order', 4, '{
      "maxUnpaid": 3,
      "lateSeconds": 259200,
      "shipSeconds": {"1":86400,"2":7200,"8":7200,"22":7200,"27":7200,"50":86400,"51":86400,"52":7200,"53":7200},
      "unpaidSeconds": 1800,
      "confirmSeconds": {"1":259200,"2":86400,"8":86400,"22":86400,"27":86400,"50":259200,"51":259200,"52":86400,"53":86400},
      "stepsDoneSeconds": 86400,
      "unpaidPauseSeconds": [60,300,900,3600,14400]}', '超过发货时限后三天没有人操作：没有交付的自动取消并全额退款，其余转客服'),
  ('topup', 1, '{"maxFen": 5000000, "minFen": 1, "quickYuan": [100, 200, 300, 500, 1000], "expireSeconds": 900}', ''),
  ('withdraw', 1, '{"feeFen": 0, "minFen": 1000, "dayCount": 5, "dayMaxFen": 5000000, "secondPersonFen": 500000}', ''),
  ('bargain', 1, '{"days": 7, "tries": 3, "perDay": 30, "floorPercent": 50}', ''),
  ('middleman', 1, '{"bp": 300, "maxFen": 50000, "minFen": 100, "answerHours": 72, "unpaidSeconds": 86400}', ''),
  ('payout', 1, '{"smsFen": 500000}', ''),
  ('payout', 2, '{"smsFen": 500000, "recheckDays": [1, 3, 7]}', ''),
  ('refund', 1, '{"days": 90, "late": {"alipay": "source", "wechat": "source", "sandbox": "balance"}}', ''),
  ('coupon', 1, '{"secondPersonFen": 500000}', ''),
  ('lottery', 1, '{"open": true, "drawsPerDay": 3}', ''),
  ('deposit', 1, '{"cancelBp": 200, "cancelMaxFen": 20000, "cancelMinFen": 500, "recheckSeconds": 21600}', ''),
  ('deposit', 2, '{"lossBp": 500, "cancelBp": 200, "lossMaxFen": 50000, "lossMinFen": 1000, "cancelMaxFen": 20000, "cancelMinFen": 500, "recheckSeconds": 21600}', ''),
  ('disputes', 1, '{"perDay": 10, "lookSeconds": 900, "ruleSeconds": 172800, "answerSeconds": 86400, "appealSeconds": 86400, "answerCoinSeconds": 7200}', ''),
  ('claims', 1, '{"perDay": 5, "lookSeconds": 7200}', ''),
  ('claims', 2, '{"perDay": 5, "autoLossFen": 0, "lookSeconds": 7200, "decideSeconds": 172800}', ''),
  ('guarantee_rates', 1, '{}', ''),
  ('seller_levels', 1, '{
      "levels": [{"fen":50000,"days":7,"badBp":2000,"buyers":3,"rating":0},{"fen":300000,"days":30,"badBp":800,"buyers":10,"rating":4.2},{"fen":1000000,"days":60,"badBp":500,"buyers":25,"rating":4.4},{"fen":3000000,"days":90,"badBp":300,"buyers":60,"rating":4.6},{"fen":10000000,"days":180,"badBp":200,"buyers":150,"rating":4.7}],
      "minFen": 1000,
      "windowDays": 180,
      "perBuyerFen": 200000,
      "ratingCount": 5,
      "perBuyerOrders": 2}', ''),
  ('recycling', 1, '{"dayLimitFen": 2000000}', ''),
  ('recycling', 2, '{
      "errorBp": 2500,
      "budgetFen": 20000000,
      "bidSeconds": 600,
      "handlingBp": 800,
      "recoveryBp": 500,
      "bindSeconds": 86400,
      "dayLimitFen": 2000000,
      "floorMaxFen": 500000,
      "answerSeconds": 86400,
      "inspectSeconds": 14400,
      "capitalBpPerDay": 20,
      "handOverSeconds": 7200}', ''),
  ('recycling', 3, '{
      "errorBp": 2500,
      "budgetFen": 20000000,
      "bidSeconds": 600,
      "handlingBp": 800,
      "recoveryBp": 500,
      "bindSeconds": 86400,
      "dayLimitFen": 2000000,
      "floorMaxFen": 500000,
      "answerSeconds": 86400,
      "inspectSeconds": 14400,
      "capitalBpPerDay": 20,
      "handOverSeconds": 7200,
      "takeOverSeconds": 86400}', ''),
  ('hold_stages', 1, '{
      "levels": [{"parts":[],"openFen":0},{"parts":[{"bp":2000,"hours":24},{"bp":3000,"hours":48}],"openFen":50000},{"parts":[{"bp":3000,"hours":12},{"bp":2000,"hours":24}],"openFen":200000},{"parts":[{"bp":5000,"hours":6}],"openFen":500000},{"parts":[{"bp":6000,"hours":2}],"openFen":1000000},{"parts":[{"bp":8000,"hours":1}],"openFen":3000000}],
      "quietDays": 180}', ''),
  ('fund_release', 1, '{"fromTransfer": 0}', ''),
  ('fund_release', 2, '{"fromTransfer": 0}', ''),
  ('staffSession', 1, '{"maxMinutes": 480, "idleMinutes": 60, "inviteHours": 48, "stepUpMinutes": 10}', ''),
  ('deposit_levels', 1, '{
      "shop": [{"name":"标准店铺","limits":{"listings":20,"orderFen":500000},"benefits":["可发布极速金币","同时 20 个报价"],"amountFen":100000,"releaseDays":7},{"name":"金牌店铺","limits":{"listings":100,"orderFen":2000000},"benefits":["极速金币优先展示","同时 100 个报价"],"amountFen":500000,"releaseDays":14}],
      "seller": [{"name":"诚信卖家","limits":{"listings":50},"benefits":["商品页与卖家卡片显示保证金标识","新手期可同时发布 50 件商品"],"amountFen":50000,"releaseDays":7},{"name":"优选卖家","limits":{"listings":200},"benefits":["含诚信卖家的全部权益","新手期可同时发布 200 件商品","售出保护期按高一级卖家计算"],"amountFen":200000,"releaseDays":7}],
      "booster": [{"name":"标准代练","limits":{"orderFen":50000,"openOrders":2},"benefits":["同时接 2 单"],"amountFen":20000,"releaseDays":7},{"name":"高级代练","limits":{"orderFen":300000,"openOrders":5},"benefits":["同时接 5 单"],"amountFen":100000,"releaseDays":7}],
      "recycler": [{"name":"认证回收商","limits":{"orderFen":5000000},"benefits":["可参与账号回收竞价"],"amountFen":1000000,"releaseDays":14}],
      "companion": [{"name":"标准陪玩","limits":{"openOrders":1},"benefits":["可上架陪玩套餐"],"amountFen":10000,"releaseDays":7}]}', ''),
  ('boosting', 1, '{"acceptSeconds": 1800, "maxPauseSeconds": 259200, "milestoneSeconds": 43200, "cancelAnswerSeconds": 21600}', ''),
  ('boosting', 2, '{"proofSeconds": 7200, "acceptSeconds": 1800, "maxPauseSeconds": 259200, "milestoneSeconds": 43200, "cancelAnswerSeconds": 21600}', '代练每两小时提醒上传进度截图'),
  ('boosting', 3, '{
      "proofSeconds": 7200,
      "acceptSeconds": 1800,
      "accountSeconds": 86400,
      "maxPauseSeconds": 259200,
      "milestoneSeconds": 43200,
      "accountFreeSeconds": 7200,
      "cancelAnswerSeconds": 21600}', '约定时间从提交账号起算：两小时未交可免责放弃，一天未交自动退款'),
  ('boosting', 4, '{
      "lateSeconds": 172800,
      "proofSeconds": 7200,
      "acceptSeconds": 1800,
      "accountSeconds": 86400,
      "lateMaxSeconds": 604800,
      "maxPauseSeconds": 259200,
      "milestoneSeconds": 43200,
      "accountFreeSeconds": 7200,
      "cancelAnswerSeconds": 21600}', '超过约定时间且双方没有操作：两天后未确认的货款退回，有进度要核对的转客服；最长七天'),
  ('companion', 1, '{"readySeconds": 300, "acceptSeconds": 600, "noShowSeconds": 600, "endAnswerSeconds": 1800, "bookAcceptSeconds": 7200}', ''),
  ('inspection', 1, '{
      "feeFen": 990,
      "perDay": 3,
      "wrongBp": 500,
      "againDays": 7,
      "validDays": 30,
      "wrongDays": 7,
      "sealSeconds": 172800,
      "workSeconds": 86400,
      "wrongMinFen": 5000,
      "claimSeconds": 7200}', '');

insert into distributor (code, name, conf, theme) values
  ('youshi', '游市', '{
      "botQuals": [],
      "pictArea": {"logo":"/art/logo/youshi.svg","qrCode":"","webIcon":"/art/logo/youshi.svg"},
      "notifBits": [],
      "adverPosMap": {},
      "distBaseConf": {"watermark":"游市","recGameStr":"","websiteDesc":"游戏账号、游戏币、道具交易，货款由平台托管，验收后放款","websiteName":"游市","webKeyWordStr":"游戏账号交易,游戏币交易,账号回收,代练","statTrafScript":{},"hdrBarWelceWord":"欢迎来到游市，钱由平台托管，号到手再放款"},
      "bottomVerInfo": {"icpNum":"","copyInfo":"本站仅提供信息与担保服务，游戏名称归各自权利人所有","copyright":"游市","busLicense":"","pubSecCase":""},
      "customerBlock": {"serviceNum":""},
      "treeMenuButMap": {"pc1":[]}}', '{"hue": 221, "chroma": 1, "layout": 1, "topBar": 1}');

insert into dist_host (host, dist_id) values
  ('localhost', 1);

insert into order_transition values (0, 1), (0, 6), (0, 7), (1, 2), (1, 7), (1, 8), (1, 9), (2, 3), (2, 8), (2, 9);

insert into boost_transition values ('pending', 'working'), ('pending', 'ended'), ('working', 'paused'), ('working', 'checking'), ('working',
  'ended'), ('paused', 'working'), ('paused', 'ended'), ('checking', 'done'), ('checking', 'ended'), ('pending', 'waiting'), ('waiting', 'working'),
  ('waiting', 'ended');

insert into companion_transition values ('pending', 'waiting'), ('pending', 'ended'), ('waiting', 'working'), ('waiting', 'ended'), ('working',
  'ending'), ('working', 'checking'), ('working', 'ended'), ('ending', 'checking'), ('ending', 'ended'), ('checking', 'done'), ('checking', 'ended');

insert into recycle_transition values ('bidding', 'quoted'), ('bidding', 'expired'), ('bidding', 'withdrawn'), ('bidding', 'accepted'), ('quoted',
  'accepted'), ('quoted', 'expired'), ('quoted', 'withdrawn'), ('accepted', 'paid'), ('accepted', 'reconfirm'), ('accepted', 'closed'), ('reconfirm',
  'paid'), ('reconfirm', 'declined'), ('reconfirm', 'closed');

insert into inspection_transition values ('waiting', 'queued'), ('waiting', 'closed'), ('queued', 'claimed'), ('queued', 'closed'), ('claimed',
  'queued'), ('claimed', 'review'), ('claimed', 'done'), ('claimed', 'closed'), ('review', 'queued'), ('review', 'done'), ('review', 'closed');

insert into guarantee_tier (id, kind, code, name, rate_bp, payout_bp, chase_days, cover_text, exclusions, sort, reasons) values
  (11, 'fixEnsure', 'recovery', '找回包赔', 1000, 10000, 7, '账号被原号主找回，最多赔付商品价，7 天内未追回且无须人工核实的自动赔付到余额', '["转借他人使用造成的损失", "买家自行违规被封禁", "主动换绑给第三方"]', 10, '{
      "other": {"most":"price","byItself":false},
      "banned": {"fall":{"stepBp":1000,"floorBp":3000,"afterDays":30,"everyDays":30},"most":"price","byItself":true},
      "recovered": {"most":"price","byItself":true},
      "not_as_described": {"most":"price","byItself":false}}'),
  (2, 'ensure', 'face', '人脸包赔', 1500, 10000, 7, '含找回包赔；卖家不配合人脸核验导致无法登录时同样赔付，最多赔付商品价', '["转借他人使用造成的损失", "买家自行违规被封禁", "超过 3 次人脸核验后的人工拒绝"]', 20, '{
      "other": {"most":"price","byItself":false},
      "banned": {"fall":{"stepBp":1000,"floorBp":3000,"afterDays":30,"everyDays":30},"most":"price","byItself":true},
      "recovered": {"most":"price","byItself":true},
      "face_refused": {"most":"price","byItself":true},
      "not_as_described": {"most":"price","byItself":false}}'),
  (3, 'ensure', 'topup', '充值包赔', 2000, 15000, 15, '含找回包赔；购号后的充值按充值凭证另赔，合计不超过商品价 1.5 倍', '["转借他人使用造成的损失", "买家自行违规被封禁", "无充值凭证的金额"]', 30, '{
      "other": {"most":"price","byItself":false},
      "banned": {"fall":{"stepBp":1000,"floorBp":3000,"afterDays":30,"everyDays":30},"most":"price","byItself":true},
      "recovered": {"most":"price","byItself":true},
      "topup_lost": {"most":"receipts","byItself":true},
      "not_as_described": {"most":"price","byItself":false}}');

insert into dispute_reason (code, name, goods_types, form, evidence, sort, status, version, order_states) values
  ('recovered', '账号被找回', '{1,8,50,52}', '[
      {"key":"lost_at","kind":"time","side":"buyer","label":"什么时候登录不上","required":true},
      {"key":"contacted","kind":"yes_no","side":"buyer","label":"对方是否联系过你","required":true},
      {"key":"reset","kind":"yes_no","side":"seller","label":"是否由你操作找回","required":true}]', '登录失败或密码被改的截图', 10, 1, 2, '{1,2,3}'),
  ('other', '其他问题', null, '[{"key": "what", "kind": "text", "side": "both", "label": "发生了什么", "required": true}]', '能说明问题的截图', 100, 1, 1, '{1,2,3}'),
  ('handover', '换绑问题', '{1,8,50}', '[{"key": "step", "kind": "text", "side": "both", "label": "卡在哪一步", "required": true}]', '换绑页面截图', 20, 1, 1, '{1,2,3}'),
  ('real_name', '实名或防沉迷问题', '{1,8,50}', '[{"key": "state", "kind": "text", "side": "both", "label": "现在的实名状态", "required": true}]', '实名或防沉迷页面截图', 30, 1, 1, '{1,2,3}'),
  ('not_as_described', '与描述不符', null, '[
      {"key":"field","kind":"text","side":"buyer","label":"哪一项不符","required":true},
      {"key":"found","kind":"text","side":"buyer","label":"实际是什么","required":true},
      {"key":"answer","kind":"text","side":"seller","label":"卖家说明","required":true}]', '能看到该项的游戏内截图', 40, 1, 1, '{1,2,3}'),
  ('not_delivered', '没有收到货', '{2,22,27,53}', '[
      {"key":"role","kind":"text","side":"buyer","label":"收货角色名","required":true},
      {"key":"sent_at","kind":"time","side":"seller","label":"发货时间","required":true}]', '邮件、拍卖或面交记录截图', 50, 1, 1, '{1,2,3}'),
  ('short_delivered', '数量不足', '{2,22,27,53}', '[
      {"key":"received","kind":"text","side":"buyer","label":"实际收到数量","required":true},
      {"key":"sent","kind":"text","side":"seller","label":"实际发货数量","required":true}]', '到账记录截图', 60, 1, 1, '{1,2,3}'),
  ('report_false', '描述或截图与实际不符', null, '[]', '能看出不符的截图', 610, 1, 1, '{0}'),
  ('report_contact', '含联系方式、引导线下交易', null, '[]', '', 620, 1, 1, '{0}'),
  ('report_stolen', '账号来路不明或被盗', null, '[]', '能证明账号归属的截图', 630, 1, 1, '{0}'),
  ('report_repeated', '重复发布、占位刷屏', null, '[]', '', 640, 1, 1, '{0}'),
  ('report_forbidden', '外挂、违法或禁售内容', null, '[]', '', 650, 1, 1, '{0}'),
  ('report_abuse', '辱骂、威胁或泄露隐私', null, '[]', '', 660, 1, 1, '{0}'),
  ('report_other', '其他问题', null, '[]', '', 690, 1, 1, '{0}'),
  ('service_quality', '服务未达约定', '{60,61}', '[{"key": "done", "kind": "text", "side": "both", "label": "完成到哪里", "required": true}]', '战绩或进度截图', 70, 1, 1, '{1,2,3}'),
  ('account_punished', '代练期间账号被处罚', '{60}', '[
      {"key":"seen_at","kind":"time","side":"both","label":"什么时候发现的","required":false},
      {"key":"punishment","kind":"text","side":"both","label":"处罚内容与期限","required":true}]', '处罚通知的完整截图', 75, 1, 1, '{1,2,3}'),
  ('cancel_unanswered', '协商取消超时未答复', '{60}', '[]', '进度截图与聊天记录', 78, 2, 1, '{1}'),
  ('service_late', '超过约定时间，双方未处理', '{60}', '[]', '进度截图与聊天记录', 79, 2, 1, '{1}'),
  ('order_late', '交付没有按时完成', null, '[]', '交付截图与聊天记录', 80, 2, 1, '{1,2}'),
  ('service_absent', '服务者未到场或中途离开', '{60,61}', '[{"key": "since", "kind": "time", "side": "buyer", "label": "从什么时候开始", "required": true}]', '聊天或游戏内截图', 80, 1, 1, '{1,2,3}'),
  ('staff', '客服处理不当', null, '[{"key": "what", "kind": "text", "side": "both", "label": "哪里处理不当", "required": true}]', '聊天记录截图', 90, 1, 1, '{1,2,3}');

insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status, reason) values
  ('recovered', 1, '账号被找回', '{1,8,50}', '{1,2,3}', '[
      {"key":"lost_at","kind":"time","side":"buyer","label":"什么时候登录不上","required":true},
      {"key":"contacted","kind":"yes_no","side":"buyer","label":"对方是否联系过你","required":true},
      {"key":"reset","kind":"yes_no","side":"seller","label":"是否由你操作找回","required":true}]', '登录失败或密码被改的截图', 10, 1, ''),
  ('recovered', 2, '账号被找回', '{1,8,50,52}', '{1,2,3}', '[
      {"key":"lost_at","kind":"time","side":"buyer","label":"什么时候登录不上","required":true},
      {"key":"contacted","kind":"yes_no","side":"buyer","label":"对方是否联系过你","required":true},
      {"key":"reset","kind":"yes_no","side":"seller","label":"是否由你操作找回","required":true}]', '登录失败或密码被改的截图', 10, 1, '账号回收的订单也可以选'),
  ('other', 1, '其他问题', null, '{1,2,3}', '[{"key": "what", "kind": "text", "side": "both", "label": "发生了什么", "required": true}]', '能说明问题的截图', 100, 1, ''),
  ('handover', 1, '换绑问题', '{1,8,50}', '{1,2,3}', '[{"key": "step", "kind": "text", "side": "both", "label": "卡在哪一步", "required": true}]', '换绑页面截图', 20, 1, ''),
  ('real_name', 1, '实名或防沉迷问题', '{1,8,50}', '{1,2,3}', '[{"key": "state", "kind": "text", "side": "both", "label": "现在的实名状态", "required": true}]', '实名或防沉迷页面截图', 30, 1, ''),
  ('not_as_described', 1, '与描述不符', null, '{1,2,3}', '[
      {"key":"field","kind":"text","side":"buyer","label":"哪一项不符","required":true},
      {"key":"found","kind":"text","side":"buyer","label":"实际是什么","required":true},
      {"key":"answer","kind":"text","side":"seller","label":"卖家说明","required":true}]', '能看到该项的游戏内截图', 40, 1, ''),
  ('not_delivered', 1, '没有收到货', '{2,22,27,53}', '{1,2,3}', '[
      {"key":"role","kind":"text","side":"buyer","label":"收货角色名","required":true},
      {"key":"sent_at","kind":"time","side":"seller","label":"发货时间","required":true}]', '邮件、拍卖或面交记录截图', 50, 1, ''),
  ('short_delivered', 1, '数量不足', '{2,22,27,53}', '{1,2,3}', '[
      {"key":"received","kind":"text","side":"buyer","label":"实际收到数量","required":true},
      {"key":"sent","kind":"text","side":"seller","label":"实际发货数量","required":true}]', '到账记录截图', 60, 1, ''),
  ('report_false', 1, '描述或截图与实际不符', null, '{0}', '[]', '能看出不符的截图', 610, 1, ''),
  ('report_contact', 1, '含联系方式、引导线下交易', null, '{0}', '[]', '', 620, 1, ''),
  ('report_stolen', 1, '账号来路不明或被盗', null, '{0}', '[]', '能证明账号归属的截图', 630, 1, ''),
  ('report_repeated', 1, '重复发布、占位刷屏', null, '{0}', '[]', '', 640, 1, ''),
  ('report_forbidden', 1, '外挂、违法或禁售内容', null, '{0}', '[]', '', 650, 1, ''),
  ('report_abuse', 1, '辱骂、威胁或泄露隐私', null, '{0}', '[]', '', 660, 1, ''),
  ('report_other', 1, '其他问题', null, '{0}', '[]', '', 690, 1, ''),
  ('service_quality', 1, '服务未达约定', '{60,61}', '{1,2,3}', '[{"key": "done", "kind": "text", "side": "both", "label": "完成到哪里", "required": true}]', '战绩或进度截图', 70, 1, ''),
  ('account_punished', 1, '代练期间账号被处罚', '{60}', '{1,2,3}', '[
      {"key":"seen_at","kind":"time","side":"both","label":"什么时候发现的","required":false},
      {"key":"punishment","kind":"text","side":"both","label":"处罚内容与期限","required":true}]', '处罚通知的完整截图', 75, 1, '代练上报封号'),
  ('cancel_unanswered', 1, '协商取消超时未答复', '{60}', '{1}', '[]', '进度截图与聊天记录', 78, 2, '取消申请超时未答复，自动转客服裁决'),
  ('service_late', 1, '超过约定时间，双方未处理', '{60}', '{1}', '[]', '进度截图与聊天记录', 79, 2, '超过约定时间后双方都没有处理，自动转客服裁决'),
  ('order_late', 1, '交付没有按时完成', null, '{1,2}', '[]', '交付截图与聊天记录', 80, 2, '超过发货时限后没有进展，自动转客服裁决'),
  ('service_absent', 1, '服务者未到场或中途离开', '{60,61}', '{1,2,3}', '[{"key": "since", "kind": "time", "side": "buyer", "label": "从什么时候开始", "required": true}]', '聊天或游戏内截图', 80, 1, ''),
  ('staff', 1, '客服处理不当', null, '{1,2,3}', '[{"key": "what", "kind": "text", "side": "both", "label": "哪里处理不当", "required": true}]', '聊天记录截图', 90, 1, '');

insert into platform_rule (no, version, title, body, in_force_from) values
  ('1.1', 1, '货款由平台托管', '买家付款后货款进入平台托管，买家确认或验收期满前，卖家拿不到；申诉期间所有计时停止，货款不放出。', '2026-01-01 00:00:00+08'),
  ('1.2', 1, '按时发货', '卖家须在订单写明的时限内发货。超时未发货，买家可以取消并全额退款。', '2026-01-01 00:00:00+08'),
  ('1.2', 2, '按时发货', '卖家须在订单写明的时限内发货。超时未发货，买家可以取消并全额退款；卖家仍不发货、买家也没有操作的，到通知写明的时间自动取消并全额退款，按取消一笔订单计入卖家记录。已经有交付步骤完成，或等待买家、客服操作的，转客服处理。', now()),
  ('2.1', 1, '商品须与描述一致', '实际商品与下单时存档的描述不符，影响价值的，按不符部分占价格的比例退款；影响使用的，全额退款。', '2026-01-01 00:00:00+08'),
  ('2.2', 1, '数量不足按比例退款', '游戏币、道具数量不足的，按未到账数量的比例退款；一件都没有到账的，全额退款。', '2026-01-01 00:00:00+08'),
  ('2.3', 1, '账号被找回', '保护期内账号被原号主找回的，全额退款；卖家能证明找回与其无关的，由平台按证据裁决。', '2026-01-01 00:00:00+08'),
  ('2.4', 1, '换绑须配合完成', '卖家须配合完成全部必要的换绑步骤；因卖家不配合无法完成的，全额退款。', '2026-01-01 00:00:00+08'),
  ('2.5', 1, '实名与防沉迷如实说明', '账号的实名、防沉迷、封禁状态须如实说明；隐瞒导致不能正常游戏的，全额退款。', '2026-01-01 00:00:00+08'),
  ('3.1', 1, '服务按约定完成', '代练、陪玩按约定的内容和时长完成；未完成的部分按里程碑或时长比例退款。', '2026-01-01 00:00:00+08'),
  ('3.2', 1, '未到场与中途离开', '服务者开始后 10 分钟未到场的，全额退款；中途离开的，按已完成部分结算。', '2026-01-01 00:00:00+08'),
  ('4.1', 1, '谁主张谁举证', '提出主张的一方提供证据。订单记录、换绑步骤、密封信息查看记录、资金流水和群聊由平台直接采用，不需要双方再提交。', '2026-01-01 00:00:00+08'),
  ('4.2', 1, '超时未答复', '被申诉方超时未答复的，平台按现有证据裁决。', '2026-01-01 00:00:00+08'),
  ('4.3', 1, '站外交易不受保障', '脱离平台付款或交付的部分，平台无法核实，不予退款或赔付。', '2026-01-01 00:00:00+08'),
  ('4.4', 1, '不得恶意申诉', '以虚假证据申诉的，驳回申诉；多次发生的，限制申诉和交易。', '2026-01-01 00:00:00+08'),
  ('5.1', 1, '包赔的公开时钟', '理赔受理后开始追索计时，期满未追回由系统自动赔付，进度全部公开。', '2026-01-01 00:00:00+08'),
  ('5.2', 1, '包赔不保的情形', '转借他人使用、买家自行违规被封禁、主动换绑给第三方造成的损失，不在包赔范围内。', '2026-01-01 00:00:00+08'),
  ('5.3', 1, '理赔先用仍在冻结的货款', '保护期内提出的理赔，卖家尚未解冻的货款停止计时；理赔赔付的，先从这笔货款中收回，其余由包赔基金承担；平台核实损失与卖家无关的，不收回。未赔付的，货款继续计时，到期放出。', '2026-01-01 00:00:00+08'),
  ('5.3', 2, '赔付后向卖家追偿', '理赔期间，卖家尚未解冻的货款停止计时。赔付后，损失由卖家造成的，先从这笔货款收回，再从卖家保证金和余额收回，仍不足的记为卖家对包赔基金的欠款，从以后的收入中偿还，并计入卖家等级；两名工作人员认定损失与卖家无关的，不追偿。未赔付的，货款继续计时，到期放出。', '2026-11-22 00:00:00+08'),
  ('5.4', 1, '每种原因最多赔多少', '找回、人脸核验不通过：最多商品价。因原号主行为被封：最多商品价，保障满 30 天后每 30 天减少一成，不低于三成。购号后的充值：以客服核实录入的充值凭证为限，合计不超过条款写明的上限。转手购得的账号，以最近一次成交价为准。', '2026-11-22 00:00:00+08'),
  ('5.5', 1, '什么情况下自动赔付', '追索期满未追回的自动赔付，须同时符合：金额不超过单人限额；在该原因的赔付范围内；买卖双方没有共用浏览器、收款账户、网络或邀请关系；账号没有转手；赔付可由卖家货款、保证金、余额与本单保费覆盖。不符合的转由两名工作人员裁定，时限对外公示。', '2026-11-22 00:00:00+08'),
  ('5.6', 1, '理赔中的账号不得出售', '理赔期间及赔付之后，同一游戏账号的商品下架，不能再次发布、上架、下单或回收。理赔未赔付的，结束后可以重新上架。', '2026-11-22 00:00:00+08'),
  ('5.7', 1, '理赔由两人决定', '理赔的赔付、不予赔付和按已追回结束，都由两名工作人员共同决定；不予赔付须引用一条公开规则，保障继续有效，补充证明后可以再次申请。追索期满的自动赔付不因等待复核而推迟。', '2026-11-23 00:00:00+08'),
  ('6.1', 1, '退款怎么算', '退款以商品价为准，服务费按同样比例退；订单由平台关闭时未生效的包赔费全额退；优惠券抵扣的部分按比例收回。', '2026-01-01 00:00:00+08'),
  ('6.2', 1, '一次上诉', '任何一方可在裁决后规定时间内上诉一次，由另一位工作人员重新裁决，重新裁决为最终结果。', '2026-01-01 00:00:00+08'),
  ('6.3', 1, '退款由谁出', '双方协商或平台裁决的退款，依次从本单仍冻结的货款、卖家可用余额、卖家保证金中退回；仍不足的部分记为卖家对买家的欠款，从卖家之后的每一笔收入中自动偿还，买卖双方都能看到进度，还清前卖家不能提现、退保证金或提前放款。协商结案不动用包赔基金；裁决需要包赔基金垫付的，须两名工作人员共同决定，垫付后由卖家偿还基金。', now()),
  ('6.4', 1, '佣金与奖励何时到账', '分销佣金与邀请奖励在交易成功时记为待结算，保护期结束后才可结算或使用；保护期内订单被退款、裁决或理赔的，按同样比例收回。', now()),
  ('7.1', 1, '卖家等级怎么算', '卖家等级按近 180 天保护期已结束的成交计算：看不同买家数、成交额、实名天数、申诉败诉与取消比例、评分。同一买家最多计 2 单、2000 元；10 元以下的订单、担保与线下订单不计；与卖家同设备、同收款账户、有邀请关系或互相买卖的买家不计。等级不能购买。', '2026-01-01 00:00:00+08'),
  ('7.2', 1, '货款分段放出', '确认收货后，1 级及以上卖家的货款可在保护期内按等级分段提前放出，其余到期放出；同时提前放出的总额以等级额度为限。申诉或理赔期间全部停止。裁决退款先从仍冻结的货款退回，不足的从卖家可用余额退回，仍不足的由包赔基金垫付；发生垫付的卖家 180 天内不再分段放款。买家的保护期和可退金额不受分段影响。', '2026-01-01 00:00:00+08'),
  ('7.2', 2, '货款分段放出', '确认收货后，1 级及以上卖家的货款可在保护期内按等级分段提前放出，其余到期放出；同时提前放出的总额以等级额度和卖家已缴保证金两者中较低的为限，没有保证金的不提前放出。买卖双方同设备、同收款账户、同网络或有邀请关系的订单，以及有未还清欠款的卖家，不提前放出。申诉或理赔期间全部停止。退款先从仍冻结的货款退回，不足的从卖家可用余额、保证金退回，仍不足的按规则 6.3 处理；发生不足的卖家 180 天内不再分段放款。买家的保护期和可退金额不受分段影响。', now()),
  ('8.1', 1, '卖家取消已付款订单', '卖家在买家付款后取消订单的，从其卖家保证金中扣除商品价的 2%（最低 5 元，最高 200 元），补偿给买家；没有保证金或余额不足的，以现有保证金为限。', '2026-01-01 00:00:00+08'),
  ('8.2', 1, '保证金退还', '保证金可随时申请退还，等待期内无未完结订单、冻结货款或申诉的，到期自动退回可用余额；有未完结事项的，结清后自动退回。', '2026-01-01 00:00:00+08'),
  ('8.3', 1, '申诉败诉扣除保证金', '裁决认定一方有过错而败诉的，从其交易角色的保证金中扣除退款额的 5%（最低 10 元，最高 500 元），归入包赔基金；上诉期满或上诉裁决后执行，没有保证金或余额不足的，以现有保证金为限。回收商败诉的，以回收价计。', '2026-01-01 00:00:00+08');

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('activity.coupon', '优惠券即将过期', 'activity', '{site}', true, false, 600),
  ('activity.notice', '平台公告与活动', 'activity', '{site}', true, false, 610),
  ('chat.offline', '有未读的订单消息', 'chat', '{site,wechat,sms}', true, false, 300),
  ('goods.level', '卖家等级变化', 'goods', '{site,wechat}', true, false, 145),
  ('goods.review', '商品审核结果', 'goods', '{site,wechat}', true, false, 200),
  ('goods.hidden', '商品因长时间未登录将下架', 'goods', '{site,wechat}', true, false, 210),
  ('goods.password', '请修改密码后重新上架', 'goods', '{site,wechat,sms}', true, true, 215),
  ('goods.bargain', '议价有新进展', 'goods', '{site,wechat}', true, false, 220),
  ('goods.alert', '订阅的商品有变化', 'goods', '{site,wechat}', true, false, 230),
  ('goods.back', '收藏的商品重新上架', 'goods', '{site,wechat}', true, false, 235),
  ('goods.price', '收藏的商品降价', 'goods', '{site,wechat}', true, false, 236),
  ('goods.want', '有符合求购的新商品', 'goods', '{site,wechat}', true, false, 240),
  ('goods.question', '商品提问', 'goods', '{site,wechat}', true, false, 260),
  ('goods.answer', '提问的回答', 'goods', '{site,wechat}', true, false, 261),
  ('goods.taken', '商品因举报下架', 'goods', '{site,wechat}', false, true, 262),
  ('goods.text_hidden', '提问或回答被隐藏', 'goods', '{site}', true, false, 263),
  ('goods.webhook', '事件推送停用', 'goods', '{site,sms}', true, false, 290),
  ('inspection.seller', '验号', 'goods', '{site}', false, false, 360),
  ('goods.barred', '账号理赔，商品下架', 'goods', '{site,wechat}', false, false, 45),
  ('money.topup', '充值到账', 'money', '{site,wechat}', false, false, 100),
  ('money.released', '货款已解冻', 'money', '{site,wechat}', false, false, 110),
  ('money.withdraw', '提现进度', 'money', '{site,wechat,sms}', false, false, 120),
  ('money.duplicate', '重复付款的退回', 'money', '{site,wechat}', false, false, 125),
  ('money.refund', '退款到账', 'money', '{site,wechat}', false, false, 130),
  ('money.deposit', '保证金变动', 'money', '{site,wechat}', false, false, 140),
  ('money.hold', '资金冻结与解除', 'money', '{site,wechat}', false, false, 150),
  ('money.debt', '欠款与偿还', 'money', '{site,wechat}', false, false, 151),
  ('order.paid', '有新订单待发货', 'order', '{site,wechat,sms}', true, true, 10),
  ('order.shipped', '卖家已发货', 'order', '{site,wechat,sms}', true, true, 20),
  ('order.handover', '轮到您完成交付步骤', 'order', '{site,wechat}', true, true, 30),
  ('order.steps', '必做步骤未完成', 'order', '{site,wechat,sms}', true, true, 32),
  ('order.offline', '线下交付的标明与核对', 'order', '{site,wechat}', true, false, 33),
  ('service.order', '服务订单', 'order', '{site,wechat,sms}', true, true, 34),
  ('order.opened', '密封信息被查看', 'order', '{site,wechat}', true, false, 35),
  ('service.progress', '服务进度', 'order', '{site,wechat}', true, false, 35),
  ('recycle.seller', '账号回收', 'order', '{site,sms}', false, true, 350),
  ('recycle.recycler', '回收竞价', 'order', '{site}', false, false, 351),
  ('boost.request', '代练发单', 'order', '{site,wechat,sms}', true, true, 36),
  ('inspection.buyer', '复验与验号理赔', 'order', '{site}', false, false, 361),
  ('boost.proof', '代练进度截图', 'order', '{site,wechat}', true, false, 37),
  ('boost.addition', '代练加价加时', 'order', '{site,wechat}', true, false, 38),
  ('boost.ban', '代练封号上报', 'order', '{site,wechat,sms}', false, true, 39),
  ('order.late', '发货或收货即将超时', 'order', '{site,wechat,sms}', true, true, 40),
  ('order.overdue', '卖家超时未发货', 'order', '{site,wechat,sms}', true, true, 41),
  ('order.cancel_ask', '取消申请与答复', 'order', '{site,wechat,sms}', true, true, 45),
  ('order.deal', '担保交易有答复', 'order', '{site,wechat,sms}', true, true, 46),
  ('order.review', '评价与回复', 'order', '{site,wechat}', true, false, 48),
  ('order.done', '交易完成', 'order', '{site,wechat}', true, false, 50),
  ('order.cancelled', '订单已取消', 'order', '{site,wechat}', true, false, 60),
  ('order.dispute', '申诉有新进展', 'order', '{site,wechat,sms}', false, true, 70),
  ('order.claim', '理赔有新进展', 'order', '{site,wechat}', false, false, 80),
  ('security.login', '新设备登录', 'security', '{site,wechat}', false, true, 400),
  ('security.change', '登录信息或收款账户变更', 'security', '{site,sms}', false, true, 410),
  ('security.closed', '账号注销', 'security', '{site,sms}', false, true, 420),
  ('security.export', '个人数据导出', 'security', '{site,sms}', false, false, 430),
  ('security.api_key', '开放接口密钥变动', 'security', '{site,sms}', false, true, 440),
  ('service.review', '入驻审核结果', 'service', '{site,wechat}', false, false, 500),
  ('service.black', '举报与申诉结果', 'service', '{site,wechat}', true, false, 530),
  ('service.report', '评价举报结果', 'service', '{site,wechat}', true, false, 540),
  ('service.goods_report', '商品举报结果', 'service', '{site,wechat}', true, false, 545);

insert into notice_template (kind, channel, version, title, body, link) values
  ('activity.coupon', 'site', 1, '优惠券提醒', '{text}', '/lotterydraw/myCoupon'),
  ('activity.coupon', 'site', 2, '优惠券即将过期', '您有 {count} 张优惠券将于 {deadline} 起陆续过期，最高可减 {amount} 元。', '/lotterydraw/myCoupon'),
  ('activity.notice', 'site', 1, '平台公告', '{text}', '/news'),
  ('activity.notice', 'site', 2, '平台公告', '{text}', '/news/{code}'),
  ('boost.addition', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('boost.ban', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('boost.proof', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('boost.request', 'site', 1, '{what}', '「{goods}」{text}', '/center/boosting/requests'),
  ('chat.offline', 'site', 1, '有未读的订单消息', '订单 {orderSn} 的会话里有新消息等您回复。', '/chatSystem?orderSn={orderSn}'),
  ('goods.alert', 'site', 1, '订阅的搜索有新商品', '「{goods}」{text}', '/detail/{goodsSn}'),
  ('goods.answer', 'site', 1, '卖家回答了您的提问', '「{goods}」：{text}', '/detail/{goodsSn}'),
  ('goods.back', 'site', 1, '收藏的商品重新上架', '「{goods}」重新上架了，{text}', '/detail/{goodsSn}'),
  ('goods.bargain', 'site', 1, '议价有新进展', '「{goods}」{text}', '/center/buyBargainGoods'),
  ('goods.barred', 'site', 1, '账号正在理赔，商品已下架', '「{goods}」{text}', '/center/myGoods'),
  ('goods.hidden', 'site', 1, '商品即将隐藏', '您有 {count} 件商品因长时间未登录将于 {deadline} 隐藏，登录一次即可继续展示。', '/center/sellOutGoods'),
  ('goods.level', 'site', 1, '卖家等级{what}', '{text}', '/center/myself/depositWithdraw?role=seller'),
  ('goods.password', 'site', 1, '请先修改密码，再重新上架', '「{goods}」的订单已取消，账号密码被查看过，商品已下架。请先在游戏里修改密码，再到我的商品勾选“已修改密码”重新上架。', '/center/sellOutGoods'),
  ('goods.price', 'site', 1, '收藏的商品降价', '「{goods}」{text}', '/detail/{goodsSn}'),
  ('goods.question', 'site', 1, '有人问您的商品', '「{goods}」：{text}', '/center/questions'),
  ('goods.review', 'site', 1, '{what}', '「{goods}」{text}', '/center/sellOutGoods'),
  ('goods.taken', 'site', 1, '您的商品已下架', '「{goods}」经核查下架：{text}。修改后可以重新提交审核。', '/center/sellOutGoods'),
  ('goods.text_hidden', 'site', 1, '您的{part}已被隐藏', '「{goods}」下的{part}经核查隐藏：{text}。', '/detail/{goodsSn}'),
  ('goods.want', 'site', 1, '有符合求购的新商品', '「{goods}」符合您的求购，{text}', '/detail/{goodsSn}'),
  ('goods.webhook', 'site', 1, '事件推送已停用', '{host} 连续 {days} 天没有成功接收推送，已停用。修好后请到「开放接口」重新开启，并补发没收到的事件。', '/center/openApi?tab=webhooks'),
  ('inspection.buyer', 'site', 1, '{what}', '{text}', '/center/inspections'),
  ('inspection.seller', 'site', 1, '{what}', '{text}', '/center/inspections'),
  ('money.debt', 'site', 1, '欠款变动', '{text}', '/center/mywallets'),
  ('money.deposit', 'site', 1, '保证金变动', '{text}', '/center/myself/depositWithdraw'),
  ('money.duplicate', 'site', 1, '重复付款{what}', '{text}', '/center/mywallets/list'),
  ('money.hold', 'site', 1, '资金冻结变动', '{text}', '/center/mywallets'),
  ('money.refund', 'site', 1, '退款到账', '订单 {orderSn} 的 {amount} 元已退回您的余额。', '/center/mywallets/list'),
  ('money.refund', 'site', 2, '{what}', '订单 {orderSn} 的 {amount} 元{text}。', '/center/mywallets/list'),
  ('money.released', 'site', 1, '货款已解冻', '订单 {orderSn} 的货款 {amount} 元已转入可用余额，可以提现。', '/center/mywallets'),
  ('money.topup', 'site', 1, '充值到账', '{amount} 元已存入您的余额{text}。', '/center/mywallets/list'),
  ('money.withdraw', 'site', 1, '{what}', '提现 {sn}，{amount} 元：{text}。', '/center/mywallets/withdrawal'),
  ('order.cancel_ask', 'site', 1, '{what}', '「{goods}」：{text}。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.cancelled', 'site', 1, '订单已取消', '「{goods}」：{text}。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.claim', 'site', 1, '理赔有新进展', '{text}', '/center/buyGuarantee'),
  ('order.deal', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.dispute', 'site', 1, '申诉有新进展', '{text}', '/center/buyComplaint'),
  ('order.done', 'site', 1, '交易完成', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.handover', 'site', 1, '轮到您完成换绑步骤', '「{goods}」第 {step} 步「{stepTitle}」轮到您操作，请在 {minutes} 分钟内完成。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.handover', 'site', 2, '轮到您完成交付步骤', '「{goods}」第 {step} 步「{stepTitle}」轮到您操作，请在 {minutes} 分钟内完成。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.late', 'site', 1, '{what}即将超时', '「{goods}」{what}截止时间为 {deadline}，{after}。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.offline', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.opened', 'site', 1, '密封信息被查看', '「{goods}」：{who}查看了密封信息，用途：{purpose}。如非您预期，请在订单群联系客服。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.overdue', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.paid', 'site', 1, '有新订单待发货', '「{goods}」已由买家付款 {amount} 元，货款由平台托管。请在 {deadline} 前发货。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.review', 'site', 1, '{what}', '{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.shipped', 'site', 1, '卖家已发货', '「{goods}」已发货，请验收后确认收货；{deadline} 前未提出异议将自动确认。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.steps', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('recycle.recycler', 'site', 1, '{what}', '{text}', '/specilPage/businessRecycling'),
  ('recycle.seller', 'site', 1, '{what}', '{text}', '/center/buyback?sn={sn}'),
  ('security.api_key', 'site', 1, '{what}', '{text}', '/center/openApi'),
  ('security.change', 'site', 1, '{what}', '您的{what}，时间 {time}。不是本人操作请立即联系客服。', '/center/myself/accountSecurity'),
  ('security.closed', 'site', 1, '账号已注销', '您的账号已于 {time} 注销，个人资料将于 {erase} 清除。不是本人操作请在此之前联系客服。', '/'),
  ('security.export', 'site', 1, '{what}', '{text}', '/center/myself/accountSecurity'),
  ('security.login', 'site', 1, '新设备登录', '您的账号于 {time} 在新设备登录。不是本人操作请立即修改密码。', '/center/myself/accountSecurity'),
  ('security.login', 'site', 2, '新设备登录', '您的账号于 {time} 在{device}登录。不是本人操作请立即修改密码。', '/center/myself/accountSecurity'),
  ('service.black', 'site', 1, '{what}', '{text}', '/black/center'),
  ('service.goods_report', 'site', 1, '举报已处理，{what}', '您举报的「{goods}」{text}', '/center/notices'),
  ('service.order', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('service.progress', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('service.report', 'site', 1, '{what}', '{text}', '/seller/{sellerId}'),
  ('service.review', 'site', 1, '入驻审核结果', '{text}', '/center');

insert into legal_text (code, version, title, blocks, in_force_from) values
  ('user_agreement', 1, '用户协议', '[
      {"t":"p","text":"更新日期：2026 年 11 月 20 日。注册或使用本站即表示您同意本协议。与其他页面不一致时，以交易规则和下单时冻结在订单里的条款为准。"},
      {"t":"h","text":"一、谁可以使用"},
      {"t":"li","text":"您须年满 18 周岁并具有完全民事行为能力。发布商品、下单、提现前须完成实名认证，未成年人不能交易。"},
      {"t":"li","text":"一个人只能实名一个账号。账号只能由本人使用，出借、出租、转让账号造成的损失由您承担。"},
      {"t":"li","text":"请妥善保管登录密码、支付密码和短信验证码。支付密码连续输错 5 次会锁定 24 小时。"},
      {"t":"h","text":"二、平台做什么"},
      {"t":"li","text":"平台提供信息发布、货款托管、换绑陪同、验号、包赔与争议处理服务，不是商品的卖方。"},
      {"t":"li","text":"买家付款后货款进入订单的托管账户，验收并确认收货后才按规则放款给卖家。"},
      {"t":"li","text":"页面上的价格、费用和包赔条款在您下单时冻结在订单里，之后的规则调整不影响已下的订单。"},
      {"t":"h","text":"三、下单与付款"},
      {"t":"li","text":"下单后 30 分钟内未付款，订单自动关闭，商品恢复在售。"},
      {"t":"li","text":"付款可用余额、支付渠道，或两者合并。订单关闭后才到账的款项自动转入您的余额。"},
      {"t":"li","text":"请只在本站内付款。任何要求站外转账、加好友付款的行为都不受保护。"},
      {"t":"h","text":"四、发货、验收与放款"},
      {"t":"li","text":"账号类商品 24 小时内发货，金币、首充号、道具 2 小时内发货；超过时限买家可以直接取消并全额退款。"},
      {"t":"li","text":"账号类商品的验收期为 72 小时，其他商品为 24 小时；到期未提出异议，系统自动确认收货。"},
      {"t":"li","text":"确认收货后货款进入保护期，保护期按卖家等级为 24 小时到 7 天，结束后转入卖家可用余额。"},
      {"t":"h","text":"五、账号与密码的交接"},
      {"t":"li","text":"游戏账号、密码等只能填写在订单的密封表单里：加密保存，只向指定的一方显示一次，并留有记录，订单结束后删除。"},
      {"t":"li","text":"聊天中的联系方式、站外链接和密码会被遮盖。发货前双方应按换绑步骤逐步操作并上传凭证。"},
      {"t":"h","text":"六、不得有的行为"},
      {"t":"li","text":"发布虚假信息、盗取或找回已售账号、绕开平台交易、刷单、骚扰，以及其他违法违规行为。"},
      {"t":"li","text":"违反者平台可下架商品、限制账号、扣除保证金，并将证据提供给有关机关。"},
      {"t":"h","text":"七、争议"},
      {"t":"li","text":"交易双方可以在保护期结束前申请维权，平台按公布的规则处理，流程见《维权与裁决规则》。"},
      {"t":"li","text":"因本协议产生的诉讼由平台所在地有管辖权的人民法院管辖。"},
      {"t":"quote","text":"本协议有修改时会在公告中心提前 7 天公布。您不同意修改的，可以在处理完订单和余额后注销账号。"}]', '2026-11-20 10:00:00+08'),
  ('privacy', 1, '隐私政策', '[
      {"t":"p","text":"更新日期：2026 年 11 月 20 日。"},
      {"t":"h","text":"一、我们收集的信息"},
      {"t":"li","text":"注册和登录：手机号。加密保存，页面和工作人员只看到打码后的号码。"},
      {"t":"li","text":"实名认证：姓名和身份证号，用于核对成年和收款人一致。加密保存，只显示打码后的内容。"},
      {"t":"li","text":"交易：订单、聊天记录、换绑凭证、收付款记录。"},
      {"t":"li","text":"收款账户：支付宝、微信或银行卡号，加密保存，只用于向您本人打款。"},
      {"t":"li","text":"设备与日志：IP 地址、浏览器类型、访问时间，用于安全防护。日志里不含密码、验证码和证件号。"},
      {"t":"h","text":"二、我们不做的事"},
      {"t":"li","text":"不出售您的个人信息，不用于与交易无关的广告。"},
      {"t":"li","text":"不在聊天里索要密码或验证码，不向卖家显示买家的手机号，反过来也一样。"},
      {"t":"h","text":"三、游戏账号密码"},
      {"t":"li","text":"只通过密封表单交接，向指定的人显示一次，显示会被记录；订单结束后删除。"},
      {"t":"h","text":"四、与第三方共享"},
      {"t":"li","text":"支付渠道：完成付款、退款、提现所需的订单号和金额。"},
      {"t":"li","text":"实名核验机构：姓名和身份证号，只返回是否一致。"},
      {"t":"li","text":"短信、邮件、微信推送服务：号码或地址和通知文字。"},
      {"t":"li","text":"法律要求时，按法定程序提供。"},
      {"t":"h","text":"五、保存多久"},
      {"t":"li","text":"交易与资金记录自交易完成起保存不少于三年；日志保存不少于六个月。"},
      {"t":"li","text":"账号注销后，除法律要求保存的记录外，其余信息删除或匿名化。"},
      {"t":"h","text":"六、您的权利"},
      {"t":"li","text":"查看和更正资料、更换手机号和邮箱：个人中心 - 账户安全。"},
      {"t":"li","text":"关闭通知：个人中心 - 消息通知 - 提醒设置。"},
      {"t":"li","text":"注销账号：没有余额、没有进行中的订单、没有在售商品时可以申请。"},
      {"t":"h","text":"七、Cookie"},
      {"t":"li","text":"用于保持登录、防止跨站请求和记住您的偏好。清除后需要重新登录。"},
      {"t":"quote","text":"对个人信息处理有疑问，可通过“投诉建议”页面的方式联系我们，15 个工作日内答复。"}]', '2026-11-20 10:00:00+08'),
  ('adult', 1, '成年声明', '[{"t": "p", "text": "本人已满 18 周岁，使用本人的身份信息注册和交易。"}]', '2026-11-20 10:00:00+08');

-- The agreement and the rule that it names say 申诉, as every page does (docs/GLOSSARY.md). The wording is a version of its own, dated by the day on
-- which the market began.
insert into legal_text (code, version, title, blocks, in_force_from, reason)
select code, 2, title, replace(replace(replace(blocks::text,
    '保护期结束前申请维权，', '保护期结束前申诉，'),
    '《维权与裁决规则》', '《申诉与裁决规则》'),
    '更新日期：2026 年 11 月 20 日', to_char(now() at time zone 'Asia/Shanghai', '"更新日期："YYYY" 年 "FMMM" 月 "FMDD" 日"'))::jsonb,
  now(), '名称统一：维权改称申诉，权利和义务不变'
from legal_text where code = 'user_agreement';

insert into news (code, category, title, summary, blocks, status, published_at, created_at, updated_at) values
  ('agreement', 'rule', '用户协议', '使用本站交易服务前请阅读：账号、托管、交付、费用、争议与责任。', '[
      {"t":"p","text":"更新日期：2026 年 11 月 20 日。注册或使用本站即表示您同意本协议。与其他页面不一致时，以交易规则和下单时冻结在订单里的条款为准。"},
      {"t":"h","text":"一、谁可以使用"},
      {"t":"li","text":"您须年满 18 周岁并具有完全民事行为能力。发布商品、下单、提现前须完成实名认证，未成年人不能交易。"},
      {"t":"li","text":"一个人只能实名一个账号。账号只能由本人使用，出借、出租、转让账号造成的损失由您承担。"},
      {"t":"li","text":"请妥善保管登录密码、支付密码和短信验证码。支付密码连续输错 5 次会锁定 24 小时。"},
      {"t":"h","text":"二、平台做什么"},
      {"t":"li","text":"平台提供信息发布、货款托管、换绑陪同、验号、包赔与争议处理服务，不是商品的卖方。"},
      {"t":"li","text":"买家付款后货款进入订单的托管账户，验收并确认收货后才按规则放款给卖家。"},
      {"t":"li","text":"页面上的价格、费用和包赔条款在您下单时冻结在订单里，之后的规则调整不影响已下的订单。"},
      {"t":"h","text":"三、下单与付款"},
      {"t":"li","text":"下单后 30 分钟内未付款，订单自动关闭，商品恢复在售。"},
      {"t":"li","text":"付款可用余额、支付渠道，或两者合并。订单关闭后才到账的款项自动转入您的余额。"},
      {"t":"li","text":"请只在本站内付款。任何要求站外转账、加好友付款的行为都不受保护。"},
      {"t":"h","text":"四、发货、验收与放款"},
      {"t":"li","text":"账号类商品 24 小时内发货，金币、首充号、道具 2 小时内发货；超过时限买家可以直接取消并全额退款。"},
      {"t":"li","text":"账号类商品的验收期为 72 小时，其他商品为 24 小时；到期未提出异议，系统自动确认收货。"},
      {"t":"li","text":"确认收货后货款进入保护期，保护期按卖家等级为 24 小时到 7 天，结束后转入卖家可用余额；其中一部分可能按卖家等级提前放出，买家的保护期和可退金额不受影响。"},
      {"t":"h","text":"五、账号与密码的交接"},
      {"t":"li","text":"游戏账号、密码等只能填写在订单的密封表单里：加密保存，客服核对登录后、卖家发货后买家才能打开；每次打开都有记录并告知双方，保护期、申诉与包赔全部结束后连同密钥删除。"},
      {"t":"li","text":"聊天中的联系方式、站外链接和密码会被遮盖。发货前双方应按换绑步骤逐步操作并上传凭证。"},
      {"t":"h","text":"六、不得有的行为"},
      {"t":"li","text":"发布虚假信息、盗取或找回已售账号、绕开平台交易、刷单、骚扰，以及其他违法违规行为。"},
      {"t":"li","text":"违反者平台可下架商品、限制账号、扣除保证金，并将证据提供给有关机关。"},
      {"t":"h","text":"七、争议"},
      {"t":"li","text":"交易双方可以在保护期结束前申请维权，平台按公布的规则处理，流程见《维权与裁决规则》。"},
      {"t":"li","text":"因本协议产生的诉讼由平台所在地有管辖权的人民法院管辖。"},
      {"t":"quote","text":"本协议有修改时会在公告中心提前 7 天公布。您不同意修改的，可以在处理完订单和余额后注销账号。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('privacy', 'rule', '隐私政策', '我们收集什么、为什么、放多久，以及您可以怎么做。', '[
      {"t":"p","text":"更新日期：2026 年 11 月 20 日。"},
      {"t":"h","text":"一、我们收集的信息"},
      {"t":"li","text":"注册和登录：手机号。加密保存，页面和工作人员只看到打码后的号码。"},
      {"t":"li","text":"实名认证：姓名和身份证号，用于核对成年和收款人一致。加密保存，只显示打码后的内容。"},
      {"t":"li","text":"交易：订单、聊天记录、换绑凭证、收付款记录。"},
      {"t":"li","text":"收款账户：支付宝、微信或银行卡号，加密保存，只用于向您本人打款。"},
      {"t":"li","text":"设备与日志：IP 地址、浏览器类型、访问时间，用于安全防护。日志里不含密码、验证码和证件号。"},
      {"t":"h","text":"二、我们不做的事"},
      {"t":"li","text":"不出售您的个人信息，不用于与交易无关的广告。"},
      {"t":"li","text":"不在聊天里索要密码或验证码，不向卖家显示买家的手机号，反过来也一样。"},
      {"t":"h","text":"三、游戏账号密码"},
      {"t":"li","text":"只通过密封表单交接，只有负责本单的客服和交易对方能按步骤打开，每次打开都会记录并告知双方；保护期、申诉与包赔全部结束后连同密钥删除。"},
      {"t":"h","text":"四、与第三方共享"},
      {"t":"li","text":"支付渠道：完成付款、退款、提现所需的订单号和金额。"},
      {"t":"li","text":"实名核验机构：姓名和身份证号，只返回是否一致。"},
      {"t":"li","text":"短信、邮件、微信推送服务：号码或地址和通知文字。"},
      {"t":"li","text":"法律要求时，按法定程序提供。"},
      {"t":"h","text":"五、保存多久"},
      {"t":"li","text":"交易与资金记录自交易完成起保存不少于三年；日志保存不少于六个月。"},
      {"t":"li","text":"账号注销后，除法律要求保存的记录外，其余信息删除或匿名化。"},
      {"t":"h","text":"六、您的权利"},
      {"t":"li","text":"查看和更正资料、更换手机号和邮箱：个人中心 - 账户安全。"},
      {"t":"li","text":"关闭通知：个人中心 - 消息通知 - 提醒设置。"},
      {"t":"li","text":"注销账号：没有余额、没有进行中的订单、没有在售商品时可以申请。"},
      {"t":"h","text":"七、Cookie"},
      {"t":"li","text":"用于保持登录、防止跨站请求和记住您的偏好。清除后需要重新登录。"},
      {"t":"quote","text":"对个人信息处理有疑问，可通过“投诉建议”页面的方式联系我们，15 个工作日内答复。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('seller-rules', 'rule', '卖家规则', '发布、审核、发货、级别与处罚。', '[
      {"t":"h","text":"一、发布"},
      {"t":"li","text":"发布前须完成实名认证且年满 18 周岁。"},
      {"t":"li","text":"新卖家完成 5 笔交易之前，最多同时发布 10 件商品，单件价格不超过 3000 元。"},
      {"t":"li","text":"同一个游戏账号同时只能有一件在售商品。标题和描述里不能写联系方式、站外链接和账号密码。"},
      {"t":"li","text":"图片须为本人截取的 PNG、JPG 或 JPEG，单张不超过 10 MB。"},
      {"t":"h","text":"二、审核"},
      {"t":"li","text":"新发布、修改文字或图片的商品先审核再上架；只改价格不需要审核。"},
      {"t":"li","text":"未通过的商品会写明原因，修改后可以重新提交。"},
      {"t":"li","text":"账号商品超过 7 天、金币商品超过 3 天没有登录本站，会暂时隐藏，隐藏前一天提醒。"},
      {"t":"h","text":"三、发货"},
      {"t":"li","text":"账号 24 小时、金币与道具 2 小时内发货。按换绑步骤逐步完成并上传凭证。"},
      {"t":"li","text":"买家付款后您不能单方面改价。无法交付请尽早取消，取消会计入卖家记录。"},
      {"t":"h","text":"四、放款与等级"},
      {"t":"li","text":"确认收货后货款进入保护期：0 级 7 天，1 级 72 小时，2 级 48 小时，3 级以上 24 小时。1 级起，货款的一部分按等级在保护期内提前放出，比例、时间与额度见规则 7.2。"},
      {"t":"li","text":"等级由完成笔数、好评和申诉率决定，刷单不计入。"},
      {"t":"h","text":"五、处罚"},
      {"t":"li","text":"描述与实物不符：退款，并记一次违规。"},
      {"t":"li","text":"找回已售账号：全额赔付买家，扣除保证金，永久限制交易并列入黑号名单。"},
      {"t":"li","text":"引导站外交易：下架全部商品，限制 7 天；再次发生永久限制。"},
      {"t":"quote","text":"对处罚有异议可以在 7 天内申诉一次，由另一位工作人员复核。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('fees', 'rule', '收费规则', '谁付、付多少、什么时候收，一次说清。', '[
      {"t":"h","text":"买家"},
      {"t":"li","text":"服务费：商品价格的 1%，已包含在列表和详情页显示的全包价里。"},
      {"t":"li","text":"包赔：自愿购买，不预先勾选。找回包赔为商品价的 10%，人脸包赔 15%，充值包赔 20%，最低 5 元。"},
      {"t":"li","text":"取消和退款：符合条件的取消，服务费和包赔费全额退回。"},
      {"t":"h","text":"卖家"},
      {"t":"li","text":"佣金：成交价的 5%，单笔最高 500 元。发布时页面会先显示到手金额。"},
      {"t":"li","text":"上架、改价、刷新：不收费。"},
      {"t":"h","text":"提现"},
      {"t":"li","text":"手续费 0 元，每笔至少 10 元，每天最多 5 次、合计不超过 50000 元。"},
      {"t":"li","text":"收款人姓名须与实名一致。单笔超过 5000 元由两位工作人员复核。"},
      {"t":"h","text":"举例"},
      {"t":"li","text":"一件标价 1000 元的账号：买家付 1010 元；如果买找回包赔再加 100 元。"},
      {"t":"li","text":"卖家收到 950 元：1000 元减去 50 元佣金。"},
      {"t":"quote","text":"费率以下单页面显示的明细为准，下单后不再变动。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('guarantee', 'rule', '包赔规则与除外情形', '包赔保什么、不保什么、怎么赔。', '[
      {"t":"h","text":"保什么"},
      {"t":"li","text":"找回包赔：账号被原号主找回，7 天内未追回，按商品价自动赔付到余额。"},
      {"t":"li","text":"人脸包赔：含找回包赔；卖家不配合人脸核验导致无法登录时同样赔付，追回期 7 天。"},
      {"t":"li","text":"充值包赔：含找回包赔；购号后的充值一并赔付，合计不超过商品价的 1.5 倍，追回期 15 天。"},
      {"t":"h","text":"不保什么"},
      {"t":"li","text":"转借他人使用造成的损失。"},
      {"t":"li","text":"买家自行违规被封禁。"},
      {"t":"li","text":"主动把绑定换给第三方，或在站外交易。"},
      {"t":"li","text":"人脸包赔：超过 3 次人脸核验后的人工拒绝。"},
      {"t":"li","text":"充值包赔：没有充值凭证的金额。"},
      {"t":"h","text":"怎么赔"},
      {"t":"li","text":"在“我的包赔”提交找回截图、登录提示等凭证，提交后显示公开计时：第几天、最后一次进展。"},
      {"t":"li","text":"平台先向卖家追回。到期未追回，系统自动赔付，不需要再申请。"},
      {"t":"li","text":"理赔被拒绝会写明所依据的条款，可以申诉一次。"},
      {"t":"h","text":"转卖"},
      {"t":"li","text":"账号在本站再次售出，保障随账号转给新的买家；在站外转卖，保障终止。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('dispute-rules', 'rule', '申诉与裁决规则', '什么时候可以申请、双方多久答复、怎么裁决。', '[
      {"t":"h","text":"什么时候可以申请"},
      {"t":"li","text":"付款后到保护期结束前都可以，确认收货之后也可以。申请后订单的自动确认和放款立即停止。"},
      {"t":"h","text":"时限"},
      {"t":"li","text":"平台 15 分钟内首次查看。"},
      {"t":"li","text":"卖家 24 小时内答复，金币类 2 小时；逾期按现有证据处理。"},
      {"t":"li","text":"证据收齐后 48 小时内裁决。"},
      {"t":"h","text":"证据"},
      {"t":"li","text":"订单里的聊天、换绑步骤、密封信息的查看记录和付款记录由系统自动收集。"},
      {"t":"li","text":"双方可以补充截图。站外聊天截图只作参考。"},
      {"t":"h","text":"裁决"},
      {"t":"li","text":"裁决写明所依据的规则编号和退款金额，可以是全部退款、部分退款或不予退款。"},
      {"t":"li","text":"任何一方可以申诉一次，由另一位工作人员复核，复核结果为最终结果。"},
      {"t":"li","text":"较大金额的裁决由两位工作人员共同作出。裁决会去除个人信息后公示。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('handover', 'guide', '换绑怎么做才安全', '六个步骤，每一步谁来做、要什么凭证。', '[
      {"t":"li","text":"第一步：卖家在密封表单里填写账号和密码，不要发在聊天里。"},
      {"t":"li","text":"第二步：客服登录核对，确认与描述一致。"},
      {"t":"li","text":"第三步：更换手机号。卖家读验证码，买家填写，截图上传。"},
      {"t":"li","text":"第四步：更换邮箱、QQ 或微信等二级绑定，逐项截图。"},
      {"t":"li","text":"第五步：处理人脸、防沉迷和安全问题，确认买家可以独立登录。"},
      {"t":"li","text":"第六步：买家检查仓库、角色和余额，无误后点“确认收货”。"},
      {"t":"quote","text":"任何人让您跳过步骤、先确认收货，或让您扫陌生二维码，请停下并联系客服核对。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('buy-guide', 'guide', '买号前看这五点', '从验号结果到包赔，五分钟看懂一件商品。', '[
      {"t":"li","text":"看全包价：列表、排序和筛选都按含服务费的价格，不会到付款页才加钱。"},
      {"t":"li","text":"看验号：谁验的、什么时候验的。超过 30 天的结果请让卖家重新验号。"},
      {"t":"li","text":"看同类成交价：详情页有成交区间和五个可比的成交，样本少于 30 件会直接写明。"},
      {"t":"li","text":"看账号履历：同一账号以前的上架、验号、成交和理赔都在履历里。"},
      {"t":"li","text":"看包赔：不是所有损失都保，先读“不保什么”再决定。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('sell-guide', 'guide', '怎样更快卖出去', '标题、图片和价格的写法，来自成交数据。', '[
      {"t":"li","text":"写清楚区服和等级，买家按这两项筛选最多。"},
      {"t":"li","text":"上传 6 张以上截图：角色、仓库、皮肤、充值记录、绑定状态、实名状态。"},
      {"t":"li","text":"价格参考发布页的成交区间，高出区间 30% 的商品很少成交。"},
      {"t":"li","text":"打开“接受议价”，并在 24 小时内答复。"},
      {"t":"li","text":"每天登录一次：超过 7 天不登录商品会被隐藏。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('withdraw-guide', 'guide', '提现多久到账', '审核、打款和退回的时间。', '[
      {"t":"li","text":"工作日 9 点到 21 点提交的，通常 30 分钟内审核；其他时间 2 小时内。"},
      {"t":"li","text":"审核通过后由支付宝打款，通常几分钟到账，最长 24 小时。"},
      {"t":"li","text":"打款失败会自动退回余额，并说明原因；常见原因是收款账户与实名不一致。"},
      {"t":"li","text":"每天最多 5 次、合计 50000 元，单笔超过 5000 元由两位工作人员复核。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('disclaimer', 'rule', '免责声明', '哪些责任由平台承担，哪些不由平台承担。', '[
      {"t":"li","text":"商品信息由卖家提供，平台审核并提供验号服务，但不保证每一项描述在任何时间都不变。"},
      {"t":"li","text":"游戏名称、图标和商标归各自权利人所有，本站与游戏运营商没有代理或授权关系。"},
      {"t":"li","text":"游戏运营商可能限制账号交易，由此产生的封禁按包赔条款和订单条款处理。"},
      {"t":"li","text":"因不可抗力、网络故障、运营商政策变化造成的延迟，平台会及时公告并尽力减少损失。"},
      {"t":"li","text":"通过外部链接离开本站后的内容和交易不由本站负责。"},
      {"t":"li","text":"您绕开本站付款或交付的，平台无法追回款项。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('wechat-complaint', 'complaint', '微信投诉须知', '遇到冒充本站客服的微信，怎样核对、怎样投诉。', '[
      {"t":"h","text":"先核对"},
      {"t":"li","text":"本站客服不会主动加您的微信，不会要求转账、扫码或提供验证码。"},
      {"t":"li","text":"在“客服验真”输入对方的微信号或 QQ 号，查不到就是假冒。"},
      {"t":"li","text":"真客服发出的消息在订单聊天里带有标记，点开可以看到姓名和所负责的订单。"},
      {"t":"h","text":"再投诉"},
      {"t":"li","text":"在微信里打开对方资料，点右上角“…” - 投诉 - 欺诈，上传聊天截图和转账记录。"},
      {"t":"li","text":"在本站“客服验真”页面提交举报，写明对方号码和经过，24 小时内核查。"},
      {"t":"li","text":"已经转账的，立即拨打 110 或 96110，并向支付机构申请止付。"},
      {"t":"h","text":"需要保留"},
      {"t":"li","text":"对方的微信号、完整聊天记录、转账凭证、订单号。不要删除好友，删除后聊天记录可能无法恢复。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('complaints', 'complaint', '投诉建议', '向我们投诉的方式和处理时限。', '[
      {"t":"li","text":"订单问题：订单页面 - 申诉，15 分钟内首次查看。"},
      {"t":"li","text":"客服服务：会话结束后评价，或在订单页面投诉客服，由另一位工作人员处理。"},
      {"t":"li","text":"假冒客服：客服验真页面 - 举报。"},
      {"t":"li","text":"侵权与不良信息：通过页面底部的客服号码提交，附上权属证明或截图，3 个工作日内处理。"},
      {"t":"li","text":"其他建议：联系客服留言，15 个工作日内答复。"},
      {"t":"quote","text":"请不要在投诉里填写账号密码或验证码，处理人员也不会向您索要。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('security', 'safety', '交易安全', '骗子常用的五种说法，以及一句话的识破办法。', '[
      {"t":"li","text":"“平台维护，先转到我这个账户”：平台的收款页面只有一个，不会让您转给个人。"},
      {"t":"li","text":"“您的订单冻结了，需要交解冻金”：冻结有原因和结束时间，从不收费解冻。"},
      {"t":"li","text":"“加我微信，便宜 200”：离开平台，货款没有人托管。"},
      {"t":"li","text":"“我是客服，把验证码发我”：客服不需要任何验证码。"},
      {"t":"li","text":"“先确认收货，我再给你换绑”：没有换绑完成就不要确认收货。"},
      {"t":"h","text":"平台怎样保护您"},
      {"t":"li","text":"货款放在订单的托管账户，只按订单的规则流动，每一笔都有记录。"},
      {"t":"li","text":"账号密码在密封表单里交接，每次打开都会告知双方。"},
      {"t":"li","text":"收款账户变更后有冷静期，金额较大的操作需要再次验证。"},
      {"t":"li","text":"新设备登录、密码和收款账户变更都会通知您，这类通知不能关闭。"},
      {"t":"h","text":"已经受骗怎么办"},
      {"t":"li","text":"立即联系客服冻结订单，并保留聊天与转账记录。"},
      {"t":"li","text":"拨打 110 或 96110 报警，平台配合提供证据。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('minors', 'safety', '未成年人保护', '本站不向未满 18 周岁的人提供交易服务。', '[
      {"t":"li","text":"发布、下单、提现都需要成年人的实名认证。"},
      {"t":"li","text":"监护人发现未成年人使用了自己的身份，可以联系客服，核实后关闭账号并退还未使用的余额。"},
      {"t":"li","text":"未成年人冒用成年人身份完成的交易，按法律规定处理，请保留支付凭证和监护关系证明。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('about', 'about', '关于我们', '我们做什么，以及为什么这样做。', '[
      {"t":"p","text":"我们做游戏账号、游戏币、道具和游戏服务的交易平台。买家最怕钱付了号没了，卖家最怕号交了钱没到，我们把钱和号都放在双方看得见的流程里。"},
      {"t":"li","text":"货款由平台托管，验收之后才放款。"},
      {"t":"li","text":"每件商品显示全包价和同类成交价，不靠低价吸引再加钱。"},
      {"t":"li","text":"验号结果写明是谁、什么时候验的。"},
      {"t":"li","text":"包赔是公开计时的承诺，到期自动赔付。"},
      {"t":"li","text":"裁决引用编号的规则，去除个人信息后公示。"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('partners', 'about', '合作伙伴', '分销商、商家、工作室与媒体。', '[
      {"t":"li","text":"分销商：用自己的品牌和域名，共享商品库，按订单分成，每天有对账单。"},
      {"t":"li","text":"商家与店铺：批量导入库存、极速金币、店铺客服。"},
      {"t":"li","text":"工作室：代练与陪玩入驻，按里程碑结算。"},
      {"t":"li","text":"媒体与主播：推广码与推广链接，收益按笔可查。"},
      {"t":"link","url":"/specilPage/businessCooperation","text":"提交合作申请"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('contact', 'about', '合作联系', '商务、媒体和法务的联系方式。', '[
      {"t":"li","text":"商务合作：在合作页面提交，2 个工作日内回复。"},
      {"t":"li","text":"媒体采访：提交合作申请时选择“媒体”，并写明刊物和题目。"},
      {"t":"li","text":"法务函件：请通过页面底部客服号码获取邮寄地址。"},
      {"t":"link","url":"/specilPage/businessCooperation","text":"提交合作申请"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('joining', 'about', '卖家入驻', '三步开始卖，先看到手多少。', '[
      {"t":"li","text":"第一步：注册并完成实名认证。"},
      {"t":"li","text":"第二步：选择游戏和商品类型，按表单填写，页面会显示成交区间和到手金额。"},
      {"t":"li","text":"第三步：提交审核，通过后上架。"},
      {"t":"p","text":"开店、代练和陪玩需要另外申请：在个人中心选择“申请开店”“申请代练”或“申请陪玩”，资料齐全的 1 个工作日内审核。"},
      {"t":"link","url":"/center/sell","text":"发布商品"},
      {"t":"link","url":"/news/seller-rules","text":"阅读卖家规则"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('newgame', 'about', '新游合作', '新游戏上线交易需要什么。', '[
      {"t":"li","text":"游戏已公开运营，且账号交易不违反法律。"},
      {"t":"li","text":"提供区服列表、账号绑定方式和可验证的属性，我们据此建立发布表单、筛选项和换绑步骤。"},
      {"t":"li","text":"资料齐全后 3 个工作日内上线。"},
      {"t":"link","url":"/specilPage/businessCooperation","text":"提交合作申请"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08'),
  ('recruitment', 'about', '诚聘英才', '我们在找这样的人。', '[
      {"t":"li","text":"交易客服：熟悉一款以上热门游戏的账号体系，表达清楚，能轮班。"},
      {"t":"li","text":"审核员：细心，能看出截图的问题。"},
      {"t":"li","text":"风控分析：会从交易数据里找异常。"},
      {"t":"li","text":"后端与前端工程师：写得出让别人愿意读的代码。"},
      {"t":"p","text":"投递方式：提交合作申请，类型选“其他”，写明应聘岗位和联系方式。"},
      {"t":"link","url":"/specilPage/businessCooperation","text":"去投递"}]', 1, '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08', '2026-11-20 10:00:00+08');

insert into staff_role (code, name, permissions, is_system, site_only) values
  ('admin', '管理员', null, true, false),
  ('service', '客服', null, true, false),
  ('reviewer', '审核', null, true, false),
  ('finance', '财务', null, true, false),
  ('content', '内容', null, true, false),
  ('operator', '分销商运营', null, true, true),
  ('none', '单独授权', '{}', true, false);

-- Stands in the record for the command line (server/admin), which no person signs in as.
insert into staff (id, login, name, role, im_uid, status) overriding system value values (0, 'admin-command', '管理命令', 'admin', 's0', 9);
insert into setup_state default values;
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));
insert into books_progress default values;
-- Several markets may share one search engine: each has names of its own.
insert into search_feed (family) values ('youshi_goods_' || substr(md5(random()::text || clock_timestamp()::text), 1, 8) || '_');
insert into timer (kind, ref, due_at) values
  ('payment.decide', 'all', now()),
  ('goods.stats', 'all', now()),
  ('quickCoin.ratio', 'all', now()),
  ('quickCoin.away', 'all', now()),
  ('media.sweep', 'temp', now() + interval '1 hour'),
  ('reconcile.fetch', 'all', now() + interval '5 minutes'),
  ('guarantee.daily', 'all', now()),
  ('level.nightly', '', now()),
  ('goods.away', 'all', now()),
  ('coupon.expiring', 'all', (date_trunc('day', now() at time zone 'Asia/Shanghai') + interval '1 day 10 hours') at time zone 'Asia/Shanghai');

-- ---- Triggers ----

create trigger audit_log_immutable before delete or update or truncate on audit_log for each statement execute function refuse_change();
create constraint trigger audit_log_sealed after insert on audit_log deferrable initially deferred for each row execute function audit_seal_row();

create trigger ledger_account_guard before delete or update on ledger_account for each row execute function ledger_account_guard();

create trigger ledger_transfer_immutable before delete or update or truncate on ledger_transfer for each statement execute function refuse_change();
create trigger fund_debit_guard before insert on ledger_transfer for each row when (new.debit ~~ 'platform:guarantee\_fund:%') execute function
  fund_debit_guard();

create trigger ledger_entry_immutable before delete or update or truncate on ledger_entry for each statement execute function refuse_change();

create trigger hold_money_guard before update of amount_fen, short_fen, released_at on hold for each row execute function hold_money_guard();

create trigger goods_price_kept after update of price_fen on goods for each row when (old.price_fen is distinct from new.price_fen and (old.status in
  (2, 3, 4))) execute function goods_price_kept();
create trigger goods_account_inserted before insert on goods for each row when (new.fingerprint is not null and (new.status in (1, 2))) execute
  function goods_account_guard();
create trigger goods_account_offered before update of status, fingerprint on goods for each row when (new.fingerprint is not null and (new.status in
  (1, 2)) and ((old.status not in (1, 2)) or old.status = 1 and new.status = 2 or old.fingerprint is distinct from new.fingerprint)) execute function
  goods_account_guard();
create trigger goods_account_once before insert or update of fingerprint, status on goods for each row when (new.fingerprint is not null and
  (new.status in (1, 2))) execute function account_once();
create trigger goods_inspection_ends before update on goods for each row when (old.attrs is distinct from new.attrs or old.fingerprint is distinct
  from new.fingerprint or old.status = 3 and new.status = 2 or old.inspected_at is not null and new.inspected_at is null) execute function
  goods_inspection_ends();

create trigger on_sale_added after insert on goods_search referencing new table as changed for each statement execute function on_sale_counted();
create trigger on_sale_removed after delete on goods_search referencing old table as changed for each statement execute function on_sale_counted();
create trigger on_sale_moved after update of game_id, type_id on goods_search for each row when (old.game_id is distinct from new.game_id or
  old.type_id is distinct from new.type_id) execute function on_sale_counted();
create trigger search_added after insert on goods_search referencing new table as changed for each statement execute function search_changed();
create trigger search_edited after update on goods_search referencing new table as changed for each statement execute function search_changed();
create trigger search_removed after delete on goods_search referencing old table as changed for each statement execute function search_changed();

create trigger bargain_price_guard before update of counter_fen on bargain for each row execute function bargain_price_guard();

create trigger want_deposit_guard before update of deposit_fen on want for each row execute function want_deposit_guard();

create trigger orders_frozen before update on orders for each row execute function order_terms_frozen();
create trigger quick_coin_follows_order after update of status on orders for each row when (new.type_id = 53 and old.status is distinct from
  new.status) execute function quick_coin_follows_order();
create trigger recycle_coin_follows_order after update of status on orders for each row when (new.type_id = 52 and old.status is distinct from
  new.status) execute function recycle_coin_follows_order();
create trigger time_sale_follows_order after update of status on orders for each row when (new.goods_id is not null and (old.status in (0, 1)) and
  (new.status in (6, 7, 8, 9))) execute function time_sale_follows_order();
create trigger orders_site_open before insert on orders for each row execute function site_takes_orders();
create constraint trigger order_escrow_agrees after insert or update of status, advance_fen on orders deferrable initially deferred for each row
  execute function order_escrow_agrees();
create trigger service_follows_order after update of status on orders for each row when ((new.type_id in (60, 61)) and old.status is distinct from
  new.status) execute function service_follows_order();
create trigger recycle_request_follows_order before update of status on orders for each row when (new.type_id = 52 and old.status is distinct from
  new.status) execute function recycle_request_follows_order();
create trigger order_cut_once before update of cut_fen on orders for each row when (old.cut_fen is distinct from new.cut_fen) execute function
  order_cut_once();
create trigger companion_slot_follows_order after update of status on orders for each row when (new.type_id = 61 and (new.status in (2, 3, 6, 7, 8,
  9))) execute function companion_slot_follows_order();
create trigger service_follows_case after update of disputed on orders for each row when ((new.type_id in (60, 61)) and old.disputed is distinct from
  new.disputed) execute function service_follows_case();
create trigger orders_counted after insert or update of status, paid_at, shipped_at, completed_at on orders for each row execute function
  order_counted();
create trigger chat_group_follows_order after update of status, ship_by, auto_confirm_at on orders for each row when (chat_step_by(old.status,
  old.ship_by, old.auto_confirm_at) is distinct from chat_step_by(new.status, new.ship_by, new.auto_confirm_at)) execute function
  chat_group_follows_order();

create trigger order_process_immutable before delete or update or truncate on order_process for each statement execute function refuse_change();

create trigger service_follows_account after insert on sealed_credential for each row when (new.version = 1) execute function
  service_follows_account();

create trigger chat_group_has_clock before insert on chat_group for each row when (new.order_id is not null) execute function chat_group_has_clock();

create trigger guarantee_tier_kept before delete or update on guarantee_tier for each row execute function guarantee_tier_kept();

create trigger claim_money_guard before update of paid_fen, recourse_fen, penalty_fen, debt_fen on guarantee_claim for each row execute function
  claim_money_guard();

create trigger guarantee_claim_step_immutable before delete or update or truncate on guarantee_claim_step for each statement execute function
  refuse_change();

create trigger platform_rule_kept before delete or update on platform_rule for each row execute function published_text_kept();
create trigger platform_rule_immutable before truncate on platform_rule for each statement execute function refuse_change();

create trigger dispute_marks_order after insert or update of status on dispute for each row execute function dispute_marks_order();
create trigger dispute_step_legal before update on dispute for each row execute function dispute_step_legal();
create trigger dispute_money_guard before update of back_fen, refunded_fen, to_seller_fen, owed_fen on dispute for each row execute function
  dispute_money_guard();

create trigger dispute_statement_immutable before delete or update or truncate on dispute_statement for each statement execute function
  refuse_change();

create trigger dispute_event_immutable before delete or update or truncate on dispute_event for each statement execute function refuse_change();

create trigger dispute_ruling_immutable before delete or update or truncate on dispute_ruling for each statement execute function refuse_change();
create trigger dispute_ruling_person before insert on dispute_ruling for each row execute function dispute_ruling_person();
create constraint trigger dispute_ruling_cites after insert on dispute_ruling deferrable initially deferred for each row execute function
  dispute_ruling_cites();

create trigger dispute_ruling_rule_immutable before delete or update or truncate on dispute_ruling_rule for each statement execute function
  refuse_change();

create trigger dispute_appeal_immutable before delete or update or truncate on dispute_appeal for each statement execute function refuse_change();

create trigger deposit_penalty_immutable before delete or update or truncate on deposit_penalty for each statement execute function refuse_change();

create trigger provider_flags after insert or update of status on provider for each row execute function provider_flags();
create trigger recycler_follows_provider after insert or update of status, name, games on provider for each row when (new.kind = 'recycler') execute
  function recycler_follows_provider();

create trigger provider_event_immutable before delete or update or truncate on provider_event for each statement execute function refuse_change();

create trigger boost_order_steps before update of state on service_order for each row when (new.type_id = 60 and old.state is distinct from new.state)
  execute function boost_order_steps();
create trigger companion_order_steps before update of state on service_order for each row when (new.type_id = 61 and old.state is distinct from
  new.state) execute function companion_order_steps();

create trigger service_progress_immutable before delete or update or truncate on service_progress for each statement execute function refuse_change();

create trigger recycle_request_steps before update on recycle_request for each row execute function recycle_request_steps();
create trigger recycle_cut_guard before update of cut_fen on recycle_request for each row when (old.cut_fen is distinct from new.cut_fen) execute
  function recycle_cut_guard();
create trigger recycle_account_once before insert on recycle_request for each row when (new.fingerprint is not null) execute function account_once();

create trigger recycle_quote_rises before update on recycle_quote for each row execute function recycle_quote_rises();
create constraint trigger recycle_escrow_agrees after insert or update on recycle_quote deferrable initially deferred for each row execute function
  recycle_escrow_agrees();

create trigger deal_account_inserted before insert on middleman_deal for each row when (new.fingerprint is not null) execute function account_once();
create trigger deal_account_traded before update of fingerprint, status on middleman_deal for each row when (new.fingerprint is not null and
  (new.status in ('waiting', 'ordered')) and (old.fingerprint is distinct from new.fingerprint or old.status is distinct from new.status)) execute
  function account_once();

create trigger black_appeal_person before insert or update on black_appeal for each row execute function black_appeal_person();

create trigger black_event_immutable before delete or update or truncate on black_event for each statement execute function refuse_change();

create trigger legal_text_kept before delete or update on legal_text for each row execute function published_text_kept();
create trigger legal_text_immutable before truncate on legal_text for each statement execute function refuse_change();

create trigger deposit_entry_immutable before delete or update or truncate on deposit_entry for each statement execute function refuse_change();

create trigger seller_level_change_immutable before delete or update or truncate on seller_level_change for each statement execute function
  refuse_change();

create trigger hold_stage_guard before update on hold_stage for each row execute function hold_stage_guard();

create trigger debt_guard before delete or update on debt for each row execute function debt_guard();

create trigger fund_release_immutable before delete or update or truncate on fund_release for each statement execute function refuse_change();
create constraint trigger fund_release_holds after insert on fund_release deferrable initially deferred for each row execute function
  fund_release_holds();

create trigger audit_seal_immutable before delete or update or truncate on audit_seal for each statement execute function refuse_change();

create trigger audit_head_guard before delete or update on audit_head for each row execute function audit_head_guard();

create trigger dispute_reason_version_immutable before delete or update or truncate on dispute_reason_version for each statement execute function
  refuse_change();

create trigger boost_request_steps before update on boost_request for each row execute function boost_request_steps();
create constraint trigger boost_escrow_agrees after insert or update on boost_request deferrable initially deferred for each row execute function
  boost_escrow_agrees();

create trigger inspection_task_steps before update on inspection_task for each row execute function inspection_task_steps();
create constraint trigger inspection_escrow_agrees after insert or update on inspection_task deferrable initially deferred for each row execute
  function inspection_escrow_agrees();

create trigger inspection_claim_guard before insert or update on inspection_claim for each row execute function inspection_claim_guard();

create constraint trigger service_tip_capped after insert on service_tip not deferrable initially immediate for each row execute function
  service_tip_capped();

create trigger books_hash_stays before update on books_block for each row execute function books_hash_stays();

create trigger books_progress_guard before update on books_progress for each row execute function books_progress_guard();
