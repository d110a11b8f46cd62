-- Where sellers' own programs are told what happened (docs/decisions/351). An endpoint belongs to its seller alone, whatever the site.
create table webhook_endpoint (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  url text not null check (length(url) <= 300),
  events text[] not null check (cardinality(events) > 0),
  secret_enc bytea not null,
  status text not null default 'on' check (status in ('on', 'off', 'disabled')), -- off by its owner, disabled after a long failure
  fails int not null default 0 check (fails >= 0),   -- in a row
  failing_since timestamptz,
  paused_until timestamptz,                          -- the circuit: nothing is sent before
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  check ((fails = 0) = (failing_since is null))
);
create index webhook_endpoint_user on webhook_endpoint (user_id, id) where removed_at is null;
grant select, insert on webhook_endpoint to youshi_app;
grant update (url, events, secret_enc, status, fails, failing_since, paused_until, removed_at) on webhook_endpoint to youshi_app;

-- One event for one endpoint. Kept for thirty days.
create table webhook_delivery (
  id bigint generated always as identity primary key,
  public_id text not null unique default 'evt_' || replace(gen_random_uuid()::text, '-', ''),
  endpoint_id bigint not null references webhook_endpoint,
  event text not null,
  subject text not null,                             -- what makes the event one; told twice by us, it is stored once
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
grant select, insert, delete on webhook_delivery to youshi_app;
grant update (status, attempts, next_at, sent_at) on webhook_delivery to youshi_app;

create table webhook_attempt (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_delivery on delete cascade,
  at timestamptz not null default now(),
  ms int not null,
  status int,                                        -- of HTTP; null when no answer came
  failure text,                                      -- why it counts as failed; null when it succeeded
  request_head text not null,
  response_head text not null check (length(response_head) <= 2000)
);
create index webhook_attempt_delivery on webhook_attempt (delivery_id, id);
grant select, insert, delete on webhook_attempt to youshi_app;

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('goods.webhook', '事件推送停用', 'goods', '{site,sms}', true, false, 290);
insert into notice_template (kind, channel, version, title, body, link) values
  ('goods.webhook', 'site', 1, '事件推送已停用', '{host} 连续 {days} 天没有成功接收推送，已停用。修好后请到「开放接口」重新开启，并补发没收到的事件。', '/center/openApi?tab=webhooks');
