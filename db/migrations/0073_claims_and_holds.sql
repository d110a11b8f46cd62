-- A claim stops the hold of the sale that it follows; what is still held answers for what the fund pays.
alter table guarantee_claim
  add column stopped jsonb not null default '{}' check (jsonb_typeof(stopped) = 'object'), -- {holdSeconds?}: what was left
  add column recourse_fen bigint not null default 0 check (recourse_fen between 0 and paid_fen);

insert into platform_rule (no, version, title, body, in_force_from) values
  ('5.3', 1, '理赔先用仍在冻结的货款', '保护期内提出的理赔，卖家尚未解冻的货款停止计时；理赔赔付的，先从这笔货款中收回，其余由包赔基金承担；平台核实损失与卖家无关的，不收回。未赔付的，货款继续计时，到期放出。', '2026-01-01 00:00+08');
