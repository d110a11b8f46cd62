-- Each night every rule of the books is checked on one snapshot (docs/LEDGER.md). A run without an end was killed and is taken up again.
create table books_check (
  id bigint generated always as identity primary key,
  day date not null unique,                      -- of China's calendar
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  transfers bigint,                              -- how many the books held then
  breaches text[]                                -- up to 100; empty = all is right
);
