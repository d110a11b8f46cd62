import { SwitchStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { DisputeField } from '#subjects/disputes/contract/dispute.ts';
import type { Trx } from '#server/db/client.ts';
import type { OrderRow, Stopped } from '#subjects/orders/server/service.ts';
import type { DisputeStatus, Want } from './rules.ts';

/** A dispute with the fields of its order that every view shows. */
export interface DisputeRow {
  id: number;
  sn: string;
  distId: number;
  orderId: number;
  orderSn: string;
  orderStatus: number;
  typeId: number;
  goodsFen: number;
  totalFen: number;
  gameId: number | null;
  goodsNum: number;
  snapshot: OrderRow['snapshot'];
  buyerId: number;
  sellerId: number;
  buyerName: string;
  sellerName: string;
  openerId: number;
  openerBelong: number;
  reasonCode: string;
  reasonName: string;
  form: DisputeField[];
  evidenceHint: string;
  want: Want;
  wantFen: number;
  status: DisputeStatus;
  outcome: string | null;
  staffId: number | null;
  staffName: string | null;
  appealStaffId: number | null;
  firstLookBy: Date;
  firstLookAt: Date | null;
  answerBy: Date | null;
  ruleBy: Date | null;
  appealUntil: Date | null;
  openedAt: Date;
  closedAt: Date | null;
  stopped: Stopped;
  escalated: boolean;
  buyerAccepted: boolean;
  sellerAccepted: boolean;
  backFen: number | null;
  refundedFen: number | null;
  toSellerFen: number | null;
  answeredAt: Date | null;
  appealedAt: Date | null;
  ruledAt: Date | null;
}

const COLUMNS = sql`d.id, d.sn, d.dist_id as "distId", d.order_id as "orderId", o.sn as "orderSn", o.status as "orderStatus", o.type_id as "typeId",
  o.goods_fen as "goodsFen", o.total_fen as "totalFen", o.game_id as "gameId", o.goods_num as "goodsNum", o.snapshot, o.buyer_id as "buyerId", o.seller_id as "sellerId", b.nick_name as "buyerName",
  s.nick_name as "sellerName", d.opener_id as "openerId", d.opener_belong as "openerBelong", d.reason_code as "reasonCode", r.name as "reasonName",
  r.form, r.evidence as "evidenceHint", d.want, d.want_fen as "wantFen", d.status, d.outcome, d.staff_id as "staffId", f.name as "staffName",
  d.appeal_staff_id as "appealStaffId", d.first_look_by as "firstLookBy", d.first_look_at as "firstLookAt", d.answer_by as "answerBy",
  d.rule_by as "ruleBy", d.appeal_until as "appealUntil", d.opened_at as "openedAt", d.closed_at as "closedAt", d.stopped, d.escalated,
  d.buyer_accepted_at is not null as "buyerAccepted", d.seller_accepted_at is not null as "sellerAccepted", d.back_fen as "backFen",
  d.refunded_fen as "refundedFen", d.to_seller_fen as "toSellerFen",
  (select t.created_at from dispute_statement t where t.dispute_id = d.id and t.kind = 'form' and t.belong <> d.opener_belong) as "answeredAt",
  (select a.created_at from dispute_appeal a where a.dispute_id = d.id) as "appealedAt",
  (select max(u.created_at) from dispute_ruling u where u.dispute_id = d.id) as "ruledAt"`;

const FROM = sql`dispute d join orders o on o.id = d.order_id join dispute_reason_version r on r.code = d.reason_code and r.version = d.reason_version
  join app_user b on b.id = o.buyer_id join app_user s on s.id = o.seller_id left join staff f on f.id = coalesce(d.appeal_staff_id, d.staff_id)`;

/** Disputes that match `where`; `tail` holds the order and the limit. */
export async function disputesWhere(
  db: Trx,
  where: RawBuilder<unknown>,
  tail: RawBuilder<unknown> = sql``,
): Promise<DisputeRow[]> {
  const { rows } = await sql<DisputeRow>`select ${COLUMNS} from ${FROM} where ${where} ${tail}`.execute(db);
  return rows;
}

/** One dispute for a party of its order; undefined for other users, exactly as for a missing one. */
export async function disputeForParty(db: Trx, sn: string, userId: number): Promise<DisputeRow | undefined> {
  const rows = await disputesWhere(db, sql`d.sn = ${sn} and ${userId} in (o.buyer_id, o.seller_id)`);
  return rows[0];
}

/** One dispute for staff. Staff of a distributor find only the disputes of that distributor. */
export async function disputeForStaff(db: Trx, sn: string, distId: number | null): Promise<DisputeRow | undefined> {
  const rows = await disputesWhere(db, sql`d.sn = ${sn} ${distId === null ? sql`` : sql`and d.dist_id = ${distId}`}`);
  return rows[0];
}

/** One dispute by its id, for timers. */
export async function disputeById(db: Trx, id: number): Promise<DisputeRow | undefined> {
  return (await disputesWhere(db, sql`d.id = ${id}`))[0];
}

export interface Reason {
  code: string;
  name: string;
  evidence: string;
  form: DisputeField[];
  version: number;
}

/** The reasons that apply to an order's type and state, in display order. */
export async function reasonsFor(db: Trx, { typeId, status }: { typeId: number; status: number }): Promise<Reason[]> {
  const { rows } = await sql<Reason>`
    select code, name, evidence, form, version from dispute_reason
    where status = ${sql.lit(SwitchStatus.On)} and (goods_types is null or ${typeId}::smallint = any(goods_types)) and ${status}::smallint = any(order_states) order by sort, code`.execute(
    db,
  );
  return rows;
}

export interface Statement {
  belong: number;
  kind: 'form' | 'evidence' | 'appeal';
  answers: Record<string, string>;
  text: string;
  pictures: { key: string }[];
  at: Date;
}

/** Statements of both parties and the appeal, oldest first. */
export async function loadStatements(db: Trx, disputeId: number): Promise<Statement[]> {
  const { rows } = await sql<Statement>`
    select belong, kind, answers, text, pictures, created_at as at from dispute_statement where dispute_id = ${disputeId}
    union all select case when a.user_id = o.buyer_id then 1 else 0 end, 'appeal', '{}', a.reason, a.pictures, a.created_at
      from dispute_appeal a join dispute d on d.id = a.dispute_id join orders o on o.id = d.order_id where a.dispute_id = ${disputeId}
    order by at`.execute(db);
  return rows;
}

export interface EventRow {
  kind: string;
  actor: string;
  explain: string;
  at: Date;
}

/** The case's timeline, oldest first. */
export async function loadEvents(db: Trx, disputeId: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select kind, actor, explain, created_at as at from dispute_event where dispute_id = ${disputeId} order by id`.execute(
    db,
  );
  return rows;
}

export interface RulingRow {
  id: number;
  stage: number;
  staffId: number;
  backFen: number;
  refundFen: number;
  releaseFen: number;
  penaltyFen: number;
  penaltyUser: number | null;
  /** The approval by the second person; null where one person ruled. */
  approvalId: number | null;
  /** The amount paid by the deposit, in fen; null before the case is closed. */
  takenFen: number | null;
  reason: string;
  at: Date;
  rules: { no: string; title: string; body: string }[];
}

/** The rulings of a dispute with the rules they cite, in the wording in force at the time. */
export async function loadRulings(db: Trx, disputeId: number): Promise<RulingRow[]> {
  const { rows } = await sql<RulingRow>`
    select u.id, u.stage, u.staff_id as "staffId", u.back_fen as "backFen", u.refund_fen as "refundFen", u.release_fen as "releaseFen", u.reason,
      u.penalty_fen as "penaltyFen", u.penalty_user as "penaltyUser", u.approval_id as "approvalId",
      case when d.status = 'closed' then (select coalesce(sum(p.amount_fen), 0) from deposit_penalty p where p.dispute_id = d.id and p.user_id = u.penalty_user)::bigint end as "takenFen",
      u.created_at as at,
      (select coalesce(jsonb_agg(jsonb_build_object('no', p.no, 'title', p.title, 'body', p.body) order by p.no), '[]')
        from dispute_ruling_rule c join platform_rule p on p.no = c.rule_no and p.version = c.rule_version where c.ruling_id = u.id) as rules
    from dispute_ruling u join dispute d on d.id = u.dispute_id where u.dispute_id = ${disputeId} order by u.stage`.execute(
    db,
  );
  return rows;
}

export interface PublicRule {
  no: string;
  version: number;
  title: string;
  body: string;
  inForce: Date;
  cited: number;
}

/** The public rules in force now: the newest version of each number, unless that version retires the rule. */
export async function rulesInForce(db: Trx): Promise<PublicRule[]> {
  const { rows } = await sql<PublicRule & { retired: boolean }>`
    select * from (
      select distinct on (no) no, version, title, body, in_force_from as "inForce", retired,
        (select count(*)::int from dispute_ruling_rule c where c.rule_no = p.no) as cited
      from platform_rule p where in_force_from <= now() and revoked_at is null order by no, version desc) r
    where not retired order by string_to_array(no, '.')::int[]`.execute(db);
  return rows;
}
