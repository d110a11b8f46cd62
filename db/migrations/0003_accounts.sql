-- Users belong to the platform; dist_id records on which site they registered.
create table app_user (
  id bigint generated always as identity (start with 10001) primary key,
  dist_id int not null references distributor,
  phone_hash bytea not null unique,        -- HMAC blind index: look-up without the number
  phone_enc bytea not null,                -- AES-256-GCM, bound to the row
  phone_mask text not null,                -- 138****1234
  nick_name text not null,
  avatar text,                             -- picture key; null = drawn from the nickname
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
  paid_total_fen bigint not null default 0,    -- for the VIP level
  online boolean not null default true,        -- the seller's own switch
  last_seen_at timestamptz not null default now(),
  status smallint not null default 1,          -- 1 active, 2 restricted, 3 deleted
  created_at timestamptz not null default now()
);

create table session (
  id_hash bytea primary key,                   -- sha256 of the cookie; the cookie itself is nowhere
  user_id bigint references app_user,
  staff_id bigint,
  kind text not null check (kind in ('web', 'app', 'staff')),
  dist_id int not null references distributor,
  ip text,
  agent text,
  pay_verified_at timestamptz,                 -- step-up by pay password or SMS; good for 5 min
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((user_id is null) <> (staff_id is null))
);
create index session_of_user on session (user_id);
create index session_age on session (expires_at);

create table sms_code (
  phone_hash bytea not null,
  purpose text not null,
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
  created_at timestamptz not null default now()
);
create unique index real_name_once on real_name (id_hash) where status = 2;

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
  user_id bigint not null references app_user,
  provider text not null check (provider in ('wechat', 'qq', 'wechat_push')),
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
  expires_at timestamptz not null
);

create table staff (
  id bigint generated always as identity (start with 101) primary key,
  login text not null unique,
  name text not null,
  role text not null check (role in ('service', 'reviewer', 'finance', 'content', 'admin', 'operator')),
  dist_id int references distributor,          -- operators act for one distributor only
  password_hash text not null,
  totp_secret_enc bytea not null,
  totp_last_step bigint not null default 0,    -- a code is good once
  im_uid text not null unique,
  on_duty boolean not null default true,
  max_chats int not null default 200,
  status smallint not null default 1,
  created_at timestamptz not null default now()
);
alter table session add foreign key (staff_id) references staff;

create table consent (
  user_id bigint not null references app_user,
  text_code text not null,
  text_version int not null,
  ip text,
  created_at timestamptz not null default now(),
  primary key (user_id, text_code, text_version)
);
