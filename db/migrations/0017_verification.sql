-- Trust: is this a real customer-service number, and is this a bad account. Numbers are looked up by a keyed hash (HMAC blind
-- index), so that neither the tables nor a leak of them give a list of people's numbers.

-- Numbers that are ours: what staff use, where money goes, which groups exist. value_enc lets the back office read it back.
-- dist_id filters: a number of one site is not confirmed on another; null = of the platform, true everywhere.
create table official_number (
  id bigint generated always as identity primary key,
  dist_id int references distributor,
  kind text not null check (kind in ('qq', 'wechat', 'phone', 'payee', 'group', 'link')),
  value_hash bytea not null,
  value_enc bytea not null,
  value_mask text not null,
  show_value text,                               -- shown on pages (serQqList); null = only confirmed, never listed
  name text not null,                            -- 售前客服 小林, 官方收款账户 …
  staff_id bigint references staff,
  valid_from timestamptz not null default now(),
  valid_until timestamptz,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  check (valid_until is null or valid_until > valid_from)
);
create unique index official_number_once on official_number (kind, value_hash, dist_id) nulls not distinct where valid_until is null;
create index official_number_list on official_number (dist_id, kind) where show_value is not null and valid_until is null;

-- Each question, for the public statistics and for alarms (one false number asked by many people). Kept 180 days.
create table verify_query (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,   -- records
  kind text not null,
  value_hash bytea not null,
  verdict smallint not null check (verdict in (0, 1, 2)), -- official numbers: 1 ours, 2 not ours; blacklist: 1 listed, 2 clean, 0 unknown
  purpose text not null check (purpose in ('service', 'black')),
  user_id bigint references app_user,
  ip_hash bytea,
  created_at timestamptz not null default now()
);
create index verify_query_value on verify_query (value_hash, created_at desc);
create index verify_query_age on verify_query (created_at);

-- A false customer service that somebody met: evidence for an entry on the blacklist. dist_id filters (the site it imitated).
create table fake_service_report (
  id bigint generated always as identity primary key,
  dist_id int not null references distributor,
  user_id bigint references app_user,
  kind text not null check (kind in ('qq', 'wechat', 'phone', 'payee', 'group', 'link')),
  value_hash bytea not null,
  value_enc bytea not null,
  value_mask text not null,
  text text not null,
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  status text not null default 'reviewing' check (status in ('reviewing', 'listed', 'rejected')),
  black_id bigint,
  handled_by bigint references staff,
  created_at timestamptz not null default now()
);
create index fake_service_report_open on fake_service_report (id) where status = 'reviewing';

-- The blacklist: an entry has evidence, an expiry and an appeal. It is shared by all sites; dist_id records where it was reported.
create table black_entry (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  game_id int references game,
  reason text not null check (reason in ('recovered', 'fraud', 'fake_service', 'malicious_refund', 'stolen', 'cheating', 'other')),
  title text not null,
  text text not null,                            -- as reported, for staff and the reporter
  public_text text,                              -- as published, without names
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  amount_fen bigint check (amount_fen > 0),
  happened_on date,
  reporter_id bigint references app_user,        -- null = from a ruling or the platform
  order_id bigint references orders,
  dispute_id bigint references dispute,
  source text not null default 'report' check (source in ('report', 'ruling', 'staff', 'external')),
  status text not null default 'reviewing' check (status in ('reviewing', 'listed', 'rejected', 'removed', 'expired', 'withdrawn')),
  review_note text,
  reviewed_by bigint references staff,
  listed_at timestamptz,
  expires_at timestamptz,
  views int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (status <> 'listed' or (listed_at is not null and expires_at is not null and public_text is not null)),
  check (source <> 'ruling' or dispute_id is not null),
  check (expires_at is null or listed_at is null or expires_at > listed_at)
);
create index black_entry_listed on black_entry (listed_at desc, id desc) where status = 'listed';
create index black_entry_reporter on black_entry (reporter_id, id desc);
create index black_entry_review on black_entry (id) where status = 'reviewing';
create index black_entry_expiry on black_entry (expires_at) where status = 'listed';
alter table fake_service_report add foreign key (black_id) references black_entry;

-- The numbers an entry names. Looked up by hash alone.
create table black_key (
  entry_id bigint not null references black_entry,
  kind text not null check (kind in ('qq', 'wechat', 'phone', 'alipay', 'game', 'bank', 'group')),
  value_hash bytea not null,
  value_mask text not null,
  primary key (entry_id, kind, value_hash)
);
create index black_key_lookup on black_key (value_hash, kind);

-- One appeal at a time; the person who listed an entry does not decide on its appeal.
create table black_appeal (
  id bigint generated always as identity primary key,
  entry_id bigint not null references black_entry,
  user_id bigint not null references app_user,
  text text not null,
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  status text not null default 'reviewing' check (status in ('reviewing', 'granted', 'refused')),
  answer text,
  decided_by bigint references staff,
  answer_by timestamptz not null,                -- the clock that the appellant reads
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  check ((status = 'reviewing') = (decided_at is null)),
  check (status = 'reviewing' or answer is not null)
);
create unique index black_appeal_open on black_appeal (entry_id, user_id) where status = 'reviewing';
create index black_appeal_queue on black_appeal (answer_by) where status = 'reviewing';

create function black_appeal_person() returns trigger language plpgsql as $$
begin
  if new.decided_by is not null and exists (select from black_entry e where e.id = new.entry_id and e.reviewed_by = new.decided_by)
  then raise exception 'another person decides on an appeal' using errcode = 'YS403'; end if;
  return new;
end $$;
create trigger black_appeal_person before insert or update on black_appeal for each row execute function black_appeal_person();

create table black_event (
  id bigint generated always as identity primary key,
  entry_id bigint not null references black_entry,
  kind text not null,                            -- reported, listed, rejected, appealed, removed, extended, expired
  actor text not null,
  explain text not null default '',
  created_at timestamptz not null default now()
);
create index black_event_entry on black_event (entry_id, id);
create trigger black_event_immutable before update or delete or truncate on black_event for each statement execute function refuse_change();

-- What the external service said, so that it is asked once a day for one number. 0 unknown is kept for an hour only.
create table black_external (
  kind text not null,
  value_hash bytea not null,
  verdict smallint not null check (verdict in (0, 1, 2)),
  detail jsonb not null default '{}',
  asked_at timestamptz not null default now(),
  good_until timestamptz not null,
  primary key (kind, value_hash)
);

revoke update, delete, truncate on black_event from youshi_app;
revoke delete, truncate on black_entry, black_key, black_appeal from youshi_app;
