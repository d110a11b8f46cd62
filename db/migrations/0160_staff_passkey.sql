-- Passkeys of staff (WebAuthn), and the challenges that browsers are answering.
create table staff_passkey (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff (id),
  credential_id text not null unique check (length(credential_id) between 16 and 1400),
  public_key bytea not null,
  counter bigint not null default 0 check (counter >= 0),
  transports text[] not null default '{}',
  name text not null check (char_length(name) between 1 and 20),
  synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index staff_passkey_staff_id_idx on staff_passkey (staff_id);

create table staff_passkey_challenge (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('login', 'register', 'stepUp')),
  staff_id bigint references staff (id),
  expires_at timestamptz not null,
  check ((purpose = 'login') = (staff_id is null))
);
create index staff_passkey_challenge_expires_at_idx on staff_passkey_challenge (expires_at);
create index staff_passkey_challenge_staff_id_idx on staff_passkey_challenge (staff_id);

grant delete on staff_passkey, staff_passkey_challenge to youshi_app;
