-- Order chat. A message has a gap-free number in its group; a client's own id makes a retry harmless (domain.md 5).
create table chat_group (
  id bigint generated always as identity (start with 1001) primary key,
  group_type smallint not null check (group_type in (1, 2)),  -- 1 trade group, 2 one user with customer service
  order_id bigint unique references orders,
  user_id bigint references app_user,
  dist_id int not null references distributor,
  last_seq bigint not null default 0,
  status smallint not null default 1,                          -- 1 open, 2 closed
  created_at timestamptz not null default now(),
  check ((group_type = 1) = (order_id is not null))
);

-- member: '<user id>' or the staff's im_uid; the same text is senderUserId on the wire.
create table chat_member (
  group_id bigint not null references chat_group,
  member text not null,
  role text not null check (role in ('buyer', 'seller', 'staff', 'owner')),
  is_current boolean not null default false,                   -- the customer service that has the order now
  read_seq bigint not null default 0,
  muted boolean not null default false,
  joined_at timestamptz not null default now(),
  left_at timestamptz,
  primary key (group_id, member)
);
create index chat_member_of on chat_member (member, group_id desc) where left_at is null;

create table chat_message (
  group_id bigint not null references chat_group,
  seq bigint not null,
  uid text not null unique,
  sender text not null,                                        -- a member, or 'system'
  client_msg_id text not null,
  type text not null check (type in ('text', 'image', 'recall', 'card')),
  content jsonb not null,
  expansion jsonb,
  recalled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (group_id, seq),
  unique (group_id, sender, client_msg_id)
);
revoke delete, truncate on chat_message from youshi_app;

-- Stores a message and numbers it. The lock on the group's row makes numbers gap-free and a repeated client id harmless.
-- Errors: YS301 sender is not a member, YS302 group closed.
create function chat_send(p_group bigint, p_sender text, p_client_id text, p_uid text, p_type text, p_content jsonb, p_expansion jsonb,
    out seq bigint, out uid text, out created_at timestamptz, out repeated boolean) language plpgsql as $$
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
  update chat_group set last_seq = last_seq + 1 where id = p_group returning last_seq into seq;
  insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content, expansion)
    values (p_group, chat_send.seq, p_uid, p_sender, p_client_id, p_type, p_content, p_expansion)
    returning chat_message.uid, chat_message.created_at into uid, created_at;
  repeated := false;
end $$;

-- One-time entry to the socket: made by a signed-in call, used once within a minute.
create table chat_ticket (
  id_hash bytea primary key,
  member text not null,
  session_hash bytea not null,
  dist_id int not null references distributor,
  expires_at timestamptz not null
);
