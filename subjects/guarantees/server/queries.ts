import { type RawBuilder, sql } from 'kysely';
import { type ClaimReason, claimLimit, type ReasonsTerms } from '../rules/guarantee.ts';
import type { Trx } from '#server/db/client.ts';
import type { PictureItem } from '#subjects/media/server/service.ts';
import type { Stopped } from '#subjects/orders/server/service.ts';
import type { ClaimStatus, CoverStatus, Escalation } from './rules.ts';

export interface Terms {
  name: string;
  coverText: string;
  exclusions: string[];
  chaseDays: number;
  reasons: ReasonsTerms;
}

interface Snapshot {
  title: string;
  gameName: string;
  gameCode: string;
  picture: PictureItem | null;
}

export interface CoverRow {
  id: number;
  kind: 'ensure' | 'fixEnsure';
  status: CoverStatus;
  orderSn: string;
  typeId: number;
  snapshot: Snapshot;
  priceFen: number;
  premiumFen: number;
  payoutMaxFen: number;
  terms: Terms;
  startsAt: Date | null;
  endsAt: Date | null;
  mine: boolean;
  certificateNo: string | null;
  openClaimSn: string | null;
}

/** Covers that a user holds or held, in the order of `tail`. */
export async function loadCovers(
  db: Trx,
  userId: number,
  where: RawBuilder<unknown>,
  tail: RawBuilder<unknown>,
): Promise<CoverRow[]> {
  const { rows } = await sql<CoverRow>`
    select c.id, c.kind, c.status, o.sn as "orderSn", o.type_id as "typeId", o.snapshot, c.price_fen as "priceFen", c.premium_fen as "premiumFen",
      c.payout_max_fen as "payoutMaxFen", c.terms, c.starts_at as "startsAt", c.ends_at as "endsAt", c.holder_id = ${userId} as mine,
      (select p.no from guarantee_certificate p join guarantee_holder h on h.cover_id = p.cover_id and h.seq = p.holder_seq
        where p.cover_id = c.id and h.user_id = ${userId} order by p.holder_seq desc limit 1) as "certificateNo",
      (select k.sn from guarantee_claim k where k.cover_id = c.id and k.user_id = ${userId} and k.status in ('checking', 'chasing', 'escalated')) as "openClaimSn"
    from guarantee_cover c join orders o on o.id = c.order_id
    where (c.holder_id = ${userId} or exists (select from guarantee_holder h where h.cover_id = c.id and h.user_id = ${userId})) and ${where} ${tail}`.execute(
    db,
  );
  return rows;
}

export interface ClaimEligibility {
  coverId: number;
  /** The order by which the holder acquired the account. */
  orderId: number;
  payoutMaxFen: number;
  /** The insured price: the cover's, or the price of the resale to the holder if lower. */
  insuredFen: number;
  reasons: ReasonsTerms;
  /** Whole days of cover so far. */
  days: number;
  /** The account's fingerprint, where it has one. */
  fingerprint: Buffer | null;
  chaseDays: number;
  closed: string | null;
}

/** Whether the holder may claim on a cover now, and if not, why (`closed`); undefined when it is not the user's. */
export async function claimEligibility(
  db: Trx,
  coverId: number,
  userId: number,
): Promise<ClaimEligibility | undefined> {
  const { rows } = await sql<{
    orderId: number;
    payoutMaxFen: number;
    insuredFen: number;
    reasons: ReasonsTerms | null;
    days: number;
    fingerprint: Buffer | null;
    chaseDays: number;
    status: CoverStatus;
    over: boolean;
    disputed: boolean;
    mine: boolean;
  }>`
    select coalesce(h.order_id, c.order_id) as "orderId", c.payout_max_fen as "payoutMaxFen", (c.terms->>'chaseDays')::int as "chaseDays", c.status,
      least(c.price_fen, o.goods_fen) as "insuredFen", c.terms->'reasons' as reasons, coalesce(c.fingerprint, g.fingerprint) as fingerprint,
      coalesce(extract(day from now() - c.starts_at), 0)::int as days,
      coalesce(c.ends_at < now(), false) as over, o.disputed, c.holder_id = ${userId} as mine
    from guarantee_cover c left join guarantee_holder h on h.cover_id = c.id and h.to_at is null
      join orders o on o.id = coalesce(h.order_id, c.order_id) left join goods g on g.id = o.goods_id
    where c.id = ${coverId} and (c.holder_id = ${userId} or exists (select from guarantee_holder x where x.cover_id = c.id and x.user_id = ${userId}))`.execute(
    db,
  );
  const row = rows[0];
  if (!row) return undefined;
  const why = (): string | null => {
    if (!row.mine) return '账号已转给新的主人，保障随账号转移';
    if (row.status === 'waiting') return '确认收货后保障才开始';
    if (row.status === 'claimed') return '这份保障正在理赔';
    if (row.status !== 'active' || row.over) return '这份保障已结束';
    if (row.disputed) return '订单在申诉中，请先等申诉结案';
    return null;
  };
  return {
    coverId,
    orderId: row.orderId,
    payoutMaxFen: row.payoutMaxFen,
    insuredFen: row.insuredFen,
    reasons: row.reasons ?? {},
    days: row.days,
    fingerprint: row.fingerprint,
    chaseDays: row.chaseDays,
    closed: why(),
  };
}

