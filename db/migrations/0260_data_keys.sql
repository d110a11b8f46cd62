-- The keys that encrypt, index and sign, each wrapped by the installation's secret. The secret can change without changing them: they are
-- wrapped again. `secret_mark` is a keyed hash that names the secret, so that a start with another one is refused.
create table data_key (
  purpose text not null check (purpose in ('encrypt', 'blind', 'token', 'fingerprint', 'sandbox', 'push')),
  -- The first byte of each value that the key encrypted.
  id smallint not null check (id between 1 and 255),
  wrapped bytea not null,
  secret_mark bytea not null,
  created_at timestamptz not null default now(),
  -- New values are written under it from here on; every process has read it by then.
  active_at timestamptz not null default now(),
  -- Since when no value that can be opened is under an older key.
  drained_at timestamptz,
  primary key (purpose, id)
);
grant select, insert, update on data_key to youshi_app;
