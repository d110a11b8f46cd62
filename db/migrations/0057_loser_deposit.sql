-- Who loses a dispute by own fault pays from the deposit of the role in which they traded; what that costs is a public rule and no opinion
-- of the one who rules. It goes to the guarantee fund, so that nobody earns by quarrelling.
insert into setting (key, version, value) values
  ('deposit', 2, '{"cancelBp": 200, "cancelMinFen": 500, "cancelMaxFen": 20000, "recheckSeconds": 21600, "lossBp": 500, "lossMinFen": 1000, "lossMaxFen": 50000}');
insert into platform_rule (no, version, title, body, in_force_from) values
  ('8.3', 1, '申诉败诉扣除保证金', '裁决认定一方有过错而败诉的，从其交易角色的保证金中扣除退款额的 5%（最低 10 元，最高 500 元），归入包赔基金；上诉期满或上诉裁决后执行，没有保证金或余额不足的，以现有保证金为限。回收商败诉的，以回收价计。', '2026-01-01 00:00+08')
on conflict do nothing;
create index deposit_penalty_dispute on deposit_penalty (dispute_id) where dispute_id is not null;
