-- The schema that db/migrations add up to. Written by `npm run db:gen`; never edited by hand.

-- Extensions

create extension btree_gin;
create extension pg_trgm;

-- Tables

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
  constraint alert_pkey PRIMARY KEY (id),
  constraint alert_frequency_check CHECK ((frequency = ANY (ARRAY['now'::text, 'daily'::text]))),
  constraint alert_kind_check CHECK ((kind = ANY (ARRAY['search'::text, 'price_drop'::text, 'back_on_sale'::text]))),
  constraint alert_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint alert_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint alert_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
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
  constraint app_user_pkey PRIMARY KEY (id),
  constraint app_user_email_hash_key UNIQUE (email_hash),
  constraint app_user_invite_code_key UNIQUE (invite_code),
  constraint app_user_phone_hash_key UNIQUE (phone_hash),
  constraint app_user_union_num_key UNIQUE (union_num),
  constraint app_user_auth_status_check CHECK ((auth_status = ANY (ARRAY[0, 1, 2, 3]))),
  constraint app_user_seller_level_check CHECK (((seller_level >= 0) AND (seller_level <= 5))),
  constraint app_user_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint app_user_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES app_user(id)
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
  constraint bargain_pkey PRIMARY KEY (id),
  constraint bargain_counter_fen_check CHECK ((counter_fen > 0)),
  constraint bargain_offer_fen_check CHECK ((offer_fen > 0)),
  constraint bargain_status_check CHECK (((status >= 0) AND (status <= 8))),
  constraint bargain_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES app_user(id),
  constraint bargain_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint bargain_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint bargain_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint bargain_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES app_user(id)
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
  constraint channel_statement_pkey PRIMARY KEY (id),
  constraint channel_statement_channel_day_key UNIQUE (channel, day),
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
  constraint channel_statement_line_pkey PRIMARY KEY (statement_id, line_no),
  constraint channel_statement_line_kind_check CHECK ((kind = ANY (ARRAY['pay'::text, 'refund'::text, 'transfer'::text, 'fee'::text]))),
  constraint channel_statement_line_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES channel_statement(id),
  constraint channel_statement_line_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES ledger_transfer(id)
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
  constraint chat_group_pkey PRIMARY KEY (id),
  constraint chat_group_order_id_key UNIQUE (order_id),
  constraint chat_group_check CHECK (((group_type = 1) = (order_id IS NOT NULL))),
  constraint chat_group_group_type_check CHECK ((group_type = ANY (ARRAY[1, 2]))),
  constraint chat_group_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
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

create table chat_ticket (
  id_hash bytea not null,
  member text not null,
  session_hash bytea not null,
  dist_id integer not null,
  expires_at timestamp with time zone not null,
  constraint chat_ticket_pkey PRIMARY KEY (id_hash),
  constraint chat_ticket_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
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
  constraint coupon_campaign_pkey PRIMARY KEY (id),
  constraint coupon_campaign_code_key UNIQUE (code),
  constraint coupon_campaign_amount_fen_check CHECK ((amount_fen > 0)),
  constraint coupon_campaign_kind_check CHECK ((kind = ANY (ARRAY['goods'::text, 'service'::text, 'guarantee'::text]))),
  constraint coupon_campaign_stock_check CHECK ((stock >= 0)),
  constraint coupon_campaign_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
);

create table dist_host (
  host text not null,
  dist_id integer not null,
  constraint dist_host_pkey PRIMARY KEY (host),
  constraint dist_host_host_check CHECK ((host = lower(host))),
  constraint dist_host_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
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
  constraint distributor_pkey PRIMARY KEY (id),
  constraint distributor_code_key UNIQUE (code),
  constraint distributor_commission_bp_check CHECK (((commission_bp >= 0) AND (commission_bp <= 10000))),
  constraint distributor_mark_up_bp_check CHECK (((mark_up_bp >= 0) AND (mark_up_bp <= 3000)))
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
  hot integer default 0 not null,
  goods_types jsonb not null,
  coin_unit text,
  coin_ratio numeric,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint game_pkey PRIMARY KEY (id),
  constraint game_code_key UNIQUE (code),
  constraint game_game_type_check CHECK ((game_type = ANY (ARRAY[1, 2])))
);

create table game_area (
  id integer not null,
  game_id integer not null,
  name text not null,
  sort integer default 0 not null,
  constraint game_area_pkey PRIMARY KEY (id),
  constraint game_area_game_id_name_key UNIQUE (game_id, name),
  constraint game_area_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id)
);

