import { DepositEntryKind } from '#subjects/deposits/rules/entry-kind.ts';
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { CoinOfferStatus, GoodsStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { type DepositLevel, type DepositRole, levelReached } from './rules.ts';
import { ORDERS_IN_PROGRESS } from '#server/states/order-states.ts';

/** All levels of all roles, as configured by staff. */
export async function depositLevels(db: Trx): Promise<DepositLevel[]> {
  const { rows } = await sql<DepositLevel>`
    select role, level, name, amount_fen as "amountFen", benefits, limits, release_days as "releaseDays" from deposit_level order by role, level`.execute(
    db,
  );
  return rows;
}

/** Returns a role's levels in ascending order, the user's counted deposit (fen), and the level it reaches. */
export interface CountedDeposit {
  levels: DepositLevel[];
  countedFen: number;
  reached: DepositLevel | undefined;
}

/**
 * The counted deposit of a user in a role. Levels, limits, badges and approvals all use it: other roles' deposits and an amount that is being
 * released do not count, so a user cannot trade on money that is about to be returned (domain.md 10).
 */
export async function countedDeposit(db: Trx, userId: number, role: DepositRole): Promise<CountedDeposit> {
  const { rows } = await sql<DepositLevel & { countedFen: number }>`
    select l.role, l.level, l.name, l.amount_fen as "amountFen", l.benefits, l.limits, l.release_days as "releaseDays", coalesce(c.fen, 0) as "countedFen"
    from deposit_level l, deposit_counted(${userId}, ${role}) as c(fen) where l.role = ${role} order by l.level`.execute(
    db,
  );
  const countedFen = rows[0]?.countedFen ?? 0;
  return { levels: rows, countedFen, reached: levelReached(rows, role, countedFen) };
}

/** Returns the level that a user's deposit in a role reaches; undefined for none. */
export const depositLevel = async (db: Trx, userId: number, role: DepositRole): Promise<DepositLevel | undefined> =>
  (await countedDeposit(db, userId, role)).reached;

/** Returns a user's counted deposit in each role, in fen; see countedDeposit. */
export async function countedByRole(db: Trx, userId: number): Promise<Map<DepositRole, number>> {
  const { rows } = await sql<{ role: DepositRole; fen: number }>`
    select r.role, coalesce(deposit_counted(${userId}, r.role), 0) as fen
    from (select distinct role from deposit_entry where user_id = ${userId}) r`.execute(db);
  return new Map(rows.map((r) => [r.role, r.fen]));
}

/** A user's deposit in each role, in fen, including what is being released: paid in, less penalties and returns. */
export async function paidByRole(db: Trx, userId: number): Promise<Map<DepositRole, number>> {
  const { rows } = await sql<{ role: DepositRole; fen: number }>`
    select role, sum(case kind when ${sql.lit(DepositEntryKind.Paid)} then amount_fen else -amount_fen end)::bigint as fen from deposit_entry
    where user_id = ${userId} group by role`.execute(db);
  return new Map(rows.map((r) => [r.role, r.fen]));
}

/** The sum of a user's deposits over all roles, in fen, including those under release. */
export async function loadDeposits(db: Trx, userId: number): Promise<number> {
  return [...(await paidByRole(db, userId)).values()].reduce((sum, fen) => sum + fen, 0);
}

export interface ReleaseRow {
  id: number;
  sn: string;
  user_id: number;
  dist_id: number;
  role: DepositRole;
  amount_fen: number;
  status: 'waiting' | 'done' | 'withdrawn' | 'refused';
  release_at: Date;
  reason: string | null;
  created_at: Date;
  done_at: Date | null;
}

/** A user's pending releases. */
export async function pendingReleases(db: Trx, userId: number): Promise<ReleaseRow[]> {
  const { rows } = await sql<ReleaseRow>`
    select * from deposit_release where user_id = ${userId} and status = 'waiting' order by id desc`.execute(db);
  return rows;
}

/** Order types by the role that works on them; a seller's are all others. */
const ROLE_TYPES: Readonly<Partial<Record<DepositRole, number>>> = {
  shop: 53,
  booster: 60,
  companion: 61,
  recycler: 52,
};

/** SQL: a user's offers in a role that require its deposit. */
function offersNeeding(userId: number, role: DepositRole, newSeller: NewSellerRule): RawBuilder<unknown> {
  switch (role) {
    case 'shop':
      return sql`(select count(*) from quick_coin_offer c join provider p on p.id = c.provider_id
        where c.seller_id = ${userId} and c.status = ${CoinOfferStatus.OnSale} and p.status = 'approved')`;
    case 'recycler':
      return sql`(select count(*) from recycle_coin_offer where recycler_id = ${userId} and status = ${CoinOfferStatus.OnSale})`;
    case 'booster':
    case 'companion':
      return sql`(select count(*) from goods where seller_id = ${userId} and type_id = ${ROLE_TYPES[role]} and status = ${GoodsStatus.OnSale})`;
    case 'seller':
      // For a new seller, only those above the number allowed without a deposit.
      return sql`case when unrelated_sales(${userId}, ${newSeller.sales}) < ${newSeller.sales}
        then greatest(0, seller_offers(${userId}) - ${newSeller.count}::int) else 0 end`;
  }
}

/** As in the setting `new_seller`. */
interface NewSellerRule {
  sales: number;
  count: number;
}

/** Returns the open matters that block the release of a deposit, as text; null when there are none. */
export async function openMatters(
  db: Trx,
  userId: number,
  role: DepositRole,
  newSeller: NewSellerRule,
): Promise<string | null> {
  const type = ROLE_TYPES[role];
  // A recycler is the buyer of its orders; the other roles sell.
  const mine = role === 'recycler' ? sql`o.buyer_id` : sql`o.seller_id`;
  const ofRole =
    type === undefined
      ? sql`o.type_id not in (${sql.lit(OrderType.Recycling)}, ${sql.lit(OrderType.QuickCoin)}, ${sql.lit(OrderType.Boosting)}, ${sql.lit(OrderType.Companion)})`
      : sql`o.type_id = ${type}`;
  const { rows } = await sql<{ open: number; held: number; disputed: number; debts: number; offers: number }>`
    select (select count(*) from orders o where ${mine} = ${userId} and ${ofRole} and o.status in ${ORDERS_IN_PROGRESS}) as open,
      (select count(*) from orders o where ${mine} = ${userId} and ${ofRole} and o.disputed) as disputed,
      (select count(*) from hold h join orders o on h.ref = o.id::text and ${ofRole}
        where h.user_id = ${userId} and h.code = 'sale_protection' and h.released_at is null) as held,
      (select count(*) from debt where debtor_user = ${userId} and settled_at is null) as debts,
      ${offersNeeding(userId, role, newSeller)} as offers`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const parts = [
    row.open > 0 ? `${row.open} 笔订单未完结` : '',
    row.disputed > 0 ? `${row.disputed} 笔订单在申诉中` : '',
    row.debts > 0 ? `${row.debts} 笔欠款未还清` : '',
    row.held > 0 ? `${row.held} 笔货款在保护期内` : '',
    row.offers > 0 ? `${row.offers} 个需要保证金的商品或报价未下架` : '',
  ].filter((text) => text !== '');
  return parts.length > 0 ? `${parts.join('，')}，处理完后自动退还` : null;
}

export interface RecordRow {
  id: number;
  kind: number;
  role: DepositRole;
  amountFen: number;
  reason: string;
  ruleNo: string | null;
  orderSn: string | null;
  createdAt: Date;
}

/** The entries of a user's deposits, newest first. */
export async function depositRecords(
  db: Trx,
  query: {
    userId: number;
    role: DepositRole | undefined;
    kind: number | undefined;
    beforeId: number | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ rows: RecordRow[]; total: number }> {
  const filter = sql`e.user_id = ${query.userId} ${query.role === undefined ? sql`` : sql`and e.role = ${query.role}`}
    ${query.kind === undefined ? sql`` : sql`and e.kind = ${query.kind}`}`;
  const { rows } = await sql<RecordRow>`
    select e.id, e.kind, e.role, case e.kind when ${sql.lit(DepositEntryKind.Paid)} then e.amount_fen else -e.amount_fen end as "amountFen", e.reason, e.rule_no as "ruleNo",
      o.sn as "orderSn", e.created_at as "createdAt"
    from deposit_entry e left join orders o on o.id = e.order_id
    where ${filter} ${query.beforeId === undefined ? sql`` : sql`and e.id < ${query.beforeId}`}
    order by e.id desc limit ${query.limit} offset ${query.beforeId === undefined ? query.offset : 0}`.execute(db);
  const count = await sql<{ n: number }>`
    select count(*) as n from (select from deposit_entry e where ${filter} limit 1001) c`.execute(db);
  return { rows, total: count.rows[0]?.n ?? 0 };
}
