-- A seller who answered 与描述不符 had to write the same statement twice: the answer to the reason's question and the statement itself.
-- Reasons that staff have changed since stay as they are; cases keep the version that they were opened with.
with shorter as (
  update dispute_reason r set version = 2,
      form = (select jsonb_agg(f.field order by f.n) from jsonb_array_elements(r.form) with ordinality f (field, n) where f.field->>'key' <> 'answer')
    where r.code = 'not_as_described' and r.version = 1
    returning r.code, r.version, r.name, r.goods_types, r.order_states, r.form, r.evidence, r.sort, r.status)
insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status, reason)
  select code, version, name, goods_types, order_states, form, evidence, sort, status, '卖家只写一次说明' from shorter;
