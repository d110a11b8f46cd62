-- The view of deposit levels is read, never written; a tier that is planned may be taken back, and nothing else of it changes.
revoke insert, update, delete, truncate on deposit_level from youshi_app;
create or replace function guarantee_tier_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - '{status,sort,revoked_at,revoked_by}'::text[]) is distinct from (to_jsonb(old) - '{status,sort,revoked_at,revoked_by}'::text[])
  then raise exception 'terms that were offered do not change: write a new version' using errcode = 'YS900'; end if;
  return new;
end $$;
