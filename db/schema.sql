-- The schema that db/migrations add up to; its functions are in db/functions. Written by `npm run db:gen`; never edited by hand.

-- Extensions

create extension btree_gin;
create extension btree_gist;
create extension pg_trgm;

-- Sequences

create sequence game_area_number as integer start 10000001 increment 1 minvalue 1 maxvalue 2147483647 cache 1;
create sequence game_number as integer start 1001 increment 1 minvalue 1 maxvalue 2147483647 cache 1;
create sequence game_server_number as integer start 1000000001 increment 1 minvalue 1 maxvalue 2147483647 cache 1;

-- Tables

create table advert (
  id bigint generated always as identity not null,
  dist_id integer,
  "position" text not null,
  game_id integer,
  device smallint default 0 not null,
  title text not null,
  small_title text default ''::text not null,
  picture_key text,
  ht_url text not null,
  remind boolean default false not null,
  sort integer default 0 not null,
  starts_at timestamp with time zone default now() not null,
  ends_at timestamp with time zone,
  status smallint default 0 not null,
  created_by bigint,
  approved_by bigint,
  created_at timestamp with time zone default now() not null,
  constraint advert_pkey PRIMARY KEY (id),
  constraint advert_check CHECK (((status <> 1) OR (created_by IS NULL) OR ((approved_by IS NOT NULL) AND (approved_by <> created_by)))),
  constraint advert_check1 CHECK (((ends_at IS NULL) OR (ends_at > starts_at))),
  constraint advert_device_check CHECK ((device = ANY (ARRAY[0, 1]))),
  constraint advert_ht_url_check CHECK ((ht_url ~ '^(https?://|/($|[^/\\]))'::text)),
  constraint advert_position_check CHECK (("position" ~ '^[a-z0-9_]{2,40}$'::text)),
  constraint advert_status_check CHECK ((status = ANY (ARRAY[0, 1, 2]))),
  constraint advert_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES staff(id),
  constraint advert_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint advert_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint advert_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table alert (
  id bigint generated always as identity not null,
  user_id bigint not null,
  dist_id integer not null,
  kind text not null,
  goods_id bigint,
  filter jsonb default '{}'::jsonb not null,
  channels text[] default '{site}'::text[] not null,
  frequency text default 'now'::text not null,
  paused boolean default false not null,
  last_sent_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  title text default ''::text not null,
  path text default '/wares'::text not null,
  game_id integer,
  type_id smallint,
  area_id integer,
  server_id integer,
  min_fen bigint,
  max_fen bigint,
  words tsquery,
  ranges jsonb default '[]'::jsonb not null,
  at_least jsonb default '[]'::jsonb not null,
  seller_id bigint,
  constraint alert_pkey PRIMARY KEY (id),
  constraint alert_frequency_check CHECK ((frequency = ANY (ARRAY['now'::text, 'daily'::text]))),
  constraint alert_kind_check CHECK ((kind = ANY (ARRAY['search'::text, 'price_drop'::text, 'back_on_sale'::text]))),
  constraint alert_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint alert_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint alert_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint alert_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table alert_match (
  alert_id bigint not null,
  goods_id bigint not null,
  price_fen bigint not null,
  pushed_at timestamp with time zone,
  matched_at timestamp with time zone default now() not null,
  constraint alert_match_pkey PRIMARY KEY (alert_id, goods_id),
  constraint alert_match_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(id) ON DELETE CASCADE,
  constraint alert_match_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id)
);

create table api_call (
  id bigint generated always as identity not null,
  key_id bigint not null,
  at timestamp with time zone default now() not null,
  method text not null,
  path text not null,
  code integer not null,
  ms integer not null,
  network text not null,
  constraint api_call_pkey PRIMARY KEY (id),
  constraint api_call_path_check CHECK ((length(path) <= 120)),
  constraint api_call_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id)
);

create table api_key (
  id bigint generated always as identity not null,
  public_id text not null,
  user_id bigint not null,
  name text not null,
  scopes text[] not null,
  networks text[] default '{}'::text[] not null,
  max_drop smallint not null,
  secret_enc bytea not null,
  previous_enc bytea,
  previous_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  last_network text,
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_public_id_key UNIQUE (public_id),
  constraint api_key_check CHECK (((previous_enc IS NULL) = (previous_until IS NULL))),
  constraint api_key_max_drop_check CHECK (((max_drop >= 0) AND (max_drop <= 90))),
  constraint api_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 30))),
  constraint api_key_networks_check CHECK ((cardinality(networks) <= 10)),
  constraint api_key_public_id_check CHECK ((public_id ~ '^yk_[a-z0-9]{20}$'::text)),
  constraint api_key_scopes_check CHECK ((cardinality(scopes) > 0)),
  constraint api_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table api_nonce (
  key_id bigint not null,
  nonce text not null,
  expires_at timestamp with time zone not null,
  constraint api_nonce_pkey PRIMARY KEY (key_id, nonce),
  constraint api_nonce_nonce_check CHECK (((length(nonce) >= 16) AND (length(nonce) <= 64))),
  constraint api_nonce_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id)
);

create table app_user (
  id bigint generated always as identity not null,
  dist_id integer not null,
  phone_hash bytea not null,
  phone_enc bytea not null,
  phone_mask text not null,
  nick_name text not null,
  avatar text,
  password_hash text,
  pay_password_hash text,
  pay_password_fails smallint default 0 not null,
  pay_password_locked_until timestamp with time zone,
  email_enc bytea,
  email_hash bytea,
  union_num text not null,
  invite_code text not null,
  inviter_id bigint,
  auth_status smallint default 0 not null,
  is_quick_shop boolean default false not null,
  is_booster boolean default false not null,
  is_accompanyer boolean default false not null,
  seller_level smallint default 0 not null,
  sold_count integer default 0 not null,
  rating_sum integer default 0 not null,
  rating_count integer default 0 not null,
  paid_total_fen bigint default 0 not null,
  online boolean default true not null,
  last_seen_at timestamp with time zone default now() not null,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  closed_at timestamp with time zone,
  erase_at timestamp with time zone,
  erased_at timestamp with time zone,
  payout_wait_until timestamp with time zone,
  payout_wait_reason text,
  rating_good integer default 0 not null,
  contact_enc bytea,
  contact_mask text default ''::text not null,
  constraint app_user_pkey PRIMARY KEY (id),
  constraint app_user_email_hash_key UNIQUE (email_hash),
  constraint app_user_invite_code_key UNIQUE (invite_code),
  constraint app_user_phone_hash_key UNIQUE (phone_hash),
  constraint app_user_union_num_key UNIQUE (union_num),
  constraint app_user_auth_status_check CHECK ((auth_status = ANY (ARRAY[0, 1, 2, 3]))),
  constraint app_user_check CHECK (((closed_at IS NULL) = (erase_at IS NULL))),
  constraint app_user_contact CHECK (((contact_enc IS NULL) = (contact_mask = ''::text))),
  constraint app_user_contact_mask_check CHECK ((length(contact_mask) <= 40)),
  constraint app_user_payout_wait_reason_check CHECK ((payout_wait_reason = ANY (ARRAY['phone'::text, 'payPassword'::text]))),
  constraint app_user_seller_level_check CHECK (((seller_level >= 0) AND (seller_level <= 5))),
  constraint app_user_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint app_user_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES app_user(id)
);