create table game_server (
  id integer not null,
  area_id integer not null,
  name text not null,
  sort integer default 0 not null,
  constraint game_server_pkey PRIMARY KEY (id),
  constraint game_server_area_id_name_key UNIQUE (area_id, name),
  constraint game_server_area_id_fkey FOREIGN KEY (area_id) REFERENCES game_area(id)
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

create table goods_follow (
  user_id bigint not null,
  goods_id bigint not null,
  price_fen bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint goods_follow_pkey PRIMARY KEY (user_id, goods_id),
  constraint goods_follow_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id),
  constraint goods_follow_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
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
  constraint hold_pkey PRIMARY KEY (id),
  constraint hold_code_ref_key UNIQUE (code, ref),
  constraint hold_amount_fen_check CHECK ((amount_fen > 0)),
  constraint hold_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
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

create table inspection (
  goods_id bigint not null,
  field text not null,
  label text not null,
  value text not null,
  reader text not null,
  read_at timestamp with time zone not null,
  picture_key text,
  constraint inspection_pkey PRIMARY KEY (goods_id, field),
  constraint inspection_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES goods(id)
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

create table limit_counter (
  key text not null,
  hits integer not null,
  reset_at timestamp with time zone not null,
  constraint limit_counter_pkey PRIMARY KEY (key)
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
  constraint order_handover_pkey PRIMARY KEY (order_id, step),
  constraint order_handover_actor_check CHECK ((actor = ANY (ARRAY['seller'::text, 'buyer'::text, 'staff'::text]))),
  constraint order_handover_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
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

create table order_review (
  order_id bigint not null,
  belong smallint not null,
  user_id bigint not null,
  target_id bigint not null,
  score smallint not null,
  tags text[] default '{}'::text[] not null,
  content text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  constraint order_review_pkey PRIMARY KEY (order_id, belong),
  constraint order_review_belong_check CHECK ((belong = ANY (ARRAY[0, 1]))),
  constraint order_review_score_check CHECK (((score >= 1) AND (score <= 5))),
  constraint order_review_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint order_review_target_id_fkey FOREIGN KEY (target_id) REFERENCES app_user(id),
  constraint order_review_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
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
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_sn_key UNIQUE (sn),
  constraint order_parties CHECK ((buyer_id <> seller_id)),
  constraint order_price CHECK ((goods_fen = (unit_price_fen * goods_num))),
  constraint order_shares CHECK ((((commission_fen + service_fee_fen) >= (dist_share_fen + invite_reward_fen)) AND (commission_fen <= goods_fen))),
  constraint order_total CHECK ((total_fen = ((((goods_fen + service_fee_fen) + ensure_fen) + fix_ensure_fen) - discount_fen))),
  constraint orders_commission_fen_check CHECK ((commission_fen >= 0)),
  constraint orders_discount_fen_check CHECK ((discount_fen >= 0)),
  constraint orders_dist_share_fen_check CHECK ((dist_share_fen >= 0)),
  constraint orders_ensure_fen_check CHECK ((ensure_fen >= 0)),
  constraint orders_fix_ensure_fen_check CHECK ((fix_ensure_fen >= 0)),
  constraint orders_goods_fen_check CHECK ((goods_fen > 0)),
  constraint orders_goods_num_check CHECK (((goods_num >= 1) AND (goods_num <= 100000))),
  constraint orders_invite_reward_fen_check CHECK ((invite_reward_fen >= 0)),
  constraint orders_service_fee_fen_check CHECK ((service_fee_fen >= 0)),
  constraint orders_status_check CHECK ((status = ANY (ARRAY[0, 1, 2, 3, 6, 7, 8, 9]))),
  constraint orders_total_fen_check CHECK ((total_fen > 0)),
  constraint orders_unit_price_fen_check CHECK ((unit_price_fen > 0)),
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
  constraint payment_pkey PRIMARY KEY (id),
  constraint payment_channel_channel_trade_no_key UNIQUE (channel, channel_trade_no),
  constraint payment_inter_sn_key UNIQUE (inter_sn),
  constraint payment_pay_rand_key UNIQUE (pay_rand),
  constraint payment_amount_fen_check CHECK ((amount_fen > 0)),
  constraint payment_balance_part_fen_check CHECK ((balance_part_fen >= 0)),
  constraint payment_purpose_check CHECK ((purpose = ANY (ARRAY['topup'::text, 'order'::text, 'deposit'::text]))),
  constraint payment_status_check CHECK ((status = ANY (ARRAY[0, 1, 2, 3]))),
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
  constraint picture_pkey PRIMARY KEY (id),
  constraint picture_key_key UNIQUE (key),
  constraint picture_purpose_check CHECK ((purpose = ANY (ARRAY['goods'::text, 'chat'::text, 'avatar'::text, 'evidence'::text, 'content'::text]))),
  constraint picture_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES app_user(id),
  constraint picture_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
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
  constraint real_name_pkey PRIMARY KEY (user_id),
  constraint real_name_status_check CHECK ((status = ANY (ARRAY[1, 2, 3]))),
  constraint real_name_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
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
  constraint refund_pkey PRIMARY KEY (id),
  constraint refund_refund_no_key UNIQUE (refund_no),
  constraint refund_amount_fen_check CHECK ((amount_fen > 0)),
  constraint refund_status_check CHECK ((status = ANY (ARRAY[0, 1, 2]))),
  constraint refund_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id)
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

create table sealed_credential (
  id bigint generated always as identity not null,
  order_id bigint not null,
  step smallint not null,
  from_user bigint not null,
  for_actor text not null,
  body_enc bytea,
  created_at timestamp with time zone default now() not null,
  revealed_to text,
  revealed_at timestamp with time zone,
  erased_at timestamp with time zone,
  constraint sealed_credential_pkey PRIMARY KEY (id),
  constraint sealed_credential_for_actor_check CHECK ((for_actor = ANY (ARRAY['buyer'::text, 'staff'::text]))),
  constraint sealed_credential_from_user_fkey FOREIGN KEY (from_user) REFERENCES app_user(id),
  constraint sealed_credential_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
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
  constraint setting_pkey PRIMARY KEY (key, version)
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
  password_hash text not null,
  totp_secret_enc bytea not null,
  totp_last_step bigint default 0 not null,
  im_uid text not null,
  on_duty boolean default true not null,
  max_chats integer default 200 not null,
  status smallint default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint staff_pkey PRIMARY KEY (id),
  constraint staff_im_uid_key UNIQUE (im_uid),
  constraint staff_login_key UNIQUE (login),
  constraint staff_role_check CHECK ((role = ANY (ARRAY['service'::text, 'reviewer'::text, 'finance'::text, 'content'::text, 'admin'::text, 'operator'::text]))),
  constraint staff_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id)
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

create table timer (
  kind text not null,
  ref text not null,
  due_at timestamp with time zone not null,
  payload jsonb default '{}'::jsonb not null,
  attempts integer default 0 not null,
  constraint timer_pkey PRIMARY KEY (kind, ref)
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
  constraint want_pkey PRIMARY KEY (id),
  constraint want_sn_key UNIQUE (sn),
  constraint want_budget_fen_check CHECK ((budget_fen > 0)),
  constraint want_status_check CHECK ((status = ANY (ARRAY[1, 2, 3]))),
  constraint want_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint want_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id),
  constraint want_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table wechat_login (
  code text not null,
  browser_hash bytea not null,
  dist_id integer not null,
  user_id bigint,
  status text default 'pending'::text not null,
  expires_at timestamp with time zone not null,
  constraint wechat_login_pkey PRIMARY KEY (code),
  constraint wechat_login_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'scanned'::text, 'confirmed'::text, 'used'::text]))),
  constraint wechat_login_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint wechat_login_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
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
  constraint withdrawal_pkey PRIMARY KEY (id),
  constraint withdrawal_sn_key UNIQUE (sn),
  constraint withdrawal_amount_fen_check CHECK ((amount_fen > 0)),
  constraint withdrawal_status_check CHECK ((status = ANY (ARRAY[0, 1, 2, 3]))),
  constraint withdrawal_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES staff(id),
  constraint withdrawal_dist_id_fkey FOREIGN KEY (dist_id) REFERENCES distributor(id),
  constraint withdrawal_payout_account_id_fkey FOREIGN KEY (payout_account_id) REFERENCES payout_account(id),
  constraint withdrawal_second_by_fkey FOREIGN KEY (second_by) REFERENCES staff(id),
  constraint withdrawal_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

