-- Statements: a user's bill by time and kind, what an inviter earned by day, what a distributor earned by day, and its settlement.

-- The last version of an account at or before a moment, by bisection over its gap-free chain: 20 reads for a million entries, and no
-- further index on the busiest table. Times of entries are those of their transactions' beginnings, so neighbours may swap by seconds:
-- whoever needs the exact edge asks a little wider and compares the time itself.
create function ledger_version_at(p_account text, p_at timestamptz) returns bigint language plpgsql stable as $$
declare
  v_low bigint := 0;
  v_high bigint;
  v_mid bigint;
  v_at timestamptz;
begin
  select version into v_high from ledger_account where key = p_account;
  if v_high is null then return 0; end if;
  while v_low < v_high loop
    v_mid := (v_low + v_high + 1) / 2;
    select created_at into v_at from ledger_entry where account = p_account and version = v_mid;
    if v_at <= p_at then v_low := v_mid; else v_high := v_mid - 1; end if;
  end loop;
  return v_low;
end $$;

-- What somebody was rewarded with, and what a distributor earned, without walking the whole account.
create index ledger_transfer_invite on ledger_transfer (credit, id) where code = 'invite_reward';
create index ledger_transfer_share on ledger_transfer (dist_id, created_at) where code in ('dist_share', 'dist_settle');
create index app_user_inviter on app_user (inviter_id, id desc) where inviter_id is not null;

-- A distributor's commission is settled: its operator asks, finance pays to the contract's account and writes down the number of the
-- bank's receipt; above the limit a second person approves. dist_id filters.
create table dist_settlement (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  amount_fen bigint not null check (amount_fen > 0),
  status smallint not null default 0 check (status in (0, 1, 2)), -- 0 asked, 1 paid, 2 refused
  note text,
  receipt_no text,
  asked_by bigint not null references staff,
  first_by bigint references staff,
  decided_by bigint references staff,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  check ((status = 0) = (decided_at is null)),
  check (first_by is distinct from decided_by or first_by is null)
);
create unique index dist_settlement_open on dist_settlement (dist_id) where status = 0;
create index dist_settlement_dist on dist_settlement (dist_id, id desc);
revoke delete, truncate on dist_settlement from youshi_app;
