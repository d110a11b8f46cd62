import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { account } from './rules.ts';

/**
 * The cause of a debt: an agreement, a ruling, a paid guarantee, a wrong inspection reading that matched the seller's statement, or a share
 * of a reversed trade.
 */
export type DebtCode = 'settled' | 'ruled' | 'claim' | 'reading' | 'dist_share' | 'invite_reward';

export interface Debt {
  id: number;
  debtorUser: number | null;
  debtorDist: number | null;
  /** The account that the debt is owed to. */
  creditor: string;
  amountFen: number;
  paidFen: number;
  code: DebtCode;
  reason: string;
  orderId: number | null;
  orderSn: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

export interface NewDebt {
  debtor: { userId: number } | { distId: number };
  /** `account.available(buyer)` or `account.platform('guarantee_fund', order)`. */
  creditor: string;
  fen: number;
  code: DebtCode;
  /** The text shown to the debtor. */
  reason: string;
  /** The cause, e.g. 'claim:7'; the key under which the debt is written once. */
  ref: string;
  orderId?: number | undefined;
  /** The site of the trade. */
  distId: number;
}

/**
 * Records a debt, once per ref, and immediately collects what the debtor's balance covers. The rest is collected inside `ledger_post`
 * whenever income arrives, oldest debt first (domain.md 3). `fen` is above 0. Returns the remaining debt, in fen. Throws when the same ref
 * was recorded with other contents.
 */
export async function recordDebt(trx: Trx, debt: NewDebt): Promise<{ id: number; openFen: number }> {
  const { debtor, creditor, fen, code, reason, ref, orderId, distId } = debt;
  const plan = {
    ...('userId' in debtor ? { debtorUser: debtor.userId } : { debtorDist: debtor.distId }),
    ...(orderId === undefined ? {} : { order: orderId }),
    creditor,
    fen,
    code,
    reason,
    ref,
    dist: distId,
  };
  const { rows } = await sql<{ id: number; openFen: number }>`
    select id, amount_fen - paid_fen as "openFen" from debt_record(${JSON.stringify(plan)}::jsonb)`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('the debt was not recorded');
  return row;
}

/** Pays a user's debts from the balance, oldest first, as happens automatically with income. Returns the amount paid, in fen. */
export async function collectDebts(trx: Trx, userId: number): Promise<number> {
  const { rows } = await sql<{
    fen: number;
  }>`select debt_collect(array[${account.available(userId)}]::text[]) as fen`.execute(trx);
  return rows[0]?.fen ?? 0;
}

const DEBT = sql`d.id, d.debtor_user as "debtorUser", d.debtor_dist as "debtorDist", d.creditor, d.amount_fen as "amountFen", d.paid_fen as "paidFen", d.code,
  d.reason, d.order_id as "orderId", o.sn as "orderSn", d.created_at as "createdAt", d.settled_at as "settledAt"
  from debt d left join orders o on o.id = d.order_id`;
const MAX_ROWS = 50;

/** The debts of a user or distributor: open ones first, then settled ones, newest first. */
export async function loadDebts(db: Trx, debtor: NewDebt['debtor']): Promise<Debt[]> {
  const key = 'userId' in debtor ? account.available(debtor.userId) : account.commission(debtor.distId);
  const { rows } = await sql<Debt>`
    select ${DEBT} where d.debtor = ${key} order by d.settled_at is not null, d.id desc limit ${MAX_ROWS}`.execute(db);
  return rows;
}

/** The debts owed to a user, open ones first. */
export async function owedTo(db: Trx, userId: number): Promise<Debt[]> {
  const { rows } = await sql<Debt>`
    select ${DEBT} where d.creditor = ${account.available(userId)} order by d.settled_at is not null, d.id desc limit ${MAX_ROWS}`.execute(
    db,
  );
  return rows;
}

/** The seller's debt to the buyer for an order's refund: the total amount and the paid amount, in fen. */
export async function debtOfOrder(
  db: Trx,
  order: { id: number; buyerId: number },
): Promise<{ amountFen: number; paidFen: number }> {
  const { rows } = await sql<{ amountFen: number; paidFen: number }>`
    select coalesce(sum(amount_fen), 0)::bigint as "amountFen", coalesce(sum(paid_fen), 0)::bigint as "paidFen" from debt
    where order_id = ${order.id} and creditor = ${account.available(order.buyerId)}`.execute(db);
  return rows[0] ?? { amountFen: 0, paidFen: 0 };
}

/** The sum of a user's open debts in fen: all of them, or those from trades of one distributor. */
export async function openDebtFen(db: Trx, userId: number, distId: number | null = null): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(amount_fen - paid_fen), 0)::bigint as fen from debt
    where debtor = ${account.available(userId)} and settled_at is null
      and (${distId}::int is null or dist_id = ${distId}::int)`.execute(db);
  return rows[0]?.fen ?? 0;
}

/** A user with an open debt cannot take money out (decision 140). Throws DEBT_OPEN. */
export async function requireNoDebt(db: Trx, userId: number): Promise<void> {
  const fen = await openDebtFen(db, userId);
  if (fen > 0)
    throw new AppError('DEBT_OPEN', {
      text: `您还有 ${yuanLabel(fen)} 元欠款未还清。请先在「我的钱包」用余额偿还，还清后再操作`,
    });
}
