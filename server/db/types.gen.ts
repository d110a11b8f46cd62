/** The tables as db/migrations make them. Written by `npm run db:gen`; never edited by hand. */

import type { ColumnType } from "kysely";

export type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[]
  ? U[]
  : ArrayTypeImpl<T>;

export type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S[], I[], U[]>
  : T[];

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

export interface Advert {
  approved_by: number | null;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  device: Generated<number>;
  dist_id: number | null;
  ends_at: Timestamp | null;
  game_id: number | null;
  ht_url: string;
  id: Generated<number>;
  picture_key: string | null;
  position: string;
  remind: Generated<boolean>;
  small_title: Generated<string>;
  sort: Generated<number>;
  starts_at: Generated<Timestamp>;
  status: Generated<number>;
  title: string;
}

export interface Alert {
  area_id: number | null;
  at_least: Generated<Json>;
  channels: Generated<string[]>;
  created_at: Generated<Timestamp>;
  dist_id: number;
  filter: Generated<Json>;
  frequency: Generated<string>;
  game_id: number | null;
  goods_id: number | null;
  id: Generated<number>;
  kind: string;
  last_sent_at: Timestamp | null;
  max_fen: number | null;
  min_fen: number | null;
  path: Generated<string>;
  paused: Generated<boolean>;
  ranges: Generated<Json>;
  seller_id: number | null;
  server_id: number | null;
  title: Generated<string>;
  type_id: number | null;
  user_id: number;
  words: string | null;
}

export interface AlertMatch {
  alert_id: number;
  goods_id: number;
  matched_at: Generated<Timestamp>;
  price_fen: number;
  pushed_at: Timestamp | null;
}

export interface ApiCall {
  at: Generated<Timestamp>;
  code: number;
  id: Generated<number>;
  key_id: number;
  method: string;
  ms: number;
  network: string;
  path: string;
}

export interface ApiKey {
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  id: Generated<number>;
  last_network: string | null;
  last_used_at: Timestamp | null;
  max_drop: number;
  name: string;
  networks: Generated<string[]>;
  previous_enc: Buffer | null;
  previous_until: Timestamp | null;
  public_id: string;
  revoked_at: Timestamp | null;
  scopes: string[];
  secret_enc: Buffer;
  user_id: number;
}

export interface ApiNonce {
  expires_at: Timestamp;
  key_id: number;
  nonce: string;
}

export interface Approval {
  act: string;
  amount_fen: number | null;
  asked_by: number;
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  decided_by: number | null;
  dist_id: number | null;
  expires_at: Timestamp;
  id: Generated<number>;
  note: string | null;
  payload: Json;
  reason: string;
  status: Generated<string>;
  target: string;
}

export interface AppUser {
  auth_status: Generated<number>;
  avatar: string | null;
  closed_at: Timestamp | null;
  contact_enc: Buffer | null;
  contact_mask: Generated<string>;
  created_at: Generated<Timestamp>;
  dist_id: number;
  email_enc: Buffer | null;
  email_hash: Buffer | null;
  erase_at: Timestamp | null;
  erased_at: Timestamp | null;
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
  payout_wait_reason: string | null;
  payout_wait_until: Timestamp | null;
  phone_enc: Buffer;
  phone_hash: Buffer;
  phone_mask: string;
  rating_count: Generated<number>;
  rating_good: Generated<number>;
  rating_sum: Generated<number>;
  seller_level: Generated<number>;
  sold_count: Generated<number>;
  status: Generated<number>;
  union_num: string;
}

export interface AssignmentRule {
  created_at: Generated<Timestamp>;
  dist_id: number | null;
  duty: Generated<string>;
  game_id: number | null;
  id: Generated<number>;
  keep_same: Generated<boolean>;
  max_fen: number | null;
  min_fen: Generated<number>;
  name: string;
  order_types: number[] | null;
  sort: Generated<number>;
  staff_ids: Generated<ArrayType<number>>;
  status: Generated<number>;
}

export interface AuditCheck {
  breaks: Json | null;
  day: Timestamp;
  ended_at: Timestamp | null;
  hash: Buffer | null;
  heads: number | null;
  mailed_at: Timestamp | null;
  seq: number | null;
  started_at: Generated<Timestamp>;
}

