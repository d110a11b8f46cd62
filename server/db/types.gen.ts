/** The tables as db/migrations make them. Written by `npm run db:gen`; never edited by hand. */

import type { ColumnType } from "kysely";

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export type Numeric = ColumnType<string, number | string, number | string>;

export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface Alert {
  channels: Generated<string[]>;
  created_at: Generated<Timestamp>;
  dist_id: number;
  filter: Generated<Json>;
  frequency: Generated<string>;
  goods_id: number | null;
  id: Generated<number>;
  kind: string;
  last_sent_at: Timestamp | null;
  paused: Generated<boolean>;
  user_id: number;
}

export interface AppUser {
  auth_status: Generated<number>;
  avatar: string | null;
  created_at: Generated<Timestamp>;
  dist_id: number;
  email_enc: Buffer | null;
  email_hash: Buffer | null;
  id: Generated<number>;
  invite_code: string;
  inviter_id: number | null;
  is_accompanyer: Generated<boolean>;
  is_booster: Generated<boolean>;
  is_quick_shop: Generated<boolean>;
  last_seen_at: Generated<Timestamp>;
  nick_name: string;
  online: Generated<boolean>;
  paid_total_fen: Generated<number>;
  password_hash: string | null;
  pay_password_fails: Generated<number>;
  pay_password_hash: string | null;
  pay_password_locked_until: Timestamp | null;
  phone_enc: Buffer;
  phone_hash: Buffer;
  phone_mask: string;
  rating_count: Generated<number>;
  rating_sum: Generated<number>;
  seller_level: Generated<number>;
  sold_count: Generated<number>;
  status: Generated<number>;
  union_num: string;
}

export interface AuditLog {
  act: string;
  created_at: Generated<Timestamp>;
  detail: Generated<Json>;
  id: Generated<number>;
  ip: string | null;
  staff_id: number | null;
  target: string;
}

export interface Bargain {
  buyer_id: number;
  counter_fen: number | null;
  created_at: Generated<Timestamp>;
  dist_id: number;
  expires_at: Timestamp;
  goods_id: number;
  goods_version: number;
  id: Generated<number>;
  offer_fen: number;
  order_id: number | null;
  seller_id: number;
  status: Generated<number>;
  updated_at: Generated<Timestamp>;
}

export interface CatalogueVersion {
  body: Json;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  game_id: number;
  kind: string;
  version: number;
}

export interface ChannelStatement {
  channel: string;
  created_at: Generated<Timestamp>;
  day: Timestamp;
  id: Generated<number>;
  imported_by: number | null;
  lines: Generated<number>;
}

export interface ChannelStatementLine {
  amount_fen: number;
  difference: string | null;
  inter_sn: string | null;
  kind: string;
  line_no: number;
  statement_id: number;
  trade_no: string;
  transfer_id: number | null;
}

export interface ChatGroup {
  created_at: Generated<Timestamp>;
  dist_id: number;
  group_type: number;
  id: Generated<number>;
  last_seq: Generated<number>;
  order_id: number | null;
  status: Generated<number>;
  user_id: number | null;
}

export interface ChatMember {
  group_id: number;
  is_current: Generated<boolean>;
  joined_at: Generated<Timestamp>;
  left_at: Timestamp | null;
  member: string;
  muted: Generated<boolean>;
  read_seq: Generated<number>;
  role: string;
}

export interface ChatMessage {
  client_msg_id: string;
  content: Json;
  created_at: Generated<Timestamp>;
  expansion: Json | null;
  group_id: number;
  recalled_at: Timestamp | null;
  sender: string;
  seq: number;
  type: string;
  uid: string;
}

export interface ChatTicket {
  dist_id: number;
  expires_at: Timestamp;
  id_hash: Buffer;
  member: string;
  session_hash: Buffer;
}

export interface Consent {
  created_at: Generated<Timestamp>;
  ip: string | null;
  text_code: string;
  text_version: number;
  user_id: number;
}

export interface Coupon {
  campaign_id: number;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  id: Generated<number>;
  order_id: number | null;
  serial: number;
  used_at: Timestamp | null;
  user_id: number;
}

export interface CouponCampaign {
  amount_fen: number;
  code: string;
  created_at: Generated<Timestamp>;
  dist_id: number | null;
  ends_at: Timestamp;
  id: Generated<number>;
  kind: string;
  minimum_fen: Generated<number>;
  name: string;
  odds_bp: number | null;
  per_person: Generated<number>;
  starts_at: Timestamp;
  stock: number;
  valid_days: number;
}

