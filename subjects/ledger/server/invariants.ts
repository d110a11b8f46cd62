import { DepositEntryKind } from '#subjects/deposits/rules/entry-kind.ts';
import { WantStatus } from '#subjects/offers/rules/want.ts';
import { PaymentStatus, WithdrawalStatus, GoodsStatus, RefundStatus } from '#contract/rules/statuses.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { accountTypes } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { platformDebits, refundCodes, refundSum } from './rules.ts';

// The invariants of the books, each as a query that returns its breaches (docs/LEDGER.md).

/** Rules about every posting, which the incremental proof (proof.ts) checks as well. */
const POSTINGS: readonly string[] = [
  // One pass over every account's entries checks both its balance and the chain of its entries.
  `select unnest(array_remove(array[
      case when a.balance <> coalesce(e.s, 0) or a.version <> coalesce(e.v, 0) or a.version <> coalesce(e.n, 0)
        then 'L2 balance differs from entries: ' || a.key || ' ' || a.balance || ' / ' || coalesce(e.s, 0) end,
      case when e.broken is not null then 'L3 broken chain: ' || a.key || ' ' || e.broken end], null))
      from ledger_account a left join (
        select account, sum(delta)::bigint s, count(*) n, max(version) v, min(version) filter (where p + delta <> balance_after) broken from (
          select account, version, balance_after, delta, lag(balance_after, 1, 0::bigint) over (partition by account order by version) p from ledger_entry) c
        group by account) e on e.account = a.key
      where a.balance <> coalesce(e.s, 0) or a.version <> coalesce(e.v, 0) or a.version <> coalesce(e.n, 0) or e.broken is not null`,
  `select 'L4 transfer without its two entries: ' || t.id from ledger_transfer t
      left join (select transfer_id, count(*) n, sum(delta) s, max(delta) m from ledger_entry group by 1) e on e.transfer_id = t.id
      where (e.n = 2 and e.s = 0 and e.m = t.amount_fen) is not true`,
];

