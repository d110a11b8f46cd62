-- Jobs that fail for good, and events whose listener does, wait here for staff: nothing is lost, and nothing is tried for ever.
create table dead_letter (
  id bigint generated always as identity primary key,
  -- 'job': kind and key of a timer; 'event': a topic, whose ref is the number that the event had in the outbox.
  what text not null check (what in ('job', 'event')),
  name text not null,
  ref text not null,
  payload jsonb not null default '{}',
  error text not null,
  attempts int not null,
  first_failed_at timestamptz not null,
  last_failed_at timestamptz not null default now(),
  status text not null default 'open' check (status in ('open', 'again', 'discarded')),
  staff_id bigint references staff(id),
  note text,
  decided_at timestamptz,
  check ((status = 'open') = (decided_at is null))
);
-- One open letter of each: what dies again while it is there is the same letter.
create unique index dead_letter_open on dead_letter (what, name, ref) where status = 'open';
create index dead_letter_decided on dead_letter (decided_at desc, id desc) where status <> 'open';
grant select, insert, update on dead_letter to youshi_app;

-- How the runs of a job have failed since it was set: `attempts` counts claims, `faults` those that ended with a fault of ours.
alter table timer add column faults int not null default 0, add column first_failed_at timestamptz, add column last_error text;
