-- Keys of sellers for their own programs (docs/decisions/350). A key belongs to its seller alone, whatever the site of a call.
create table api_key (
  id bigint generated always as identity primary key,
  public_id text not null unique check (public_id ~ '^yk_[a-z0-9]{20}$'),
  user_id bigint not null references app_user,
  name text not null check (length(name) between 1 and 30),
  scopes text[] not null check (cardinality(scopes) > 0),
  networks text[] not null default '{}' check (cardinality(networks) <= 10), -- addresses that may use it; empty = any
  max_drop smallint not null check (max_drop between 0 and 90),               -- the most percent that it may lower a price within a day
  secret_enc bytea not null,
  previous_enc bytea,                            -- the secret before the last rotation, good until previous_until
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_network text,                             -- masked
  check ((previous_enc is null) = (previous_until is null))
);
create index api_key_user on api_key (user_id, id desc);
grant select, insert on api_key to youshi_app;
grant update (secret_enc, previous_enc, previous_until, revoked_at, last_used_at, last_network) on api_key to youshi_app;

-- Numbers of signed requests, kept as long as their time stamps are accepted, so that none is accepted twice.
create table api_nonce (
  key_id bigint not null references api_key,
  nonce text not null check (length(nonce) between 16 and 64),
  expires_at timestamptz not null,
  primary key (key_id, nonce)
);
create index api_nonce_expires on api_nonce (expires_at);
grant select, insert, delete on api_nonce to youshi_app;

-- What each key asked for, for its owner; kept for thirty days.
create table api_call (
  id bigint generated always as identity primary key,
  key_id bigint not null references api_key,
  at timestamptz not null default now(),
  method text not null,
  path text not null check (length(path) <= 120),
  code int not null,                             -- of the answer; 0 = success
  ms int not null,
  network text not null                          -- masked
);
create index api_call_key on api_call (key_id, id desc);
create index api_call_at on api_call (at);
grant select, insert, delete on api_call to youshi_app;

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('security.api_key', '开放接口密钥变动', 'security', '{site,sms}', false, true, 440);
insert into notice_template (kind, channel, version, title, body, link) values
  ('security.api_key', 'site', 1, '{what}', '{text}', '/center/openApi');
