-- The draft of a game's next version: one for all editors, so that two of them cannot prepare different ones unseen.
create table game_draft (
  game_id int primary key,                               -- no reference: a new game has its number before it is published
  rev int not null check (rev > 0),                      -- counts the saves; an editor saves over the one it has seen
  base_version int not null check (base_version >= 0),   -- the version it was begun from; 0 = a new game
  doc jsonb not null,
  updated_by bigint references staff,
  updated_at timestamptz not null default now()
);
grant delete on game_draft to youshi_app;
