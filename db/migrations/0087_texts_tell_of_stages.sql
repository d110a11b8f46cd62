-- The texts of every installation tell that a part of a sale comes free early (decision 082). A sentence that staff have changed stays theirs.
update news set blocks = replace(blocks::text, '3 级以上 24 小时。"', '3 级以上 24 小时。1 级起，货款的一部分按等级在保护期内提前放出，比例、时间与额度见规则 7.2。"')::jsonb
where category = 'rule' and blocks::text like '%0 级 7 天，1 级 72 小时，2 级 48 小时，3 级以上 24 小时。"%';
update news set blocks = replace(blocks::text, '保护期按卖家等级为 24 小时到 7 天，结束后转入卖家可用余额。"', '保护期按卖家等级为 24 小时到 7 天，结束后转入卖家可用余额；其中一部分可能按卖家等级提前放出，买家的保护期和可退金额不受影响。"')::jsonb
where blocks::text like '%保护期按卖家等级为 24 小时到 7 天，结束后转入卖家可用余额。"%';