export interface ClaimRow {
  id: number;
  sn: string;
  distId: number;
  coverId: number;
  orderId: number;
  orderSn: string;
  goodsId: number | null;
  userId: number;
  userName: string;
  reason: ClaimReason;
  explain: string;
  pictures: { key: string }[];
  askedFen: number;
  paidFen: number;
  status: ClaimStatus;
  staffId: number | null;
  staffName: string | null;
  refusal: string | null;
  chaseDays: number;
  firstLookBy: Date;
  chaseFrom: Date | null;
  deadlineAt: Date | null;
  openedAt: Date;
  decidedAt: Date | null;
  terms: Terms;
  priceFen: number;
  premiumFen: number;
  payoutMaxFen: number;
  snapshot: Snapshot;
  lastText: string;
  lastAt: Date;
  /** The remaining times of the clocks that the claim stopped. */
  stopped: Stopped;
  /** Recovered from the sale's hold, from the seller's deposit, and recorded as the seller's debt. */
  recourseFen: number;
  penaltyFen: number;
  debtFen: number;
  sparesSeller: boolean;
  /** The seller of the account to the claimant. */
  sellerId: number;
  fingerprint: Buffer | null;
  insuredFen: number;
  /** Days of cover when the claim was opened. */
  days: number;
  /** Sum of the receipts entered by staff. */
  receiptsFen: number;
  escalatedFor: Escalation[];
  decideBy: Date | null;
}

/** Claims that satisfy `where`; `tail` is the order and limit. */
export async function claimWhere(
  db: Trx,
  where: RawBuilder<unknown>,
  tail: RawBuilder<unknown> = sql``,
): Promise<ClaimRow[]> {
  const { rows } = await sql<ClaimRow>`
    select c.id, c.sn, c.dist_id as "distId", c.cover_id as "coverId", c.order_id as "orderId", o.sn as "orderSn", v.goods_id as "goodsId",
      c.user_id as "userId", u.nick_name as "userName", c.reason, c.explain, c.pictures, c.asked_fen as "askedFen", c.paid_fen as "paidFen", c.status,
      c.staff_id as "staffId", f.name as "staffName", c.refusal, c.chase_days as "chaseDays", c.first_look_by as "firstLookBy",
      c.chase_from as "chaseFrom", c.deadline_at as "deadlineAt", c.opened_at as "openedAt", c.decided_at as "decidedAt", v.terms,
      v.price_fen as "priceFen", v.premium_fen as "premiumFen", v.payout_max_fen as "payoutMaxFen", o.snapshot,
      coalesce(s.text, '') as "lastText", coalesce(s.created_at, c.opened_at) as "lastAt", c.stopped, c.recourse_fen as "recourseFen",
      c.penalty_fen as "penaltyFen", c.debt_fen as "debtFen", c.spares_seller as "sparesSeller", o.seller_id as "sellerId", c.fingerprint,
      least(v.price_fen, o.goods_fen) as "insuredFen", coalesce(extract(day from c.opened_at - v.starts_at), 0)::int as days,
      (select coalesce(sum(r.amount_fen), 0) from guarantee_receipt r where r.claim_id = c.id and r.struck_at is null)::bigint as "receiptsFen",
      c.escalated_for as "escalatedFor", c.decide_by as "decideBy"
    from guarantee_claim c join guarantee_cover v on v.id = c.cover_id join orders o on o.id = c.order_id join app_user u on u.id = c.user_id
      left join staff f on f.id = c.staff_id
      left join lateral (select text, created_at from guarantee_claim_step s where s.claim_id = c.id order by seq desc limit 1) s on true
    where ${where} ${tail}`.execute(db);
  return rows;
}

/** One claim by its id, for timers. */
export async function claimById(db: Trx, id: number): Promise<ClaimRow | undefined> {
  return (await claimWhere(db, sql`c.id = ${id}`))[0];
}

export interface StepRow {
  day: number;
  text: string;
  actor: string;
  pictures: { key: string }[];
  at: Date;
}

/** The entries of a claim's timeline, oldest first. */
export async function loadSteps(db: Trx, claimId: number): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select day, text, actor, pictures, created_at as at from guarantee_claim_step where claim_id = ${claimId} order by seq`.execute(
    db,
  );
  return rows;
}

export interface AccountClaim {
  goodsId: number;
  sn: string;
  reason: ClaimReason;
  status: ClaimStatus;
  fen: number;
  at: Date;
}

/** Claims on the accounts of these listings, newest first, by any listing of the account. */
export async function claimsOnAccounts(db: Trx, goodsIds: readonly number[]): Promise<AccountClaim[]> {
  const { rows } = await sql<AccountClaim>`
    select g.id as "goodsId", k.sn, k.reason, k.status, case when k.status = 'paid' then k.paid_fen else k.asked_fen end as fen, k.opened_at as at
    from goods g join guarantee_claim k on k.fingerprint = g.fingerprint where g.id = any(${[...goodsIds]}::bigint[])
    order by k.id desc limit 200`.execute(db);
  return rows;
}

/** The maximum payment of a claim, in fen (platform rule 5.4). */
export const limitOf = (c: ClaimRow): number =>
  claimLimit(
    { reasons: c.terms.reasons ?? {}, priceFen: c.insuredFen, payoutMaxFen: c.payoutMaxFen },
    c.reason,
    c.days,
    c.receiptsFen,
  );