export interface AuditHead {
  hash: Buffer;
  one: Generated<boolean>;
  seq: number;
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

export interface AuditSeal {
  audit_id: number;
  hash: Buffer;
  sealed_at: Timestamp;
  seq: number;
}

export interface BackupRun {
  bytes: number;
  ended_at: Generated<Timestamp>;
  id: Generated<number>;
  name: string;
  pictures: number;
  started_at: Timestamp;
}

export interface Bargain {
  buyer_id: number;
  counter_fen: number | null;
  created_at: Generated<Timestamp>;
  dist_id: number;
  ended_why: string | null;
  expires_at: Timestamp;
  goods_id: number;
  goods_version: number;
  id: Generated<number>;
  message: Generated<string>;
  offer_fen: number;
  order_id: number | null;
  price_fen: number;
  seller_id: number;
  status: Generated<number>;
  updated_at: Generated<Timestamp>;
}

export interface BargainRule {
  floor_percent: number;
  updated_at: Generated<Timestamp>;
  user_id: number;
}

export interface BlackAppeal {
  answer: string | null;
  answer_by: Timestamp;
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  decided_by: number | null;
  entry_id: number;
  id: Generated<number>;
  pictures: Generated<Json>;
  status: Generated<string>;
  text: string;
  user_id: number;
}

export interface BlackEntry {
  amount_fen: number | null;
  created_at: Generated<Timestamp>;
  dispute_id: number | null;
  dist_id: number;
  expires_at: Timestamp | null;
  game_id: number | null;
  happened_on: Timestamp | null;
  id: Generated<number>;
  listed_at: Timestamp | null;
  order_id: number | null;
  pictures: Generated<Json>;
  public_text: string | null;
  reason: string;
  reporter_id: number | null;
  review_note: string | null;
  reviewed_by: number | null;
  sn: string;
  source: Generated<string>;
  status: Generated<string>;
  text: string;
  title: string;
  updated_at: Generated<Timestamp>;
  views: Generated<number>;
}

export interface BlackEvent {
  actor: string;
  created_at: Generated<Timestamp>;
  entry_id: number;
  explain: Generated<string>;
  id: Generated<number>;
  kind: string;
}

export interface BlackExternal {
  asked_at: Generated<Timestamp>;
  detail: Generated<Json>;
  good_until: Timestamp;
  kind: string;
  value_hash: Buffer;
  verdict: number;
}

export interface BlackKey {
  entry_id: number;
  kind: string;
  value_hash: Buffer;
  value_mask: string;
}

export interface BlockedWord {
  created_at: Generated<Timestamp>;
  created_by: number | null;
  ended_at: Timestamp | null;
  ended_by: number | null;
  ended_reason: string | null;
  hits: Generated<number>;
  id: Generated<number>;
  last_hit_at: Timestamp | null;
  level: string;
  note: Generated<string>;
  plain: string;
  version: Generated<number>;
  word: string;
}

export interface BooksBlock {
  after_id: number;
  checked_at: Generated<Timestamp>;
  fen: number;
  hash: Buffer | null;
  is_broken: Generated<boolean>;
  proved_at: Generated<Timestamp>;
  to_id: number;
  transfers: number;
}

export interface BooksCheck {
  breaches: string[] | null;
  day: Timestamp;
  ended_at: Timestamp | null;
  id: Generated<number>;
  started_at: Generated<Timestamp>;
  transfers: number | null;
}

export interface BooksProgress {
  account: Generated<string>;
  breaches: Generated<string[]>;
  one: Generated<boolean>;
  seen_at: Generated<Timestamp>;
  seen_id: Generated<number>;
  seen_xid: Generated<number>;
}

export interface BoostRequest {
  area: string;
  buyer_id: number;
  created_at: Generated<Timestamp>;
  dist_id: number;
  efficiency_fen: Generated<number>;
  ended_at: Timestamp | null;
  expires_at: Timestamp;
  from_rank: Generated<string>;
  game_id: number;
  goods_fen: number;
  id: Generated<number>;
  kind: number | null;
  milestones: Json;
  minutes: number;
  mode: string;
  note: Generated<string>;
  num: Generated<number>;
  order_id: number | null;
  price: Json;
  safety_fen: Generated<number>;
  scope_kind: string;
  sn: string;
  status: Generated<string>;
  to_rank: Generated<string>;
  total_fen: number;
}

export interface BoostTransition {
  from_state: string;
  to_state: string;
}

export interface BrandDraft {
  base_version: number;
  content: Json;
  dist_id: number;
  staff_id: number;
  updated_at: Generated<Timestamp>;
}

export interface BrandPlan {
  created_at: Generated<Timestamp>;
  created_by: number | null;
  dist_id: number;
  reason: string;
  starts_at: Timestamp;
  version: number;
}

export interface BrandPublication {
  dist_id: number;
  id: Generated<number>;
  published_at: Generated<Timestamp>;
  published_by: number | null;
  version: number;
}

export interface BrandTerms {
  commission_bp: number;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  dist_id: number;
  mark_up_bp: number;
  reason: string;
  starts_at: Timestamp;
  version: number;
}

export interface BrandVersion {
  content: Json;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  dist_id: number;
  reason: string;
  restored_from: number | null;
  version: number;
}

export interface CannedAnswer {
  dist_id: number | null;
  game_id: number | null;
  grp: Generated<string>;
  id: Generated<number>;
  shortcut: string | null;
  sort: Generated<number>;
  staff_id: number | null;
  status: Generated<number>;
  text: string;
  title: string;
  updated_at: Generated<Timestamp>;
  uses: Generated<number>;
}

export interface CatalogueVersion {
  body: Json;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  game_id: number;
  kind: string;
  version: number;
}

export interface ChannelMovement {
  at: Timestamp | null;
  channel: string | null;
  fen: number | null;
  kind: string | null;
  number: string | null;
  order_id: number | null;
  origin_sn: string | null;
  transfer_id: number | null;
  user_id: number | null;
}

export interface ChannelStatement {
  channel: string;
  created_at: Generated<Timestamp>;
  day: Timestamp;
  fee_fen: Generated<number>;
  file_name: string | null;
  id: Generated<number>;
  imported_by: number | null;
  lines: Generated<number>;
  pay_fen: Generated<number>;
  refund_fen: Generated<number>;
  sha256: Buffer | null;
  source: Generated<string>;
  transfer_fen: Generated<number>;
}

export interface ChannelStatementLine {
  amount_fen: number;
  at: Timestamp | null;
  difference: string | null;
  inter_sn: string | null;
  kind: string;
  line_no: number;
  origin_sn: string | null;
  statement_id: number;
  trade_no: string;
  transfer_id: number | null;
}

export interface ChatAssignment {
  by_staff_id: number | null;
  first_reply_at: Timestamp | null;
  from_at: Generated<Timestamp>;
  group_id: number;
  id: Generated<number>;
  reason: string;
  solved_at: Timestamp | null;
  staff_id: number;
  to_at: Timestamp | null;
}

export interface ChatGateway {
  node: string;
  seen_at: Generated<Timestamp>;
}

export interface ChatGroup {
  created_at: Generated<Timestamp>;
  dist_id: number;
  goods_id: number | null;
  group_type: number;
  id: Generated<number>;
  last_at: Generated<Timestamp>;
  last_seq: Generated<number>;
  order_id: number | null;
  reply_by: Timestamp | null;
  status: Generated<number>;
  step_by: Timestamp | null;
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
  reminded_seq: Generated<number>;
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

export interface ChatPresence {
  member: string;
  node: string;
}

export interface ChatTicket {
  dist_id: number;
  expires_at: Timestamp;
  id_hash: Buffer;
  member: string;
  session_hash: Buffer;
}

export interface CoinRatioDay {
  area_id: number;
  coin_type: Generated<number>;
  day: Timestamp;
  deals: Generated<number>;
  game_id: number;
  high_e4: number;
  last_deal_e4: number | null;
  low_e4: number;
  made_at: Generated<Timestamp>;
  offers: Generated<number>;
  typical_e4: number;
  unit: string;
}

export interface CoinViewDay {
  day: Timestamp;
  provider_id: number;
  views: number;
}

export interface CompanionSlot {
  during: string;
  order_id: number;
  provider_id: number;
}

export interface CompanionTransition {
  from_state: string;
  to_state: string;
}

export interface Consent {
  created_at: Generated<Timestamp>;
  ip: string | null;
  text_code: string;
  text_version: number;
  user_id: number;
}

export interface CooperationRequest {
  company: Generated<string>;
  contact_enc: Buffer | null;
  created_at: Generated<Timestamp>;
  dist_id: number;
  games: Generated<number[]>;
  handled_at: Timestamp | null;
  id: Generated<number>;
  kind: string;
  name_enc: Buffer;
  note: string | null;
  phone_enc: Buffer;
  phone_mask: string;
  sn: string;
  staff_id: number | null;
  status: Generated<string>;
  text: string;
  user_id: number | null;
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
  created_by: number | null;
  dist_id: number | null;
  ends_at: Timestamp;
  id: Generated<number>;
  kind: string;
  minimum_fen: Generated<number>;
  name: string;
  note: Generated<string>;
  odds_bp: number | null;
  opened_by: number | null;
  per_person: Generated<number>;
  starts_at: Timestamp;
  status: Generated<number>;
  stock: number;
  stop_reason: string | null;
  stopped_at: Timestamp | null;
  stopped_by: number | null;
  total: number;
  valid_days: number;
}

export interface CredentialOpening {
  id: Generated<number>;
  opened_at: Generated<Timestamp>;
  opener: string;
  order_id: number;
  party: string;
  purpose: string;
  step: number;
  version: number;
}

export interface DataExport {
  body_enc: Buffer | null;
  bytes: number | null;
  created_at: Generated<Timestamp>;
  dist_id: number;
  expires_at: Timestamp | null;
  id: Generated<number>;
  ready_at: Timestamp | null;
  removed_at: Timestamp | null;
  status: Generated<string>;
  user_id: number;
}

export interface DataKey {
  active_at: Generated<Timestamp>;
  created_at: Generated<Timestamp>;
  drained_at: Timestamp | null;
  id: number;
  purpose: string;
  secret_mark: Buffer;
  wrapped: Buffer;
}

export interface DeadLetter {
  attempts: number;
  decided_at: Timestamp | null;
  error: string;
  first_failed_at: Timestamp;
  id: Generated<number>;
  last_failed_at: Generated<Timestamp>;
  name: string;
  note: string | null;
  payload: Generated<Json>;
  ref: string;
  staff_id: number | null;
  status: Generated<string>;
  what: string;
}

export interface DealDay {
  day: Timestamp;
  deals: number;
  game_id: number;
  type_id: number;
}

export interface DealFigure {
  day: Timestamp | null;
  deals: number | null;
  game_id: number | null;
  type_id: number | null;
}

export interface Debt {
  amount_fen: number;
  code: string;
  created_at: Generated<Timestamp>;
  creditor: string;
  debtor: Generated<string>;
  debtor_dist: number | null;
  debtor_user: number | null;
  dist_id: number;
  id: Generated<number>;
  order_id: number | null;
  paid_fen: Generated<number>;
  parts: Generated<number>;
  reason: string;
  ref: string;
  settled_at: Timestamp | null;
}

export interface DepositEntry {
  amount_fen: number;
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  kind: number;
  order_id: number | null;
  reason: string;
  ref: string;
  role: string;
  rule_no: string | null;
  user_id: number;
}

export interface DepositLevel {
  amount_fen: number | null;
  benefits: Json | null;
  level: number | null;
  limits: Json | null;
  name: string | null;
  release_days: number | null;
  role: string | null;
}

export interface DepositPenalty {
  amount_fen: number;
  created_at: Generated<Timestamp>;
  decided_by: number | null;
  dispute_id: number | null;
  id: Generated<number>;
  order_id: number | null;
  reason: string;
  role: Generated<string>;
  rule_no: string;
  rule_version: number;
  to_user_id: number | null;
  user_id: number;
}

export interface DepositRelease {
  amount_fen: number;
  created_at: Generated<Timestamp>;
  dist_id: number;
  done_at: Timestamp | null;
  id: Generated<number>;
  reason: string | null;
  release_at: Timestamp;
  role: string;
  sn: string;
  status: Generated<string>;
  user_id: number;
}

export interface Dispute {
  answer_by: Timestamp | null;
  appeal_staff_id: number | null;
  appeal_until: Timestamp | null;
  back_fen: number | null;
  buyer_accepted_at: Timestamp | null;
  closed_at: Timestamp | null;
  dist_id: number;
  escalated: Generated<boolean>;
  first_look_at: Timestamp | null;
  first_look_by: Timestamp;
  id: Generated<number>;
  opened_at: Generated<Timestamp>;
  opener_belong: number;
  opener_id: number;
  order_id: number;
  outcome: string | null;
  owed_fen: Generated<number>;
  reason_code: string;
  reason_version: Generated<number>;
  refunded_fen: number | null;
  rule_by: Timestamp | null;
  seller_accepted_at: Timestamp | null;
  sn: string;
  staff_id: number | null;
  status: Generated<string>;
  stopped: Generated<Json>;
  to_seller_fen: number | null;
  want: string;
  want_fen: Generated<number>;
}

export interface DisputeAppeal {
  created_at: Generated<Timestamp>;
  dispute_id: number;
  pictures: Generated<Json>;
  reason: string;
  user_id: number;
}

export interface DisputeEvent {
  actor: string;
  created_at: Generated<Timestamp>;
  dispute_id: number;
  explain: string;
  id: Generated<number>;
  kind: string;
}

export interface DisputeReason {
  code: string;
  evidence: Generated<string>;
  form: Generated<Json>;
  goods_types: number[] | null;
  name: string;
  order_states: Generated<number[]>;
  sort: Generated<number>;
  status: Generated<number>;
  version: Generated<number>;
}

export interface DisputeReasonVersion {
  code: string;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  evidence: string;
  form: Json;
  goods_types: number[] | null;
  name: string;
  order_states: number[];
  reason: Generated<string>;
  sort: number;
  status: number;
  version: number;
}

export interface DisputeRuling {
  approval_id: number | null;
  back_fen: Generated<number>;
  created_at: Generated<Timestamp>;
  dispute_id: number;
  id: Generated<number>;
  penalty_fen: Generated<number>;
  penalty_user: number | null;
  public_text: string | null;
  reason: string;
  refund_fen: number;
  release_fen: number;
  staff_id: number;
  stage: number;
}

export interface DisputeRulingRule {
  rule_no: string;
  rule_version: number;
  ruling_id: number;
}

export interface DisputeStatement {
  answers: Generated<Json>;
  belong: number;
  created_at: Generated<Timestamp>;
  dispute_id: number;
  id: Generated<number>;
  kind: string;
  pictures: Generated<Json>;
  text: Generated<string>;
  user_id: number;
}

export interface DistHost {
  created_at: Generated<Timestamp>;
  created_by: number | null;
  dist_id: number;
  host: string;
  is_primary: Generated<boolean>;
  redirects: Generated<boolean>;
}

export interface Distributor {
  code: string;
  /**
   * Share of the fees before the first row of brand_terms
   */
  commission_bp: Generated<number>;
  conf: Generated<Json>;
  created_at: Generated<Timestamp>;
  games: number[] | null;
  id: Generated<number>;
  /**
   * Mark-up before the first row of brand_terms
   */
  mark_up_bp: Generated<number>;
  name: string;
  status: Generated<number>;
  suspend_notice: Generated<string>;
  suspended_at: Timestamp | null;
  theme: Generated<Json>;
  version: Generated<number>;
}

export interface DistSettlement {
  amount_fen: number;
  asked_by: number;
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  decided_by: number | null;
  dist_id: number;
  first_by: number | null;
  id: Generated<number>;
  note: string | null;
  receipt_no: string | null;
  sn: string;
  status: Generated<number>;
}

export interface EventCase {
  amount_fen: number | null;
  author_id: number | null;
  blocks: Json;
  claim_id: number | null;
  code: string;
  cover_key: string | null;
  created_at: Generated<Timestamp>;
  dispute_id: number | null;
  dist_id: number | null;
  game_id: number | null;
  happened_on: Timestamp | null;
  id: Generated<number>;
  kind: string;
  published_at: Timestamp | null;
  result: Generated<string>;
  status: Generated<number>;
  summary: string;
  title: string;
  updated_at: Generated<Timestamp>;
  views: Generated<number>;
}

export interface FakeServiceReport {
  black_id: number | null;
  contact_enc: Buffer | null;
  created_at: Generated<Timestamp>;
  dist_id: number;
  handled_at: Timestamp | null;
  handled_by: number | null;
  id: Generated<number>;
  kind: string;
  note: string | null;
  pictures: Generated<Json>;
  status: Generated<string>;
  text: string;
  user_id: number | null;
  value_enc: Buffer;
  value_hash: Buffer;
  value_mask: string;
}

export interface FormerPerson {
  closed_at: Generated<Timestamp>;
  id_hash: Buffer;
  user_id: number;
}

export interface FundRelease {
  amount_fen: number;
  approval_id: number | null;
  claim_id: number | null;
  code: string;
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  ref: string;
}

export interface Game {
  /**
   * Other names that people search a game by.
   */
  aliases: Generated<string[]>;
  code: string;
  coin_ratio: Numeric | null;
  coin_unit: string | null;
  created_at: Generated<Timestamp>;
  /**
   * Goods type that a search in this game starts with (product.md 9).
   */
  default_type: Generated<number>;
  game_type: number;
  glyph: Generated<string>;
  goods_types: Json;
  hot: Generated<number>;
  hue: Generated<number>;
  icon_key: string | null;
  id: number;
  initial: string;
  initials: string;
  name: string;
  pinyin: string;
  scene: Generated<string>;
  status: Generated<number>;
  version: Generated<number>;
}

export interface GameArea {
  game_id: number;
  id: number;
  name: string;
  sort: Generated<number>;
  status: Generated<number>;
}

export interface GameDraft {
  base_version: number;
  doc: Json;
  game_id: number;
  rev: number;
  updated_at: Generated<Timestamp>;
  updated_by: number | null;
}

export interface GameServer {
  area_id: number;
  id: number;
  merged_into: number | null;
  name: string;
  sort: Generated<number>;
  status: Generated<number>;
}

export interface GameVersion {
  changes: Json;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  doc: Json;
  game_id: number;
  reason: string;
  source: string;
  version: number;
}

export interface Goods {
  account_hint: string | null;
  account_near: Buffer | null;
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
  password_due_at: Timestamp | null;
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

export interface GoodsFinding {
  created_at: Generated<Timestamp>;
  goods_id: number;
  sealed: Buffer;
}

export interface GoodsFollow {
  alert_back: Generated<boolean>;
  alert_drop: Generated<boolean>;
  created_at: Generated<Timestamp>;
  goods_id: number;
  price_fen: number;
  told_back_at: Timestamp | null;
  told_fen: number | null;
  user_id: number;
}

export interface GoodsPriceDay {
  goods_id: number;
  price_fen: number;
  until: Generated<Timestamp>;
}

export interface GoodsQuestion {
  answer: string | null;
  answer_hidden_at: Timestamp | null;
  answer_hidden_reason: string | null;
  answered_at: Timestamp | null;
  content: string;
  created_at: Generated<Timestamp>;
  dist_id: number;
  goods_id: number;
  hidden_at: Timestamp | null;
  hidden_reason: string | null;
  id: Generated<number>;
  is_private: Generated<boolean>;
  merged_at: Timestamp | null;
  seller_id: number;
  user_id: number;
}

export interface GoodsReference {
  game_id: number;
  goods_id: number;
  high_fen: number;
  low_fen: number;
  made_at: Generated<Timestamp>;
  model_version: number;
  samples: number;
  typical_fen: number;
  wide: boolean;
}

export interface GoodsReport {
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  decided_by: number | null;
  decision: string | null;
  dist_id: number;
  goods_id: number;
  id: Generated<number>;
  is_false: Generated<boolean>;
  note: Generated<string>;
  part: string;
  pictures: Generated<Json>;
  question_id: number | null;
  reason_code: string;
  reason_version: number;
  status: Generated<string>;
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
  game_id: number | null;
  goods_id: number;
  views: Generated<number>;
}

export interface GoodsView {
  goods_id: number;
  user_id: number;
  viewed_at: Generated<Timestamp>;
}

export interface GoodsViewDay {
  day: Timestamp;
  game_id: number;
  views: number;
}

export interface GoodsWeek {
  follows: Generated<number>;
  goods_id: number;
  views: Generated<number>;
  week: Timestamp;
}

export interface GuaranteeCertificate {
  body: Json;
  body_hash: Buffer;
  cover_id: number;
  holder_seq: number;
  issued_at: Generated<Timestamp>;
  no: string;
  replaced_by: string | null;
}

export interface GuaranteeClaim {
  asked_fen: number;
  chase_days: number;
  chase_from: Timestamp | null;
  cover_id: number;
  deadline_at: Timestamp | null;
  debt_fen: Generated<number>;
  decide_by: Timestamp | null;
  decided_at: Timestamp | null;
  dist_id: number;
  escalated_for: Generated<string[]>;
  explain: string;
  fingerprint: Buffer | null;
  first_look_by: Timestamp;
  id: Generated<number>;
  opened_at: Generated<Timestamp>;
  order_id: number;
  paid_fen: Generated<number>;
  paid_note: string | null;
  penalty_fen: Generated<number>;
  pictures: Generated<Json>;
  reason: string;
  recourse_fen: Generated<number>;
  refusal: string | null;
  sn: string;
  spares_seller: Generated<boolean>;
  staff_id: number | null;
  status: Generated<string>;
  stopped: Generated<Json>;
  user_id: number;
}

export interface GuaranteeClaimStep {
  actor: string;
  claim_id: number;
  created_at: Generated<Timestamp>;
  day: Generated<number>;
  pictures: Generated<Json>;
  seq: number;
  text: string;
}

export interface GuaranteeCover {
  created_at: Generated<Timestamp>;
  dist_id: number;
  ends_at: Timestamp | null;
  fingerprint: Buffer | null;
  goods_id: number | null;
  holder_id: number;
  id: Generated<number>;
  kind: string;
  order_id: number;
  payout_max_fen: number;
  premium_fen: number;
  price_fen: number;
  starts_at: Timestamp | null;
  status: Generated<string>;
  terms: Json;
  tier_id: number;
}

export interface GuaranteeHolder {
  cover_id: number;
  from_at: Generated<Timestamp>;
  order_id: number;
  seq: number;
  to_at: Timestamp | null;
  user_id: number;
}

export interface GuaranteeMonth {
  claims: number;
  covers: number;
  game_id: number;
  made_at: Generated<Timestamp>;
  median_hours: number | null;
  month: Timestamp;
  paid: number;
  paid_fen: number;
  premium_fen: number;
  recovered: number;
  refusals: Generated<Json>;
  refused: number;
}

export interface GuaranteeReceipt {
  amount_fen: number;
  claim_id: number;
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  note: string;
  paid_on: Timestamp;
  pictures: Json;
  staff_id: number;
  struck_at: Timestamp | null;
  struck_by: number | null;
}

export interface GuaranteeTier {
  approved_by: number | null;
  chase_days: Generated<number>;
  code: string;
  cover_days: number | null;
  cover_text: string;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  exclusions: Generated<Json>;
  games: number[] | null;
  goods_types: Generated<number[]>;
  id: number;
  kind: string;
  min_fen: Generated<number>;
  name: string;
  payout_bp: Generated<number>;
  rate_bp: number;
  reason: Generated<string>;
  reasons: Generated<Json>;
  revoked_at: Timestamp | null;
  revoked_by: number | null;
  sort: Generated<number>;
  status: Generated<number>;
  valid_from: Generated<Timestamp>;
  version: Generated<number>;
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
  short_fen: Generated<number>;
  user_id: number;
}

export interface HoldStage {
  amount_fen: number;
  before_end: number;
  hold_id: number;
  released_at: Timestamp | null;
  seq: number;
}

export interface Idempotency {
  created_at: Generated<Timestamp>;
  endpoint: string;
  facts: Json | null;
  key: string;
  request_hash: string;
  scope: string;
}

export interface ImportJob {
  body: Buffer | null;
  bytes: number;
  columns: Generated<Json>;
  corrected: Generated<number>;
  created_at: Generated<Timestamp>;
  dist_id: number | null;
  done_rows: Generated<number>;
  existing: Generated<number>;
  failure: string | null;
  file_name: string;
  finished_at: Timestamp | null;
  id: Generated<number>;
  imported: Generated<number>;
  notes: Generated<Json>;
  publish: Generated<boolean>;
  refused: Generated<number>;
  seller_id: number | null;
  staff_id: number;
  started_at: Timestamp | null;
  status: Generated<string>;
  total_rows: number;
}

export interface ImportRow {
  cells: Json | null;
  goods_id: number | null;
  import_key: string | null;
  job_id: number;
  line: number;
  note: Generated<string>;
  verdict: string;
}

export interface Inspection {
  differs: Generated<boolean>;
  field: string;
  goods_id: number;
  label: string;
  picture_key: string | null;
  read_at: Timestamp;
  reader: string;
  said: Generated<string>;
  task_id: number | null;
  value: string;
}

export interface InspectionClaim {
  amount_fen: number;
  buyer_id: number;
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  dist_id: number;
  field: string;
  found: string;
  id: Generated<number>;
  label: string;
  note: Generated<string>;
  order_id: number;
  pictures: Json;
  reading: string;
  staff_id: number | null;
  status: Generated<string>;
  task_id: number;
}

export interface InspectionReading {
  created_at: Generated<Timestamp>;
  differs: boolean;
  field: string;
  found: string;
  label: string;
  said: string;
  task_id: number;
  value: Json | null;
}

export interface InspectionTask {
  asked_by: string;
  buyer_id: number | null;
  claimed_at: Timestamp | null;
  closed_reason: string | null;
  created_at: Generated<Timestamp>;
  differs: Generated<number>;
  dist_id: number;
  done_at: Timestamp | null;
  due_at: Timestamp | null;
  erased_at: Timestamp | null;
  fee_fen: Generated<number>;
  goods_id: number;
  id: Generated<number>;
  kind: string;
  opened_at: Timestamp | null;
  opened_count: Generated<number>;
  pictures: Generated<Json>;
  sealed_at: Timestamp | null;
  sealed_enc: Buffer | null;
  staff_id: number | null;
  status: Generated<string>;
}

export interface InspectionTransition {
  from_status: string;
  to_status: string;
}

export interface JobMark {
  at: Generated<Timestamp>;
  id: Generated<number>;
  name: string;
}

export interface KnownDevice {
  agent_hash: Buffer;
  first_at: Generated<Timestamp>;
  last_at: Generated<Timestamp>;
  user_id: number;
}

export interface League {
  created_by: number | null;
  dist_id: number | null;
  ends_on: Timestamp;
  game_id: number;
  id: Generated<number>;
  logo_key: string | null;
  name: string;
  sort: Generated<number>;
  stage: Generated<string>;
  starts_on: Timestamp;
  /**
   * 0 draft, 1 published, 2 withdrawn
   */
  status: Generated<number>;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
}

export interface LeagueMatch {
  away_id: number;
  away_score: Generated<number>;
  best_of: Generated<number>;
  home_id: number;
  home_score: Generated<number>;
  id: Generated<number>;
  league_id: number;
  starts_at: Timestamp;
  status: Generated<string>;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
  watch_url: string | null;
}

export interface LeagueTeam {
  dist_id: number | null;
  id: Generated<number>;
  logo_key: string | null;
  name: string;
  short_name: string;
  version: Generated<number>;
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

export interface LegalText {
  blocks: Json;
  code: string;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  in_force_from: Timestamp;
  needs_consent: Generated<boolean>;
  reason: Generated<string>;
  revoked_at: Timestamp | null;
  revoked_by: number | null;
  title: string;
  version: number;
}

export interface LimitCounter {
  hits: number;
  key: string;
  reset_at: Timestamp;
}

export interface LinkMark {
  created_at: Generated<Timestamp>;
  kind: string;
  reason: string;
  staff_id: number;
  user_a: number;
  user_b: number;
}

export interface LinkPush {
  dist_id: number;
  goods_id: number | null;
  outcome: string | null;
  path: string;
  queued_at: Generated<Timestamp>;
  sent_at: Timestamp | null;
}

export interface LinkPushSite {
  accepted: Generated<number>;
  day: Timestamp | null;
  dist_id: number;
  failed_at: Timestamp | null;
  fails: Generated<number>;
  failure: string | null;
  held_until: Timestamp | null;
  most: number | null;
  remaining: number | null;
  sent_at: Timestamp | null;
  set_at: Generated<Timestamp>;
  set_by: number | null;
  token_enc: Buffer;
}

export interface ListingImport {
  bytes: number;
  columns: Json;
  created_at: Generated<Timestamp>;
  defaults: Generated<Json>;
  digest: Buffer;
  dist_id: number;
  failure: string | null;
  file_name: string;
  finished_at: Timestamp | null;
  game_id: number | null;
  id: Generated<number>;
  kind: string;
  mapping: Generated<Json>;
  notes: Generated<Json>;
  removed_at: Timestamp | null;
  status: Generated<string>;
  type_id: number | null;
  user_id: number;
  waits_until: Timestamp | null;
}

export interface ListingImportPicture {
  created_at: Generated<Timestamp>;
  failure: string | null;
  import_id: number;
  is_url: boolean;
  picture_key: string | null;
  source: string;
  stem: string | null;
}

export interface ListingImportRow {
  cells: Json | null;
  edits: Generated<Json>;
  goods_id: number | null;
  import_id: number;
  line: number;
  marks: Generated<Json>;
  notes: Generated<Json>;
  problems: Generated<Json>;
  state: Generated<string>;
}

export interface LotteryDraw {
  campaign_id: number | null;
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  roll: number;
  user_id: number;
}

export interface MiddlemanDeal {
  account_hint: string | null;
  account_near: Buffer | null;
  answered_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  description: Generated<string>;
  dist_id: number;
  expires_at: Timestamp;
  fee_fen: number;
  fee_side: string;
  fingerprint: Buffer | null;
  game_id: number | null;
  id: Generated<number>;
  link_hash: Buffer;
  opener_belong: number;
  opener_id: number;
  order_id: number | null;
  partner_id: number | null;
  pictures: Generated<Json>;
  price_fen: number;
  server_id: number | null;
  sn: string;
  status: Generated<string>;
  title: string;
  type_id: Generated<number>;
}

export interface News {
  author_id: number | null;
  blocks: Json;
  category: string;
  code: string;
  cover_key: string | null;
  created_at: Generated<Timestamp>;
  dist_id: number | null;
  game_id: number | null;
  id: Generated<number>;
  pinned: Generated<boolean>;
  /**
   * From when it is shown once it is published; planned while it is a draft
   */
  published_at: Timestamp | null;
  published_until: Timestamp | null;
  status: Generated<number>;
  summary: Generated<string>;
  title: string;
  updated_at: Generated<Timestamp>;
  /**
   * The version of what stands here; newer ones in news_version are drafts
   */
  version: Generated<number>;
  views: Generated<number>;
}

export interface NewsVersion {
  content: Json;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  news_id: number;
  restored_from: number | null;
  version: number;
}

export interface Notice {
  body: string;
  created_at: Generated<Timestamp>;
  dist_id: number;
  id: Generated<number>;
  kind: string;
  link: string | null;
  read_at: Timestamp | null;
  ref: string;
  removed_at: Timestamp | null;
  title: string;
  user_id: number;
}

export interface NoticeDelivery {
  attempts: Generated<number>;
  body: string | null;
  channel: string;
  claimed_at: Timestamp | null;
  /**
   * Goes out with the others of its person and channel, as one message a day.
   */
  digest: Generated<boolean>;
  done_at: Timestamp | null;
  due_at: Generated<Timestamp>;
  error: string | null;
  id: Generated<number>;
  notice_id: number;
  status: Generated<string>;
  title: string | null;
  user_id: number;
  vendor_ref: string | null;
}

export interface NoticeKind {
  channels: string[];
  code: string;
  grp: string;
  name: string;
  optional: Generated<boolean>;
  sort: Generated<number>;
  urgent: Generated<boolean>;
  version: Generated<number>;
}

export interface NoticePreference {
  channels: string[];
  frequency: Generated<string>;
  kind: string;
  updated_at: Generated<Timestamp>;
  user_id: number;
}

export interface NoticeQuiet {
  from_minute: number;
  to_minute: number;
  user_id: number;
}

export interface NoticeTemplate {
  body: string;
  channel: string;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  kind: string;
  /**
   * Inside the site; {name} marks are filled and percent-encoded.
   */
  link: string | null;
  reason: Generated<string>;
  removed: Generated<boolean>;
  title: string;
  vendor_template: string | null;
  version: number;
}

export interface OfficialNumber {
  created_at: Generated<Timestamp>;
  created_by: number | null;
  dist_id: number | null;
  duty: Generated<string>;
  id: Generated<number>;
  kind: string;
  name: string;
  show_value: string | null;
  staff_id: number | null;
  valid_from: Generated<Timestamp>;
  valid_until: Timestamp | null;
  value_enc: Buffer;
  value_hash: Buffer;
  value_mask: string;
}

export interface OnSale {
  game_id: number;
  n: number;
  type_id: number;
}

export interface OnSaleDelta {
  game_id: number;
  id: Generated<number>;
  n: number;
  type_id: number;
}

export interface OnSaleFigure {
  game_id: number | null;
  n: number | null;
  type_id: number | null;
}

export interface OrderContact {
  body_enc: Buffer | null;
  created_at: Generated<Timestamp>;
  erased_at: Timestamp | null;
  order_id: number;
  updated_at: Generated<Timestamp>;
  user_id: number;
}

export interface OrderDay {
  amount: number;
  day: Timestamp;
  dist_id: number;
  figure: string;
  n: number;
}

export interface OrderDelta {
  amount: number;
  day: Timestamp;
  dist_id: number;
  figure: string;
  game_id: number | null;
  id: Generated<number>;
  n: number;
  seller_id: number;
  type_id: number;
}

export interface OrderExchange {
  code_at: Timestamp | null;
  code_enc: Buffer | null;
  code_opened_at: Timestamp | null;
  code_version: Generated<number>;
  missing_at: Timestamp | null;
  more_at: Timestamp | null;
  moves: Generated<number>;
  order_id: number;
  started_at: Timestamp | null;
  step: number;
  target_at: Timestamp | null;
  target_enc: Buffer | null;
  target_hint: string | null;
  target_opened_at: Timestamp | null;
  target_openings: Generated<number>;
  target_refused_at: Timestamp | null;
  target_version: Generated<number>;
}

export interface OrderFigure {
  amount: number | null;
  day: Timestamp | null;
  dist_id: number | null;
  figure: string | null;
  n: number | null;
}

export interface OrderHandover {
  actor: string;
  before_ship: boolean;
  done_at: Timestamp | null;
  done_by: string | null;
  evidence: boolean;
  exchange: string | null;
  explain: string;
  fields: Generated<Json>;
  key: string;
  minutes: number;
  note: string | null;
  order_id: number;
  pictures: Generated<Json>;
  required: boolean;
  secret: boolean;
  skipped: Generated<boolean>;
  step: number;
  title: string;
}

export interface OrderKey {
  created_at: Generated<Timestamp>;
  erased_at: Timestamp | null;
  order_id: number;
  wrapped: Buffer | null;
}

export interface OrderProcess {
  actor: string;
  created_at: Generated<Timestamp>;
  explain: string;
  id: Generated<number>;
  order_id: number;
  order_status: number;
}

export interface OrderRecount {
  counted_at: Generated<Timestamp>;
  day: Timestamp;
  differences: Generated<number>;
}

export interface OrderReview {
  answer: string | null;
  answer_hidden_at: Timestamp | null;
  answer_hidden_reason: string | null;
  answered_at: Timestamp | null;
  belong: number;
  content: Generated<string>;
  created_at: Generated<Timestamp>;
  dist_id: number;
  excluded: string | null;
  game_id: number | null;
  goods_id: number | null;
  hidden_at: Timestamp | null;
  hidden_reason: string | null;
  id: Generated<number>;
  order_id: number;
  score: number;
  tags: Generated<string[]>;
  target_id: number;
  type_id: number;
  user_id: number;
}

export interface Orders {
  advance_fen: Generated<number>;
  advance_goods_fen: Generated<number>;
  auto_confirm_at: Timestamp | null;
  bargain_id: number | null;
  buyer_id: number;
  buyer_opened_at: Timestamp | null;
  cancel_asked_at: Timestamp | null;
  commission_fen: Generated<number>;
  completed_at: Timestamp | null;
  confirm_stopped_at: Timestamp | null;
  coupon_id: number | null;
  created_at: Generated<Timestamp>;
  credential_opened_at: Timestamp | null;
  cut_fen: Generated<number>;
  delivered_at: Timestamp | null;
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
  late_end_at: Timestamp | null;
  late_warned_at: Timestamp | null;
  /**
   * The buyer's word on the mark; null while there is none.
   */
  offline_agreed: boolean | null;
  /**
   * How the seller says it was handed over: 1 in person, 2 face to face in the game, 3 guided by voice or remotely. Null = on the site.
   */
  offline_mark: number | null;
  paid_at: Timestamp | null;
  self_placed: Generated<boolean>;
  seller_id: number;
  service_fee_fen: Generated<number>;
  ship_by: Timestamp | null;
  shipped_at: Timestamp | null;
  shut_at: Timestamp | null;
  sn: string;
  snapshot: Json;
  staff_id: number | null;
  status: Generated<number>;
  total_fen: number;
  touched_at: Timestamp | null;
  type_id: number;
  unit_price_fen: number;
  unpaid_end_at: Timestamp | null;
}

export interface OrderStepRuledOut {
  after_step: number;
  key: string;
  order_id: number;
  reason: string;
  title: string;
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
  asked_at: Timestamp | null;
  attempt_of: number | null;
  balance_part_fen: Generated<number>;
  channel: string;
  channel_trade_no: string | null;
  created_at: Generated<Timestamp>;
  deposit_level: number | null;
  deposit_role: string | null;
  dist_id: number;
  dropped_at: Timestamp | null;
  expires_at: Timestamp;
  id: Generated<number>;
  inter_sn: string;
  lead: Json | null;
  order_id: number | null;
  paid_at: Timestamp | null;
  pay_mode: number;
  pay_rand: string;
  purpose: string;
  qr_text: string | null;
  refund_to_balance: Generated<boolean>;
  return_url: string | null;
  status: Generated<number>;
  user_id: number;
  way: Generated<string>;
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

export interface PayoutLine {
  amount_fen: number;
  booked_at: Timestamp | null;
  booked_by: number | null;
  detail: string | null;
  draft_at: Timestamp | null;
  draft_by: number | null;
  draft_detail: string | null;
  draft_no: Generated<number>;
  draft_result: string | null;
  entered_by: number | null;
  id: Generated<number>;
  line_no: number;
  list_id: number;
  result: string | null;
  withdrawal_id: number;
}

export interface PayoutList {
  created_at: Generated<Timestamp>;
  created_by: number;
  file_hash: Buffer;
  format: Generated<number>;
  id: Generated<number>;
  line_count: number;
  sn: string;
  total_fen: number;
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
  source_key: string | null;
  staff_id: number | null;
  width: number;
}

export interface PlatformRule {
  body: string;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  in_force_from: Timestamp;
  no: string;
  reason: Generated<string>;
  retired: Generated<boolean>;
  revoked_at: Timestamp | null;
  revoked_by: number | null;
  title: string;
  version: number;
}

export interface PriceStat {
  game_id: number;
  high_fen: number;
  low_fen: number;
  made_at: Generated<Timestamp>;
  samples: number;
  /**
   * Empty for the whole goods type, else key:min..max of the number that prices follow best.
   */
  segment: Generated<string>;
  type_id: number;
  typical_fen: number;
}

export interface Provider {
  avatar: string | null;
  contact_enc: Buffer | null;
  created_at: Generated<Timestamp>;
  deposit_level: Generated<number>;
  dist_id: number;
  done_count: Generated<number>;
  games: Generated<number[]>;
  id: Generated<number>;
  intro: Generated<string>;
  kind: string;
  name: string;
  no_show_count: Generated<number>;
  on_time_count: Generated<number>;
  online: Generated<boolean>;
  pending: Json | null;
  pictures: Generated<Json>;
  profile: Generated<Json>;
  rating_count: Generated<number>;
  rating_sum: Generated<number>;
  review_note: string | null;
  reviewed_at: Timestamp | null;
  reviewed_by: number | null;
  status: Generated<string>;
  updated_at: Generated<Timestamp>;
  user_id: number;
  voice: string | null;
}

export interface ProviderEvent {
  actor: string;
  created_at: Generated<Timestamp>;
  detail: Generated<Json>;
  id: Generated<number>;
  kind: string;
  provider_id: number;
}

export interface ProviderHours {
  day: number;
  from_minute: number;
  provider_id: number;
  to_minute: number;
}

export interface PushSubscription {
  created_at: Generated<Timestamp>;
  endpoint_enc: Buffer;
  endpoint_hash: Buffer;
  fails: Generated<number>;
  keys_enc: Buffer;
  user_id: number;
}

export interface Quarantine {
  id: Generated<number>;
  reason: string | null;
  released_at: Timestamp | null;
  restored_at: Generated<Timestamp>;
  restored_to: Timestamp;
  source: string;
  staff_id: number | null;
}

export interface QuickCoinOffer {
  area_id: number;
  camp: string | null;
  coin_type: Generated<number>;
  created_at: Generated<Timestamp>;
  delivery: number[];
  dist_id: number;
  game_id: number;
  id: Generated<number>;
  import_key: string | null;
  lot_price_fen: number;
  lot_units: number;
  max_lots: Generated<number>;
  min_lots: Generated<number>;
  note: Generated<string>;
  provider_id: number;
  seller_id: number;
  server_id: number | null;
  ship_minutes: Generated<number>;
  sn: string;
  sold_lots: Generated<number>;
  status: Generated<number>;
  stock: number;
  title: Generated<string>;
  unit: string;
  unit_price_micro: Generated<number>;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
}

export interface QuickCoinOrder {
  area_id: number;
  auction_item: string | null;
  auction_units: number | null;
  coin_units: Generated<number>;
  delivered_at: Timestamp | null;
  delivered_units: Generated<number>;
  delivery: number;
  lot_units: number;
  lots: number;
  meet_place: string | null;
  offer_id: number;
  order_id: number;
  pictures: Generated<Json>;
  role_level: number | null;
  role_name: string;
  server_id: number | null;
  stock_returned: Generated<boolean>;
  unit: string;
}

export interface RealName {
  birth_date: Timestamp;
  created_at: Generated<Timestamp>;
  /**
   * The number of a check by face at the vendor; null for one by name and number alone.
   */
  face_ref: string | null;
  face_until: Timestamp | null;
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

export interface ReconcileDifference {
  channel: string;
  day: Timestamp;
  id: Generated<number>;
  kind: string;
  line_no: Generated<number>;
  note: string | null;
  number: string;
  opened_at: Generated<Timestamp>;
  ours_fen: number | null;
  reason: string;
  resolved_at: Timestamp | null;
  resolved_by: number | null;
  side: string;
  theirs_fen: number | null;
  trade_no: string | null;
  transfer_id: number | null;
}

export interface RecycleCoinOffer {
  area_id: number;
  coin_type: Generated<number>;
  created_at: Generated<Timestamp>;
  delivery: number[];
  game_id: number;
  id: Generated<number>;
  lot_price_fen: number;
  lot_units: number;
  min_lots: Generated<number>;
  recycler_id: number;
  server_id: number | null;
  sn: string;
  status: Generated<number>;
  unit: string;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
  wanted_lots: number;
}

export interface RecycleCoinOrder {
  delivery: number;
  lot_units: number;
  lots: number;
  offer_id: number;
  order_id: number;
  role_name: string;
  unit: string;
  wanted_returned: Generated<boolean>;
}

export interface RecycleQuote {
  amount_fen: number;
  created_at: Generated<Timestamp>;
  fee_fen: Generated<number>;
  id: Generated<number>;
  note: Generated<string>;
  recycler_id: number;
  request_id: number;
  status: Generated<string>;
  updated_at: Generated<Timestamp>;
}

export interface Recycler {
  auto_rules: Generated<Json>;
  created_at: Generated<Timestamp>;
  day_limit_fen: number;
  dist_id: number;
  games: Generated<number[]>;
  is_platform: Generated<boolean>;
  lowered_count: Generated<number>;
  name: string;
  reviewed_by: number | null;
  status: Generated<number>;
  user_id: number;
  won_count: Generated<number>;
}

export interface RecycleReading {
  created_at: Generated<Timestamp>;
  cut_fen: number;
  field: string;
  found: string;
  label: string;
  pictures: Generated<Json>;
  request_id: number;
  said: string;
  staff_id: number;
}

export interface RecycleRequest {
  account_hint: string | null;
  account_near: Buffer | null;
  area_id: number | null;
  best_quote_id: number | null;
  bids_until: Timestamp;
  closed_reason: string | null;
  created_at: Generated<Timestamp>;
  cut_fen: Generated<number>;
  cuts: Generated<Json>;
  details: Generated<Json>;
  dist_id: number;
  due_at: Timestamp | null;
  fields_version: Generated<number>;
  fingerprint: Buffer | null;
  floor_basis: Generated<Json>;
  floor_fen: number | null;
  game_id: number;
  id: Generated<number>;
  order_id: number | null;
  quote_until: Timestamp | null;
  read_by: number | null;
  server_id: number | null;
  sn: string;
  status: Generated<string>;
  type_id: number;
  updated_at: Generated<Timestamp>;
  user_id: number;
}

export interface RecycleTransition {
  from_status: string;
  to_status: string;
}

export interface Refund {
  amount_fen: number;
  cause: string;
  channel: string;
  channel_reason: string | null;
  created_at: Generated<Timestamp>;
  dist_id: number;
  done_at: Timestamp | null;
  id: Generated<number>;
  leased_until: Timestamp | null;
  order_id: number | null;
  payment_id: number;
  reason: string;
  refund_no: string;
  sent_at: Timestamp | null;
  status: Generated<number>;
  user_id: number;
}

export interface RetentionRun {
  deleted: Generated<number>;
  deleted_at: Timestamp | null;
  deleted_total: Generated<number>;
  error: string | null;
  name: string;
  ran_at: Generated<Timestamp>;
}

export interface ReviewReport {
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  decided_by: number | null;
  decision: string | null;
  dist_id: number;
  id: Generated<number>;
  note: Generated<string>;
  part: string;
  reason: string;
  review_id: number;
  status: Generated<string>;
  user_id: number;
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

export interface RuleDraft {
  body: string;
  key: string;
  staff_id: number;
  title: string;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
}

export interface SealedCredential {
  body_enc: Buffer | null;
  created_at: Generated<Timestamp>;
  erased_at: Timestamp | null;
  from_user: number;
  id: Generated<number>;
  order_id: number;
  scheme: Generated<number>;
  step: number;
  version: number;
}

export interface SearchChange {
  at: Generated<Timestamp>;
  goods_id: number;
  id: Generated<number>;
}

export interface SearchFeed {
  building: string | null;
  checked_at: Timestamp | null;
  copied_to: Generated<number>;
  engine: string | null;
  family: Generated<string>;
  fed_at: Generated<Timestamp>;
  is_stale: Generated<boolean>;
  live: string | null;
  live_at: Timestamp | null;
  old: string | null;
  one: Generated<boolean>;
  since_xid: number | null;
}

export interface SearchMiss {
  first_at: Generated<Timestamp>;
  game_id: number | null;
  id: Generated<number>;
  keyword: string;
  last_at: Generated<Timestamp>;
  plain: string;
  set_aside_at: Timestamp | null;
  times: number;
}

export interface SearchMissVisitor {
  keyword: Buffer;
  last_at: Generated<Timestamp>;
  visitor: Buffer;
}

export interface SearchSynonym {
  created_at: Generated<Timestamp>;
  created_by: number | null;
  ended_at: Timestamp | null;
  ended_by: number | null;
  ended_reason: string | null;
  id: Generated<number>;
  meant: string;
  note: Generated<string>;
  plain: string;
  term: string;
  version: Generated<number>;
}

export interface SellerDay {
  day: Timestamp;
  deals: number;
  game_id: number;
  seller_id: number;
}

export interface SellerFigure {
  day: Timestamp | null;
  deals: number | null;
  game_id: number | null;
  seller_id: number | null;
}

export interface SellerLevelChange {
  counted: Json;
  created_at: Generated<Timestamp>;
  from_level: number;
  id: Generated<number>;
  to_level: number;
  user_id: number;
}

export interface SellerStanding {
  computed_at: Generated<Timestamp>;
  counted: Json;
  level: number;
  level_since: Generated<Timestamp>;
  user_id: number;
}

export interface SellerWeek {
  follows: Generated<number>;
  seller_id: number;
  views: Generated<number>;
  week: Timestamp;
}

export interface SellTimeStat {
  day1_bp: number;
  day7_bp: number;
  game_id: number;
  high_hours: number;
  low_hours: number;
  made_at: Generated<Timestamp>;
  median_hours: number;
  price_band: number;
  sold: number;
  type_id: number;
}

export interface ServiceAddition {
  add_fen: Generated<number>;
  add_minutes: Generated<number>;
  add_order_id: number | null;
  answered_at: Timestamp | null;
  asked_by: number;
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  order_id: number;
  reason: string;
  status: Generated<string>;
}

export interface ServiceBlock {
  blocked_id: number;
  created_at: Generated<Timestamp>;
  user_id: number;
}

export interface ServiceCancel {
  answered_at: Timestamp | null;
  asked_by: number;
  computed: Json;
  cost_efficiency_fen: Generated<number>;
  cost_safety_fen: Generated<number>;
  created_at: Generated<Timestamp>;
  dispute_id: number | null;
  id: Generated<number>;
  order_id: number;
  pay_fen: number;
  reason: string;
  status: Generated<string>;
}

export interface ServiceMilestone {
  answered_at: Timestamp | null;
  note: Generated<string>;
  order_id: number;
  paid_fen: number | null;
  pictures: Generated<Json>;
  progress_percent: Generated<number>;
  refuse_reason: string | null;
  refused_count: Generated<number>;
  seq: number;
  share_fen: number;
  state: Generated<string>;
  submitted_at: Timestamp | null;
  title: string;
}

export interface ServiceOrder {
  accept_by: Timestamp | null;
  accepted_at: Timestamp | null;
  account_free_at: Timestamp | null;
  acted_at: Timestamp | null;
  ban_reported_at: Timestamp | null;
  ban_reported_by: number | null;
  booked_at: Timestamp | null;
  buyer_start_at: Timestamp | null;
  due_at: Timestamp | null;
  efficiency_fen: Generated<number>;
  efficiency_to_buyer: Generated<boolean>;
  end_by: number | null;
  finished_at: Timestamp | null;
  form: Generated<Json>;
  late_told_at: Timestamp | null;
  login_failed_at: Timestamp | null;
  minutes: number;
  mode: string;
  order_id: number;
  package_id: number | null;
  paused_at: Timestamp | null;
  paused_seconds: Generated<number>;
  played_minutes: number | null;
  prolongs_id: number | null;
  proof_due_at: Timestamp | null;
  provider_id: number | null;
  ruled_dispute_id: number | null;
  ruled_efficiency_to_buyer: Generated<boolean>;
  ruled_safety_to_buyer: Generated<boolean>;
  safety_fen: Generated<number>;
  safety_to_buyer: Generated<boolean>;
  seller_start_at: Timestamp | null;
  silence_paid_at: Timestamp | null;
  started_at: Timestamp | null;
  starts_at: Timestamp | null;
  state: Generated<string>;
  stopped_at: Timestamp | null;
  stopped_clocks: Generated<Json>;
  stopped_seconds: Generated<number>;
  type_id: number;
  units: number;
}

export interface ServicePackage {
  created_at: Generated<Timestamp>;
  efficiency_fen: Generated<number>;
  form: Generated<Json>;
  game_id: number;
  goods_id: number | null;
  id: Generated<number>;
  kind: number | null;
  max_units: Generated<number>;
  milestones: Generated<Json>;
  min_units: Generated<number>;
  minutes: number;
  mode: Generated<string>;
  price_fen: number;
  provider_id: number;
  rank_from: number | null;
  rank_to: number | null;
  safety_fen: Generated<number>;
  scope: string;
  sn: string;
  sold_count: Generated<number>;
  status: Generated<number>;
  title: string;
  type_id: number;
  unit: Generated<string>;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
}

export interface ServiceProgress {
  actor: string;
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  kind: string;
  order_id: number;
  percent: number | null;
  pictures: Generated<Json>;
  seq: number | null;
  text: Generated<string>;
}

export interface ServiceQueue {
  dist_id: number;
  duty: string;
  group_id: number;
  promised_at: Timestamp | null;
  since: Generated<Timestamp>;
}

export interface ServiceSatisfaction {
  content: Generated<string>;
  created_at: Generated<Timestamp>;
  dist_id: number;
  group_id: number;
  order_id: number | null;
  score: number;
  solved: boolean | null;
  staff_id: number | null;
  tags: Generated<string[]>;
  user_id: number;
}

export interface ServiceTip {
  amount_fen: number;
  created_at: Generated<Timestamp>;
  id: Generated<number>;
  order_id: number;
}

export interface Session {
  agent: string | null;
  created_at: Generated<Timestamp>;
  dist_id: number;
  expires_at: Timestamp;
  factor_verified_at: Timestamp | null;
  id_hash: Buffer;
  ip: string | null;
  kind: string;
  last_seen_at: Generated<Timestamp>;
  pay_verified_at: Timestamp | null;
  staff_id: number | null;
  user_id: number | null;
}

export interface Setting {
  approved_by: number | null;
  created_at: Generated<Timestamp>;
  created_by: number | null;
  key: string;
  reason: Generated<string>;
  revoked_at: Timestamp | null;
  revoked_by: number | null;
  valid_from: Generated<Timestamp>;
  value: Json;
  version: number;
}

export interface SetupState {
  admin_id: number | null;
  created_at: Generated<Timestamp>;
  done: Generated<Json>;
  finished_at: Timestamp | null;
  id: Generated<boolean>;
  /**
   * First start with TRIAL=1; null in a real market. A market without TRIAL=1 does not start on a marked database.
   */
  trial_since: Timestamp | null;
}

export interface SetupToken {
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  token_hash: Buffer;
  totp_secret_enc: Buffer;
  tries: Generated<number>;
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
  disabled_at: Timestamp | null;
  dist_id: number | null;
  email: string | null;
  id: Generated<number>;
  im_uid: string;
  login: string;
  max_chats: Generated<number>;
  name: string;
  on_duty: Generated<boolean>;
  password_hash: string | null;
  permissions: Generated<string[]>;
  role: string;
  status: Generated<number>;
  totp_last_step: Generated<number>;
  totp_secret_enc: Buffer | null;
}

export interface StaffBrowser {
  browser_hash: Buffer;
  last_at: Generated<Timestamp>;
  staff_id: number;
}

export interface StaffColumns {
  columns: string[];
  list: string;
  staff_id: number;
}

export interface StaffExport {
  columns: string[];
  created_at: Generated<Timestamp>;
  ended_at: Timestamp | null;
  format: string;
  id: Generated<number>;
  list: string;
  opened_at: Timestamp | null;
  query: Json;
  staff_id: number;
  total: number;
  written: Generated<number>;
}

export interface StaffInvite {
  created_at: Generated<Timestamp>;
  created_by: number | null;
  expires_at: Timestamp;
  sets_factor: boolean;
  sets_password: boolean;
  staff_id: number;
  token_hash: Buffer;
  totp_secret_enc: Buffer | null;
  tries: Generated<number>;
  used_at: Timestamp | null;
}

export interface StaffNote {
  created_at: Generated<Timestamp>;
  dist_id: number | null;
  id: Generated<number>;
  staff_id: number;
  text: string;
  user_id: number;
}

export interface StaffPasskey {
  counter: Generated<number>;
  created_at: Generated<Timestamp>;
  credential_id: string;
  id: Generated<number>;
  last_used_at: Timestamp | null;
  name: string;
  public_key: Buffer;
  staff_id: number;
  synced: boolean;
  transports: Generated<string[]>;
}

export interface StaffPasskeyChallenge {
  challenge_hash: Buffer;
  expires_at: Timestamp;
  purpose: string;
  staff_id: number | null;
}

export interface StaffRole {
  code: string;
  dist_id: number | null;
  is_system: Generated<boolean>;
  name: string;
  permissions: string[] | null;
  site_only: Generated<boolean>;
  updated_at: Generated<Timestamp>;
}

export interface StaffShift {
  ends_at: Timestamp;
  id: Generated<number>;
  staff_id: number;
  starts_at: Timestamp;
}

export interface StaffView {
  changed_at: Generated<Timestamp>;
  created_at: Generated<Timestamp>;
  dist_id: number | null;
  id: Generated<number>;
  list: string;
  name: string;
  query: string;
  shared: Generated<boolean>;
  staff_id: number;
}

export interface StepUp {
  purpose: string;
  session_hash: Buffer;
  verified_at: Generated<Timestamp>;
}

export interface ThirdPartyBinding {
  created_at: Generated<Timestamp>;
  open_id: string;
  provider: string;
  union_id: string | null;
  user_id: number;
}

export interface ThirdPartyTicket {
  browser_hash: Buffer;
  dist_id: number;
  expires_at: Timestamp;
  open_id: string;
  provider: string;
  ticket_hash: Buffer;
  union_id: string | null;
}

export interface Timer {
  attempts: Generated<number>;
  due_at: Timestamp;
  faults: Generated<number>;
  first_failed_at: Timestamp | null;
  kind: string;
  last_error: string | null;
  payload: Generated<Json>;
  ref: string;
}

export interface TimeSale {
  created_at: Generated<Timestamp>;
  ends_at: Timestamp;
  goods_id: number;
  goods_version: number;
  id: Generated<number>;
  left_num: number;
  price_fen: number;
  starts_at: Timestamp;
  status: Generated<number>;
  was_fen: number;
}

export interface TimeSaleOrder {
  num: number;
  order_id: number;
  returned: Generated<boolean>;
  sale_id: number;
}

export interface TopSeller {
  deals: number;
  game_id: number;
  seller_id: number;
}

export interface TradeDay {
  day: Timestamp;
  disputed: Generated<number>;
  dist_id: number;
  game_id: number;
  income_fen: Generated<number>;
  paid: Generated<number>;
  paid_fen: Generated<number>;
  placed: Generated<number>;
  placed_done: Generated<number>;
  placed_paid: Generated<number>;
  placed_shipped: Generated<number>;
  placed_undone: Generated<number>;
  placed_unpaid: Generated<number>;
  type_id: number;
}

export interface TradeStat {
  before_fen: number | null;
  game_id: number;
  made_at: Generated<Timestamp>;
  trend: Json;
  type_id: number;
  week_fen: number | null;
}

export interface UserBrowser {
  browser_hash: Buffer;
  first_at: Generated<Timestamp>;
  last_at: Generated<Timestamp>;
  user_id: number;
}

export interface UserNetwork {
  first_at: Generated<Timestamp>;
  last_at: Generated<Timestamp>;
  network_hash: Buffer;
  user_id: number;
}

export interface Valuation {
  area_id: number | null;
  created_at: Generated<Timestamp>;
  details: Json;
  dist_id: number;
  game_id: number;
  high_fen: number | null;
  id: Generated<number>;
  low_fen: number | null;
  model_version: number | null;
  samples: number;
  sn: string;
  typical_fen: number | null;
  user_id: number | null;
}

export interface ValuationModel {
  body: Json;
  /**
   * half of the sales were priced within this distance of the model, in basis points
   */
  error_bp: number;
  game_id: number;
  made_at: Generated<Timestamp>;
  samples: number;
  version: number;
}

export interface ValuationMonth {
  game_id: number;
  hits: number;
  loss_fen: number;
  made_at: Generated<Timestamp>;
  month: Timestamp;
  plain_loss_fen: number;
  sales: number;
}

export interface VendorToken {
  expires_at: Timestamp | null;
  name: string;
  refreshing_until: Timestamp | null;
  value_enc: Buffer | null;
}

export interface VerifyQuery {
  created_at: Generated<Timestamp>;
  dist_id: number;
  id: Generated<number>;
  ip_hash: Buffer | null;
  kind: string;
  purpose: string;
  user_id: number | null;
  value_hash: Buffer;
  verdict: number;
}

export interface VoiceClip {
  bytes: number;
  created_at: Generated<Timestamp>;
  key: string;
  mime: string;
  owner_id: number;
  seconds: number;
  sha256: Buffer;
}

export interface Want {
  area_id: number | null;
  at_least: Generated<Json>;
  budget_fen: number;
  created_at: Generated<Timestamp>;
  deposit_fen: Generated<number>;
  dist_id: number;
  filter: Generated<Json>;
  game_id: number;
  id: Generated<number>;
  met_order_id: number | null;
  push: Generated<boolean>;
  ranges: Generated<Json>;
  server_id: number | null;
  sn: string;
  status: Generated<number>;
  title: string;
  type_id: number;
  updated_at: Generated<Timestamp>;
  user_id: number;
  words: string | null;
}

export interface WantMatch {
  goods_id: number;
  matched_at: Generated<Timestamp>;
  price_fen: number;
  pushed_at: Timestamp | null;
  want_id: number;
}

export interface WebhookAttempt {
  at: Generated<Timestamp>;
  delivery_id: number;
  failure: string | null;
  id: Generated<number>;
  ms: number;
  request_head: string;
  response_head: string;
  status: number | null;
}

export interface WebhookDelivery {
  attempts: Generated<number>;
  body: string;
  created_at: Generated<Timestamp>;
  endpoint_id: number;
  event: string;
  id: Generated<number>;
  next_at: Timestamp | null;
  public_id: Generated<string>;
  sent_at: Timestamp | null;
  status: Generated<string>;
  subject: string;
}

export interface WebhookEndpoint {
  created_at: Generated<Timestamp>;
  events: string[];
  failing_since: Timestamp | null;
  fails: Generated<number>;
  /**
   * The receiver answered 410 Gone: the endpoint is disabled until its owner switches it on again.
   */
  gone_at: Timestamp | null;
  id: Generated<number>;
  paused_until: Timestamp | null;
  removed_at: Timestamp | null;
  secret_enc: Buffer;
  status: Generated<string>;
  url: string;
  user_id: number;
}

export interface WechatLogin {
  act: Generated<string>;
  agent: Generated<string>;
  browser_hash: Buffer;
  code: string;
  created_at: Generated<Timestamp>;
  dist_id: number;
  expires_at: Timestamp;
  ip: Generated<string>;
  open_id: string | null;
  phone_hash: Buffer | null;
  status: Generated<string>;
  union_id: string | null;
  user_id: number | null;
}

export interface WechatPushTicket {
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  scene_hash: Buffer;
  used_at: Timestamp | null;
  user_id: number;
}

export interface Withdrawal {
  accept_token: string | null;
  amount_fen: number;
  approved_by: number | null;
  bounced_at: Timestamp | null;
  channel: string | null;
  channel_no: string | null;
  channel_reason: string | null;
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  dist_id: number;
  fee_fen: Generated<number>;
  id: Generated<number>;
  leased_until: Timestamp | null;
  list_id: number | null;
  note: string | null;
  paid_at: Timestamp | null;
  payout_account_id: number;
  second_by: number | null;
  sent_at: Timestamp | null;
  sn: string;
  status: Generated<number>;
  user_id: number;
}

export interface DB {
  advert: Advert;
  alert: Alert;
  alert_match: AlertMatch;
  api_call: ApiCall;
  api_key: ApiKey;
  api_nonce: ApiNonce;
  app_user: AppUser;
  approval: Approval;
  assignment_rule: AssignmentRule;
  audit_check: AuditCheck;
  audit_head: AuditHead;
  audit_log: AuditLog;
  audit_seal: AuditSeal;
  backup_run: BackupRun;
  bargain: Bargain;
  bargain_rule: BargainRule;
  black_appeal: BlackAppeal;
  black_entry: BlackEntry;
  black_event: BlackEvent;
  black_external: BlackExternal;
  black_key: BlackKey;
  blocked_word: BlockedWord;
  books_block: BooksBlock;
  books_check: BooksCheck;
  books_progress: BooksProgress;
  boost_request: BoostRequest;
  boost_transition: BoostTransition;
  brand_draft: BrandDraft;
  brand_plan: BrandPlan;
  brand_publication: BrandPublication;
  brand_terms: BrandTerms;
  brand_version: BrandVersion;
  canned_answer: CannedAnswer;
  catalogue_version: CatalogueVersion;
  channel_movement: ChannelMovement;
  channel_statement: ChannelStatement;
  channel_statement_line: ChannelStatementLine;
  chat_assignment: ChatAssignment;
  chat_gateway: ChatGateway;
  chat_group: ChatGroup;
  chat_member: ChatMember;
  chat_message: ChatMessage;
  chat_presence: ChatPresence;
  chat_ticket: ChatTicket;
  coin_ratio_day: CoinRatioDay;
  coin_view_day: CoinViewDay;
  companion_slot: CompanionSlot;
  companion_transition: CompanionTransition;
  consent: Consent;
  cooperation_request: CooperationRequest;
  coupon: Coupon;
  coupon_campaign: CouponCampaign;
  credential_opening: CredentialOpening;
  data_export: DataExport;
  data_key: DataKey;
  dead_letter: DeadLetter;
  deal_day: DealDay;
  deal_figure: DealFigure;
  debt: Debt;
  deposit_entry: DepositEntry;
  deposit_level: DepositLevel;
  deposit_penalty: DepositPenalty;
  deposit_release: DepositRelease;
  dispute: Dispute;
  dispute_appeal: DisputeAppeal;
  dispute_event: DisputeEvent;
  dispute_reason: DisputeReason;
  dispute_reason_version: DisputeReasonVersion;
  dispute_ruling: DisputeRuling;
  dispute_ruling_rule: DisputeRulingRule;
  dispute_statement: DisputeStatement;
  dist_host: DistHost;
  dist_settlement: DistSettlement;
  distributor: Distributor;
  event_case: EventCase;
  fake_service_report: FakeServiceReport;
  former_person: FormerPerson;
  fund_release: FundRelease;
  game: Game;
  game_area: GameArea;
  game_draft: GameDraft;
  game_server: GameServer;
  game_version: GameVersion;
  goods: Goods;
  goods_draft: GoodsDraft;
  goods_event: GoodsEvent;
  goods_finding: GoodsFinding;
  goods_follow: GoodsFollow;
  goods_price_day: GoodsPriceDay;
  goods_question: GoodsQuestion;
  goods_reference: GoodsReference;
  goods_report: GoodsReport;
  goods_search: GoodsSearch;
  goods_stat: GoodsStat;
  goods_view: GoodsView;
  goods_view_day: GoodsViewDay;
  goods_week: GoodsWeek;
  guarantee_certificate: GuaranteeCertificate;
  guarantee_claim: GuaranteeClaim;
  guarantee_claim_step: GuaranteeClaimStep;
  guarantee_cover: GuaranteeCover;
  guarantee_holder: GuaranteeHolder;
  guarantee_month: GuaranteeMonth;
  guarantee_receipt: GuaranteeReceipt;
  guarantee_tier: GuaranteeTier;
  hold: Hold;
  hold_stage: HoldStage;
  idempotency: Idempotency;
  import_job: ImportJob;
  import_row: ImportRow;
  inspection: Inspection;
  inspection_claim: InspectionClaim;
  inspection_reading: InspectionReading;
  inspection_task: InspectionTask;
  inspection_transition: InspectionTransition;
  job_mark: JobMark;
  known_device: KnownDevice;
  league: League;
  league_match: LeagueMatch;
  league_team: LeagueTeam;
  ledger_account: LedgerAccount;
  ledger_entry: LedgerEntry;
  ledger_transfer: LedgerTransfer;
  legal_text: LegalText;
  limit_counter: LimitCounter;
  link_mark: LinkMark;
  link_push: LinkPush;
  link_push_site: LinkPushSite;
  listing_import: ListingImport;
  listing_import_picture: ListingImportPicture;
  listing_import_row: ListingImportRow;
  lottery_draw: LotteryDraw;
  middleman_deal: MiddlemanDeal;
  news: News;
  news_version: NewsVersion;
  notice: Notice;
  notice_delivery: NoticeDelivery;
  notice_kind: NoticeKind;
  notice_preference: NoticePreference;
  notice_quiet: NoticeQuiet;
  notice_template: NoticeTemplate;
  official_number: OfficialNumber;
  on_sale: OnSale;
  on_sale_delta: OnSaleDelta;
  on_sale_figure: OnSaleFigure;
  order_contact: OrderContact;
  order_day: OrderDay;
  order_delta: OrderDelta;
  order_exchange: OrderExchange;
  order_figure: OrderFigure;
  order_handover: OrderHandover;
  order_key: OrderKey;
  order_process: OrderProcess;
  order_recount: OrderRecount;
  order_review: OrderReview;
  order_step_ruled_out: OrderStepRuledOut;
  order_transition: OrderTransition;
  orders: Orders;
  outbox: Outbox;
  payment: Payment;
  payment_notify: PaymentNotify;
  payout_account: PayoutAccount;
  payout_line: PayoutLine;
  payout_list: PayoutList;
  picture: Picture;
  platform_rule: PlatformRule;
  price_stat: PriceStat;
  provider: Provider;
  provider_event: ProviderEvent;
  provider_hours: ProviderHours;
  push_subscription: PushSubscription;
  quarantine: Quarantine;
  quick_coin_offer: QuickCoinOffer;
  quick_coin_order: QuickCoinOrder;
  real_name: RealName;
  reconcile_difference: ReconcileDifference;
  recycle_coin_offer: RecycleCoinOffer;
  recycle_coin_order: RecycleCoinOrder;
  recycle_quote: RecycleQuote;
  recycle_reading: RecycleReading;
  recycle_request: RecycleRequest;
  recycle_transition: RecycleTransition;
  recycler: Recycler;
  refund: Refund;
  retention_run: RetentionRun;
  review_report: ReviewReport;
  role_card: RoleCard;
  rule_draft: RuleDraft;
  sealed_credential: SealedCredential;
  search_change: SearchChange;
  search_feed: SearchFeed;
  search_miss: SearchMiss;
  search_miss_visitor: SearchMissVisitor;
  search_synonym: SearchSynonym;
  sell_time_stat: SellTimeStat;
  seller_day: SellerDay;
  seller_figure: SellerFigure;
  seller_level_change: SellerLevelChange;
  seller_standing: SellerStanding;
  seller_week: SellerWeek;
  service_addition: ServiceAddition;
  service_block: ServiceBlock;
  service_cancel: ServiceCancel;
  service_milestone: ServiceMilestone;
  service_order: ServiceOrder;
  service_package: ServicePackage;
  service_progress: ServiceProgress;
  service_queue: ServiceQueue;
  service_satisfaction: ServiceSatisfaction;
  service_tip: ServiceTip;
  session: Session;
  setting: Setting;
  setup_state: SetupState;
  setup_token: SetupToken;
  sms_code: SmsCode;
  staff: Staff;
  staff_browser: StaffBrowser;
  staff_columns: StaffColumns;
  staff_export: StaffExport;
  staff_invite: StaffInvite;
  staff_note: StaffNote;
  staff_passkey: StaffPasskey;
  staff_passkey_challenge: StaffPasskeyChallenge;
  staff_role: StaffRole;
  staff_shift: StaffShift;
  staff_view: StaffView;
  step_up: StepUp;
  third_party_binding: ThirdPartyBinding;
  third_party_ticket: ThirdPartyTicket;
  time_sale: TimeSale;
  time_sale_order: TimeSaleOrder;
  timer: Timer;
  top_seller: TopSeller;
  trade_day: TradeDay;
  trade_stat: TradeStat;
  user_browser: UserBrowser;
  user_network: UserNetwork;
  valuation: Valuation;
  valuation_model: ValuationModel;
  valuation_month: ValuationMonth;
  vendor_token: VendorToken;
  verify_query: VerifyQuery;
  voice_clip: VoiceClip;
  want: Want;
  want_match: WantMatch;
  webhook_attempt: WebhookAttempt;
  webhook_delivery: WebhookDelivery;
  webhook_endpoint: WebhookEndpoint;
  wechat_login: WechatLogin;
  wechat_push_ticket: WechatPushTicket;
  withdrawal: Withdrawal;
}
