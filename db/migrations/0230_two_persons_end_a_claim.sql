-- Two persons end a claim, whichever way (decision 223).
insert into platform_rule (no, version, title, body, in_force_from) values
  ('5.7', 1, '理赔由两人决定', '理赔的赔付、不予赔付和按已追回结束，都由两名工作人员共同决定；不予赔付须引用一条公开规则，保障继续有效，补充证明后可以再次申请。追索期满的自动赔付不因等待复核而推迟。', '2026-11-23 00:00+08');
