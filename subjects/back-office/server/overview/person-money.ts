import { chinaDay, dayAfter } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import type { personMoney } from '#subjects/back-office/contract/person.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { billGroupNames } from '#subjects/ledger/rules/bill.ts';
import { payoutKindNames, type PayoutKind } from '#subjects/payments/rules/payout-methods.ts';
import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { ORDERS_IN_PROGRESS } from '#server/states/order-states.ts';
import { balanceDays, moneyLine, openDebtFen, siteDays } from '#subjects/ledger/server/service.ts';
import { withdrawStatusNames } from '#subjects/payments/server/service.ts';
import { requirePerson } from './person.ts';

type Money = HandlerResult<typeof personMoney>;

const LINE_DAYS = 90;
const MAX_ESCROW = 1000;
const ROWS = 10;

interface PayeeRow {
  id: number;
  kind: string;
  mask: string;
  usable_from: Date;
  created_at: Date;
  removed_at: Date | null;
  paid_num: number;
  paid_fen: number;
}

/** Payout accounts, former ones included. Staff of a distributor see only those used by withdrawals on their site. */
async function loadPayees(call: StaffCall, id: number): Promise<Money['payees']> {
  const site = ownSite(call.staff, sql`w.dist_id`);
  const used =
    call.staff.distId === null
      ? sql``
      : sql`and exists (select from withdrawal w where w.payout_account_id = p.id and w.user_id = p.user_id ${site})`;
  const { rows } = await sql<PayeeRow>`
    select p.id, p.kind, p.account_mask as mask, p.usable_from, p.created_at, p.removed_at,
      count(w.id)::int as paid_num, coalesce(sum(w.amount_fen), 0)::bigint as paid_fen
    from payout_account p left join withdrawal w on w.payout_account_id = p.id and w.user_id = p.user_id and w.status = ${WithdrawalStatus.Paid} ${site}
    where p.user_id = ${id} ${used} group by p.id order by p.id desc limit ${ROWS}`.execute(call.ctx.db);
  return rows.map((row) => ({
    payeeId: row.id,
    kindName: payoutKindNames[row.kind as PayoutKind],
    mask: row.mask,
    isCurrent: row.removed_at === null,
    usableTime: row.usable_from,
    createTime: row.created_at,
    removeTime: row.removed_at,
    paidNum: row.paid_num,
    paid: row.paid_fen,
  }));
}

interface WithdrawalRow {
  sn: string;
  amount_fen: number;
  kind: string;
  mask: string;
  status: number;
  created_at: Date;
  paid_at: Date | null;
  note: string | null;
}

async function loadWithdrawals(call: StaffCall, id: number): Promise<Money['withdrawals']> {
  const { rows } = await sql<WithdrawalRow>`
    select w.sn, w.amount_fen, p.kind, p.account_mask as mask, w.status, w.created_at, w.paid_at, w.note
    from withdrawal w join payout_account p on p.id = w.payout_account_id
    where w.user_id = ${id} ${ownSite(call.staff, sql`w.dist_id`)} order by w.id desc limit ${ROWS}`.execute(
    call.ctx.db,
  );
  return rows.map((row) => ({
    withdrawSn: row.sn,
    amount: row.amount_fen,
    kindName: payoutKindNames[row.kind as PayoutKind],
    mask: row.mask,
    status: row.status,
    statusName: withdrawStatusNames[row.status as 0] ?? '',
    createTime: row.created_at,
    paidTime: row.paid_at,
    note: row.note,
  }));
}

interface SumsRow {
  orders: number;
  escrow_fen: number;
  holds: number;
  next_at: Date | null;
  paid_num: number;
  paid_fen: number;
  last_mask: string | null;
}

