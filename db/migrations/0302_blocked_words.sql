-- Words that staff keep out of what users publish and send (docs/OPERATIONS.md): masked, shown to the reviewer, or refused. An ended word stays
-- as a row; hits are counted in batches.
create table blocked_word (
  id bigint generated always as identity primary key,
  word text not null check (length(word) between 2 and 30),
  plain text not null check (plain <> ''),      -- as it is compared: one form for look-alikes, without gaps
  level text not null check (level in ('mask', 'review', 'refuse')),
  note text not null default '' check (length(note) <= 60),
  version int not null default 1,
  hits bigint not null default 0 check (hits >= 0),
  last_hit_at timestamptz,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_by bigint references staff,
  ended_reason text check (length(ended_reason) <= 200)
);
create unique index blocked_word_plain on blocked_word (plain) where ended_at is null;
grant select, insert on blocked_word to youshi_app;
grant update (level, note, version, hits, last_hit_at, ended_at, ended_by, ended_reason) on blocked_word to youshi_app;
