-- chat_store as before (0060, 0074), in fewer steps: mostly one person says one thing, and one message needs neither sorting nor grouping. The sender's
-- mark and the list of members come from one statement, which looks at the group as it is under the lock. Locks are taken in the same order:
-- budgets by key, then groups by id.
create or replace function chat_store(p_messages jsonb, p_max int, p_seconds int)
returns table (n int, verdict text, seq bigint, uid text, created_at timestamptz, members text[]) language plpgsql as $$
#variable_conflict use_column
declare
  m jsonb;
  target bigint;
  who text;
  client text;
  spent text[];
  places int[] := '{0}';
  place int;
begin
  if jsonb_array_length(p_messages) = 1 then
    insert into limit_counter as c (key, hits, reset_at)
      values ('chat:' || (p_messages->0->>'sender'), 1, now() + make_interval(secs => p_seconds))
      on conflict (key) do update set
        hits = case when c.reset_at <= now() then excluded.hits else c.hits + excluded.hits end,
        reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
      returning case when c.hits > p_max then array[c.key] end into spent;
  else
    places := array(select e.ord - 1 from jsonb_array_elements(p_messages) with ordinality e(v, ord) order by (e.v->>'groupId')::bigint, e.ord);
    with asked as (select e.v->>'sender' as sender, count(*)::int as hits from jsonb_array_elements(p_messages) e(v) group by 1 order by 1),
    hit as (insert into limit_counter as c (key, hits, reset_at)
      select 'chat:' || a.sender, a.hits, now() + make_interval(secs => p_seconds) from asked a
      on conflict (key) do update set
        hits = case when c.reset_at <= now() then excluded.hits else c.hits + excluded.hits end,
        reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
      returning c.key, c.hits)
    select array_agg(h.key) into spent from hit h where h.hits > p_max;
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
    update chat_group g set last_seq = g.last_seq + 1
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
      -- The number goes back: nobody else has seen it, since the group's row is locked.
      update chat_group g set last_seq = g.last_seq - 1 where g.id = target;
    end if;
    select x.seq, x.uid, x.created_at into seq, uid, created_at
      from chat_message x where x.group_id = target and x.sender = who and x.client_msg_id = client;
    verdict := case when found then 'repeated'
      when exists (select from chat_member c where c.group_id = target and c.member = who and c.left_at is null) then 'YS302'
      else 'YS301' end;
    members := array(select c.member from chat_member c where c.group_id = target and c.left_at is null);
    return next;
  end loop;
end $$;