const OTHERS: readonly string[] = [
  // An inserted block could prevent transfers from being proved or compared.
  `select 'L7 block after ' || after_id || ' does not continue the one before, which ends at ' || before
      from (select after_id, lag(to_id, 1, 0::bigint) over (order by after_id) before from books_block) b where after_id <> before`,
  `select 'L7 block to ' || to_id || ' is beyond the newest transfer' from books_block
      where to_id > (select coalesce(max(id), 0) from ledger_transfer)`,
  `select 'L7 block after ' || after_id || ' was compared in the future' from books_block where checked_at > clock_timestamp()`,
  `select 'L1 sum of balances is ' || sum(balance) from ledger_account having coalesce(sum(balance), 0) <> 0`,
  `select 'L5 below zero: ' || key from ledger_account where not may_overdraw and balance < 0`,
  `select 'O1 order ' || o.sn || ' status ' || o.status || ' has ' || coalesce(a.balance, 0) || ' in escrow'
      from orders o left join ledger_account a on a.key = 'order:' || o.id || ':escrow'
      where coalesce(a.balance, 0) <> case when o.status in (${OrderStatus.Paid}, ${OrderStatus.Shipped}) then o.total_fen + o.discount_fen - o.advance_fen else 0 end`,
  `select 'O2 order ' || o.sn || ' status ' || o.status || ' was paid ' || coalesce(p.s, 0) from orders o
      left join (select order_id, sum(amount_fen) s from ledger_transfer where code in ('order_pay', 'order_pay_channel', 'recycle_pay', 'boost_ask_pay') group by 1) p on p.order_id = o.id
      where coalesce(p.s, 0) <> o.total_fen and (o.status in (${OrderStatus.Paid}, ${OrderStatus.Shipped}, ${OrderStatus.Completed}, ${OrderStatus.SellerCancelled}, ${OrderStatus.ClosedByPlatform}) or coalesce(p.s, 0) <> 0)`,
  `select 'O3 goods sold twice: ' || goods_id from orders where status in (${OrderStatus.Unpaid}, ${OrderStatus.Paid}, ${OrderStatus.Shipped}, ${OrderStatus.Completed}) and type_id in (${accountTypes.join(', ')}) and goods_id is not null group by goods_id having count(*) > 1`,
  `select 'H1 holds of user ' || split_part(a.key, ':', 2) || ' differ from the frozen balance' from ledger_account a
      where a.key like 'user:%:frozen' and a.balance <> (select coalesce(sum(h.amount_fen), 0) from hold h where h.user_id = split_part(a.key, ':', 2)::bigint and h.released_at is null)`,
  `select 'H2 stage ' || s.seq || ' of hold ' || s.hold_id || ' was booked ' || coalesce(t.amount_fen, 0) from hold_stage s
      left join ledger_transfer t on t.code = 'hold_part' and t.ref = 'hold:' || s.hold_id || ':' || s.seq
      where coalesce(t.amount_fen, 0) <> case when s.released_at is null then 0 else s.amount_fen end`,
  // The proceeds of a completed sale left its hold once: in stages, at its end, or back to the buyer or the fund.
  `select 'H3 hold ' || h.id || ' of order ' || h.ref || ' let out ' || coalesce(t.s, 0) from hold h
      left join (select order_id, sum(case when code in ('sale_proceeds', 'ruling_to_seller') then amount_fen else -amount_fen end) s from ledger_transfer
        where code in ('sale_proceeds', 'ruling_to_seller', 'hold_part', 'hold_end', 'ruling_take_back', 'claim_recourse', 'recycle_cut') group by 1) t on t.order_id = h.ref::bigint
      where h.code = 'sale_protection' and coalesce(t.s, 0) <> case when h.released_at is null then h.amount_fen else 0 end`,
  `select 'S1 deposit of user ' || split_part(a.key, ':', 2) || ' differs from its journal' from ledger_account a
      where a.key like 'user:%:deposit' and a.balance <> (select coalesce(sum(case d.kind when ${DepositEntryKind.Paid} then d.amount_fen else -d.amount_fen end), 0)
        from deposit_entry d where d.user_id = split_part(a.key, ':', 2)::bigint)`,
  `select 'P1 payment ' || p.inter_sn || ' status ' || p.status || ' was booked ' || coalesce(t.n, 0) || ' times' from payment p
      left join (select ref, count(*) n from ledger_transfer where code in ('topup', 'order_pay_channel', 'late_payment', 'late_refund') group by 1) t on t.ref = 'payment:' || p.id
      where (p.status in (${PaymentStatus.Paid}, ${PaymentStatus.PaidLate})) <> (coalesce(t.n, 0) = 1)`,
  `select 'W1 withdrawal ' || w.sn || ' and its hold disagree' from withdrawal w
      where (w.status in (${WithdrawalStatus.Pending}, ${WithdrawalStatus.Paying})) <> exists (select from hold h where h.code = 'withdrawal' and h.ref = w.sn and h.released_at is null)`,
  `select 'D1 order ' || o.sn || ' and its disputes disagree' from orders o
      where o.disputed <> exists (select from dispute d where d.order_id = o.id and d.status <> 'closed')`,
  `select 'D2 dispute ' || d.sn || ' refunded ' || d.refunded_fen || ', booked ' || coalesce(t.s, 0) from dispute d join orders o on o.id = d.order_id
      left join (select order_id, ${refundSum} s from ledger_transfer
        where code in (${refundCodes.map((code) => `'${code}'`).join(', ')})
        group by 1) t on t.order_id = d.order_id
      where d.refunded_fen > 0 and d.refunded_fen <> coalesce(t.s, 0)`,
  `select 'G1 claim ' || c.sn || ' status ' || c.status || ' was booked ' || coalesce(t.s, 0) from guarantee_claim c
      left join (select ref, sum(amount_fen) s from ledger_transfer where code = 'claim_paid' group by 1) t on t.ref = 'claim:' || c.id
      where c.paid_fen <> coalesce(t.s, 0)`,
  `select 'G2 claim ' || c.sn || ' status ' || c.status || ' took back ' || coalesce(t.s, 0) from guarantee_claim c
      left join (select ref, sum(amount_fen) s from ledger_transfer where code in ('claim_recourse', 'claim_share_back', 'claim_reward_back') group by 1) t on t.ref = 'claim:' || c.id
      where c.recourse_fen <> coalesce(t.s, 0) or c.recourse_fen > c.paid_fen`,
  `select 'G4 claim ' || c.sn || ' owes ' || c.debt_fen || ', written ' || coalesce(d.amount_fen, 0) from guarantee_claim c
      left join debt d on d.code = 'claim' and d.ref = 'claim:' || c.id
      where c.debt_fen <> coalesce(d.amount_fen, 0)`,
  `select 'G5 account of claim ' || c.sn || ' is on sale as ' || g.sn from guarantee_claim c join goods g on g.fingerprint = c.fingerprint
      where c.status in ('checking', 'chasing', 'escalated', 'paid') and g.status in (${GoodsStatus.Reviewing}, ${GoodsStatus.OnSale})`,
  `select 'G3 order ' || o.sn || ' of a running claim is being paid out' from guarantee_claim c join orders o on o.id = c.order_id
      join hold h on h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is null
      where c.status in ('checking', 'chasing', 'escalated') and h.release_at is not null`,
  `select 'W2 withdrawal ' || w.sn || ' status ' || w.status || ' was booked out ' || count(t.*) || ' times' from withdrawal w
      left join ledger_transfer t on t.code = 'withdraw_paid' and t.ref = 'withdrawal:' || w.id group by w.id having count(t.*) <> (w.status = ${WithdrawalStatus.Paid} or w.bounced_at is not null)::int`,
  `select 'W3 withdrawal ' || w.sn || ' came back ' || count(t.*) || ' times' from withdrawal w
      left join ledger_transfer t on t.code = 'withdraw_bounce' and t.ref = 'withdrawal:' || w.id group by w.id having count(t.*) <> (w.bounced_at is not null)::int`,
  // A payout is in one list at a time, and paid exactly when its line is.
  `select 'W4 withdrawal ' || w.sn || ' and its lines disagree' from withdrawal w
      left join payout_line l on l.withdrawal_id = w.id and l.result is distinct from 'requeued'
      where w.list_id is distinct from l.list_id or (l.id is not null and case l.result when 'paid' then w.status <> ${WithdrawalStatus.Paid}
        when 'bounced' then w.status <> ${WithdrawalStatus.Returned} or w.bounced_at is null when 'refused' then w.status <> ${WithdrawalStatus.Returned} else w.status <> ${WithdrawalStatus.Paying} end)`,
  // Shares mature exactly as long as their sale is protected.
  `select 'M1 shares of order ' || t.order_id || ' still maturing: ' || t.s from (
      select order_id, sum(case when credit like '%:maturing' then amount_fen else -amount_fen end) s from ledger_transfer
      where credit like '%:maturing' or debit like '%:maturing' group by 1) t
      where t.s < 0 or t.s > 0 and not exists (select from hold h where h.code = 'sale_protection' and h.ref = t.order_id::text and h.released_at is null)`,
  // Money leaves the fund by an approval of two people, by the deadline of a claim below the limit, or as the order's own premium.
  `select 'F1 the fund paid ' || t.code || ' ' || t.ref || ' without a release' from ledger_transfer t
      where t.debit like 'platform:guarantee_fund:%' and t.code <> 'premium_back'
        and t.id > (select (value->>'fromTransfer')::bigint from setting where key = 'fund_release' order by version desc limit 1)
        and not exists (select from fund_release r where r.code = t.code and r.ref = t.ref and r.amount_fen = t.amount_fen)`,
  `select 'F2 release ' || r.id || ' bears neither two names nor a deadline' from fund_release r
      left join approval a on a.id = r.approval_id left join guarantee_claim c on c.id = r.claim_id
      where (a.status = 'allowed' and a.decided_by <> a.asked_by or c.deadline_at <= r.created_at) is not true`,
  `select 'F3 more premium went back than came of order ' || order_id from ledger_transfer
      where code in ('guarantee_premium', 'premium_back') group by order_id having sum(case code when 'premium_back' then amount_fen else -amount_fen end) > 0`,
  `select 'F4 money left ' || debit || ' by ' || code || ' ' || ref from ledger_transfer
      where debit like 'platform:%' and code not in (${platformDebits.map((code) => `'${code}'`).join(', ')})`,
  // A debt was paid by postings from the debtor's account to the creditor's.
  `select 'B1 debt ' || d.id || ' paid ' || d.paid_fen || ', collected ' || coalesce(t.s, 0) from debt d
      left join (select split_part(ref, ':', 2)::bigint id, sum(amount_fen) s, count(*) n, min(debit) a, max(debit) b, min(credit) c, max(credit) e
        from ledger_transfer where code = 'debt_collected' group by 1) t on t.id = d.id
      where d.paid_fen <> coalesce(t.s, 0) or d.parts <> coalesce(t.n, 0) or (t.n > 0 and (t.a, t.b, t.c, t.e) <> (d.debtor, d.debtor, d.creditor, d.creditor))`,
  `select 'B2 collected without a debt: ' || t.ref from ledger_transfer t
      where t.code = 'debt_collected' and not exists (select from debt d where d.id = split_part(t.ref, ':', 2)::bigint)`,
  `select 'R1 refund ' || r.refund_no || ' and its hold disagree' from refund r
      where (r.status = ${RefundStatus.Pending}) <> exists (select from hold h where h.code = 'refund' and h.ref = r.refund_no and h.released_at is null)`,
  `select 'R2 refund ' || r.refund_no || ' status ' || r.status || ' was booked out ' || count(t.*) || ' times' from refund r
      left join ledger_transfer t on t.code = 'refund_paid' and t.ref = 'refund:' || r.id group by r.id having count(t.*) <> (r.status = ${RefundStatus.Done})::int`,
  `select 'R3 more went back than came with payment ' || p.inter_sn from payment p join refund r on r.payment_id = p.id and r.status <> ${RefundStatus.Failed}
      group by p.id having sum(r.amount_fen) > p.amount_fen`,
  `select 'Q1 want ' || w.sn || ' status ' || w.status || ' has ' || coalesce(a.balance, 0) || ' put down' from want w
      left join ledger_account a on a.key = 'want:' || w.id || ':deposit'
      where coalesce(a.balance, 0) <> case when w.status = ${WantStatus.Open} then w.deposit_fen else 0 end`,
  `select 'Y1 bid ' || q.id || ' status ' || q.status || ' has ' || coalesce(a.balance, 0) || ' in escrow' from recycle_quote q
      left join ledger_account a on a.key = 'recycle:' || q.id || ':escrow'
      where coalesce(a.balance, 0) <> case when q.status = 'open' then q.amount_fen + q.fee_fen else 0 end`,
  `select 'Y2 bid ' || q.id || ' is open on a request that is ' || r.status from recycle_quote q join recycle_request r on r.id = q.request_id
      where q.status = 'open' and (r.status not in ('bidding', 'quoted') or r.status = 'quoted' and r.best_quote_id <> q.id)`,
  `select 'N1 inspection ' || t.id || ' status ' || t.status || ' has ' || coalesce(a.balance, 0) || ' in escrow' from inspection_task t
      left join ledger_account a on a.key = 'inspection:' || t.id || ':escrow'
      where coalesce(a.balance, 0) <> case when t.status in ('done', 'closed') then 0 else t.fee_fen end`,
  `select 'N2 claim on a reading ' || c.id || ' status ' || c.status || ' was paid ' || coalesce(t.amount_fen, 0) from inspection_claim c
      left join ledger_transfer t on t.code = 'inspection_wrong' and t.ref = 'inspectionClaim:' || c.id
      where coalesce(t.amount_fen, 0) <> case when c.status = 'paid' then c.amount_fen else 0 end`,
  `select 'Z1 open order ' || b.sn || ' status ' || b.status || ' has ' || coalesce(a.balance, 0) || ' in escrow' from boost_request b
      left join ledger_account a on a.key = 'boost:' || b.id || ':escrow'
      where coalesce(a.balance, 0) <> case when b.status = 'open' then b.total_fen else 0 end`,
  `select 'Z2 deposit of ended service ' || s.order_id || ' is still held' from service_order s
      join hold h on h.ref = s.order_id::text and h.code in ('service_safety', 'service_efficiency') and h.released_at is null
      where s.state in ('done', 'ended')`,
  `select 'C1 chat group ' || g.id || ' has a gap' from chat_group g
      where g.last_seq <> (select count(*) from chat_message m where m.group_id = g.id and m.seq > 0)`,
];

