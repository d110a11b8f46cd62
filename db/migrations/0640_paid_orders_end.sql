-- A paid order that is not shipped and on which nobody acts ends (docs/decisions/440): by rule, or before customer service.
alter table orders
  add column late_end_at timestamptz,          -- when a late order ends, as both were told; null while it is not late
  add column late_warned_at timestamptz;       -- when both were told for the last time
grant update (late_end_at, late_warned_at) on orders to youshi_app;

-- The version that counts gets the new field, and so does each that is planned: a version with a lower number would never begin.
with planned as (
  update setting set revoked_at = now() where key = 'order' and revoked_at is null and valid_from > now() returning version, value, created_by, approved_by, valid_from, reason),
newest as (select max(version) as version from setting where key = 'order'),
added as (
  insert into setting (key, version, value, created_by, approved_by, valid_from, reason)
    select 'order', n.version + 1, setting_now('order') || '{"lateSeconds": 259200}'::jsonb, null, null, now(),
      '超过发货时限后三天没有人操作：没有交付的自动取消并全额退款，其余转客服' from newest n
    union all
    select 'order', n.version + 1 + row_number() over (order by p.version)::int, '{"lateSeconds": 259200}'::jsonb || p.value, p.created_by, p.approved_by, p.valid_from, p.reason
    from planned p, newest n
  returning version, valid_from)
insert into timer (kind, ref, due_at) select 'setting.begin', 'order:' || version, valid_from from added where valid_from > now();

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('order.overdue', '卖家超时未发货', 'order', '{site,wechat,sms}', true, true, 41);
insert into notice_template (kind, channel, version, title, body, link) values
  ('order.overdue', 'site', 1, '{what}', '「{goods}」{text}', '/center/buyOrderDetail?orderSn={orderSn}');

insert into platform_rule (no, version, title, body, in_force_from)
  select no, version + 1, title, '卖家须在订单写明的时限内发货。超时未发货，买家可以取消并全额退款；卖家仍不发货、买家也没有操作的，到通知写明的时间自动取消并全额退款，按取消一笔订单计入卖家记录。已经有交付步骤完成，或等待买家、客服操作的，转客服处理。', now()
  from platform_rule where no = '1.2' and not retired and version = (select max(version) from platform_rule where no = '1.2');

-- The clock gives this reason; people cannot choose it.
with added as (
  insert into dispute_reason (code, name, form, evidence, sort, order_states, status) values
    ('order_late', '交付没有按时完成', '[]', '交付截图与聊天记录', 80, '{1,2}', 2)
    returning *)
insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status, reason)
  select code, version, name, goods_types, order_states, form, evidence, sort, status, '超过发货时限后没有进展，自动转客服裁决' from added;

-- Orders that wait already have the clock as well.
insert into timer (kind, ref, due_at)
  select 'order.late', id::text, greatest(ship_by, now()) from orders
  where status = 1 and ship_by is not null and not disputed and snapshot->>'service' is null
    and coalesce((snapshot->>'handoverType')::int, 0) <> 52
  on conflict do nothing;
insert into timer (kind, ref, due_at)
  select 'order.late', id::text, confirm_stopped_at + interval '3 days' from orders where status = 2 and confirm_stopped_at is not null and not disputed
  on conflict do nothing;
