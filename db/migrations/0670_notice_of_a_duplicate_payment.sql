-- A top-up that was paid twice had the notice of frozen money, though nothing is frozen.
insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('money.duplicate', '重复付款的退回', 'money', '{site,wechat}', false, false, 125);

insert into notice_template (kind, channel, version, title, body, link) values
  ('money.duplicate', 'site', 1, '重复付款{what}', '{text}', '/center/mywallets/list');
