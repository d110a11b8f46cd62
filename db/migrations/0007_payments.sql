-- Ways in and out. dist_id records; each distributor's finance sees its own (filter in queries).
create table payment (
  id bigint generated always as identity primary key,
  pay_rand text not null unique,                 -- unguessable: the address of the page behind the QR
  inter_sn text not null unique,                 -- our number at the channel
  dist_id int not null references distributor,
  user_id bigint not null references app_user,
  purpose text not null check (purpose in ('topup', 'order', 'deposit')),
  order_id bigint,
  channel text not null,                         -- sandbox, alipay, wechat
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
  unique (channel, channel_trade_no)
);
create index payment_user on payment (user_id, id desc);
create index payment_order on payment (order_id) where order_id is not null;
create index payment_waiting on payment (expires_at) where status = 0;

-- What a channel told us, before anything is decided. A genuine notification is recorded once; its repeats are acknowledged.
create table payment_notify (
  id bigint generated always as identity primary key,
  channel text not null,
  notify_key text not null,                      -- trade number and state
  payload jsonb not null,
  verdict text,                                  -- null = not decided yet
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
  paid_at timestamptz
);
create index withdrawal_user on withdrawal (user_id, id desc);
create index withdrawal_open on withdrawal (id) where status in (0, 1);

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
  done_at timestamptz
);
create index refund_open on refund (id) where status = 0;

-- Reconciliation with the channels' daily statements.
create table channel_statement (
  id bigint generated always as identity primary key,
  channel text not null,
  day date not null,
  imported_by bigint references staff,
  lines int not null default 0,
  created_at timestamptz not null default now(),
  unique (channel, day)
);
create table channel_statement_line (
  statement_id bigint not null references channel_statement,
  line_no int not null,
  trade_no text not null,
  inter_sn text,
  kind text not null check (kind in ('pay', 'refund', 'transfer', 'fee')),
  amount_fen bigint not null,
  transfer_id bigint references ledger_transfer,
  difference text,
  primary key (statement_id, line_no)
);
