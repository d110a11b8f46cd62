-- Public rules and agreements are versions that staff publish (docs/decisions/263): each counts from a time on, says who wrote it and why, and
-- can be taken back until then. What was published is never rewritten.
alter table platform_rule
  add column reason text not null default '' check (length(reason) <= 200),
  add column revoked_at timestamptz,
  add column revoked_by bigint references staff;
alter table legal_text
  add column reason text not null default '' check (length(reason) <= 200),
  add column needs_consent boolean not null default false, -- whoever agreed to an earlier version is asked again
  add column revoked_at timestamptz,
  add column revoked_by bigint references staff;

create function published_text_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - '{revoked_at,revoked_by}'::text[]) is distinct from (to_jsonb(old) - '{revoked_at,revoked_by}'::text[])
    or old.revoked_at is not null or old.in_force_from <= now()
  then raise exception 'what was published does not change: write a new version' using errcode = 'YS900'; end if;
  return new;
end $$;
drop trigger platform_rule_immutable on platform_rule;
drop trigger legal_text_immutable on legal_text;
create trigger platform_rule_kept before update or delete on platform_rule for each row execute function published_text_kept();
create trigger legal_text_kept before update or delete on legal_text for each row execute function published_text_kept();
create trigger platform_rule_immutable before truncate on platform_rule for each statement execute function refuse_change();
create trigger legal_text_immutable before truncate on legal_text for each statement execute function refuse_change();
grant update (revoked_at, revoked_by) on platform_rule, legal_text to youshi_app;

-- One unpublished text of each rule and agreement, which several editors may work on in turn.
create table rule_draft (
  key text primary key check (key ~ '^(rule|legal):[a-z0-9_.]{1,40}$'),
  version int not null default 1 check (version > 0),
  title text not null check (length(title) <= 60),
  body text not null check (length(body) <= 20000),
  staff_id bigint not null references staff,
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on rule_draft to youshi_app;
