-- What a session has proved beyond its log-in, per purpose, and how long payouts wait (design section 3, Step-up; docs/decisions/160).

-- A code that went to the owner's phone for one purpose, shown in this session. session.pay_verified_at is written by the pay password alone.
-- dist_id: belongs to the session; neither filters nor records.
create table step_up (
  session_hash bytea not null references session (id_hash) on delete cascade,
  purpose text not null,
  verified_at timestamptz not null default now(),
  primary key (session_hash, purpose)
);

-- Until when no withdrawal may be asked for, and why: 'phone' (moved to another number) or 'payPassword' (reset without the old one).
alter table app_user
  add column payout_wait_until timestamptz,
  add column payout_wait_reason text check (payout_wait_reason in ('phone', 'payPassword'));
