-- A receiver that answers 410 ends its subscription (Standard Webhooks), and its owner is notified of the reason.
alter table webhook_endpoint add column gone_at timestamptz;
comment on column webhook_endpoint.gone_at is 'The receiver answered 410 Gone: the endpoint is disabled until its owner switches it on again.';

insert into notice_template (kind, channel, version, title, body, link) values
  ('goods.webhook', 'site', 2, '事件推送已停用', '{host} {why}，已停用推送。修好后请到「开放接口」重新开启，并补发没收到的事件。', '/center/openApi?tab=webhooks');
