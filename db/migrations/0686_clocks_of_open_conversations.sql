-- Conversations that are open now; those that ended are in the order of their ids.
update chat_group g set last_at = coalesce(m.created_at, g.created_at), reply_by = chat_reply_by(m.sender, m.type, m.created_at),
    step_by = chat_step_by(o.status, o.ship_by, o.auto_confirm_at)
  from chat_group h left join orders o on o.id = h.order_id left join chat_message m on m.group_id = h.id and m.seq = h.last_seq
  where g.id = h.id and g.status = 1;
