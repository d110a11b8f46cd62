-- Devices that somebody has logged in on before, so that a new one is told to its owner. A device is its browser's own words without
-- the numbers of versions, hashed: an update is no new device.
create table known_device (
  user_id bigint not null references app_user,
  agent_hash bytea not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (user_id, agent_hash)
);

insert into notice_template (kind, channel, version, title, body, link) values
  ('security.login', 'site', 2, '新设备登录', '您的账号于 {time} 在{device}登录。不是本人操作请立即修改密码。', '/center/myself/accountSecurity'),
  ('money.refund', 'site', 2, '{what}', '订单 {orderSn} 的 {amount} 元{text}。', '/center/mywallets/list');
