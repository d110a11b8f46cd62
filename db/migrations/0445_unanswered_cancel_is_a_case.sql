-- A cancel of boosting that nobody answers in time becomes a case (domain.md 6, decision 308). Its reason is given by the clock and cannot
-- be chosen: it is switched off for people.
with added as (
  insert into dispute_reason (code, name, goods_types, form, evidence, sort, order_states, status) values
    ('cancel_unanswered', '协商取消超时未答复', '{60}', '[]', '进度截图与聊天记录', 78, '{1}', 2)
    returning *)
insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status, reason)
  select code, version, name, goods_types, order_states, form, evidence, sort, status, '取消申请超时未答复，自动转客服裁决' from added;
