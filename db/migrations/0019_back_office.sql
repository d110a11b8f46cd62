-- The back office's own records: who serves whom, what is said often, what needs a second person, and the daily numbers.

-- Which customer service takes a new group. The first rule that fits wins, by sort; among its people the least loaded on duty.
-- dist_id filters: null = every site.
create table assignment_rule (
  id int generated always as identity primary key,
  name text not null,
  dist_id int references distributor,
  game_id int references game,
  order_types smallint[],                        -- null = all
  min_fen bigint not null default 0 check (min_fen >= 0),
  max_fen bigint check (max_fen > min_fen),
  duty text not null default 'trade' check (duty in ('presale', 'trade', 'inspection', 'handover', 'after_sale', 'dispute')),
  staff_ids bigint[] not null default '{}',      -- empty = everyone of role service
  keep_same boolean not null default true,       -- a person who had this buyer before comes first
  sort int not null default 0,
  status smallint not null default 1 check (status in (1, 2)),
  created_at timestamptz not null default now()
);
create index assignment_rule_order on assignment_rule (duty, sort) where status = 1;

create table staff_shift (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  check (ends_at > starts_at)
);
create index staff_shift_staff on staff_shift (staff_id, starts_at);

-- Who had a group, from when to when and why it went on: behind 'who is this, on which order' and the service statistics.
create table chat_assignment (
  id bigint generated always as identity primary key,
  group_id bigint not null references chat_group,
  staff_id bigint not null references staff,
  reason text not null,                          -- rule:<id>, transfer, takeover, off duty
  by_staff_id bigint references staff,
  from_at timestamptz not null default now(),
  first_reply_at timestamptz,
  to_at timestamptz
);
create unique index chat_assignment_now on chat_assignment (group_id) where to_at is null;
create index chat_assignment_staff on chat_assignment (staff_id, from_at desc);

-- Visitors and groups that wait for a person, oldest first.
create table service_queue (
  group_id bigint primary key references chat_group,
  dist_id int not null references distributor,   -- filters
  duty text not null,
  since timestamptz not null default now(),
  promised_at timestamptz                        -- when the waiting person was told to expect an answer
);
create index service_queue_order on service_queue (duty, since);

-- dist_id filters, null = every site; staff_id set = one person's own.
create table canned_answer (
  id bigint generated always as identity primary key,
  dist_id int references distributor,
  staff_id bigint references staff,
  game_id int references game,
  grp text not null default '常用',
  title text not null,
  text text not null check (length(text) between 1 and 2000),
  shortcut text,
  uses int not null default 0,
  sort int not null default 0,
  status smallint not null default 1 check (status in (1, 2)),
  updated_at timestamptz not null default now()
);
create index canned_answer_list on canned_answer (grp, sort) where status = 1;

-- Service satisfaction: one answer of one person for one group.
create table service_satisfaction (
  group_id bigint not null references chat_group,
  user_id bigint not null references app_user,
  staff_id bigint references staff,
  order_id bigint references orders,
  dist_id int not null references distributor,   -- filters
  score smallint not null check (score between 1 and 5),
  solved boolean,
  tags text[] not null default '{}',
  content text not null default '',
  created_at timestamptz not null default now(),
  primary key (group_id, user_id)
);
create index service_satisfaction_staff on service_satisfaction (staff_id, created_at desc);

-- Contact that a party leaves for one transaction, for the assigned staff alone; erased after completion.
create table order_contact (
  order_id bigint not null references orders,
  user_id bigint not null references app_user,
  body_enc bytea,                                -- null once erased
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  erased_at timestamptz,
  primary key (order_id, user_id),
  check ((body_enc is null) = (erased_at is not null))
);

-- An act that one person asks for and another allows (money above a limit, identity reveal, configuration of a site, adverts).
-- Executed in the transaction that allows it. dist_id filters; null = of the platform.
create table approval (
  id bigint generated always as identity primary key,
  dist_id int references distributor,
  act text not null,                             -- withdrawal.pay, refund, ledger.adjust, kyc.reveal, dist.conf, export …
  target text not null,
  payload jsonb not null,
  amount_fen bigint check (amount_fen > 0),
  reason text not null,
  asked_by bigint not null references staff,
  status text not null default 'waiting' check (status in ('waiting', 'allowed', 'refused', 'expired')),
  decided_by bigint references staff,
  note text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  constraint approval_second_person check (decided_by is distinct from asked_by),
  check ((status in ('allowed', 'refused')) = (decided_by is not null))
);
create unique index approval_open on approval (act, target) where status = 'waiting';

-- The clearing between sites: what one distributor sold, earned and paid on one day of China. Closed by a job the day after; a closed
-- statement is not changed, a correction is a line of a later day. dist_id filters.
create table dist_day (
  dist_id int not null references distributor,
  day date not null,
  visits int not null default 0,
  new_users int not null default 0,
  listings int not null default 0,
  orders_placed int not null default 0,
  orders_paid int not null default 0,
  orders_done int not null default 0,
  orders_cancelled int not null default 0,
  paid_fen bigint not null default 0,
  done_fen bigint not null default 0,
  refunded_fen bigint not null default 0,
  service_fee_fen bigint not null default 0,
  seller_commission_fen bigint not null default 0,
  premium_fen bigint not null default 0,
  dist_share_fen bigint not null default 0,      -- equals the day's credits to dist:<id>:commission
  correction_fen bigint not null default 0,
  disputes int not null default 0,
  claims int not null default 0,
  withdrawn_fen bigint not null default 0,
  made_at timestamptz not null default now(),
  closed_at timestamptz,
  primary key (dist_id, day)
);
create index dist_day_open on dist_day (day) where closed_at is null;

create table dist_day_line (
  dist_id int not null,
  day date not null,
  order_id bigint not null references orders,
  kind text not null check (kind in ('sale', 'refund', 'claim', 'correction')),
  transfer_id bigint not null references ledger_transfer,
  amount_fen bigint not null check (amount_fen <> 0),
  primary key (dist_id, day, transfer_id),
  foreign key (dist_id, day) references dist_day
);

create function closed_day_stays() returns trigger language plpgsql as $$
begin
  if old.closed_at is not null then raise exception 'a closed statement is not changed' using errcode = 'YS900'; end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger dist_day_closed before update or delete on dist_day for each row execute function closed_day_stays();

create function closed_day_line_stays() returns trigger language plpgsql as $$
begin
  if exists (select from dist_day d where d.dist_id = new.dist_id and d.day = new.day and d.closed_at is not null)
  then raise exception 'a closed statement is not changed' using errcode = 'YS900'; end if;
  return new;
end $$;
create trigger dist_day_line_closed before insert on dist_day_line for each row execute function closed_day_line_stays();
create trigger dist_day_line_immutable before update or delete or truncate on dist_day_line for each statement execute function refuse_change();

-- How long goods take to sell, by game and goods type (page /dealshow/selltime), made daily from real sales of 30 days.
create table sell_time_stat (
  game_id int not null references game,
  type_id smallint not null,
  price_band smallint not null check (price_band between 0 and 9), -- see the job: bands of the price
  sold int not null,
  median_hours int not null,
  day1_bp int not null check (day1_bp between 0 and 10000),   -- share sold within a day
  day7_bp int not null check (day7_bp between 0 and 10000),
  made_at timestamptz not null default now(),
  primary key (game_id, type_id, price_band)
);

revoke update, delete, truncate on dist_day_line from youshi_app;
revoke delete, truncate on approval, dist_day, chat_assignment, service_satisfaction from youshi_app;
