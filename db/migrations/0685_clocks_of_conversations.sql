-- Supervisors see every open conversation by its nearer clock; the clocks lay in two other tables, so each read computed and sorted them all
-- (docs/decisions/469).
alter table chat_group
  add column reply_by timestamptz,                       -- when an answer to the last message is due; null when service had the last word
  add column step_by timestamptz,                        -- when the order's transition runs out of time, as the order has it
  add column last_at timestamptz not null default now(); -- when the last message was written; before the first, when the group was created

CREATE OR REPLACE FUNCTION public.chat_group_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update chat_group set step_by = chat_step_by(new.status, new.ship_by, new.auto_confirm_at) where order_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.chat_group_has_clock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.step_by := (select chat_step_by(o.status, o.ship_by, o.auto_confirm_at) from orders o where o.id = new.order_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.chat_reply_by(p_sender text, p_type text, p_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when p_type <> 'card' and p_sender ~ '^[0-9]+$' then p_at + interval '120 seconds' end
$function$;

CREATE OR REPLACE FUNCTION public.chat_send(p_group bigint, p_sender text, p_client_id text, p_uid text, p_type text, p_content jsonb, p_expansion jsonb, OUT seq bigint, OUT uid text, OUT created_at timestamp with time zone, OUT repeated boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  g chat_group;
begin
  select * into g from chat_group where id = p_group for update;
  if not found then raise exception 'no such group' using errcode = 'YS301'; end if;
  select m.seq, m.uid, m.created_at, true into seq, uid, created_at, repeated
    from chat_message m where m.group_id = p_group and m.sender = p_sender and m.client_msg_id = p_client_id;
  if found then return; end if;
  if p_sender <> 'system' and not exists (select from chat_member c where c.group_id = p_group and c.member = p_sender and c.left_at is null) then
    raise exception 'not a member' using errcode = 'YS301';
  end if;
  if p_sender <> 'system' and g.status <> 1 then raise exception 'group closed' using errcode = 'YS302'; end if;
  -- A group that was opened while its order moved on has an earlier clock until the card of that transition.
  update chat_group u set last_seq = u.last_seq + 1, last_at = now(), reply_by = chat_reply_by(p_sender, p_type, now()),
      step_by = case when p_sender = 'system' then
        (select chat_step_by(o.status, o.ship_by, o.auto_confirm_at) from orders o where o.id = u.order_id) else u.step_by end
    where u.id = p_group returning u.last_seq into seq;
  insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content, expansion)
    values (p_group, chat_send.seq, p_uid, p_sender, p_client_id, p_type, p_content, p_expansion)
    returning chat_message.uid, chat_message.created_at into uid, created_at;
  repeated := false;
end $function$;

CREATE OR REPLACE FUNCTION public.chat_step_by(p_status smallint, p_ship_by timestamp with time zone, p_confirm_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case p_status when 1 then p_ship_by when 2 then p_confirm_at end
$function$;

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

CREATE OR REPLACE FUNCTION public.chat_urgency(p_reply_by timestamp with time zone, p_step_by timestamp with time zone, p_last_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce((extract(epoch from least(p_reply_by, p_step_by) at time zone 'UTC') * 1000000)::bigint,
    6000000000000000 - (extract(epoch from p_last_at at time zone 'UTC') * 1000000)::bigint)
$function$;

create trigger chat_group_follows_order after update of status, ship_by, auto_confirm_at on orders for each row
  when (chat_step_by(old.status, old.ship_by, old.auto_confirm_at) is distinct from chat_step_by(new.status, new.ship_by, new.auto_confirm_at))
  execute function chat_group_follows_order();

-- Servers of the version before create groups without the column.
create trigger chat_group_has_clock before insert on chat_group for each row when (new.order_id is not null)
  execute function chat_group_has_clock();
