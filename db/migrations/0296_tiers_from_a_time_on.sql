-- A guarantee tier is changed by a new version with terms of its own (decision 250): it counts from a time on, says who wrote it, who
-- allowed it and why, and can be taken back before it counts. Covers keep the terms of the version that was bought.
alter table guarantee_tier
  add column valid_from timestamptz not null default now(),
  add column created_by bigint references staff,
  add column approved_by bigint references staff,
  add column reason text not null default '' check (length(reason) <= 200),
  add column revoked_at timestamptz,
  add column revoked_by bigint references staff,
  add constraint guarantee_tier_two_persons check (approved_by is distinct from created_by or approved_by is null);

revoke update on guarantee_tier from youshi_app;
grant update (revoked_at, revoked_by) on guarantee_tier to youshi_app;
