-- Who is connected to the chat, over all gateways. Unlogged: after a crash nobody is connected, and an empty table says so.
-- A gateway beats once for all its members; a silent one (killed) counts as gone, so that presence costs no write per member.
create unlogged table chat_gateway (
  node text primary key,
  seen_at timestamptz not null default now()
);
create unlogged table chat_presence (
  member text not null,
  node text not null,
  primary key (member, node)
);
create index chat_presence_node on chat_presence (node);

-- Up to which message the member was reminded while away: the next reminder waits until they have read past it.
alter table chat_member add column reminded_seq bigint not null default 0;

-- The load of a member of staff is counted at each assignment; closed groups are no longer current, so the index stays small.
create index chat_member_current on chat_member (member) where is_current and left_at is null;