-- Indexes

CREATE INDEX alert_user ON public.alert USING btree (user_id, id DESC);
CREATE INDEX audit_log_target ON public.audit_log USING btree (target, id DESC);
CREATE INDEX bargain_buyer ON public.bargain USING btree (buyer_id, id DESC);
CREATE UNIQUE INDEX bargain_open ON public.bargain USING btree (goods_id, buyer_id) WHERE (status = ANY (ARRAY[0, 1, 2, 3]));
CREATE INDEX bargain_seller ON public.bargain USING btree (seller_id, id DESC);
CREATE INDEX chat_member_of ON public.chat_member USING btree (member, group_id DESC) WHERE (left_at IS NULL);
CREATE UNIQUE INDEX coupon_once ON public.coupon USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX coupon_user ON public.coupon USING btree (user_id, id DESC);
CREATE INDEX goods_fingerprint ON public.goods USING btree (fingerprint, id) WHERE (fingerprint IS NOT NULL);
CREATE UNIQUE INDEX goods_fingerprint_live ON public.goods USING btree (fingerprint) WHERE ((fingerprint IS NOT NULL) AND (status = ANY (ARRAY[1, 2, 3, 4, 7])));
CREATE UNIQUE INDEX goods_import ON public.goods USING btree (seller_id, import_key) WHERE (import_key IS NOT NULL);
CREATE INDEX goods_review ON public.goods USING btree (updated_at) WHERE (status = 1);
CREATE INDEX goods_seller ON public.goods USING btree (seller_id, status, id DESC);
CREATE UNIQUE INDEX goods_sn_key ON public.goods USING btree (sn);
CREATE INDEX goods_event_goods ON public.goods_event USING btree (goods_id, id);
CREATE INDEX goods_follow_new ON public.goods_follow USING btree (user_id, created_at DESC);
CREATE INDEX gs_game_new ON public.goods_search USING btree (game_id, refreshed_at DESC, goods_id DESC);
CREATE INDEX gs_game_price ON public.goods_search USING btree (game_id, price_fen, goods_id);
CREATE INDEX gs_game_score ON public.goods_search USING btree (game_id, score DESC, goods_id DESC);
CREATE INDEX gs_gin ON public.goods_search USING gin (game_id, tsv) WITH (gin_pending_list_limit='1024');
CREATE INDEX gs_new ON public.goods_search USING btree (refreshed_at DESC, goods_id DESC);
CREATE INDEX gs_price ON public.goods_search USING btree (price_fen, goods_id);
CREATE INDEX gs_score ON public.goods_search USING btree (score DESC, goods_id DESC);
CREATE INDEX gs_seller ON public.goods_search USING btree (seller_id);
CREATE INDEX goods_stat_views ON public.goods_stat USING btree (views DESC, goods_id DESC);
CREATE INDEX goods_view_new ON public.goods_view USING btree (user_id, viewed_at DESC);
CREATE INDEX hold_open ON public.hold USING btree (user_id, id DESC) WHERE (released_at IS NULL);
CREATE INDEX idempotency_age ON public.idempotency USING btree (created_at);
CREATE INDEX ledger_entry_transfer ON public.ledger_entry USING btree (transfer_id);
CREATE INDEX ledger_transfer_order ON public.ledger_transfer USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX lottery_draw_user ON public.lottery_draw USING btree (user_id, created_at DESC);
CREATE INDEX order_process_order ON public.order_process USING btree (order_id, id);
CREATE INDEX order_review_target ON public.order_review USING btree (target_id, created_at DESC);
CREATE INDEX orders_buyer ON public.orders USING btree (buyer_id, id DESC);
CREATE INDEX orders_deals ON public.orders USING btree (completed_at DESC) WHERE (status = 3);
CREATE INDEX orders_dist ON public.orders USING btree (dist_id, id DESC);
CREATE UNIQUE INDEX orders_one_live ON public.orders USING btree (goods_id) WHERE ((status = ANY (ARRAY[0, 1, 2, 3])) AND (type_id = ANY (ARRAY[1, 8, 50])) AND (goods_id IS NOT NULL));
CREATE INDEX orders_seller ON public.orders USING btree (seller_id, id DESC);
CREATE INDEX orders_sold ON public.orders USING btree (game_id, type_id, completed_at DESC) WHERE (status = 3);
CREATE INDEX orders_unpaid ON public.orders USING btree (buyer_id) WHERE (status = 0);
CREATE INDEX payment_order ON public.payment USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX payment_user ON public.payment USING btree (user_id, id DESC);
CREATE INDEX payment_waiting ON public.payment USING btree (expires_at) WHERE (status = 0);
CREATE INDEX payment_notify_open ON public.payment_notify USING btree (id) WHERE (verdict IS NULL);
CREATE UNIQUE INDEX payout_account_one ON public.payout_account USING btree (user_id, kind) WHERE (removed_at IS NULL);
CREATE INDEX picture_owner ON public.picture USING btree (owner_id, id DESC);
CREATE UNIQUE INDEX real_name_once ON public.real_name USING btree (id_hash) WHERE (status = 2);
CREATE INDEX refund_open ON public.refund USING btree (id) WHERE (status = 0);
CREATE INDEX role_card_user ON public.role_card USING btree (user_id, id DESC);
CREATE INDEX sealed_credential_order ON public.sealed_credential USING btree (order_id, step);
CREATE INDEX session_age ON public.session USING btree (expires_at);
CREATE INDEX session_of_user ON public.session USING btree (user_id);
CREATE UNIQUE INDEX third_party_open ON public.third_party_binding USING btree (provider, open_id);
CREATE INDEX timer_due ON public.timer USING btree (due_at);
CREATE INDEX want_open ON public.want USING btree (game_id, id DESC) WHERE (status = 1);
CREATE INDEX want_user ON public.want USING btree (user_id, id DESC);
CREATE INDEX withdrawal_open ON public.withdrawal USING btree (id) WHERE (status = ANY (ARRAY[0, 1]));
CREATE INDEX withdrawal_user ON public.withdrawal USING btree (user_id, id DESC);

