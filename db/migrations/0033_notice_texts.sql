-- What a notice says, where it leads, and how its deliveries are sent once each. A new kind of notice is one row of notice_kind and
-- one of notice_template; whoever has something to tell writes an outbox row of topic 'notice' (docs/ARCHITECTURE.md, Notices).

alter table notice_template add column link text check (link is null or link ~ '^/($|[^/\\])');
comment on column notice_template.link is 'Inside the site; {name} marks are filled and percent-encoded.';

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('order.cancel_ask', '取消申请与答复', 'order', '{site,wechat,sms}', true, true, 45),
  ('goods.back', '收藏的商品重新上架', 'goods', '{site,wechat}', true, false, 235),
  ('goods.price', '收藏的商品降价', 'goods', '{site,wechat}', true, false, 236),
  ('money.deposit', '保证金变动', 'money', '{site,wechat}', false, false, 140),
  ('money.hold', '资金冻结与解除', 'money', '{site,wechat}', false, false, 150),
  ('activity.notice', '平台公告与活动', 'activity', '{site}', true, false, 610);

-- A delivery is claimed ('sending') before the vendor is asked, so that no two senders ask for the same one. What stays claimed
-- belonged to a process that died: it is sent again under the same number where the vendor knows that number, and given up where not.
alter table notice_delivery drop constraint notice_delivery_status_check;
alter table notice_delivery add constraint notice_delivery_status_check check (status in ('waiting', 'sending', 'sent', 'failed', 'dropped'));
alter table notice_delivery add column user_id bigint not null references app_user;
alter table notice_delivery add column digest boolean not null default false;
comment on column notice_delivery.digest is 'Goes out with the others of its person and channel, as one message a day.';
alter table notice_delivery add column claimed_at timestamptz;
create index notice_delivery_claimed on notice_delivery (claimed_at) where status = 'sending';
create index notice_delivery_digest on notice_delivery (user_id, channel) where status = 'waiting' and digest;

-- A QR of the official account that binds whoever follows it to the user who asked. Good once and for ten minutes.
create table wechat_push_ticket (
  scene_hash bytea primary key,
  user_id bigint not null references app_user,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index wechat_push_ticket_age on wechat_push_ticket (expires_at);

insert into notice_template (kind, channel, version, title, body, link) values
  ('order.paid', 'site', 1, '有新订单待发货', '「{goods}」已由买家付款 {amount} 元，货款由平台托管。请在 {deadline} 前发货。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.shipped', 'site', 1, '卖家已发货', '「{goods}」已发货，请验收后确认收货；{deadline} 前未提出异议将自动确认。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.handover', 'site', 1, '轮到你完成换绑步骤', '「{goods}」第 {step} 步「{stepTitle}」轮到你操作，请在 {minutes} 分钟内完成。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.late', 'site', 1, '{what}即将超时', '「{goods}」{what}截止时间为 {deadline}，{after}。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.cancel_ask', 'site', 1, '{what}', '「{goods}」：{text}。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.done', 'site', 1, '交易完成', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.cancelled', 'site', 1, '订单已取消', '「{goods}」：{text}。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.dispute', 'site', 1, '纠纷有新进展', '{text}', '/center/buyComplaint'),
  ('order.claim', 'site', 1, '理赔有新进展', '{text}', '/center/buyGuarantee'),
  ('money.topup', 'site', 1, '充值到账', '{amount} 元已存入您的余额{text}。', '/center/mywallets/list'),
  ('money.released', 'site', 1, '货款已解冻', '订单 {orderSn} 的货款 {amount} 元已转入可用余额，可以提现。', '/center/mywallets'),
  ('money.withdraw', 'site', 1, '{what}', '提现 {sn}，{amount} 元：{text}。', '/center/mywallets/withdrawal'),
  ('money.refund', 'site', 1, '退款到账', '订单 {orderSn} 的 {amount} 元已退回您的余额。', '/center/mywallets/list'),
  ('money.deposit', 'site', 1, '保证金变动', '{text}', '/center/myself/depositWithdraw'),
  ('money.hold', 'site', 1, '资金冻结变动', '{text}', '/center/mywallets'),
  ('goods.review', 'site', 1, '{what}', '「{goods}」{text}', '/center/sellOutGoods'),
  ('goods.hidden', 'site', 1, '商品即将隐藏', '您有 {count} 件商品因长时间未登录将于 {deadline} 隐藏，登录一次即可继续展示。', '/center/sellOutGoods'),
  ('goods.bargain', 'site', 1, '议价有新进展', '「{goods}」{text}', '/center/buyBargainGoods'),
  ('goods.alert', 'site', 1, '订阅的搜索有新商品', '「{goods}」{text}', '/detail/{goodsSn}'),
  ('goods.back', 'site', 1, '收藏的商品重新上架', '「{goods}」重新上架了，{text}', '/detail/{goodsSn}'),
  ('goods.price', 'site', 1, '收藏的商品降价', '「{goods}」{text}', '/detail/{goodsSn}'),
  ('goods.want', 'site', 1, '有符合求购的新商品', '「{goods}」符合您的求购，{text}', '/detail/{goodsSn}'),
  ('chat.offline', 'site', 1, '有未读的订单消息', '订单 {orderSn} 的会话里有新消息等您回复。', '/chatSystem?orderSn={orderSn}'),
  ('security.login', 'site', 1, '新设备登录', '您的账号于 {time} 在新设备登录。不是本人操作请立即修改密码。', '/center/myself/accountSecurity'),
  ('security.change', 'site', 1, '{what}', '您的{what}，时间 {time}。不是本人操作请立即联系客服。', '/center/myself/accountSecurity'),
  ('service.review', 'site', 1, '入驻审核结果', '{text}', '/center'),
  ('service.order', 'site', 1, '服务订单有新进展', '{text}', '/center'),
  ('recycle.quote', 'site', 1, '回收报价结果', '{text}', '/center/buyback'),
  ('activity.coupon', 'site', 1, '优惠券提醒', '{text}', '/lotterydraw/myCoupon'),
  ('activity.notice', 'site', 1, '平台公告', '{text}', '/news');