export interface DistHost {
  dist_id: number;
  host: string;
}

export interface Distributor {
  code: string;
  commission_bp: Generated<number>;
  conf: Generated<Json>;
  created_at: Generated<Timestamp>;
  games: number[] | null;
  id: Generated<number>;
  mark_up_bp: Generated<number>;
  name: string;
  status: Generated<number>;
  theme: Generated<Json>;
}

export interface Game {
  code: string;
  coin_ratio: Numeric | null;
  coin_unit: string | null;
  created_at: Generated<Timestamp>;
  game_type: number;
  goods_types: Json;
  hot: Generated<number>;
  hue: Generated<number>;
  id: number;
  initial: string;
  initials: string;
  name: string;
  pinyin: string;
  scene: Generated<string>;
  status: Generated<number>;
}

export interface GameArea {
  game_id: number;
  id: number;
  name: string;
  sort: Generated<number>;
}

export interface GameServer {
  area_id: number;
  id: number;
  name: string;
  sort: Generated<number>;
}

export interface Goods {
  area_id: number | null;
  attrs: Generated<Json>;
  bargain_ok: Generated<boolean>;
  created_at: Generated<Timestamp>;
  description: Generated<string>;
  dist_id: number;
  fields_version: Generated<number>;
  fingerprint: Buffer | null;
  game_id: number;
  guarantee_ok: Generated<boolean>;
  id: Generated<number>;
  import_key: string | null;
  inspected_at: Timestamp | null;
  official: Generated<boolean>;
  pictures: Generated<Json>;
  price_fen: number;
  refreshed_at: Generated<Timestamp>;
  review_note: string | null;
  seller_id: number;
  server_id: number | null;
  sn: Generated<string>;
  source: string | null;
  status: Generated<number>;
  stock: Generated<number>;
  title: string;
  type_id: number;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
}

export interface GoodsDraft {
  body: Json;
  draft_key: string;
  updated_at: Generated<Timestamp>;
  user_id: number;
}

export interface GoodsEvent {
  actor: string;
  created_at: Generated<Timestamp>;
  detail: Generated<Json>;
  goods_id: number;
  id: Generated<number>;
  kind: string;
}

export interface GoodsFollow {
  created_at: Generated<Timestamp>;
  goods_id: number;
  price_fen: number;
  user_id: number;
}

export interface GoodsSearch {
  area_id: number | null;
  game_id: number;
  goods_id: number;
  n1: number | null;
  n2: number | null;
  n3: number | null;
  n4: number | null;
  price_fen: number;
  refreshed_at: Timestamp;
  score: Generated<number>;
  seller_id: number;
  server_id: number | null;
  tsv: string;
  type_id: number;
}

export interface GoodsStat {
  follows: Generated<number>;
  goods_id: number;
  views: Generated<number>;
}

export interface GoodsView {
  goods_id: number;
  user_id: number;
  viewed_at: Generated<Timestamp>;
}

export interface Hold {
  amount_fen: number;
  code: string;
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  reason: string;
  ref: string;
  release_at: Timestamp | null;
  release_note: string | null;
  released_at: Timestamp | null;
  user_id: number;
}

export interface Idempotency {
  created_at: Generated<Timestamp>;
  endpoint: string;
  facts: Json | null;
  key: string;
  request_hash: string;
  scope: string;
}

export interface Inspection {
  field: string;
  goods_id: number;
  label: string;
  picture_key: string | null;
  read_at: Timestamp;
  reader: string;
  value: string;
}

export interface LedgerAccount {
  balance: Generated<number>;
  created_at: Generated<Timestamp>;
  key: string;
  may_overdraw: Generated<boolean>;
  version: Generated<number>;
}

export interface LedgerEntry {
  account: string;
  balance_after: number;
  created_at: Generated<Timestamp>;
  delta: number;
  transfer_id: number;
  version: number;
}

export interface LedgerTransfer {
  amount_fen: number;
  code: string;
  created_at: Generated<Timestamp>;
  credit: string;
  debit: string;
  dist_id: number;
  id: Generated<number>;
  order_id: number | null;
  ref: string;
}

export interface LimitCounter {
  hits: number;
  key: string;
  reset_at: Timestamp;
}

export interface LotteryDraw {
  campaign_id: number | null;
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  roll: number;
  user_id: number;
}

export interface OrderHandover {
  actor: string;
  before_ship: boolean;
  done_at: Timestamp | null;
  done_by: string | null;
  evidence: boolean;
  explain: string;
  key: string;
  minutes: number;
  order_id: number;
  pictures: Generated<Json>;
  required: boolean;
  secret: boolean;
  step: number;
  title: string;
}

