-- Log-in by a third party's app (domain.md 7). The code of a log-in is shown to everybody who sees the QR, so it opens nothing alone:
-- the browser that asked holds a cookie (browser_hash), and the phone that scanned holds a key (phone_hash).
alter table wechat_login
  add column act text not null default 'login' check (act in ('login', 'bind')),
  add column open_id text,
  add column union_id text,
  add column phone_hash bytea,
  add column agent text not null default '',
  add column created_at timestamptz not null default now(),
  add check (status = 'pending' or (open_id is not null and phone_hash is not null)),
  -- Only a signed-in user binds; who a log-in is for is known when it is used.
  add check (act = 'login' or user_id is not null);
create index wechat_login_age on wechat_login (expires_at);

-- Somebody who has proved a third party's account that no user has yet. Good once, in the browser that proved it, until it expires.
create table third_party_ticket (
  ticket_hash bytea primary key,
  provider text not null check (provider in ('wechat', 'qq')),
  open_id text not null,
  union_id text,
  browser_hash bytea not null,
  dist_id int not null references distributor,   -- records
  expires_at timestamptz not null
);
create index third_party_ticket_age on third_party_ticket (expires_at);

-- An account that its user closed keeps its trades and loses what says who it was; the erasure comes after a time to think again.
alter table app_user
  add column closed_at timestamptz,
  add column erase_at timestamptz,
  add column erased_at timestamptz,
  add check ((closed_at is null) = (erase_at is null));
