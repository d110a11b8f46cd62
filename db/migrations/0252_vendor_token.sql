-- Access tokens that a vendor lends to the whole installation: WeChat voids the one before when a new one is asked for, so one process
-- at a time renews it (`refreshing_until`) and all others read it here. The value is encrypted.
create table vendor_token (
  name text primary key,
  value_enc bytea,
  expires_at timestamptz,
  refreshing_until timestamptz,
  check ((value_enc is null) = (expires_at is null))
);
grant select, insert, update on vendor_token to youshi_app;