export interface OrderProcess {
  actor: string;
  created_at: Generated<Timestamp>;
  explain: string;
  id: Generated<number>;
  order_id: number;
  order_status: number;
}

export interface OrderReview {
  belong: number;
  content: Generated<string>;
  created_at: Generated<Timestamp>;
  order_id: number;
  score: number;
  tags: Generated<string[]>;
  target_id: number;
  user_id: number;
}

export interface Orders {
  auto_confirm_at: Timestamp | null;
  bargain_id: number | null;
  buyer_id: number;
  cancel_asked_at: Timestamp | null;
  commission_fen: Generated<number>;
  completed_at: Timestamp | null;
  coupon_id: number | null;
  created_at: Generated<Timestamp>;
  discount_fen: Generated<number>;
  disputed: Generated<boolean>;
  dist_id: number;
  dist_share_fen: Generated<number>;
  ensure_fen: Generated<number>;
  ensure_id: Generated<number>;
  fees: Json;
  fix_ensure_fen: Generated<number>;
  fix_ensure_id: Generated<number>;
  game_id: number | null;
  goods_fen: number;
  goods_id: number | null;
  goods_num: Generated<number>;
  goods_sn: string | null;
  handover_version: number | null;
  hidden_buyer: Generated<boolean>;
  hidden_seller: Generated<boolean>;
  id: Generated<number>;
  invite_reward_fen: Generated<number>;
  inviter_id: number | null;
  is_recovery: Generated<number>;
  paid_at: Timestamp | null;
  seller_id: number;
  service_fee_fen: Generated<number>;
  ship_by: Timestamp | null;
  shipped_at: Timestamp | null;
  sn: string;
  snapshot: Json;
  staff_id: number | null;
  status: Generated<number>;
  total_fen: number;
  touched_at: Timestamp | null;
  type_id: number;
  unit_price_fen: number;
}

export interface OrderTransition {
  from_status: number;
  to_status: number;
}

export interface Outbox {
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  payload: Json;
  topic: string;
}

export interface Payment {
  amount_fen: number;
  balance_part_fen: Generated<number>;
  channel: string;
  channel_trade_no: string | null;
  created_at: Generated<Timestamp>;
  dist_id: number;
  expires_at: Timestamp;
  id: Generated<number>;
  inter_sn: string;
  order_id: number | null;
  paid_at: Timestamp | null;
  pay_mode: number;
  pay_rand: string;
  purpose: string;
  qr_text: string | null;
  return_url: string | null;
  status: Generated<number>;
  user_id: number;
}

export interface PaymentNotify {
  channel: string;
  decided_at: Timestamp | null;
  id: Generated<number>;
  notify_key: string;
  payload: Json;
  received_at: Generated<Timestamp>;
  verdict: string | null;
}

export interface PayoutAccount {
  account_enc: Buffer;
  account_hash: Buffer;
  account_mask: string;
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  kind: string;
  name_enc: Buffer;
  removed_at: Timestamp | null;
  usable_from: Generated<Timestamp>;
  user_id: number;
}

export interface Picture {
  bytes: number;
  created_at: Generated<Timestamp>;
  height: number;
  id: Generated<number>;
  key: string;
  owner_id: number | null;
  purpose: string;
  sha256: Buffer;
  staff_id: number | null;
  width: number;
}

export interface PriceStat {
  game_id: number;
  high_fen: number;
  low_fen: number;
  made_at: Generated<Timestamp>;
  samples: number;
  segment: Generated<string>;
  type_id: number;
  typical_fen: number;
}

export interface RealName {
  birth_date: Timestamp;
  created_at: Generated<Timestamp>;
  id_hash: Buffer;
  id_mask: string;
  id_no_enc: Buffer;
  name_enc: Buffer;
  name_mask: string;
  provider_ref: string | null;
  status: number;
  user_id: number;
  verified_at: Timestamp | null;
}

export interface Refund {
  amount_fen: number;
  created_at: Generated<Timestamp>;
  done_at: Timestamp | null;
  id: Generated<number>;
  order_id: number | null;
  payment_id: number;
  reason: string;
  refund_no: string;
  status: Generated<number>;
}

export interface RoleCard {
  area_id: number | null;
  created_at: Generated<Timestamp>;
  game_id: number;
  id: Generated<number>;
  note: string | null;
  role_level: number | null;
  role_name: string;
  server_id: number | null;
  user_id: number;
}

