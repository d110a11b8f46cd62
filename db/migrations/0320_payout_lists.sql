-- Payouts that no channel makes: finance exports approved withdrawals as a list for the bank, and books what came of each line. A
-- withdrawal is in one list at a time, which its own column says and the index below keeps.
create table payout_list (
  id bigint generated always as identity primary key,
  sn text not null unique,
  -- Version of the file's columns, so that a list is written again as it was.
  format smallint not null default 1,
  line_count int not null check (line_count > 0),
  total_fen bigint not null check (total_fen > 0),
  -- SHA-256 of the file; a later download must be the same bytes.
  file_hash bytea not null,
  created_by bigint not null references staff(id),
  created_at timestamptz not null default now()
);

create table payout_line (
  id bigint generated always as identity primary key,
  list_id bigint not null references payout_list(id),
  line_no int not null,
  withdrawal_id bigint not null references withdrawal(id),
  -- What the payee gets: the amount less the fee.
  amount_fen bigint not null check (amount_fen > 0),
  -- What one person entered and another has not confirmed. The number grows with each entry, so that nobody confirms an unread one.
  draft_result text check (draft_result in ('paid', 'refused', 'requeued', 'bounced')),
  draft_detail text,
  draft_by bigint references staff(id),
  draft_at timestamptz,
  draft_no int not null default 0,
  -- What was booked: the bank's reference, or the reason.
  result text check (result in ('paid', 'refused', 'requeued', 'bounced')),
  detail text,
  entered_by bigint references staff(id),
  booked_by bigint references staff(id),
  booked_at timestamptz,
  unique (list_id, line_no),
  check ((draft_result is null) = (draft_by is null)),
  check ((result is null) = (booked_by is null)),
  -- Two persons.
  check (booked_by is null or (entered_by is not null and entered_by <> booked_by))
);
-- Dist: withdrawals record theirs; lists are the platform's.
create unique index payout_line_once on payout_line (withdrawal_id) where result is distinct from 'requeued';
create index payout_line_draft on payout_line (list_id) where draft_result is not null;

alter table withdrawal
  add column list_id bigint references payout_list(id),
  -- Opens the channel's question to the payee who must accept the money first.
  add column accept_token text;
create index withdrawal_unlisted on withdrawal (id) where status = 1 and channel = 'bank' and list_id is null;

grant select, insert on payout_list to youshi_app;
revoke update, delete on payout_list from youshi_app;
grant select, insert, update on payout_line to youshi_app;
revoke delete on payout_line from youshi_app;
grant update (list_id, accept_token) on withdrawal to youshi_app;
