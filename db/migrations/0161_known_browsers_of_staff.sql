-- Browsers that a member of staff has logged in from, so that strangers' wrong tries lock nobody out (design section 8; docs/decisions/161).
-- dist_id: follows the member of staff; neither filters nor records.
create table staff_browser (
  staff_id bigint not null references staff,
  browser_hash bytea not null,                   -- of a random cookie
  last_at timestamptz not null default now(),
  primary key (staff_id, browser_hash)
);

-- The address that asked for a QR log-in, told to the phone before it confirms; rows are swept within the hour.
alter table wechat_login add column ip text not null default '';

-- When a session was last used, to five minutes.
alter table session add column last_seen_at timestamptz not null default now();
