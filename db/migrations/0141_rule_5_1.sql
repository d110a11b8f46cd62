-- Rule 5.1 promised a payment without condition; rules 5.5 and 5.7 name the conditions and who decides otherwise.
insert into platform_rule (no, version, title, body, in_force_from) values
  ('5.1', 2, '包赔的公开时钟', '理赔受理后开始追索计时，进度全部公开。期满未追回的，符合规则 5.5 各项条件的自动赔付，不符合的由两名工作人员按规则 5.7 决定。', now());
