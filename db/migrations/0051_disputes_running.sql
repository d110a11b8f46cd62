-- What a running dispute keeps beside 0013: the order's clocks as they stood, who has accepted the ruling, what was paid in the end.
alter table dispute
  add column stopped jsonb not null default '{}' check (jsonb_typeof(stopped) = 'object'), -- {holdSeconds?, confirmSeconds?, shipSeconds?}: what was left of each
  add column escalated boolean not null default false,       -- a clock of the platform's own ran out
  add column buyer_accepted_at timestamptz,
  add column seller_accepted_at timestamptz,
  add column back_fen bigint check (back_fen >= 0),          -- of the goods' price, once carried out
  add column refunded_fen bigint check (refunded_fen >= 0),  -- what the buyer got in all
  add column to_seller_fen bigint check (to_seller_fen >= 0);

-- A ruling says the part of the goods' price; refund_fen and release_fen say what that means for the two.
alter table dispute_ruling add column back_fen bigint not null default 0 check (back_fen >= 0);

insert into setting (key, version, value) values
  ('disputes', 1, '{"lookSeconds": 900, "answerSeconds": 86400, "answerCoinSeconds": 7200, "ruleSeconds": 172800, "appealSeconds": 86400, "perDay": 10}');

-- The public rules that an empty installation begins with. A later version is a new row.
insert into platform_rule (no, version, title, body, in_force_from) values
  ('1.1', 1, '货款由平台托管', '买家付款后货款进入平台托管，买家确认或验收期满前，卖家拿不到；申诉期间所有计时停止，货款不放出。', '2026-01-01 00:00+08'),
  ('1.2', 1, '按时发货', '卖家须在订单写明的时限内发货。超时未发货，买家可以取消并全额退款。', '2026-01-01 00:00+08'),
  ('2.1', 1, '商品须与描述一致', '实际商品与下单时存档的描述不符，影响价值的，按不符部分占价格的比例退款；影响使用的，全额退款。', '2026-01-01 00:00+08'),
  ('2.2', 1, '数量不足按比例退款', '游戏币、道具数量不足的，按未到账数量的比例退款；一件都没有到账的，全额退款。', '2026-01-01 00:00+08'),
  ('2.3', 1, '账号被找回', '保护期内账号被原号主找回的，全额退款；卖家能证明找回与其无关的，由平台按证据裁决。', '2026-01-01 00:00+08'),
  ('2.4', 1, '换绑须配合完成', '卖家须配合完成全部必要的换绑步骤；因卖家不配合无法完成的，全额退款。', '2026-01-01 00:00+08'),
  ('2.5', 1, '实名与防沉迷如实说明', '账号的实名、防沉迷、封禁状态须如实说明；隐瞒导致不能正常游戏的，全额退款。', '2026-01-01 00:00+08'),
  ('3.1', 1, '服务按约定完成', '代练、陪玩按约定的内容和时长完成；未完成的部分按里程碑或时长比例退款。', '2026-01-01 00:00+08'),
  ('3.2', 1, '未到场与中途离开', '服务者开始后 10 分钟未到场的，全额退款；中途离开的，按已完成部分结算。', '2026-01-01 00:00+08'),
  ('4.1', 1, '谁主张谁举证', '提出主张的一方提供证据。订单记录、换绑步骤、密封信息查看记录、资金流水和群聊由平台直接采用，不需要双方再提交。', '2026-01-01 00:00+08'),
  ('4.2', 1, '超时未答复', '被申诉方超时未答复的，平台按现有证据裁决。', '2026-01-01 00:00+08'),
  ('4.3', 1, '站外交易不受保障', '脱离平台付款或交付的部分，平台无法核实，不予退款或赔付。', '2026-01-01 00:00+08'),
  ('4.4', 1, '不得恶意申诉', '以虚假证据申诉的，驳回申诉；多次发生的，限制申诉和交易。', '2026-01-01 00:00+08'),
  ('5.1', 1, '包赔的公开时钟', '理赔受理后开始追索计时，期满未追回由系统自动赔付，进度全部公开。', '2026-01-01 00:00+08'),
  ('5.2', 1, '包赔不保的情形', '转借他人使用、买家自行违规被封禁、主动换绑给第三方造成的损失，不在包赔范围内。', '2026-01-01 00:00+08'),
  ('6.1', 1, '退款怎么算', '退款以商品价为准，服务费按同样比例退；订单由平台关闭时未生效的包赔费全额退；优惠券抵扣的部分按比例收回。', '2026-01-01 00:00+08'),
  ('6.2', 1, '一次上诉', '任何一方可在裁决后规定时间内上诉一次，由另一位工作人员重新裁决，重新裁决为最终结果。', '2026-01-01 00:00+08');