-- Statistics

alter table goods_search alter column tsv set statistics 1000;

-- Functions

CREATE OR REPLACE FUNCTION public.chat_send(p_group bigint, p_sender text, p_client_id text, p_uid text, p_type text, p_content jsonb, p_expansion jsonb, OUT seq bigint, OUT uid text, OUT created_at timestamp with time zone, OUT repeated boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  g chat_group;
begin
  select * into g from chat_group where id = p_group for update;
  if not found then raise exception 'no such group' using errcode = 'YS301'; end if;
  select m.seq, m.uid, m.created_at, true into seq, uid, created_at, repeated
    from chat_message m where m.group_id = p_group and m.sender = p_sender and m.client_msg_id = p_client_id;
  if found then return; end if;
  if p_sender <> 'system' and not exists (select from chat_member c where c.group_id = p_group and c.member = p_sender and c.left_at is null) then
    raise exception 'not a member' using errcode = 'YS301';
  end if;
  if p_sender <> 'system' and g.status <> 1 then raise exception 'group closed' using errcode = 'YS302'; end if;
  update chat_group set last_seq = last_seq + 1 where id = p_group returning last_seq into seq;
  insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content, expansion)
    values (p_group, chat_send.seq, p_uid, p_sender, p_client_id, p_type, p_content, p_expansion)
    returning chat_message.uid, chat_message.created_at into uid, created_at;
  repeated := false;
