-- A recycler who cannot take an account over, or finds it changed after the inspection, needs the reasons that buyers of accounts have.
with changed as (
  update dispute_reason set goods_types = goods_types || 52::smallint, version = version + 1
  where code in ('recovered', 'not_as_described') and not 52 = any(goods_types) returning *)
insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status, reason)
  select code, version, name, goods_types, order_states, form, evidence, sort, status, '账号回收的订单也可以选' from changed;
