-- Reconciliation with the channels' daily statements. Belongs to the platform as a whole: no dist_id.
alter table channel_statement
  add column source text not null default 'upload' check (source in ('upload', 'fetch')),
  add column file_name text,
  add column sha256 bytea,                         -- the same file twice is one import
  add column pay_fen bigint not null default 0,
  add column refund_fen bigint not null default 0,
  add column transfer_fen bigint not null default 0,
  add column fee_fen bigint not null default 0;

-- inter_sn is our own number that the line names: of a payment, a refund or a payout. difference: null, or why it did not fit.
alter table channel_statement_line
  add column at timestamptz,
  add column origin_sn text,                       -- of a refund: the number of the payment that it belongs to, where the channel tells it
  add constraint channel_statement_line_difference check (difference in ('unknown', 'amount', 'twice'));
create index channel_statement_line_transfer on channel_statement_line (transfer_id) where transfer_id is not null;
create index channel_statement_line_open on channel_statement_line (inter_sn) where transfer_id is null and kind <> 'fee';

-- Money that a channel moved as our books tell it: one row per posting, named by the number that the channel knows.
create index payment_arrived on payment (channel, paid_at) where paid_at is not null;
create index refund_done on refund (channel, done_at) where status = 1;
create index withdrawal_paid on withdrawal (channel, paid_at) where status = 2;
create view channel_movement as
  select p.channel, 'pay' as kind, p.inter_sn as number, p.amount_fen as fen, p.paid_at as at, p.user_id, p.order_id, null::text as origin_sn,
    (select t.id from ledger_transfer t where t.ref = 'payment:' || p.id and t.code in ('topup', 'order_pay_channel', 'late_payment', 'late_refund')) as transfer_id
  from payment p where p.paid_at is not null
  union all
  select r.channel, 'refund', r.refund_no, r.amount_fen, r.done_at, r.user_id, r.order_id, p.inter_sn,
    (select t.id from ledger_transfer t where t.ref = 'refund:' || r.id and t.code = 'refund_paid')
  from refund r join payment p on p.id = r.payment_id where r.status = 1
  union all
  select w.channel, 'transfer', w.channel_no, w.amount_fen - w.fee_fen, w.paid_at, w.user_id, null, null,
    (select t.id from ledger_transfer t where t.ref = 'withdrawal:' || w.id and t.code = 'withdraw_paid')
  from withdrawal w where w.status = 2;

-- What does not fit, until somebody or a later statement explains it. side: 'theirs' stands in the statement alone, 'ours' in our books
-- alone, 'amount' in both with other amounts, 'twice' in the statement more than once.
create table reconcile_difference (
  id bigint generated always as identity primary key,
  channel text not null,
  day date not null,
  side text not null check (side in ('theirs', 'ours', 'amount', 'twice')),
  kind text not null check (kind in ('pay', 'refund', 'transfer')),
  number text not null,
  trade_no text,
  line_no int not null default 0,                  -- 0 where no line is
  transfer_id bigint references ledger_transfer,
  theirs_fen bigint,
  ours_fen bigint,
  reason text not null,
  opened_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by bigint references staff,             -- null: a later statement or posting explained it
  note text,
  unique (channel, day, side, kind, number, line_no)
);
create index reconcile_difference_open on reconcile_difference (id) where resolved_at is null;
create index reconcile_difference_number on reconcile_difference (channel, number) where resolved_at is null;

-- Fetches what channels offer for the days before; sets itself again.
insert into timer (kind, ref, due_at) values ('reconcile.fetch', 'all', now() + interval '5 minutes');
