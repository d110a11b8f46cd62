-- no-transaction
-- Conversations that are open now; those that ended are in the order of their ids. Some hundred at a time: their rows are locked first, in
-- the order of the ids as chat_store locks them, and what is read afterwards is what the last message and the order's transition left.
do $$
declare
  ids bigint[];
  after_id bigint := 0;
begin
  loop
    ids := array(select g.id from chat_group g where g.status = 1 and g.id > after_id order by g.id limit 300 for update);
    exit when cardinality(ids) = 0;
    update chat_group g set last_at = coalesce(m.created_at, g.created_at), reply_by = chat_reply_by(m.sender, m.type, m.created_at),
        step_by = chat_step_by(o.status, o.ship_by, o.auto_confirm_at)
      from chat_group h left join orders o on o.id = h.order_id left join chat_message m on m.group_id = h.id and m.seq = h.last_seq
      where g.id = h.id and h.id = any(ids);
    after_id := ids[cardinality(ids)];
    commit;
  end loop;
end $$;
