-- Stores a batch of user messages in group order and returns one outcome per message: stored, repeated, limited, YS301 or YS302.
-- Called by chat/server/queries.ts.
CREATE OR REPLACE FUNCTION public.chat_store(p_messages jsonb, p_max integer, p_seconds integer)
 RETURNS TABLE(n integer, verdict text, seq bigint, uid text, created_at timestamp with time zone, members text[])
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  m jsonb;
  target bigint;
  who text;
  client text;
  spent text[];
  places int[] := '{0}';
  place int;
  due timestamptz;
begin
  if jsonb_array_length(p_messages) = 1 then
    spent := limit_over(array['chat:' || (p_messages->0->>'sender')], array[1], p_max, p_seconds);
  else
    places := array(select e.ord - 1 from jsonb_array_elements(p_messages) with ordinality e(v, ord) order by (e.v->>'groupId')::bigint, e.ord);
    select limit_over(array_agg('chat:' || a.sender), array_agg(a.hits), p_max, p_seconds) into spent
      from (select e.v->>'sender' as sender, count(*)::int as hits from jsonb_array_elements(p_messages) e(v) group by 1) a;
  end if;

  foreach place in array places loop
    m := p_messages->place;
    target := m->>'groupId';
    who := m->>'sender';
    client := m->>'clientId';
    n := place + 1; seq := null; uid := m->>'uid'; created_at := null; members := null; verdict := null;
    if 'chat:' || who = any(spent) then
      verdict := 'limited';
      return next;
      continue;
    end if;
    due := chat_reply_by(who, m->>'type', now());
    -- Of messages that follow each other the first has the clock: the row of a lively group stays on its page.
    update chat_group g set last_seq = g.last_seq + 1,
        last_at = case when (g.last_at > now() - interval '5 seconds' and (g.reply_by is null) = (due is null)) then g.last_at else now() end,
        reply_by = case when (g.last_at > now() - interval '5 seconds' and (g.reply_by is null) = (due is null)) then g.reply_by else due end
      where g.id = target and g.status = 1 and exists (
        select from chat_member c where c.group_id = g.id and c.member = who and c.left_at is null)
      returning g.last_seq into seq;
    if found then
      insert into chat_message as x (group_id, seq, uid, sender, client_msg_id, type, content)
        values (target, chat_store.seq, chat_store.uid, who, client, m->>'type', m->'content')
        on conflict (group_id, sender, client_msg_id) do nothing returning x.created_at into created_at;
      if found then
        verdict := 'stored';
        update chat_member c set read_seq = chat_store.seq where c.group_id = target and c.member = who
          returning array(select o.member from chat_member o where o.group_id = target and o.left_at is null) into members;
        return next;
        continue;
      end if;
      -- The number and the clock are given back: no other message can have it, since the group's row is locked.
      update chat_group g set last_seq = g.last_seq - 1,
          last_at = coalesce((select x.created_at from chat_message x where x.group_id = target and x.seq = g.last_seq - 1), g.created_at),
          reply_by = (select chat_reply_by(x.sender, x.type, x.created_at) from chat_message x where x.group_id = target and x.seq = g.last_seq - 1)
        where g.id = target;
    end if;
    select x.seq, x.uid, x.created_at into seq, uid, created_at
      from chat_message x where x.group_id = target and x.sender = who and x.client_msg_id = client;
    verdict := case when found then 'repeated'
      when exists (select from chat_member c where c.group_id = target and c.member = who and c.left_at is null) then 'YS302'
      else 'YS301' end;
    members := array(select c.member from chat_member c where c.group_id = target and c.left_at is null);
    return next;
  end loop;
end $function$;
