-- Stores one message with the next sequence number of its group; idempotent per group, sender and client id. Raises YS301 (not a member),
-- YS302 (group closed). Called by chat/server/queries.ts.
CREATE OR REPLACE FUNCTION public.chat_send(p_group bigint, p_sender text, p_client_id text, p_uid text, p_type text, p_content jsonb, p_expansion jsonb, OUT seq bigint, OUT uid text, OUT created_at timestamp with time zone, OUT repeated boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  g chat_group;
begin
  select * into g from chat_group where id = p_group for update;
  if not found then raise exception 'chat group does not exist' using errcode = 'YS301'; end if;
  select m.seq, m.uid, m.created_at, true into seq, uid, created_at, repeated
    from chat_message m where m.group_id = p_group and m.sender = p_sender and m.client_msg_id = p_client_id;
  if found then return; end if;
  if p_sender <> 'system' and not exists (select from chat_member c where c.group_id = p_group and c.member = p_sender and c.left_at is null) then
    raise exception 'sender is not a member of the chat group' using errcode = 'YS301';
  end if;
  if p_sender <> 'system' and g.status <> 1 then raise exception 'chat group is closed' using errcode = 'YS302'; end if;
  -- A group that was opened while its order moved on has an earlier clock until the card of that transition.
  update chat_group u set last_seq = u.last_seq + 1, last_at = now(), reply_by = chat_reply_by(p_sender, p_type, now()),
      step_by = case when p_sender = 'system' then order_turn_due(u.order_id) else u.step_by end
    where u.id = p_group returning u.last_seq into seq;
  insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content, expansion)
    values (p_group, chat_send.seq, p_uid, p_sender, p_client_id, p_type, p_content, p_expansion)
    returning chat_message.uid, chat_message.created_at into uid, created_at;
  repeated := false;
end $function$;
