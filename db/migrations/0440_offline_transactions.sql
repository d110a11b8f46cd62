-- How an order was handed over outside the site (product.md 3, isRecovery): the seller's mark, and the buyer's word on it. A mark alone changes
-- nothing; is_recovery, which leaves a sale out of ratings and levels, follows from the buyer's agreement only (decision 303).
alter table orders
  add column offline_mark smallint check (offline_mark between 1 and 3),
  add column offline_agreed boolean,
  add constraint orders_offline_answer check (offline_agreed is null or offline_mark is not null) not valid,
  add constraint orders_offline_agreed check (is_recovery = case when offline_agreed then offline_mark else 0 end) not valid;
alter table orders validate constraint orders_offline_answer;
alter table orders validate constraint orders_offline_agreed;
grant update (offline_mark, offline_agreed, is_recovery) on orders to youshi_app;
comment on column orders.offline_mark is 'How the seller says it was handed over: 1 in person, 2 face to face in the game, 3 guided by voice or remotely. Null = on the site.';
comment on column orders.offline_agreed is 'The buyer''s word on the mark; null while there is none.';

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('order.offline', '线下交付的标明与核对', 'order', '{site,wechat}', true, false, 33);
insert into notice_template (kind, channel, version, title, body, link) values
  ('order.offline', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}');
