-- Both parties are told of each opening of a sealed form; texts speak of the rule as it stands, and of a step in the words of any goods.
insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('order.opened', '密封信息被查看', 'order', '{site,wechat}', true, false, 35);
insert into notice_template (kind, channel, version, title, body, link) values
  ('order.opened', 'site', 1, '密封信息被查看', '「{goods}」：{who}查看了密封信息，用途：{purpose}。如非您预期，请在订单群联系客服。', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('order.handover', 'site', 2, '轮到您完成交付步骤', '「{goods}」第 {step} 步「{stepTitle}」轮到您操作，请在 {minutes} 分钟内完成。', '/center/buyOrderDetail?orderSn={orderSn}');
update notice_kind set name = '轮到您完成交付步骤' where code = 'order.handover';

update news set blocks = replace(replace(replace(blocks::text,
  '加密保存，只向指定的一方显示一次，并留有记录，订单结束后删除。', '加密保存，客服核对登录后、卖家发货后买家才能打开；每次打开都有记录并告知双方，保护期、申诉与包赔全部结束后连同密钥删除。'),
  '只通过密封表单交接，向指定的人显示一次，显示会被记录；订单结束后删除。', '只通过密封表单交接，只有负责本单的客服和交易对方能按步骤打开，每次打开都会记录并告知双方；保护期、申诉与包赔全部结束后连同密钥删除。'),
  '账号密码在密封表单里交接，只显示一次。', '账号密码在密封表单里交接，每次打开都会告知双方。')::jsonb
where blocks::text like '%密封表单%';
