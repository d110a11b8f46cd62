-- Coupons of three kinds and invitations (domain.md 7).
create table coupon_campaign (
  id bigint generated always as identity primary key,
  code text not null unique,
  name text not null,
  dist_id int references distributor,            -- null = every site
  kind text not null check (kind in ('goods', 'service', 'guarantee')),
  amount_fen bigint not null check (amount_fen > 0),
  minimum_fen bigint not null default 0,
  stock int not null check (stock >= 0),
  per_person int not null default 1,
  valid_days int not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  odds_bp int,                                   -- set for lottery prizes
  created_at timestamptz not null default now()
);

create table coupon (
  id bigint generated always as identity primary key,
  campaign_id bigint not null references coupon_campaign,
  user_id bigint not null references app_user,
  serial int not null,                           -- 1..per_person
  order_id bigint,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  unique (campaign_id, user_id, serial)
);
create unique index coupon_once on coupon (order_id) where order_id is not null;
create index coupon_user on coupon (user_id, id desc);

create table lottery_draw (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  campaign_id bigint references coupon_campaign, -- null = nothing won
  roll int not null,                             -- 0..9999, drawn on the server
  created_at timestamptz not null default now()
);
create index lottery_draw_user on lottery_draw (user_id, created_at desc);