async function loadSums(call: StaffCall, id: number): Promise<SumsRow> {
  const orders = ownSite(call.staff, sql`o.dist_id`);
  const paid = ownSite(call.staff, sql`w.dist_id`);
  const { rows } = await sql<SumsRow>`
    select (select count(*)::int from (select from orders o where o.seller_id = ${id} and o.status in ${ORDERS_IN_PROGRESS} ${orders} limit ${MAX_ESCROW + 1}) n) as orders,
      (select coalesce(sum(a.balance), 0)::bigint from (select o.id from orders o where o.seller_id = ${id} and o.status in ${ORDERS_IN_PROGRESS} ${orders} limit ${MAX_ESCROW}) n
        join ledger_account a on a.key = 'order:' || n.id || ':escrow') as escrow_fen,
      (select count(*)::int from hold h where h.user_id = ${id} and h.released_at is null) as holds,
      (select min(h.release_at) from hold h where h.user_id = ${id} and h.released_at is null) as next_at,
      (select count(*)::int from withdrawal w where w.user_id = ${id} and w.status = ${WithdrawalStatus.Paid} ${paid}) as paid_num,
      (select coalesce(sum(w.amount_fen), 0)::bigint from withdrawal w where w.user_id = ${id} and w.status = ${WithdrawalStatus.Paid} ${paid}) as paid_fen,
      (select p.account_mask from withdrawal w join payout_account p on p.id = w.payout_account_id
        where w.user_id = ${id} and w.status = ${WithdrawalStatus.Paid} ${paid} order by w.id desc limit 1) as last_mask`.execute(
    call.ctx.db,
  );
  return rows[0] ?? { orders: 0, escrow_fen: 0, holds: 0, next_at: null, paid_num: 0, paid_fen: 0, last_mask: null };
}

/** Lists days with the balance and the withdrawals paid on that day. For distributor staff, the balance is the sum of the movements of their site. */
async function loadDays(call: StaffCall, id: number): Promise<Money['days']> {
  const { distId } = call.staff;
  const days = distId === null ? await balanceDays(call.ctx.db, id) : await siteDays(call.ctx.db, id, distId);
  const { rows } = await sql<{ day: string; n: number }>`
    select to_char(w.paid_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*)::int as n from withdrawal w
    where w.user_id = ${id} and w.status = ${WithdrawalStatus.Paid} and w.paid_at > now() - make_interval(days => ${LINE_DAYS})
      ${ownSite(call.staff, sql`w.dist_id`)}
    group by 1`.execute(call.ctx.db);
  const paid = new Map(rows.map(({ day, n }) => [day, n]));
  return days.map(({ day, fen }) => ({ day, balance: fen, withdrawals: paid.get(day) ?? 0 }));
}

/** Returns a user's money. Distributor staff see only the movements of their own site, without balances. Throws FORBIDDEN, NOT_FOUND. */
export async function loadMoney(call: StaffCall, { userId, range }: Parsed<typeof personMoney>): Promise<Money> {
  requirePermission(call.staff, 'withdrawal.read');
  const id = await requirePerson(call, userId);
  const { db } = call.ctx;
  const { distId } = call.staff;
  const isAll = range === 'all';
  const line = await moneyLine(db, id, { days: isAll ? null : LINE_DAYS, distId });
  const sums = await loadSums(call, id);
  return {
    escrow: {
      orders: Math.min(sums.orders, MAX_ESCROW),
      totalCapped: sums.orders > MAX_ESCROW,
      amount: sums.escrow_fen,
    },
    balances:
      distId === null
        ? {
            available: line.balances.availableFen,
            frozen: line.balances.frozenFen,
            deposit: line.balances.depositFen,
            maturing: line.balances.maturingFen,
            holds: { count: sums.holds, nextTime: sums.next_at },
          }
        : null,
    debt: await openDebtFen(db, id, distId),
    withdrawn: { count: sums.paid_num, amount: sums.paid_fen, accountMask: sums.last_mask },
    line: {
      fromDay: isAll ? null : dayAfter(chinaDay(new Date()), -LINE_DAYS),
      opening: line.openingFen,
      parts: line.parts.map(({ group, inFen, outFen }) => ({
        group,
        name: billGroupNames[group],
        in: inFen,
        out: outFen,
      })),
      closing: line.closingFen,
    },
    days: await loadDays(call, id),
    payees: await loadPayees(call, id),
    withdrawals: await loadWithdrawals(call, id),
  };
}
