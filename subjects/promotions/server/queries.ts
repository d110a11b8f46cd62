import { CampaignStatus, CouponStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import type { CouponKind } from './rules.ts';

/** A coupon of one person. Amounts in fen. */
export interface CouponRow {
  id: number;
  code: string;
  name: string;
  kind: CouponKind;
  amountFen: number;
  minimumFen: number;
  distId: number | null;
  /** 1 can be used, 2 used, 3 expired. */
  status: number;
  orderSn: string | null;
  createdAt: Date;
  expiresAt: Date;
}

const COUPON = sql`c.id, k.code, k.name, k.kind, k.amount_fen as "amountFen", k.minimum_fen as "minimumFen", k.dist_id as "distId",
  case when c.order_id is not null then 2 when c.expires_at <= now() then 3 else 1 end as status, o.sn as "orderSn",
  c.created_at as "createdAt", c.expires_at as "expiresAt"`;
const FROM = sql`coupon c join coupon_campaign k on k.id = c.campaign_id left join orders o on o.id = c.order_id`;

/** A coupon of the user; undefined for another user's. */
export async function findCoupon(db: Trx, userId: number, couponId: number): Promise<CouponRow | undefined> {
  const { rows } =
    await sql<CouponRow>`select ${COUPON} from ${FROM} where c.id = ${couponId} and c.user_id = ${userId}`.execute(db);
  return rows[0];
}

const USABLE = sql`c.order_id is null and c.expires_at > now()`;

/** A coupon that its owner may still use, with its terms. */
export async function usableCoupon(db: Trx, userId: number, couponId: number): Promise<CouponRow | undefined> {
  const { rows } = await sql<CouponRow>`
    select ${COUPON} from ${FROM} where c.id = ${couponId} and c.user_id = ${userId} and ${USABLE}`.execute(db);
  return rows[0];
}

/** The message when a coupon cannot be used with a seller. It gives no reason, because a link is not a proof. */
const BARRED = '优惠券不适用于这位卖家的商品，可以不使用优惠券下单';

/**
 * Why a buyer's coupons cannot be used with a seller; null when they can. Coupons are the platform's money: between accounts that may be
 * one person (`user_links`) they would only move it.
 */
export async function couponBarred(db: Trx, buyerId: number, sellerId: number): Promise<string | null> {
  const { rows } = await sql<{ linked: boolean }>`
    select cardinality(user_links(${buyerId}, ${sellerId})) > 0 as linked`.execute(db);
  return rows[0]?.linked === true ? BARRED : null;
}

/** The coupons that a user may use on a site now, soonest to expire first. */
export async function usableCoupons(db: Trx, userId: number, distId: number): Promise<CouponRow[]> {
  const { rows } = await sql<CouponRow>`
    select ${COUPON} from ${FROM} where c.user_id = ${userId} and ${USABLE} and (k.dist_id is null or k.dist_id = ${distId})
    order by c.expires_at, c.id limit 50`.execute(db);
  return rows;
}

/** The condition of a coupon's state; none for an unknown state. */
function inState(status: number | undefined): RawBuilder<unknown> {
  if (status === CouponStatus.Usable) return sql`and ${USABLE}`;
  if (status === CouponStatus.Used) return sql`and c.order_id is not null`;
  return status === CouponStatus.Expired ? sql`and c.order_id is null and c.expires_at <= now()` : sql``;
}

/** A user's coupons, newest first, by id. */
export async function loadCoupons(
  db: Trx,
  query: { userId: number; status: number | undefined; beforeId: number | undefined; limit: number; offset: number },
): Promise<CouponRow[]> {
  const state = inState(query.status);
  const behind = query.beforeId === undefined ? sql`` : sql`and c.id < ${query.beforeId}`;
  const { rows } = await sql<CouponRow>`
    select ${COUPON} from ${FROM} where c.user_id = ${query.userId} ${state} ${behind}
    order by c.id desc limit ${query.limit} offset ${query.beforeId === undefined ? query.offset : 0}`.execute(db);
  return rows;
}

/** The number of a user's coupons in each state. */
export async function couponCounts(db: Trx, userId: number): Promise<Record<'1' | '2' | '3', number>> {
  const { rows } = await sql<{ open: number; used: number; past: number }>`
    select count(*) filter (where ${USABLE}) as open, count(*) filter (where c.order_id is not null) as used,
      count(*) filter (where c.order_id is null and c.expires_at <= now()) as past from coupon c where c.user_id = ${userId}`.execute(
    db,
  );
  const row = rows[0];
  return { '1': row?.open ?? 0, '2': row?.used ?? 0, '3': row?.past ?? 0 };
}

/** A running campaign. `left` is the remaining number of coupons; `received` whether the caller has reached the limit. */
export interface OpenCampaign {
  id: number;
  code: string;
  name: string;
  kind: CouponKind;
  amountFen: number;
  minimumFen: number;
  left: number;
  perPerson: number;
  validDays: number;
  oddsBp: number | null;
  endsAt: Date;
  received: boolean;
}

const RUNNING = sql`k.status = ${sql.lit(CampaignStatus.Running)} and k.starts_at <= now() and k.ends_at > now()`;

/** Campaigns that run now on a site: those to be received, or the lottery's prizes in the order of their stretches. */
export async function openCampaigns(
  db: Trx,
  query: { distId: number; userId: number | null; lottery: boolean; code?: string | undefined },
): Promise<OpenCampaign[]> {
  const { rows } = await sql<OpenCampaign>`
    select k.id, k.code, k.name, k.kind, k.amount_fen as "amountFen", k.minimum_fen as "minimumFen", k.stock as left, k.per_person as "perPerson",
      k.valid_days as "validDays", k.odds_bp as "oddsBp", k.ends_at as "endsAt",
      ${query.userId === null ? sql`false` : sql`(select count(*) from coupon c where c.campaign_id = k.id and c.user_id in (select accounts_of_person(${query.userId}))) >= k.per_person`} as received
    from coupon_campaign k where ${RUNNING} and (k.dist_id is null or k.dist_id = ${query.distId})
      and (k.odds_bp is not null) = ${query.lottery} ${query.code === undefined ? sql`` : sql`and k.code = ${query.code}`}
    order by k.id limit 50`.execute(db);
  return rows;
}

/** Recent winners with prize and time. */
export async function lastWinners(db: Trx): Promise<{ nickName: string; name: string; at: Date }[]> {
  const { rows } = await sql<{ nickName: string; name: string; at: Date }>`
    select u.nick_name as "nickName", k.name, d.created_at as at from lottery_draw d join coupon_campaign k on k.id = d.campaign_id
      join app_user u on u.id = d.user_id where d.campaign_id is not null order by d.id desc limit 12`.execute(db);
  return rows;
}

/** The number of a user's draws since midnight in China. */
export async function drawsToday(db: Trx, userId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from lottery_draw where user_id in (select accounts_of_person(${userId}))
      and created_at >= date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`.execute(db);
  return rows[0]?.n ?? 0;
}
