-- Questions of disputes and a notice that every installation begins with address users as 您. What staff have written since stays theirs.
with changed as (
  update dispute_reason set form = replace(form::text, '你', '您')::jsonb, version = version + 1
  where code = 'recovered' and version = 1 and form::text ~ '你' returning *)
insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status, reason)
  select code, version, name, goods_types, order_states, form, evidence, sort, status, '称呼改为您' from changed;

update notice_kind set name = replace(name, '轮到你', '轮到您') where code = 'order.handover';
update notice_template set title = replace(title, '轮到你', '轮到您'), body = replace(body, '轮到你', '轮到您')
  where kind = 'order.handover' and version = 1 and (title ~ '轮到你' or body ~ '轮到你');
