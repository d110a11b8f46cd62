import { OrderStatus } from '../rules/order-status.ts';
import { sql } from 'kysely';
import { type HeldSplit, splitHeld } from '#subjects/disputes/rules/ruling.ts';
import type { Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { loadDeposits, takeForRefund } from '#subjects/deposits/server/service.ts';
import {
  account,
  authoriseFund,
  endHold,
  lockedBalance,
  matureShares,
  loadMaturing,
  post,
  recordDebt,
  setHoldShort,
  type Transfer,
} from '#subjects/ledger/server/service.ts';
import { addProcess } from './process.ts';
import type { OrderTerms } from './rules.ts';

/**
 * The kind of decision, which determines who pays: an agreement moves the parties' own money; a ruling approved by two
 * people may use the fund.
 */
export interface Decider {
  actor: string;
  note: string;
  by: 'settled' | 'ruled';
  /** The ruling was approved by a second person: the fund may advance the missing amount. */
  approvalId?: number | undefined;
}

/** The sources of the returned money, in fen (platform rules 6.1, 6.3, 6.4). The last three are the missing amounts. */
interface Recovered {
  heldFen: number;
  balanceFen: number;
  depositFen: number;
  distFen: number;
  inviterFen: number;
  sellerShortFen: number;
  distShortFen: number;
  inviterShortFen: number;
}

/**
 * The part of a refund of `backFen` after completion that the seller's sale and deposit do not cover, in fen: the
 * amount that the fund would have to advance.
 */
export async function loadFundNeed(db: Trx, o: OrderTerms, backFen: number): Promise<number> {
  if (o.status !== OrderStatus.Completed || backFen === 0) return 0;
  const { rows } = await sql<{ fen: number }>`
    select amount_fen as fen from hold where code = 'sale_protection' and ref = ${String(o.id)} and released_at is null`.execute(
    db,
  );
  const s = splitHeld(o, backFen);
  const shares = await loadMaturing(db, o.id);
  const missing = (owed: number, there: number): number => Math.max(0, owed - there);
  return (
    // Not the balance: it can be spent until the ruling is final.
    missing(s.fromSellerFen, (rows[0]?.fen ?? 0) + (await loadDeposits(db, o.sellerId))) +
    missing(s.fromDistFen, shares.distFen) +
    missing(s.fromInviterFen, shares.inviteFen)
  );
}

/** Takes money from the deposit and computes the rest; all accounts stay locked until the transaction ends. */
async function recoverFunds(trx: Trx, o: OrderTerms, holdFen: number, s: HeldSplit): Promise<Recovered> {
  const heldFen = Math.min(holdFen, s.fromSellerFen);
  let owedFen = s.fromSellerFen - heldFen;
  // The same lock order as a withdrawal: the user, then the balance.
  if (owedFen > 0) await sql`select from app_user where id = ${o.sellerId} for no key update`.execute(trx);
  const freeFen = owedFen > 0 ? await lockedBalance(trx, account.available(o.sellerId)) : 0;
  const balanceFen = Math.max(0, Math.min(freeFen, owedFen));
  owedFen -= balanceFen;
  const depositFen = owedFen > 0 ? await takeForRefund(trx, { order: o, amountFen: owedFen }) : 0;
  const shares = await loadMaturing(trx, o.id);
  const distFen = Math.min(shares.distFen, s.fromDistFen);
  const inviterFen = Math.min(shares.inviteFen, s.fromInviterFen);
  return {
    heldFen,
    balanceFen,
    depositFen,
    distFen,
    inviterFen,
    sellerShortFen: owedFen - depositFen,
    distShortFen: s.fromDistFen - distFen,
    inviterShortFen: s.fromInviterFen - inviterFen,
  };
}

/** Ends the hold of a completed order and returns it. Throws ORDER_STATE when it has ended. */
async function endSaleHold(trx: Trx, o: OrderTerms, note: string): Promise<{ id: number; fen: number }> {
  const hold = await endHold(trx, { code: 'sale_protection', ref: String(o.id) }, note);
  if (!hold) throw errorOf('ORDER_STATE', 'proceedsReleased');
  return hold;
}

/**
 * The postings of the immediate refund; `fundFen` is the fund's advance, `couponFen` the coupon's part of the refund.
 */
function backLines(
  o: OrderTerms,
  hold: { id: number; fen: number },
  t: Recovered,
  more: { feeFen: number; fundFen: number; couponFen: number },
): Transfer[] {
  const same = { ref: `order:${o.id}`, dist: o.distId, order: o.id };
  const [buyer, frozen, free] = [
    account.available(o.buyerId),
    account.frozen(o.sellerId),
    account.available(o.sellerId),
  ];
  const fund = account.platform('guarantee_fund', o.id);
  const coupons = account.platform('coupon_expense', o.id);
  const lines: Transfer[] = [
    { ...same, code: 'ruling_take_back', debit: frozen, credit: buyer, fen: t.heldFen },
    { ...same, code: 'ruling_from_balance', debit: free, credit: buyer, fen: t.balanceFen },
    { ...same, code: 'ruling_from_deposit', debit: account.deposit(o.sellerId), credit: buyer, fen: t.depositFen },
    { ...same, code: 'ruling_from_fund', debit: fund, credit: buyer, fen: more.fundFen },
    { ...same, code: 'dist_share_back', debit: account.distMaturing(o.distId), credit: buyer, fen: t.distFen },
    {
      ...same,
      code: 'invite_reward_back',
      debit: account.maturing(o.inviterId ?? 0),
      credit: buyer,
      fen: t.inviterFen,
    },
    { ...same, code: 'ruling_fee_back', debit: account.platform('fee', o.id), credit: buyer, fen: more.feeFen },
    { ...same, code: 'ruling_coupon', debit: buyer, credit: coupons, fen: more.couponFen },
    { ...same, code: 'hold_end', ref: `hold:${hold.id}`, debit: frozen, credit: free, fen: hold.fen - t.heldFen },
  ];
  return lines.filter((line) => line.fen > 0);
}

/** Records the missing amount as debts to the buyer, or to the fund if it advanced the money. `lessFen`, the coupon's part, is not owed to anyone. */
async function owe(trx: Trx, o: OrderTerms, t: Recovered, why: Decider, lessFen: number): Promise<void> {
  const toFund = why.approvalId !== undefined;
  const creditor = toFund ? account.platform('guarantee_fund', o.id) : account.available(o.buyerId);
  let less = lessFen;
  const debt = async (
    who: 'seller' | 'dist' | 'inviter',
    debtor: Parameters<typeof recordDebt>[1]['debtor'],
    fen: number,
  ) => {
    const cut = Math.min(less, fen);
    less -= cut;
    if (fen === cut) return;
    const what = { seller: '退款的差额', dist: '已结算的分销佣金', inviter: '已到账的邀请奖励' }[who];
    await recordDebt(trx, {
      debtor,
      creditor,
      fen: fen - cut,
      code: who === 'seller' ? why.by : who === 'dist' ? 'dist_share' : 'invite_reward',
      reason: `订单 ${o.sn} ${why.by === 'settled' ? '协商结案' : '裁决'}，${what}${toFund ? '，由包赔基金垫付' : ''}`,
      ref: `order:${o.id}:${who}`,
      orderId: o.id,
      distId: o.distId,
    });
  };
  await debt('seller', { userId: o.sellerId }, t.sellerShortFen);
  await debt('dist', { distId: o.distId }, t.distShortFen);
  if (o.inviterId !== null) await debt('inviter', { userId: o.inviterId }, t.inviterShortFen);
}

/**
 * Returns money of a completed order: from the seller's hold, balance and deposit, the platform's income and the maturing shares. A missing
 * amount becomes a debt to the buyer or, after a decision by two people, to the fund, which advances it. Releases the
 * rest of the hold and of the shares and records it. Returns the amounts received by and owed to the buyer, in fen.
 * Throws ORDER_STATE.
 */
export async function divideHold(
  trx: Trx,
  o: OrderTerms,
  backFen: number,
  why: Decider,
): Promise<{ buyerFen: number; owedFen: number }> {
  const hold = await endSaleHold(trx, o, why.note);
  const s = splitHeld(o, backFen);
  const recovered = await recoverFunds(trx, o, hold.fen, s);
  const shortFen = recovered.sellerShortFen + recovered.distShortFen + recovered.inviterShortFen;
  const fundFen = why.approvalId === undefined ? 0 : shortFen;
  const totalFen = s.buyerFen + s.couponFen;
  const nowFen = totalFen - shortFen + fundFen;
  // The coupon's part is deducted from what the buyer receives; the platform bears its part of a debt.
  const couponFen = totalFen === 0 ? 0 : Number((BigInt(s.couponFen) * BigInt(nowFen)) / BigInt(totalFen));
  if (fundFen > 0 && why.approvalId !== undefined)
    await authoriseFund(
      trx,
      { code: 'ruling_from_fund', ref: `order:${o.id}`, fen: fundFen },
      { approvalId: why.approvalId },
    );
  await post(trx, backLines(o, hold, recovered, { feeFen: s.fromFeeFen, fundFen, couponFen }));
  await matureShares(trx, o);
  const lessFen = fundFen > 0 ? 0 : s.couponFen - couponFen;
  if (shortFen > 0) await owe(trx, o, recovered, why, lessFen);
  if (recovered.sellerShortFen > 0) await setHoldShort(trx, hold.id, recovered.sellerShortFen);
  await recordUndo(trx, o, why, recovered, s);
  return { buyerFen: nowFen - couponFen, owedFen: shortFen - fundFen - lessFen };
}

/** Adds the entry shown to both parties in the order's record. */
async function recordUndo(trx: Trx, o: OrderTerms, why: Decider, recovered: Recovered, s: HeldSplit): Promise<void> {
  const from = recovered.heldFen < s.fromSellerFen ? '冻结、卖家余额与保证金' : '冻结';
  const owed =
    recovered.sellerShortFen > 0 && why.approvalId === undefined ? '，不足部分记为卖家欠款，从其收入中偿还' : '';
  await addProcess(trx, o, `申诉结案，部分或全部货款从${from}中退回买家${owed}：${why.note}`, why.actor);
  await emit(trx, 'order.ruled', { orderId: o.id });
}

/** The part of a share to reverse when `backFen` of the price is returned. */
const partOf = (fen: number, backFen: number, goodsFen: number): number =>
  Number((BigInt(fen) * BigInt(Math.min(backFen, goodsFen))) / BigInt(goodsFen));

/**
 * Moves up to `upToFen` of a sale to the guarantee fund, for a claim that the fund has paid: from the amount still
 * held, then from the maturing shares, each in proportion. Releases the rest of both (platform rules 5.3, 6.4). The
 * caller holds the order's lock. Returns the amount, in fen; 0 when nothing is held.
 */
export async function takeForFund(trx: Trx, o: OrderTerms, upToFen: number, claimId: number): Promise<number> {
  const named = { code: 'sale_protection', ref: String(o.id) } as const;
  const hold = await endHold(trx, named, '包赔已赔付，货款按规则 5.3 收回');
  if (!hold) return 0;
  const shares = await loadMaturing(trx, o.id);
  const heldFen = Math.min(upToFen, hold.fen);
  const distFen = Math.min(upToFen - heldFen, partOf(shares.distFen, upToFen, o.goodsFen));
  const inviteFen = Math.min(upToFen - heldFen - distFen, partOf(shares.inviteFen, upToFen, o.goodsFen));
  const fund = account.platform('guarantee_fund', o.id);
  const [frozen, free] = [account.frozen(o.sellerId), account.available(o.sellerId)];
  const same = { dist: o.distId, order: o.id };
  const claim = { ...same, ref: `claim:${claimId}`, credit: fund };
  const lines: Transfer[] = [
    { ...claim, code: 'claim_recourse', debit: frozen, fen: heldFen },
    { ...claim, code: 'claim_share_back', debit: account.distMaturing(o.distId), fen: distFen },
    { ...claim, code: 'claim_reward_back', debit: account.maturing(o.inviterId ?? 0), fen: inviteFen },
    { ...same, code: 'hold_end', ref: `hold:${hold.id}`, debit: frozen, credit: free, fen: hold.fen - heldFen },
  ];
  await post(
    trx,
    lines.filter((t) => t.fen > 0),
  );
  await matureShares(trx, o);
  return heldFen + distFen + inviteFen;
}
