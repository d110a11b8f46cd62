-- Guarantees (domain.md 3): what is on offer, who is covered now, and the public clock of a claim. Premiums and pay-outs are
-- ledger postings (guarantee_fund); no table here holds a balance.

-- What is on offer. orders.ensure_id names a tier of kind 'ensure', orders.fix_ensure_id one of kind 'fixEnsure'; 0 there = none.
-- Tiers are the platform's, the same on every site. A change of terms is a new row: covers already sold keep what they were sold as.
create table guarantee_tier (
  id int primary key,
  kind text not null check (kind in ('ensure', 'fixEnsure')),
  code text not null unique,
  name text not null,
  rate_bp int not null check (rate_bp between 0 and 5000),
  min_fen bigint not null default 500 check (min_fen >= 0),
  payout_bp int not null default 10000 check (payout_bp between 1 and 30000), -- most that is paid, in parts of the account's price
  chase_days smallint not null default 7 check (chase_days between 1 and 60),
  cover_days int check (cover_days > 0),         -- null = as long as the holder keeps the account
  cover_text text not null,
  exclusions jsonb not null default '[]' check (jsonb_typeof(exclusions) = 'array'), -- sentences, shown as ticks before paying
  goods_types smallint[] not null default '{1,8,50}',
  games int[],                                   -- null = every game
  sort int not null default 0,
  status smallint not null default 1 check (status in (1, 2)), -- 1 on offer, 2 no longer sold
  created_at timestamptz not null default now()
);

insert into guarantee_tier (id, kind, code, name, rate_bp, min_fen, payout_bp, chase_days, cover_text, exclusions, sort) values
  (11, 'fixEnsure', 'recovery', '找回包赔', 1000, 500, 10000, 7,
    '账号被原号主找回，7 天内未追回即按商品价自动赔付到余额',
    '["转借他人使用造成的损失", "买家自行违规被封禁", "主动换绑给第三方"]', 10),
  (2, 'ensure', 'face', '人脸包赔', 1500, 500, 10000, 7,
    '含找回包赔；卖家不配合人脸核验导致无法登录时同样赔付',
    '["转借他人使用造成的损失", "买家自行违规被封禁", "超过 3 次人脸核验后的人工拒绝"]', 20),
  (3, 'ensure', 'topup', '充值包赔', 2000, 500, 15000, 15,
    '含找回包赔；购号后的充值一并赔付，合计不超过商品价 1.5 倍',
    '["转借他人使用造成的损失", "买家自行违规被封禁", "无充值凭证的金额"]', 30);

-- One cover of one account. It follows the account: when the account is resold on the site, holder_id moves to the new owner.
-- dist_id records the site that sold it.
create table guarantee_cover (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,
  tier_id int not null references guarantee_tier,
  kind text not null check (kind in ('ensure', 'fixEnsure')),
  order_id bigint not null references orders,    -- the order that bought it
  goods_id bigint references goods,
  fingerprint bytea,                             -- the account passport's key: how a resale finds its cover
  holder_id bigint not null references app_user,
  price_fen bigint not null check (price_fen > 0),
  premium_fen bigint not null check (premium_fen >= 0),
  payout_max_fen bigint not null check (payout_max_fen > 0),
  terms jsonb not null,                          -- the tier as it was sold: text, exclusions, chase days
  status text not null default 'waiting' check (status in ('waiting', 'active', 'claimed', 'paid', 'ended', 'void')),
  starts_at timestamptz,                         -- the moment the order completed; null while waiting
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  check ((status in ('waiting', 'void')) or starts_at is not null),
  unique (order_id, kind)
);
create unique index guarantee_cover_live on guarantee_cover (fingerprint, kind) where fingerprint is not null and status in ('active', 'claimed');
create index guarantee_cover_holder on guarantee_cover (holder_id, id desc);
create index guarantee_cover_end on guarantee_cover (ends_at) where status = 'active' and ends_at is not null;

-- The chain of owners that a certificate lists. One row is open at a time.
create table guarantee_holder (
  cover_id bigint not null references guarantee_cover,
  seq smallint not null check (seq > 0),
  user_id bigint not null references app_user,
  order_id bigint not null references orders,    -- by which this owner came to the account
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
  body jsonb not null,                           -- what it says, frozen
  body_hash bytea not null,
  issued_at timestamptz not null default now(),
  replaced_by text references guarantee_certificate,
  foreign key (cover_id, holder_seq) references guarantee_holder,
  unique (cover_id, holder_seq)
);

-- Moves a cover to the account's next owner, with the order that moved it. Called while the resale completes, in its transaction;
-- asking again changes nothing. Returns the new seq, or null when no live cover carries this fingerprint.
-- Error YS401: a claim is open, so the account cannot change hands.
create function guarantee_move(p_fingerprint bytea, p_kind text, p_user bigint, p_order bigint) returns smallint language plpgsql as $$
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
end $$;

-- A claim opens a public clock (chase day n of 7, last action); at deadline_at the pay-out runs by itself (timer 'guarantee.pay').
-- dist_id filters: an operator sees the claims of its own site.
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
  status text not null default 'checking' check (status in ('checking', 'chasing', 'paid', 'refused', 'recovered', 'withdrawn')),
  staff_id bigint references staff,
  refusal text,                                  -- the numbered rule and the sentence; required when refused
  chase_days smallint not null check (chase_days > 0),
  first_look_by timestamptz not null,
  chase_from timestamptz,
  deadline_at timestamptz,
  late_coupon_id bigint references coupon,       -- the platform missed its own step time: the claimant got this by itself
  opened_at timestamptz not null default now(),
  decided_at timestamptz,
  check (status <> 'chasing' or (chase_from is not null and deadline_at is not null)),
  check ((status = 'paid') = (paid_fen > 0)),
  check (status <> 'refused' or refusal is not null),
  check ((status in ('checking', 'chasing')) = (decided_at is null))
);
create unique index guarantee_claim_open on guarantee_claim (cover_id) where status in ('checking', 'chasing');
create index guarantee_claim_user on guarantee_claim (user_id, id desc);
create index guarantee_claim_due on guarantee_claim (deadline_at) where status = 'chasing';
create index guarantee_claim_look on guarantee_claim (first_look_by) where status = 'checking';
create index guarantee_claim_paid on guarantee_claim (decided_at desc) where status in ('paid', 'refused', 'recovered');

-- Each act on the clock, as the claimant and the public page read it. Insert only.
create table guarantee_claim_step (
  claim_id bigint not null references guarantee_claim,
  seq smallint not null,
  day smallint not null default 0,               -- chase day, 0 before the chase
  text text not null,
  actor text not null,                           -- user:<id>, staff:<id>, system
  pictures jsonb not null default '[]',
  created_at timestamptz not null default now(),
  primary key (claim_id, seq)
);
create trigger guarantee_claim_step_immutable before update or delete or truncate on guarantee_claim_step
  for each statement execute function refuse_change();

-- The public account of the fund by month and game (page /black/zhgs), made by a job from covers, claims and postings.
create table guarantee_month (
  month date not null check (extract(day from month) = 1),
  game_id int not null references game,
  covers int not null,
  premium_fen bigint not null,
  claims int not null,
  paid int not null,
  paid_fen bigint not null,
  refused int not null,
  recovered int not null,
  median_hours int,                              -- from opening to the decision
  refusals jsonb not null default '{}',          -- reason to number
  made_at timestamptz not null default now(),
  primary key (month, game_id)
);

revoke update, delete, truncate on guarantee_claim_step from youshi_app;
revoke delete, truncate on guarantee_cover, guarantee_holder, guarantee_certificate, guarantee_claim from youshi_app;
