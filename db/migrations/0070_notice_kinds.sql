-- Kinds of notice for what had a teller and no text, and none for what nobody tells. Sellers that stay away leave the shelf, coupons that
-- run out are told of, a pinned announcement reaches those who were here lately.

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('order.deal', '担保交易有答复', 'order', '{site,wechat,sms}', true, true, 46),
  ('service.black', '举报与申诉结果', 'service', '{site,wechat}', true, false, 530),
  ('security.closed', '账号注销', 'security', '{site,sms}', false, true, 420);
insert into notice_template (kind, channel, version, title, body, link) values
  ('order.deal', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('service.black', 'site', 1, '{what}', '{text}', '/black/center'),
  ('security.closed', 'site', 1, '账号已注销', '您的账号已于 {time} 注销，个人资料将于 {erase} 清除。不是本人操作请在此之前联系客服。', '/'),
  ('activity.notice', 'site', 2, '平台公告', '{text}', '/news/{code}'),
  ('activity.coupon', 'site', 2, '优惠券即将过期', '您有 {count} 张优惠券将于 {deadline} 起陆续过期，最高可减 {amount} 元。', '/lotterydraw/myCoupon');
update notice_kind set name = '优惠券即将过期' where code = 'activity.coupon';
update notice_kind set name = '商品因长时间未登录将下架' where code = 'goods.hidden';

-- Told by nobody: orders of services and bids of recyclers are told as orders are.
delete from notice_preference where kind in ('service.order', 'recycle.quote');
delete from notice_template where kind in ('service.order', 'recycle.quote');
delete from notice_kind where code in ('service.order', 'recycle.quote');

create index coupon_expiring on coupon (expires_at) where order_id is null;
insert into timer (kind, ref, due_at) values
  ('goods.away', 'all', now()),
  ('coupon.expiring', 'all', (date_trunc('day', now() at time zone 'Asia/Shanghai') + interval '1 day 10 hours') at time zone 'Asia/Shanghai');
