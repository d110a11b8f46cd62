-- Real channels: what leads the payer on, when a channel was last asked, and the lease that lets one process at a time ask.
alter table payment
  add column way text not null default 'qr' check (way in ('qr', 'page', 'h5', 'jsapi')),
  add column lead jsonb,                           -- what a repeated request is answered with: address of a page, fields for WeChat
  add column asked_at timestamptz;                 -- the channel was asked where it stands

alter table withdrawal
  add column sent_at timestamptz,                  -- the channel was asked at least once: from then on it is asked where it stands first
  add column leased_until timestamptz,
  add column channel_reason text;                  -- the channel's own code while it waits or failed; for staff

-- Money on its way back to its source stands in the user's frozen account, with a hold, until the channel has answered.
alter table refund
  add column dist_id int not null references distributor,
  add column user_id bigint not null references app_user,
  add column channel text not null,
  add column cause text not null check (cause in ('late', 'asked', 'staff')),
  add column sent_at timestamptz,
  add column leased_until timestamptz,
  add column channel_reason text;
create index refund_payment on refund (payment_id);
create index refund_order on refund (order_id) where order_id is not null;
create index refund_user on refund (user_id, id desc);

-- sms: from this amount on, or for a payee that nothing was paid to yet and that is not the first one, a withdrawal wants a code.
-- late: where money goes that came for an order which had moved on; days: how long a channel takes money back.
insert into setting (key, version, value) values
  ('payout', 1, '{"smsFen": 500000}'),
  ('refund', 1, '{"days": 90, "late": {"sandbox": "balance", "alipay": "source", "wechat": "source"}}');