const MAX_BREACHES = 100;

async function broken(db: Trx, rule: string): Promise<string[]> {
  const { rows } = await sql<{
    breach: string;
  }>`select coalesce(breach, 'a breach that names nothing') as breach from (${sql.raw(rule)}) r (breach) limit ${MAX_BREACHES}`.execute(
    db,
  );
  return rows.map((row) => row.breach);
}

/**
 * The breaches of all rules, at most 100; empty when the books are consistent. Each rule is a separate statement, so that its work memory is
 * freed before the next one: with ten million postings each large rule uses its full limit.
 */
export async function brokenInvariants(db: Trx): Promise<string[]> {
  const breaches: string[] = [];
  for (const rule of [...POSTINGS, ...OTHERS]) breaches.push(...(await broken(db, rule)));
  return breaches.slice(0, MAX_BREACHES);
}

/**
 * The same, with each rule in a separate transaction by `run`, so that no snapshot is held longer than one rule takes. `isProved`: without
 * the rules about every posting, which are proved incrementally.
 */
export async function brokenOneByOne(
  run: (rule: (trx: Trx) => Promise<string[]>) => Promise<string[]>,
  isProved: boolean,
): Promise<string[]> {
  const rules = isProved ? OTHERS : [...POSTINGS, ...OTHERS];
  const breaches: string[] = [];
  for (const rule of rules) breaches.push(...(await run(async (trx) => await broken(trx, rule))));
  return breaches.slice(0, MAX_BREACHES);
}