export interface SealedCredential {
  body_enc: Buffer | null;
  created_at: Generated<Timestamp>;
  erased_at: Timestamp | null;
  for_actor: string;
  from_user: number;
  id: Generated<number>;
  order_id: number;
  revealed_at: Timestamp | null;
  revealed_to: string | null;
  step: number;
}

export interface Session {
  agent: string | null;
  created_at: Generated<Timestamp>;
  dist_id: number;
  expires_at: Timestamp;
  id_hash: Buffer;
  ip: string | null;
  kind: string;
  pay_verified_at: Timestamp | null;
  staff_id: number | null;
  user_id: number | null;
}

export interface Setting {
  created_at: Generated<Timestamp>;
  created_by: number | null;
  key: string;
  value: Json;
  version: number;
}

export interface SmsCode {
  code_hash: Buffer;
  created_at: Generated<Timestamp>;
  dist_id: number;
  expires_at: Timestamp;
  phone_hash: Buffer;
  purpose: string;
  tries: Generated<number>;
}

export interface Staff {
  created_at: Generated<Timestamp>;
  dist_id: number | null;
  id: Generated<number>;
  im_uid: string;
  login: string;
  max_chats: Generated<number>;
  name: string;
  on_duty: Generated<boolean>;
  password_hash: string;
  role: string;
  status: Generated<number>;
  totp_last_step: Generated<number>;
  totp_secret_enc: Buffer;
}

export interface ThirdPartyBinding {
  created_at: Generated<Timestamp>;
  open_id: string;
  provider: string;
  union_id: string | null;
  user_id: number;
}

export interface Timer {
  attempts: Generated<number>;
  due_at: Timestamp;
  kind: string;
  payload: Generated<Json>;
  ref: string;
}

export interface Want {
  budget_fen: number;
  created_at: Generated<Timestamp>;
  deposit_fen: Generated<number>;
  dist_id: number;
  filter: Generated<Json>;
  game_id: number;
  id: Generated<number>;
  sn: string;
  status: Generated<number>;
  title: string;
  type_id: number;
  updated_at: Generated<Timestamp>;
  user_id: number;
}

export interface WechatLogin {
  browser_hash: Buffer;
  code: string;
  dist_id: number;
  expires_at: Timestamp;
  status: Generated<string>;
  user_id: number | null;
}

export interface Withdrawal {
  amount_fen: number;
  approved_by: number | null;
  channel: string | null;
  channel_no: string | null;
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  dist_id: number;
  fee_fen: Generated<number>;
  id: Generated<number>;
  note: string | null;
  paid_at: Timestamp | null;
  payout_account_id: number;
  second_by: number | null;
  sn: string;
  status: Generated<number>;
  user_id: number;
}

export interface DB {
  alert: Alert;
  app_user: AppUser;
  audit_log: AuditLog;
  bargain: Bargain;
  catalogue_version: CatalogueVersion;
  channel_statement: ChannelStatement;
  channel_statement_line: ChannelStatementLine;
  chat_group: ChatGroup;
  chat_member: ChatMember;
  chat_message: ChatMessage;
  chat_ticket: ChatTicket;
  consent: Consent;
  coupon: Coupon;
  coupon_campaign: CouponCampaign;
  dist_host: DistHost;
  distributor: Distributor;
  game: Game;
  game_area: GameArea;
  game_server: GameServer;
  goods: Goods;
  goods_draft: GoodsDraft;
  goods_event: GoodsEvent;
  goods_follow: GoodsFollow;
  goods_search: GoodsSearch;
  goods_stat: GoodsStat;
  goods_view: GoodsView;
  hold: Hold;
  idempotency: Idempotency;
  inspection: Inspection;
  ledger_account: LedgerAccount;
  ledger_entry: LedgerEntry;
  ledger_transfer: LedgerTransfer;
  limit_counter: LimitCounter;
  lottery_draw: LotteryDraw;
  order_handover: OrderHandover;
  order_process: OrderProcess;
  order_review: OrderReview;
  order_transition: OrderTransition;
  orders: Orders;
  outbox: Outbox;
  payment: Payment;
  payment_notify: PaymentNotify;
  payout_account: PayoutAccount;
  picture: Picture;
  price_stat: PriceStat;
  real_name: RealName;
  refund: Refund;
  role_card: RoleCard;
  sealed_credential: SealedCredential;
  session: Session;
  setting: Setting;
  sms_code: SmsCode;
  staff: Staff;
  third_party_binding: ThirdPartyBinding;
  timer: Timer;
  want: Want;
  wechat_login: WechatLogin;
  withdrawal: Withdrawal;
}
