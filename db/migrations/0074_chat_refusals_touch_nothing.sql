-- chat_store as before (0060), and: who is refused leaves the group's row as it is. A number is drawn only by a member of an open group.
create or replace function chat_store(p_messages jsonb, p_max int, p_seconds int)
returns table (n int, verdict text, seq bigint, uid text, created_at timestamptz, members text[]) language plpgsql as $$
#variable_conflict use_column
declare
  m record;
  spent text[];
begin
  with asked as (select e.v->>'sender' as sender, count(*)::int as hits from jsonb_array_elements(p_messages) e(v) group by 1 order by 1),
  hit as (insert into limit_counter as c (key, hits, reset_at)
    select 'chat:' || a.sender, a.hits, now() + make_interval(secs => p_seconds) from asked a
    on conflict (key) do update set
      hits = case when c.reset_at <= now() then excluded.hits else c.hits + excluded.hits end,
      reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
    returning c.key, c.hits)
  select array_agg(h.key) into spent from hit h where h.hits > p_max;

  for m in select e.ord, (e.v->>'groupId')::bigint as group_id, e.v->>'sender' as sender, e.v->>'clientId' as client_id, e.v->>'uid' as uid,
      e.v->>'type' as type, e.v->'content' as content
    from jsonb_array_elements(p_messages) with ordinality e(v, ord) order by 2, 1
  loop
    n := m.ord; seq := null; uid := m.uid; created_at := null; members := null; verdict := null;
    if 'chat:' || m.sender = any(spent) then
      verdict := 'limited';
      return next;
      continue;
    end if;
    update chat_group g set last_seq = g.last_seq + 1
      where g.id = m.group_id and g.status = 1 and exists (
        select from chat_member c where c.group_id = g.id and c.member = m.sender and c.left_at is null)
      returning g.last_seq into seq;
    if found then
      insert into chat_message as x (group_id, seq, uid, sender, client_msg_id, type, content)
        values (m.group_id, chat_store.seq, m.uid, m.sender, m.client_id, m.type, m.content)
        on conflict (group_id, sender, client_msg_id) do nothing returning x.created_at into created_at;
      if found then
        verdict := 'stored';
        update chat_member c set read_seq = chat_store.seq where c.group_id = m.group_id and c.member = m.sender;
      else
        -- The number goes back: nobody else has seen it, since the group's row is locked.
        update chat_group g set last_seq = g.last_seq - 1 where g.id = m.group_id;
      end if;
    end if;
    if verdict is null then
      select x.seq, x.uid, x.created_at into seq, uid, created_at
        from chat_message x where x.group_id = m.group_id and x.sender = m.sender and x.client_msg_id = m.client_id;
      verdict := case when found then 'repeated'
        when exists (select from chat_member c where c.group_id = m.group_id and c.member = m.sender and c.left_at is null) then 'YS302'
        else 'YS301' end;
    end if;
    members := array(select c.member from chat_member c where c.group_id = m.group_id and c.left_at is null);
    return next;
  end loop;
end $$;
