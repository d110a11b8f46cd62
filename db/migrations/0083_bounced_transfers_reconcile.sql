-- A transfer that came back has a line of its own in the channel's statement (kind 'back'), and the one that sent it keeps its own: both are
-- matched with our postings.
alter table channel_statement_line drop constraint channel_statement_line_kind_check,
  add constraint channel_statement_line_kind_check check (kind in ('pay', 'refund', 'transfer', 'back', 'fee'));
alter table reconcile_difference drop constraint reconcile_difference_kind_check,
  add constraint reconcile_difference_kind_check check (kind in ('pay', 'refund', 'transfer', 'back'));
create index withdrawal_bounced_at on withdrawal (channel, bounced_at) where bounced_at is not null;
create or replace view channel_movement as
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
  from withdrawal w where w.status = 2 or w.bounced_at is not null
  union all
  select w.channel, 'back', w.channel_no, w.amount_fen - w.fee_fen, w.bounced_at, w.user_id, null, null,
    (select t.id from ledger_transfer t where t.ref = 'withdrawal:' || w.id and t.code = 'withdraw_bounce')
  from withdrawal w where w.bounced_at is not null;