end $function$
;

CREATE OR REPLACE FUNCTION public.goods_settle(p_goods bigint, p_num integer, p_sold boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if p_sold then
    update goods set status = 5, updated_at = now() where id = p_goods and status = 4 and (type_id in (1, 8, 50) or stock = 0);
  else
    update goods set
        stock = case when type_id in (1, 8, 50) then stock else stock + p_num end,
        status = case when status in (4, 5) then 2 else status end,
        updated_at = now()
      where id = p_goods;
    insert into outbox (topic, payload) values ('goods.reindex', jsonb_build_object('goodsId', p_goods));
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION public.goods_sn(p_id bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 'Y' || chr(65 + (((p_id / 10000000) + 18) % 26)::int) || lpad(((p_id % 10000000) * 7368787 % 10000000)::text, 7, '0');
$function$
;

CREATE OR REPLACE FUNCTION public.goods_take(p_goods bigint, p_version integer, p_num integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  g goods;
begin
  update goods set
      stock = case when type_id in (1, 8, 50) then stock else stock - p_num end,
      status = case when type_id in (1, 8, 50) or stock = p_num then 4 else 2 end,
      updated_at = now()
    where id = p_goods and status = 2 and version = p_version and stock >= p_num
    returning * into g;
  if not found then
    select * into g from goods where id = p_goods;
    if g.status is distinct from 2 then raise exception 'not on sale' using errcode = 'YS201'; end if;
    if g.version <> p_version then raise exception 'goods changed' using errcode = 'YS202'; end if;
    raise exception 'stock too low' using errcode = 'YS207';
  end if;
  if g.status = 4 then delete from goods_search where goods_id = p_goods; end if;
end $function$
;

CREATE OR REPLACE FUNCTION public.idempotency_claim(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v idempotency;
begin
  insert into idempotency (scope, endpoint, key, request_hash) values (p->>'scope', p->>'endpoint', p->>'key', p->>'hash')
    on conflict do nothing;
  if found then return null; end if;
  select * into v from idempotency where scope = p->>'scope' and endpoint = p->>'endpoint' and key = p->>'key';
  if v.request_hash is distinct from p->>'hash' then raise exception 'idempotency mismatch' using errcode = 'YS206'; end if;
  return v.facts;
end $function$
;

CREATE OR REPLACE FUNCTION public.ledger_account_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then raise exception 'accounts are not deleted' using errcode = 'YS900'; end if;
  if new.key <> old.key or new.may_overdraw <> old.may_overdraw then raise exception 'accounts are not renamed' using errcode = 'YS900'; end if;
  if new.version <> old.version + 1 or new.balance = old.balance then raise exception 'a balance moves by an entry only' using errcode = 'YS900'; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.ledger_may_overdraw(p_key text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_key like 'clearing:%' or p_key like 'platform:coupon_expense:%' or p_key like 'platform:rounding:%' or p_key like 'platform:guarantee_fund:%';
$function$
;

CREATE OR REPLACE FUNCTION public.ledger_post(p_transfers jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  t record;
  a record;
  v_id bigint;
  v_total int := 0;
  v_new int := 0;
begin
  -- Accounts first, in key order, so that two posters that share accounts never wait for each other in a circle.
  insert into ledger_account (key, may_overdraw)
    select k, ledger_may_overdraw(k) from (
      select x->>'debit' k from jsonb_array_elements(p_transfers) x union select x->>'credit' from jsonb_array_elements(p_transfers) x) s
    where not exists (select from ledger_account l where l.key = s.k)
    order by k on conflict do nothing;
  perform 1 from ledger_account where key in (
      select x->>'debit' from jsonb_array_elements(p_transfers) x union all select x->>'credit' from jsonb_array_elements(p_transfers) x)
    order by key for update;
  for t in select * from jsonb_to_recordset(p_transfers) as r(code text, ref text, debit text, credit text, fen bigint, dist int, "order" bigint) loop
    v_total := v_total + 1;
    insert into ledger_transfer (code, ref, debit, credit, amount_fen, dist_id, order_id)
      values (t.code, t.ref, t.debit, t.credit, t.fen, t.dist, t."order")
      on conflict (code, ref) do nothing returning id into v_id;
    if v_id is null then
      perform 1 from ledger_transfer l where l.code = t.code and l.ref = t.ref and l.debit = t.debit and l.credit = t.credit and l.amount_fen = t.fen;
      if not found then raise exception 'transfer % % was posted with other contents', t.code, t.ref using errcode = 'YS102'; end if;
      continue;
    end if;
    v_new := v_new + 1;
    for a in select t.debit as key, -t.fen as delta union all select t.credit, t.fen order by key loop
      with moved as (
        update ledger_account set balance = balance + a.delta, version = version + 1 where key = a.key returning balance, version)
      insert into ledger_entry (account, version, transfer_id, delta, balance_after) select a.key, version, v_id, a.delta, balance from moved;
    end loop;
  end loop;
  if v_new > 0 and v_new < v_total then raise exception 'a set of transfers was posted in part' using errcode = 'YS102'; end if;
  return v_new > 0;
end $function$
;

CREATE OR REPLACE FUNCTION public.limit_hit(p_key text, p_max integer, p_seconds integer)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  insert into limit_counter as c (key, hits, reset_at) values (p_key, 1, now() + make_interval(secs => p_seconds))
  on conflict (key) do update set
    hits = case when c.reset_at <= now() then 1 else c.hits + 1 end,
    reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
  returning hits <= p_max;
$function$
;

CREATE OR REPLACE FUNCTION public.order_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  o orders;
begin
  select * into o from orders where id = new.id;
  select balance into v_balance from ledger_account where key = 'order:' || o.id || ':escrow';
  if coalesce(v_balance, 0) <> (case when o.status in (1, 2) then o.total_fen + o.discount_fen else 0 end) then
    raise exception 'order % status % has % in escrow', o.id, o.status, coalesce(v_balance, 0) using errcode = 'YS903';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.order_place(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_facts jsonb;
  r orders;
  o orders;
begin
  if p ? 'idem' then
    v_facts := idempotency_claim(p->'idem');
    if v_facts is not null then return v_facts || '{"replay": true}'; end if;
  end if;
  r := jsonb_populate_record(null::orders, p->'order');
  if (select count(*) from (select from orders where buyer_id = r.buyer_id and status = 0 limit (p->>'maxUnpaid')::int) x) >= (p->>'maxUnpaid')::int then
    raise exception 'too many unpaid' using errcode = 'YS203';
  end if;
  perform goods_take(r.goods_id, (p->>'goodsVersion')::int, r.goods_num);
  insert into orders (sn, dist_id, type_id, goods_id, goods_sn, game_id, buyer_id, seller_id, goods_num, unit_price_fen, goods_fen, service_fee_fen,
      ensure_fen, fix_ensure_fen, discount_fen, total_fen, commission_fen, dist_share_fen, invite_reward_fen, inviter_id, ensure_id, fix_ensure_id,
      coupon_id, bargain_id, fees, snapshot)
    values (r.sn, r.dist_id, r.type_id, r.goods_id, r.goods_sn, r.game_id, r.buyer_id, r.seller_id, r.goods_num, r.unit_price_fen, r.goods_fen, r.service_fee_fen,
      r.ensure_fen, r.fix_ensure_fen, r.discount_fen, r.total_fen, r.commission_fen, r.dist_share_fen, r.invite_reward_fen, r.inviter_id, r.ensure_id, r.fix_ensure_id,
      r.coupon_id, r.bargain_id, r.fees, r.snapshot)
    returning * into o;
  if r.coupon_id is not null then
    update coupon set order_id = o.id, used_at = now() where id = r.coupon_id and user_id = r.buyer_id and order_id is null and expires_at > now();
    if not found then raise exception 'coupon gone' using errcode = 'YS204'; end if;
  end if;
  if r.bargain_id is not null then
    update bargain set status = 7, order_id = o.id, updated_at = now()
      where id = r.bargain_id and buyer_id = r.buyer_id and goods_id = r.goods_id and status in (1, 3) and expires_at > now();
    if not found then raise exception 'bargain gone' using errcode = 'YS205'; end if;
  end if;
  insert into order_process (order_id, order_status, explain, actor) values (o.id, 0, p->>'explain', p->>'actor');
  insert into timer (kind, ref, due_at) values ('order.expire', o.id::text, now() + make_interval(secs => (p->>'expireSeconds')::int));
  insert into outbox (topic, payload) values ('order.placed', jsonb_build_object('orderId', o.id));
  v_facts := jsonb_build_object('orderId', o.id, 'orderSn', o.sn, 'status', o.status, 'totalFen', o.total_fen, 'createTime', o.created_at);
  if p ? 'idem' then
    update idempotency set facts = v_facts where scope = p->'idem'->>'scope' and endpoint = p->'idem'->>'endpoint' and key = p->'idem'->>'key';
  end if;
  return v_facts;
end $function$
;

CREATE OR REPLACE FUNCTION public.order_step(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_facts jsonb;
  o orders;
begin
  if p ? 'idem' then
    v_facts := idempotency_claim(p->'idem');
    if v_facts is not null then return v_facts || '{"replay": true}'; end if;
  end if;
  update orders set
      status = (p->>'to')::smallint,
      paid_at = case when p->>'stamp' = 'paid' then now() else paid_at end,
      shipped_at = case when p->>'stamp' = 'shipped' then now() else shipped_at end,
      completed_at = case when p->>'stamp' = 'completed' then now() else completed_at end,
      ship_by = case when p ? 'shipSeconds' then now() + make_interval(secs => (p->>'shipSeconds')::int) else ship_by end,
      auto_confirm_at = case when p ? 'confirmSeconds' then now() + make_interval(secs => (p->>'confirmSeconds')::int) else auto_confirm_at end
    where id = (p->>'orderId')::bigint
      and status = any (select jsonb_array_elements_text(p->'from')::smallint)
      and (p->'only'->>'untouched' is null or touched_at is null or ship_by < now())
      and (p->'only'->>'undisputed' is null or not disputed)
    returning * into o;
  if not found then raise exception 'order moved on' using errcode = 'YS208'; end if;
  if p->>'goods' is not null and o.goods_id is not null then perform goods_settle(o.goods_id, o.goods_num, p->>'goods' = 'sold'); end if;
  if p->>'coupon' = 'return' and o.coupon_id is not null then update coupon set order_id = null, used_at = null where id = o.coupon_id; end if;
  if p->>'complete' = 'true' then
    update app_user set sold_count = sold_count + 1 where id = o.seller_id;
    update app_user set paid_total_fen = paid_total_fen + o.total_fen where id = o.buyer_id;
  end if;
  if jsonb_array_length(p->'transfers') > 0 then
    if not ledger_post(p->'transfers') then raise exception 'step % posted before', p->>'to' using errcode = 'YS102'; end if;
  end if;
  insert into hold (user_id, amount_fen, code, reason, ref, release_at)
    select h."userId", h.fen, h.code, h.reason, o.id::text, now() + make_interval(secs => h.seconds)
    from jsonb_to_recordset(coalesce(p->'holds', '[]')) as h("userId" bigint, fen bigint, code text, reason text, seconds int);
  insert into order_process (order_id, order_status, explain, actor) values (o.id, o.status, p->>'explain', p->>'actor');
  delete from timer where ref = o.id::text and kind = any (select jsonb_array_elements_text(p->'timers'->'clear'));
  insert into timer (kind, ref, due_at)
    select t.kind, o.id::text, now() + make_interval(secs => t.seconds) from jsonb_to_recordset(p->'timers'->'set') as t(kind text, seconds int)
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0;
  insert into outbox (topic, payload) select e, jsonb_build_object('orderId', o.id) from jsonb_array_elements_text(p->'events') e;
  v_facts := jsonb_build_object('orderId', o.id, 'orderSn', o.sn, 'status', o.status);
  if p ? 'idem' then
    update idempotency set facts = v_facts where scope = p->'idem'->>'scope' and endpoint = p->'idem'->>'endpoint' and key = p->'idem'->>'key';
  end if;
  return v_facts;
end $function$
;

CREATE OR REPLACE FUNCTION public.order_terms_frozen()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.sn, new.dist_id, new.type_id, new.goods_id, new.buyer_id, new.seller_id, new.goods_num, new.unit_price_fen, new.goods_fen, new.service_fee_fen,
      new.ensure_fen, new.fix_ensure_fen, new.discount_fen, new.total_fen, new.commission_fen, new.dist_share_fen, new.invite_reward_fen)
     is distinct from
     (old.sn, old.dist_id, old.type_id, old.goods_id, old.buyer_id, old.seller_id, old.goods_num, old.unit_price_fen, old.goods_fen, old.service_fee_fen,
      old.ensure_fen, old.fix_ensure_fen, old.discount_fen, old.total_fen, old.commission_fen, old.dist_share_fen, old.invite_reward_fen)
  then raise exception 'the terms of an order do not change' using errcode = 'YS901'; end if;
  if old.status <> new.status and not exists (select from order_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'order step % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'history is not changed: %.%', tg_table_name, tg_op using errcode = 'YS900';
end $function$
;

-- Triggers

CREATE TRIGGER audit_log_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_account_guard BEFORE DELETE OR UPDATE ON public.ledger_account FOR EACH ROW EXECUTE FUNCTION ledger_account_guard();
CREATE TRIGGER ledger_entry_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transfer_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_process_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.order_process FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER order_escrow_agrees AFTER INSERT OR UPDATE OF status ON public.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION order_escrow_agrees();
CREATE TRIGGER orders_frozen BEFORE UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION order_terms_frozen();

-- Grants

grant delete, insert, select, update on alert to youshi_app;
grant delete, insert, select, update on app_user to youshi_app;
grant delete, insert, select, update on bargain to youshi_app;
grant delete, insert, select, update on catalogue_version to youshi_app;
grant delete, insert, select, update on channel_statement to youshi_app;
grant delete, insert, select, update on channel_statement_line to youshi_app;
grant delete, insert, select, update on chat_group to youshi_app;
grant delete, insert, select, update on chat_member to youshi_app;
grant delete, insert, select, update on chat_ticket to youshi_app;
grant delete, insert, select, update on consent to youshi_app;
grant delete, insert, select, update on coupon to youshi_app;
grant delete, insert, select, update on coupon_campaign to youshi_app;
grant delete, insert, select, update on dist_host to youshi_app;
grant delete, insert, select, update on distributor to youshi_app;
grant delete, insert, select, update on game to youshi_app;
grant delete, insert, select, update on game_area to youshi_app;
grant delete, insert, select, update on game_server to youshi_app;
grant delete, insert, select, update on goods to youshi_app;
grant delete, insert, select, update on goods_draft to youshi_app;
grant delete, insert, select, update on goods_event to youshi_app;
grant delete, insert, select, update on goods_follow to youshi_app;
grant delete, insert, select, update on goods_search to youshi_app;
grant delete, insert, select, update on goods_stat to youshi_app;
grant delete, insert, select, update on goods_view to youshi_app;
grant delete, insert, select, update on hold to youshi_app;
grant delete, insert, select, update on idempotency to youshi_app;
grant delete, insert, select, update on inspection to youshi_app;
grant delete, insert, select, update on limit_counter to youshi_app;
grant delete, insert, select, update on lottery_draw to youshi_app;
grant delete, insert, select, update on order_handover to youshi_app;
grant delete, insert, select, update on order_review to youshi_app;
grant delete, insert, select, update on outbox to youshi_app;
grant delete, insert, select, update on payment to youshi_app;
grant delete, insert, select, update on payment_notify to youshi_app;
grant delete, insert, select, update on payout_account to youshi_app;
grant delete, insert, select, update on picture to youshi_app;
grant delete, insert, select, update on price_stat to youshi_app;
grant delete, insert, select, update on real_name to youshi_app;
grant delete, insert, select, update on refund to youshi_app;
grant delete, insert, select, update on role_card to youshi_app;
grant delete, insert, select, update on sealed_credential to youshi_app;
grant delete, insert, select, update on session to youshi_app;
grant delete, insert, select, update on setting to youshi_app;
grant delete, insert, select, update on sms_code to youshi_app;
grant delete, insert, select, update on staff to youshi_app;
grant delete, insert, select, update on third_party_binding to youshi_app;
grant delete, insert, select, update on timer to youshi_app;
grant delete, insert, select, update on want to youshi_app;
grant delete, insert, select, update on wechat_login to youshi_app;
grant delete, insert, select, update on withdrawal to youshi_app;
grant execute on function ledger_post(jsonb) to youshi_app;
grant insert, select on audit_log to youshi_app;
grant insert, select on order_process to youshi_app;
grant insert, select, update on chat_message to youshi_app;
grant insert, select, update on orders to youshi_app;
grant select on ledger_account to youshi_app;
grant select on ledger_entry to youshi_app;
grant select on ledger_transfer to youshi_app;
grant select on order_transition to youshi_app;
grant usage on alert_id_seq to youshi_app;
grant usage on app_user_id_seq to youshi_app;
grant usage on audit_log_id_seq to youshi_app;
grant usage on bargain_id_seq to youshi_app;
grant usage on channel_statement_id_seq to youshi_app;
grant usage on chat_group_id_seq to youshi_app;
grant usage on coupon_campaign_id_seq to youshi_app;
grant usage on coupon_id_seq to youshi_app;
grant usage on distributor_id_seq to youshi_app;
grant usage on goods_event_id_seq to youshi_app;
grant usage on goods_id_seq to youshi_app;
grant usage on hold_id_seq to youshi_app;
grant usage on ledger_transfer_id_seq to youshi_app;
grant usage on lottery_draw_id_seq to youshi_app;
grant usage on order_process_id_seq to youshi_app;
grant usage on orders_id_seq to youshi_app;
grant usage on outbox_id_seq to youshi_app;
grant usage on payment_id_seq to youshi_app;
grant usage on payment_notify_id_seq to youshi_app;
grant usage on payout_account_id_seq to youshi_app;
grant usage on picture_id_seq to youshi_app;
grant usage on refund_id_seq to youshi_app;
grant usage on role_card_id_seq to youshi_app;
grant usage on sealed_credential_id_seq to youshi_app;
grant usage on staff_id_seq to youshi_app;
grant usage on want_id_seq to youshi_app;
grant usage on withdrawal_id_seq to youshi_app;

-- Comments

comment on table outbox is 'Rows are deleted once the relay has handed them on; an old row means that the relay is stuck.';