create table approval (
  id bigint generated always as identity not null,
  dist_id integer,
  act text not null,
  target text not null,
  payload jsonb not null,
  amount_fen bigint,
  reason text not null,
  asked_by bigint not null,
  status text default 'waiting'::text not null,
  decided_by bigint,
  note text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  constraint approval_pkey PRIMARY KEY (id),
  constraint approval_amount_fen_check CHECK ((amount_fen > 0)),
  constraint approval_check CHECK (((status = ANY (ARRAY['allowed'::text, 'refused'::text])) = (decided_by IS NOT NULL))),
  constraint approval_second_person CHECK ((decided_by IS DISTINCT FROM asked_by)),
  constraint approval_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'allowed'::text, 'refused'::text, 'expired'::text, 'withdrawn'::text]))),
  constraint approval_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES staff(id),
  constraint approval_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint approval_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table assignment_rule (
  id integer generated always as identity not null,
  name text not null,
  dist_id integer,
  game_id integer,
  order_types smallint[],
  min_fen bigint default 0 not null,
  max_fen bigint,
  duty text default 'trade'::text not null,
  staff_ids bigint[] default '{}'::bigint[] not null,
  keep_same boolean default true not null,
  sort integer default 0 not null,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint assignment_rule_pkey PRIMARY KEY (id),
  constraint assignment_rule_check CHECK ((max_fen > min_fen)),
  constraint assignment_rule_duty_check CHECK ((duty = ANY (ARRAY['presale'::text, 'trade'::text, 'inspection'::text, 'handover'::text, 'after_sale'::text, 'dispute'::text]))),
  constraint assignment_rule_min_fen_check CHECK ((min_fen >= 0)),
  constraint assignment_rule_status_check CHECK ((status = ANY (ARRAY[1, 2]))),
  constraint assignment_rule_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint assignment_rule_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table audit_check (
  day date not null,
  started_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  seq bigint,
  hash bytea,
  heads integer,
  breaks jsonb,
  mailed_at timestamp with time zone,
  constraint audit_check_pkey PRIMARY KEY (day)
);

create table audit_head (
  one boolean default true not null,
  seq bigint not null,
  hash bytea not null,
  constraint audit_head_pkey PRIMARY KEY (one),
  constraint audit_head_one_check CHECK (one)
);

create table audit_log (
  id bigint generated always as identity not null,
  staff_id bigint,
  act text not null,
  target text not null,
  detail jsonb default '{}'::jsonb not null,
  ip text,
  created_at timestamp with time zone default now() not null,
  constraint audit_log_pkey PRIMARY KEY (id)
);

create table audit_seal (
  seq bigint not null,
  audit_id bigint not null,
  sealed_at timestamp with time zone not null,
  hash bytea not null,
  constraint audit_seal_pkey PRIMARY KEY (seq),
  constraint audit_seal_audit_id_key UNIQUE (audit_id),
  constraint audit_seal_audit_id_fkey FOREIGN KEY (audit_id) REFERENCES audit_log(id)
);

create table backup_run (
  id bigint generated always as identity not null,
  name text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone default now() not null,
  bytes bigint not null,
  pictures integer not null,
  constraint backup_run_pkey PRIMARY KEY (id)
);

create table bargain (
  id bigint generated always as identity not null,
  goods_id bigint not null,
  buyer_id bigint not null,
  seller_id bigint not null,
  dist_id integer not null,
  offer_fen bigint not null,
  counter_fen bigint,
  goods_version integer not null,
  status smallint default 0 not null,
  expires_at timestamp with time zone not null,
  order_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  message text default ''::text not null,
  price_fen bigint not null,
  ended_why text,
  constraint bargain_pkey PRIMARY KEY (id),
  constraint bargain_check CHECK ((price_fen > offer_fen)),
  constraint bargain_counter_fen_check CHECK ((counter_fen > 0)),
  constraint bargain_ended_why_check CHECK ((ended_why = ANY (ARRAY['timeout'::text, 'sold'::text, 'removed'::text, 'changed'::text]))),
  constraint bargain_offer_fen_check CHECK ((offer_fen > 0)),
  constraint bargain_status_check CHECK (((status >= 0) AND (status <= 8))),
  constraint bargain_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES app_user(id),
  constraint bargain_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint bargain_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint bargain_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint bargain_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES app_user(id)
);

create table bargain_rule (
  user_id bigint not null,
  floor_percent smallint not null,
  updated_at timestamp with time zone default now() not null,
  constraint bargain_rule_pkey PRIMARY KEY (user_id),
  constraint bargain_rule_floor_percent_check CHECK (((floor_percent >= 30) AND (floor_percent <= 95))),
  constraint bargain_rule_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table black_appeal (
  id bigint generated always as identity not null,
  entry_id bigint not null,
  user_id bigint not null,
  text text not null,
  pictures jsonb default '[]'::jsonb not null,
  status text default 'reviewing'::text not null,
  answer text,
  decided_by bigint,
  answer_by timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  constraint black_appeal_pkey PRIMARY KEY (id),
  constraint black_appeal_check CHECK (((status = 'reviewing'::text) = (decided_at IS NULL))),
  constraint black_appeal_check1 CHECK (((status = 'reviewing'::text) OR (answer IS NOT NULL))),
  constraint black_appeal_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint black_appeal_status_check CHECK ((status = ANY (ARRAY['reviewing'::text, 'granted'::text, 'refused'::text]))),
  constraint black_appeal_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint black_appeal_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES black_entry(id),
  constraint black_appeal_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table black_entry (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  game_id integer,
  reason text not null,
  title text not null,
  text text not null,
  public_text text,
  pictures jsonb default '[]'::jsonb not null,
  amount_fen bigint,
  happened_on date,
  reporter_id bigint,
  order_id bigint,
  dispute_id bigint,
  source text default 'report'::text not null,
  status text default 'reviewing'::text not null,
  review_note text,
  reviewed_by bigint,
  listed_at timestamp with time zone,
  expires_at timestamp with time zone,
  views integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint black_entry_pkey PRIMARY KEY (id),
  constraint black_entry_sn_key UNIQUE (sn),
  constraint black_entry_amount_fen_check CHECK ((amount_fen > 0)),
  constraint black_entry_check CHECK (((status <> 'listed'::text) OR ((listed_at IS NOT NULL) AND (expires_at IS NOT NULL) AND (public_text IS NOT NULL)))),
  constraint black_entry_check1 CHECK (((source <> 'ruling'::text) OR (dispute_id IS NOT NULL))),
  constraint black_entry_check2 CHECK (((expires_at IS NULL) OR (listed_at IS NULL) OR (expires_at > listed_at))),
  constraint black_entry_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint black_entry_reason_check CHECK ((reason = ANY (ARRAY['recovered'::text, 'fraud'::text, 'fake_service'::text, 'malicious_refund'::text, 'stolen'::text, 'cheating'::text, 'other'::text]))),
  constraint black_entry_source_check CHECK ((source = ANY (ARRAY['report'::text, 'ruling'::text, 'staff'::text, 'external'::text]))),
  constraint black_entry_status_check CHECK ((status = ANY (ARRAY['reviewing'::text, 'listed'::text, 'rejected'::text, 'removed'::text, 'expired'::text, 'withdrawn'::text]))),
  constraint black_entry_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES dispute(id),
  constraint black_entry_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint black_entry_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint black_entry_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint black_entry_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES app_user(id),
  constraint black_entry_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES staff(id)
);

create table black_event (
  id bigint generated always as identity not null,
  entry_id bigint not null,
  kind text not null,
  actor text not null,
  explain text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  constraint black_event_pkey PRIMARY KEY (id),
  constraint black_event_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES black_entry(id)
);

create table black_external (
  kind text not null,
  value_hash bytea not null,
  verdict smallint not null,
  detail jsonb default '{}'::jsonb not null,
  asked_at timestamp with time zone default now() not null,
  good_until timestamp with time zone not null,
  constraint black_external_pkey PRIMARY KEY (kind, value_hash),
  constraint black_external_verdict_check CHECK ((verdict = ANY (ARRAY[0, 1, 2])))
);

create table black_key (
  entry_id bigint not null,
  kind text not null,
  value_hash bytea not null,
  value_mask text not null,
  constraint black_key_pkey PRIMARY KEY (entry_id, kind, value_hash),
  constraint black_key_kind_check CHECK ((kind = ANY (ARRAY['qq'::text, 'wechat'::text, 'phone'::text, 'alipay'::text, 'game'::text, 'bank'::text, 'group'::text]))),
  constraint black_key_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES black_entry(id)
);

create table blocked_word (
  id bigint generated always as identity not null,
  word text not null,
  plain text not null,
  level text not null,
  note text default ''::text not null,
  version integer default 1 not null,
  hits bigint default 0 not null,
  last_hit_at timestamp with time zone,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  ended_by bigint,
  ended_reason text,
  constraint blocked_word_pkey PRIMARY KEY (id),
  constraint blocked_word_ended_reason_check CHECK ((length(ended_reason) <= 200)),
  constraint blocked_word_hits_check CHECK ((hits >= 0)),
  constraint blocked_word_level_check CHECK ((level = ANY (ARRAY['mask'::text, 'review'::text, 'refuse'::text]))),
  constraint blocked_word_note_check CHECK ((length(note) <= 60)),
  constraint blocked_word_plain_check CHECK ((plain <> ''::text)),
  constraint blocked_word_word_check CHECK (((length(word) >= 2) AND (length(word) <= 30))),
  constraint blocked_word_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint blocked_word_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES staff(id)
);

create table books_block (
  after_id bigint not null,
  to_id bigint not null,
  transfers integer not null,
  fen bigint not null,
  hash bytea,
  proved_at timestamp with time zone default now() not null,
  checked_at timestamp with time zone default now() not null,
  is_broken boolean default false not null,
  constraint books_block_pkey PRIMARY KEY (after_id),
  constraint books_block_to_id_key UNIQUE (to_id),
  constraint books_block_begins CHECK ((after_id >= 0)),
  constraint books_block_check CHECK ((to_id > after_id)),
  constraint books_block_fen_check CHECK ((fen >= 0)),
  constraint books_block_has_hash CHECK (((hash IS NOT NULL) OR is_broken)),
  constraint books_block_size CHECK (((to_id - after_id) <= 5000)),
  constraint books_block_transfers_check CHECK ((transfers >= 0))
);

create table books_check (
  id bigint generated always as identity not null,
  day date not null,
  started_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  transfers bigint,
  breaches text[],
  constraint books_check_pkey PRIMARY KEY (id),
  constraint books_check_day_key UNIQUE (day)
);

create table books_progress (
  one boolean default true not null,
  seen_id bigint default 0 not null,
  seen_xid bigint default 0 not null,
  seen_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  account text default ''::text not null,
  breaches text[] default '{}'::text[] not null,
  constraint books_progress_pkey PRIMARY KEY (one),
  constraint books_progress_one_check CHECK (one)
);

create table boost_request (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  buyer_id bigint not null,
  game_id integer not null,
  kind smallint,
  scope_kind text not null,
  from_rank text default ''::text not null,
  to_rank text default ''::text not null,
  num integer default 1 not null,
  area text not null,
  note text default ''::text not null,
  mode text not null,
  minutes integer not null,
  milestones jsonb not null,
  goods_fen bigint not null,
  total_fen bigint not null,
  safety_fen bigint default 0 not null,
  efficiency_fen bigint default 0 not null,
  price jsonb not null,
  status text default 'open'::text not null,
  order_id bigint,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint boost_request_pkey PRIMARY KEY (id),
  constraint boost_request_order_id_key UNIQUE (order_id),
  constraint boost_request_sn_key UNIQUE (sn),
  constraint boost_request_check CHECK ((total_fen >= goods_fen)),
  constraint boost_request_check1 CHECK (((status = 'taken'::text) = (order_id IS NOT NULL))),
  constraint boost_request_check2 CHECK (((status = 'open'::text) = (ended_at IS NULL))),
  constraint boost_request_check3 CHECK (((scope_kind <> 'rank'::text) OR ((from_rank <> ''::text) AND (to_rank <> ''::text)))),
  constraint boost_request_efficiency_fen_check CHECK ((efficiency_fen >= 0)),
  constraint boost_request_goods_fen_check CHECK (((goods_fen >= 100) AND (goods_fen <= 9999900))),
  constraint boost_request_milestones_check CHECK (((jsonb_typeof(milestones) = 'array'::text) AND (milestone_sum(milestones) = 10000))),
  constraint boost_request_minutes_check CHECK (((minutes >= 30) AND (minutes <= 129600))),
  constraint boost_request_mode_check CHECK ((mode = ANY (ARRAY['account'::text, 'together'::text, 'online'::text]))),
  constraint boost_request_num_check CHECK (((num >= 1) AND (num <= 10000))),
  constraint boost_request_safety_fen_check CHECK ((safety_fen >= 0)),
  constraint boost_request_scope_kind_check CHECK ((scope_kind = ANY (ARRAY['rank'::text, 'hours'::text, 'matches'::text]))),
  constraint boost_request_status_check CHECK ((status = ANY (ARRAY['open'::text, 'taken'::text, 'withdrawn'::text, 'expired'::text]))),
  constraint boost_request_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES app_user(id),
  constraint boost_request_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint boost_request_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint boost_request_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table boost_transition (
  from_state text not null,
  to_state text not null,
  constraint boost_transition_pkey PRIMARY KEY (from_state, to_state)
);

create table brand_draft (
  dist_id integer not null,
  staff_id bigint not null,
  base_version integer not null,
  content jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint brand_draft_pkey PRIMARY KEY (dist_id, staff_id),
  constraint brand_draft_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint brand_draft_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table brand_plan (
  dist_id integer not null,
  version integer not null,
  starts_at timestamp with time zone not null,
  reason text not null,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  constraint brand_plan_pkey PRIMARY KEY (dist_id),
  constraint brand_plan_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint brand_plan_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint brand_plan_dist_id_version_fkey FOREIGN KEY (dist_id, version) REFERENCES brand_version(dist_id, version)
);

create table brand_publication (
  id bigint generated always as identity not null,
  dist_id integer not null,
  version integer not null,
  published_by bigint,
  published_at timestamp with time zone default now() not null,
  constraint brand_publication_pkey PRIMARY KEY (id),
  constraint brand_publication_dist_id_version_fkey FOREIGN KEY (dist_id, version) REFERENCES brand_version(dist_id, version),
  constraint brand_publication_published_by_fkey FOREIGN KEY (published_by) REFERENCES staff(id)
);

create table brand_terms (
  dist_id integer not null,
  version integer not null,
  mark_up_bp integer not null,
  commission_bp integer not null,
  starts_at timestamp with time zone not null,
  reason text not null,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  constraint brand_terms_pkey PRIMARY KEY (dist_id, version),
  constraint brand_terms_commission_bp_check CHECK (((commission_bp >= 0) AND (commission_bp <= 10000))),
  constraint brand_terms_mark_up_bp_check CHECK (((mark_up_bp >= 0) AND (mark_up_bp <= 3000))),
  constraint brand_terms_version_check CHECK ((version > 0)),
  constraint brand_terms_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint brand_terms_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table brand_version (
  dist_id integer not null,
  version integer not null,
  content jsonb not null,
  reason text not null,
  restored_from integer,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  constraint brand_version_pkey PRIMARY KEY (dist_id, version),
  constraint brand_version_version_check CHECK ((version >= 0)),
  constraint brand_version_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint brand_version_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table canned_answer (
  id bigint generated always as identity not null,
  dist_id integer,
  staff_id bigint,
  game_id integer,
  grp text default '常用'::text not null,
  title text not null,
  text text not null,
  shortcut text,
  uses integer default 0 not null,
  sort integer default 0 not null,
  status smallint default 1 not null,
  updated_at timestamp with time zone default now() not null,
  constraint canned_answer_pkey PRIMARY KEY (id),
  constraint canned_answer_status_check CHECK ((status = ANY (ARRAY[1, 2]))),
  constraint canned_answer_text_check CHECK (((length(text) >= 1) AND (length(text) <= 2000))),
  constraint canned_answer_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint canned_answer_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint canned_answer_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table catalogue_version (
  game_id integer not null,
  kind text not null,
  version integer not null,
  body jsonb not null,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  constraint catalogue_version_pkey PRIMARY KEY (game_id, kind, version),
  constraint catalogue_version_kind_check CHECK ((kind = ANY (ARRAY['fields'::text, 'handover'::text]))),
  constraint catalogue_version_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint catalogue_version_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table channel_statement (
  id bigint generated always as identity not null,
  channel text not null,
  day date not null,
  imported_by bigint,
  lines integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  source text default 'upload'::text not null,
  file_name text,
  sha256 bytea,
  pay_fen bigint default 0 not null,
  refund_fen bigint default 0 not null,
  transfer_fen bigint default 0 not null,
  fee_fen bigint default 0 not null,
  constraint channel_statement_pkey PRIMARY KEY (id),
  constraint channel_statement_channel_day_key UNIQUE (channel, day),
  constraint channel_statement_source_check CHECK ((source = ANY (ARRAY['upload'::text, 'fetch'::text]))),
  constraint channel_statement_imported_by_fkey FOREIGN KEY (imported_by) REFERENCES staff(id)
);

create table channel_statement_line (
  statement_id bigint not null,
  line_no integer not null,
  trade_no text not null,
  inter_sn text,
  kind text not null,
  amount_fen bigint not null,
  transfer_id bigint,
  difference text,
  at timestamp with time zone,
  origin_sn text,
  constraint channel_statement_line_pkey PRIMARY KEY (statement_id, line_no),
  constraint channel_statement_line_difference CHECK ((difference = ANY (ARRAY['unknown'::text, 'amount'::text, 'twice'::text]))),
  constraint channel_statement_line_kind_check CHECK ((kind = ANY (ARRAY['pay'::text, 'refund'::text, 'transfer'::text, 'back'::text, 'fee'::text]))),
  constraint channel_statement_line_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES channel_statement(id),
  constraint channel_statement_line_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES ledger_transfer(id)
);

create table chat_assignment (
  id bigint generated always as identity not null,
  group_id bigint not null,
  staff_id bigint not null,
  reason text not null,
  by_staff_id bigint,
  from_at timestamp with time zone default now() not null,
  first_reply_at timestamp with time zone,
  to_at timestamp with time zone,
  solved_at timestamp with time zone,
  constraint chat_assignment_pkey PRIMARY KEY (id),
  constraint chat_assignment_by_staff_id_fkey FOREIGN KEY (by_staff_id) REFERENCES staff(id),
  constraint chat_assignment_group_id_fkey FOREIGN KEY (group_id) REFERENCES chat_group(id),
  constraint chat_assignment_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create unlogged table chat_gateway (
  node text not null,
  seen_at timestamp with time zone default now() not null,
  constraint chat_gateway_pkey PRIMARY KEY (node)
);

create table chat_group (
  id bigint generated always as identity not null,
  group_type smallint not null,
  order_id bigint,
  user_id bigint,
  dist_id integer not null,
  last_seq bigint default 0 not null,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  goods_id bigint,
  reply_by timestamp with time zone,
  step_by timestamp with time zone,
  last_at timestamp with time zone default now() not null,
  constraint chat_group_pkey PRIMARY KEY (id),
  constraint chat_group_order_id_key UNIQUE (order_id),
  constraint chat_group_check CHECK ((((group_type = 1) = (order_id IS NOT NULL)) AND ((group_type = 2) OR (user_id IS NULL)))),
  constraint chat_group_group_type_check CHECK ((group_type = ANY (ARRAY[1, 2]))),
  constraint chat_group_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint chat_group_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint chat_group_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint chat_group_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table chat_member (
  group_id bigint not null,
  member text not null,
  role text not null,
  is_current boolean default false not null,
  read_seq bigint default 0 not null,
  muted boolean default false not null,
  joined_at timestamp with time zone default now() not null,
  left_at timestamp with time zone,
  reminded_seq bigint default 0 not null,
  constraint chat_member_pkey PRIMARY KEY (group_id, member),
  constraint chat_member_role_check CHECK ((role = ANY (ARRAY['buyer'::text, 'seller'::text, 'staff'::text, 'owner'::text]))),
  constraint chat_member_group_id_fkey FOREIGN KEY (group_id) REFERENCES chat_group(id)
);

create table chat_message (
  group_id bigint not null,
  seq bigint not null,
  uid text not null,
  sender text not null,
  client_msg_id text not null,
  type text not null,
  content jsonb not null,
  expansion jsonb,
  recalled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint chat_message_pkey PRIMARY KEY (group_id, seq),
  constraint chat_message_group_id_sender_client_msg_id_key UNIQUE (group_id, sender, client_msg_id),
  constraint chat_message_uid_key UNIQUE (uid),
  constraint chat_message_type_check CHECK ((type = ANY (ARRAY['text'::text, 'image'::text, 'recall'::text, 'card'::text]))),
  constraint chat_message_group_id_fkey FOREIGN KEY (group_id) REFERENCES chat_group(id)
);

create unlogged table chat_presence (
  member text not null,
  node text not null,
  constraint chat_presence_pkey PRIMARY KEY (member, node)
);

create table chat_ticket (
  id_hash bytea not null,
  member text not null,
  session_hash bytea not null,
  dist_id integer not null,
  expires_at timestamp with time zone not null,
  constraint chat_ticket_pkey PRIMARY KEY (id_hash),
  constraint chat_ticket_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table coin_ratio_day (
  game_id integer not null,
  area_id integer not null,
  coin_type smallint default 1 not null,
  day date not null,
  unit text not null,
  low_e4 bigint not null,
  typical_e4 bigint not null,
  high_e4 bigint not null,
  last_deal_e4 bigint,
  deals integer default 0 not null,
  offers integer default 0 not null,
  made_at timestamp with time zone default now() not null,
  constraint coin_ratio_day_pkey PRIMARY KEY (game_id, area_id, coin_type, day),
  constraint coin_ratio_day_check CHECK (((low_e4 <= typical_e4) AND (typical_e4 <= high_e4))),
  constraint coin_ratio_day_high_e4_check CHECK ((high_e4 > 0)),
  constraint coin_ratio_day_low_e4_check CHECK ((low_e4 > 0)),
  constraint coin_ratio_day_typical_e4_check CHECK ((typical_e4 > 0)),
  constraint coin_ratio_day_area_id_fkey FOREIGN KEY (area_id) REFERENCES game_area(id),
  constraint coin_ratio_day_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table coin_view_day (
  provider_id bigint not null,
  day date not null,
  views integer not null,
  constraint coin_view_day_pkey PRIMARY KEY (provider_id, day),
  constraint coin_view_day_views_check CHECK ((views > 0)),
  constraint coin_view_day_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

create table companion_slot (
  order_id bigint not null,
  provider_id bigint not null,
  during tstzrange not null,
  constraint companion_slot_pkey PRIMARY KEY (order_id),
  constraint companion_slot_once EXCLUDE USING gist (provider_id WITH =, during WITH &&),
  constraint companion_slot_during_check CHECK (((NOT isempty(during)) AND (NOT lower_inf(during)) AND (NOT upper_inf(during)))),
  constraint companion_slot_order_id_fkey FOREIGN KEY (order_id) REFERENCES service_order(order_id),
  constraint companion_slot_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

create table companion_transition (
  from_state text not null,
  to_state text not null,
  constraint companion_transition_pkey PRIMARY KEY (from_state, to_state)
);

create table consent (
  user_id bigint not null,
  text_code text not null,
  text_version integer not null,
  ip text,
  created_at timestamp with time zone default now() not null,
  constraint consent_pkey PRIMARY KEY (user_id, text_code, text_version),
  constraint consent_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table cooperation_request (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  user_id bigint,
  kind text not null,
  company text default ''::text not null,
  name_enc bytea not null,
  phone_enc bytea not null,
  phone_mask text not null,
  contact_enc bytea,
  games integer[] default '{}'::integer[] not null,
  text text not null,
  status text default 'new'::text not null,
  note text,
  staff_id bigint,
  created_at timestamp with time zone default now() not null,
  handled_at timestamp with time zone,
  constraint cooperation_request_pkey PRIMARY KEY (id),
  constraint cooperation_request_sn_key UNIQUE (sn),
  constraint cooperation_request_kind_check CHECK ((kind = ANY (ARRAY['distributor'::text, 'shop'::text, 'recycling'::text, 'studio'::text, 'media'::text, 'new_game'::text, 'other'::text]))),
  constraint cooperation_request_status_check CHECK ((status = ANY (ARRAY['new'::text, 'talking'::text, 'done'::text, 'refused'::text]))),
  constraint cooperation_request_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint cooperation_request_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint cooperation_request_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table coupon (
  id bigint generated always as identity not null,
  campaign_id bigint not null,
  user_id bigint not null,
  serial integer not null,
  order_id bigint,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint coupon_pkey PRIMARY KEY (id),
  constraint coupon_campaign_id_user_id_serial_key UNIQUE (campaign_id, user_id, serial),
  constraint coupon_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES coupon_campaign(id),
  constraint coupon_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint coupon_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table coupon_campaign (
  id bigint generated always as identity not null,
  code text not null,
  name text not null,
  dist_id integer,
  kind text not null,
  amount_fen bigint not null,
  minimum_fen bigint default 0 not null,
  stock integer not null,
  per_person integer default 1 not null,
  valid_days integer not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  odds_bp integer,
  created_at timestamp with time zone default now() not null,
  total integer not null,
  status smallint default 1 not null,
  note text default ''::text not null,
  created_by bigint,
  opened_by bigint,
  stopped_by bigint,
  stopped_at timestamp with time zone,
  stop_reason text,
  constraint coupon_campaign_pkey PRIMARY KEY (id),
  constraint coupon_campaign_code_key UNIQUE (code),
  constraint coupon_campaign_amount_fen_check CHECK ((amount_fen > 0)),
  constraint coupon_campaign_dates CHECK ((ends_at > starts_at)),
  constraint coupon_campaign_kind_check CHECK ((kind = ANY (ARRAY['goods'::text, 'service'::text, 'guarantee'::text]))),
  constraint coupon_campaign_odds CHECK (((odds_bp >= 1) AND (odds_bp <= 10000))),
  constraint coupon_campaign_person CHECK (((per_person >= 1) AND (per_person <= 1000))),
  constraint coupon_campaign_second CHECK (((opened_by IS DISTINCT FROM created_by) OR (opened_by IS NULL))),
  constraint coupon_campaign_status_check CHECK ((status = ANY (ARRAY[0, 1, 2]))),
  constraint coupon_campaign_stock CHECK ((stock <= total)),
  constraint coupon_campaign_stock_check CHECK ((stock >= 0)),
  constraint coupon_campaign_valid CHECK (((valid_days >= 1) AND (valid_days <= 365))),
  constraint coupon_campaign_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint coupon_campaign_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint coupon_campaign_opened_by_fkey FOREIGN KEY (opened_by) REFERENCES staff(id),
  constraint coupon_campaign_stopped_by_fkey FOREIGN KEY (stopped_by) REFERENCES staff(id)
);

create table credential_opening (
  id bigint generated always as identity not null,
  order_id bigint not null,
  step smallint not null,
  version integer not null,
  opener text not null,
  party text not null,
  purpose text not null,
  opened_at timestamp with time zone default now() not null,
  constraint credential_opening_pkey PRIMARY KEY (id),
  constraint credential_opening_party_check CHECK ((party = ANY (ARRAY['buyer'::text, 'seller'::text, 'staff'::text]))),
  constraint credential_opening_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table data_export (
  id bigint generated always as identity not null,
  user_id bigint not null,
  dist_id integer not null,
  status text default 'waiting'::text not null,
  body_enc bytea,
  bytes integer,
  created_at timestamp with time zone default now() not null,
  ready_at timestamp with time zone,
  expires_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint data_export_pkey PRIMARY KEY (id),
  constraint data_export_check CHECK (((status = 'ready'::text) = (body_enc IS NOT NULL))),
  constraint data_export_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'ready'::text, 'removed'::text]))),
  constraint data_export_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint data_export_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table data_key (
  purpose text not null,
  id smallint not null,
  wrapped bytea not null,
  secret_mark bytea not null,
  created_at timestamp with time zone default now() not null,
  active_at timestamp with time zone default now() not null,
  drained_at timestamp with time zone,
  constraint data_key_pkey PRIMARY KEY (purpose, id),
  constraint data_key_id_check CHECK (((id >= 1) AND (id <= 255))),
  constraint data_key_purpose_check CHECK ((purpose = ANY (ARRAY['encrypt'::text, 'blind'::text, 'token'::text, 'fingerprint'::text, 'sandbox'::text, 'push'::text])))
);

create table dead_letter (
  id bigint generated always as identity not null,
  what text not null,
  name text not null,
  ref text not null,
  payload jsonb default '{}'::jsonb not null,
  error text not null,
  attempts integer not null,
  first_failed_at timestamp with time zone not null,
  last_failed_at timestamp with time zone default now() not null,
  status text default 'open'::text not null,
  staff_id bigint,
  note text,
  decided_at timestamp with time zone,
  constraint dead_letter_pkey PRIMARY KEY (id),
  constraint dead_letter_check CHECK (((status = 'open'::text) = (decided_at IS NULL))),
  constraint dead_letter_status_check CHECK ((status = ANY (ARRAY['open'::text, 'again'::text, 'discarded'::text]))),
  constraint dead_letter_what_check CHECK ((what = ANY (ARRAY['job'::text, 'event'::text]))),
  constraint dead_letter_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table deal_day (
  day date not null,
  game_id integer not null,
  type_id smallint not null,
  deals bigint not null,
  constraint deal_day_pkey PRIMARY KEY (day, game_id, type_id),
  constraint deal_day_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table debt (
  id bigint generated always as identity not null,
  debtor_user bigint,
  debtor_dist integer,
  debtor text generated always as (
CASE
    WHEN (debtor_dist IS NULL) THEN (('user:'::text || debtor_user) || ':available'::text)
    ELSE (('dist:'::text || debtor_dist) || ':commission'::text)
END) stored not null,
  creditor text not null,
  amount_fen bigint not null,
  paid_fen bigint default 0 not null,
  parts integer default 0 not null,
  code text not null,
  reason text not null,
  ref text not null,
  order_id bigint,
  dist_id integer not null,
  created_at timestamp with time zone default now() not null,
  settled_at timestamp with time zone,
  constraint debt_pkey PRIMARY KEY (id),
  constraint debt_ref_key UNIQUE (ref),
  constraint debt_amount_fen_check CHECK ((amount_fen > 0)),
  constraint debt_check CHECK (((paid_fen >= 0) AND (paid_fen <= amount_fen))),
  constraint debt_check1 CHECK ((num_nonnulls(debtor_user, debtor_dist) = 1)),
  constraint debt_check2 CHECK ((debtor <> creditor)),
  constraint debt_check3 CHECK (((settled_at IS NOT NULL) = (paid_fen = amount_fen))),
  constraint debt_code_check CHECK ((code = ANY (ARRAY['settled'::text, 'ruled'::text, 'claim'::text, 'reading'::text, 'dist_share'::text, 'invite_reward'::text]))),
  constraint debt_creditor_check CHECK ((creditor ~ '^(user:[0-9]+:available|platform:guarantee_fund:[0-9]+)$'::text)),
  constraint debt_debtor_dist_fkey FOREIGN KEY (debtor_dist) REFERENCES distributor(id),
  constraint debt_debtor_user_fkey FOREIGN KEY (debtor_user) REFERENCES app_user(id),
  constraint debt_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table deposit_entry (
  id bigint generated always as identity not null,
  user_id bigint not null,
  role text not null,
  kind smallint not null,
  amount_fen bigint not null,
  ref text not null,
  reason text not null,
  rule_no text,
  order_id bigint,
  created_at timestamp with time zone default now() not null,
  constraint deposit_entry_pkey PRIMARY KEY (id),
  constraint deposit_entry_kind_ref_key UNIQUE (kind, ref),
  constraint deposit_entry_amount_fen_check CHECK ((amount_fen > 0)),
  constraint deposit_entry_kind_check CHECK ((kind = ANY (ARRAY[1, 2, 3]))),
  constraint deposit_entry_role_check CHECK ((role = ANY (ARRAY['seller'::text, 'shop'::text, 'booster'::text, 'companion'::text, 'recycler'::text]))),
  constraint deposit_entry_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint deposit_entry_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table deposit_penalty (
  id bigint generated always as identity not null,
  user_id bigint not null,
  order_id bigint,
  dispute_id bigint,
  rule_no text not null,
  rule_version integer not null,
  amount_fen bigint not null,
  to_user_id bigint,
  reason text not null,
  decided_by bigint,
  created_at timestamp with time zone default now() not null,
  role text default 'seller'::text not null,
  constraint deposit_penalty_pkey PRIMARY KEY (id),
  constraint deposit_penalty_amount_fen_check CHECK ((amount_fen > 0)),
  constraint deposit_penalty_role_check CHECK ((role = ANY (ARRAY['seller'::text, 'shop'::text, 'booster'::text, 'companion'::text, 'recycler'::text]))),
  constraint deposit_penalty_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint deposit_penalty_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES dispute(id),
  constraint deposit_penalty_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint deposit_penalty_rule_no_rule_version_fkey FOREIGN KEY (rule_no, rule_version) REFERENCES platform_rule(no, version),
  constraint deposit_penalty_to_user_id_fkey FOREIGN KEY (to_user_id) REFERENCES app_user(id),
  constraint deposit_penalty_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table deposit_release (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  user_id bigint not null,
  role text not null,
  amount_fen bigint not null,
  status text default 'waiting'::text not null,
  release_at timestamp with time zone not null,
  reason text,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  constraint deposit_release_pkey PRIMARY KEY (id),
  constraint deposit_release_sn_key UNIQUE (sn),
  constraint deposit_release_amount_fen_check CHECK ((amount_fen > 0)),
  constraint deposit_release_check CHECK (((status = 'waiting'::text) = (done_at IS NULL))),
  constraint deposit_release_role_check CHECK ((role = ANY (ARRAY['seller'::text, 'shop'::text, 'booster'::text, 'companion'::text, 'recycler'::text]))),
  constraint deposit_release_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'withdrawn'::text, 'refused'::text]))),
  constraint deposit_release_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint deposit_release_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table dispute (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  order_id bigint not null,
  opener_id bigint not null,
  opener_belong smallint not null,
  reason_code text not null,
  want text not null,
  want_fen bigint default 0 not null,
  status text default 'open'::text not null,
  outcome text,
  staff_id bigint,
  appeal_staff_id bigint,
  first_look_by timestamp with time zone not null,
  first_look_at timestamp with time zone,
  answer_by timestamp with time zone,
  rule_by timestamp with time zone,
  appeal_until timestamp with time zone,
  opened_at timestamp with time zone default now() not null,
  closed_at timestamp with time zone,
  stopped jsonb default '{}'::jsonb not null,
  escalated boolean default false not null,
  buyer_accepted_at timestamp with time zone,
  seller_accepted_at timestamp with time zone,
  back_fen bigint,
  refunded_fen bigint,
  to_seller_fen bigint,
  owed_fen bigint default 0 not null,
  reason_version integer default 1 not null,
  constraint dispute_pkey PRIMARY KEY (id),
  constraint dispute_sn_key UNIQUE (sn),
  constraint dispute_back_fen_check CHECK ((back_fen >= 0)),
  constraint dispute_check CHECK (((status = 'closed'::text) = (closed_at IS NOT NULL))),
  constraint dispute_check1 CHECK (((status = 'closed'::text) = (outcome IS NOT NULL))),
  constraint dispute_check2 CHECK (((appeal_staff_id IS NULL) OR (appeal_staff_id IS DISTINCT FROM staff_id))),
  constraint dispute_opener_belong_check CHECK ((opener_belong = ANY (ARRAY[0, 1]))),
  constraint dispute_outcome_check CHECK ((outcome = ANY (ARRAY['withdrawn'::text, 'settled'::text, 'ruled'::text]))),
  constraint dispute_owed_fen_check CHECK ((owed_fen >= 0)),
  constraint dispute_refunded_fen_check CHECK ((refunded_fen >= 0)),
  constraint dispute_status_check CHECK ((status = ANY (ARRAY['open'::text, 'answering'::text, 'evidence'::text, 'ruled'::text, 'appealed'::text, 'closed'::text]))),
  constraint dispute_stopped_check CHECK ((jsonb_typeof(stopped) = 'object'::text)),
  constraint dispute_to_seller_fen_check CHECK ((to_seller_fen >= 0)),
  constraint dispute_want_check CHECK ((want = ANY (ARRAY['refund'::text, 'part_refund'::text, 'continue'::text, 'redo'::text, 'release'::text, 'other'::text]))),
  constraint dispute_want_fen_check CHECK ((want_fen >= 0)),
  constraint dispute_appeal_staff_id_fkey FOREIGN KEY (appeal_staff_id) REFERENCES staff(id),
  constraint dispute_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint dispute_opener_id_fkey FOREIGN KEY (opener_id) REFERENCES app_user(id),
  constraint dispute_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint dispute_reason_code_fkey FOREIGN KEY (reason_code) REFERENCES dispute_reason(code),
  constraint dispute_reason_version_fkey FOREIGN KEY (reason_code, reason_version) REFERENCES dispute_reason_version(code, version),
  constraint dispute_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table dispute_appeal (
  dispute_id bigint not null,
  user_id bigint not null,
  reason text not null,
  pictures jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint dispute_appeal_pkey PRIMARY KEY (dispute_id),
  constraint dispute_appeal_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint dispute_appeal_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES dispute(id),
  constraint dispute_appeal_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table dispute_event (
  id bigint generated always as identity not null,
  dispute_id bigint not null,
  kind text not null,
  actor text not null,
  explain text not null,
  created_at timestamp with time zone default now() not null,
  constraint dispute_event_pkey PRIMARY KEY (id),
  constraint dispute_event_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES dispute(id)
);

create table dispute_reason (
  code text not null,
  name text not null,
  goods_types smallint[],
  form jsonb default '[]'::jsonb not null,
  evidence text default ''::text not null,
  sort integer default 0 not null,
  status smallint default 1 not null,
  version integer default 1 not null,
  order_states smallint[] default '{1,2,3}'::smallint[] not null,
  constraint dispute_reason_pkey PRIMARY KEY (code),
  constraint dispute_reason_code_check CHECK ((code ~ '^[a-z_]{2,40}$'::text)),
  constraint dispute_reason_form_check CHECK ((jsonb_typeof(form) = 'array'::text)),
  constraint dispute_reason_order_states_check CHECK (((order_states <@ '{0,1,2,3}'::smallint[]) AND (cardinality(order_states) > 0))),
  constraint dispute_reason_status_check CHECK ((status = ANY (ARRAY[1, 2]))),
  constraint dispute_reason_version_check CHECK ((version > 0))
);

create table dispute_reason_version (
  code text not null,
  version integer not null,
  name text not null,
  goods_types smallint[],
  order_states smallint[] not null,
  form jsonb not null,
  evidence text not null,
  sort integer not null,
  status smallint not null,
  reason text default ''::text not null,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  constraint dispute_reason_version_pkey PRIMARY KEY (code, version),
  constraint dispute_reason_version_evidence_check CHECK ((length(evidence) <= 200)),
  constraint dispute_reason_version_form_check CHECK ((jsonb_typeof(form) = 'array'::text)),
  constraint dispute_reason_version_name_check CHECK ((length(name) <= 40)),
  constraint dispute_reason_version_reason_check CHECK ((length(reason) <= 200)),
  constraint dispute_reason_version_status_check CHECK ((status = ANY (ARRAY[1, 2]))),
  constraint dispute_reason_version_version_check CHECK ((version > 0)),
  constraint dispute_reason_version_code_fkey FOREIGN KEY (code) REFERENCES dispute_reason(code),
  constraint dispute_reason_version_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id)
);

create table dispute_ruling (
  id bigint generated always as identity not null,
  dispute_id bigint not null,
  stage smallint not null,
  staff_id bigint not null,
  refund_fen bigint not null,
  release_fen bigint not null,
  penalty_fen bigint default 0 not null,
  penalty_user bigint,
  reason text not null,
  public_text text,
  created_at timestamp with time zone default now() not null,
  back_fen bigint default 0 not null,
  approval_id bigint,
  constraint dispute_ruling_pkey PRIMARY KEY (id),
  constraint dispute_ruling_dispute_id_stage_key UNIQUE (dispute_id, stage),
  constraint dispute_ruling_back_fen_check CHECK ((back_fen >= 0)),
  constraint dispute_ruling_check CHECK (((penalty_fen > 0) = (penalty_user IS NOT NULL))),
  constraint dispute_ruling_penalty_fen_check CHECK ((penalty_fen >= 0)),
  constraint dispute_ruling_refund_fen_check CHECK ((refund_fen >= 0)),
  constraint dispute_ruling_release_fen_check CHECK ((release_fen >= 0)),
  constraint dispute_ruling_stage_check CHECK ((stage = ANY (ARRAY[1, 2]))),
  constraint dispute_ruling_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approval(id),
  constraint dispute_ruling_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES dispute(id),
  constraint dispute_ruling_penalty_user_fkey FOREIGN KEY (penalty_user) REFERENCES app_user(id),
  constraint dispute_ruling_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table dispute_ruling_rule (
  ruling_id bigint not null,
  rule_no text not null,
  rule_version integer not null,
  constraint dispute_ruling_rule_pkey PRIMARY KEY (ruling_id, rule_no),
  constraint dispute_ruling_rule_rule_no_rule_version_fkey FOREIGN KEY (rule_no, rule_version) REFERENCES platform_rule(no, version),
  constraint dispute_ruling_rule_ruling_id_fkey FOREIGN KEY (ruling_id) REFERENCES dispute_ruling(id)
);

create table dispute_statement (
  id bigint generated always as identity not null,
  dispute_id bigint not null,
  belong smallint not null,
  user_id bigint not null,
  kind text not null,
  answers jsonb default '{}'::jsonb not null,
  text text default ''::text not null,
  pictures jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint dispute_statement_pkey PRIMARY KEY (id),
  constraint dispute_statement_answers_check CHECK ((jsonb_typeof(answers) = 'object'::text)),
  constraint dispute_statement_belong_check CHECK ((belong = ANY (ARRAY[0, 1]))),
  constraint dispute_statement_kind_check CHECK ((kind = ANY (ARRAY['form'::text, 'evidence'::text]))),
  constraint dispute_statement_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint dispute_statement_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES dispute(id),
  constraint dispute_statement_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table dist_host (
  host text not null,
  dist_id integer not null,
  is_primary boolean default false not null,
  redirects boolean default false not null,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  constraint dist_host_pkey PRIMARY KEY (host),
  constraint dist_host_host_check CHECK ((host = lower(host))),
  constraint dist_host_not_to_itself CHECK ((NOT (is_primary AND redirects))),
  constraint dist_host_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint dist_host_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table dist_settlement (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  amount_fen bigint not null,
  status smallint default 0 not null,
  note text,
  receipt_no text,
  asked_by bigint not null,
  first_by bigint,
  decided_by bigint,
  created_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  constraint dist_settlement_pkey PRIMARY KEY (id),
  constraint dist_settlement_sn_key UNIQUE (sn),
  constraint dist_settlement_amount_fen_check CHECK ((amount_fen > 0)),
  constraint dist_settlement_check CHECK (((status = 0) = (decided_at IS NULL))),
  constraint dist_settlement_check1 CHECK (((first_by IS DISTINCT FROM decided_by) OR (first_by IS NULL))),
  constraint dist_settlement_status_check CHECK ((status = ANY (ARRAY[0, 1, 2]))),
  constraint dist_settlement_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES staff(id),
  constraint dist_settlement_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint dist_settlement_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint dist_settlement_first_by_fkey FOREIGN KEY (first_by) REFERENCES staff(id)
);

create table distributor (
  id integer generated always as identity not null,
  code text not null,
  name text not null,
  conf jsonb default '{}'::jsonb not null,
  theme jsonb default '{}'::jsonb not null,
  games integer[],
  mark_up_bp integer default 0 not null,
  commission_bp integer default 2000 not null,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  version integer default 0 not null,
  suspended_at timestamp with time zone,
  suspend_notice text default ''::text not null,
  constraint distributor_pkey PRIMARY KEY (id),
  constraint distributor_code_key UNIQUE (code),
  constraint distributor_commission_bp_check CHECK (((commission_bp >= 0) AND (commission_bp <= 10000))),
  constraint distributor_mark_up_bp_check CHECK (((mark_up_bp >= 0) AND (mark_up_bp <= 3000))),
  constraint distributor_suspend_notice_check CHECK ((length(suspend_notice) <= 200))
);

create table event_case (
  id bigint generated always as identity not null,
  code text not null,
  dist_id integer,
  kind text not null,
  game_id integer,
  title text not null,
  summary text not null,
  amount_fen bigint,
  result text default ''::text not null,
  cover_key text,
  blocks jsonb not null,
  claim_id bigint,
  dispute_id bigint,
  happened_on date,
  status smallint default 0 not null,
  views integer default 0 not null,
  author_id bigint,
  published_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint event_case_pkey PRIMARY KEY (id),
  constraint event_case_code_key UNIQUE (code),
  constraint event_case_amount_fen_check CHECK ((amount_fen > 0)),
  constraint event_case_blocks_check CHECK ((jsonb_typeof(blocks) = 'array'::text)),
  constraint event_case_check CHECK (((status <> 1) OR (published_at IS NOT NULL))),
  constraint event_case_code_check CHECK ((code ~ '^[A-Za-z0-9-]{2,40}$'::text)),
  constraint event_case_kind_check CHECK ((kind = ANY (ARRAY['recovered'::text, 'fraud'::text, 'fake_service'::text, 'private_trade'::text, 'dispute'::text, 'claim'::text, 'other'::text]))),
  constraint event_case_status_check CHECK ((status = ANY (ARRAY[0, 1, 2]))),
  constraint event_case_author_id_fkey FOREIGN KEY (author_id) REFERENCES staff(id),
  constraint event_case_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES guarantee_claim(id),
  constraint event_case_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES dispute(id),
  constraint event_case_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint event_case_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table fake_service_report (
  id bigint generated always as identity not null,
  dist_id integer not null,
  user_id bigint,
  kind text not null,
  value_hash bytea not null,
  value_enc bytea not null,
  value_mask text not null,
  text text not null,
  pictures jsonb default '[]'::jsonb not null,
  status text default 'reviewing'::text not null,
  black_id bigint,
  handled_by bigint,
  created_at timestamp with time zone default now() not null,
  contact_enc bytea,
  note text,
  handled_at timestamp with time zone,
  constraint fake_service_report_pkey PRIMARY KEY (id),
  constraint fake_service_report_check CHECK (((status = 'reviewing'::text) = (handled_at IS NULL))),
  constraint fake_service_report_kind_check CHECK ((kind = ANY (ARRAY['qq'::text, 'wechat'::text, 'phone'::text, 'payee'::text, 'group'::text, 'link'::text]))),
  constraint fake_service_report_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint fake_service_report_status_check CHECK ((status = ANY (ARRAY['reviewing'::text, 'listed'::text, 'rejected'::text]))),
  constraint fake_service_report_black_id_fkey FOREIGN KEY (black_id) REFERENCES black_entry(id),
  constraint fake_service_report_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint fake_service_report_handled_by_fkey FOREIGN KEY (handled_by) REFERENCES staff(id),
  constraint fake_service_report_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table former_person (
  user_id bigint not null,
  id_hash bytea not null,
  closed_at timestamp with time zone default now() not null,
  constraint former_person_pkey PRIMARY KEY (user_id),
  constraint former_person_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table fund_release (
  id bigint generated always as identity not null,
  code text not null,
  ref text not null,
  amount_fen bigint not null,
  approval_id bigint,
  claim_id bigint,
  created_at timestamp with time zone default now() not null,
  constraint fund_release_pkey PRIMARY KEY (id),
  constraint fund_release_code_ref_key UNIQUE (code, ref),
  constraint fund_release_amount_fen_check CHECK ((amount_fen > 0)),
  constraint fund_release_check CHECK ((num_nonnulls(approval_id, claim_id) = 1)),
  constraint fund_release_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approval(id),
  constraint fund_release_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES guarantee_claim(id)
);

create table game (
  id integer not null,
  code text not null,
  name text not null,
  game_type smallint not null,
  initial character(1) not null,
  pinyin text not null,
  initials text not null,
  hue integer default 221 not null,
  scene text default 'hills'::text not null,
  glyph text default ''::text not null,
  hot integer default 0 not null,
  goods_types jsonb not null,
  coin_unit text,
  coin_ratio numeric,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  aliases text[] default '{}'::text[] not null,
  default_type smallint default 1 not null,
  icon_key text,
  version integer default 0 not null,
  constraint game_pkey PRIMARY KEY (id),
  constraint game_code_key UNIQUE (code),
  constraint game_game_type_check CHECK ((game_type = ANY (ARRAY[1, 2])))
);

create table game_area (
  id integer not null,
  game_id integer not null,
  name text not null,
  sort integer default 0 not null,
  status smallint default 1 not null,
  constraint game_area_pkey PRIMARY KEY (id),
  constraint game_area_game_id_name_key UNIQUE (game_id, name) DEFERRABLE,
  constraint game_area_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
  constraint game_area_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table game_draft (
  game_id integer not null,
  rev integer not null,
  base_version integer not null,
  doc jsonb not null,
  updated_by bigint,
  updated_at timestamp with time zone default now() not null,
  constraint game_draft_pkey PRIMARY KEY (game_id),
  constraint game_draft_base_version_check CHECK ((base_version >= 0)),
  constraint game_draft_rev_check CHECK ((rev > 0)),
  constraint game_draft_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES staff(id)
);

create table game_server (
  id integer not null,
  area_id integer not null,
  name text not null,
  sort integer default 0 not null,
  status smallint default 1 not null,
  merged_into integer,
  constraint game_server_pkey PRIMARY KEY (id),
  constraint game_server_area_id_name_key UNIQUE (area_id, name) DEFERRABLE,
  constraint game_server_merged_is_off CHECK (((merged_into IS NULL) OR ((status = 0) AND (merged_into <> id)))),
  constraint game_server_status_check CHECK ((status = ANY (ARRAY[0, 1]))),
  constraint game_server_area_id_fkey FOREIGN KEY (area_id) REFERENCES game_area(id),
  constraint game_server_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES game_server(id)
);

create table game_version (
  game_id integer not null,
  version integer not null,
  doc jsonb not null,
  changes jsonb not null,
  source text not null,
  reason text not null,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  constraint game_version_pkey PRIMARY KEY (game_id, version),
  constraint game_version_source_check CHECK ((source = ANY (ARRAY['staff'::text, 'file'::text, 'shipped'::text, 'rollback'::text, 'before'::text]))),
  constraint game_version_version_check CHECK ((version > 0)),
  constraint game_version_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint game_version_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table goods (
  id bigint generated always as identity not null,
  sn text generated always as (goods_sn(id)) stored not null,
  dist_id integer not null,
  seller_id bigint not null,
  game_id integer not null,
  type_id smallint not null,
  area_id integer,
  server_id integer,
  title text not null,
  description text default ''::text not null,
  price_fen bigint not null,
  stock integer default 1 not null,
  attrs jsonb default '{}'::jsonb not null,
  fields_version integer default 1 not null,
  pictures jsonb default '[]'::jsonb not null,
  fingerprint bytea,
  source text,
  official boolean default false not null,
  bargain_ok boolean default false not null,
  guarantee_ok boolean default true not null,
  inspected_at timestamp with time zone,
  status smallint default 0 not null,
  review_note text,
  version integer default 1 not null,
  import_key text,
  refreshed_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  password_due_at timestamp with time zone,
  account_near bytea,
  account_hint text,
  constraint goods_pkey PRIMARY KEY (id),
  constraint goods_price_fen_check CHECK (((price_fen >= 100) AND (price_fen <= 999999900))),
  constraint goods_status_check CHECK (((status >= 0) AND (status <= 8))),
  constraint goods_stock_check CHECK ((stock >= 0)),
  constraint goods_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint goods_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint goods_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES app_user(id)
);

create table goods_draft (
  user_id bigint not null,
  draft_key text not null,
  body jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint goods_draft_pkey PRIMARY KEY (user_id, draft_key),
  constraint goods_draft_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table goods_event (
  id bigint generated always as identity not null,
  goods_id bigint not null,
  kind text not null,
  actor text not null,
  detail jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint goods_event_pkey PRIMARY KEY (id),
  constraint goods_event_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id)
);

create table goods_finding (
  goods_id bigint not null,
  sealed bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint goods_finding_pkey PRIMARY KEY (goods_id),
  constraint goods_finding_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id)
);

create table goods_follow (
  user_id bigint not null,
  goods_id bigint not null,
  price_fen bigint not null,
  created_at timestamp with time zone default now() not null,
  alert_drop boolean default true not null,
  alert_back boolean default true not null,
  told_fen bigint,
  told_back_at timestamp with time zone,
  constraint goods_follow_pkey PRIMARY KEY (user_id, goods_id),
  constraint goods_follow_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint goods_follow_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table goods_price_day (
  goods_id bigint not null,
  price_fen bigint not null,
  until timestamp with time zone default now() not null,
  constraint goods_price_day_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id)
);

create table goods_question (
  id bigint generated always as identity not null,
  goods_id bigint not null,
  dist_id integer not null,
  seller_id bigint not null,
  user_id bigint not null,
  content text not null,
  created_at timestamp with time zone default now() not null,
  answer text,
  answered_at timestamp with time zone,
  merged_at timestamp with time zone,
  hidden_at timestamp with time zone,
  hidden_reason text,
  answer_hidden_at timestamp with time zone,
  answer_hidden_reason text,
  is_private boolean default false not null,
  constraint goods_question_pkey PRIMARY KEY (id),
  constraint goods_question_answer_check CHECK (((length(answer) >= 1) AND (length(answer) <= 300))),
  constraint goods_question_check CHECK ((user_id <> seller_id)),
  constraint goods_question_check1 CHECK (((answer IS NULL) = (answered_at IS NULL))),
  constraint goods_question_check2 CHECK (((merged_at IS NULL) OR (answered_at IS NOT NULL))),
  constraint goods_question_content_check CHECK (((length(content) >= 1) AND (length(content) <= 100))),
  constraint goods_question_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint goods_question_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint goods_question_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES app_user(id),
  constraint goods_question_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table goods_reference (
  goods_id bigint not null,
  game_id integer not null,
  low_fen bigint not null,
  typical_fen bigint not null,
  high_fen bigint not null,
  wide boolean not null,
  samples integer not null,
  model_version integer not null,
  made_at timestamp with time zone default now() not null,
  constraint goods_reference_pkey PRIMARY KEY (goods_id),
  constraint goods_reference_order CHECK (((0 < low_fen) AND (low_fen <= typical_fen) AND (typical_fen <= high_fen))),
  constraint goods_reference_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint goods_reference_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id)
);

create table goods_report (
  id bigint generated always as identity not null,
  goods_id bigint not null,
  question_id bigint,
  dist_id integer not null,
  part text not null,
  user_id bigint not null,
  reason_code text not null,
  reason_version integer not null,
  note text default ''::text not null,
  pictures jsonb default '[]'::jsonb not null,
  status text default 'waiting'::text not null,
  is_false boolean default false not null,
  created_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  decided_by bigint,
  decision text,
  constraint goods_report_pkey PRIMARY KEY (id),
  constraint goods_report_check CHECK (((part = 'goods'::text) = (question_id IS NULL))),
  constraint goods_report_check1 CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
  constraint goods_report_note_check CHECK ((length(note) <= 200)),
  constraint goods_report_part_check CHECK ((part = ANY (ARRAY['goods'::text, 'question'::text, 'answer'::text]))),
  constraint goods_report_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'kept'::text, 'hidden'::text]))),
  constraint goods_report_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint goods_report_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint goods_report_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint goods_report_question_id_fkey FOREIGN KEY (question_id) REFERENCES goods_question(id),
  constraint goods_report_reason_code_reason_version_fkey FOREIGN KEY (reason_code, reason_version) REFERENCES dispute_reason_version(code, version),
  constraint goods_report_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table goods_search (
  goods_id bigint not null,
  game_id integer not null,
  type_id smallint not null,
  area_id integer,
  server_id integer,
  seller_id bigint not null,
  price_fen bigint not null,
  refreshed_at timestamp with time zone not null,
  score integer default 0 not null,
  n1 integer,
  n2 integer,
  n3 integer,
  n4 integer,
  tsv tsvector not null,
  constraint goods_search_pkey PRIMARY KEY (goods_id),
  constraint goods_search_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id)
);

create table goods_stat (
  goods_id bigint not null,
  views integer default 0 not null,
  follows integer default 0 not null,
  game_id integer,
  constraint goods_stat_pkey PRIMARY KEY (goods_id),
  constraint goods_stat_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id)
);

create table goods_view (
  user_id bigint not null,
  goods_id bigint not null,
  viewed_at timestamp with time zone default now() not null,
  constraint goods_view_pkey PRIMARY KEY (user_id, goods_id),
  constraint goods_view_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint goods_view_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table goods_view_day (
  day date not null,
  game_id integer not null,
  views integer not null,
  constraint goods_view_day_pkey PRIMARY KEY (day, game_id),
  constraint goods_view_day_views_check CHECK ((views > 0)),
  constraint goods_view_day_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table goods_week (
  goods_id bigint not null,
  week date not null,
  views integer default 0 not null,
  follows integer default 0 not null,
  constraint goods_week_pkey PRIMARY KEY (goods_id, week),
  constraint goods_week_follows_check CHECK ((follows >= 0)),
  constraint goods_week_views_check CHECK ((views >= 0)),
  constraint goods_week_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id)
);

create table guarantee_certificate (
  no text not null,
  cover_id bigint not null,
  holder_seq smallint not null,
  body jsonb not null,
  body_hash bytea not null,
  issued_at timestamp with time zone default now() not null,
  replaced_by text,
  constraint guarantee_certificate_pkey PRIMARY KEY (no),
  constraint guarantee_certificate_cover_id_holder_seq_key UNIQUE (cover_id, holder_seq),
  constraint guarantee_certificate_no_check CHECK ((no ~ '^[A-Z0-9]{8,24}$'::text)),
  constraint guarantee_certificate_cover_id_fkey FOREIGN KEY (cover_id) REFERENCES guarantee_cover(id),
  constraint guarantee_certificate_cover_id_holder_seq_fkey FOREIGN KEY (cover_id, holder_seq) REFERENCES guarantee_holder(cover_id, seq),
  constraint guarantee_certificate_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES guarantee_certificate(no)
);

create table guarantee_claim (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  cover_id bigint not null,
  user_id bigint not null,
  order_id bigint not null,
  reason text not null,
  explain text not null,
  pictures jsonb default '[]'::jsonb not null,
  asked_fen bigint not null,
  paid_fen bigint default 0 not null,
  status text default 'checking'::text not null,
  staff_id bigint,
  refusal text,
  chase_days smallint not null,
  first_look_by timestamp with time zone not null,
  chase_from timestamp with time zone,
  deadline_at timestamp with time zone,
  opened_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  paid_note text,
  stopped jsonb default '{}'::jsonb not null,
  recourse_fen bigint default 0 not null,
  fingerprint bytea,
  escalated_for text[] default '{}'::text[] not null,
  decide_by timestamp with time zone,
  spares_seller boolean default false not null,
  penalty_fen bigint default 0 not null,
  debt_fen bigint default 0 not null,
  constraint guarantee_claim_pkey PRIMARY KEY (id),
  constraint guarantee_claim_sn_key UNIQUE (sn),
  constraint guarantee_claim_asked_fen_check CHECK ((asked_fen > 0)),
  constraint guarantee_claim_chase_days_check CHECK ((chase_days > 0)),
  constraint guarantee_claim_check CHECK (((status <> 'chasing'::text) OR ((chase_from IS NOT NULL) AND (deadline_at IS NOT NULL)))),
  constraint guarantee_claim_check1 CHECK (((status = 'paid'::text) = (paid_fen > 0))),
  constraint guarantee_claim_check2 CHECK (((status <> 'refused'::text) OR (refusal IS NOT NULL))),
  constraint guarantee_claim_check4 CHECK (((recourse_fen >= 0) AND (recourse_fen <= paid_fen))),
  constraint guarantee_claim_debt_fen_check CHECK ((debt_fen >= 0)),
  constraint guarantee_claim_escalated CHECK (((status <> 'escalated'::text) OR (decide_by IS NOT NULL))),
  constraint guarantee_claim_open_undecided CHECK (((status = ANY (ARRAY['checking'::text, 'chasing'::text, 'escalated'::text])) = (decided_at IS NULL))),
  constraint guarantee_claim_paid_fen_check CHECK ((paid_fen >= 0)),
  constraint guarantee_claim_penalty_fen_check CHECK ((penalty_fen >= 0)),
  constraint guarantee_claim_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint guarantee_claim_reason_check CHECK ((reason = ANY (ARRAY['recovered'::text, 'face_refused'::text, 'banned'::text, 'not_as_described'::text, 'topup_lost'::text, 'other'::text]))),
  constraint guarantee_claim_shares CHECK ((((recourse_fen + penalty_fen) + debt_fen) <= paid_fen)),
  constraint guarantee_claim_status_check CHECK ((status = ANY (ARRAY['checking'::text, 'chasing'::text, 'escalated'::text, 'paid'::text, 'refused'::text, 'recovered'::text, 'withdrawn'::text]))),
  constraint guarantee_claim_stopped_check CHECK ((jsonb_typeof(stopped) = 'object'::text)),
  constraint guarantee_claim_cover_id_fkey FOREIGN KEY (cover_id) REFERENCES guarantee_cover(id),
  constraint guarantee_claim_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint guarantee_claim_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint guarantee_claim_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint guarantee_claim_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table guarantee_claim_step (
  claim_id bigint not null,
  seq smallint not null,
  day smallint default 0 not null,
  text text not null,
  actor text not null,
  pictures jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint guarantee_claim_step_pkey PRIMARY KEY (claim_id, seq),
  constraint guarantee_claim_step_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES guarantee_claim(id)
);

create table guarantee_cover (
  id bigint generated always as identity not null,
  dist_id integer not null,
  tier_id integer not null,
  kind text not null,
  order_id bigint not null,
  goods_id bigint,
  fingerprint bytea,
  holder_id bigint not null,
  price_fen bigint not null,
  premium_fen bigint not null,
  payout_max_fen bigint not null,
  terms jsonb not null,
  status text default 'waiting'::text not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint guarantee_cover_pkey PRIMARY KEY (id),
  constraint guarantee_cover_order_id_kind_key UNIQUE (order_id, kind),
  constraint guarantee_cover_check CHECK (((status = ANY (ARRAY['waiting'::text, 'void'::text])) OR (starts_at IS NOT NULL))),
  constraint guarantee_cover_kind_check CHECK ((kind = ANY (ARRAY['ensure'::text, 'fixEnsure'::text]))),
  constraint guarantee_cover_payout_max_fen_check CHECK ((payout_max_fen > 0)),
  constraint guarantee_cover_premium_fen_check CHECK ((premium_fen >= 0)),
  constraint guarantee_cover_price_fen_check CHECK ((price_fen > 0)),
  constraint guarantee_cover_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'active'::text, 'claimed'::text, 'paid'::text, 'ended'::text, 'void'::text]))),
  constraint guarantee_cover_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint guarantee_cover_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint guarantee_cover_holder_id_fkey FOREIGN KEY (holder_id) REFERENCES app_user(id),
  constraint guarantee_cover_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint guarantee_cover_tier_id_fkey FOREIGN KEY (tier_id) REFERENCES guarantee_tier(id)
);

create table guarantee_holder (
  cover_id bigint not null,
  seq smallint not null,
  user_id bigint not null,
  order_id bigint not null,
  from_at timestamp with time zone default now() not null,
  to_at timestamp with time zone,
  constraint guarantee_holder_pkey PRIMARY KEY (cover_id, seq),
  constraint guarantee_holder_cover_id_order_id_key UNIQUE (cover_id, order_id),
  constraint guarantee_holder_check CHECK (((to_at IS NULL) OR (to_at >= from_at))),
  constraint guarantee_holder_seq_check CHECK ((seq > 0)),
  constraint guarantee_holder_cover_id_fkey FOREIGN KEY (cover_id) REFERENCES guarantee_cover(id),
  constraint guarantee_holder_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint guarantee_holder_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table guarantee_month (
  month date not null,
  game_id integer not null,
  covers integer not null,
  premium_fen bigint not null,
  claims integer not null,
  paid integer not null,
  paid_fen bigint not null,
  refused integer not null,
  recovered integer not null,
  median_hours integer,
  refusals jsonb default '{}'::jsonb not null,
  made_at timestamp with time zone default now() not null,
  constraint guarantee_month_pkey PRIMARY KEY (month, game_id),
  constraint guarantee_month_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint guarantee_month_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table guarantee_receipt (
  id bigint generated always as identity not null,
  claim_id bigint not null,
  amount_fen bigint not null,
  paid_on date not null,
  note text not null,
  pictures jsonb not null,
  staff_id bigint not null,
  created_at timestamp with time zone default now() not null,
  struck_by bigint,
  struck_at timestamp with time zone,
  constraint guarantee_receipt_pkey PRIMARY KEY (id),
  constraint guarantee_receipt_amount_fen_check CHECK ((amount_fen > 0)),
  constraint guarantee_receipt_check CHECK (((struck_by IS NULL) = (struck_at IS NULL))),
  constraint guarantee_receipt_pictures_check CHECK (((jsonb_typeof(pictures) = 'array'::text) AND (jsonb_array_length(pictures) > 0))),
  constraint guarantee_receipt_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES guarantee_claim(id),
  constraint guarantee_receipt_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint guarantee_receipt_struck_by_fkey FOREIGN KEY (struck_by) REFERENCES staff(id)
);

create table guarantee_tier (
  id integer not null,
  kind text not null,
  code text not null,
  name text not null,
  rate_bp integer not null,
  min_fen bigint default 500 not null,
  payout_bp integer default 10000 not null,
  chase_days smallint default 7 not null,
  cover_days integer,
  cover_text text not null,
  exclusions jsonb default '[]'::jsonb not null,
  goods_types smallint[] default '{1,8,50}'::smallint[] not null,
  games integer[],
  sort integer default 0 not null,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  reasons jsonb default '{}'::jsonb not null,
  valid_from timestamp with time zone default now() not null,
  created_by bigint,
  approved_by bigint,
  reason text default ''::text not null,
  revoked_at timestamp with time zone,
  revoked_by bigint,
  constraint guarantee_tier_pkey PRIMARY KEY (id),
  constraint guarantee_tier_version UNIQUE (code, version),
  constraint guarantee_tier_chase_days_check CHECK (((chase_days >= 1) AND (chase_days <= 60))),
  constraint guarantee_tier_cover_days_check CHECK ((cover_days > 0)),
  constraint guarantee_tier_exclusions_check CHECK ((jsonb_typeof(exclusions) = 'array'::text)),
  constraint guarantee_tier_kind_check CHECK ((kind = ANY (ARRAY['ensure'::text, 'fixEnsure'::text]))),
  constraint guarantee_tier_min_fen_check CHECK ((min_fen >= 0)),
  constraint guarantee_tier_payout_bp_check CHECK (((payout_bp >= 1) AND (payout_bp <= 30000))),
  constraint guarantee_tier_rate_bp_check CHECK (((rate_bp >= 0) AND (rate_bp <= 5000))),
  constraint guarantee_tier_reason_check CHECK ((length(reason) <= 200)),
  constraint guarantee_tier_reasons_check CHECK ((jsonb_typeof(reasons) = 'object'::text)),
  constraint guarantee_tier_status_check CHECK ((status = ANY (ARRAY[1, 2]))),
  constraint guarantee_tier_two_persons CHECK (((approved_by IS DISTINCT FROM created_by) OR (approved_by IS NULL))),
  constraint guarantee_tier_version_check CHECK ((version > 0)),
  constraint guarantee_tier_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES staff(id),
  constraint guarantee_tier_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint guarantee_tier_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES staff(id)
);

create table hold (
  id bigint generated always as identity not null,
  user_id bigint not null,
  amount_fen bigint not null,
  code text not null,
  reason text not null,
  ref text not null,
  release_at timestamp with time zone,
  released_at timestamp with time zone,
  release_note text,
  created_at timestamp with time zone default now() not null,
  short_fen bigint default 0 not null,
  constraint hold_pkey PRIMARY KEY (id),
  constraint hold_code_ref_key UNIQUE (code, ref),
  constraint hold_amount_fen_check CHECK ((amount_fen > 0)),
  constraint hold_short_fen_check CHECK ((short_fen >= 0)),
  constraint hold_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table hold_stage (
  hold_id bigint not null,
  seq smallint not null,
  amount_fen bigint not null,
  before_end integer not null,
  released_at timestamp with time zone,
  constraint hold_stage_pkey PRIMARY KEY (hold_id, seq),
  constraint hold_stage_amount_fen_check CHECK ((amount_fen > 0)),
  constraint hold_stage_before_end_check CHECK ((before_end > 0)),
  constraint hold_stage_seq_check CHECK ((seq > 0)),
  constraint hold_stage_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES hold(id)
);

create table idempotency (
  scope text not null,
  endpoint text not null,
  key text not null,
  request_hash text not null,
  facts jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_pkey PRIMARY KEY (scope, endpoint, key)
);

create table import_job (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  dist_id integer,
  seller_id bigint,
  file_name text not null,
  bytes integer not null,
  body bytea,
  columns jsonb default '[]'::jsonb not null,
  total_rows integer not null,
  done_rows integer default 0 not null,
  imported integer default 0 not null,
  corrected integer default 0 not null,
  existing integer default 0 not null,
  refused integer default 0 not null,
  publish boolean default false not null,
  status text default 'ready'::text not null,
  failure text,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  notes jsonb default '[]'::jsonb not null,
  constraint import_job_pkey PRIMARY KEY (id),
  constraint import_job_check CHECK ((done_rows = (((imported + corrected) + existing) + refused))),
  constraint import_job_check1 CHECK (((status = 'ready'::text) OR (seller_id IS NOT NULL))),
  constraint import_job_status_check CHECK ((status = ANY (ARRAY['ready'::text, 'running'::text, 'done'::text, 'failed'::text]))),
  constraint import_job_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint import_job_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES app_user(id),
  constraint import_job_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table import_row (
  job_id bigint not null,
  line integer not null,
  verdict text not null,
  import_key text,
  goods_id bigint,
  note text default ''::text not null,
  cells jsonb,
  constraint import_row_pkey PRIMARY KEY (job_id, line),
  constraint import_row_verdict_check CHECK ((verdict = ANY (ARRAY['imported'::text, 'corrected'::text, 'existing'::text, 'refused'::text]))),
  constraint import_row_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint import_row_job_id_fkey FOREIGN KEY (job_id) REFERENCES import_job(id)
);

create table inspection (
  goods_id bigint not null,
  field text not null,
  label text not null,
  value text not null,
  reader text not null,
  read_at timestamp with time zone not null,
  picture_key text,
  task_id bigint,
  said text default ''::text not null,
  differs boolean default false not null,
  constraint inspection_pkey PRIMARY KEY (goods_id, field),
  constraint inspection_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint inspection_task_id_fkey FOREIGN KEY (task_id) REFERENCES inspection_task(id)
);

create table inspection_claim (
  id bigint generated always as identity not null,
  dist_id integer not null,
  order_id bigint not null,
  task_id bigint not null,
  buyer_id bigint not null,
  field text not null,
  label text not null,
  reading text not null,
  found text not null,
  pictures jsonb not null,
  amount_fen bigint not null,
  status text default 'open'::text not null,
  note text default ''::text not null,
  staff_id bigint,
  decided_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint inspection_claim_pkey PRIMARY KEY (id),
  constraint inspection_claim_order_id_key UNIQUE (order_id),
  constraint inspection_claim_task_id_key UNIQUE (task_id),
  constraint inspection_claim_amount_fen_check CHECK ((amount_fen > 0)),
  constraint inspection_claim_decided CHECK (((status = 'open'::text) = (decided_at IS NULL))),
  constraint inspection_claim_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint inspection_claim_status_check CHECK ((status = ANY (ARRAY['open'::text, 'paid'::text, 'refused'::text]))),
  constraint inspection_claim_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES app_user(id),
  constraint inspection_claim_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint inspection_claim_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint inspection_claim_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint inspection_claim_task_id_fkey FOREIGN KEY (task_id) REFERENCES inspection_task(id)
);

create table inspection_reading (
  task_id bigint not null,
  field text not null,
  label text not null,
  said text not null,
  found text not null,
  value jsonb,
  differs boolean not null,
  created_at timestamp with time zone default now() not null,
  constraint inspection_reading_pkey PRIMARY KEY (task_id, field),
  constraint inspection_reading_task_id_fkey FOREIGN KEY (task_id) REFERENCES inspection_task(id)
);

create table inspection_task (
  id bigint generated always as identity not null,
  dist_id integer not null,
  goods_id bigint not null,
  kind text not null,
  asked_by text not null,
  buyer_id bigint,
  fee_fen bigint default 0 not null,
  status text default 'waiting'::text not null,
  staff_id bigint,
  sealed_enc bytea,
  sealed_at timestamp with time zone,
  erased_at timestamp with time zone,
  opened_count integer default 0 not null,
  opened_at timestamp with time zone,
  claimed_at timestamp with time zone,
  due_at timestamp with time zone,
  done_at timestamp with time zone,
  differs integer default 0 not null,
  pictures jsonb default '[]'::jsonb not null,
  closed_reason text,
  created_at timestamp with time zone default now() not null,
  constraint inspection_task_pkey PRIMARY KEY (id),
  constraint inspection_task_asked_by_check CHECK ((asked_by = ANY (ARRAY['seller'::text, 'staff'::text, 'buyer'::text]))),
  constraint inspection_task_buyer CHECK ((((kind = 'again'::text) = (buyer_id IS NOT NULL)) AND ((kind = 'again'::text) OR (fee_fen = 0)))),
  constraint inspection_task_differs_check CHECK ((differs >= 0)),
  constraint inspection_task_done CHECK (((status = 'done'::text) = (done_at IS NOT NULL))),
  constraint inspection_task_fee_fen_check CHECK ((fee_fen >= 0)),
  constraint inspection_task_kind_check CHECK ((kind = ANY (ARRAY['first'::text, 'again'::text]))),
  constraint inspection_task_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint inspection_task_sealed CHECK (((status <> 'queued'::text) OR (sealed_enc IS NOT NULL))),
  constraint inspection_task_staff CHECK (((status <> ALL (ARRAY['claimed'::text, 'review'::text, 'done'::text])) OR (staff_id IS NOT NULL))),
  constraint inspection_task_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'queued'::text, 'claimed'::text, 'review'::text, 'done'::text, 'closed'::text]))),
  constraint inspection_task_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES app_user(id),
  constraint inspection_task_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint inspection_task_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint inspection_task_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table inspection_transition (
  from_status text not null,
  to_status text not null,
  constraint inspection_transition_pkey PRIMARY KEY (from_status, to_status)
);

create table job_mark (
  name text not null,
  at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id bigint default 0 not null,
  constraint job_mark_pkey PRIMARY KEY (name),
  constraint job_mark_name_check CHECK ((name ~ '^[a-z]+(\.[a-zA-Z]+)+$'::text))
);

create table known_device (
  user_id bigint not null,
  agent_hash bytea not null,
  first_at timestamp with time zone default now() not null,
  last_at timestamp with time zone default now() not null,
  constraint known_device_pkey PRIMARY KEY (user_id, agent_hash),
  constraint known_device_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table league (
  id integer generated always as identity not null,
  game_id integer not null,
  name text not null,
  stage text default ''::text not null,
  starts_on date not null,
  ends_on date not null,
  status smallint default 1 not null,
  dist_id integer,
  logo_key text,
  sort integer default 0 not null,
  version integer default 1 not null,
  created_by bigint,
  updated_at timestamp with time zone default now() not null,
  constraint league_pkey PRIMARY KEY (id),
  constraint league_check CHECK ((ends_on >= starts_on)),
  constraint league_sort_check CHECK (((sort >= 0) AND (sort <= 999))),
  constraint league_status_check CHECK ((status = ANY (ARRAY[0, 1, 2]))),
  constraint league_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint league_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint league_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table league_match (
  id bigint generated always as identity not null,
  league_id integer not null,
  home_id integer not null,
  away_id integer not null,
  starts_at timestamp with time zone not null,
  best_of smallint default 1 not null,
  home_score smallint default 0 not null,
  away_score smallint default 0 not null,
  status text default 'waiting'::text not null,
  watch_url text,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  constraint league_match_pkey PRIMARY KEY (id),
  constraint league_match_once UNIQUE (league_id, home_id, away_id, starts_at),
  constraint league_match_away_score_check CHECK ((away_score >= 0)),
  constraint league_match_best_of_check CHECK ((best_of = ANY (ARRAY[1, 3, 5, 7]))),
  constraint league_match_check CHECK ((home_id <> away_id)),
  constraint league_match_home_score_check CHECK ((home_score >= 0)),
  constraint league_match_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'playing'::text, 'over'::text, 'postponed'::text]))),
  constraint league_match_watch_url_check CHECK (((watch_url IS NULL) OR (watch_url ~ '^https?://'::text))),
  constraint league_match_away_id_fkey FOREIGN KEY (away_id) REFERENCES league_team(id),
  constraint league_match_home_id_fkey FOREIGN KEY (home_id) REFERENCES league_team(id),
  constraint league_match_league_id_fkey FOREIGN KEY (league_id) REFERENCES league(id)
);

create table league_team (
  id integer generated always as identity not null,
  name text not null,
  short_name text not null,
  logo_key text,
  dist_id integer,
  version integer default 1 not null,
  constraint league_team_pkey PRIMARY KEY (id),
  constraint league_team_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table ledger_account (
  key text not null,
  may_overdraw boolean default false not null,
  balance bigint default 0 not null,
  version bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint ledger_account_pkey PRIMARY KEY (key),
  constraint balance_not_negative CHECK ((may_overdraw OR (balance >= 0)))
);

create table ledger_entry (
  account text not null,
  version bigint not null,
  transfer_id bigint not null,
  delta bigint not null,
  balance_after bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint ledger_entry_pkey PRIMARY KEY (account, version),
  constraint ledger_entry_delta_check CHECK ((delta <> 0)),
  constraint ledger_entry_account_fkey FOREIGN KEY (account) REFERENCES ledger_account(key),
  constraint ledger_entry_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES ledger_transfer(id)
);

create table ledger_transfer (
  id bigint generated always as identity not null,
  code text not null,
  ref text not null,
  debit text not null,
  credit text not null,
  amount_fen bigint not null,
  dist_id integer not null,
  order_id bigint,
  created_at timestamp with time zone default now() not null,
  constraint ledger_transfer_pkey PRIMARY KEY (id),
  constraint ledger_transfer_code_ref_key UNIQUE (code, ref),
  constraint ledger_transfer_amount_fen_check CHECK ((amount_fen > 0)),
  constraint ledger_transfer_check CHECK ((debit <> credit)),
  constraint ledger_transfer_credit_fkey FOREIGN KEY (credit) REFERENCES ledger_account(key),
  constraint ledger_transfer_debit_fkey FOREIGN KEY (debit) REFERENCES ledger_account(key)
);

create table legal_text (
  code text not null,
  version integer not null,
  title text not null,
  blocks jsonb not null,
  in_force_from timestamp with time zone not null,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  reason text default ''::text not null,
  needs_consent boolean default false not null,
  revoked_at timestamp with time zone,
  revoked_by bigint,
  constraint legal_text_pkey PRIMARY KEY (code, version),
  constraint legal_text_blocks_check CHECK ((jsonb_typeof(blocks) = 'array'::text)),
  constraint legal_text_code_check CHECK ((code ~ '^[a-z_]{2,40}$'::text)),
  constraint legal_text_reason_check CHECK ((length(reason) <= 200)),
  constraint legal_text_version_check CHECK ((version > 0)),
  constraint legal_text_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint legal_text_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES staff(id)
);

create table limit_counter (
  key text not null,
  hits integer not null,
  reset_at timestamp with time zone not null,
  constraint limit_counter_pkey PRIMARY KEY (key)
);

create table link_mark (
  user_a bigint not null,
  user_b bigint not null,
  kind text not null,
  reason text not null,
  staff_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint link_mark_pkey PRIMARY KEY (user_a, user_b, kind),
  constraint link_mark_kind_check CHECK ((kind = ANY (ARRAY['browser'::text, 'payee'::text, 'network'::text, 'inviter'::text]))),
  constraint link_mark_order CHECK ((user_a < user_b)),
  constraint link_mark_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
  constraint link_mark_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint link_mark_user_a_fkey FOREIGN KEY (user_a) REFERENCES app_user(id),
  constraint link_mark_user_b_fkey FOREIGN KEY (user_b) REFERENCES app_user(id)
);

create table link_push (
  dist_id integer not null,
  path text not null,
  goods_id bigint,
  queued_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  outcome text,
  constraint link_push_pkey PRIMARY KEY (dist_id, path),
  constraint link_push_check CHECK (((sent_at IS NULL) = (outcome IS NULL))),
  constraint link_push_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'refused'::text]))),
  constraint link_push_path_check CHECK (((path ~~ '/%'::text) AND (length(path) <= 300))),
  constraint link_push_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES link_push_site(dist_id) ON DELETE CASCADE,
  constraint link_push_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id) ON DELETE CASCADE
);

create table link_push_site (
  dist_id integer not null,
  token_enc bytea not null,
  set_by bigint,
  set_at timestamp with time zone default now() not null,
  day date,
  accepted integer default 0 not null,
  remaining integer,
  most integer,
  sent_at timestamp with time zone,
  failure text,
  failed_at timestamp with time zone,
  fails integer default 0 not null,
  held_until timestamp with time zone,
  constraint link_push_site_pkey PRIMARY KEY (dist_id),
  constraint link_push_site_accepted_check CHECK ((accepted >= 0)),
  constraint link_push_site_fails_check CHECK ((fails >= 0)),
  constraint link_push_site_failure_check CHECK ((length(failure) <= 200)),
  constraint link_push_site_most_check CHECK ((most >= 1)),
  constraint link_push_site_remaining_check CHECK ((remaining >= 0)),
  constraint link_push_site_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint link_push_site_set_by_fkey FOREIGN KEY (set_by) REFERENCES staff(id)
);

create table listing_import (
  id bigint generated always as identity not null,
  user_id bigint not null,
  dist_id integer not null,
  kind text not null,
  game_id integer,
  type_id smallint,
  file_name text not null,
  bytes integer not null,
  digest bytea not null,
  columns jsonb not null,
  mapping jsonb default '{}'::jsonb not null,
  defaults jsonb default '{}'::jsonb not null,
  status text default 'mapping'::text not null,
  waits_until timestamp with time zone,
  failure text,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  removed_at timestamp with time zone,
  notes jsonb default '[]'::jsonb not null,
  constraint listing_import_pkey PRIMARY KEY (id),
  constraint listing_import_bytes_check CHECK ((bytes > 0)),
  constraint listing_import_check CHECK (((kind = 'publish'::text) = (game_id IS NOT NULL))),
  constraint listing_import_check1 CHECK (((game_id IS NULL) = (type_id IS NULL))),
  constraint listing_import_digest_check CHECK ((length(digest) = 32)),
  constraint listing_import_failure_check CHECK ((length(failure) <= 300)),
  constraint listing_import_file_name_check CHECK ((length(file_name) <= 80)),
  constraint listing_import_kind_check CHECK ((kind = ANY (ARRAY['publish'::text, 'stock'::text]))),
  constraint listing_import_status_check CHECK ((status = ANY (ARRAY['mapping'::text, 'checked'::text, 'running'::text, 'done'::text]))),
  constraint listing_import_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint listing_import_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table listing_import_picture (
  import_id bigint not null,
  source text not null,
  stem text,
  is_url boolean not null,
  picture_key text,
  failure text,
  created_at timestamp with time zone default now() not null,
  constraint listing_import_picture_pkey PRIMARY KEY (import_id, source),
  constraint listing_import_picture_check CHECK (((picture_key IS NULL) OR (failure IS NULL))),
  constraint listing_import_picture_check1 CHECK ((is_url OR (picture_key IS NOT NULL))),
  constraint listing_import_picture_check2 CHECK (((stem IS NULL) = is_url)),
  constraint listing_import_picture_failure_check CHECK ((length(failure) <= 200)),
  constraint listing_import_picture_source_check CHECK (((source <> ''::text) AND (octet_length(source) <= 1000))),
  constraint listing_import_picture_stem_check CHECK ((octet_length(stem) <= 1000)),
  constraint listing_import_picture_import_id_fkey FOREIGN KEY (import_id) REFERENCES listing_import(id) ON DELETE CASCADE,
  constraint listing_import_picture_picture_key_fkey FOREIGN KEY (picture_key) REFERENCES picture(key) ON DELETE CASCADE
);

create table listing_import_row (
  import_id bigint not null,
  line integer not null,
  cells jsonb,
  edits jsonb default '{}'::jsonb not null,
  state text default 'refused'::text not null,
  problems jsonb default '[]'::jsonb not null,
  notes jsonb default '[]'::jsonb not null,
  goods_id bigint,
  marks jsonb default '{}'::jsonb not null,
  constraint listing_import_row_pkey PRIMARY KEY (import_id, line),
  constraint listing_import_row_check CHECK (((state = 'done'::text) <= (goods_id IS NOT NULL))),
  constraint listing_import_row_line_check CHECK ((line > 0)),
  constraint listing_import_row_state_check CHECK ((state = ANY (ARRAY['refused'::text, 'ready'::text, 'running'::text, 'done'::text, 'existing'::text]))),
  constraint listing_import_row_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint listing_import_row_import_id_fkey FOREIGN KEY (import_id) REFERENCES listing_import(id) ON DELETE CASCADE
);

create table lottery_draw (
  id bigint generated always as identity not null,
  user_id bigint not null,
  campaign_id bigint,
  roll integer not null,
  created_at timestamp with time zone default now() not null,
  constraint lottery_draw_pkey PRIMARY KEY (id),
  constraint lottery_draw_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES coupon_campaign(id),
  constraint lottery_draw_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table middleman_deal (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  opener_id bigint not null,
  opener_belong smallint not null,
  partner_id bigint,
  game_id integer,
  title text not null,
  description text default ''::text not null,
  pictures jsonb default '[]'::jsonb not null,
  price_fen bigint not null,
  fee_side text not null,
  fee_fen bigint not null,
  fingerprint bytea,
  link_hash bytea not null,
  status text default 'waiting'::text not null,
  order_id bigint,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  answered_at timestamp with time zone,
  type_id smallint default 0 not null,
  server_id integer,
  account_near bytea,
  account_hint text,
  constraint middleman_deal_pkey PRIMARY KEY (id),
  constraint middleman_deal_link_hash_key UNIQUE (link_hash),
  constraint middleman_deal_order_id_key UNIQUE (order_id),
  constraint middleman_deal_sn_key UNIQUE (sn),
  constraint middleman_deal_check CHECK (((partner_id IS NULL) OR (partner_id <> opener_id))),
  constraint middleman_deal_check1 CHECK (((status = 'ordered'::text) = (order_id IS NOT NULL))),
  constraint middleman_deal_check2 CHECK (((status <> 'ordered'::text) OR (partner_id IS NOT NULL))),
  constraint middleman_deal_fee_fen_check CHECK ((fee_fen >= 0)),
  constraint middleman_deal_fee_side_check CHECK ((fee_side = ANY (ARRAY['buyer'::text, 'seller'::text, 'half'::text]))),
  constraint middleman_deal_opener_belong_check CHECK ((opener_belong = ANY (ARRAY[0, 1]))),
  constraint middleman_deal_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint middleman_deal_price_fen_check CHECK (((price_fen >= 100) AND (price_fen <= 999999900))),
  constraint middleman_deal_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'ordered'::text, 'withdrawn'::text, 'refused'::text, 'expired'::text]))),
  constraint middleman_deal_type_check CHECK (((game_id IS NULL) = (type_id = 0))),
  constraint middleman_deal_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint middleman_deal_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint middleman_deal_opener_id_fkey FOREIGN KEY (opener_id) REFERENCES app_user(id),
  constraint middleman_deal_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint middleman_deal_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES app_user(id),
  constraint middleman_deal_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_server(id)
);

create table news (
  id bigint generated always as identity not null,
  code text not null,
  dist_id integer,
  category text not null,
  game_id integer,
  title text not null,
  summary text default ''::text not null,
  cover_key text,
  blocks jsonb not null,
  pinned boolean default false not null,
  status smallint default 0 not null,
  version integer default 1 not null,
  views integer default 0 not null,
  author_id bigint,
  published_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  published_until timestamp with time zone,
  constraint news_pkey PRIMARY KEY (id),
  constraint news_code_key UNIQUE (code),
  constraint news_blocks_check CHECK ((jsonb_typeof(blocks) = 'array'::text)),
  constraint news_category_check CHECK ((category = ANY (ARRAY['notice'::text, 'activity'::text, 'guide'::text, 'safety'::text, 'rule'::text, 'complaint'::text, 'about'::text]))),
  constraint news_check CHECK (((status <> 1) OR (published_at IS NOT NULL))),
  constraint news_code_check CHECK ((code ~ '^[A-Za-z0-9-]{2,40}$'::text)),
  constraint news_status_check CHECK ((status = ANY (ARRAY[0, 1, 2]))),
  constraint news_times CHECK (((published_until IS NULL) OR (published_at IS NULL) OR (published_until > published_at))),
  constraint news_author_id_fkey FOREIGN KEY (author_id) REFERENCES staff(id),
  constraint news_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint news_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table news_version (
  news_id bigint not null,
  version integer not null,
  content jsonb not null,
  restored_from integer,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  constraint news_version_pkey PRIMARY KEY (news_id, version),
  constraint news_version_content_check CHECK ((jsonb_typeof((content -> 'blocks'::text)) = 'array'::text)),
  constraint news_version_version_check CHECK ((version > 0)),
  constraint news_version_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint news_version_news_id_fkey FOREIGN KEY (news_id) REFERENCES news(id)
);

create table notice (
  id bigint generated always as identity not null,
  dist_id integer not null,
  user_id bigint not null,
  kind text not null,
  ref text not null,
  title text not null,
  body text not null,
  link text,
  read_at timestamp with time zone,
  removed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint notice_pkey PRIMARY KEY (id),
  constraint notice_user_id_kind_ref_key UNIQUE (user_id, kind, ref),
  constraint notice_link_check CHECK (((link IS NULL) OR (link ~ '^/($|[^/\\])'::text))),
  constraint notice_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint notice_kind_fkey FOREIGN KEY (kind) REFERENCES notice_kind(code),
  constraint notice_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table notice_delivery (
  id bigint generated always as identity not null,
  notice_id bigint not null,
  channel text not null,
  status text default 'waiting'::text not null,
  due_at timestamp with time zone default now() not null,
  attempts smallint default 0 not null,
  vendor_ref text,
  error text,
  done_at timestamp with time zone,
  user_id bigint not null,
  digest boolean default false not null,
  claimed_at timestamp with time zone,
  title text,
  body text,
  constraint notice_delivery_pkey PRIMARY KEY (id),
  constraint notice_delivery_notice_id_channel_key UNIQUE (notice_id, channel),
  constraint notice_delivery_channel_check CHECK ((channel = ANY (ARRAY['wechat'::text, 'sms'::text, 'email'::text, 'push'::text]))),
  constraint notice_delivery_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'unknown'::text, 'failed'::text, 'dropped'::text]))),
  constraint notice_delivery_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES notice(id),
  constraint notice_delivery_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table notice_kind (
  code text not null,
  name text not null,
  grp text not null,
  channels text[] not null,
  optional boolean default true not null,
  urgent boolean default false not null,
  sort integer default 0 not null,
  version integer default 1 not null,
  constraint notice_kind_pkey PRIMARY KEY (code),
  constraint notice_kind_channels_check CHECK (((channels <@ '{site,wechat,sms,email,push}'::text[]) AND ('site'::text = ANY (channels)))),
  constraint notice_kind_code_check CHECK ((code ~ '^[a-z_.]{2,40}$'::text)),
  constraint notice_kind_grp_check CHECK ((grp = ANY (ARRAY['order'::text, 'money'::text, 'goods'::text, 'chat'::text, 'security'::text, 'service'::text, 'activity'::text])))
);

create table notice_preference (
  user_id bigint not null,
  kind text not null,
  channels text[] not null,
  frequency text default 'now'::text not null,
  updated_at timestamp with time zone default now() not null,
  constraint notice_preference_pkey PRIMARY KEY (user_id, kind),
  constraint notice_preference_channels_check CHECK ((channels <@ '{site,wechat,sms,email,push}'::text[])),
  constraint notice_preference_frequency_check CHECK ((frequency = ANY (ARRAY['now'::text, 'daily'::text]))),
  constraint notice_preference_kind_fkey FOREIGN KEY (kind) REFERENCES notice_kind(code),
  constraint notice_preference_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table notice_quiet (
  user_id bigint not null,
  from_minute smallint not null,
  to_minute smallint not null,
  constraint notice_quiet_pkey PRIMARY KEY (user_id),
  constraint notice_quiet_check CHECK ((from_minute <> to_minute)),
  constraint notice_quiet_from_minute_check CHECK (((from_minute >= 0) AND (from_minute <= 1439))),
  constraint notice_quiet_to_minute_check CHECK (((to_minute >= 0) AND (to_minute <= 1439))),
  constraint notice_quiet_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table notice_template (
  kind text not null,
  channel text not null,
  version integer not null,
  title text not null,
  body text not null,
  vendor_template text,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  link text,
  removed boolean default false not null,
  reason text default ''::text not null,
  constraint notice_template_pkey PRIMARY KEY (kind, channel, version),
  constraint notice_template_channel_check CHECK ((channel = ANY (ARRAY['site'::text, 'wechat'::text, 'sms'::text, 'email'::text, 'push'::text]))),
  constraint notice_template_lengths CHECK (((length(title) <= 60) AND (length(body) <= 300))),
  constraint notice_template_link_check CHECK (((link IS NULL) OR (link ~ '^/($|[^/\\])'::text))),
  constraint notice_template_vendor CHECK (((vendor_template IS NULL) OR (vendor_template ~ '^[A-Za-z0-9_-]{3,40}$'::text))),
  constraint notice_template_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint notice_template_kind_fkey FOREIGN KEY (kind) REFERENCES notice_kind(code)
);

create table official_number (
  id bigint generated always as identity not null,
  dist_id integer,
  kind text not null,
  value_hash bytea not null,
  value_enc bytea not null,
  value_mask text not null,
  show_value text,
  name text not null,
  staff_id bigint,
  valid_from timestamp with time zone default now() not null,
  valid_until timestamp with time zone,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  duty text default ''::text not null,
  constraint official_number_pkey PRIMARY KEY (id),
  constraint official_number_check CHECK (((valid_until IS NULL) OR (valid_until > valid_from))),
  constraint official_number_kind_check CHECK ((kind = ANY (ARRAY['qq'::text, 'wechat'::text, 'phone'::text, 'payee'::text, 'group'::text, 'link'::text]))),
  constraint official_number_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint official_number_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint official_number_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table on_sale (
  game_id integer not null,
  type_id smallint not null,
  n bigint not null,
  constraint on_sale_pkey PRIMARY KEY (game_id, type_id),
  constraint on_sale_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table on_sale_delta (
  id bigint generated always as identity not null,
  game_id integer not null,
  type_id smallint not null,
  n integer not null,
  constraint on_sale_delta_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_insert_threshold=-1);

create table order_contact (
  order_id bigint not null,
  user_id bigint not null,
  body_enc bytea,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  erased_at timestamp with time zone,
  constraint order_contact_pkey PRIMARY KEY (order_id, user_id),
  constraint order_contact_check CHECK (((body_enc IS NULL) = (erased_at IS NOT NULL))),
  constraint order_contact_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint order_contact_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table order_day (
  figure text not null,
  day date not null,
  dist_id integer not null,
  n bigint not null,
  amount bigint not null,
  constraint order_day_pkey PRIMARY KEY (figure, day, dist_id),
  constraint order_day_figure_check CHECK ((figure = ANY (ARRAY['placed'::text, 'paid'::text, 'bought'::text, 'shipped'::text, 'done'::text, 'escrow'::text, 'disputed'::text]))),
  constraint order_day_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table order_delta (
  id bigint generated always as identity not null,
  figure text not null,
  day date not null,
  dist_id integer not null,
  game_id integer,
  type_id smallint not null,
  seller_id bigint not null,
  n integer not null,
  amount bigint not null,
  constraint order_delta_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_insert_threshold=-1);

create table order_exchange (
  order_id bigint not null,
  step smallint not null,
  target_enc bytea,
  target_hint text,
  target_version integer default 0 not null,
  target_at timestamp with time zone,
  target_opened_at timestamp with time zone,
  target_openings integer default 0 not null,
  target_refused_at timestamp with time zone,
  started_at timestamp with time zone,
  code_enc bytea,
  code_version integer default 0 not null,
  code_at timestamp with time zone,
  code_opened_at timestamp with time zone,
  missing_at timestamp with time zone,
  more_at timestamp with time zone,
  moves integer default 0 not null,
  constraint order_exchange_pkey PRIMARY KEY (order_id, step),
  constraint order_exchange_moves_check CHECK (((moves >= 0) AND (moves <= 200))),
  constraint order_exchange_order_id_step_fkey FOREIGN KEY (order_id, step) REFERENCES order_handover(order_id, step)
);

create table order_handover (
  order_id bigint not null,
  step smallint not null,
  key text not null,
  title text not null,
  actor text not null,
  minutes integer not null,
  required boolean not null,
  before_ship boolean not null,
  evidence boolean not null,
  secret boolean not null,
  explain text not null,
  pictures jsonb default '[]'::jsonb not null,
  done_by text,
  done_at timestamp with time zone,
  note text,
  fields jsonb default '[]'::jsonb not null,
  exchange text,
  skipped boolean default false not null,
  constraint order_handover_pkey PRIMARY KEY (order_id, step),
  constraint order_handover_actor_check CHECK ((actor = ANY (ARRAY['seller'::text, 'buyer'::text, 'staff'::text]))),
  constraint order_handover_exchange_check CHECK ((exchange = ANY (ARRAY['phone'::text, 'mail'::text]))),
  constraint order_handover_fields_check CHECK ((jsonb_typeof(fields) = 'array'::text)),
  constraint order_handover_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table order_key (
  order_id bigint not null,
  wrapped bytea,
  created_at timestamp with time zone default now() not null,
  erased_at timestamp with time zone,
  constraint order_key_pkey PRIMARY KEY (order_id),
  constraint order_key_check CHECK (((wrapped IS NULL) = (erased_at IS NOT NULL))),
  constraint order_key_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table order_process (
  id bigint generated always as identity not null,
  order_id bigint not null,
  order_status smallint not null,
  explain text not null,
  actor text not null,
  created_at timestamp with time zone default now() not null,
  constraint order_process_pkey PRIMARY KEY (id),
  constraint order_process_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table order_recount (
  day date not null,
  counted_at timestamp with time zone default now() not null,
  differences integer default 0 not null,
  constraint order_recount_pkey PRIMARY KEY (day),
  constraint order_recount_differences_check CHECK ((differences >= 0))
);

create table order_review (
  order_id bigint not null,
  belong smallint not null,
  user_id bigint not null,
  target_id bigint not null,
  score smallint not null,
  tags text[] default '{}'::text[] not null,
  content text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  id bigint generated always as identity not null,
  dist_id integer not null,
  type_id smallint not null,
  game_id integer,
  goods_id bigint,
  excluded text,
  hidden_at timestamp with time zone,
  hidden_reason text,
  answer text,
  answered_at timestamp with time zone,
  answer_hidden_at timestamp with time zone,
  answer_hidden_reason text,
  constraint order_review_pkey PRIMARY KEY (order_id, belong),
  constraint order_review_answer CHECK (((answer IS NULL) = (answered_at IS NULL))),
  constraint order_review_belong_check CHECK ((belong = ANY (ARRAY[0, 1]))),
  constraint order_review_excluded_check CHECK ((excluded = ANY (ARRAY['undone'::text, 'private'::text, 'related'::text]))),
  constraint order_review_score_check CHECK (((score >= 1) AND (score <= 5))),
  constraint order_review_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint order_review_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint order_review_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint order_review_target_id_fkey FOREIGN KEY (target_id) REFERENCES app_user(id),
  constraint order_review_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table order_step_ruled_out (
  order_id bigint not null,
  key text not null,
  after_step smallint not null,
  title text not null,
  reason text not null,
  constraint order_step_ruled_out_pkey PRIMARY KEY (order_id, key),
  constraint order_step_ruled_out_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table order_transition (
  from_status smallint not null,
  to_status smallint not null,
  constraint order_transition_pkey PRIMARY KEY (from_status, to_status)
);

create table orders (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  type_id smallint not null,
  goods_id bigint,
  goods_sn text,
  game_id integer,
  buyer_id bigint not null,
  seller_id bigint not null,
  staff_id bigint,
  status smallint default 0 not null,
  goods_num integer default 1 not null,
  unit_price_fen bigint not null,
  goods_fen bigint not null,
  service_fee_fen bigint default 0 not null,
  ensure_fen bigint default 0 not null,
  fix_ensure_fen bigint default 0 not null,
  discount_fen bigint default 0 not null,
  total_fen bigint not null,
  commission_fen bigint default 0 not null,
  dist_share_fen bigint default 0 not null,
  invite_reward_fen bigint default 0 not null,
  inviter_id bigint,
  ensure_id integer default 0 not null,
  fix_ensure_id integer default 0 not null,
  coupon_id bigint,
  bargain_id bigint,
  is_recovery smallint default 0 not null,
  fees jsonb not null,
  snapshot jsonb not null,
  handover_version integer,
  touched_at timestamp with time zone,
  cancel_asked_at timestamp with time zone,
  ship_by timestamp with time zone,
  auto_confirm_at timestamp with time zone,
  disputed boolean default false not null,
  hidden_buyer boolean default false not null,
  hidden_seller boolean default false not null,
  paid_at timestamp with time zone,
  shipped_at timestamp with time zone,
  completed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  credential_opened_at timestamp with time zone,
  buyer_opened_at timestamp with time zone,
  confirm_stopped_at timestamp with time zone,
  delivered_at timestamp with time zone,
  self_placed boolean default true not null,
  unpaid_end_at timestamp with time zone,
  advance_fen bigint default 0 not null,
  advance_goods_fen bigint default 0 not null,
  cut_fen bigint default 0 not null,
  shut_at timestamp with time zone,
  offline_mark smallint,
  offline_agreed boolean,
  late_end_at timestamp with time zone,
  late_warned_at timestamp with time zone,
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_sn_key UNIQUE (sn),
  constraint order_advance CHECK ((((advance_fen >= 0) AND (advance_fen <= advance_goods_fen)) AND (advance_goods_fen < goods_fen))),
  constraint order_cut CHECK (((cut_fen >= 0) AND (cut_fen <= goods_fen))),
  constraint order_parties CHECK ((buyer_id <> seller_id)),
  constraint order_price CHECK ((goods_fen = (unit_price_fen * goods_num))),
  constraint order_shares CHECK ((((commission_fen + service_fee_fen) >= (dist_share_fen + invite_reward_fen)) AND (commission_fen <= goods_fen))),
  constraint order_signs CHECK (((LEAST(service_fee_fen, ensure_fen, fix_ensure_fen, discount_fen, commission_fen, dist_share_fen, invite_reward_fen) >= 0) AND (LEAST(unit_price_fen, goods_fen, total_fen) > 0))),
  constraint order_total CHECK ((total_fen = ((((goods_fen + service_fee_fen) + ensure_fen) + fix_ensure_fen) - discount_fen))),
  constraint orders_goods_num_check CHECK (((goods_num >= 1) AND (goods_num <= 100000))),
  constraint orders_offline_agreed CHECK ((is_recovery =
CASE
    WHEN offline_agreed THEN (offline_mark)::integer
    ELSE 0
END)),
  constraint orders_offline_answer CHECK (((offline_agreed IS NULL) OR (offline_mark IS NOT NULL))),
  constraint orders_offline_mark_check CHECK (((offline_mark >= 1) AND (offline_mark <= 3))),
  constraint orders_status_check CHECK ((status = ANY (ARRAY[0, 1, 2, 3, 6, 7, 8, 9]))),
  constraint orders_bargain_id_fkey FOREIGN KEY (bargain_id) REFERENCES bargain(id),
  constraint orders_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES app_user(id),
  constraint orders_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupon(id),
  constraint orders_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint orders_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint orders_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint orders_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES app_user(id),
  constraint orders_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES app_user(id),
  constraint orders_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table outbox (
  id bigint generated always as identity not null,
  topic text not null,
  payload jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint outbox_pkey PRIMARY KEY (id)
);

create table payment (
  id bigint generated always as identity not null,
  pay_rand text not null,
  inter_sn text not null,
  dist_id integer not null,
  user_id bigint not null,
  purpose text not null,
  order_id bigint,
  channel text not null,
  pay_mode integer not null,
  amount_fen bigint not null,
  balance_part_fen bigint default 0 not null,
  status smallint default 0 not null,
  channel_trade_no text,
  qr_text text,
  return_url text,
  expires_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  way text default 'qr'::text not null,
  lead jsonb,
  asked_at timestamp with time zone,
  deposit_role text,
  deposit_level smallint,
  attempt_of bigint,
  dropped_at timestamp with time zone,
  refund_to_balance boolean default false not null,
  constraint payment_pkey PRIMARY KEY (id),
  constraint payment_channel_channel_trade_no_key UNIQUE (channel, channel_trade_no),
  constraint payment_inter_sn_key UNIQUE (inter_sn),
  constraint payment_pay_rand_key UNIQUE (pay_rand),
  constraint payment_amount_fen_check CHECK ((amount_fen > 0)),
  constraint payment_balance_part_fen_check CHECK ((balance_part_fen >= 0)),
  constraint payment_deposit CHECK (((purpose <> 'deposit'::text) OR ((deposit_role IS NOT NULL) AND (deposit_level IS NOT NULL)))),
  constraint payment_deposit_level_check CHECK (((deposit_level >= 1) AND (deposit_level <= 9))),
  constraint payment_deposit_role_check CHECK ((deposit_role = ANY (ARRAY['seller'::text, 'shop'::text, 'booster'::text, 'companion'::text, 'recycler'::text]))),
  constraint payment_purpose_check CHECK ((purpose = ANY (ARRAY['topup'::text, 'order'::text, 'deposit'::text]))),
  constraint payment_status_check CHECK ((status = ANY (ARRAY[0, 1, 2, 3]))),
  constraint payment_way_check CHECK ((way = ANY (ARRAY['qr'::text, 'page'::text, 'h5'::text, 'jsapi'::text]))),
  constraint payment_attempt_of_fkey FOREIGN KEY (attempt_of) REFERENCES payment(id),
  constraint payment_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint payment_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table payment_notify (
  id bigint generated always as identity not null,
  channel text not null,
  notify_key text not null,
  payload jsonb not null,
  verdict text,
  received_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  constraint payment_notify_pkey PRIMARY KEY (id),
  constraint payment_notify_channel_notify_key_key UNIQUE (channel, notify_key)
);

create table payout_account (
  id bigint generated always as identity not null,
  user_id bigint not null,
  kind text not null,
  account_enc bytea not null,
  account_hash bytea not null,
  account_mask text not null,
  name_enc bytea not null,
  usable_from timestamp with time zone default now() not null,
  removed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint payout_account_pkey PRIMARY KEY (id),
  constraint payout_account_kind_check CHECK ((kind = ANY (ARRAY['alipay'::text, 'wechat'::text, 'bank'::text]))),
  constraint payout_account_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table payout_line (
  id bigint generated always as identity not null,
  list_id bigint not null,
  line_no integer not null,
  withdrawal_id bigint not null,
  amount_fen bigint not null,
  draft_result text,
  draft_detail text,
  draft_by bigint,
  draft_at timestamp with time zone,
  draft_no integer default 0 not null,
  result text,
  detail text,
  entered_by bigint,
  booked_by bigint,
  booked_at timestamp with time zone,
  constraint payout_line_pkey PRIMARY KEY (id),
  constraint payout_line_list_id_line_no_key UNIQUE (list_id, line_no),
  constraint payout_line_amount_fen_check CHECK ((amount_fen > 0)),
  constraint payout_line_check CHECK (((draft_result IS NULL) = (draft_by IS NULL))),
  constraint payout_line_check1 CHECK (((result IS NULL) = (booked_by IS NULL))),
  constraint payout_line_check2 CHECK (((booked_by IS NULL) OR ((entered_by IS NOT NULL) AND (entered_by <> booked_by)))),
  constraint payout_line_draft_result_check CHECK ((draft_result = ANY (ARRAY['paid'::text, 'refused'::text, 'requeued'::text, 'bounced'::text]))),
  constraint payout_line_result_check CHECK ((result = ANY (ARRAY['paid'::text, 'refused'::text, 'requeued'::text, 'bounced'::text]))),
  constraint payout_line_booked_by_fkey FOREIGN KEY (booked_by) REFERENCES staff(id),
  constraint payout_line_draft_by_fkey FOREIGN KEY (draft_by) REFERENCES staff(id),
  constraint payout_line_entered_by_fkey FOREIGN KEY (entered_by) REFERENCES staff(id),
  constraint payout_line_list_id_fkey FOREIGN KEY (list_id) REFERENCES payout_list(id),
  constraint payout_line_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawal(id)
);

create table payout_list (
  id bigint generated always as identity not null,
  sn text not null,
  format smallint default 1 not null,
  line_count integer not null,
  total_fen bigint not null,
  file_hash bytea not null,
  created_by bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint payout_list_pkey PRIMARY KEY (id),
  constraint payout_list_sn_key UNIQUE (sn),
  constraint payout_list_line_count_check CHECK ((line_count > 0)),
  constraint payout_list_total_fen_check CHECK ((total_fen > 0)),
  constraint payout_list_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id)
);

create table picture (
  id bigint generated always as identity not null,
  key text not null,
  owner_id bigint,
  staff_id bigint,
  purpose text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  sha256 bytea not null,
  created_at timestamp with time zone default now() not null,
  source_key text,
  constraint picture_pkey PRIMARY KEY (id),
  constraint picture_key_key UNIQUE (key),
  constraint picture_purpose_check CHECK ((purpose = ANY (ARRAY['goods'::text, 'chat'::text, 'avatar'::text, 'evidence'::text, 'content'::text]))),
  constraint picture_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES app_user(id),
  constraint picture_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table platform_rule (
  no text not null,
  version integer not null,
  title text not null,
  body text not null,
  in_force_from timestamp with time zone not null,
  retired boolean default false not null,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  reason text default ''::text not null,
  revoked_at timestamp with time zone,
  revoked_by bigint,
  constraint platform_rule_pkey PRIMARY KEY (no, version),
  constraint platform_rule_no_check CHECK ((no ~ '^\d{1,2}(\.\d{1,2}){0,2}$'::text)),
  constraint platform_rule_reason_check CHECK ((length(reason) <= 200)),
  constraint platform_rule_version_check CHECK ((version > 0)),
  constraint platform_rule_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint platform_rule_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES staff(id)
);

create table price_stat (
  game_id integer not null,
  type_id smallint not null,
  segment text default ''::text not null,
  low_fen bigint not null,
  typical_fen bigint not null,
  high_fen bigint not null,
  samples integer not null,
  made_at timestamp with time zone default now() not null,
  constraint price_stat_pkey PRIMARY KEY (game_id, type_id, segment),
  constraint price_stat_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table provider (
  id bigint generated always as identity not null,
  dist_id integer not null,
  user_id bigint not null,
  kind text not null,
  status text default 'reviewing'::text not null,
  name text not null,
  avatar text,
  intro text default ''::text not null,
  games integer[] default '{}'::integer[] not null,
  contact_enc bytea,
  profile jsonb default '{}'::jsonb not null,
  pictures jsonb default '[]'::jsonb not null,
  deposit_level smallint default 0 not null,
  online boolean default false not null,
  review_note text,
  reviewed_by bigint,
  reviewed_at timestamp with time zone,
  pending jsonb,
  done_count integer default 0 not null,
  on_time_count integer default 0 not null,
  rating_sum integer default 0 not null,
  rating_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  voice text,
  no_show_count integer default 0 not null,
  constraint provider_pkey PRIMARY KEY (id),
  constraint provider_user_id_kind_key UNIQUE (user_id, kind),
  constraint provider_check CHECK (((status = ANY (ARRAY['reviewing'::text, 'left'::text])) OR (reviewed_at IS NOT NULL))),
  constraint provider_kind_check CHECK ((kind = ANY (ARRAY['shop'::text, 'booster'::text, 'companion'::text, 'recycler'::text]))),
  constraint provider_no_show_count_check CHECK ((no_show_count >= 0)),
  constraint provider_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint provider_profile_check CHECK ((jsonb_typeof(profile) = 'object'::text)),
  constraint provider_status_check CHECK ((status = ANY (ARRAY['reviewing'::text, 'approved'::text, 'refused'::text, 'suspended'::text, 'left'::text]))),
  constraint provider_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint provider_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES staff(id),
  constraint provider_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint provider_voice_fkey FOREIGN KEY (voice) REFERENCES voice_clip(key)
);

create table provider_event (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  kind text not null,
  actor text not null,
  detail jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint provider_event_pkey PRIMARY KEY (id),
  constraint provider_event_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

create table provider_hours (
  provider_id bigint not null,
  day smallint not null,
  from_minute smallint not null,
  to_minute smallint not null,
  constraint provider_hours_pkey PRIMARY KEY (provider_id, day, from_minute),
  constraint provider_hours_check CHECK ((to_minute > from_minute)),
  constraint provider_hours_day_check CHECK (((day >= 0) AND (day <= 6))),
  constraint provider_hours_from_minute_check CHECK (((from_minute >= 0) AND (from_minute <= 1439))),
  constraint provider_hours_to_minute_check CHECK (((to_minute >= 1) AND (to_minute <= 1440))),
  constraint provider_hours_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

create table push_subscription (
  endpoint_hash bytea not null,
  user_id bigint not null,
  endpoint_enc bytea not null,
  keys_enc bytea not null,
  fails smallint default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint push_subscription_pkey PRIMARY KEY (endpoint_hash),
  constraint push_subscription_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table quarantine (
  id bigint generated always as identity not null,
  restored_to timestamp with time zone not null,
  restored_at timestamp with time zone default now() not null,
  source text not null,
  released_at timestamp with time zone,
  staff_id bigint,
  reason text,
  constraint quarantine_pkey PRIMARY KEY (id),
  constraint quarantine_check CHECK (((released_at IS NULL) = (reason IS NULL))),
  constraint quarantine_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table quick_coin_offer (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  provider_id bigint not null,
  seller_id bigint not null,
  game_id integer not null,
  area_id integer not null,
  server_id integer,
  camp text,
  coin_type smallint default 1 not null,
  unit text not null,
  lot_units bigint not null,
  lot_price_fen bigint not null,
  unit_price_micro bigint generated always as (((lot_price_fen * 10000) / lot_units)) stored not null,
  stock integer not null,
  min_lots integer default 1 not null,
  max_lots integer default 10000 not null,
  delivery smallint[] not null,
  ship_minutes integer default 30 not null,
  title text default ''::text not null,
  note text default ''::text not null,
  status smallint default 1 not null,
  version integer default 1 not null,
  import_key text,
  sold_lots bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint quick_coin_offer_pkey PRIMARY KEY (id),
  constraint quick_coin_offer_sn_key UNIQUE (sn),
  constraint quick_coin_offer_check CHECK ((max_lots >= min_lots)),
  constraint quick_coin_offer_coin_type_check CHECK (((coin_type >= 1) AND (coin_type <= 99))),
  constraint quick_coin_offer_delivery_check CHECK (((delivery <@ '{1,2,3}'::smallint[]) AND (cardinality(delivery) > 0))),
  constraint quick_coin_offer_lot_price_fen_check CHECK (((lot_price_fen >= 1) AND (lot_price_fen <= 99999999))),
  constraint quick_coin_offer_lot_units_check CHECK (((lot_units >= 1) AND (lot_units <= 1000000000))),
  constraint quick_coin_offer_max_lots_check CHECK (((max_lots >= 1) AND (max_lots <= 100000))),
  constraint quick_coin_offer_min_lots_check CHECK ((min_lots >= 1)),
  constraint quick_coin_offer_ship_minutes_check CHECK (((ship_minutes >= 5) AND (ship_minutes <= 1440))),
  constraint quick_coin_offer_status_check CHECK ((status = ANY (ARRAY[1, 2, 3, 7]))),
  constraint quick_coin_offer_stock_check CHECK (((stock >= 0) AND (stock <= 1000000))),
  constraint quick_coin_offer_unit_check CHECK ((unit = ANY (ARRAY['万金币'::text, '金币'::text, '万基纳'::text, '基纳'::text, '万钻石'::text, '钻石'::text, '万宝票'::text, '宝票'::text]))),
  constraint quick_coin_offer_area_id_fkey FOREIGN KEY (area_id) REFERENCES game_area(id),
  constraint quick_coin_offer_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint quick_coin_offer_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint quick_coin_offer_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint quick_coin_offer_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES app_user(id),
  constraint quick_coin_offer_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_server(id)
);

create table quick_coin_order (
  order_id bigint not null,
  offer_id bigint not null,
  lots integer not null,
  lot_units bigint not null,
  coin_units bigint generated always as ((lots * lot_units)) stored not null,
  unit text not null,
  delivery smallint not null,
  area_id integer not null,
  server_id integer,
  role_name text not null,
  role_level integer,
  auction_item text,
  auction_units bigint,
  meet_place text,
  delivered_units bigint default 0 not null,
  pictures jsonb default '[]'::jsonb not null,
  delivered_at timestamp with time zone,
  stock_returned boolean default false not null,
  constraint quick_coin_order_pkey PRIMARY KEY (order_id),
  constraint quick_coin_order_auction_units_check CHECK ((auction_units > 0)),
  constraint quick_coin_order_check CHECK (((delivery <> 2) OR (auction_item IS NOT NULL))),
  constraint quick_coin_order_delivered_units_check CHECK ((delivered_units >= 0)),
  constraint quick_coin_order_delivery_check CHECK ((delivery = ANY (ARRAY[1, 2, 3]))),
  constraint quick_coin_order_lot_units_check CHECK ((lot_units > 0)),
  constraint quick_coin_order_lots_check CHECK ((lots > 0)),
  constraint quick_coin_order_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint quick_coin_order_role_level_check CHECK ((role_level > 0)),
  constraint quick_coin_order_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES quick_coin_offer(id),
  constraint quick_coin_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table real_name (
  user_id bigint not null,
  name_enc bytea not null,
  id_no_enc bytea not null,
  id_hash bytea not null,
  name_mask text not null,
  id_mask text not null,
  birth_date date not null,
  status smallint not null,
  provider_ref text,
  verified_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  face_ref text,
  face_until timestamp with time zone,
  constraint real_name_pkey PRIMARY KEY (user_id),
  constraint real_name_face_check CHECK ((((face_ref IS NULL) = (face_until IS NULL)) AND ((status <> 1) OR (face_ref IS NOT NULL)))),
  constraint real_name_status_check CHECK ((status = ANY (ARRAY[1, 2, 3]))),
  constraint real_name_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table reconcile_difference (
  id bigint generated always as identity not null,
  channel text not null,
  day date not null,
  side text not null,
  kind text not null,
  number text not null,
  trade_no text,
  line_no integer default 0 not null,
  transfer_id bigint,
  theirs_fen bigint,
  ours_fen bigint,
  reason text not null,
  opened_at timestamp with time zone default now() not null,
  resolved_at timestamp with time zone,
  resolved_by bigint,
  note text,
  constraint reconcile_difference_pkey PRIMARY KEY (id),
  constraint reconcile_difference_channel_day_side_kind_number_line_no_key UNIQUE (channel, day, side, kind, number, line_no),
  constraint reconcile_difference_kind_check CHECK ((kind = ANY (ARRAY['pay'::text, 'refund'::text, 'transfer'::text, 'back'::text]))),
  constraint reconcile_difference_side_check CHECK ((side = ANY (ARRAY['theirs'::text, 'ours'::text, 'amount'::text, 'twice'::text]))),
  constraint reconcile_difference_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES staff(id),
  constraint reconcile_difference_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES ledger_transfer(id)
);

create table recycle_coin_offer (
  id bigint generated always as identity not null,
  sn text not null,
  recycler_id bigint not null,
  game_id integer not null,
  area_id integer not null,
  server_id integer,
  coin_type smallint default 1 not null,
  unit text not null,
  lot_units bigint not null,
  lot_price_fen bigint not null,
  wanted_lots integer not null,
  min_lots integer default 1 not null,
  delivery smallint[] not null,
  status smallint default 1 not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint recycle_coin_offer_pkey PRIMARY KEY (id),
  constraint recycle_coin_offer_sn_key UNIQUE (sn),
  constraint recycle_coin_offer_delivery_check CHECK (((delivery <@ '{1,2,3}'::smallint[]) AND (cardinality(delivery) > 0))),
  constraint recycle_coin_offer_lot_price_fen_check CHECK ((lot_price_fen > 0)),
  constraint recycle_coin_offer_lot_units_check CHECK (((lot_units >= 1) AND (lot_units <= 1000000000))),
  constraint recycle_coin_offer_min_lots_check CHECK ((min_lots >= 1)),
  constraint recycle_coin_offer_status_check CHECK ((status = ANY (ARRAY[1, 2, 3]))),
  constraint recycle_coin_offer_wanted_lots_check CHECK ((wanted_lots >= 0)),
  constraint recycle_coin_offer_area_id_fkey FOREIGN KEY (area_id) REFERENCES game_area(id),
  constraint recycle_coin_offer_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint recycle_coin_offer_recycler_id_fkey FOREIGN KEY (recycler_id) REFERENCES recycler(user_id),
  constraint recycle_coin_offer_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_server(id)
);

create table recycle_coin_order (
  order_id bigint not null,
  offer_id bigint not null,
  lots integer not null,
  lot_units bigint not null,
  unit text not null,
  delivery smallint not null,
  role_name text not null,
  wanted_returned boolean default false not null,
  constraint recycle_coin_order_pkey PRIMARY KEY (order_id),
  constraint recycle_coin_order_delivery_check CHECK ((delivery = ANY (ARRAY[1, 2, 3]))),
  constraint recycle_coin_order_lot_units_check CHECK ((lot_units > 0)),
  constraint recycle_coin_order_lots_check CHECK ((lots > 0)),
  constraint recycle_coin_order_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES recycle_coin_offer(id),
  constraint recycle_coin_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table recycle_quote (
  id bigint generated always as identity not null,
  request_id bigint not null,
  recycler_id bigint not null,
  amount_fen bigint not null,
  note text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  fee_fen bigint default 0 not null,
  status text default 'open'::text not null,
  constraint recycle_quote_pkey PRIMARY KEY (id),
  constraint recycle_quote_amount_fen_check CHECK ((amount_fen > 0)),
  constraint recycle_quote_fee_fen_check CHECK ((fee_fen >= 0)),
  constraint recycle_quote_status_check CHECK ((status = ANY (ARRAY['open'::text, 'returned'::text, 'paid'::text]))),
  constraint recycle_quote_recycler_id_fkey FOREIGN KEY (recycler_id) REFERENCES recycler(user_id),
  constraint recycle_quote_request_id_fkey FOREIGN KEY (request_id) REFERENCES recycle_request(id)
);

create table recycle_reading (
  request_id bigint not null,
  field text not null,
  label text not null,
  said text not null,
  found text not null,
  cut_fen bigint not null,
  staff_id bigint not null,
  created_at timestamp with time zone default now() not null,
  pictures jsonb default '[]'::jsonb not null,
  constraint recycle_difference_pkey PRIMARY KEY (request_id, field),
  constraint recycle_difference_cut_fen_check CHECK ((cut_fen >= 0)),
  constraint recycle_difference_request_id_fkey FOREIGN KEY (request_id) REFERENCES recycle_request(id),
  constraint recycle_difference_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table recycle_request (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  user_id bigint not null,
  game_id integer not null,
  type_id smallint not null,
  area_id integer,
  server_id integer,
  details jsonb default '{}'::jsonb not null,
  fields_version integer default 1 not null,
  fingerprint bytea,
  floor_fen bigint,
  floor_basis jsonb default '{}'::jsonb not null,
  status text default 'bidding'::text not null,
  best_quote_id bigint,
  bids_until timestamp with time zone not null,
  quote_until timestamp with time zone,
  order_id bigint,
  closed_reason text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  cuts jsonb default '[]'::jsonb not null,
  cut_fen bigint default 0 not null,
  due_at timestamp with time zone,
  read_by bigint,
  account_near bytea,
  account_hint text,
  constraint recycle_request_pkey PRIMARY KEY (id),
  constraint recycle_request_order_id_key UNIQUE (order_id),
  constraint recycle_request_sn_key UNIQUE (sn),
  constraint recycle_request_cut_fen_check CHECK ((cut_fen >= 0)),
  constraint recycle_request_cuts_check CHECK ((jsonb_typeof(cuts) = 'array'::text)),
  constraint recycle_request_details_check CHECK ((jsonb_typeof(details) = 'object'::text)),
  constraint recycle_request_floor_fen_check CHECK ((floor_fen > 0)),
  constraint recycle_request_order CHECK (((status = ANY (ARRAY['accepted'::text, 'reconfirm'::text, 'paid'::text, 'declined'::text, 'closed'::text])) = (order_id IS NOT NULL))),
  constraint recycle_request_quoted CHECK (((status <> ALL (ARRAY['quoted'::text, 'accepted'::text, 'reconfirm'::text, 'paid'::text, 'declined'::text])) OR (best_quote_id IS NOT NULL))),
  constraint recycle_request_status CHECK ((status = ANY (ARRAY['bidding'::text, 'quoted'::text, 'accepted'::text, 'reconfirm'::text, 'paid'::text, 'declined'::text, 'expired'::text, 'withdrawn'::text, 'closed'::text]))),
  constraint recycle_request_best_quote_id_fkey FOREIGN KEY (best_quote_id) REFERENCES recycle_quote(id),
  constraint recycle_request_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint recycle_request_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint recycle_request_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint recycle_request_read_by_fkey FOREIGN KEY (read_by) REFERENCES staff(id),
  constraint recycle_request_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table recycle_transition (
  from_status text not null,
  to_status text not null,
  constraint recycle_transition_pkey PRIMARY KEY (from_status, to_status)
);

create table recycler (
  user_id bigint not null,
  dist_id integer not null,
  name text not null,
  games integer[] default '{}'::integer[] not null,
  day_limit_fen bigint not null,
  auto_rules jsonb default '[]'::jsonb not null,
  status smallint default 0 not null,
  reviewed_by bigint,
  won_count integer default 0 not null,
  lowered_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  is_platform boolean default false not null,
  constraint recycler_pkey PRIMARY KEY (user_id),
  constraint recycler_auto_rules_check CHECK ((jsonb_typeof(auto_rules) = 'array'::text)),
  constraint recycler_day_limit_fen_check CHECK ((day_limit_fen > 0)),
  constraint recycler_status_check CHECK ((status = ANY (ARRAY[0, 1, 2]))),
  constraint recycler_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint recycler_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES staff(id),
  constraint recycler_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table refund (
  id bigint generated always as identity not null,
  refund_no text not null,
  payment_id bigint not null,
  order_id bigint,
  amount_fen bigint not null,
  reason text not null,
  status smallint default 0 not null,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  dist_id integer not null,
  user_id bigint not null,
  channel text not null,
  cause text not null,
  sent_at timestamp with time zone,
  leased_until timestamp with time zone,
  channel_reason text,
  constraint refund_pkey PRIMARY KEY (id),
  constraint refund_refund_no_key UNIQUE (refund_no),
  constraint refund_amount_fen_check CHECK ((amount_fen > 0)),
  constraint refund_cause_check CHECK ((cause = ANY (ARRAY['late'::text, 'asked'::text, 'staff'::text, 'default'::text]))),
  constraint refund_status_check CHECK ((status = ANY (ARRAY[0, 1, 2]))),
  constraint refund_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint refund_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint refund_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table retention_run (
  name text not null,
  ran_at timestamp with time zone default now() not null,
  deleted bigint default 0 not null,
  deleted_total bigint default 0 not null,
  deleted_at timestamp with time zone,
  error text,
  constraint retention_run_pkey PRIMARY KEY (name),
  constraint retention_run_check CHECK ((deleted_total >= deleted)),
  constraint retention_run_deleted_check CHECK ((deleted >= 0)),
  constraint retention_run_error_check CHECK ((length(error) <= 300))
);

create table review_report (
  id bigint generated always as identity not null,
  review_id bigint not null,
  dist_id integer not null,
  part text not null,
  user_id bigint not null,
  reason text not null,
  note text default ''::text not null,
  status text default 'waiting'::text not null,
  created_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  decided_by bigint,
  decision text,
  constraint review_report_pkey PRIMARY KEY (id),
  constraint review_report_review_id_part_user_id_key UNIQUE (review_id, part, user_id),
  constraint review_report_part_check CHECK ((part = ANY (ARRAY['review'::text, 'answer'::text]))),
  constraint review_report_reason_check CHECK ((reason = ANY (ARRAY['contact'::text, 'abuse'::text, 'false'::text, 'privacy'::text, 'other'::text]))),
  constraint review_report_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'kept'::text, 'hidden'::text]))),
  constraint review_report_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint review_report_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint review_report_review_id_fkey FOREIGN KEY (review_id) REFERENCES order_review(id),
  constraint review_report_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table role_card (
  id bigint generated always as identity not null,
  user_id bigint not null,
  game_id integer not null,
  area_id integer,
  server_id integer,
  role_name text not null,
  role_level integer,
  note text,
  created_at timestamp with time zone default now() not null,
  constraint role_card_pkey PRIMARY KEY (id),
  constraint role_card_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table rule_draft (
  key text not null,
  version integer default 1 not null,
  title text not null,
  body text not null,
  staff_id bigint not null,
  updated_at timestamp with time zone default now() not null,
  constraint rule_draft_pkey PRIMARY KEY (key),
  constraint rule_draft_body_check CHECK ((length(body) <= 20000)),
  constraint rule_draft_key_check CHECK ((key ~ '^(rule|legal):[a-z0-9_.]{1,40}$'::text)),
  constraint rule_draft_title_check CHECK ((length(title) <= 60)),
  constraint rule_draft_version_check CHECK ((version > 0)),
  constraint rule_draft_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table sealed_credential (
  id bigint generated always as identity not null,
  order_id bigint not null,
  step smallint not null,
  from_user bigint not null,
  body_enc bytea,
  created_at timestamp with time zone default now() not null,
  erased_at timestamp with time zone,
  version integer not null,
  scheme smallint default 2 not null,
  constraint sealed_credential_pkey PRIMARY KEY (id),
  constraint sealed_credential_order_id_step_version_key UNIQUE (order_id, step, version),
  constraint sealed_credential_scheme_check CHECK ((scheme = ANY (ARRAY[1, 2]))),
  constraint sealed_credential_from_user_fkey FOREIGN KEY (from_user) REFERENCES app_user(id),
  constraint sealed_credential_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table search_change (
  id bigint generated always as identity not null,
  goods_id bigint not null,
  at timestamp with time zone default now() not null,
  constraint search_change_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_insert_threshold=-1);

create table search_feed (
  one boolean default true not null,
  engine text,
  since_xid bigint,
  live text,
  building text,
  copied_to bigint default 0 not null,
  old text,
  is_stale boolean default false not null,
  live_at timestamp with time zone,
  checked_at timestamp with time zone,
  family text default ''::text not null,
  fed_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint search_feed_pkey PRIMARY KEY (one),
  constraint search_feed_check CHECK (((live IS DISTINCT FROM building) OR (live IS NULL))),
  constraint search_feed_engine_check CHECK ((length(engine) <= 300)),
  constraint search_feed_one_check CHECK (one)
);

create table search_miss (
  id bigint generated always as identity not null,
  plain text not null,
  keyword text not null,
  game_id integer,
  times integer not null,
  first_at timestamp with time zone default now() not null,
  last_at timestamp with time zone default now() not null,
  set_aside_at timestamp with time zone,
  constraint search_miss_pkey PRIMARY KEY (id),
  constraint search_miss_keyword_check CHECK (((length(keyword) >= 2) AND (length(keyword) <= 40))),
  constraint search_miss_plain_check CHECK (((length(plain) >= 2) AND (length(plain) <= 40))),
  constraint search_miss_times_check CHECK ((times > 0)),
  constraint search_miss_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table search_miss_visitor (
  keyword bytea not null,
  visitor bytea not null,
  last_at timestamp with time zone default now() not null,
  constraint search_miss_visitor_pkey PRIMARY KEY (keyword, visitor),
  constraint search_miss_visitor_keyword_check CHECK ((length(keyword) = 32)),
  constraint search_miss_visitor_visitor_check CHECK ((length(visitor) = 32))
);

create table search_synonym (
  id bigint generated always as identity not null,
  term text not null,
  plain text not null,
  meant text not null,
  note text default ''::text not null,
  version integer default 1 not null,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  ended_by bigint,
  ended_reason text,
  constraint search_synonym_pkey PRIMARY KEY (id),
  constraint search_synonym_ended_reason_check CHECK ((length(ended_reason) <= 200)),
  constraint search_synonym_meant_check CHECK (((length(meant) >= 2) AND (length(meant) <= 40))),
  constraint search_synonym_note_check CHECK ((length(note) <= 60)),
  constraint search_synonym_plain_check CHECK ((plain <> ''::text)),
  constraint search_synonym_term_check CHECK (((length(term) >= 2) AND (length(term) <= 30))),
  constraint search_synonym_version_check CHECK ((version > 0)),
  constraint search_synonym_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint search_synonym_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES staff(id)
);

create table sell_time_stat (
  game_id integer not null,
  type_id smallint not null,
  price_band smallint not null,
  sold integer not null,
  median_hours integer not null,
  day1_bp integer not null,
  day7_bp integer not null,
  made_at timestamp with time zone default now() not null,
  low_hours integer not null,
  high_hours integer not null,
  constraint sell_time_stat_pkey PRIMARY KEY (game_id, type_id, price_band),
  constraint sell_time_stat_day1_bp_check CHECK (((day1_bp >= 0) AND (day1_bp <= 10000))),
  constraint sell_time_stat_day7_bp_check CHECK (((day7_bp >= 0) AND (day7_bp <= 10000))),
  constraint sell_time_stat_order CHECK (((low_hours <= median_hours) AND (median_hours <= high_hours))),
  constraint sell_time_stat_price_band_check CHECK (((price_band >= '-1'::integer) AND (price_band <= 9))),
  constraint sell_time_stat_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table seller_day (
  day date not null,
  game_id integer not null,
  seller_id bigint not null,
  deals bigint not null,
  constraint seller_day_pkey PRIMARY KEY (day, game_id, seller_id),
  constraint seller_day_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint seller_day_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES app_user(id)
);

create table seller_level_change (
  id bigint generated always as identity not null,
  user_id bigint not null,
  from_level smallint not null,
  to_level smallint not null,
  counted jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint seller_level_change_pkey PRIMARY KEY (id),
  constraint seller_level_change_to_level_check CHECK (((to_level >= 0) AND (to_level <= 5))),
  constraint seller_level_change_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table seller_standing (
  user_id bigint not null,
  level smallint not null,
  counted jsonb not null,
  level_since timestamp with time zone default now() not null,
  computed_at timestamp with time zone default now() not null,
  constraint seller_standing_pkey PRIMARY KEY (user_id),
  constraint seller_standing_level_check CHECK (((level >= 0) AND (level <= 5))),
  constraint seller_standing_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table seller_week (
  seller_id bigint not null,
  week date not null,
  views integer default 0 not null,
  follows integer default 0 not null,
  constraint seller_week_pkey PRIMARY KEY (seller_id, week),
  constraint seller_week_follows_check CHECK ((follows >= 0)),
  constraint seller_week_views_check CHECK ((views >= 0)),
  constraint seller_week_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES app_user(id)
);

create table service_addition (
  id bigint generated always as identity not null,
  order_id bigint not null,
  asked_by smallint not null,
  add_fen bigint default 0 not null,
  add_minutes integer default 0 not null,
  reason text not null,
  status text default 'asked'::text not null,
  add_order_id bigint,
  created_at timestamp with time zone default now() not null,
  answered_at timestamp with time zone,
  constraint service_addition_pkey PRIMARY KEY (id),
  constraint service_addition_add_order_id_key UNIQUE (add_order_id),
  constraint service_addition_add_fen_check CHECK ((add_fen >= 0)),
  constraint service_addition_add_minutes_check CHECK ((add_minutes >= 0)),
  constraint service_addition_asked_by_check CHECK ((asked_by = ANY (ARRAY[0, 1]))),
  constraint service_addition_check CHECK (((add_fen > 0) OR (add_minutes > 0))),
  constraint service_addition_check1 CHECK (((status <> 'paid'::text) OR (add_order_id IS NOT NULL))),
  constraint service_addition_reason CHECK ((reason <> ''::text)),
  constraint service_addition_status_check CHECK ((status = ANY (ARRAY['asked'::text, 'agreed'::text, 'declined'::text, 'paid'::text, 'withdrawn'::text]))),
  constraint service_addition_add_order_id_fkey FOREIGN KEY (add_order_id) REFERENCES orders(id),
  constraint service_addition_order_id_fkey FOREIGN KEY (order_id) REFERENCES service_order(order_id)
);

create table service_block (
  user_id bigint not null,
  blocked_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint service_block_pkey PRIMARY KEY (user_id, blocked_id),
  constraint service_block_check CHECK ((user_id <> blocked_id)),
  constraint service_block_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES app_user(id),
  constraint service_block_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table service_cancel (
  id bigint generated always as identity not null,
  order_id bigint not null,
  asked_by smallint not null,
  reason text not null,
  pay_fen bigint not null,
  cost_safety_fen bigint default 0 not null,
  cost_efficiency_fen bigint default 0 not null,
  computed jsonb not null,
  status text default 'asked'::text not null,
  dispute_id bigint,
  created_at timestamp with time zone default now() not null,
  answered_at timestamp with time zone,
  constraint service_cancel_pkey PRIMARY KEY (id),
  constraint service_cancel_asked_by_check CHECK ((asked_by = ANY (ARRAY[0, 1]))),
  constraint service_cancel_check CHECK (((status = 'arbitration'::text) = (dispute_id IS NOT NULL))),
  constraint service_cancel_cost_efficiency_fen_check CHECK ((cost_efficiency_fen >= 0)),
  constraint service_cancel_cost_safety_fen_check CHECK ((cost_safety_fen >= 0)),
  constraint service_cancel_pay_fen_check CHECK ((pay_fen >= 0)),
  constraint service_cancel_status_check CHECK ((status = ANY (ARRAY['asked'::text, 'agreed'::text, 'declined'::text, 'withdrawn'::text, 'arbitration'::text]))),
  constraint service_cancel_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES dispute(id),
  constraint service_cancel_order_id_fkey FOREIGN KEY (order_id) REFERENCES service_order(order_id)
);

create table service_milestone (
  order_id bigint not null,
  seq smallint not null,
  title text not null,
  share_fen bigint not null,
  state text default 'pending'::text not null,
  pictures jsonb default '[]'::jsonb not null,
  note text default ''::text not null,
  submitted_at timestamp with time zone,
  answered_at timestamp with time zone,
  progress_percent smallint default 0 not null,
  refused_count smallint default 0 not null,
  refuse_reason text,
  paid_fen bigint,
  constraint service_milestone_pkey PRIMARY KEY (order_id, seq),
  constraint service_milestone_check CHECK (((state <> 'submitted'::text) OR ((submitted_at IS NOT NULL) AND (pictures <> '[]'::jsonb)))),
  constraint service_milestone_check1 CHECK (((state <> ALL (ARRAY['accepted'::text, 'refused'::text])) OR (answered_at IS NOT NULL))),
  constraint service_milestone_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint service_milestone_progress_percent_check CHECK (((progress_percent >= 0) AND (progress_percent <= 100))),
  constraint service_milestone_seq_check CHECK (((seq >= 1) AND (seq <= 50))),
  constraint service_milestone_share_fen_check CHECK ((share_fen >= 0)),
  constraint service_milestone_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'submitted'::text, 'accepted'::text, 'refused'::text]))),
  constraint service_milestone_order_id_fkey FOREIGN KEY (order_id) REFERENCES service_order(order_id)
);

create table service_order (
  order_id bigint not null,
  package_id bigint,
  provider_id bigint,
  type_id smallint not null,
  units integer not null,
  minutes integer not null,
  mode text not null,
  form jsonb default '{}'::jsonb not null,
  state text default 'pending'::text not null,
  safety_fen bigint default 0 not null,
  efficiency_fen bigint default 0 not null,
  starts_at timestamp with time zone,
  accept_by timestamp with time zone,
  accepted_at timestamp with time zone,
  started_at timestamp with time zone,
  due_at timestamp with time zone,
  paused_at timestamp with time zone,
  finished_at timestamp with time zone,
  efficiency_to_buyer boolean default false not null,
  safety_to_buyer boolean default false not null,
  paused_seconds integer default 0 not null,
  buyer_start_at timestamp with time zone,
  seller_start_at timestamp with time zone,
  end_by smallint,
  played_minutes integer,
  proof_due_at timestamp with time zone,
  ban_reported_at timestamp with time zone,
  ban_reported_by smallint,
  ruled_dispute_id bigint,
  ruled_safety_to_buyer boolean default false not null,
  ruled_efficiency_to_buyer boolean default false not null,
  booked_at timestamp with time zone,
  prolongs_id bigint,
  stopped_at timestamp with time zone,
  stopped_clocks jsonb default '{}'::jsonb not null,
  stopped_seconds integer default 0 not null,
  account_free_at timestamp with time zone,
  silence_paid_at timestamp with time zone,
  acted_at timestamp with time zone,
  late_told_at timestamp with time zone,
  login_failed_at timestamp with time zone,
  constraint service_order_pkey PRIMARY KEY (order_id),
  constraint service_order_accepted CHECK (((state = ANY (ARRAY['pending'::text, 'ended'::text])) OR (accepted_at IS NOT NULL))),
  constraint service_order_ban_reported_by_check CHECK ((ban_reported_by = ANY (ARRAY[0, 1]))),
  constraint service_order_booked CHECK ((((booked_at IS NULL) AND (prolongs_id IS NULL)) OR (type_id = 61))),
  constraint service_order_companion CHECK ((((type_id = 61) OR ((state <> 'ending'::text) AND (end_by IS NULL) AND ((mode <> 'account'::text) OR ((buyer_start_at IS NULL) AND (seller_start_at IS NULL))))) AND ((type_id = 60) OR (state <> 'paused'::text)) AND ((type_id <> 61) OR (state <> ALL (ARRAY['working'::text, 'ending'::text, 'checking'::text])) OR ((buyer_start_at IS NOT NULL) AND (seller_start_at IS NOT NULL))) AND ((state <> 'ending'::text) OR ((end_by IS NOT NULL) AND (played_minutes IS NOT NULL) AND (finished_at IS NOT NULL))) AND ((played_minutes IS NULL) OR ((played_minutes >= 0) AND (played_minutes <= minutes))))),
  constraint service_order_efficiency_fen_check CHECK ((efficiency_fen >= 0)),
  constraint service_order_end_by_check CHECK ((end_by = ANY (ARRAY[0, 1]))),
  constraint service_order_form_check CHECK ((jsonb_typeof(form) = 'object'::text)),
  constraint service_order_minutes_check CHECK ((minutes > 0)),
  constraint service_order_mode_check CHECK ((mode = ANY (ARRAY['account'::text, 'together'::text, 'online'::text]))),
  constraint service_order_paused_seconds_check CHECK ((paused_seconds >= 0)),
  constraint service_order_safety_fen_check CHECK ((safety_fen >= 0)),
  constraint service_order_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'waiting'::text, 'working'::text, 'paused'::text, 'ending'::text, 'checking'::text, 'done'::text, 'ended'::text]))),
  constraint service_order_stopped_clocks_check CHECK ((jsonb_typeof(stopped_clocks) = 'object'::text)),
  constraint service_order_stopped_seconds_check CHECK ((stopped_seconds >= 0)),
  constraint service_order_type_id_check CHECK ((type_id = ANY (ARRAY[60, 61]))),
  constraint service_order_units_check CHECK ((units > 0)),
  constraint service_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint service_order_package_id_fkey FOREIGN KEY (package_id) REFERENCES service_package(id),
  constraint service_order_prolongs_id_fkey FOREIGN KEY (prolongs_id) REFERENCES service_order(order_id),
  constraint service_order_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint service_order_ruled_dispute_id_fkey FOREIGN KEY (ruled_dispute_id) REFERENCES dispute(id)
);

create table service_package (
  id bigint generated always as identity not null,
  sn text not null,
  provider_id bigint not null,
  game_id integer not null,
  type_id smallint not null,
  title text not null,
  scope text not null,
  unit text default '次'::text not null,
  price_fen bigint not null,
  min_units integer default 1 not null,
  max_units integer default 99 not null,
  minutes integer not null,
  mode text default 'account'::text not null,
  safety_fen bigint default 0 not null,
  efficiency_fen bigint default 0 not null,
  milestones jsonb default '[]'::jsonb not null,
  form jsonb default '[]'::jsonb not null,
  status smallint default 1 not null,
  version integer default 1 not null,
  sold_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  goods_id bigint,
  kind smallint,
  rank_from smallint,
  rank_to smallint,
  constraint service_package_pkey PRIMARY KEY (id),
  constraint service_package_goods_id_key UNIQUE (goods_id),
  constraint service_package_sn_key UNIQUE (sn),
  constraint service_package_check CHECK ((max_units >= min_units)),
  constraint service_package_efficiency_fen_check CHECK ((efficiency_fen >= 0)),
  constraint service_package_form_check CHECK ((jsonb_typeof(form) = 'array'::text)),
  constraint service_package_max_units_check CHECK (((max_units >= 1) AND (max_units <= 10000))),
  constraint service_package_milestones_check CHECK ((jsonb_typeof(milestones) = 'array'::text)),
  constraint service_package_milestones_check1 CHECK (((milestones = '[]'::jsonb) OR (milestone_sum(milestones) = 10000))),
  constraint service_package_min_units_check CHECK ((min_units >= 1)),
  constraint service_package_minutes_check CHECK (((minutes >= 1) AND (minutes <= 129600))),
  constraint service_package_mode_check CHECK ((mode = ANY (ARRAY['account'::text, 'together'::text, 'online'::text]))),
  constraint service_package_price_fen_check CHECK (((price_fen >= 100) AND (price_fen <= 9999900))),
  constraint service_package_route CHECK ((((rank_from IS NULL) = (rank_to IS NULL)) AND ((rank_from IS NULL) OR ((type_id = 60) AND (rank_from <> rank_to))))),
  constraint service_package_safety_fen_check CHECK ((safety_fen >= 0)),
  constraint service_package_status_check CHECK ((status = ANY (ARRAY[1, 2, 3]))),
  constraint service_package_type_id_check CHECK ((type_id = ANY (ARRAY[60, 61]))),
  constraint service_package_unit_check CHECK ((unit = ANY (ARRAY['次'::text, '小时'::text, '局'::text, '天'::text, '星'::text, '段'::text]))),
  constraint service_package_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint service_package_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint service_package_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

create table service_progress (
  id bigint generated always as identity not null,
  order_id bigint not null,
  actor text not null,
  kind text not null,
  text text default ''::text not null,
  pictures jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  seq smallint,
  percent smallint,
  constraint service_progress_pkey PRIMARY KEY (id),
  constraint service_progress_kind_check CHECK ((kind = ANY (ARRAY['progress'::text, 'login_note'::text, 'pause'::text, 'resume'::text, 'check_in'::text, 'exception'::text]))),
  constraint service_progress_percent CHECK ((((percent >= 1) AND (percent <= 100)) AND ((seq >= 1) AND (seq <= 50)))),
  constraint service_progress_pictures_check CHECK ((jsonb_typeof(pictures) = 'array'::text)),
  constraint service_progress_order_id_fkey FOREIGN KEY (order_id) REFERENCES service_order(order_id)
);

create table service_queue (
  group_id bigint not null,
  dist_id integer not null,
  duty text not null,
  since timestamp with time zone default now() not null,
  promised_at timestamp with time zone,
  constraint service_queue_pkey PRIMARY KEY (group_id),
  constraint service_queue_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint service_queue_group_id_fkey FOREIGN KEY (group_id) REFERENCES chat_group(id)
);

create table service_satisfaction (
  group_id bigint not null,
  user_id bigint not null,
  staff_id bigint,
  order_id bigint,
  dist_id integer not null,
  score smallint not null,
  solved boolean,
  tags text[] default '{}'::text[] not null,
  content text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  constraint service_satisfaction_pkey PRIMARY KEY (group_id, user_id),
  constraint service_satisfaction_score_check CHECK (((score >= 1) AND (score <= 5))),
  constraint service_satisfaction_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint service_satisfaction_group_id_fkey FOREIGN KEY (group_id) REFERENCES chat_group(id),
  constraint service_satisfaction_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint service_satisfaction_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint service_satisfaction_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table service_tip (
  id bigint generated always as identity not null,
  order_id bigint not null,
  amount_fen bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint service_tip_pkey PRIMARY KEY (id),
  constraint service_tip_amount_fen_check CHECK (((amount_fen >= 100) AND (amount_fen <= 20000))),
  constraint service_tip_order_id_fkey FOREIGN KEY (order_id) REFERENCES service_order(order_id)
);

create table session (
  id_hash bytea not null,
  user_id bigint,
  staff_id bigint,
  kind text not null,
  dist_id integer not null,
  ip text,
  agent text,
  pay_verified_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  last_seen_at timestamp with time zone default now() not null,
  factor_verified_at timestamp with time zone,
  constraint session_pkey PRIMARY KEY (id_hash),
  constraint session_check CHECK (((user_id IS NULL) <> (staff_id IS NULL))),
  constraint session_kind_check CHECK ((kind = ANY (ARRAY['web'::text, 'app'::text, 'staff'::text]))),
  constraint session_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint session_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint session_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table setting (
  key text not null,
  version integer not null,
  value jsonb not null,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  valid_from timestamp with time zone default now() not null,
  reason text default ''::text not null,
  approved_by bigint,
  revoked_at timestamp with time zone,
  revoked_by bigint,
  constraint setting_pkey PRIMARY KEY (key, version),
  constraint setting_reason_check CHECK ((length(reason) <= 200)),
  constraint setting_two_persons CHECK (((approved_by IS DISTINCT FROM created_by) OR (approved_by IS NULL))),
  constraint setting_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES staff(id),
  constraint setting_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES staff(id)
);

create table setup_state (
  id boolean default true not null,
  admin_id bigint,
  done jsonb default '{}'::jsonb not null,
  finished_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  trial_since timestamp with time zone,
  constraint setup_state_pkey PRIMARY KEY (id),
  constraint setup_state_id_check CHECK (id),
  constraint setup_state_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES staff(id)
);

create table setup_token (
  token_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  tries smallint default 0 not null,
  totp_secret_enc bytea not null,
  constraint setup_token_pkey PRIMARY KEY (token_hash)
);

create table sms_code (
  phone_hash bytea not null,
  purpose text not null,
  dist_id integer not null,
  code_hash bytea not null,
  tries smallint default 0 not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint sms_code_pkey PRIMARY KEY (phone_hash, purpose),
  constraint sms_code_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table staff (
  id bigint generated always as identity not null,
  login text not null,
  name text not null,
  role text not null,
  dist_id integer,
  password_hash text,
  totp_secret_enc bytea,
  totp_last_step bigint default 0 not null,
  im_uid text not null,
  on_duty boolean default true not null,
  max_chats integer default 200 not null,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  permissions text[] default '{}'::text[] not null,
  disabled_at timestamp with time zone,
  email text,
  constraint staff_pkey PRIMARY KEY (id),
  constraint staff_im_uid_key UNIQUE (im_uid),
  constraint staff_login_key UNIQUE (login),
  constraint staff_status_check CHECK ((status = ANY (ARRAY[1, 2, 9]))),
  constraint staff_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint staff_role_fkey FOREIGN KEY (role) REFERENCES staff_role(code)
);

create table staff_browser (
  staff_id bigint not null,
  browser_hash bytea not null,
  last_at timestamp with time zone default now() not null,
  constraint staff_browser_pkey PRIMARY KEY (staff_id, browser_hash),
  constraint staff_browser_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table staff_columns (
  staff_id bigint not null,
  list text not null,
  columns text[] not null,
  constraint staff_columns_pkey PRIMARY KEY (staff_id, list),
  constraint staff_columns_columns_check CHECK (((cardinality(columns) >= 1) AND (cardinality(columns) <= 40))),
  constraint staff_columns_list_check CHECK ((list ~ '^[a-z]{2,20}$'::text)),
  constraint staff_columns_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table staff_export (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  list text not null,
  format text not null,
  query jsonb not null,
  columns text[] not null,
  total integer not null,
  written integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  opened_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint staff_export_pkey PRIMARY KEY (id),
  constraint staff_export_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'xlsx'::text]))),
  constraint staff_export_list_check CHECK ((list ~ '^[a-z]{2,20}$'::text)),
  constraint staff_export_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table staff_invite (
  token_hash bytea not null,
  staff_id bigint not null,
  sets_password boolean not null,
  sets_factor boolean not null,
  totp_secret_enc bytea,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  tries smallint default 0 not null,
  constraint staff_invite_pkey PRIMARY KEY (token_hash),
  constraint staff_invite_check CHECK ((sets_password OR sets_factor)),
  constraint staff_invite_secret CHECK (((used_at IS NOT NULL) OR (sets_factor = (totp_secret_enc IS NOT NULL)))),
  constraint staff_invite_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint staff_invite_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table staff_note (
  id bigint generated always as identity not null,
  user_id bigint not null,
  dist_id integer,
  staff_id bigint not null,
  text text not null,
  created_at timestamp with time zone default now() not null,
  constraint staff_note_pkey PRIMARY KEY (id),
  constraint staff_note_text_check CHECK (((length(text) >= 1) AND (length(text) <= 500))),
  constraint staff_note_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint staff_note_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint staff_note_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table staff_passkey (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint default 0 not null,
  transports text[] default '{}'::text[] not null,
  name text not null,
  synced boolean not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint staff_passkey_pkey PRIMARY KEY (id),
  constraint staff_passkey_credential_id_key UNIQUE (credential_id),
  constraint staff_passkey_counter_check CHECK ((counter >= 0)),
  constraint staff_passkey_credential_id_check CHECK (((length(credential_id) >= 16) AND (length(credential_id) <= 1400))),
  constraint staff_passkey_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 20))),
  constraint staff_passkey_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table staff_passkey_challenge (
  challenge_hash bytea not null,
  purpose text not null,
  staff_id bigint,
  expires_at timestamp with time zone not null,
  constraint staff_passkey_challenge_pkey PRIMARY KEY (challenge_hash),
  constraint staff_passkey_challenge_check CHECK (((purpose = 'login'::text) = (staff_id IS NULL))),
  constraint staff_passkey_challenge_purpose_check CHECK ((purpose = ANY (ARRAY['login'::text, 'register'::text, 'stepUp'::text]))),
  constraint staff_passkey_challenge_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table staff_role (
  code text not null,
  name text not null,
  permissions text[],
  is_system boolean default false not null,
  site_only boolean default false not null,
  dist_id integer,
  updated_at timestamp with time zone default now() not null,
  constraint staff_role_pkey PRIMARY KEY (code),
  constraint staff_role_check1 CHECK ((is_system OR (permissions IS NOT NULL))),
  constraint staff_role_code_check CHECK ((code ~ '^[a-z][a-z0-9-]{1,31}$'::text)),
  constraint staff_role_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 20))),
  constraint staff_role_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table staff_shift (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  constraint staff_shift_pkey PRIMARY KEY (id),
  constraint staff_shift_check CHECK ((ends_at > starts_at)),
  constraint staff_shift_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table staff_view (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  dist_id integer,
  list text not null,
  name text not null,
  query text not null,
  shared boolean default false not null,
  created_at timestamp with time zone default now() not null,
  changed_at timestamp with time zone default now() not null,
  constraint staff_view_pkey PRIMARY KEY (id),
  constraint staff_view_list_check CHECK ((list ~ '^[a-z]{2,20}$'::text)),
  constraint staff_view_name_check CHECK (((length(name) >= 1) AND (length(name) <= 20))),
  constraint staff_view_query_check CHECK ((length(query) <= 1000)),
  constraint staff_view_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint staff_view_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);

create table step_up (
  session_hash bytea not null,
  purpose text not null,
  verified_at timestamp with time zone default now() not null,
  constraint step_up_pkey PRIMARY KEY (session_hash, purpose),
  constraint step_up_session_hash_fkey FOREIGN KEY (session_hash) REFERENCES session(id_hash) ON DELETE CASCADE
);

create table third_party_binding (
  user_id bigint not null,
  provider text not null,
  open_id text not null,
  union_id text,
  created_at timestamp with time zone default now() not null,
  constraint third_party_binding_pkey PRIMARY KEY (user_id, provider),
  constraint third_party_binding_provider_check CHECK ((provider = ANY (ARRAY['wechat'::text, 'qq'::text, 'wechat_push'::text]))),
  constraint third_party_binding_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table third_party_ticket (
  ticket_hash bytea not null,
  provider text not null,
  open_id text not null,
  union_id text,
  browser_hash bytea not null,
  dist_id integer not null,
  expires_at timestamp with time zone not null,
  constraint third_party_ticket_pkey PRIMARY KEY (ticket_hash),
  constraint third_party_ticket_provider_check CHECK ((provider = ANY (ARRAY['wechat'::text, 'qq'::text]))),
  constraint third_party_ticket_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table time_sale (
  id bigint generated always as identity not null,
  goods_id bigint not null,
  goods_version integer not null,
  price_fen bigint not null,
  was_fen bigint not null,
  left_num integer not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint time_sale_pkey PRIMARY KEY (id),
  constraint time_sale_check CHECK ((ends_at > starts_at)),
  constraint time_sale_check1 CHECK ((price_fen < was_fen)),
  constraint time_sale_left_num_check CHECK ((left_num >= 0)),
  constraint time_sale_price_fen_check CHECK (((price_fen >= 100) AND (price_fen <= 999999900))),
  constraint time_sale_status_check CHECK ((status = ANY (ARRAY[1, 2]))),
  constraint time_sale_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id)
);

create table time_sale_order (
  order_id bigint not null,
  sale_id bigint not null,
  num integer not null,
  returned boolean default false not null,
  constraint time_sale_order_pkey PRIMARY KEY (order_id),
  constraint time_sale_order_num_check CHECK ((num > 0)),
  constraint time_sale_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint time_sale_order_sale_id_fkey FOREIGN KEY (sale_id) REFERENCES time_sale(id)
);

create table timer (
  kind text not null,
  ref text not null,
  due_at timestamp with time zone not null,
  payload jsonb default '{}'::jsonb not null,
  attempts integer default 0 not null,
  faults integer default 0 not null,
  first_failed_at timestamp with time zone,
  last_error text,
  constraint timer_pkey PRIMARY KEY (kind, ref)
);

create table top_seller (
  game_id integer not null,
  seller_id bigint not null,
  deals bigint not null,
  constraint top_seller_pkey PRIMARY KEY (game_id, seller_id),
  constraint top_seller_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint top_seller_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES app_user(id)
);

create table trade_day (
  day date not null,
  dist_id integer not null,
  game_id integer not null,
  type_id smallint not null,
  placed integer default 0 not null,
  placed_paid integer default 0 not null,
  placed_shipped integer default 0 not null,
  placed_done integer default 0 not null,
  placed_unpaid integer default 0 not null,
  placed_undone integer default 0 not null,
  paid integer default 0 not null,
  paid_fen bigint default 0 not null,
  income_fen bigint default 0 not null,
  disputed integer default 0 not null,
  constraint trade_day_pkey PRIMARY KEY (day, dist_id, game_id, type_id),
  constraint trade_day_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table trade_stat (
  game_id integer not null,
  type_id smallint not null,
  trend jsonb not null,
  week_fen bigint,
  before_fen bigint,
  made_at timestamp with time zone default now() not null,
  constraint trade_stat_pkey PRIMARY KEY (game_id, type_id),
  constraint trade_stat_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table user_browser (
  user_id bigint not null,
  browser_hash bytea not null,
  first_at timestamp with time zone default now() not null,
  last_at timestamp with time zone default now() not null,
  constraint user_browser_pkey PRIMARY KEY (user_id, browser_hash),
  constraint user_browser_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table user_network (
  user_id bigint not null,
  network_hash bytea not null,
  first_at timestamp with time zone default now() not null,
  last_at timestamp with time zone default now() not null,
  constraint user_network_pkey PRIMARY KEY (user_id, network_hash),
  constraint user_network_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table valuation (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  user_id bigint,
  game_id integer not null,
  model_version integer,
  details jsonb not null,
  low_fen bigint,
  typical_fen bigint,
  high_fen bigint,
  samples integer not null,
  created_at timestamp with time zone default now() not null,
  area_id integer,
  constraint valuation_pkey PRIMARY KEY (id),
  constraint valuation_sn_key UNIQUE (sn),
  constraint valuation_band CHECK ((((typical_fen IS NULL) AND (low_fen IS NULL) AND (high_fen IS NULL) AND (model_version IS NULL)) OR ((low_fen <= typical_fen) AND (typical_fen <= high_fen) AND (model_version IS NOT NULL)))),
  constraint valuation_details_check CHECK ((jsonb_typeof(details) = 'object'::text)),
  constraint valuation_low_fen_check CHECK ((low_fen >= 0)),
  constraint valuation_area_id_fkey FOREIGN KEY (area_id) REFERENCES game_area(id),
  constraint valuation_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint valuation_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table valuation_model (
  game_id integer not null,
  version integer not null,
  body jsonb not null,
  samples integer not null,
  error_bp integer not null,
  made_at timestamp with time zone default now() not null,
  constraint valuation_model_pkey PRIMARY KEY (game_id),
  constraint valuation_model_body_check CHECK ((jsonb_typeof(body) = 'object'::text)),
  constraint valuation_model_error_bp_check CHECK ((error_bp >= 0)),
  constraint valuation_model_samples_check CHECK ((samples >= 0)),
  constraint valuation_model_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table valuation_month (
  game_id integer not null,
  month date not null,
  sales integer not null,
  hits integer not null,
  loss_fen bigint not null,
  plain_loss_fen bigint not null,
  made_at timestamp with time zone default now() not null,
  constraint valuation_month_pkey PRIMARY KEY (game_id, month),
  constraint valuation_month_check CHECK (((hits >= 0) AND (hits <= sales))),
  constraint valuation_month_loss_fen_check CHECK ((loss_fen >= 0)),
  constraint valuation_month_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint valuation_month_plain_loss_fen_check CHECK ((plain_loss_fen >= 0)),
  constraint valuation_month_sales_check CHECK ((sales > 0)),
  constraint valuation_month_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table vendor_token (
  name text not null,
  value_enc bytea,
  expires_at timestamp with time zone,
  refreshing_until timestamp with time zone,
  constraint vendor_token_pkey PRIMARY KEY (name),
  constraint vendor_token_check CHECK (((value_enc IS NULL) = (expires_at IS NULL)))
);

create table verify_query (
  id bigint generated always as identity not null,
  dist_id integer not null,
  kind text not null,
  value_hash bytea not null,
  verdict smallint not null,
  purpose text not null,
  user_id bigint,
  ip_hash bytea,
  created_at timestamp with time zone default now() not null,
  constraint verify_query_pkey PRIMARY KEY (id),
  constraint verify_query_purpose_check CHECK ((purpose = ANY (ARRAY['service'::text, 'black'::text]))),
  constraint verify_query_verdict_check CHECK ((verdict = ANY (ARRAY[0, 1, 2]))),
  constraint verify_query_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint verify_query_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table voice_clip (
  key text not null,
  owner_id bigint not null,
  mime text not null,
  seconds smallint not null,
  bytes integer not null,
  sha256 bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint voice_clip_pkey PRIMARY KEY (key),
  constraint voice_clip_bytes_check CHECK (((bytes >= 1) AND (bytes <= 2097152))),
  constraint voice_clip_mime_check CHECK ((mime = ANY (ARRAY['audio/mpeg'::text, 'audio/mp4'::text, 'audio/wav'::text]))),
  constraint voice_clip_seconds_check CHECK (((seconds >= 1) AND (seconds <= 60))),
  constraint voice_clip_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES app_user(id)
);

create table want (
  id bigint generated always as identity not null,
  sn text not null,
  user_id bigint not null,
  dist_id integer not null,
  game_id integer not null,
  type_id smallint not null,
  title text not null,
  filter jsonb default '{}'::jsonb not null,
  budget_fen bigint not null,
  deposit_fen bigint default 0 not null,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  area_id integer,
  server_id integer,
  words tsquery,
  ranges jsonb default '[]'::jsonb not null,
  at_least jsonb default '[]'::jsonb not null,
  push boolean default true not null,
  met_order_id bigint,
  constraint want_pkey PRIMARY KEY (id),
  constraint want_sn_key UNIQUE (sn),
  constraint want_budget_fen_check CHECK ((budget_fen > 0)),
  constraint want_status_check CHECK ((status = ANY (ARRAY[1, 2, 3]))),
  constraint want_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint want_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint want_met_order_id_fkey FOREIGN KEY (met_order_id) REFERENCES orders(id),
  constraint want_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table want_match (
  want_id bigint not null,
  goods_id bigint not null,
  price_fen bigint not null,
  pushed_at timestamp with time zone,
  matched_at timestamp with time zone default now() not null,
  constraint want_match_pkey PRIMARY KEY (want_id, goods_id),
  constraint want_match_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint want_match_want_id_fkey FOREIGN KEY (want_id) REFERENCES want(id)
);

create table webhook_attempt (
  id bigint generated always as identity not null,
  delivery_id bigint not null,
  at timestamp with time zone default now() not null,
  ms integer not null,
  status integer,
  failure text,
  request_head text not null,
  response_head text not null,
  constraint webhook_attempt_pkey PRIMARY KEY (id),
  constraint webhook_attempt_response_head_check CHECK ((length(response_head) <= 2000)),
  constraint webhook_attempt_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_delivery(id) ON DELETE CASCADE
);

create table webhook_delivery (
  id bigint generated always as identity not null,
  public_id text default ('evt_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)) not null,
  endpoint_id bigint not null,
  event text not null,
  subject text not null,
  body text not null,
  status text default 'waiting'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  constraint webhook_delivery_pkey PRIMARY KEY (id),
  constraint webhook_delivery_endpoint_id_subject_key UNIQUE (endpoint_id, subject),
  constraint webhook_delivery_public_id_key UNIQUE (public_id),
  constraint webhook_delivery_attempts_check CHECK ((attempts >= 0)),
  constraint webhook_delivery_body_check CHECK ((length(body) <= 4000)),
  constraint webhook_delivery_check CHECK (((status = 'sent'::text) = (sent_at IS NOT NULL))),
  constraint webhook_delivery_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'stopped'::text]))),
  constraint webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id)
);

create table webhook_endpoint (
  id bigint generated always as identity not null,
  user_id bigint not null,
  url text not null,
  events text[] not null,
  secret_enc bytea not null,
  status text default 'on'::text not null,
  fails integer default 0 not null,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  removed_at timestamp with time zone,
  gone_at timestamp with time zone,
  constraint webhook_endpoint_pkey PRIMARY KEY (id),
  constraint webhook_endpoint_check CHECK (((fails = 0) = (failing_since IS NULL))),
  constraint webhook_endpoint_events_check CHECK ((cardinality(events) > 0)),
  constraint webhook_endpoint_fails_check CHECK ((fails >= 0)),
  constraint webhook_endpoint_status_check CHECK ((status = ANY (ARRAY['on'::text, 'off'::text, 'disabled'::text]))),
  constraint webhook_endpoint_url_check CHECK ((length(url) <= 300)),
  constraint webhook_endpoint_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table wechat_login (
  code text not null,
  browser_hash bytea not null,
  dist_id integer not null,
  user_id bigint,
  status text default 'pending'::text not null,
  expires_at timestamp with time zone not null,
  act text default 'login'::text not null,
  open_id text,
  union_id text,
  phone_hash bytea,
  agent text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  ip text default ''::text not null,
  constraint wechat_login_pkey PRIMARY KEY (code),
  constraint wechat_login_act_check CHECK ((act = ANY (ARRAY['login'::text, 'bind'::text]))),
  constraint wechat_login_check CHECK (((status = 'pending'::text) OR ((open_id IS NOT NULL) AND (phone_hash IS NOT NULL)))),
  constraint wechat_login_check1 CHECK (((act = 'login'::text) OR (user_id IS NOT NULL))),
  constraint wechat_login_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'scanned'::text, 'confirmed'::text, 'used'::text]))),
  constraint wechat_login_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint wechat_login_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table wechat_push_ticket (
  scene_hash bytea not null,
  user_id bigint not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint wechat_push_ticket_pkey PRIMARY KEY (scene_hash),
  constraint wechat_push_ticket_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table withdrawal (
  id bigint generated always as identity not null,
  sn text not null,
  dist_id integer not null,
  user_id bigint not null,
  payout_account_id bigint not null,
  amount_fen bigint not null,
  fee_fen bigint default 0 not null,
  status smallint default 0 not null,
  note text,
  approved_by bigint,
  second_by bigint,
  channel text,
  channel_no text,
  created_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  paid_at timestamp with time zone,
  sent_at timestamp with time zone,
  leased_until timestamp with time zone,
  channel_reason text,
  bounced_at timestamp with time zone,
  list_id bigint,
  accept_token text,
  constraint withdrawal_pkey PRIMARY KEY (id),
  constraint withdrawal_sn_key UNIQUE (sn),
  constraint withdrawal_amount_fen_check CHECK ((amount_fen > 0)),
  constraint withdrawal_bounced CHECK (((bounced_at IS NULL) OR (status = 3))),
  constraint withdrawal_status_check CHECK ((status = ANY (ARRAY[0, 1, 2, 3]))),
  constraint withdrawal_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES staff(id),
  constraint withdrawal_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint withdrawal_list_id_fkey FOREIGN KEY (list_id) REFERENCES payout_list(id),
  constraint withdrawal_payout_account_id_fkey FOREIGN KEY (payout_account_id) REFERENCES payout_account(id),
  constraint withdrawal_second_by_fkey FOREIGN KEY (second_by) REFERENCES staff(id),
  constraint withdrawal_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

-- Indexes

CREATE INDEX advert_shown ON public.advert USING btree ("position", sort) WHERE (status = 1);

CREATE INDEX alert_fit ON public.alert USING btree (game_id, type_id) WHERE ((kind = 'search'::text) AND (NOT paused));

CREATE INDEX alert_user ON public.alert USING btree (user_id, id DESC);

CREATE INDEX alert_match_new ON public.alert_match USING btree (alert_id, matched_at DESC);

CREATE INDEX api_call_at ON public.api_call USING btree (at);

CREATE INDEX api_call_key ON public.api_call USING btree (key_id, id DESC);

CREATE INDEX api_key_user ON public.api_key USING btree (user_id, id DESC);

CREATE INDEX api_nonce_expires ON public.api_nonce USING btree (expires_at);

CREATE INDEX app_user_created ON public.app_user USING btree (created_at, id);

CREATE INDEX app_user_inviter ON public.app_user USING btree (inviter_id, id DESC) WHERE (inviter_id IS NOT NULL);

CREATE INDEX app_user_name_parts ON public.app_user USING gin (name_parts(nick_name));

CREATE INDEX app_user_nick ON public.app_user USING btree (lower(nick_name) text_pattern_ops);

CREATE INDEX app_user_present ON public.app_user USING btree (last_seen_at DESC) INCLUDE (id) WHERE online;

CREATE INDEX app_user_seen ON public.app_user USING btree (last_seen_at, id);

CREATE INDEX app_user_sold ON public.app_user USING btree (sold_count, id);

CREATE UNIQUE INDEX approval_open ON public.approval USING btree (act, target) WHERE (status = 'waiting'::text);

CREATE INDEX approval_waiting ON public.approval USING btree (expires_at) WHERE (status = 'waiting'::text);

CREATE INDEX assignment_rule_order ON public.assignment_rule USING btree (duty, sort) WHERE (status = 1);

CREATE INDEX audit_log_created ON public.audit_log USING btree (created_at, id);

CREATE INDEX audit_log_target ON public.audit_log USING btree (target, id DESC);

CREATE INDEX backup_run_ended ON public.backup_run USING btree (ended_at DESC);

CREATE INDEX bargain_buyer ON public.bargain USING btree (buyer_id, id DESC);

CREATE INDEX bargain_goods ON public.bargain USING btree (goods_id, id DESC);

CREATE UNIQUE INDEX bargain_open ON public.bargain USING btree (goods_id, buyer_id) WHERE (status = ANY (ARRAY[0, 1, 2, 3]));

CREATE INDEX bargain_seller ON public.bargain USING btree (seller_id, id DESC);

CREATE UNIQUE INDEX black_appeal_open ON public.black_appeal USING btree (entry_id, user_id) WHERE (status = 'reviewing'::text);

CREATE INDEX black_appeal_queue ON public.black_appeal USING btree (answer_by) WHERE (status = 'reviewing'::text);

CREATE INDEX black_entry_expiry ON public.black_entry USING btree (expires_at) WHERE (status = 'listed'::text);

CREATE INDEX black_entry_listed ON public.black_entry USING btree (listed_at DESC, id DESC) WHERE (status = 'listed'::text);

CREATE INDEX black_entry_reporter ON public.black_entry USING btree (reporter_id, id DESC);

CREATE INDEX black_entry_review ON public.black_entry USING btree (id) WHERE (status = 'reviewing'::text);

CREATE INDEX black_entry_waiting ON public.black_entry USING btree (created_at) WHERE (status = 'reviewing'::text);

CREATE INDEX black_event_entry ON public.black_event USING btree (entry_id, id);

CREATE INDEX black_key_lookup ON public.black_key USING btree (value_hash, kind);

CREATE UNIQUE INDEX blocked_word_plain ON public.blocked_word USING btree (plain) WHERE (ended_at IS NULL);

CREATE INDEX books_block_checked ON public.books_block USING btree (checked_at, after_id);

CREATE INDEX boost_request_board ON public.boost_request USING btree (dist_id, game_id, id DESC) WHERE (status = 'open'::text);

CREATE INDEX boost_request_buyer ON public.boost_request USING btree (buyer_id, id DESC);

CREATE INDEX brand_publication_dist ON public.brand_publication USING btree (dist_id, id DESC);

CREATE INDEX canned_answer_list ON public.canned_answer USING btree (grp, sort) WHERE (status = 1);

CREATE INDEX channel_statement_line_open ON public.channel_statement_line USING btree (inter_sn) WHERE ((transfer_id IS NULL) AND (kind <> 'fee'::text));

CREATE INDEX channel_statement_line_transfer ON public.channel_statement_line USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);

CREATE UNIQUE INDEX chat_assignment_now ON public.chat_assignment USING btree (group_id) WHERE (to_at IS NULL);

CREATE INDEX chat_assignment_staff ON public.chat_assignment USING btree (staff_id, from_at DESC);

CREATE INDEX chat_group_ended ON public.chat_group USING btree (dist_id, id DESC) WHERE (status <> 1);

CREATE UNIQUE INDEX chat_group_service ON public.chat_group USING btree (user_id, dist_id) WHERE ((group_type = 2) AND (status = 1));

CREATE INDEX chat_group_urgency ON public.chat_group USING btree (dist_id, chat_urgency(reply_by, step_by, last_at), id DESC) WHERE (status = 1);

CREATE INDEX chat_group_user ON public.chat_group USING btree (user_id, id) WHERE (group_type = 2);

CREATE INDEX chat_member_current ON public.chat_member USING btree (member) WHERE (is_current AND (left_at IS NULL));

CREATE INDEX chat_member_of ON public.chat_member USING btree (member, group_id DESC) WHERE (left_at IS NULL);

CREATE INDEX chat_presence_node ON public.chat_presence USING btree (node);

CREATE INDEX cooperation_request_open ON public.cooperation_request USING btree (dist_id, id) WHERE (status = ANY (ARRAY['new'::text, 'talking'::text]));

CREATE INDEX coupon_expiring ON public.coupon USING btree (expires_at) WHERE (order_id IS NULL);

CREATE INDEX coupon_of_campaign ON public.coupon USING btree (campaign_id, id DESC);

CREATE UNIQUE INDEX coupon_once ON public.coupon USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX coupon_user ON public.coupon USING btree (user_id, id DESC);

CREATE INDEX coupon_campaign_open ON public.coupon_campaign USING btree (ends_at) WHERE (status = 1);

CREATE INDEX credential_opening_order ON public.credential_opening USING btree (order_id, id);

CREATE UNIQUE INDEX data_export_one_waits ON public.data_export USING btree (user_id) WHERE (status = 'waiting'::text);

CREATE INDEX data_export_user ON public.data_export USING btree (user_id, created_at DESC);

CREATE INDEX dead_letter_decided ON public.dead_letter USING btree (decided_at DESC, id DESC) WHERE (status <> 'open'::text);

CREATE UNIQUE INDEX dead_letter_open ON public.dead_letter USING btree (what, name, ref) WHERE (status = 'open'::text);

CREATE INDEX debt_creditor ON public.debt USING btree (creditor, id DESC);

CREATE INDEX debt_debtor ON public.debt USING btree (debtor, id DESC);

CREATE INDEX debt_open ON public.debt USING btree (debtor, id) WHERE (settled_at IS NULL);

CREATE INDEX debt_order ON public.debt USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX debt_user ON public.debt USING btree (debtor_user) WHERE (settled_at IS NULL);

CREATE INDEX deposit_entry_user ON public.deposit_entry USING btree (user_id, id DESC);

CREATE INDEX deposit_penalty_dispute ON public.deposit_penalty USING btree (dispute_id) WHERE (dispute_id IS NOT NULL);

CREATE INDEX deposit_penalty_user ON public.deposit_penalty USING btree (user_id, id DESC);

CREATE INDEX deposit_release_due ON public.deposit_release USING btree (release_at) WHERE (status = 'waiting'::text);

CREATE UNIQUE INDEX deposit_release_open ON public.deposit_release USING btree (user_id, role) WHERE (status = 'waiting'::text);

CREATE UNIQUE INDEX dispute_open ON public.dispute USING btree (order_id) WHERE (status <> 'closed'::text);

CREATE INDEX dispute_opened ON public.dispute USING btree (opened_at, id);

CREATE INDEX dispute_opener ON public.dispute USING btree (opener_id, id DESC);

CREATE INDEX dispute_order ON public.dispute USING btree (order_id, id);

CREATE INDEX dispute_queue ON public.dispute USING btree (status, first_look_by) WHERE (status <> 'closed'::text);

CREATE INDEX dispute_staff ON public.dispute USING btree (staff_id) WHERE (status <> 'closed'::text);

CREATE INDEX dispute_event_dispute ON public.dispute_event USING btree (dispute_id, id);

CREATE INDEX dispute_ruling_rule_of ON public.dispute_ruling_rule USING btree (rule_no, ruling_id DESC);

CREATE INDEX dispute_statement_dispute ON public.dispute_statement USING btree (dispute_id, id);

CREATE UNIQUE INDEX dispute_statement_form ON public.dispute_statement USING btree (dispute_id, belong) WHERE (kind = 'form'::text);

CREATE UNIQUE INDEX dist_host_primary ON public.dist_host USING btree (dist_id) WHERE is_primary;

CREATE INDEX dist_settlement_dist ON public.dist_settlement USING btree (dist_id, id DESC);

CREATE UNIQUE INDEX dist_settlement_open ON public.dist_settlement USING btree (dist_id) WHERE (status = 0);

CREATE INDEX event_case_list ON public.event_case USING btree (published_at DESC, id DESC) WHERE (status = 1);

CREATE INDEX fake_service_report_open ON public.fake_service_report USING btree (id) WHERE (status = 'reviewing'::text);

CREATE INDEX fake_service_report_value ON public.fake_service_report USING btree (value_hash, created_at DESC);

CREATE INDEX former_person_hash ON public.former_person USING btree (id_hash);

CREATE INDEX goods_account_near ON public.goods USING btree (account_near) WHERE (account_near IS NOT NULL);

CREATE INDEX goods_created ON public.goods USING btree (created_at, id);

CREATE INDEX goods_fingerprint ON public.goods USING btree (fingerprint, id) WHERE (fingerprint IS NOT NULL);

CREATE UNIQUE INDEX goods_fingerprint_live ON public.goods USING btree (fingerprint) WHERE ((fingerprint IS NOT NULL) AND (status = ANY (ARRAY[1, 2, 3, 4, 7])));

CREATE UNIQUE INDEX goods_import ON public.goods USING btree (seller_id, import_key) WHERE (import_key IS NOT NULL);

CREATE INDEX goods_price ON public.goods USING btree (price_fen, id);

CREATE INDEX goods_review ON public.goods USING btree (updated_at) WHERE (status = 1);

CREATE INDEX goods_seller ON public.goods USING btree (seller_id, status, id DESC);

CREATE UNIQUE INDEX goods_sn_key ON public.goods USING btree (sn);

CREATE INDEX goods_event_goods ON public.goods_event USING btree (goods_id, id);

CREATE INDEX goods_follow_goods ON public.goods_follow USING btree (goods_id);

CREATE INDEX goods_follow_new ON public.goods_follow USING btree (user_id, created_at DESC);

CREATE INDEX goods_price_day_goods ON public.goods_price_day USING btree (goods_id, until DESC);

CREATE INDEX goods_question_public ON public.goods_question USING btree (goods_id, id DESC) WHERE (hidden_at IS NULL);

CREATE INDEX goods_question_seller ON public.goods_question USING btree (seller_id, id DESC);

CREATE INDEX goods_question_user ON public.goods_question USING btree (user_id, created_at);

CREATE INDEX goods_question_waiting ON public.goods_question USING btree (seller_id, id) WHERE ((answered_at IS NULL) AND (hidden_at IS NULL));

CREATE INDEX goods_reference_version ON public.goods_reference USING btree (game_id, model_version);

CREATE UNIQUE INDEX goods_report_open ON public.goods_report USING btree (user_id, goods_id, part, COALESCE(question_id, (0)::bigint)) WHERE (status = 'waiting'::text);

CREATE INDEX goods_report_status ON public.goods_report USING btree (status, id DESC);

CREATE INDEX goods_report_user ON public.goods_report USING btree (user_id, created_at);

CREATE INDEX goods_report_waiting ON public.goods_report USING btree (goods_id, part, question_id) WHERE (status = 'waiting'::text);

CREATE INDEX goods_search_sample ON public.goods_search USING btree (hashint8(goods_id), goods_id) WHERE (hashint8(goods_id) < '-1879048192'::integer);

CREATE INDEX gs_game_new ON public.goods_search USING btree (game_id, refreshed_at DESC, goods_id DESC);

CREATE INDEX gs_game_price ON public.goods_search USING btree (game_id, price_fen, goods_id);

CREATE INDEX gs_game_score ON public.goods_search USING btree (game_id, score DESC, goods_id DESC);

CREATE INDEX gs_gin ON public.goods_search USING gin (game_id, tsv) WITH (gin_pending_list_limit='1024');

CREATE INDEX gs_new ON public.goods_search USING btree (refreshed_at DESC, goods_id DESC);

CREATE INDEX gs_price ON public.goods_search USING btree (price_fen, goods_id);

CREATE INDEX gs_score ON public.goods_search USING btree (score DESC, goods_id DESC);

CREATE INDEX gs_seller ON public.goods_search USING btree (seller_id);

CREATE INDEX gs_type_new ON public.goods_search USING btree (game_id, type_id, refreshed_at DESC, goods_id DESC);

CREATE INDEX gs_type_price ON public.goods_search USING btree (game_id, type_id, price_fen, goods_id);

CREATE INDEX gs_type_score ON public.goods_search USING btree (game_id, type_id, score DESC, goods_id DESC);

CREATE INDEX goods_stat_game_views ON public.goods_stat USING btree (game_id, views DESC, goods_id DESC) WHERE (game_id IS NOT NULL);

CREATE INDEX goods_stat_views ON public.goods_stat USING btree (views DESC, goods_id DESC) WHERE (game_id IS NOT NULL);

CREATE INDEX goods_view_age ON public.goods_view USING btree (viewed_at);

CREATE INDEX goods_view_new ON public.goods_view USING btree (user_id, viewed_at DESC);

CREATE INDEX goods_week_week ON public.goods_week USING btree (week);

CREATE INDEX guarantee_claim_account ON public.guarantee_claim USING btree (fingerprint) WHERE ((fingerprint IS NOT NULL) AND (status = ANY (ARRAY['checking'::text, 'chasing'::text, 'escalated'::text, 'paid'::text])));

CREATE INDEX guarantee_claim_decide ON public.guarantee_claim USING btree (decide_by) WHERE (status = 'escalated'::text);

CREATE INDEX guarantee_claim_due ON public.guarantee_claim USING btree (deadline_at) WHERE (status = 'chasing'::text);

CREATE INDEX guarantee_claim_look ON public.guarantee_claim USING btree (first_look_by) WHERE (status = 'checking'::text);

CREATE UNIQUE INDEX guarantee_claim_open ON public.guarantee_claim USING btree (cover_id) WHERE (status = ANY (ARRAY['checking'::text, 'chasing'::text, 'escalated'::text]));

CREATE INDEX guarantee_claim_opened ON public.guarantee_claim USING btree (opened_at, id);

CREATE INDEX guarantee_claim_order ON public.guarantee_claim USING btree (order_id);

CREATE INDEX guarantee_claim_paid ON public.guarantee_claim USING btree (decided_at DESC) WHERE (status = ANY (ARRAY['paid'::text, 'refused'::text, 'recovered'::text]));

CREATE INDEX guarantee_claim_user ON public.guarantee_claim USING btree (user_id, id DESC);

CREATE INDEX guarantee_cover_end ON public.guarantee_cover USING btree (ends_at) WHERE ((status = 'active'::text) AND (ends_at IS NOT NULL));

CREATE INDEX guarantee_cover_holder ON public.guarantee_cover USING btree (holder_id, id DESC);

CREATE UNIQUE INDEX guarantee_cover_live ON public.guarantee_cover USING btree (fingerprint, kind) WHERE ((fingerprint IS NOT NULL) AND (status = ANY (ARRAY['active'::text, 'claimed'::text])));

CREATE UNIQUE INDEX guarantee_holder_now ON public.guarantee_holder USING btree (cover_id) WHERE (to_at IS NULL);

CREATE INDEX guarantee_holder_user ON public.guarantee_holder USING btree (user_id, cover_id DESC);

CREATE INDEX guarantee_receipt_claim ON public.guarantee_receipt USING btree (claim_id, id);

CREATE INDEX hold_open ON public.hold USING btree (user_id, id DESC) WHERE (released_at IS NULL);

CREATE INDEX hold_open_created ON public.hold USING btree (created_at, id) WHERE (released_at IS NULL);

CREATE INDEX hold_short ON public.hold USING btree (user_id) WHERE (short_fen > 0);

CREATE INDEX idempotency_age ON public.idempotency USING btree (created_at);

CREATE INDEX import_job_newest ON public.import_job USING btree (dist_id, id DESC);

CREATE INDEX import_row_verdict ON public.import_row USING btree (job_id, verdict, line);

CREATE INDEX inspection_claim_status ON public.inspection_claim USING btree (status, id);

CREATE INDEX inspection_task_buyer ON public.inspection_task USING btree (buyer_id, created_at) WHERE (buyer_id IS NOT NULL);

CREATE INDEX inspection_task_goods ON public.inspection_task USING btree (goods_id, id);

CREATE UNIQUE INDEX inspection_task_live ON public.inspection_task USING btree (goods_id) WHERE (status = ANY (ARRAY['waiting'::text, 'queued'::text, 'claimed'::text, 'review'::text]));

CREATE INDEX inspection_task_status ON public.inspection_task USING btree (status, due_at);

CREATE INDEX league_match_league ON public.league_match USING btree (league_id, starts_at, id);

CREATE INDEX league_match_time ON public.league_match USING btree (starts_at, id);

CREATE UNIQUE INDEX league_team_name ON public.league_team USING btree (COALESCE(dist_id, 0), name);

CREATE INDEX ledger_entry_transfer ON public.ledger_entry USING btree (transfer_id);

CREATE INDEX ledger_transfer_created ON public.ledger_transfer USING btree (created_at, id);

CREATE INDEX ledger_transfer_invite ON public.ledger_transfer USING btree (credit, id) WHERE (code = 'invite_reward'::text);

CREATE INDEX ledger_transfer_order ON public.ledger_transfer USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX ledger_transfer_share ON public.ledger_transfer USING btree (dist_id, created_at) WHERE (code = ANY (ARRAY['dist_share'::text, 'dist_settle'::text]));

CREATE INDEX link_mark_b ON public.link_mark USING btree (user_b);

CREATE INDEX link_push_goods ON public.link_push USING btree (goods_id) WHERE (goods_id IS NOT NULL);

CREATE INDEX link_push_old ON public.link_push USING btree (COALESCE(sent_at, queued_at));

CREATE INDEX link_push_waiting ON public.link_push USING btree (dist_id, queued_at) WHERE (sent_at IS NULL);

CREATE INDEX link_push_site_set_by ON public.link_push_site USING btree (set_by);

CREATE INDEX listing_import_created ON public.listing_import USING btree (created_at);

CREATE UNIQUE INDEX listing_import_once ON public.listing_import USING btree (user_id, kind, COALESCE(game_id, 0), COALESCE((type_id)::integer, 0), digest) WHERE (removed_at IS NULL);

CREATE INDEX listing_import_user ON public.listing_import USING btree (user_id, id DESC) WHERE (removed_at IS NULL);

CREATE INDEX listing_import_picture_key ON public.listing_import_picture USING btree (picture_key) WHERE (picture_key IS NOT NULL);

CREATE INDEX listing_import_picture_stem ON public.listing_import_picture USING btree (import_id, stem) WHERE (stem IS NOT NULL);

CREATE INDEX listing_import_picture_waiting ON public.listing_import_picture USING btree (import_id) WHERE ((picture_key IS NULL) AND (failure IS NULL));

CREATE INDEX listing_import_row_goods ON public.listing_import_row USING btree (goods_id) WHERE (goods_id IS NOT NULL);

CREATE INDEX listing_import_row_state ON public.listing_import_row USING btree (import_id, state, line);

CREATE INDEX lottery_draw_user ON public.lottery_draw USING btree (user_id, created_at DESC);

CREATE INDEX lottery_draw_won ON public.lottery_draw USING btree (id DESC) WHERE (campaign_id IS NOT NULL);

CREATE INDEX middleman_deal_account ON public.middleman_deal USING btree (fingerprint) WHERE ((fingerprint IS NOT NULL) AND (status = ANY (ARRAY['waiting'::text, 'ordered'::text])));

CREATE INDEX middleman_deal_account_near ON public.middleman_deal USING btree (account_near) WHERE (account_near IS NOT NULL);

CREATE INDEX middleman_deal_due ON public.middleman_deal USING btree (expires_at) WHERE (status = 'waiting'::text);

CREATE INDEX middleman_deal_opener ON public.middleman_deal USING btree (opener_id, id DESC);

CREATE INDEX middleman_deal_partner ON public.middleman_deal USING btree (partner_id, id DESC) WHERE (partner_id IS NOT NULL);

CREATE INDEX middleman_deal_seller ON public.middleman_deal USING btree ((
CASE
    WHEN (opener_belong = 0) THEN opener_id
    ELSE partner_id
END)) WHERE (status = ANY (ARRAY['waiting'::text, 'ordered'::text]));

CREATE INDEX news_list ON public.news USING btree (category, pinned DESC, published_at DESC, id DESC) WHERE (status = 1);

CREATE INDEX notice_unread ON public.notice USING btree (user_id) WHERE ((read_at IS NULL) AND (removed_at IS NULL));

CREATE INDEX notice_user ON public.notice USING btree (user_id, id DESC) WHERE (removed_at IS NULL);

CREATE INDEX notice_delivery_claimed ON public.notice_delivery USING btree (claimed_at) WHERE (status = 'sending'::text);

CREATE INDEX notice_delivery_digest ON public.notice_delivery USING btree (user_id, channel) WHERE ((status = 'waiting'::text) AND digest);

CREATE INDEX notice_delivery_due ON public.notice_delivery USING btree (due_at) WHERE (status = 'waiting'::text);

CREATE INDEX official_number_list ON public.official_number USING btree (dist_id, kind) WHERE ((show_value IS NOT NULL) AND (valid_until IS NULL));

CREATE UNIQUE INDEX official_number_once ON public.official_number USING btree (kind, value_hash, dist_id) NULLS NOT DISTINCT WHERE (valid_until IS NULL);

CREATE INDEX order_day_escrow ON public.order_day USING btree (day) WHERE ((figure = 'escrow'::text) AND (n <> 0));

CREATE INDEX order_process_order ON public.order_process USING btree (order_id, id);

CREATE INDEX order_review_by_user ON public.order_review USING btree (user_id, id DESC);

CREATE INDEX order_review_goods ON public.order_review USING btree (goods_id, created_at DESC, id DESC) WHERE ((belong = 1) AND (excluded IS NULL) AND (hidden_at IS NULL));

CREATE UNIQUE INDEX order_review_id ON public.order_review USING btree (id);

CREATE INDEX order_review_public ON public.order_review USING btree (target_id, created_at DESC, id DESC) INCLUDE (type_id, score) WHERE ((belong = 1) AND (excluded IS NULL) AND (hidden_at IS NULL));

CREATE INDEX order_review_to_user ON public.order_review USING btree (target_id, created_at DESC);

CREATE INDEX orders_buyer ON public.orders USING btree (buyer_id, id DESC);

CREATE INDEX orders_cancel_asked ON public.orders USING btree (cancel_asked_at) WHERE ((status = 1) AND (cancel_asked_at IS NOT NULL));

CREATE INDEX orders_clock_stopped ON public.orders USING btree (confirm_stopped_at) WHERE ((confirm_stopped_at IS NOT NULL) AND (status = 2));

CREATE INDEX orders_created ON public.orders USING btree (created_at, id);

CREATE INDEX orders_deadline ON public.orders USING btree (COALESCE(
CASE status
    WHEN 1 THEN ship_by
    WHEN 2 THEN auto_confirm_at
    ELSE NULL::timestamp with time zone
END, '9999-12-31 00:00:00+00'::timestamp with time zone), id);

CREATE INDEX orders_deals ON public.orders USING btree (completed_at DESC) WHERE (status = 3);

CREATE INDEX orders_deals_game ON public.orders USING btree (game_id, completed_at DESC, id DESC) WHERE (status = 3);

CREATE INDEX orders_dist ON public.orders USING btree (dist_id, id DESC);

CREATE INDEX orders_goods_sn ON public.orders USING btree (goods_sn) WHERE (goods_sn IS NOT NULL);

CREATE INDEX orders_moments ON public.orders USING brin (created_at timestamptz_minmax_multi_ops, paid_at timestamptz_minmax_multi_ops, shipped_at timestamptz_minmax_multi_ops, completed_at timestamptz_minmax_multi_ops) WITH (pages_per_range='32', autosummarize='on');

CREATE UNIQUE INDEX orders_one_live ON public.orders USING btree (goods_id) WHERE ((status = ANY (ARRAY[0, 1, 2, 3])) AND (type_id = ANY (ARRAY[1, 8, 50])) AND (goods_id IS NOT NULL));

CREATE INDEX orders_open_moment ON public.orders USING btree (status, created_at, id) WHERE (status = ANY (ARRAY[0, 1, 2]));

CREATE INDEX orders_seller ON public.orders USING btree (seller_id, id DESC);

CREATE INDEX orders_seller_done ON public.orders USING btree (seller_id, completed_at DESC) WHERE (status = 3);

CREATE INDEX orders_seller_live ON public.orders USING btree (seller_id) WHERE (status = ANY (ARRAY[1, 2]));

CREATE INDEX orders_ship_by ON public.orders USING btree (ship_by) WHERE (status = 1);

CREATE INDEX orders_sold ON public.orders USING btree (game_id, type_id, completed_at DESC) WHERE (status = 3);

CREATE INDEX orders_staff ON public.orders USING btree (staff_id, id DESC) WHERE (staff_id IS NOT NULL);

CREATE INDEX orders_staff_open ON public.orders USING btree (staff_id, id DESC) WHERE ((status = ANY (ARRAY[1, 2])) AND (staff_id IS NOT NULL));

CREATE INDEX orders_total ON public.orders USING btree (total_fen, id);

CREATE INDEX orders_unpaid ON public.orders USING btree (buyer_id) WHERE (status = 0);

CREATE INDEX orders_unpaid_ends ON public.orders USING btree (buyer_id, unpaid_end_at) WHERE (unpaid_end_at IS NOT NULL);

CREATE INDEX outbox_topic ON public.outbox USING btree (topic, id);

CREATE INDEX payment_arrived ON public.payment USING btree (channel, paid_at) WHERE (paid_at IS NOT NULL);

CREATE INDEX payment_attempt_of ON public.payment USING btree (attempt_of) WHERE (attempt_of IS NOT NULL);

CREATE INDEX payment_order ON public.payment USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX payment_topups ON public.payment USING btree (COALESCE(paid_at, created_at), id) WHERE ((status = 1) AND (purpose = ANY (ARRAY['topup'::text, 'deposit'::text])));

CREATE INDEX payment_user ON public.payment USING btree (user_id, id DESC);

CREATE INDEX payment_waiting ON public.payment USING btree (expires_at) WHERE (status = 0);

CREATE INDEX payment_notify_open ON public.payment_notify USING btree (id) WHERE (verdict IS NULL);

CREATE UNIQUE INDEX payout_account_one ON public.payout_account USING btree (user_id, kind) WHERE (removed_at IS NULL);

CREATE INDEX payout_account_shared ON public.payout_account USING btree (account_hash, user_id);

CREATE INDEX payout_line_draft ON public.payout_line USING btree (list_id) WHERE (draft_result IS NOT NULL);

CREATE UNIQUE INDEX payout_line_once ON public.payout_line USING btree (withdrawal_id) WHERE (result IS DISTINCT FROM 'requeued'::text);

CREATE INDEX picture_owner ON public.picture USING btree (owner_id, id DESC);

CREATE UNIQUE INDEX picture_source ON public.picture USING btree (source_key) WHERE (source_key IS NOT NULL);

CREATE INDEX provider_games ON public.provider USING gin (games) WHERE (status = 'approved'::text);

CREATE INDEX provider_open ON public.provider USING btree (kind, done_count DESC, id DESC) WHERE ((status = 'approved'::text) AND online);

CREATE INDEX provider_review ON public.provider USING btree (updated_at) WHERE ((status = 'reviewing'::text) OR (pending IS NOT NULL));

CREATE INDEX provider_event_provider ON public.provider_event USING btree (provider_id, id DESC);

CREATE INDEX push_subscription_user ON public.push_subscription USING btree (user_id);

CREATE UNIQUE INDEX quarantine_open ON public.quarantine USING btree ((true)) WHERE (released_at IS NULL);

CREATE UNIQUE INDEX quick_coin_import ON public.quick_coin_offer USING btree (seller_id, import_key) WHERE (import_key IS NOT NULL);

CREATE INDEX quick_coin_seller ON public.quick_coin_offer USING btree (seller_id, status, id DESC);

CREATE INDEX quick_coin_server ON public.quick_coin_offer USING btree (game_id, server_id, unit_price_micro, id) WHERE ((status = 1) AND (stock > 0) AND (server_id IS NOT NULL));

CREATE INDEX quick_coin_shelf ON public.quick_coin_offer USING btree (game_id, area_id, unit_price_micro, id) WHERE ((status = 1) AND (stock > 0));

CREATE INDEX quick_coin_sold ON public.quick_coin_offer USING btree (game_id, sold_lots DESC, id DESC) WHERE ((status = 1) AND (stock > 0));

CREATE INDEX quick_coin_stock ON public.quick_coin_offer USING btree (game_id, stock DESC, id DESC) WHERE ((status = 1) AND (stock > 0));

CREATE INDEX quick_coin_order_offer ON public.quick_coin_order USING btree (offer_id, order_id DESC);

CREATE UNIQUE INDEX real_name_once ON public.real_name USING btree (id_hash) WHERE (status = 2);

CREATE INDEX reconcile_difference_number ON public.reconcile_difference USING btree (channel, number) WHERE (resolved_at IS NULL);

CREATE INDEX reconcile_difference_open ON public.reconcile_difference USING btree (id) WHERE (resolved_at IS NULL);

CREATE INDEX recycle_coin_shelf ON public.recycle_coin_offer USING btree (game_id, area_id, id) WHERE ((status = 1) AND (wanted_lots > 0));

CREATE INDEX recycle_coin_order_offer ON public.recycle_coin_order USING btree (offer_id, order_id DESC);

CREATE UNIQUE INDEX recycle_quote_one ON public.recycle_quote USING btree (request_id, recycler_id) NULLS NOT DISTINCT;

CREATE INDEX recycle_quote_recycler ON public.recycle_quote USING btree (recycler_id, id DESC);

CREATE INDEX recycle_request_account_near ON public.recycle_request USING btree (account_near) WHERE (account_near IS NOT NULL);

CREATE INDEX recycle_request_bidding ON public.recycle_request USING btree (game_id, bids_until) WHERE (status = 'bidding'::text);

CREATE INDEX recycle_request_due ON public.recycle_request USING btree (quote_until) WHERE (status = 'quoted'::text);

CREATE UNIQUE INDEX recycle_request_live ON public.recycle_request USING btree (fingerprint) WHERE ((fingerprint IS NOT NULL) AND (status = ANY (ARRAY['bidding'::text, 'quoted'::text, 'accepted'::text, 'reconfirm'::text])));

CREATE INDEX recycle_request_recycled ON public.recycle_request USING btree (fingerprint) WHERE (status = 'paid'::text);

CREATE INDEX recycle_request_status ON public.recycle_request USING btree (status, due_at);

CREATE INDEX recycle_request_user ON public.recycle_request USING btree (user_id, id DESC);

CREATE UNIQUE INDEX recycler_platform ON public.recycler USING btree (is_platform) WHERE is_platform;

CREATE INDEX refund_done ON public.refund USING btree (channel, done_at) WHERE (status = 1);

CREATE INDEX refund_open ON public.refund USING btree (id) WHERE (status = 0);

CREATE INDEX refund_order ON public.refund USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX refund_payment ON public.refund USING btree (payment_id);

CREATE INDEX refund_user ON public.refund USING btree (user_id, id DESC);

CREATE INDEX review_report_status ON public.review_report USING btree (status, id DESC);

CREATE INDEX review_report_user ON public.review_report USING btree (user_id, created_at);

CREATE INDEX review_report_waiting ON public.review_report USING btree (review_id, part) WHERE (status = 'waiting'::text);

CREATE INDEX role_card_user ON public.role_card USING btree (user_id, id DESC);

CREATE INDEX sealed_credential_kept ON public.sealed_credential USING btree (order_id) WHERE (erased_at IS NULL);

CREATE INDEX sealed_credential_order ON public.sealed_credential USING btree (order_id, step);

CREATE UNIQUE INDEX search_miss_once ON public.search_miss USING btree (plain, game_id) NULLS NOT DISTINCT;

CREATE INDEX search_miss_times ON public.search_miss USING btree (times DESC, id DESC) WHERE (set_aside_at IS NULL);

CREATE INDEX search_miss_visitor_last ON public.search_miss_visitor USING btree (last_at);

CREATE UNIQUE INDEX search_synonym_plain ON public.search_synonym USING btree (plain) WHERE (ended_at IS NULL);

CREATE INDEX seller_level_change_user ON public.seller_level_change USING btree (user_id, id DESC);

CREATE UNIQUE INDEX service_addition_one ON public.service_addition USING btree (order_id) WHERE ((status = 'asked'::text) OR ((status = 'agreed'::text) AND (add_fen > 0)));

CREATE UNIQUE INDEX service_addition_open ON public.service_addition USING btree (order_id) WHERE (status = ANY (ARRAY['asked'::text, 'agreed'::text]));

CREATE INDEX service_block_blocked ON public.service_block USING btree (blocked_id);

CREATE UNIQUE INDEX service_cancel_open ON public.service_cancel USING btree (order_id) WHERE (status = 'asked'::text);

CREATE INDEX service_order_busy ON public.service_order USING btree (provider_id) WHERE (state = ANY (ARRAY['waiting'::text, 'working'::text, 'paused'::text]));

CREATE INDEX service_order_open ON public.service_order USING btree (type_id, order_id DESC) WHERE ((provider_id IS NULL) AND (state = 'waiting'::text));

CREATE UNIQUE INDEX service_order_prolonged_once ON public.service_order USING btree (prolongs_id) WHERE ((prolongs_id IS NOT NULL) AND (state = ANY (ARRAY['pending'::text, 'waiting'::text])));

CREATE INDEX service_order_prolongs ON public.service_order USING btree (prolongs_id) WHERE (prolongs_id IS NOT NULL);

CREATE INDEX service_order_provider ON public.service_order USING btree (provider_id, state, order_id DESC);

CREATE INDEX service_package_provider ON public.service_package USING btree (provider_id, status, id DESC);

CREATE INDEX service_package_shelf ON public.service_package USING btree (game_id, type_id, price_fen, id) WHERE (status = 1);

CREATE INDEX service_progress_order ON public.service_progress USING btree (order_id, id);

CREATE INDEX service_queue_order ON public.service_queue USING btree (duty, since);

CREATE INDEX service_satisfaction_staff ON public.service_satisfaction USING btree (staff_id, created_at DESC);

CREATE INDEX service_tip_order ON public.service_tip USING btree (order_id);

CREATE INDEX session_age ON public.session USING btree (expires_at);

CREATE INDEX session_of_user ON public.session USING btree (user_id);

CREATE INDEX session_staff ON public.session USING btree (staff_id) WHERE (staff_id IS NOT NULL);

CREATE UNIQUE INDEX staff_invite_open ON public.staff_invite USING btree (staff_id) WHERE (used_at IS NULL);

CREATE INDEX staff_note_user ON public.staff_note USING btree (user_id, id DESC);

CREATE INDEX staff_passkey_staff_id_idx ON public.staff_passkey USING btree (staff_id);

CREATE INDEX staff_passkey_challenge_expires_at_idx ON public.staff_passkey_challenge USING btree (expires_at);

CREATE INDEX staff_passkey_challenge_staff_id_idx ON public.staff_passkey_challenge USING btree (staff_id);

CREATE UNIQUE INDEX staff_role_name ON public.staff_role USING btree (COALESCE(dist_id, 0), name);

CREATE INDEX staff_shift_staff ON public.staff_shift USING btree (staff_id, starts_at);

CREATE UNIQUE INDEX staff_view_name ON public.staff_view USING btree (staff_id, list, name);

CREATE INDEX staff_view_shared ON public.staff_view USING btree (list) WHERE shared;

CREATE UNIQUE INDEX third_party_open ON public.third_party_binding USING btree (provider, open_id);

CREATE INDEX third_party_ticket_age ON public.third_party_ticket USING btree (expires_at);

CREATE UNIQUE INDEX time_sale_open ON public.time_sale USING btree (goods_id) WHERE (status = 1);

CREATE INDEX timer_due ON public.timer USING btree (due_at);

CREATE INDEX user_browser_shared ON public.user_browser USING btree (browser_hash, user_id);

CREATE INDEX user_network_shared ON public.user_network USING btree (network_hash, user_id);

CREATE INDEX valuation_age ON public.valuation USING btree (created_at);

CREATE INDEX valuation_game ON public.valuation USING btree (game_id, id DESC);

CREATE INDEX valuation_user ON public.valuation USING btree (user_id, id DESC) WHERE (user_id IS NOT NULL);

CREATE INDEX verify_query_age ON public.verify_query USING btree (created_at);

CREATE INDEX verify_query_value ON public.verify_query USING btree (value_hash, created_at DESC);

CREATE INDEX want_fit ON public.want USING btree (game_id, type_id, budget_fen) WHERE (status = 1);

CREATE INDEX want_open ON public.want USING btree (game_id, id DESC) WHERE (status = 1);

CREATE INDEX want_user ON public.want USING btree (user_id, id DESC);

CREATE INDEX want_match_goods ON public.want_match USING btree (goods_id);

CREATE INDEX want_match_new ON public.want_match USING btree (want_id, matched_at DESC);

CREATE INDEX webhook_attempt_delivery ON public.webhook_attempt USING btree (delivery_id, id);

CREATE INDEX webhook_delivery_created ON public.webhook_delivery USING btree (created_at);

CREATE INDEX webhook_delivery_endpoint ON public.webhook_delivery USING btree (endpoint_id, id DESC);

CREATE INDEX webhook_endpoint_user ON public.webhook_endpoint USING btree (user_id, id) WHERE (removed_at IS NULL);

CREATE INDEX wechat_login_age ON public.wechat_login USING btree (expires_at);

CREATE INDEX wechat_push_ticket_age ON public.wechat_push_ticket USING btree (expires_at);

CREATE INDEX withdrawal_bounced_at ON public.withdrawal USING btree (channel, bounced_at) WHERE (bounced_at IS NOT NULL);

CREATE INDEX withdrawal_created ON public.withdrawal USING btree (created_at, id);

CREATE INDEX withdrawal_open ON public.withdrawal USING btree (id) WHERE (status = ANY (ARRAY[0, 1]));

CREATE INDEX withdrawal_paid ON public.withdrawal USING btree (channel, paid_at) WHERE (status = 2);

CREATE INDEX withdrawal_unlisted ON public.withdrawal USING btree (id) WHERE ((status = 1) AND (channel = 'bank'::text) AND (list_id IS NULL));

CREATE INDEX withdrawal_user ON public.withdrawal USING btree (user_id, id DESC);

-- Statistics

alter table goods_search alter column tsv set statistics 1000;

-- Views

create view channel_movement as
 SELECT p.channel,
    'pay'::text AS kind,
    p.inter_sn AS number,
    p.amount_fen AS fen,
    p.paid_at AS at,
    p.user_id,
    p.order_id,
    NULL::text AS origin_sn,
    ( SELECT t.id
           FROM ledger_transfer t
          WHERE ((t.ref = ('payment:'::text || p.id)) AND (t.code = ANY (ARRAY['topup'::text, 'order_pay_channel'::text, 'late_payment'::text, 'late_refund'::text])))) AS transfer_id
   FROM payment p
  WHERE (p.paid_at IS NOT NULL)
UNION ALL
 SELECT r.channel,
    'refund'::text AS kind,
    r.refund_no AS number,
    r.amount_fen AS fen,
    r.done_at AS at,
    r.user_id,
    r.order_id,
    p.inter_sn AS origin_sn,
    ( SELECT t.id
           FROM ledger_transfer t
          WHERE ((t.ref = ('refund:'::text || r.id)) AND (t.code = 'refund_paid'::text))) AS transfer_id
   FROM (refund r
     JOIN payment p ON ((p.id = r.payment_id)))
  WHERE (r.status = 1)
UNION ALL
 SELECT w.channel,
    'transfer'::text AS kind,
    w.channel_no AS number,
    (w.amount_fen - w.fee_fen) AS fen,
    w.paid_at AS at,
    w.user_id,
    NULL::bigint AS order_id,
    NULL::text AS origin_sn,
    ( SELECT t.id
           FROM ledger_transfer t
          WHERE ((t.ref = ('withdrawal:'::text || w.id)) AND (t.code = 'withdraw_paid'::text))) AS transfer_id
   FROM withdrawal w
  WHERE ((w.status = 2) OR (w.bounced_at IS NOT NULL))
UNION ALL
 SELECT w.channel,
    'back'::text AS kind,
    w.channel_no AS number,
    (w.amount_fen - w.fee_fen) AS fen,
    w.bounced_at AS at,
    w.user_id,
    NULL::bigint AS order_id,
    NULL::text AS origin_sn,
    ( SELECT t.id
           FROM ledger_transfer t
          WHERE ((t.ref = ('withdrawal:'::text || w.id)) AND (t.code = 'withdraw_bounce'::text))) AS transfer_id
   FROM withdrawal w
  WHERE (w.bounced_at IS NOT NULL);

create view deal_figure as
 SELECT deal_day.day,
    deal_day.game_id,
    deal_day.type_id,
    deal_day.deals
   FROM deal_day
UNION ALL
 SELECT order_delta.day,
    order_delta.game_id,
    order_delta.type_id,
    order_delta.n AS deals
   FROM order_delta
  WHERE ((order_delta.figure = 'done'::text) AND (order_delta.game_id IS NOT NULL));

create view deposit_level as
 SELECT r.role,
    (l.level)::smallint AS level,
    (l.value ->> 'name'::text) AS name,
    ((l.value ->> 'amountFen'::text))::bigint AS amount_fen,
    (l.value -> 'benefits'::text) AS benefits,
    (l.value -> 'limits'::text) AS limits,
    ((l.value ->> 'releaseDays'::text))::smallint AS release_days
   FROM jsonb_each(setting_now('deposit_levels'::text)) r(role, levels),
    LATERAL jsonb_array_elements(r.levels) WITH ORDINALITY l(value, level);

create view on_sale_figure as
 SELECT on_sale.game_id,
    on_sale.type_id,
    on_sale.n
   FROM on_sale
UNION ALL
 SELECT on_sale_delta.game_id,
    on_sale_delta.type_id,
    on_sale_delta.n
   FROM on_sale_delta;

create view order_figure as
 SELECT order_day.figure,
    order_day.day,
    order_day.dist_id,
    order_day.n,
    order_day.amount
   FROM order_day
UNION ALL
 SELECT order_delta.figure,
    order_delta.day,
    order_delta.dist_id,
    order_delta.n,
    order_delta.amount
   FROM order_delta;

create view seller_figure as
 SELECT seller_day.day,
    seller_day.game_id,
    seller_day.seller_id,
    seller_day.deals
   FROM seller_day
UNION ALL
 SELECT order_delta.day,
    order_delta.game_id,
    order_delta.seller_id,
    order_delta.n AS deals
   FROM order_delta
  WHERE ((order_delta.figure = 'done'::text) AND (order_delta.game_id IS NOT NULL));

-- Triggers

CREATE TRIGGER audit_head_guard BEFORE DELETE OR UPDATE ON public.audit_head FOR EACH ROW EXECUTE FUNCTION audit_head_guard();
CREATE TRIGGER audit_log_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER audit_log_sealed AFTER INSERT ON public.audit_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_seal_row();
CREATE TRIGGER audit_seal_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bargain_price_guard BEFORE UPDATE OF counter_fen ON public.bargain FOR EACH ROW EXECUTE FUNCTION bargain_price_guard();
CREATE TRIGGER black_appeal_person BEFORE INSERT OR UPDATE ON public.black_appeal FOR EACH ROW EXECUTE FUNCTION black_appeal_person();
CREATE TRIGGER black_event_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.black_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER books_hash_stays BEFORE UPDATE ON public.books_block FOR EACH ROW EXECUTE FUNCTION books_hash_stays();
CREATE TRIGGER books_progress_guard BEFORE UPDATE ON public.books_progress FOR EACH ROW EXECUTE FUNCTION books_progress_guard();
CREATE CONSTRAINT TRIGGER boost_escrow_agrees AFTER INSERT OR UPDATE ON public.boost_request DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION boost_escrow_agrees();
CREATE TRIGGER boost_request_steps BEFORE UPDATE ON public.boost_request FOR EACH ROW EXECUTE FUNCTION boost_request_steps();
CREATE TRIGGER chat_group_has_clock BEFORE INSERT ON public.chat_group FOR EACH ROW WHEN ((new.order_id IS NOT NULL)) EXECUTE FUNCTION chat_group_has_clock();
CREATE TRIGGER debt_guard BEFORE DELETE OR UPDATE ON public.debt FOR EACH ROW EXECUTE FUNCTION debt_guard();
CREATE TRIGGER deposit_entry_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.deposit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER deposit_penalty_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.deposit_penalty FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER dispute_marks_order AFTER INSERT OR UPDATE OF status ON public.dispute FOR EACH ROW EXECUTE FUNCTION dispute_marks_order();
CREATE TRIGGER dispute_money_guard BEFORE UPDATE OF back_fen, refunded_fen, to_seller_fen, owed_fen ON public.dispute FOR EACH ROW EXECUTE FUNCTION dispute_money_guard();
CREATE TRIGGER dispute_step_legal BEFORE UPDATE ON public.dispute FOR EACH ROW EXECUTE FUNCTION dispute_step_legal();
CREATE TRIGGER dispute_appeal_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.dispute_appeal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER dispute_event_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.dispute_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER dispute_reason_version_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.dispute_reason_version FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER dispute_ruling_cites AFTER INSERT ON public.dispute_ruling DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION dispute_ruling_cites();
CREATE TRIGGER dispute_ruling_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.dispute_ruling FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER dispute_ruling_person BEFORE INSERT ON public.dispute_ruling FOR EACH ROW EXECUTE FUNCTION dispute_ruling_person();
CREATE TRIGGER dispute_ruling_rule_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.dispute_ruling_rule FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER dispute_statement_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.dispute_statement FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER fund_release_holds AFTER INSERT ON public.fund_release DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fund_release_holds();
CREATE TRIGGER fund_release_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.fund_release FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER goods_account_inserted BEFORE INSERT ON public.goods FOR EACH ROW WHEN (((new.fingerprint IS NOT NULL) AND (new.status = ANY (ARRAY[1, 2])))) EXECUTE FUNCTION goods_account_guard();
CREATE TRIGGER goods_account_offered BEFORE UPDATE OF status, fingerprint ON public.goods FOR EACH ROW WHEN (((new.fingerprint IS NOT NULL) AND (new.status = ANY (ARRAY[1, 2])) AND ((old.status <> ALL (ARRAY[1, 2])) OR ((old.status = 1) AND (new.status = 2)) OR (old.fingerprint IS DISTINCT FROM new.fingerprint)))) EXECUTE FUNCTION goods_account_guard();
CREATE TRIGGER goods_account_once BEFORE INSERT OR UPDATE OF fingerprint, status ON public.goods FOR EACH ROW WHEN (((new.fingerprint IS NOT NULL) AND (new.status = ANY (ARRAY[1, 2])))) EXECUTE FUNCTION account_once();
CREATE TRIGGER goods_inspection_ends BEFORE UPDATE ON public.goods FOR EACH ROW WHEN (((old.attrs IS DISTINCT FROM new.attrs) OR (old.fingerprint IS DISTINCT FROM new.fingerprint) OR ((old.status = 3) AND (new.status = 2)) OR ((old.inspected_at IS NOT NULL) AND (new.inspected_at IS NULL)))) EXECUTE FUNCTION goods_inspection_ends();
CREATE TRIGGER goods_price_kept AFTER UPDATE OF price_fen ON public.goods FOR EACH ROW WHEN (((old.price_fen IS DISTINCT FROM new.price_fen) AND (old.status = ANY (ARRAY[2, 3, 4])))) EXECUTE FUNCTION goods_price_kept();
CREATE TRIGGER on_sale_added AFTER INSERT ON public.goods_search REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION on_sale_counted();
CREATE TRIGGER on_sale_moved AFTER UPDATE OF game_id, type_id ON public.goods_search FOR EACH ROW WHEN (((old.game_id IS DISTINCT FROM new.game_id) OR (old.type_id IS DISTINCT FROM new.type_id))) EXECUTE FUNCTION on_sale_counted();
CREATE TRIGGER on_sale_removed AFTER DELETE ON public.goods_search REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION on_sale_counted();
CREATE TRIGGER search_added AFTER INSERT ON public.goods_search REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_changed();
CREATE TRIGGER search_edited AFTER UPDATE ON public.goods_search REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_changed();
CREATE TRIGGER search_removed AFTER DELETE ON public.goods_search REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_changed();
CREATE TRIGGER claim_money_guard BEFORE UPDATE OF paid_fen, recourse_fen, penalty_fen, debt_fen ON public.guarantee_claim FOR EACH ROW EXECUTE FUNCTION claim_money_guard();
CREATE TRIGGER guarantee_claim_step_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.guarantee_claim_step FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER guarantee_tier_kept BEFORE DELETE OR UPDATE ON public.guarantee_tier FOR EACH ROW EXECUTE FUNCTION guarantee_tier_kept();
CREATE TRIGGER hold_money_guard BEFORE UPDATE OF amount_fen, short_fen, released_at ON public.hold FOR EACH ROW EXECUTE FUNCTION hold_money_guard();
CREATE TRIGGER hold_stage_guard BEFORE UPDATE ON public.hold_stage FOR EACH ROW EXECUTE FUNCTION hold_stage_guard();
CREATE TRIGGER inspection_claim_guard BEFORE INSERT OR UPDATE ON public.inspection_claim FOR EACH ROW EXECUTE FUNCTION inspection_claim_guard();
CREATE CONSTRAINT TRIGGER inspection_escrow_agrees AFTER INSERT OR UPDATE ON public.inspection_task DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION inspection_escrow_agrees();
CREATE TRIGGER inspection_task_steps BEFORE UPDATE ON public.inspection_task FOR EACH ROW EXECUTE FUNCTION inspection_task_steps();
CREATE TRIGGER ledger_account_guard BEFORE DELETE OR UPDATE ON public.ledger_account FOR EACH ROW EXECUTE FUNCTION ledger_account_guard();
CREATE TRIGGER ledger_entry_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER fund_debit_guard BEFORE INSERT ON public.ledger_transfer FOR EACH ROW WHEN ((new.debit ~~ 'platform:guarantee\_fund:%'::text)) EXECUTE FUNCTION fund_debit_guard();
CREATE TRIGGER ledger_transfer_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER legal_text_immutable BEFORE TRUNCATE ON public.legal_text FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER legal_text_kept BEFORE DELETE OR UPDATE ON public.legal_text FOR EACH ROW EXECUTE FUNCTION published_text_kept();
CREATE TRIGGER deal_account_inserted BEFORE INSERT ON public.middleman_deal FOR EACH ROW WHEN ((new.fingerprint IS NOT NULL)) EXECUTE FUNCTION account_once();
CREATE TRIGGER deal_account_traded BEFORE UPDATE OF fingerprint, status ON public.middleman_deal FOR EACH ROW WHEN (((new.fingerprint IS NOT NULL) AND (new.status = ANY (ARRAY['waiting'::text, 'ordered'::text])) AND ((old.fingerprint IS DISTINCT FROM new.fingerprint) OR (old.status IS DISTINCT FROM new.status)))) EXECUTE FUNCTION account_once();
CREATE TRIGGER chat_group_follows_exchange AFTER UPDATE OF more_at ON public.order_exchange FOR EACH ROW WHEN ((old.more_at IS DISTINCT FROM new.more_at)) EXECUTE FUNCTION chat_group_follows_step();
CREATE TRIGGER chat_group_follows_step AFTER UPDATE OF done_at ON public.order_handover FOR EACH ROW WHEN ((old.done_at IS DISTINCT FROM new.done_at)) EXECUTE FUNCTION chat_group_follows_step();
CREATE TRIGGER chat_group_follows_steps AFTER INSERT ON public.order_handover REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION chat_group_follows_steps();
CREATE TRIGGER order_process_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.order_process FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chat_group_follows_order AFTER UPDATE OF status, ship_by, auto_confirm_at, disputed ON public.orders FOR EACH ROW WHEN (((((old.status IS DISTINCT FROM new.status) OR (old.ship_by IS DISTINCT FROM new.ship_by)) OR (old.auto_confirm_at IS DISTINCT FROM new.auto_confirm_at)) OR (old.disputed IS DISTINCT FROM new.disputed))) EXECUTE FUNCTION chat_group_follows_order();
CREATE TRIGGER companion_slot_follows_order AFTER UPDATE OF status ON public.orders FOR EACH ROW WHEN (((new.type_id = 61) AND (new.status = ANY (ARRAY[2, 3, 6, 7, 8, 9])))) EXECUTE FUNCTION companion_slot_follows_order();
CREATE TRIGGER order_cut_once BEFORE UPDATE OF cut_fen ON public.orders FOR EACH ROW WHEN ((old.cut_fen IS DISTINCT FROM new.cut_fen)) EXECUTE FUNCTION order_cut_once();
CREATE CONSTRAINT TRIGGER order_escrow_agrees AFTER INSERT OR UPDATE OF status, advance_fen ON public.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION order_escrow_agrees();
CREATE TRIGGER orders_counted AFTER INSERT OR UPDATE OF status, paid_at, shipped_at, completed_at ON public.orders FOR EACH ROW EXECUTE FUNCTION order_counted();
CREATE TRIGGER orders_frozen BEFORE UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION order_terms_frozen();
CREATE TRIGGER orders_site_open BEFORE INSERT ON public.orders FOR EACH ROW EXECUTE FUNCTION site_takes_orders();
CREATE TRIGGER quick_coin_follows_order AFTER UPDATE OF status ON public.orders FOR EACH ROW WHEN (((new.type_id = 53) AND (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION quick_coin_follows_order();
CREATE TRIGGER recycle_coin_follows_order AFTER UPDATE OF status ON public.orders FOR EACH ROW WHEN (((new.type_id = 52) AND (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION recycle_coin_follows_order();
CREATE TRIGGER recycle_request_follows_order BEFORE UPDATE OF status ON public.orders FOR EACH ROW WHEN (((new.type_id = 52) AND (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION recycle_request_follows_order();
CREATE TRIGGER service_follows_case AFTER UPDATE OF disputed ON public.orders FOR EACH ROW WHEN (((new.type_id = ANY (ARRAY[60, 61])) AND (old.disputed IS DISTINCT FROM new.disputed))) EXECUTE FUNCTION service_follows_case();
CREATE TRIGGER service_follows_order AFTER UPDATE OF status ON public.orders FOR EACH ROW WHEN (((new.type_id = ANY (ARRAY[60, 61])) AND (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION service_follows_order();
CREATE TRIGGER time_sale_follows_order AFTER UPDATE OF status ON public.orders FOR EACH ROW WHEN (((new.goods_id IS NOT NULL) AND (old.status = ANY (ARRAY[0, 1])) AND (new.status = ANY (ARRAY[6, 7, 8, 9])))) EXECUTE FUNCTION time_sale_follows_order();
CREATE TRIGGER platform_rule_immutable BEFORE TRUNCATE ON public.platform_rule FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER platform_rule_kept BEFORE DELETE OR UPDATE ON public.platform_rule FOR EACH ROW EXECUTE FUNCTION published_text_kept();
CREATE TRIGGER provider_flags AFTER INSERT OR UPDATE OF status ON public.provider FOR EACH ROW EXECUTE FUNCTION provider_flags();
CREATE TRIGGER recycler_follows_provider AFTER INSERT OR UPDATE OF status, name, games ON public.provider FOR EACH ROW WHEN ((new.kind = 'recycler'::text)) EXECUTE FUNCTION recycler_follows_provider();
CREATE TRIGGER provider_event_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.provider_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER recycle_escrow_agrees AFTER INSERT OR UPDATE ON public.recycle_quote DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION recycle_escrow_agrees();
CREATE TRIGGER recycle_quote_rises BEFORE UPDATE ON public.recycle_quote FOR EACH ROW EXECUTE FUNCTION recycle_quote_rises();
CREATE TRIGGER recycle_account_once BEFORE INSERT ON public.recycle_request FOR EACH ROW WHEN ((new.fingerprint IS NOT NULL)) EXECUTE FUNCTION account_once();
CREATE TRIGGER recycle_cut_guard BEFORE UPDATE OF cut_fen ON public.recycle_request FOR EACH ROW WHEN ((old.cut_fen IS DISTINCT FROM new.cut_fen)) EXECUTE FUNCTION recycle_cut_guard();
CREATE TRIGGER recycle_request_steps BEFORE UPDATE ON public.recycle_request FOR EACH ROW EXECUTE FUNCTION recycle_request_steps();
CREATE TRIGGER service_follows_account AFTER INSERT ON public.sealed_credential FOR EACH ROW WHEN ((new.version = 1)) EXECUTE FUNCTION service_follows_account();
CREATE TRIGGER seller_level_change_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.seller_level_change FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER boost_order_steps BEFORE UPDATE OF state ON public.service_order FOR EACH ROW WHEN (((new.type_id = 60) AND (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION boost_order_steps();
CREATE TRIGGER companion_order_steps BEFORE UPDATE OF state ON public.service_order FOR EACH ROW WHEN (((new.type_id = 61) AND (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION companion_order_steps();
CREATE TRIGGER service_progress_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.service_progress FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER service_tip_capped AFTER INSERT ON public.service_tip NOT DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION service_tip_capped();
CREATE TRIGGER want_deposit_guard BEFORE UPDATE OF deposit_fen ON public.want FOR EACH ROW EXECUTE FUNCTION want_deposit_guard();

-- Grants

grant delete, insert, select on on_sale_delta to youshi_app;
grant delete, insert, select on order_delta to youshi_app;
grant delete, insert, select on top_seller to youshi_app;
grant delete, insert, select, update on alert to youshi_app;
grant delete, insert, select, update on api_call to youshi_app;
grant delete, insert, select, update on api_nonce to youshi_app;
grant delete, insert, select, update on black_external to youshi_app;
grant delete, insert, select, update on brand_draft to youshi_app;
grant delete, insert, select, update on brand_plan to youshi_app;
grant delete, insert, select, update on channel_statement_line to youshi_app;
grant delete, insert, select, update on chat_gateway to youshi_app;
grant delete, insert, select, update on chat_presence to youshi_app;
grant delete, insert, select, update on chat_ticket to youshi_app;
grant delete, insert, select, update on companion_slot to youshi_app;
grant delete, insert, select, update on dist_host to youshi_app;
grant delete, insert, select, update on game_draft to youshi_app;
grant delete, insert, select, update on goods_draft to youshi_app;
grant delete, insert, select, update on goods_finding to youshi_app;
grant delete, insert, select, update on goods_follow to youshi_app;
grant delete, insert, select, update on goods_reference to youshi_app;
grant delete, insert, select, update on goods_search to youshi_app;
grant delete, insert, select, update on goods_view to youshi_app;
grant delete, insert, select, update on goods_week to youshi_app;
grant delete, insert, select, update on idempotency to youshi_app;
grant delete, insert, select, update on import_row to youshi_app;
grant delete, insert, select, update on inspection to youshi_app;
grant delete, insert, select, update on league_match to youshi_app;
grant delete, insert, select, update on league_team to youshi_app;
grant delete, insert, select, update on limit_counter to youshi_app;
grant delete, insert, select, update on link_mark to youshi_app;
grant delete, insert, select, update on link_push to youshi_app;
grant delete, insert, select, update on link_push_site to youshi_app;
grant delete, insert, select, update on listing_import to youshi_app;
grant delete, insert, select, update on listing_import_picture to youshi_app;
grant delete, insert, select, update on listing_import_row to youshi_app;
grant delete, insert, select, update on notice to youshi_app;
grant delete, insert, select, update on notice_delivery to youshi_app;
grant delete, insert, select, update on notice_quiet to youshi_app;
grant delete, insert, select, update on outbox to youshi_app;
grant delete, insert, select, update on price_stat to youshi_app;
grant delete, insert, select, update on push_subscription to youshi_app;
grant delete, insert, select, update on reconcile_difference to youshi_app;
grant delete, insert, select, update on role_card to youshi_app;
grant delete, insert, select, update on rule_draft to youshi_app;
grant delete, insert, select, update on search_change to youshi_app;
grant delete, insert, select, update on search_miss to youshi_app;
grant delete, insert, select, update on search_miss_visitor to youshi_app;
grant delete, insert, select, update on sell_time_stat to youshi_app;
grant delete, insert, select, update on service_block to youshi_app;
grant delete, insert, select, update on service_queue to youshi_app;
grant delete, insert, select, update on session to youshi_app;
grant delete, insert, select, update on setup_token to youshi_app;
grant delete, insert, select, update on sms_code to youshi_app;
grant delete, insert, select, update on staff_browser to youshi_app;
grant delete, insert, select, update on staff_invite to youshi_app;
grant delete, insert, select, update on staff_passkey to youshi_app;
grant delete, insert, select, update on staff_passkey_challenge to youshi_app;
grant delete, insert, select, update on staff_role to youshi_app;
grant delete, insert, select, update on staff_shift to youshi_app;
grant delete, insert, select, update on staff_view to youshi_app;
grant delete, insert, select, update on step_up to youshi_app;
grant delete, insert, select, update on third_party_binding to youshi_app;
grant delete, insert, select, update on third_party_ticket to youshi_app;
grant delete, insert, select, update on timer to youshi_app;
grant delete, insert, select, update on trade_day to youshi_app;
grant delete, insert, select, update on trade_stat to youshi_app;
grant delete, insert, select, update on valuation to youshi_app;
grant delete, insert, select, update on valuation_model to youshi_app;
grant delete, insert, select, update on verify_query to youshi_app;
grant delete, insert, select, update on want_match to youshi_app;
grant delete, insert, select, update on webhook_attempt to youshi_app;
grant delete, insert, select, update on webhook_delivery to youshi_app;
grant delete, insert, select, update on wechat_login to youshi_app;
grant delete, insert, select, update on wechat_push_ticket to youshi_app;
grant execute on function debt_collect(text[]) to youshi_app;
grant execute on function debt_record(jsonb) to youshi_app;
grant execute on function erase_person(bigint) to youshi_app;
grant execute on function ledger_balance_locked(text) to youshi_app;
grant execute on function ledger_post(jsonb) to youshi_app;
grant execute on function order_pay_part(bigint,bigint,text) to youshi_app;
grant insert (act) on audit_log to youshi_app;
grant insert (detail) on audit_log to youshi_app;
grant insert (ip) on audit_log to youshi_app;
grant insert (staff_id) on audit_log to youshi_app;
grant insert (target) on audit_log to youshi_app;
grant insert, select (body) on notice_delivery to youshi_app;
grant insert, select (title) on notice_delivery to youshi_app;
grant insert, select on approval to youshi_app;
grant insert, select on backup_run to youshi_app;
grant insert, select on bargain to youshi_app;
grant insert, select on black_event to youshi_app;
grant insert, select on books_block to youshi_app;
grant insert, select on boost_request to youshi_app;
grant insert, select on brand_publication to youshi_app;
grant insert, select on brand_terms to youshi_app;
grant insert, select on brand_version to youshi_app;
grant insert, select on consent to youshi_app;
grant insert, select on coupon to youshi_app;
grant insert, select on coupon_campaign to youshi_app;
grant insert, select on credential_opening to youshi_app;
grant insert, select on deposit_entry to youshi_app;
grant insert, select on deposit_penalty to youshi_app;
grant insert, select on deposit_release to youshi_app;
grant insert, select on dispute to youshi_app;
grant insert, select on dispute_appeal to youshi_app;
grant insert, select on dispute_event to youshi_app;
grant insert, select on dispute_ruling to youshi_app;
grant insert, select on dispute_ruling_rule to youshi_app;
grant insert, select on dispute_statement to youshi_app;
grant insert, select on dist_settlement to youshi_app;
grant insert, select on distributor to youshi_app;
grant insert, select on fund_release to youshi_app;
grant insert, select on goods_event to youshi_app;
grant insert, select on goods_price_day to youshi_app;
grant insert, select on guarantee_claim to youshi_app;
grant insert, select on guarantee_claim_step to youshi_app;
grant insert, select on guarantee_cover to youshi_app;
grant insert, select on guarantee_receipt to youshi_app;
grant insert, select on guarantee_tier to youshi_app;
grant insert, select on hold to youshi_app;
grant insert, select on hold_stage to youshi_app;
grant insert, select on inspection_claim to youshi_app;
grant insert, select on inspection_reading to youshi_app;
grant insert, select on inspection_task to youshi_app;
grant insert, select on legal_text to youshi_app;
grant insert, select on lottery_draw to youshi_app;
grant insert, select on middleman_deal to youshi_app;
grant insert, select on news_version to youshi_app;
grant insert, select on notice_template to youshi_app;
grant insert, select on order_process to youshi_app;
grant insert, select on orders to youshi_app;
grant insert, select on payment to youshi_app;
grant insert, select on payout_account to youshi_app;
grant insert, select on payout_list to youshi_app;
grant insert, select on platform_rule to youshi_app;
grant insert, select on provider_event to youshi_app;
grant insert, select on recycle_reading to youshi_app;
grant insert, select on recycle_request to youshi_app;
grant insert, select on refund to youshi_app;
grant insert, select on seller_level_change to youshi_app;
grant insert, select on service_addition to youshi_app;
grant insert, select on service_cancel to youshi_app;
grant insert, select on service_milestone to youshi_app;
grant insert, select on service_order to youshi_app;
grant insert, select on service_progress to youshi_app;
grant insert, select on service_tip to youshi_app;
grant insert, select on setting to youshi_app;
grant insert, select on time_sale to youshi_app;
grant insert, select on withdrawal to youshi_app;
grant insert, select, update on advert to youshi_app;
grant insert, select, update on alert_match to youshi_app;
grant insert, select, update on api_key to youshi_app;
grant insert, select, update on app_user to youshi_app;
grant insert, select, update on assignment_rule to youshi_app;
grant insert, select, update on audit_check to youshi_app;
grant insert, select, update on bargain_rule to youshi_app;
grant insert, select, update on black_appeal to youshi_app;
grant insert, select, update on black_entry to youshi_app;
grant insert, select, update on black_key to youshi_app;
grant insert, select, update on blocked_word to youshi_app;
grant insert, select, update on books_check to youshi_app;
grant insert, select, update on books_progress to youshi_app;
grant insert, select, update on canned_answer to youshi_app;
grant insert, select, update on catalogue_version to youshi_app;
grant insert, select, update on channel_statement to youshi_app;
grant insert, select, update on chat_assignment to youshi_app;
grant insert, select, update on chat_group to youshi_app;
grant insert, select, update on chat_member to youshi_app;
grant insert, select, update on chat_message to youshi_app;
grant insert, select, update on coin_ratio_day to youshi_app;
grant insert, select, update on coin_view_day to youshi_app;
grant insert, select, update on cooperation_request to youshi_app;
grant insert, select, update on data_export to youshi_app;
grant insert, select, update on data_key to youshi_app;
grant insert, select, update on dead_letter to youshi_app;
grant insert, select, update on deal_day to youshi_app;
grant insert, select, update on dispute_reason to youshi_app;
grant insert, select, update on dispute_reason_version to youshi_app;
grant insert, select, update on event_case to youshi_app;
grant insert, select, update on fake_service_report to youshi_app;
grant insert, select, update on former_person to youshi_app;
grant insert, select, update on game to youshi_app;
grant insert, select, update on game_area to youshi_app;
grant insert, select, update on game_server to youshi_app;
grant insert, select, update on game_version to youshi_app;
grant insert, select, update on goods to youshi_app;
grant insert, select, update on goods_question to youshi_app;
grant insert, select, update on goods_report to youshi_app;
grant insert, select, update on goods_stat to youshi_app;
grant insert, select, update on goods_view_day to youshi_app;
grant insert, select, update on guarantee_certificate to youshi_app;
grant insert, select, update on guarantee_holder to youshi_app;
grant insert, select, update on guarantee_month to youshi_app;
grant insert, select, update on import_job to youshi_app;
grant insert, select, update on job_mark to youshi_app;
grant insert, select, update on known_device to youshi_app;
grant insert, select, update on league to youshi_app;
grant insert, select, update on news to youshi_app;
grant insert, select, update on notice_preference to youshi_app;
grant insert, select, update on official_number to youshi_app;
grant insert, select, update on on_sale to youshi_app;
grant insert, select, update on order_contact to youshi_app;
grant insert, select, update on order_day to youshi_app;
grant insert, select, update on order_exchange to youshi_app;
grant insert, select, update on order_handover to youshi_app;
grant insert, select, update on order_key to youshi_app;
grant insert, select, update on order_recount to youshi_app;
grant insert, select, update on order_review to youshi_app;
grant insert, select, update on order_step_ruled_out to youshi_app;
grant insert, select, update on payment_notify to youshi_app;
grant insert, select, update on payout_line to youshi_app;
grant insert, select, update on picture to youshi_app;
grant insert, select, update on provider to youshi_app;
grant insert, select, update on provider_hours to youshi_app;
grant insert, select, update on quick_coin_offer to youshi_app;
grant insert, select, update on quick_coin_order to youshi_app;
grant insert, select, update on real_name to youshi_app;
grant insert, select, update on recycle_coin_offer to youshi_app;
grant insert, select, update on recycle_coin_order to youshi_app;
grant insert, select, update on recycle_quote to youshi_app;
grant insert, select, update on recycle_transition to youshi_app;
grant insert, select, update on recycler to youshi_app;
grant insert, select, update on retention_run to youshi_app;
grant insert, select, update on review_report to youshi_app;
grant insert, select, update on sealed_credential to youshi_app;
grant insert, select, update on search_feed to youshi_app;
grant insert, select, update on search_synonym to youshi_app;
grant insert, select, update on seller_day to youshi_app;
grant insert, select, update on seller_standing to youshi_app;
grant insert, select, update on seller_week to youshi_app;
grant insert, select, update on service_package to youshi_app;
grant insert, select, update on service_satisfaction to youshi_app;
grant insert, select, update on setup_state to youshi_app;
grant insert, select, update on staff to youshi_app;
grant insert, select, update on staff_columns to youshi_app;
grant insert, select, update on staff_export to youshi_app;
grant insert, select, update on staff_note to youshi_app;
grant insert, select, update on time_sale_order to youshi_app;
grant insert, select, update on user_browser to youshi_app;
grant insert, select, update on user_network to youshi_app;
grant insert, select, update on valuation_month to youshi_app;
grant insert, select, update on vendor_token to youshi_app;
grant insert, select, update on voice_clip to youshi_app;
grant insert, select, update on want to youshi_app;
grant insert, select, update on webhook_endpoint to youshi_app;
grant select on audit_head to youshi_app;
grant select on audit_log to youshi_app;
grant select on audit_seal to youshi_app;
grant select on boost_transition to youshi_app;
grant select on channel_movement to youshi_app;
grant select on companion_transition to youshi_app;
grant select on deal_figure to youshi_app;
grant select on debt to youshi_app;
grant select on deposit_level to youshi_app;
grant select on inspection_transition to youshi_app;
grant select on ledger_account to youshi_app;
grant select on ledger_entry to youshi_app;
grant select on ledger_transfer to youshi_app;
grant select on notice_kind to youshi_app;
grant select on on_sale_figure to youshi_app;
grant select on order_figure to youshi_app;
grant select on order_transition to youshi_app;
grant select on schema_migrations to youshi_app;
grant select on seller_figure to youshi_app;
grant select, update on quarantine to youshi_app;
grant update (accept_by) on service_order to youshi_app;
grant update (accept_token) on withdrawal to youshi_app;
grant update (accepted_at) on service_order to youshi_app;
grant update (account_free_at) on service_order to youshi_app;
grant update (account_hint) on middleman_deal to youshi_app;
grant update (account_near) on middleman_deal to youshi_app;
grant update (acted_at) on service_order to youshi_app;
grant update (add_minutes) on service_addition to youshi_app;
grant update (add_order_id) on service_addition to youshi_app;
grant update (amount_fen) on hold to youshi_app;
grant update (answer_by) on dispute to youshi_app;
grant update (answered_at) on middleman_deal to youshi_app;
grant update (answered_at) on service_addition to youshi_app;
grant update (answered_at) on service_cancel to youshi_app;
grant update (answered_at) on service_milestone to youshi_app;
grant update (appeal_staff_id) on dispute to youshi_app;
grant update (appeal_until) on dispute to youshi_app;
grant update (approved_by) on withdrawal to youshi_app;
grant update (area_id) on recycle_request to youshi_app;
grant update (asked_at) on payment to youshi_app;
grant update (attempts) on webhook_delivery to youshi_app;
grant update (auto_confirm_at) on orders to youshi_app;
grant update (back_fen) on dispute to youshi_app;
grant update (ban_reported_at) on service_order to youshi_app;
grant update (ban_reported_by) on service_order to youshi_app;
grant update (bargain_id) on orders to youshi_app;
grant update (best_quote_id) on recycle_request to youshi_app;
grant update (bids_until) on recycle_request to youshi_app;
grant update (booked_at) on service_order to youshi_app;
grant update (bounced_at) on withdrawal to youshi_app;
grant update (buyer_accepted_at) on dispute to youshi_app;
grant update (buyer_opened_at) on orders to youshi_app;
grant update (buyer_start_at) on service_order to youshi_app;
grant update (cancel_asked_at) on orders to youshi_app;
grant update (cells) on import_row to youshi_app;
grant update (cells) on listing_import_row to youshi_app;
grant update (changed_at) on staff_view to youshi_app;
grant update (channel) on withdrawal to youshi_app;
grant update (channel_no) on withdrawal to youshi_app;
grant update (channel_reason) on refund to youshi_app;
grant update (channel_reason) on withdrawal to youshi_app;
grant update (channel_trade_no) on payment to youshi_app;
grant update (channels) on notice_kind to youshi_app;
grant update (chase_days) on guarantee_claim to youshi_app;
grant update (chase_from) on guarantee_claim to youshi_app;
grant update (checked_at) on books_block to youshi_app;
grant update (claimed_at) on inspection_task to youshi_app;
grant update (closed_at) on dispute to youshi_app;
grant update (closed_reason) on inspection_task to youshi_app;
grant update (closed_reason) on recycle_request to youshi_app;
grant update (columns) on staff_columns to youshi_app;
grant update (completed_at) on orders to youshi_app;
grant update (computed) on service_cancel to youshi_app;
grant update (conf) on distributor to youshi_app;
grant update (confirm_stopped_at) on orders to youshi_app;
grant update (counter_fen) on bargain to youshi_app;
grant update (coupon_id) on orders to youshi_app;
grant update (created_at) on approval to youshi_app;
grant update (created_at) on bargain to youshi_app;
grant update (created_at) on coupon to youshi_app;
grant update (created_at) on coupon_campaign to youshi_app;
grant update (created_at) on deposit_release to youshi_app;
grant update (created_at) on dist_settlement to youshi_app;
grant update (created_at) on distributor to youshi_app;
grant update (created_at) on guarantee_cover to youshi_app;
grant update (created_at) on guarantee_receipt to youshi_app;
grant update (created_at) on hold to youshi_app;
grant update (created_at) on inspection_reading to youshi_app;
grant update (created_at) on lottery_draw to youshi_app;
grant update (created_at) on middleman_deal to youshi_app;
grant update (created_at) on orders to youshi_app;
grant update (created_at) on payment to youshi_app;
grant update (created_at) on payout_account to youshi_app;
grant update (created_at) on recycle_reading to youshi_app;
grant update (created_at) on recycle_request to youshi_app;
grant update (created_at) on refund to youshi_app;
grant update (created_at) on service_addition to youshi_app;
grant update (created_at) on service_cancel to youshi_app;
grant update (created_at) on time_sale to youshi_app;
grant update (created_at) on withdrawal to youshi_app;
grant update (credential_opened_at) on orders to youshi_app;
grant update (cut_fen) on orders to youshi_app;
grant update (cut_fen) on recycle_reading to youshi_app;
grant update (cut_fen) on recycle_request to youshi_app;
grant update (cuts) on recycle_request to youshi_app;
grant update (deadline_at) on guarantee_claim to youshi_app;
grant update (debt_fen) on guarantee_claim to youshi_app;
grant update (decide_by) on guarantee_claim to youshi_app;
grant update (decided_at) on approval to youshi_app;
grant update (decided_at) on dist_settlement to youshi_app;
grant update (decided_at) on guarantee_claim to youshi_app;
grant update (decided_at) on inspection_claim to youshi_app;
grant update (decided_at) on withdrawal to youshi_app;
grant update (decided_by) on approval to youshi_app;
grant update (decided_by) on dist_settlement to youshi_app;
grant update (defaults) on listing_import to youshi_app;
grant update (delivered_at) on orders to youshi_app;
grant update (description) on middleman_deal to youshi_app;
grant update (details) on recycle_request to youshi_app;
grant update (differs) on inspection_reading to youshi_app;
grant update (differs) on inspection_task to youshi_app;
grant update (dispute_id) on service_cancel to youshi_app;
grant update (disputed) on orders to youshi_app;
grant update (dist_id) on dispute to youshi_app;
grant update (done_at) on deposit_release to youshi_app;
grant update (done_at) on inspection_task to youshi_app;
grant update (done_at) on refund to youshi_app;
grant update (dropped_at) on payment to youshi_app;
grant update (due_at) on inspection_task to youshi_app;
grant update (due_at) on recycle_request to youshi_app;
grant update (due_at) on service_order to youshi_app;
grant update (edits) on listing_import_row to youshi_app;
grant update (efficiency_to_buyer) on service_order to youshi_app;
grant update (end_by) on service_order to youshi_app;
grant update (ended_at) on blocked_word to youshi_app;
grant update (ended_at) on boost_request to youshi_app;
grant update (ended_at) on search_synonym to youshi_app;
grant update (ended_at) on staff_export to youshi_app;
grant update (ended_by) on blocked_word to youshi_app;
grant update (ended_by) on search_synonym to youshi_app;
grant update (ended_reason) on blocked_word to youshi_app;
grant update (ended_reason) on search_synonym to youshi_app;
grant update (ended_why) on bargain to youshi_app;
grant update (ends_at) on coupon_campaign to youshi_app;
grant update (ends_at) on guarantee_cover to youshi_app;
grant update (ends_at) on time_sale to youshi_app;
grant update (erased_at) on inspection_task to youshi_app;
grant update (escalated) on dispute to youshi_app;
grant update (escalated_for) on guarantee_claim to youshi_app;
grant update (events) on webhook_endpoint to youshi_app;
grant update (expires_at) on approval to youshi_app;
grant update (expires_at) on bargain to youshi_app;
grant update (expires_at) on coupon to youshi_app;
grant update (expires_at) on middleman_deal to youshi_app;
grant update (expires_at) on payment to youshi_app;
grant update (explain) on guarantee_claim to youshi_app;
grant update (failing_since) on webhook_endpoint to youshi_app;
grant update (fails) on webhook_endpoint to youshi_app;
grant update (failure) on listing_import to youshi_app;
grant update (fields_version) on recycle_request to youshi_app;
grant update (fingerprint) on guarantee_claim to youshi_app;
grant update (fingerprint) on guarantee_cover to youshi_app;
grant update (fingerprint) on middleman_deal to youshi_app;
grant update (fingerprint) on recycle_request to youshi_app;
grant update (finished_at) on listing_import to youshi_app;
grant update (finished_at) on service_order to youshi_app;
grant update (first_by) on dist_settlement to youshi_app;
grant update (first_look_at) on dispute to youshi_app;
grant update (first_look_by) on dispute to youshi_app;
grant update (first_look_by) on guarantee_claim to youshi_app;
grant update (floor_basis) on recycle_request to youshi_app;
grant update (follows) on goods_week to youshi_app;
grant update (follows) on seller_week to youshi_app;
grant update (form) on service_order to youshi_app;
grant update (found) on inspection_reading to youshi_app;
grant update (found) on recycle_reading to youshi_app;
grant update (game_id) on middleman_deal to youshi_app;
grant update (game_id) on orders to youshi_app;
grant update (game_id) on recycle_request to youshi_app;
grant update (games) on distributor to youshi_app;
grant update (goods_id) on listing_import_row to youshi_app;
grant update (goods_sn) on orders to youshi_app;
grant update (goods_version) on bargain to youshi_app;
grant update (handover_version) on orders to youshi_app;
grant update (hash) on books_block to youshi_app;
grant update (hidden_buyer) on orders to youshi_app;
grant update (hidden_seller) on orders to youshi_app;
grant update (hits) on blocked_word to youshi_app;
grant update (holder_id) on guarantee_cover to youshi_app;
grant update (is_broken) on books_block to youshi_app;
grant update (is_recovery) on orders to youshi_app;
grant update (label) on inspection_reading to youshi_app;
grant update (label) on recycle_reading to youshi_app;
grant update (last_at) on search_miss to youshi_app;
grant update (last_at) on search_miss_visitor to youshi_app;
grant update (last_hit_at) on blocked_word to youshi_app;
grant update (last_network) on api_key to youshi_app;
grant update (last_used_at) on api_key to youshi_app;
grant update (late_end_at) on orders to youshi_app;
grant update (late_told_at) on service_order to youshi_app;
grant update (late_warned_at) on orders to youshi_app;
grant update (lead) on payment to youshi_app;
grant update (leased_until) on refund to youshi_app;
grant update (leased_until) on withdrawal to youshi_app;
grant update (left_num) on time_sale to youshi_app;
grant update (level) on blocked_word to youshi_app;
grant update (link_hash) on middleman_deal to youshi_app;
grant update (list_id) on withdrawal to youshi_app;
grant update (login_failed_at) on service_order to youshi_app;
grant update (mapping) on listing_import to youshi_app;
grant update (meant) on search_synonym to youshi_app;
grant update (message) on bargain to youshi_app;
grant update (minutes) on service_order to youshi_app;
grant update (mode) on service_order to youshi_app;
grant update (name) on coupon_campaign to youshi_app;
grant update (name) on distributor to youshi_app;
grant update (name) on staff_view to youshi_app;
grant update (next_at) on webhook_delivery to youshi_app;
grant update (note) on approval to youshi_app;
grant update (note) on blocked_word to youshi_app;
grant update (note) on coupon_campaign to youshi_app;
grant update (note) on dist_settlement to youshi_app;
grant update (note) on inspection_claim to youshi_app;
grant update (note) on search_synonym to youshi_app;
grant update (note) on service_milestone to youshi_app;
grant update (note) on withdrawal to youshi_app;
grant update (notes) on listing_import_row to youshi_app;
grant update (offline_agreed) on orders to youshi_app;
grant update (offline_mark) on orders to youshi_app;
grant update (opened_at) on dispute to youshi_app;
grant update (opened_at) on guarantee_claim to youshi_app;
grant update (opened_at) on inspection_task to youshi_app;
grant update (opened_at) on staff_export to youshi_app;
grant update (opened_by) on coupon_campaign to youshi_app;
grant update (opened_count) on inspection_task to youshi_app;
grant update (order_id) on bargain to youshi_app;
grant update (order_id) on boost_request to youshi_app;
grant update (order_id) on coupon to youshi_app;
grant update (order_id) on dispute to youshi_app;
grant update (order_id) on middleman_deal to youshi_app;
grant update (order_id) on recycle_request to youshi_app;
grant update (outcome) on dispute to youshi_app;
grant update (owed_fen) on dispute to youshi_app;
grant update (paid_at) on orders to youshi_app;
grant update (paid_at) on payment to youshi_app;
grant update (paid_at) on withdrawal to youshi_app;
grant update (paid_fen) on guarantee_claim to youshi_app;
grant update (paid_fen) on service_milestone to youshi_app;
grant update (paid_note) on guarantee_claim to youshi_app;
grant update (partner_id) on middleman_deal to youshi_app;
grant update (paused_at) on service_order to youshi_app;
grant update (paused_seconds) on service_order to youshi_app;
grant update (paused_until) on webhook_endpoint to youshi_app;
grant update (pay_mode) on payment to youshi_app;
grant update (penalty_fen) on guarantee_claim to youshi_app;
grant update (pictures) on guarantee_claim to youshi_app;
grant update (pictures) on inspection_task to youshi_app;
grant update (pictures) on middleman_deal to youshi_app;
grant update (pictures) on recycle_reading to youshi_app;
grant update (pictures) on service_milestone to youshi_app;
grant update (played_minutes) on service_order to youshi_app;
grant update (previous_enc) on api_key to youshi_app;
grant update (previous_until) on api_key to youshi_app;
grant update (problems) on listing_import_row to youshi_app;
grant update (progress_percent) on service_milestone to youshi_app;
grant update (proof_due_at) on service_order to youshi_app;
grant update (qr_text) on payment to youshi_app;
grant update (query) on staff_view to youshi_app;
grant update (quote_until) on recycle_request to youshi_app;
grant update (read_by) on recycle_request to youshi_app;
grant update (reason) on approval to youshi_app;
grant update (reason) on deposit_release to youshi_app;
grant update (reason) on hold to youshi_app;
grant update (reason) on refund to youshi_app;
grant update (reason) on service_addition to youshi_app;
grant update (reason) on service_cancel to youshi_app;
grant update (reason_code) on dispute to youshi_app;
grant update (receipt_no) on dist_settlement to youshi_app;
grant update (recourse_fen) on guarantee_claim to youshi_app;
grant update (refund_to_balance) on payment to youshi_app;
grant update (refunded_fen) on dispute to youshi_app;
grant update (refusal) on guarantee_claim to youshi_app;
grant update (refuse_reason) on service_milestone to youshi_app;
grant update (refused_count) on service_milestone to youshi_app;
grant update (release_at) on deposit_release to youshi_app;
grant update (release_at) on hold to youshi_app;
grant update (release_note) on hold to youshi_app;
grant update (released_at) on hold to youshi_app;
grant update (released_at) on hold_stage to youshi_app;
grant update (removed_at) on listing_import to youshi_app;
grant update (removed_at) on payout_account to youshi_app;
grant update (removed_at) on webhook_endpoint to youshi_app;
grant update (return_url) on payment to youshi_app;
grant update (revoked_at) on api_key to youshi_app;
grant update (revoked_at) on guarantee_tier to youshi_app;
grant update (revoked_at) on legal_text to youshi_app;
grant update (revoked_at) on platform_rule to youshi_app;
grant update (revoked_at) on setting to youshi_app;
grant update (revoked_by) on guarantee_tier to youshi_app;
grant update (revoked_by) on legal_text to youshi_app;
grant update (revoked_by) on platform_rule to youshi_app;
grant update (revoked_by) on setting to youshi_app;
grant update (rule_by) on dispute to youshi_app;
grant update (ruled_dispute_id) on service_order to youshi_app;
grant update (ruled_efficiency_to_buyer) on service_order to youshi_app;
grant update (ruled_safety_to_buyer) on service_order to youshi_app;
grant update (safety_to_buyer) on service_order to youshi_app;
grant update (said) on inspection_reading to youshi_app;
grant update (said) on recycle_reading to youshi_app;
grant update (sealed_at) on inspection_task to youshi_app;
grant update (sealed_enc) on inspection_task to youshi_app;
grant update (second_by) on withdrawal to youshi_app;
grant update (secret_enc) on api_key to youshi_app;
grant update (secret_enc) on webhook_endpoint to youshi_app;
grant update (self_placed) on orders to youshi_app;
grant update (seller_accepted_at) on dispute to youshi_app;
grant update (seller_start_at) on service_order to youshi_app;
grant update (sent_at) on refund to youshi_app;
grant update (sent_at) on webhook_delivery to youshi_app;
grant update (sent_at) on withdrawal to youshi_app;
grant update (server_id) on middleman_deal to youshi_app;
grant update (server_id) on recycle_request to youshi_app;
grant update (set_aside_at) on search_miss to youshi_app;
grant update (shared) on staff_view to youshi_app;
grant update (ship_by) on orders to youshi_app;
grant update (shipped_at) on orders to youshi_app;
grant update (short_fen) on hold to youshi_app;
grant update (shut_at) on orders to youshi_app;
grant update (silence_paid_at) on service_order to youshi_app;
grant update (snapshot) on orders to youshi_app;
grant update (spares_seller) on guarantee_claim to youshi_app;
grant update (staff_id) on dispute to youshi_app;
grant update (staff_id) on guarantee_claim to youshi_app;
grant update (staff_id) on inspection_claim to youshi_app;
grant update (staff_id) on inspection_task to youshi_app;
grant update (staff_id) on orders to youshi_app;
grant update (staff_id) on recycle_reading to youshi_app;
grant update (started_at) on service_order to youshi_app;
grant update (starts_at) on coupon_campaign to youshi_app;
grant update (starts_at) on guarantee_cover to youshi_app;
grant update (starts_at) on service_order to youshi_app;
grant update (starts_at) on time_sale to youshi_app;
grant update (state) on listing_import_row to youshi_app;
grant update (state) on service_milestone to youshi_app;
grant update (state) on service_order to youshi_app;
grant update (status) on approval to youshi_app;
grant update (status) on bargain to youshi_app;
grant update (status) on boost_request to youshi_app;
grant update (status) on coupon_campaign to youshi_app;
grant update (status) on deposit_release to youshi_app;
grant update (status) on dispute to youshi_app;
grant update (status) on dist_settlement to youshi_app;
grant update (status) on distributor to youshi_app;
grant update (status) on guarantee_claim to youshi_app;
grant update (status) on guarantee_cover to youshi_app;
grant update (status) on inspection_claim to youshi_app;
grant update (status) on inspection_task to youshi_app;
grant update (status) on listing_import to youshi_app;
grant update (status) on middleman_deal to youshi_app;
grant update (status) on orders to youshi_app;
grant update (status) on payment to youshi_app;
grant update (status) on recycle_request to youshi_app;
grant update (status) on refund to youshi_app;
grant update (status) on service_addition to youshi_app;
grant update (status) on service_cancel to youshi_app;
grant update (status) on time_sale to youshi_app;
grant update (status) on webhook_delivery to youshi_app;
grant update (status) on webhook_endpoint to youshi_app;
grant update (status) on withdrawal to youshi_app;
grant update (stock) on coupon_campaign to youshi_app;
grant update (stop_reason) on coupon_campaign to youshi_app;
grant update (stopped) on dispute to youshi_app;
grant update (stopped) on guarantee_claim to youshi_app;
grant update (stopped_at) on coupon_campaign to youshi_app;
grant update (stopped_by) on coupon_campaign to youshi_app;
grant update (struck_at) on guarantee_receipt to youshi_app;
grant update (struck_by) on guarantee_receipt to youshi_app;
grant update (submitted_at) on service_milestone to youshi_app;
grant update (suspend_notice) on distributor to youshi_app;
grant update (suspended_at) on distributor to youshi_app;
grant update (theme) on distributor to youshi_app;
grant update (times) on search_miss to youshi_app;
grant update (title) on middleman_deal to youshi_app;
grant update (to_seller_fen) on dispute to youshi_app;
grant update (touched_at) on orders to youshi_app;
grant update (type_id) on middleman_deal to youshi_app;
grant update (type_id) on recycle_request to youshi_app;
grant update (type_id) on service_order to youshi_app;
grant update (unpaid_end_at) on orders to youshi_app;
grant update (until) on goods_price_day to youshi_app;
grant update (updated_at) on bargain to youshi_app;
grant update (updated_at) on recycle_request to youshi_app;
grant update (urgent) on notice_kind to youshi_app;
grant update (url) on webhook_endpoint to youshi_app;
grant update (used_at) on coupon to youshi_app;
grant update (valid_days) on coupon_campaign to youshi_app;
grant update (value) on inspection_reading to youshi_app;
grant update (version) on blocked_word to youshi_app;
grant update (version) on distributor to youshi_app;
grant update (version) on notice_kind to youshi_app;
grant update (version) on search_synonym to youshi_app;
grant update (views) on goods_view_day to youshi_app;
grant update (views) on goods_week to youshi_app;
grant update (views) on seller_week to youshi_app;
grant update (waits_until) on listing_import to youshi_app;
grant update (want) on dispute to youshi_app;
grant update (way) on payment to youshi_app;
grant update (written) on staff_export to youshi_app;
grant usage on advert_id_seq to youshi_app;
grant usage on alert_id_seq to youshi_app;
grant usage on api_call_id_seq to youshi_app;
grant usage on api_key_id_seq to youshi_app;
grant usage on app_user_id_seq to youshi_app;
grant usage on approval_id_seq to youshi_app;
grant usage on assignment_rule_id_seq to youshi_app;
grant usage on backup_run_id_seq to youshi_app;
grant usage on bargain_id_seq to youshi_app;
grant usage on black_appeal_id_seq to youshi_app;
grant usage on black_entry_id_seq to youshi_app;
grant usage on black_event_id_seq to youshi_app;
grant usage on blocked_word_id_seq to youshi_app;
grant usage on books_check_id_seq to youshi_app;
grant usage on boost_request_id_seq to youshi_app;
grant usage on brand_publication_id_seq to youshi_app;
grant usage on canned_answer_id_seq to youshi_app;
grant usage on channel_statement_id_seq to youshi_app;
grant usage on chat_assignment_id_seq to youshi_app;
grant usage on chat_group_id_seq to youshi_app;
grant usage on cooperation_request_id_seq to youshi_app;
grant usage on coupon_campaign_id_seq to youshi_app;
grant usage on coupon_id_seq to youshi_app;
grant usage on credential_opening_id_seq to youshi_app;
grant usage on data_export_id_seq to youshi_app;
grant usage on dead_letter_id_seq to youshi_app;
grant usage on debt_id_seq to youshi_app;
grant usage on deposit_entry_id_seq to youshi_app;
grant usage on deposit_penalty_id_seq to youshi_app;
grant usage on deposit_release_id_seq to youshi_app;
grant usage on dispute_event_id_seq to youshi_app;
grant usage on dispute_id_seq to youshi_app;
grant usage on dispute_ruling_id_seq to youshi_app;
grant usage on dispute_statement_id_seq to youshi_app;
grant usage on dist_settlement_id_seq to youshi_app;
grant usage on distributor_id_seq to youshi_app;
grant usage on event_case_id_seq to youshi_app;
grant usage on fake_service_report_id_seq to youshi_app;
grant usage on fund_release_id_seq to youshi_app;
grant usage on game_area_number to youshi_app;
grant usage on game_number to youshi_app;
grant usage on game_server_number to youshi_app;
grant usage on goods_event_id_seq to youshi_app;
grant usage on goods_id_seq to youshi_app;
grant usage on goods_question_id_seq to youshi_app;
grant usage on goods_report_id_seq to youshi_app;
grant usage on guarantee_claim_id_seq to youshi_app;
grant usage on guarantee_cover_id_seq to youshi_app;
grant usage on guarantee_receipt_id_seq to youshi_app;
grant usage on hold_id_seq to youshi_app;
grant usage on import_job_id_seq to youshi_app;
grant usage on inspection_claim_id_seq to youshi_app;
grant usage on inspection_task_id_seq to youshi_app;
grant usage on league_id_seq to youshi_app;
grant usage on league_match_id_seq to youshi_app;
grant usage on league_team_id_seq to youshi_app;
grant usage on ledger_transfer_id_seq to youshi_app;
grant usage on listing_import_id_seq to youshi_app;
grant usage on lottery_draw_id_seq to youshi_app;
grant usage on middleman_deal_id_seq to youshi_app;
grant usage on news_id_seq to youshi_app;
grant usage on notice_delivery_id_seq to youshi_app;
grant usage on notice_id_seq to youshi_app;
grant usage on official_number_id_seq to youshi_app;
grant usage on on_sale_delta_id_seq to youshi_app;
grant usage on order_delta_id_seq to youshi_app;
grant usage on order_process_id_seq to youshi_app;
grant usage on order_review_id_seq to youshi_app;
grant usage on orders_id_seq to youshi_app;
grant usage on outbox_id_seq to youshi_app;
grant usage on payment_id_seq to youshi_app;
grant usage on payment_notify_id_seq to youshi_app;
grant usage on payout_account_id_seq to youshi_app;
grant usage on payout_line_id_seq to youshi_app;
grant usage on payout_list_id_seq to youshi_app;
grant usage on picture_id_seq to youshi_app;
grant usage on provider_event_id_seq to youshi_app;
grant usage on provider_id_seq to youshi_app;
grant usage on quarantine_id_seq to youshi_app;
grant usage on quick_coin_offer_id_seq to youshi_app;
grant usage on reconcile_difference_id_seq to youshi_app;
grant usage on recycle_coin_offer_id_seq to youshi_app;
grant usage on recycle_quote_id_seq to youshi_app;
grant usage on recycle_request_id_seq to youshi_app;
grant usage on refund_id_seq to youshi_app;
grant usage on review_report_id_seq to youshi_app;
grant usage on role_card_id_seq to youshi_app;
grant usage on sealed_credential_id_seq to youshi_app;
grant usage on search_change_id_seq to youshi_app;
grant usage on search_miss_id_seq to youshi_app;
grant usage on search_synonym_id_seq to youshi_app;
grant usage on seller_level_change_id_seq to youshi_app;
grant usage on service_addition_id_seq to youshi_app;
grant usage on service_cancel_id_seq to youshi_app;
grant usage on service_package_id_seq to youshi_app;
grant usage on service_progress_id_seq to youshi_app;
grant usage on service_tip_id_seq to youshi_app;
grant usage on staff_export_id_seq to youshi_app;
grant usage on staff_id_seq to youshi_app;
grant usage on staff_note_id_seq to youshi_app;
grant usage on staff_passkey_id_seq to youshi_app;
grant usage on staff_shift_id_seq to youshi_app;
grant usage on staff_view_id_seq to youshi_app;
grant usage on time_sale_id_seq to youshi_app;
grant usage on valuation_id_seq to youshi_app;
grant usage on verify_query_id_seq to youshi_app;
grant usage on want_id_seq to youshi_app;
grant usage on webhook_attempt_id_seq to youshi_app;
grant usage on webhook_delivery_id_seq to youshi_app;
grant usage on webhook_endpoint_id_seq to youshi_app;
grant usage on withdrawal_id_seq to youshi_app;

-- Comments

comment on table audit_check is 'What each night has found. The platform''s own: no dist_id';
comment on table audit_head is 'The last seal, so that a tail cut off is missed. The platform''s own: no dist_id';
comment on table audit_seal is 'One seal for each row of audit_log. The platform''s own: no dist_id';
comment on table debt is 'What users and distributors owe. dist_id records the site of the trade';
comment on column distributor.mark_up_bp is 'Mark-up before the first row of brand_terms';
comment on column distributor.commission_bp is 'Share of the fees before the first row of brand_terms';
comment on table fund_release is 'Why money may leave the guarantee fund. The fund is the platform''s: no dist_id';
comment on column game.aliases is 'Other names that people search a game by.';
comment on column game.default_type is 'Goods type that a search in this game starts with (product.md 9).';
comment on table hold_stage is 'Parts of a hold that come free before its end. dist_id: by the hold''s user; records';
comment on table inspection_claim is 'Readings that buyers call wrong, and what the fund pays for them';
comment on table inspection_reading is 'Fields of an account as an inspector read them, beside the seller''s words at that time';
comment on table inspection_task is 'Requests that staff read an account. dist_id records the site of the listing';
comment on table inspection_transition is 'The legal steps of an inspection';
comment on column league.status is '0 draft, 1 published, 2 withdrawn';
comment on column news.version is 'The version of what stands here; newer ones in news_version are drafts';
comment on column news.published_at is 'From when it is shown once it is published; planned while it is a draft';
comment on column notice_delivery.digest is 'Goes out with the others of its person and channel, as one message a day.';
comment on column notice_template.link is 'Inside the site; {name} marks are filled and percent-encoded.';
comment on column orders.offline_mark is 'How the seller says it was handed over: 1 in person, 2 face to face in the game, 3 guided by voice or remotely. Null = on the site.';
comment on column orders.offline_agreed is 'The buyer''s word on the mark; null while there is none.';
comment on table outbox is 'Rows are deleted once the relay has handed them on; an old row means that the relay is stuck.';
comment on column price_stat.segment is 'Empty for the whole goods type, else key:min..max of the number that prices follow best.';
comment on column real_name.face_ref is 'The number of a check by face at the vendor; null for one by name and number alone.';
comment on column setup_state.trial_since is 'First start with TRIAL=1; null in a real market. A market without TRIAL=1 does not start on a marked database.';
comment on column valuation_model.error_bp is 'half of the sales were priced within this distance of the model, in basis points';
comment on column webhook_endpoint.gone_at is 'The receiver answered 410 Gone: the endpoint is disabled until its owner switches it on again.';
